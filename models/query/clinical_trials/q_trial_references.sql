-- T17: the literature that a record cites. Publications are a family that is not built yet; the
-- key is the one that the registry's own PubMed number gives.
with
    cited as (select * from {{ ref("stg_ctgov__references") }}),

    final as (
        select
            cited.trial_reference_key,
            cited.trial_key,
            cited.reference_type,
            cited.pmid,
            cited.citation,
            'pub:pmid:' || cited.pmid as resolved_publication_key,
            case when cited.pmid is not null then 'registry_pmid' end as link_basis,
            cited.is_retracted,
            {{ tidegate.publication_tail("cited.trial_reference_key") }}
        from cited
    )

select *
from final

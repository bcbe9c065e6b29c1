-- T17: the literature that a record cites; a publication is linked by the registry's own PubMed
-- number, where its record is known.
with
    cited as (select * from {{ ref("stg_ctgov__references") }}),

    publications as (select * from {{ ref("stg_pubmed__publications") }}),

    final as (
        select
            cited.trial_reference_key,
            cited.trial_key,
            cited.reference_type,
            cited.pmid,
            cited.citation,
            publications.publication_key as resolved_publication_key,
            case
                when publications.publication_key is not null then 'registry_pmid'
            end as link_basis,
            cited.is_retracted,
            {{ tidegate.publication_tail("cited.trial_reference_key") }}
        from cited
        left join publications on publications.pmid = cited.pmid
    )

select *
from final

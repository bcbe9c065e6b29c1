-- T02: the identifiers of a trial beside its registry number.
with
    identifiers as (select * from {{ ref("stg_ctgov__identifiers") }}),

    final as (
        select
            identifiers.trial_identifier_key,
            identifiers.trial_key,
            identifiers.id_source,
            identifiers.id_type,
            identifiers.id_value,
            identifiers.id_domain,
            identifiers.id_link,
            {{ tidegate.publication_tail("identifiers.trial_identifier_key") }}
        from identifiers
    )

select *
from final

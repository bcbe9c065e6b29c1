-- What the regulator decided on each submission: its own table is a confirmation.
with
    claims as (select * from {{ ref("claims__approvals") }}),

    submissions as (select * from {{ ref("stg_drugsatfda__submissions") }}),

    final as (
        select
            'event:' || claims.claim_id as event_claim_id,
            claims.claim_id,
            submissions.application_key as subject_key,
            'regulatory'::text as event_family,
            case
                submissions.event_status when 'approved' then 'approved' else 'mentioned'
            end as event_status,
            submissions.source_event_status as source_status_text,
            submissions.event_date,
            case
                when submissions.event_date is null then 'unknown' else 'day'
            end as event_date_precision,
            case
                submissions.event_status when 'approved' then 'confirmed' else 'announced'
            end as truth_mode,
            claims.source_authority_tier,
            claims.source_family
        from claims
        inner join submissions on submissions.approval_event_key = claims.subject_key
        where claims.claim_type = 'regulatory_event'
    )

select *
from final

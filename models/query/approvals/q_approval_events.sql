-- What the regulator decided on each submission; its own table is a confirmation.
with
    submissions as (select * from {{ ref("stg_drugsatfda__submissions") }}),

    final as (
        select
            submissions.approval_event_key,
            submissions.application_key,
            submissions.submission_type,
            submissions.submission_no,
            submissions.submission_class_code,
            submissions.event_status,
            'confirmed'::text as truth_mode,
            submissions.event_date,
            submissions.review_priority,
            'regulator_primary'::text as source_authority_tier,
            {{ tidegate.publication_tail("submissions.approval_event_key") }}
        from submissions
    )

select *
from final

-- Submissions of marketing applications, with their class by name. The source pads the type.
with
    landed as (select * from {{ source("drugsatfda", "drugsatfda_submissions") }} as landed),

    classes as (
        select * from {{ source("drugsatfda", "drugsatfda_submission_class_lookup") }} as classes
    ),

    final as (
        select
            'approval_event:FDA:'
            || landed.appl_no
            || ':'
            || rtrim(landed.submission_type)
            || ':'
            || landed.submission_no as approval_event_key,
            'application:FDA:' || landed.appl_no as application_key,
            rtrim(landed.submission_type) as source_submission_type,
            {{ tidegate.mapped("rtrim(landed.submission_type)", "q_approval_events", "submission_type") }}
            as submission_type,
            landed.submission_no::text as submission_no,
            classes.submission_class_code,
            landed.submission_status as source_event_status,
            case
                landed.submission_status
                when 'AP'
                then 'approved'
                when 'TA'
                then 'tentatively_approved'
            end as event_status,
            landed.submission_status_date::date as event_date,
            landed.review_priority as source_review_priority,
            {{ tidegate.mapped("landed.review_priority", "q_approval_events", "review_priority") }}
            as review_priority,
            {{ tidegate.receipt_columns("landed") }}
        from landed
        left join classes on classes.submission_class_code_id = landed.submission_class_code_id
    )

select *
from final

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
            rtrim(landed.submission_type) as submission_type,
            landed.submission_no,
            classes.submission_class_code,
            landed.submission_status,
            landed.submission_status_date::date as submission_status_date,
            landed.review_priority,
            {{ tidegate.receipt_columns("landed") }}
        from landed
        left join classes on classes.submission_class_code_id = landed.submission_class_code_id
    )

select *
from final

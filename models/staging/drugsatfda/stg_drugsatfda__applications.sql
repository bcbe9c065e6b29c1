-- Marketing applications of the FDA, with the keys that approvals are told by.
with
    landed as (select * from {{ source("drugsatfda", "drugsatfda_applications") }} as landed),

    final as (
        select
            'application:FDA:' || landed.appl_no as application_key,
            landed.appl_no as application_number,
            landed.appl_type as source_application_type,
            {{ tidegate.mapped("landed.appl_type", "q_approval_applications", "application_type") }}
            as application_type,
            landed.sponsor_name,
            {{ tidegate.receipt_columns("landed") }}
        from landed
    )

select *
from final

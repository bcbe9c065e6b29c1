-- Orphan designations: the one property of a submission that tells a designation.
with
    landed as (
        select * from {{ source("drugsatfda", "drugsatfda_submission_property_types") }} as landed
    ),

    final as (
        select
            'designation:FDA:'
            || landed.appl_no
            || ':'
            || rtrim(landed.submission_type)
            || ':'
            || landed.submission_no
            || ':orphan' as designation_key,
            'application:FDA:' || landed.appl_no as application_key,
            'orphan'::text as designation,
            {{ tidegate.receipt_columns("landed") }}
        from landed
        where landed.submission_property_type_code = 'Orphan'
    )

select *
from final

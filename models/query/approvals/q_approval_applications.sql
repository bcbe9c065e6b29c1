-- Marketing applications; the applicant is linked where exactly this name is known.
with
    applications as (select * from {{ ref("stg_drugsatfda__applications") }}),

    names as (select * from {{ ref("int_spine_names") }}),

    final as (
        select
            applications.application_key,
            'FDA'::text as regulator,
            'US'::text as region_code,
            applications.application_number,
            applications.application_type,
            applications.sponsor_name,
            names.owner_key as resolved_organisation_key,
            {{ tidegate.publication_tail("applications.application_key") }}
        from applications
        left join
            names
            on names.spine = 'organisation'
            and names.normalized_name = {{ tidegate.normalized_name("applications.sponsor_name") }}
    )

select *
from final

-- Marketing applications; the applicant is linked where exactly this name is known.
with
    applications as (select * from {{ ref("stg_drugsatfda__applications") }}),

    links as (
        select * from {{ ref("links__approvals") }} where subject_kind = 'org_alias' and publishable
    ),

    final as (
        select
            applications.application_key,
            'FDA'::text as regulator,
            'US'::text as region_code,
            applications.application_number,
            applications.application_type,
            applications.sponsor_name,
            links.target_key as resolved_organisation_key,
            {{ tidegate.publication_tail("applications.application_key") }}
        from applications
        left join
            links
            on links.subject_key
            = {{ tidegate.alias_key("org_alias", "approvals", "applications.sponsor_name") }}
    )

select *
from final

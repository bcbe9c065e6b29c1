-- Development efforts: one drug, or one fixed regimen, whoever owns it and whatever phase it is in.
with
    staged as (select * from {{ ref("stg_development__programs") }}),

    links as (
        select *
        from {{ ref("links__development") }}
        where subject_kind = 'development_drug' and publishable
    ),

    contexts as (select * from {{ ref("development_program_contexts") }}),

    milestones as (select * from {{ ref("development_program_milestones") }}),

    regimens as (
        select
            staged.program_key,
            string_agg(
                coalesce(links.target_key, {{ tidegate.normalized_name("regimen.drug_name") }}),
                '+'
                order by
                    coalesce(
                        links.target_key, {{ tidegate.normalized_name("regimen.drug_name") }}
                    ) collate "C"
            ) as regimen_signature
        from staged
        cross join lateral unnest(staged.regimen_names) as regimen(drug_name)
        left join
            links
            on links.subject_key
            = {{ tidegate.alias_key("development_drug", "development", "regimen.drug_name") }}
        group by staged.program_key
    ),

    evidence as (
        select contexts.program_key, min(milestones.milestone_date) as first_evidence_date
        from contexts
        inner join milestones on milestones.context_key = contexts.context_key
        group by contexts.program_key
    ),

    final as (
        select
            staged.program_key,
            staged.drug_name,
            links.target_key as resolved_drug_key,
            regimens.regimen_signature,
            staged.program_kind,
            evidence.first_evidence_date,
            staged.source_artifact_key,
            staged.content_sha256,
            staged.immutable_uri,
            staged.record_number,
            staged.received_at
        from staged
        inner join regimens on regimens.program_key = staged.program_key
        left join evidence on evidence.program_key = staged.program_key
        left join
            links
            on links.subject_key
            = {{ tidegate.alias_key("development_drug", "development", "staged.drug_name") }}
    )

select *
from final

-- What each program is developed for. A name that is linked to no entry of a spine, or to two, is
-- unknown, as is what nobody states: neither is ever given a default.
with
    staged as (select * from {{ ref("stg_development__contexts") }}),

    links as (
        select *
        from {{ ref("links__development") }}
        where subject_kind = 'development_segment' and publishable
    ),

    lines as (select * from {{ ref("stg_spines__treatment_lines") }}),

    named as (
        select staged.*, links.target_key as segment_key, lines.treatment_line_key
        from staged
        left join
            links
            on links.subject_key
            = {{ tidegate.alias_key("development_segment", "development", "staged.segment_name") }}
        left join lines on lines.label = staged.line_label
    ),

    final as (
        select
            named.context_key,
            named.program_key,
            named.segment_name,
            named.segment_key,
            {{ tidegate.known_state("named.segment_key", "named.segment_state") }} as segment_state,
            named.treatment_line_key,
            {{ tidegate.known_state("named.treatment_line_key", "named.treatment_line_state") }}
            as treatment_line_state,
            named.setting,
            named.region_code,
            named.source_artifact_key,
            named.content_sha256,
            named.immutable_uri,
            named.record_number,
            named.received_at
        from named
    )

select
    final.*,
    case
        when
            'unknown' in (final.segment_state, final.treatment_line_state, final.setting)
            or final.region_code = 'UNKNOWN'
        then 'provisional'
        else 'complete'
    end as context_completeness
from final

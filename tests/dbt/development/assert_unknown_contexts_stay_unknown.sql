-- A disease or line that the source does not state is known to nobody.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "development"}}) }}
with
    programs as (select * from {{ ref("q_development_programs") }}),

    stated as (select * from {{ ref("stg_development__contexts") }})

select
    programs.context_key as row_key,
    'block' as level,
    'unknown_defaulted' as reason,
    jsonb_build_object('column', found.column_name) as metadata
from programs
inner join stated on stated.context_key = programs.context_key
cross join
    lateral(
        values
            ('segment_key', stated.segment_name is null and programs.segment_key is not null),
            (
                'treatment_line_key',
                stated.line_label is null and programs.treatment_line_key is not null
            )
    ) as found(column_name, applies)
where found.applies

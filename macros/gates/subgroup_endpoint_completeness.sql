{#- Each expected pair of subgroup and endpoint has a result. Judged are the expectations; a missing one
    warns, and blocks where it belongs to a target disease slice. Relation `outcomes`: what there is. -#}
{%- macro subgroup_endpoint_completeness(gate) -%}
    {{ tidegate.gate_rows(gate, {
        "publication_key": "text", "publication_population_key": "text",
        "canonical_endpoint_key": "text", "is_target_slice": "boolean", "task_revision": "text",
        "source_locator": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "outcomes", {
        "publication_key": "text", "publication_population_key": "text", "canonical_endpoint_key": "text",
    }) }},
    compared as (
        select
            judged.*,
            exists (
                select 1
                from outcomes
                where
                    outcomes.publication_key = judged.publication_key
                    and outcomes.publication_population_key = judged.publication_population_key
            ) as has_subgroup,
            exists (
                select 1
                from outcomes
                where
                    outcomes.publication_key = judged.publication_key
                    and outcomes.publication_population_key = judged.publication_population_key
                    and outcomes.canonical_endpoint_key = judged.canonical_endpoint_key
            ) as has_endpoint
        from judged
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(
        tidegate.subgroup_endpoint_completeness_findings(),
        tidegate.gate_metadata(gate, [
            "publication_key", "publication_population_key", "canonical_endpoint_key", "task_revision", "source_locator",
        ]) ~ " || jsonb_build_object('taxonomy_id', 'pub_subgroup_extraction_completeness',"
        ~ " 'missing_axis', case when judged.has_subgroup then 'endpoint' else 'subgroup' end)",
        "compared",
    ) }}
{%- endmacro -%}

{%- macro subgroup_endpoint_completeness_findings() -%}
    {%- set target = "judged.is_target_slice is true" -%}
    values
        (not judged.has_subgroup and {{ target }}, 'block', 'subgroup_missing'),
        (not judged.has_subgroup and not ({{ target }}), 'warn', 'subgroup_missing'),
        (
            judged.has_subgroup and not judged.has_endpoint and {{ target }},
            'block',
            'endpoint_missing'
        ),
        (
            judged.has_subgroup and not judged.has_endpoint and not ({{ target }}),
            'warn',
            'endpoint_missing'
        )
{%- endmacro -%}

{%- macro subgroup_endpoint_completeness_arguments() -%}
    {{- {"relations": {"outcomes": "q_publication_outcomes"}, "columns": {}, "options": {}} | tojson -}}
{%- endmacro -%}

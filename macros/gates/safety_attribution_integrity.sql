{#- An adverse event belongs to the arm that its quote names, over the safety population. Columns:
    `treated_n` (none unless the contract names one). Relations: `arms` for labels, `populations`. -#}
{%- macro safety_attribution_integrity(gate) -%}
    {{ tidegate.gate_rows(gate, {
        "publication_key": "text", "publication_arm_key": "text", "publication_population_key": "text",
        "ae_term": "text", "grade_bucket": "text", "affected": "integer", "safety_n": "integer",
        "treated_n": "integer", "attribution_state": "text", "source_quote": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "arms", {"publication_arm_key": "text", "source_arm_label": "text"}) }}
    {{ tidegate.gate_relation(gate, "populations", {
        "publication_population_key": "text", "population_kind": "text", "n_total": "integer",
    }) }},
    sentences as (
        select
            judged.publication_key,
            judged.ae_term,
            judged.grade_bucket,
            judged.affected,
            judged.source_quote,
            count(distinct judged.publication_arm_key) as arms
        from judged
        group by
            judged.publication_key,
            judged.ae_term,
            judged.grade_bucket,
            judged.affected,
            judged.source_quote
    ),
    placed as (
        select
            judged.*,
            arms.source_arm_label,
            populations.population_kind,
            populations.n_total,
            shared.arms as arms_of_sentence
        from judged
        left join arms on arms.publication_arm_key = judged.publication_arm_key
        left join
            populations
            on populations.publication_population_key = judged.publication_population_key
        left join
            sentences as shared
            on shared.publication_key = judged.publication_key
            and shared.ae_term = judged.ae_term
            and shared.grade_bucket = judged.grade_bucket
            and shared.affected = judged.affected
            and shared.source_quote = judged.source_quote
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(
        tidegate.safety_attribution_integrity_findings(),
        tidegate.gate_metadata(gate, [
            "ae_term", "grade_bucket", "publication_arm_key", "publication_population_key", "safety_n", "affected", "source_quote",
        ]) ~ " || jsonb_build_object('taxonomy_id', 'pub_safety_attribution', 'arms', judged.arms_of_sentence)",
        "placed",
    ) }}
{%- endmacro -%}

{%- macro safety_attribution_integrity_findings() -%}
    {%- set attributed = "judged.attribution_state in ('arm_specific', 'cohort_specific')" -%}
    values
        ({{ attributed }} and judged.publication_arm_key is null, 'block', 'arm_absent'),
        (
            {{ attributed }}
            and position(lower(judged.source_arm_label) in lower(coalesce(judged.source_quote, '')))
            = 0,
            'block',
            'arm_not_in_quote'
        ),
        (
            judged.attribution_state is distinct from 'arm_specific'
            and judged.attribution_state is distinct from 'cohort_specific'
            and judged.publication_arm_key is not null,
            'block',
            'pooled_on_an_arm'
        ),
        (judged.arms_of_sentence > 1, 'block', 'event_on_several_arms'),
        (
            judged.safety_n <> judged.treated_n or judged.safety_n > judged.n_total,
            'block',
            'safety_n_differs'
        ),
        (judged.population_kind <> 'safety', 'block', 'population_not_safety'),
        (judged.affected > judged.safety_n, 'block', 'affected_exceeds_n')
{%- endmacro -%}

{%- macro safety_attribution_integrity_arguments() -%}
    {{- {"relations": {"arms": "q_publication_arms", "populations": "q_publication_populations"}, "columns": {"treated_n": none}, "options": {}} | tojson -}}
{%- endmacro -%}

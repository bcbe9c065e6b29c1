{#- The dose of an arm stands in its own quote, number and unit together ("every 3 weeks" is no 3 mg);
    one arm of a publication has the recommended dose; one sentence gives its value to one arm.
    Option `units`: the pattern of a unit in prose. Relation `outcomes`: results by arm. -#}
{%- macro arm_dose_attribution(gate) -%}
    {{ tidegate.gate_rows(gate, {
        "publication_key": "text", "publication_arm_key": "text", "source_arm_label": "text",
        "intervention_key": "text", "dose_value": "numeric", "dose_unit": "text",
        "is_rp2d": "boolean", "source_quote": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "outcomes", {
        "publication_outcome_key": "text", "publication_key": "text", "publication_arm_key": "text",
        "publication_population_key": "text", "canonical_endpoint_key": "text",
        "value_num": "numeric", "source_quote": "text",
    }) }},
    units(unit, pattern) as (
        values
            {%- for unit, pattern in gate.options.units.items() %}
                ({{ tidegate.literal(unit) }}::text, {{ tidegate.literal(pattern) }}::text)
                {{- "," if not loop.last }}
            {%- endfor %}
    ),
    arms as (
        select
            judged.*,
            count(*) filter (where judged.is_rp2d) over (
                partition by judged.publication_key
            ) as rp2d_arms,
            -- Null without a dose or its unit: then there is nothing to look for.
            '(?<![0-9.])'
            || replace(trim_scale(judged.dose_value)::text, '.', '[.]')
            || case when judged.dose_value % 1 = 0 then '([.]0+)?' else '0*' end
            || '[ -]*('
            || coalesce(
                units.pattern, regexp_replace(judged.dose_unit, '([^a-zA-Z0-9 ])', '\\\1', 'g')
            )
            || ')' as stated_dose,
            regexp_replace(judged.source_quote, '([0-9]),([0-9]{3})', '\1\2', 'g') as quote
        from judged
        left join units on units.unit = judged.dose_unit
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(
        tidegate.arm_dose_findings(), tidegate.arm_dose_metadata(gate), "arms"
    ) }}
    {{ tidegate.arm_value_violations(gate) }}
{%- endmacro -%}

{%- macro arm_dose_findings() -%}
    values
        (coalesce(judged.quote, '') !~* judged.stated_dose, 'block', 'dose_not_in_quote'),
        (num_nulls(judged.dose_value, judged.dose_unit) = 1, 'block', 'dose_incomplete'),
        (judged.is_rp2d and judged.rp2d_arms > 1, 'block', 'rp2d_on_several_arms'),
        (
            position(
                lower(btrim(judged.source_arm_label)) in lower(coalesce(judged.source_quote, ''))
            )
            = 0,
            'block',
            'arm_not_in_source'
        )
{%- endmacro -%}

{%- macro arm_dose_metadata(gate) -%}
    {{ tidegate.gate_metadata(gate, [
        "source_arm_label", "publication_arm_key", "intervention_key", "dose_value", "dose_unit", "source_quote",
    ]) }}
    || jsonb_build_object(
        'taxonomy_id',
        'pub_arm_dose_attribution',
        'sibling_doses',
        {%- if "dose_value" in gate.public %}
            (
                select jsonb_agg(distinct sibling.dose_value)
                from judged as sibling
                where
                    sibling.publication_key = judged.publication_key
                    and sibling.publication_arm_key <> judged.publication_arm_key
            )
        {%- else %} null
        {%- endif %}
    )
{%- endmacro -%}

{#- One value and one sentence under several arms, or under none although the sentence names one. -#}
{%- macro arm_value_violations(gate) -%}
    union all
    select
        judged.publication_outcome_key,
        found.level,
        found.reason,
        jsonb_build_object('taxonomy_id', 'pub_arm_dose_attribution', 'arms', judged.arms)
        || {{ tidegate.key_of_another(gate, ["outcomes.publication_outcome_key"]) }}
    from
        (
            select outcomes.*, shared.arms
            from outcomes
            left join
                (
                    select
                        outcomes.publication_key,
                        outcomes.canonical_endpoint_key,
                        coalesce(outcomes.publication_population_key, '') as population_key,
                        outcomes.value_num,
                        outcomes.source_quote,
                        count(distinct outcomes.publication_arm_key) as arms
                    from outcomes
                    group by
                        outcomes.publication_key,
                        outcomes.canonical_endpoint_key,
                        coalesce(outcomes.publication_population_key, ''),
                        outcomes.value_num,
                        outcomes.source_quote
                ) as shared
                on shared.publication_key = outcomes.publication_key
                and shared.canonical_endpoint_key = outcomes.canonical_endpoint_key
                and shared.population_key = coalesce(outcomes.publication_population_key, '')
                and shared.value_num = outcomes.value_num
                and shared.source_quote = outcomes.source_quote
        ) as judged
    cross join
        lateral(
            values
                (judged.arms > 1, 'block', 'value_on_several_arms'),
                (
                    judged.publication_arm_key is null
                    and judged.source_quote ~* {{ tidegate.literal(gate.options.names_an_arm) }},
                    'block',
                    'value_without_its_arm'
                )
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{%- macro arm_dose_attribution_arguments() -%}
    {{- {"relations": {"outcomes": "q_publication_outcomes"}, "columns": {"intervention_key": none}, "options": {"names_an_arm": "\\m(RP2D|recommended phase 2 dose|cohorts?|dose levels?)\\M", "units": {"mg": "(mg|milligrams?)(?!\\s*(/|per)\\s*(kg|kilogram|m2|m²|square))", "mg/kg": "(mg|milligrams?)\\s*(/|per)\\s*(kg|kilogram)", "mg/m2": "(mg|milligrams?)\\s*(/|per)\\s*(m2|m²|square met(er|re))", "ug/kg": "(ug|µg|μg|mcg|micrograms?)\\s*(/|per)\\s*(kg|kilogram)", "g": "(g|grams?)\\M"}}} | tojson -}}
{%- endmacro -%}

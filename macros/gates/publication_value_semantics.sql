{#- A published value is stated by its source. Zero is a value only where the quote says zero; what is
    not reported has none; a denominator is never zero. Option `zero`: the pattern that states it. -#}
{%- macro publication_value_semantics(gate) -%}
    {%- set names = [
        "publication_key", "canonical_endpoint_key", "publication_population_key",
        "publication_arm_key", "value_num", "numerator", "denominator", "value_state",
        "source_quote", "provenance_bundle_key",
    ] -%}
    {%- set counted = "numerator" in gate.public and "denominator" in gate.public -%}
    {%- set derived -%}
        || jsonb_build_object(
            'taxonomy_id', 'pub_zero_sentinel',
            'derivable', judged.numerator is not null and judged.denominator > 0
            {%- if counted %},
                'values',
                ({{ tidegate.gate_metadata(gate, names) }} -> 'values') || jsonb_build_object(
                    'derived_value', round(100 * judged.numerator / nullif(judged.denominator, 0), 1)
                )
            {%- endif %}
        )
    {%- endset -%}
    {{ tidegate.gate_rows(gate, {
        "publication_key": "text", "canonical_endpoint_key": "text",
        "publication_population_key": "text", "publication_arm_key": "text", "value_num": "numeric",
        "value_state": "text", "numerator": "numeric", "denominator": "numeric",
        "source_quote": "text", "provenance_bundle_key": "text",
    }) }}
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(
        tidegate.publication_value_semantics_findings(gate),
        tidegate.gate_metadata(gate, names) ~ derived,
    ) }}
{%- endmacro -%}

{%- macro publication_value_semantics_findings(gate) -%}
    {%- set unstated = "coalesce(judged.value_state, 'not_reported') not in ('reported', 'derived')" -%}
    values
        (
            judged.value_num = 0
            and not ({{ unstated }})
            and coalesce(judged.source_quote, '') !~* {{ tidegate.literal(gate.options.zero) }},
            'block',
            'zero_unstated'
        ),
        (judged.value_num = 0 and judged.numerator > 0, 'block', 'zero_contradicts_counts'),
        (judged.denominator = 0, 'block', 'denominator_zero'),
        (judged.value_num is not null and {{ unstated }}, 'block', 'value_without_statement'),
        (judged.value_num is null and not ({{ unstated }}), 'block', 'value_absent')
{%- endmacro -%}

{%- macro publication_value_semantics_arguments() -%}
    {{- {"relations": {}, "columns": {}, "options": {"zero": "(?<![0-9.,])0+([.]0+)?(?![0-9]|[.,][0-9])|\\mzero\\M|\\m(no|none of the)\\M(\\s+[a-z-]+){0,3}\\s+(respon|patient|participant|event|progress|death|relaps|remission)"}} | tojson -}}
{%- endmacro -%}

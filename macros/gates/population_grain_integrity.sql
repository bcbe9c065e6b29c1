{#- The N of a population is its own: not the parent's, not that of those tested, and it stands in the
    quote. Its label has a word in common with the quote. Column `stated_n` (none unless the contract
    names one): what the source prints for this population. -#}
{%- macro population_grain_integrity(gate) -%}
    {{ tidegate.gate_rows(gate, {
        "publication_population_key": "text", "publication_key": "text", "population_label": "text",
        "population_kind": "text", "parent_population_key": "text", "segment_key": "text",
        "n_total": "integer", "n_basis": "text", "stated_n": "integer", "source_quote": "text",
    }) }}
    {{ tidegate.gate_not_evaluated(gate) }}
    union all
    select
        judged.row_key,
        found.level,
        found.reason,
        {{ tidegate.gate_metadata(gate, [
            "publication_population_key", "n_total", "n_basis", "parent_population_key", "segment_key", "source_quote",
        ]) }}
        || jsonb_build_object(
            'taxonomy_id',
            'pub_population_denominator_misattribution'
            {%- if "n_total" in gate.public %}, 'parent_n', parent.n_total {%- endif %}
        )
    from judged
    left join
        judged as parent
        on parent.publication_population_key = judged.parent_population_key
        and parent.publication_key = judged.publication_key
    cross join
        lateral({{ tidegate.population_grain_integrity_findings(gate) }}) as found(
            applies, level, reason
        )
    where found.applies
{%- endmacro -%}

{%- macro population_grain_integrity_findings(gate) -%}
    {%- set is_subgroup = "judged.population_kind = any(" ~ tidegate.text_array(gate.options.subgroups) ~ ")" -%}
    values
        (
            judged.n_basis = 'inherited_parent'
            or judged.n_total = parent.n_total
            and {{ is_subgroup }}
            and judged.n_basis is distinct from 'stated_for_this_population',
            'block',
            'n_inherited'
        ),
        (judged.n_basis = 'tested_only' and {{ is_subgroup }}, 'block', 'n_of_those_tested'),
        (judged.n_total <> judged.stated_n, 'block', 'n_differs'),
        (
            judged.n_basis = 'stated_for_this_population'
            and not coalesce(
                regexp_replace(judged.source_quote, '([0-9]),([0-9]{3})', '\1\2', 'g')
                ~ ('(?<![0-9.])' || judged.n_total || '(?![0-9]|[.][0-9]|\s*%)'),
                false
            ),
            'block',
            'n_not_in_quote'
        ),
        (judged.n_total > parent.n_total, 'block', 'n_exceeds_parent'),
        (
            not string_to_array(
                {{ tidegate.plain_words("judged.population_label") }},
                ' '
            ) && string_to_array(
                {{ tidegate.plain_words("coalesce(judged.source_quote, '')") }}, ' '
            ),
            'block',
            'label_not_in_source'
        )
{%- endmacro -%}

{%- macro population_grain_integrity_arguments() -%}
    {{- {"relations": {}, "columns": {"stated_n": none}, "options": {"subgroups": ["biomarker_subgroup", "clinical_subgroup"]}} | tojson -}}
{%- endmacro -%}

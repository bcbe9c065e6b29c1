{#- Half-open intervals [valid_from, valid_to) of one relationship do not overlap; gaps are legal. What
    was published before (relation `previous`, where there is one) may be closed, never removed or
    moved, unless its own source corrects it: where the contract names the columns `source_record` and
    `source_version`, the same record in another version may say otherwise, which warns. A model that
    says that it has no `observed_at` needs none. Option `low_precision`: the precisions that warn. -#}
{%- macro temporal_validity(gate) -%}
    {%- set types = {
        "relationship_key": "text", "valid_from": "timestamp", "valid_to": "timestamp",
        "observed_at": "timestamptz", "temporal_precision": "text",
    } -%}
    {%- set metadata = tidegate.gate_metadata(gate, types.keys()) -%}
    {%- if tidegate.is_correctable(gate) -%}
        {%- set _ = types.update({"source_record": "text", "source_version": "text"}) -%}
    {%- endif -%}
    {{ tidegate.gate_rows(gate, types) }},
    ordered as (
        select
            judged.*,
            max(coalesce(judged.valid_to, 'infinity')) over (
                partition by judged.relationship_key
                order by judged.valid_from
                rows between unbounded preceding and 1 preceding
            ) as busy_until
        from judged
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(tidegate.temporal_validity_findings(gate), metadata, "ordered") }}
    {%- if gate.previous %} {{ tidegate.temporal_validity_losses(gate) }} {%- endif %}
{%- endmacro -%}

{%- macro temporal_validity_findings(gate) -%}
    values
        (judged.busy_until > judged.valid_from, 'block', 'interval_overlaps'),
        (judged.valid_to <= judged.valid_from, 'block', 'interval_empty'),
        (
            num_nulls(
                judged.relationship_key,
                judged.valid_from
                {%- if gate.columns.get("observed_at", "") is not none %}
                    , judged.observed_at
                {%- endif %}
            )
            > 0,
            'block',
            'interval_incomplete'
        ),
        (
            coalesce(judged.temporal_precision, 'unknown')
            = any({{ tidegate.text_array(gate.options.low_precision) }}),
            'warn',
            'precision_low'
        )
{%- endmacro -%}

{#- Whether the source of an interval may correct it: the contract says by which columns one knows. -#}
{%- macro is_correctable(gate) -%}
    {%- set record = gate.columns.get("source_record") -%}
    {%- set version = gate.columns.get("source_version") -%}
    {{- "yes" if record and version -}}
{%- endmacro -%}

{#- Intervals that were published and are gone, or whose end was moved. `previous_columns`: what the
    published relation has; one from before the contract named a source was corrected by nobody. -#}
{%- macro temporal_validity_losses(gate) -%}
    {%- set types = {"relationship_key": "text", "valid_from": "timestamp", "valid_to": "timestamp"} -%}
    {%- set source = {"source_record": "text", "source_version": "text"} -%}
    {%- set known = tidegate.is_correctable(gate) and gate.columns.source_record in gate.previous_columns
    and gate.columns.source_version in gate.previous_columns -%}
    union all
    select
        before.row_key,
        found.level,
        found.reason,
        jsonb_build_object('published_in', {{ tidegate.literal(gate.previous) }}::text)
    from
        (
            select
                {{ tidegate.row_key(gate.row_key, "other") }} as row_key,
                {{ tidegate.named_columns(gate, dict(types, **source) if known else types, "other") }}
            from {{ gate.previous }} as other
        ) as before
    left join
        judged
        on judged.relationship_key = before.relationship_key
        and judged.valid_from = before.valid_from
    cross join
        lateral(
            select
                {%- if known %}
                    exists (
                        select
                        from judged as corrected
                        where
                            corrected.relationship_key = before.relationship_key
                            and corrected.source_record = before.source_record
                            and corrected.source_version <> before.source_version
                    )
                {%- else %} false
                {%- endif %} as by_source
        ) as correction
    cross join lateral({{ tidegate.temporal_losses() }}) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{%- macro temporal_losses() -%}
    values
        (judged.valid_from is null and not correction.by_source, 'block', 'interval_removed'),
        (judged.valid_from is null and correction.by_source, 'warn', 'interval_corrected'),
        (
            judged.valid_to is distinct from before.valid_to
            and before.valid_to is not null
            and judged.valid_from is not null,
            'block',
            'interval_rewritten'
        )
{%- endmacro -%}

{%- macro temporal_validity_arguments() -%}
    {{- {"relations": {}, "options": {"previous": none, "low_precision": ["year", "unknown"]}} | tojson -}}
{%- endmacro -%}

{#- The rows a gate looks at, as the common tables `checked` (as they are) and `judged` (`row_key` and
    the gate's columns under the reference domain's names). Every semantic gate takes one mapping
    `gate`: relation (SQL), subject, row_key, columns (the gate's name for a column: the relation's
    own, none where it has none, `{value: …}` where every row has that value), public (names of columns whose values may be kept), relations
    (role: name and sql, none where there is none), options, where, when_empty. -#}
{%- macro gate_rows(gate, types) -%}
    with
        checked as not materialized(
            select *
            from {{ tidegate.looked_at(gate.relation) }}
            {%- if gate.where %} where ({{ gate.where }}) {%- endif %}
        ),
        judged as not materialized(
            select
                {{ tidegate.row_key(gate.row_key, "checked") }} as row_key
                {{- "," if types }}
                {{ tidegate.named_columns(gate, types, "checked") }}
            from checked
        )
{%- endmacro -%}

{#- Another relation of the gate as a common table of its role's name; without rows where the
    relation is missing, which `gate_not_evaluated` reports, or where the contract says null. -#}
{%- macro gate_relation(gate, role, types) -%}
    {%- set found = gate.relations.get(role, {}) -%},
    {{ role }} as not materialized(
        {%- if found.get("sql") %}
            select {{ tidegate.named_columns(gate, types, "other", role ~ ".") }}
            from {{ found.sql }} as other
        {%- else %}
            select
                {%- for name, type in types.items() %}
                    null::{{ type }} as {{ name }}{{ "," if not loop.last }}
                {%- endfor %}
            where false
        {%- endif %}
    )
{%- endmacro -%}

{#- Columns under the gate's own names, cast to the types it works with. -#}
{%- macro named_columns(gate, types, alias, prefix="") -%}
    {%- for name, type in types.items() %}
        {%- set column = gate.columns.get(prefix ~ name, name) %}
        {% if column is none -%} null
        {%- elif column is mapping -%} {{ tidegate.literal(column.value) }}
        {%- else -%} {{ alias }}.{{ tidegate.identifier(column) }}
        {%- endif -%}::{{ type }} as {{ name }}
        {{- "," if not loop.last }}
    {%- endfor %}
{%- endmacro -%}

{#- What a gate could not judge: no row, or a relation it has to compare with is missing. -#}
{%- macro gate_not_evaluated(gate) -%}
    {{ tidegate.not_evaluated("checked", gate.subject, gate.when_empty) }}
    {%- for role, found in gate.relations.items() if not found.sql %}
        union all
        select
            {{ tidegate.literal(gate.subject) }}::text,
            'block'::text,
            'not_evaluated'::text,
            jsonb_build_object(
                'cause', 'relation_missing', 'relation', {{ tidegate.literal(found.name) }}::text
            )
    {%- endfor %}
{%- endmacro -%}

{#- A gate's own metadata: `values` of columns that the contract calls public, the names of the
    others under `withheld` (design §7). A name is a column of `judged`, or of a common table that
    is joined, such as `spine.statistic`; it is public where the contract of that relation says so. -#}
{%- macro gate_metadata(gate, names) -%}
    {%- set shown = [] -%}
    {%- set withheld = [] -%}
    {%- for name in names -%}
        {%- set _ = (shown if name in gate.public else withheld).append(name) -%}
    {%- endfor -%}
    jsonb_build_object(
        'values',
        jsonb_build_object(
            {%- for name in shown %}
                {{ tidegate.literal(name) }}::text,
                {{ name if "." in name else "judged." ~ name }}
                {{- "," if not loop.last }}
            {%- endfor %}
        ),
        'withheld',
        {{ tidegate.text_array(withheld) }}
    )
{%- endmacro -%}

{#- Added to the metadata of a row of another relation of the gate, whose key stands in the place of
    `row_key`: the key may be shown only where that relation's contract calls its columns public. -#}
{%- macro key_of_another(gate, names) -%}
    {%- if names | reject("in", gate.public) | list -%} jsonb_build_object('key_withheld', true)
    {%- else -%} '{}'::jsonb
    {%- endif -%}
{%- endmacro -%}

{#- One line for each finding of each row of `judged` (or of the common table named); `findings`: a
    values list of condition, level and reason, as SQL. -#}
{%- macro gate_findings(findings, metadata, cte="judged") -%}
    union all
    select judged.row_key, found.level, found.reason, {{ metadata }}
    from {{ cte }} as judged
    cross join lateral({{ findings }}) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{#- Findings of one row, each a condition (SQL), a level and a reason: as a values list or, with
    `any`, as the condition that one of them applies. -#}
{%- macro findings(found, any=false) -%}
    {%- if not any %}
        values
    {% endif -%}
        {%- for condition, level, reason in found -%}
            {%- if any -%} ({{ condition }}) {{- " or " if not loop.last }}
            {%- else -%}
                ({{ condition }}, {{ tidegate.literal(level) }}, {{ tidegate.literal(reason) }})
                {{- ", " if not loop.last }}
            {%- endif -%}
        {%- endfor -%}
{%- endmacro -%}

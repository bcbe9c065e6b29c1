{#- A support model holds inputs, not what an application does with them: no word of its name or of a
    column's name may be one of an application (whole words between underscores, so that
    `canonical_endpoint_key` stays a clinical endpoint and `route` one of administration). `gate.live`: the relation's columns;
    options: `model_words`, `column_words`: patterns of such words. -#}
{%- macro downstream_boundary(gate) -%}
    {%- set note = gate.columns.get("downstream_owner_note", "downstream_owner_note") -%}
    {{ tidegate.gate_rows(gate, {}) }},
    names(name, level, reason, pattern) as (
        values
            (
                {{ tidegate.literal(gate.subject) }}::text,
                'block',
                'model_of_an_application',
                {{ tidegate.literal(gate.options.model_words) }}::text
            )
            {%- for column in gate.live %}
                ,
                (
                    {{ tidegate.literal(column) }},
                    'block',
                    'column_of_an_application',
                    {{ tidegate.literal(gate.options.column_words) }}
                )
            {%- endfor %}
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    union all
    select
        names.name,
        names.level,
        names.reason,
        jsonb_build_object(
            'model',
            {{ tidegate.literal(gate.subject) }}::text,
            'word',
            substring(names.name from '(?:^|_)(' || names.pattern || ')(?:_|$)')
        )
    from names
    where names.name ~ ('(^|_)(' || names.pattern || ')(_|$)')
    {%- if note in gate.live %}
        union all
        select
            {{ tidegate.literal(note) }}::text,
            'warn'::text,
            'owner_note_missing'::text,
            jsonb_build_object(
                'model', {{ tidegate.literal(gate.subject) }}::text, 'rows', count(*)
            )
        from checked
        where coalesce(btrim(checked.{{ tidegate.identifier(note) }}::text), '') = ''
        having count(*) > 0
    {%- else %}
        union all
        select
            {{ tidegate.literal(gate.subject) }}::text,
            'warn'::text,
            'owner_note_missing'::text,
            jsonb_build_object(
                'model', {{ tidegate.literal(gate.subject) }}::text, 'rows', count(*)
            )
        from checked
        having count(*) > 0
    {%- endif %}
{%- endmacro -%}

{%- macro downstream_boundary_arguments() -%}
    {{- {
        "relations": {},
        "options": {
            "model_words": "saved|scenarios?|sessions?|users?|dashboards?|http",
            "column_words": "saved|scenarios?|sessions?|users?|dashboards?|engine|http|endpoint_url|url_path|api_version|request_body",
        },
    } | tojson -}}
{%- endmacro -%}

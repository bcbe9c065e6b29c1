{#- A support model holds inputs, not what an application does with them: no word of its name or of a
    column's name may be one of an application (whole words between underscores, so that
    `canonical_endpoint_key` stays a clinical endpoint and `route` one of administration). `gate.live`: the relation's columns;
    options: `model_words`, `column_words`: patterns of such words. -#}
{%- macro downstream_boundary(gate) -%}
    {{ tidegate.gate_rows(gate, {}) }},
    names(name, is_model, pattern) as (
        values
            (
                {{ tidegate.literal(gate.subject) }}::text,
                true,
                {{ tidegate.literal(gate.options.model_words) }}::text
            )
            {%- for column in gate.live %}
                ,
                (
                    {{ tidegate.literal(column) }},
                    false,
                    {{ tidegate.literal(gate.options.column_words) }}
                )
            {%- endfor %}
    ),
    worded as (
        select names.*, substring(names.name from '(?:^|_)(' || names.pattern || ')(?:_|$)') as word
        from names
    ),
    noted as ({{ tidegate.downstream_boundary_notes(gate) }})
    {{ tidegate.gate_not_evaluated(gate) }}
    union all
    select
        worded.name,
        found.level,
        found.reason,
        jsonb_build_object('model', {{ tidegate.literal(gate.subject) }}::text, 'word', worded.word)
    from worded
    cross join
        lateral(
            values
                (worded.word is not null and worded.is_model, 'block', 'model_of_an_application'),
                (
                    worded.word is not null and not worded.is_model,
                    'block',
                    'column_of_an_application'
                )
        ) as found(applies, level, reason)
    where found.applies
    union all
    select
        noted.subject,
        found.level,
        found.reason,
        jsonb_build_object(
            'model', {{ tidegate.literal(gate.subject) }}::text, 'rows', noted.without
        )
    from noted
    cross join
        lateral(values (noted.without > 0, 'warn', 'owner_note_missing')) as found(
            applies, level, reason
        )
    where found.applies
{%- endmacro -%}

{#- How many rows do not say who owns what is made of them: all, where there is no column for it. -#}
{%- macro downstream_boundary_notes(gate) -%}
    {%- set note = gate.columns.get("downstream_owner_note", "downstream_owner_note") -%}
    {%- if note in gate.live -%}
        select
            {{ tidegate.literal(note) }}::text as subject,
            count(*) filter (
                where coalesce(btrim(checked.{{ tidegate.identifier(note) }}::text), '') = ''
            ) as without
        from checked
    {%- else -%}
        select {{ tidegate.literal(gate.subject) }}::text as subject, count(*) as without
        from checked
    {%- endif -%}
{%- endmacro -%}

{%- macro downstream_boundary_arguments() -%}
    {{- {
        "relations": {},
        "options": {
            "model_words": "saved|scenarios?|sessions?|users?|dashboards?|http|runtime|app_(?:state|config)",
            "column_words": "saved|scenarios?|sessions?|users?|dashboards?|engine|runtime|http|endpoint_url|url_path|request_body|response_body|ui_state|webhook|api_(?:version|route|path|key|payload)|app_(?:state|config|id|version|owner)|owning_app",
        },
    } | tojson -}}
{%- endmacro -%}

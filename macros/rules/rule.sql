{#- The relation that rules read: a table or view, or the rows of it in which columns have the given
    values (`only`: a list of pairs). -#}
{%- macro rule_relation(schema, name, only=()) -%}
    {%- if not only -%} {{- tidegate.identifier(schema) }}.{{ tidegate.identifier(name) -}}
    {%- else -%}
        (
            select *
            from {{ tidegate.identifier(schema) }}.{{ tidegate.identifier(name) }}
            where
                {% for column, value in only -%}
                    {{- tidegate.identifier(column) }} = {{ tidegate.literal(value) }}
                    {%- if not loop.last %} and {% endif -%}
                {%- endfor %}
        )
    {%- endif -%}
{%- endmacro -%}

{#- Where a row is: its number, or its key as text; null where the caller may show neither. -#}
{%- macro rule_place(row_number=none, row_key=()) -%}
    {%- if row_number -%} {{- tidegate.identifier(row_number) -}}
    {%- elif row_key -%}
        concat_ws(
            '|',
            {%- for column in row_key -%}
                {{ tidegate.identifier(column) }}::text {%- if not loop.last %}, {% endif -%}
            {%- endfor -%}
        ) collate "C"
    {%- else -%} null::bigint
    {%- endif -%}
{%- endmacro -%}

{#- The predicate that a violating row satisfies. -#}
{%- macro rule_violation(rule, types) -%}
    {%- if rule.type == "not_null" -%} {{ tidegate.not_null_violation(rule) }}
    {%- elif rule.type == "field" -%} {{ tidegate.field_violation(rule) }}
    {%- elif rule.type == "range" -%} {{ tidegate.range_violation(rule, types) }}
    {%- elif rule.type == "referential" -%} {{ tidegate.referential_violation(rule, types) }}
    {%- endif -%}
{%- endmacro -%}

{#- What one rule contributes to the one scan: a JSON object of counts. `types` are the columns of
    the relation, `detected` those of the schema that was delivered. -#}
{%- macro rule_counts(rule, types, detected) -%}
    {%- if rule.type == "row_count" -%} {{ tidegate.row_count_counts(rule) }}
    {%- elif rule.type == "required_fields" -%}
        {{ tidegate.required_fields_counts(rule, detected) }}
    {%- elif rule.type == "field" -%} {{ tidegate.field_counts(rule, types, detected) }}
    {%- else -%}
        jsonb_build_object(
            'violating_rows', count(*) filter (where {{ tidegate.rule_violation(rule, types) }})
        )
    {%- endif -%}
{%- endmacro -%}

{#- `true` where a constraint of the database proves the rule, nothing where it does not. -#}
{%- macro rule_proved(rule, facts) -%}
    {%- if rule.type == "not_null" -%} {{ tidegate.not_null_proved(rule, facts.columns) }}
    {%- elif rule.type == "unique" -%}
        {{ tidegate.unique_proved(rule, facts.columns, facts.unique_keys) }}
    {%- endif -%}
{%- endmacro -%}

{#- The one scan: the number of rows, and the counts of every rule that a row can decide. -#}
{%- macro rule_scan(relation, rules, types, detected) -%}
    select
        count(*) as row_count
        {%- for rule in rules %}
            , {{ tidegate.rule_counts(rule, types, detected) }} as r{{ loop.index0 }}
        {%- endfor %}
    from {{ relation }} as part
{%- endmacro -%}

{#- The uniqueness rules, in a statement of their own: a second connection can run it meanwhile. -#}
{%- macro rule_unique_scan(relation, rules, types, place, cap) -%}
    select
        proof.row_count
        {%- for rule in rules %}
            ,
            {{ tidegate.unique_counts(relation, rule, types, loop.index0, place, cap) }}
            as r{{ loop.index0 }}
        {%- endfor %}
    from ({{ tidegate.unique_proofs(relation, rules, types) }}) as proof
{%- endmacro -%}

{#- More about rules that failed, and only about them: where, how many nulls among the violations,
    how many that are not finite, how many distinct values. Never a value. -#}
{%- macro rule_details(relation, rules, types, place, cap) -%}
    select
        count(*) as row_count,
        {% for rule in rules -%}
            {%- set violation = tidegate.rule_violation(rule, types) -%}
            jsonb_build_object(
                'places',
                to_jsonb(
                    array(
                        select {{ place }} as place
                        from {{ relation }} as part
                        where {{ violation }}
                        order by place
                        limit {{ cap }}
                    )
                )
                {%- if rule.type in ("range", "referential") %}
                    ,
                    'null_rows',
                    count(*) filter (
                        where {{ violation }} and {{ tidegate.identifier(rule.field) }} is null
                    )
                {%- endif %}
                {%- if rule.type == "range" %}
                    ,
                    'non_finite_rows',
                    count(*) filter (where {{ tidegate.range_non_finite(rule, types) }})
                {%- elif rule.type == "referential" %}
                    ,
                    'distinct',
                    count(distinct {{ tidegate.rule_value(rule.field, types) }}) filter (
                        where {{ violation }}
                    )
                {%- endif %}
            ) as r{{ loop.index0 }}
            {%- if not loop.last %}, {% endif -%}
        {%- endfor %}
    from {{ relation }} as part
{%- endmacro -%}

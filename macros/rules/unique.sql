{#- Which rows uniqueness looks at: all, those without a null key, those with a key at all. -#}
{%- macro unique_considered(rule) -%}
    {%- set fields = rule.get("fields") or [rule.field] -%}
    {%- set mode = rule.get("ignore_nulls", false) -%}
    {%- if mode is sameas true or mode == "any" -%}
        {{- tidegate.rule_nulls(fields, "and", "is not null") -}}
    {%- elif mode == "all" -%} ({{- tidegate.rule_nulls(fields, "or", "is not null") -}})
    {%- else -%} true
    {%- endif -%}
{%- endmacro -%}

{%- macro unique_keys(rule, types) -%}
    {%- for field in rule.get("fields") or [rule.field] -%}
        {{- tidegate.rule_key(field, types) -}} {%- if not loop.last %}, {% endif -%}
    {%- endfor -%}
{%- endmacro -%}

{#- Equal keys have equal hashes by the types' own hash functions, so as many hashes as rows proves
    that no key repeats; fewer proves nothing yet. -#}
{%- macro unique_hash(rule, types) -%}
    hash_record_extended(row({{ tidegate.unique_keys(rule, types) }}), 0)
{%- endmacro -%}

{#- Whether every key's type can be hashed; the others go straight to the exact count. -#}
{%- macro unique_hashable(rule, types) -%}
    {%- set seen = namespace(hashable="true") -%}
    {%- for field in rule.get("fields") or [rule.field] -%}
        {%- if types[field].family == "other" -%} {%- set seen.hashable = "" -%} {%- endif -%}
    {%- endfor -%}
    {{- seen.hashable -}}
{%- endmacro -%}

{#- Whether a unique index proves the rule: its key is part of the rule's, and its nulls are equal,
    absent, or ignored. -#}
{%- macro unique_proved(rule, types, unique_keys) -%}
    {%- set fields = rule.get("fields") or [rule.field] -%}
    {%- set mode = rule.get("ignore_nulls", false) -%}
    {%- set seen = namespace(proved="") -%}
    {%- for key in unique_keys -%}
        {%- set covers = namespace(all=true) -%}
        {%- for column in key["columns"] -%}
            {%- if column not in fields or not (
                types[column].not_null
                or not key.nulls_distinct
                or mode is sameas true
                or mode == "any"
            ) -%}
                {%- set covers.all = false -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if covers.all -%} {%- set seen.proved = "true" -%} {%- endif -%}
    {%- endfor -%}
    {{- seen.proved -}}
{%- endmacro -%}

{#- The exact answer as one scalar subquery: rows with a repeated key, groups of them, and places.
    Hashes that repeat come first, so that only suspects are sorted. -#}
{%- macro unique_exact(relation, rule, types, place, cap) -%}
    (
        with
            suspects as materialized(
                select {{ tidegate.unique_hash(rule, types) }} as hash
                from {{ relation }} as part
                where {{ tidegate.unique_considered(rule) }}
                group by 1
                having count(*) > 1
            ),
            members as materialized(
                select
                    {{ place }} as place,
                    count(*) over (partition by {{ tidegate.unique_keys(rule, types) }}) as size,
                    row_number() over (partition by {{ tidegate.unique_keys(rule, types) }}) as nth
                from {{ relation }} as part
                where
                    {{ tidegate.unique_considered(rule) }}
                    {%- if tidegate.unique_hashable(rule, types) %}
                        and {{ tidegate.unique_hash(rule, types) }} in (select hash from suspects)
                    {%- endif %}
            )
        select
            jsonb_build_object(
                'violating_rows',
                count(*) filter (where size > 1),
                'groups',
                count(*) filter (where size > 1 and nth = 1),
                'places',
                to_jsonb(
                    array(select place from members where size > 1 order by place limit {{ cap }})
                )
            )
        from members
    )
{%- endmacro -%}

{#- What is as different as one field's keys are and cheaper to compare than the hash of a row: a
    number or a day itself, above all where rows lie in its order; of text its hash under its own
    collation. Nothing where there is no such thing; null where the key is. -#}
{%- macro unique_witness(field, types) -%}
    {%- set key = tidegate.identifier(field) -%}
    {%- set type = types[field] -%}
    {%- if type.family in ("integer", "date", "timestamp", "timestamptz") -%} {{- key -}}
    {%- elif type.sql_type.split("(")[0] in ("text", "character varying") -%}
        hashtextextended({{ key }}::text, 0)
    {%- elif type.sql_type == "uuid" -%} uuid_hash_extended({{ key }}, 0)
    {%- endif -%}
{%- endmacro -%}

{#- Considered rows and their distinct keys. Nulls are one key. -#}
{%- macro unique_proof(relation, rule, types, number) -%}
    {%- set fields = rule.get("fields") or [rule.field] -%}
    {%- set considered = tidegate.unique_considered(rule) -%}
    {%- set witness = tidegate.unique_witness(fields[0], types) if fields | length == 1 else "" -%}
    {%- set hash = witness or tidegate.unique_hash(rule, types) -%}
    select
        {{ number }} as rule,
        count(*) as row_count,
        count(*) filter (where {{ considered }}) as considered,
        count(distinct {{ hash }}) filter (where {{ considered }})
        {%- if witness %}
            + least(
                count(*) filter (
                    where {{ considered }} and {{ tidegate.identifier(fields[0]) }} is null
                ),
                1
            )
        {%- endif %} as keys
    from {{ relation }} as part
{%- endmacro -%}

{#- The proofs of all rules as one row: n and h of each, named after its number. They are members of a
    union because one process of the server sorts one key: members are shared among processes. -#}
{%- macro unique_proofs(relation, rules, types) -%}
    {%- set members = [] -%}
    {%- for rule in rules -%}
        {%- if tidegate.unique_hashable(rule, types) -%}
            {%- set _ = members.append(tidegate.unique_proof(relation, rule, types, loop.index0)) -%}
        {%- endif -%}
    {%- endfor -%}
    select
        max(member.row_count) as row_count
        {%- for rule in rules %}
            {%- if tidegate.unique_hashable(rule, types) %}
                ,
                max(member.considered) filter (
                    where member.rule = {{ loop.index0 }}
                ) as n{{ loop.index0 }},
                max(member.keys) filter (
                    where member.rule = {{ loop.index0 }}
                ) as h{{ loop.index0 }}
            {%- endif %}
        {%- endfor %}
    from
        (
            {% if members -%}{{ members | join(" union all ") }}
            {%- else -%}select 0 as rule, count(*) as row_count from {{ relation }} as part
            {%- endif %}
        ) as member
{%- endmacro -%}

{#- Zero where the proof holds; the exact subquery runs only where it does not. -#}
{%- macro unique_counts(relation, rule, types, number, place, cap) -%}
    {%- if tidegate.unique_hashable(rule, types) -%}
        case
            when proof.n{{ number }} = proof.h{{ number }}
            then jsonb_build_object('violating_rows', 0, 'groups', 0)
            else {{ tidegate.unique_exact(relation, rule, types, place, cap) }}
        end
    {%- else -%} {{ tidegate.unique_exact(relation, rule, types, place, cap) }}
    {%- endif -%}
{%- endmacro -%}

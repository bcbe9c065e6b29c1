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

{#- Considered rows and their distinct keys, one pair a rule, named after its number. A single whole
    number or day is its own witness: it is compared faster than a hash, above all where rows lie
    in its order. Of null keys one counts as a key. -#}
{%- macro unique_proof(rule, types, number) -%}
    {%- set fields = rule.get("fields") or [rule.field] -%}
    {%- set considered = tidegate.unique_considered(rule) -%}
    count(*) filter (where {{ considered }}) as n{{ number }},
    {% if fields | length == 1
    and types[fields[0]].family in ("integer", "date", "timestamp", "timestamptz") -%}
        {%- set key = tidegate.identifier(fields[0]) -%}
        count(distinct {{ key }}) filter (where {{ considered }})
        + least(count(*) filter (where {{ considered }} and {{ key }} is null), 1) as h{{ number }}
    {%- else -%}
        count(distinct {{ tidegate.unique_hash(rule, types) }}) filter (
            where {{ considered }}
        ) as h{{ number }}
    {%- endif -%}
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

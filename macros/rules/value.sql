{#- A column as rules compare it: text by its bytes whatever its collation, JSON by its meaning. -#}
{%- macro rule_value(field, types) -%}
    {%- if types[field].family == "text" -%} {{ tidegate.identifier(field) }}::text collate "C"
    {%- elif types[field].family == "json" -%} {{ tidegate.identifier(field) }}::jsonb
    {%- else -%} {{ tidegate.identifier(field) }}
    {%- endif -%}
{%- endmacro -%}

{#- A column as a key: equality is the type's own, and json has none. -#}
{%- macro rule_key(field, types) -%}
    {%- if types[field].family == "json" -%} {{ tidegate.identifier(field) }}::jsonb
    {%- else -%} {{ tidegate.identifier(field) }}
    {%- endif -%}
{%- endmacro -%}

{#- The type that values of a policy are cast to before they meet a column of this family. -#}
{%- macro rule_cast(family, whole=true) -%}
    {%- if family == "integer" -%} {{ "bigint" if whole else "numeric" }}
    {%- elif family == "double" -%} double precision
    {%- elif family == "json" -%} jsonb
    {%- else -%} {{ family }}
    {%- endif -%}
{%- endmacro -%}

{#- `a is null or b is null`, or with other words between. -#}
{%- macro rule_nulls(fields, how="or", test="is null") -%}
    {%- for field in fields -%}
        {{- tidegate.identifier(field) }} {{ test -}} {%- if not loop.last %} {{ how }} {% endif -%}
    {%- endfor -%}
{%- endmacro -%}

{#- What a semantic gate takes (see `gate_rows`), from the contract of the tested model. `relations`:
    the gate's default models by role, `given`: what the contract's entry says instead; `options`:
    the gate's own arguments, of which those that are none are left to the gate. -#}
{%- macro judged(relation, row_key, columns, relations, given, options) -%}
    {{- tidegate.gate_config() -}}
    {%- set tested = tidegate.tested_model() -%}
    {%- set keys = tidegate.contract_of(tested) -%}
    {%- set names = dict(relations, **(given or {})) -%}
    {%- do tidegate.reads(names.values() | list) -%}
    {%- if not execute -%} {{- return({}) -}} {%- endif -%}
    {%- set columns = columns or {} -%}
    {%- set public = tidegate.public_names(tested, columns, "") -%}
    {%- set found = {} -%}
    {%- for role, name in names.items() -%}
        {%- set node = tidegate.model_named(name) -%}
        {%- do found.update({role: {"name": name, "sql": tidegate.relation_of(node)}}) -%}
        {%- do public.extend(tidegate.public_names(node, columns, role ~ ".") if node else []) -%}
    {%- endfor -%}
    {%- set own = {} -%}
    {%- for name, value in options.items() if value is not none -%}
        {%- do own.update({name: value}) -%}
    {%- endfor -%}
    {{-
        return(
            {
                "relation": relation,
                "subject": tested.name,
                "row_key": row_key or keys.row_key,
                "columns": columns,
                "public": public,
                "relations": found,
                "options": own,
                "where": none,
                "when_empty": tidegate.when_empty(keys),
            }
        )
    -}}
{%- endmacro -%}

{#- The public columns of a contract by the names a gate has for them. -#}
{%- macro public_names(node, columns, prefix) -%}
    {%- set renamed = {} -%}
    {%- for name, column in columns.items() if name.rpartition(".")[0] == prefix.rstrip(".") -%}
        {%- do renamed.update({column: name}) -%}
    {%- endfor -%}
    {%- set public = [] -%}
    {%- for column in tidegate.contracted_columns(node) -%}
        {%- if column.tidegate.sensitivity == "public" -%}
            {%- do public.append(renamed.get(column.name, prefix ~ column.name)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(public) -}}
{%- endmacro -%}

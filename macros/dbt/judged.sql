{#- What a semantic gate takes (see `gate_rows`), from the contract of the tested model. `given`: the
    test's arguments; `arguments`: which the gate knows, as JSON of its `<gate>_arguments`. -#}
{%- macro judged(relation, given, arguments) -%}
    {{- tidegate.gate_config() -}}
    {%- set known = fromjson(arguments) -%}
    {%- set tested = tidegate.tested_model() -%}
    {%- set keys = tidegate.contract_of(tested) -%}
    {%- set names = dict(known.relations, **(given.get("relations") or {})) -%}
    {%- set options = dict(known.options) -%}
    {%- set recorded = ["slice", "owner", "contract_ref", "partition_key", "sample_strategy"] -%}
    {%- set strange = names.keys() | reject("in", known.relations) | list -%}
    {%- for name, value in given.items() if name not in recorded + ["row_key", "columns", "relations"] -%}
        {%- if name not in known.options -%} {%- do strange.append(name) -%} {%- endif -%}
        {%- do options.update({name: value}) -%}
    {%- endfor -%}
    {%- do tidegate.reads(names.values() | list) -%}
    {%- if not execute -%} {{- return({}) -}} {%- endif -%}
    {%- if strange -%}
        {{-
            exceptions.raise_compiler_error(
                "The gate "
                ~ model.test_metadata.name
                ~ " on "
                ~ tested.name
                ~ " has no argument "
                ~ (strange | join(", "))
                ~ "; docs/gates.md lists them."
            )
        -}}
    {%- endif -%}
    {%- set columns = given.get("columns") or {} -%}
    {%- set public = tidegate.public_names(tested, columns, "") -%}
    {%- set found = {} -%}
    {%- for role, name in names.items() -%}
        {%- set node = tidegate.model_named(name) -%}
        {%- do found.update({role: {"name": name, "sql": tidegate.relation_of(node)}}) -%}
        {%- do public.extend(tidegate.public_names(node, columns, role ~ ".") if node else []) -%}
    {%- endfor -%}
    {{-
        return(
            {
                "relation": relation,
                "subject": tested.name,
                "row_key": given.get("row_key") or keys.row_key,
                "columns": columns,
                "public": public,
                "relations": found,
                "options": options,
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

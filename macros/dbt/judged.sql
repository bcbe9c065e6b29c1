{#- What a semantic gate takes (see `gate_rows`), from what the test says and, where the tested model has a contract, from that. `given`: the
    test's arguments; `arguments`: which the gate knows, as JSON of its `<gate>_arguments`. -#}
{%- macro judged(relation, given, arguments) -%}
    {{- tidegate.gate_config() -}}
    {%- set known = fromjson(arguments) -%}
    {%- set tested = tidegate.tested_model() or tidegate.tested_source() -%}
    {%- set keys = ((tested.config.get("meta") or {}).get("tidegate") or {}) if tested else {} -%}
    {%- set names = dict(known.relations, **(given.get("relations") or {})) -%}
    {%- set options = dict(known.options) -%}
    {%- set recorded = ["slice", "owner", "contract_ref", "partition_key", "sample_strategy"] -%}
    {%- set strange = names.keys() | reject("in", known.relations) | list -%}
    {%- for name, value in given.items() if name not in recorded + ["row_key", "columns", "relations", "may_be_empty"] -%}
        {%- if name not in known.options -%} {%- do strange.append(name) -%} {%- endif -%}
        {%- do options.update({name: value}) -%}
    {%- endfor -%}
    {%- do tidegate.reads(names.values() | select | list) -%}
    {%- if not execute -%} {{- return({}) -}} {%- endif -%}
    {%- if strange -%}
        {{- tidegate.gate_refused(
            tested, "has no argument " ~ (strange | join(", ")) ~ "; docs/gates.md lists them."
        ) -}}
    {%- endif -%}
    {%- if not given.get("row_key") and not keys.get("row_key") -%}
        {{- tidegate.gate_refused(
            tested, "does not know which columns name a row: give `row_key`."
        ) -}}
    {%- endif -%}
    {%- set columns = dict(known.get("columns") or {}, **(given.get("columns") or {})) -%}
    {%- set public = tidegate.public_names(tested, columns, "") -%}
    {%- set found = {} -%}
    {%- for role, name in names.items() if name -%}
        {%- set node = tidegate.model_named(name) or tidegate.source_named(name) -%}
        {%- set sql = tidegate.relation_of(node) or tidegate.unlanded(node) -%}
        {%- do found.update({role: {"name": name, "sql": sql}}) -%}
        {%- do public.extend(tidegate.public_names(node, columns, role ~ ".") if node else []) -%}
    {%- endfor -%}
    {{-
        return(
            {
                "relation": relation,
                "subject": tested.name,
                "row_key": given.get("row_key") or keys.get("row_key"),
                "columns": columns,
                "public": public,
                "relations": found,
                "options": options,
                "where": none,
                "when_empty": tidegate.when_empty(
                    {"may_be_empty": given.get("may_be_empty", keys.get("may_be_empty"))}
                ),
            }
        )
    -}}
{%- endmacro -%}

{#- Stop with a sentence about the gate that the running test is. -#}
{%- macro gate_refused(tested, sentence) -%}
    {{-
        exceptions.raise_compiler_error(
            "The gate " ~ model.test_metadata.name ~ " on " ~ tested.name ~ " " ~ sentence
        )
    -}}
{%- endmacro -%}

{#- The public columns of a contract by the names a gate has for them; what the test itself says
    (`{value: …}`) is public too. -#}
{%- macro public_names(node, columns, prefix) -%}
    {%- set renamed = {} -%}
    {%- set public = [] -%}
    {%- for name, column in columns.items() if name.rpartition(".")[0] == prefix.rstrip(".") -%}
        {%- if column is mapping -%} {%- do public.append(name) -%}
        {%- elif column -%} {%- do renamed.update({column: name}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for column in node.columns.values() -%}
        {%- set meta = ((column.config or {}).get("meta") or {}).get("tidegate") or {} -%}
        {%- if meta.get("sensitivity") == "public" -%}
            {%- do public.append(renamed.get(column.name, prefix ~ column.name)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(public) -}}
{%- endmacro -%}

{#- A source table by `source.table`, as the graph has it; none where there is no such. -#}
{%- macro source_named(name) -%}
    {%- for node in graph.sources.values() if node.source_name ~ "." ~ node.name == name -%}
        {{- return(node) -}}
    {%- endfor -%}
    {{- return(none) -}}
{%- endmacro -%}

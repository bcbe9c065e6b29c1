{#-
  In target `ci` a bare `dbt build` runs on an empty database, where nothing has been landed: a
  landing view that does not exist then reads as an empty relation of the contract's columns.
  Everywhere else, and where the view exists, it is dbt's own `source`.
-#}
{%- macro source(source_name, table_name) -%}
    {%- set relation = builtins.source(source_name, table_name) -%}
    {%- if execute and target.name == "ci" and not load_relation(relation) -%}
        {{- return(tidegate.empty_source(source_name, table_name)) -}}
    {%- endif -%}
    {{- return(relation) -}}
{%- endmacro -%}

{#- No rows, with the columns of a dataset's contract and the technical ones of `landing`: a join in
    brackets, which may have an alias and, unlike a query on PostgreSQL 15, may go without one, as in
    the query that dbt makes of a test's `where`. -#}
{%- macro empty_source(source_name, table_name) -%}
    {%- set node = (
        graph.sources.values()
        | selectattr("source_name", "equalto", source_name)
        | selectattr("name", "equalto", table_name)
        | first
    ) -%}
    {%- set columns = [] -%}
    {%- for column in node.columns.values() -%}
        {%- do columns.append("null::" ~ column.data_type ~ " as " ~ tidegate.identifier(column.name)) -%}
    {%- endfor -%}
    {%- do columns.extend(
        [
            "null::bigint as _delivery_id",
            "null::bigint as _record_number",
            "null::text as _artifact_sha256",
            "null::timestamptz as _received_at",
            "null::timestamptz as _accepted_at",
        ]
    ) -%}
    {%- set nothing = "(select " ~ columns | join(", ") ~ " where false) as unlanded" -%}
    {{- return("(" ~ nothing ~ " cross join (select) as beside)") -}}
{%- endmacro -%}

{#- What a gate reads in place of a source that an empty database does not have; none where everything
    has to be evaluated. -#}
{%- macro unlanded(node) -%}
    {%- if not node or node.resource_type != "source" or tidegate.empty_means() != "warn" -%}
        {{- return(none) -}}
    {%- endif -%}
    {{- return(tidegate.empty_source(node.source_name, node.name)) -}}
{%- endmacro -%}

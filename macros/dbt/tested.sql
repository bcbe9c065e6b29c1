{#- The contracted model a generic test is attached to, as the graph has it. While dbt parses, the
    graph is empty; the manifest behind `builtins.ref` already has the models, whose contracts stand
    in the same file as the test. None where neither knows it. -#}
{%- macro tested_model() -%}
    {%- if execute -%} {{- return(graph.nodes.get(model.get("attached_node"))) -}} {%- endif -%}
    {%- set manifest = builtins.ref.manifest -%}
    {%- set name = (model.get("file_key_name") or "").split(".")[1:] | join(".") -%}
    {%- if not manifest or not name -%} {{- return(none) -}} {%- endif -%}
    {{- return(manifest.nodes.get("model." ~ model.package_name ~ "." ~ name)) -}}
{%- endmacro -%}

{#- Tidegate's keys of a model; a test on a model without them cannot mean anything. -#}
{%- macro contract_of(node) -%}
    {%- set keys = ((node.config or {}).get("meta") or {}).get("tidegate") if node else none -%}
    {%- if keys or not execute -%} {{- return(keys or {}) -}} {%- endif -%}
    {{-
        exceptions.raise_compiler_error(
            "The gate "
            ~ model.test_metadata.name
            ~ " is attached to "
            ~ (node.name if node else model.get("file_key_name"))
            ~ ", which has no contract. Add config.meta.tidegate to the model, or remove the gate."
        )
    -}}
{%- endmacro -%}

{#- Tell dbt while it parses that the running test reads other models, or sources as `source.table`,
    so that it runs after them. What does not exist is left out: dbt would drop the whole test, and
    the gate says so itself. Every node of the project is looked at, for hundreds of tests: so only
    where there is something to find. -#}
{%- macro reads(names) -%}
    {%- if names and not execute and builtins.ref.manifest -%}
        {%- if "." in names | join -%}
            {%- for node in builtins.ref.manifest.sources.values() -%}
                {%- if node.source_name ~ "." ~ node.name in names -%}
                    {%- do builtins.source(node.source_name, node.name) -%}
                {%- endif -%}
            {%- endfor -%}
        {%- endif -%}
        {%- set known = [] -%}
        {%- for unique_id in builtins.ref.manifest.nodes if unique_id.startswith("model.") -%}
            {%- do known.append(unique_id.split(".")[2]) -%}
        {%- endfor -%}
        {%- for name in names if name in known -%} {%- do builtins.ref(name) -%} {%- endfor -%}
    {%- endif -%}
{%- endmacro -%}

{#- A model by name, as the graph has it: of the tested model's package first. -#}
{%- macro model_named(name) -%}
    {%- set found = [] -%}
    {%- for node in graph.nodes.values() if node.resource_type == "model" and node.name == name -%}
        {%- if node.package_name == model.package_name -%} {{- return(node) -}} {%- endif -%}
        {%- do found.append(node) -%}
    {%- endfor -%}
    {{- return(found | first if found else none) -}}
{%- endmacro -%}

{#- The relation of a model as the running test has to read it (see `ref`), none where the database
    has none. -#}
{%- macro relation_of(node) -%}
    {%- if not node -%} {{- return(none) -}} {%- endif -%}
    {%- set family = tidegate.family_of(node) -%}
    {%- set elsewhere = family and target.name != "ci" and family != tidegate.family_here() -%}
    {{-
        return(
            adapter.get_relation(
                database=node.database,
                schema="query" if elsewhere else node.schema,
                identifier=node.identifier if node.resource_type == "source" else node.alias,
            )
        )
    -}}
{%- endmacro -%}

{#- The columns of a contract as the gates take them; a primary key is not null. -#}
{%- macro contracted_columns(node) -%}
    {%- set not_null = [] -%}
    {%- for constraint in node.constraints if constraint.type == "primary_key" -%}
        {%- do not_null.extend(constraint.columns or []) -%}
    {%- endfor -%}
    {%- set columns = [] -%}
    {%- for column in node.columns.values() -%}
        {%- for constraint in column.constraints if constraint.type in ("not_null", "primary_key") -%}
            {%- do not_null.append(column.name) -%}
        {%- endfor -%}
        {%- do columns.append(
            {
                "name": column.name,
                "data_type": column.data_type,
                "nullable": column.name not in not_null,
                "description": column.description,
                "tidegate": (column.config.meta or {}).get("tidegate", {}),
            }
        ) -%}
    {%- endfor -%}
    {{- return(columns) -}}
{%- endmacro -%}

{#- What readers see of a model of another family: `published(ref('q_x'))` is its view or, where nothing
    of it has been published yet, no rows of its contract's columns. So a family that only points at
    others can be published before them, and a family that is held back takes nobody along. The
    receipts and the catalogue of a family have no view of their own: they are read from the view
    that unites those of all families. -#}
{%- macro published(relation) -%}
    {%- if not execute or relation.schema != "query" or load_relation(relation) -%}
        {{- return(relation) -}}
    {%- endif -%}
    {%- set node = tidegate.model_named(relation.identifier) -%}
    {%- set family = tidegate.family_of(node) -%}
    {%- for united in ["q_catalog", "q_provenance"] if relation.identifier == united ~ "__" ~ family -%}
        {%- set view = load_relation(relation.incorporate(path={"identifier": united})) -%}
        {%- if view -%}
            {{- return(tidegate.receipts_of(view, tidegate.models_of(family))) -}}
        {%- endif -%}
    {%- endfor -%}
    {%- set columns = [] -%}
    {%- for column in node.columns.values() -%}
        {%- do columns.append(
            "null::" ~ column.data_type ~ " as " ~ tidegate.identifier(column.name)
        ) -%}
    {%- endfor -%}
    {{- return("(select " ~ columns | join(", ") ~ " where false)") -}}
{%- endmacro -%}

{#- Names of a family's models. -#}
{%- macro models_of(family) -%}
    {%- set names = [] -%}
    {%- for node in graph.nodes.values() if node.resource_type == "model" -%}
        {%- if tidegate.family_of(node) == family -%}
            {%- do names.append(node.name) -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(names | sort) -}}
{%- endmacro -%}

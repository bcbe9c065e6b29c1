{#- `ref` by family (design §6): a model of the same family is its candidate, one of another family
    is its published view; in target `ci` everything is the candidate. What belongs to no family is
    what dbt says it is. By family and never by selection: `dbt test --select q_x` has to judge the
    candidate, not what is published. -#}
{%- macro ref() -%}
    {%- set relation = builtins.ref(*varargs, **kwargs) -%}
    {%- if not execute or target.name == "ci" or not relation.schema -%}
        {{- return(relation) -}}
    {%- endif -%}
    {%- if not relation.schema.endswith("__candidate") -%} {{- return(relation) -}} {%- endif -%}
    {%- set family = relation.schema[: -("__candidate" | length)] -%}
    {%- if family == tidegate.family_here(family) -%} {{- return(relation) -}} {%- endif -%}
    {{- return(relation.incorporate(path={"schema": "query"})) -}}
{%- endmacro -%}

{#- The family for which the running node reads: its own, of a test the tested model's. A singular
    test that does not say it (`config(meta={"tidegate": {"family": …}})`) and reads models of one
    family belongs to that one; where it reads several, it has to say it. -#}
{%- macro family_here(referred) -%}
    {%- if model is not defined or not model -%} {{- return(none) -}} {%- endif -%}
    {%- set own = tidegate.family_of(model) -%}
    {%- if own or model.resource_type not in ["test", "unit_test"] -%}
        {{- return(own) -}}
    {%- endif -%}
    {%- if model.get("attached_node") -%}
        {{- return(tidegate.family_of(graph.nodes.get(model.attached_node, {}))) -}}
    {%- endif -%}
    {%- set families = [] -%}
    {%- for unique_id in model.depends_on.nodes -%}
        {%- set family = tidegate.family_of(graph.nodes.get(unique_id, {})) -%}
        {%- if family and family not in families -%}
            {%- do families.append(family) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if families | length > 1 -%}
        {{-
            exceptions.raise_compiler_error(
                "The test "
                ~ model.name
                ~ " reads models of the families "
                ~ (families | sort | join(", "))
                ~ " and does not say which it judges. Set config.meta.tidegate.family of the test."
            )
        -}}
    {%- endif -%}
    {{- return(families | first) -}}
{%- endmacro -%}

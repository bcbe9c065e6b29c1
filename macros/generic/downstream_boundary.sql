{#- dbt's side of the gate: the names of the built relation's columns. -#}
{%- test downstream_boundary(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.downstream_boundary_arguments()) -%}
    {%- if execute -%}
        {%- set columns = adapter.get_columns_in_relation(
            tidegate.relation_of(tidegate.tested_model())
        ) -%}
        {%- do gate.update({"live": columns | map(attribute="name") | list}) -%}
        {{- tidegate.downstream_boundary(gate) -}}
    {%- endif -%}
{%- endtest -%}

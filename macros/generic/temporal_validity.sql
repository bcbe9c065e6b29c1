{#- dbt's side of the gate: what was published is the view of the same name, unless `previous` says. -#}
{%- test temporal_validity(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.temporal_validity_arguments()) -%}
    {%- if execute -%}
        {%- set named = (gate.options.previous or "query." ~ gate.subject).split(".") -%}
        {%- set previous = adapter.get_relation(
            database=target.database, schema=named[0], identifier=named[1]
        ) -%}
        {%- do gate.update({"previous": previous}) -%} {{- tidegate.temporal_validity(gate) -}}
    {%- endif -%}
{%- endtest -%}

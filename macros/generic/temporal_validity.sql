{#- dbt's side of the gate: what was published is the view of the same name, unless `previous` says. -#}
{%- test temporal_validity(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.temporal_validity_arguments()) -%}
    {%- if execute -%}
        {%- set named = (gate.options.previous or "query." ~ gate.subject).split(".") -%}
        {%- set previous = adapter.get_relation(
            database=target.database, schema=named[0], identifier=named[1]
        ) -%}
        {%- set columns = adapter.get_columns_in_relation(previous) if previous else [] -%}
        {%- do gate.update(
            {"previous": previous, "previous_columns": columns | map(attribute="name") | list}
        ) -%}
        {{- tidegate.temporal_validity(gate) -}}
    {%- endif -%}
{%- endtest -%}

{#- dbt's side of the gate: the closed values are those of the contract that `quarantined_as` names. -#}
{%- test enum_mapping(model) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.enum_mapping_arguments()) -%}
    {%- if execute -%}
        {%- set contract = tidegate.model_named(gate.options.quarantined_as) -%}
        {%- set closed = dict(gate.options.closed) -%}
        {%- set names = (gate.options.enums | list) + (gate.options.arrays | list) -%}
        {%- for name in names if contract and name not in closed -%}
            {%- set column = contract.columns.get(name) -%}
            {%- set meta = (column.config.meta or {}).get("tidegate", {}) if column else {} -%}
            {%- if meta.get("enum") -%} {%- do closed.update({name: meta.enum}) -%} {%- endif -%}
        {%- endfor -%}
        {%- do gate.options.update({"closed": closed}) -%} {{- tidegate.enum_mapping(gate) -}}
    {%- endif -%}
{%- endtest -%}

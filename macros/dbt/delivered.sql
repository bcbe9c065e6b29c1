{#- What a gate of deliveries takes (see `judged`): the dataset's own key as row key, its name, and the
    relations of the ledger, none where the database has no ledger. -#}
{%- macro delivered(relation, given, arguments) -%}
    {%- set tested = tidegate.tested_model() or tidegate.tested_source() -%}
    {%- set keys = ((tested.config.get("meta") or {}).get("tidegate") or {}) if tested else {} -%}
    {%- set named = {"row_key": (keys.get("delivery") or {}).get("key") or ["_record_number"]} -%}
    {%- set gate = tidegate.judged(relation, dict(named, **given), arguments) -%}
    {%- if not execute -%} {{- return({}) -}} {%- endif -%}
    {%- set ledger = {} -%}
    {%- for name in ["runs", "materializations", "quarantine_index", "anomaly_index"] -%}
        {%- do ledger.update(
            {name: adapter.get_relation(database=target.database, schema="governance", identifier=name)}
        ) -%}
    {%- endfor -%}
    {%- do gate.update({"ledger": ledger}) -%}
    {%- if not gate.options.get("dataset") -%}
        {%- do gate.options.update({"dataset": tested.name}) -%}
    {%- endif -%}
    {{- return(gate) -}}
{%- endmacro -%}

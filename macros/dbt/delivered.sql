{#- What a gate of deliveries takes (see `judged`): the dataset's own key as row key, its name, and the
    relations of the ledger, none where the database has no ledger. -#}
{%- macro delivered(relation, given, arguments) -%}
    {%- set tested = tidegate.tested_model() or tidegate.tested_source() -%}
    {%- set keys = ((tested.config.get("meta") or {}).get("tidegate") or {}) if tested else {} -%}
    {%- set named = {"row_key": (keys.get("delivery") or {}).get("key") or ["_record_number"]} -%}
    {%- set gate = tidegate.judged(relation, dict(named, **given), arguments) -%}
    {%- if not execute -%} {{- return({}) -}} {%- endif -%}
    {%- set ledger = {} -%}
    {#- Asked of the server: dbt fills its cache of a schema bit by bit, for all threads to see. -#}
    {%- for name, known in run_query(tidegate.ledger_there()).rows -%}
        {%- do ledger.update({name: "governance." ~ tidegate.identifier(name) if known else none}) -%}
    {%- endfor -%}
    {%- do gate.update({"ledger": ledger}) -%}
    {%- if not gate.options.get("dataset") -%}
        {%- do gate.options.update({"dataset": tested.name}) -%}
    {%- endif -%}
    {{- return(gate) -}}
{%- endmacro -%}

{#- Which relations of the ledger there are. -#}
{%- macro ledger_there() -%}
    select ledger.name, to_regclass('governance.' || ledger.name) is not null as known
    from
        (values ('runs'), ('materializations'), ('quarantine_index'), ('anomaly_index')) as ledger(
            name
        )
{%- endmacro -%}

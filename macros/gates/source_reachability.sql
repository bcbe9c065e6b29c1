{#- The source was reached: the last run of each of its files got past receipt and landing. It judges
    runs in the ledger, not rows. Options: `dataset` (none: the judged relation's name),
    `remember_days`, how long a file that nothing made good warns. -#}
{%- macro source_reachability(gate) -%}
    {{ tidegate.delivery_runs(gate) }}
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.halted_runs(gate, ["receipt", "landing"], "source_unreachable") }}
{%- endmacro -%}

{%- macro source_reachability_checked(gate) -%}
    {{ tidegate.delivery_runs(gate) }} select count(*) from checked
{%- endmacro -%}

{%- macro source_reachability_arguments() -%}
    {{- {"relations": {}, "options": {"dataset": none, "remember_days": 30}} | tojson -}}
{%- endmacro -%}

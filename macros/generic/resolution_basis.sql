{#- dbt's side of the gate. -#}
{%- test resolution_basis(
    model,
    columns=none,
    allowed=none,
    low_confidence=none,
    row_key=none,
    slice=none,
    owner=none,
    contract_ref=none,
    partition_key=none,
    sample_strategy=none
) -%}
    {%- set options = {"allowed": allowed, "low_confidence": low_confidence} -%}
    {%- set gate = tidegate.judged(model, row_key, columns, {}, none, options) -%}
    {%- if execute -%} {{- tidegate.resolution_basis(gate) -}} {%- endif -%}
{%- endtest -%}

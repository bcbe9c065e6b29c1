{#- The last columns of every published model: its receipts, its state, its contract's version. -#}
{%- macro publication_tail(row_key, state="'published'") -%}
    {{ tidegate.literal(model.name ~ "|") }} || {{ row_key }} as provenance_bundle_key,
    ({{ state }})::text as publication_state,
    {{ tidegate.literal(tidegate.contract_version()) }}::text as contract_version
{%- endmacro -%}

{#- The version that the contract of the model being built declares. -#}
{%- macro contract_version() -%}
    {{- return(model.config.meta.tidegate.version if execute else "") -}}
{%- endmacro -%}

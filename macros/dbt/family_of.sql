{#- The family of a node: `config.meta.tidegate.family` of a model or a singular test; none for all
    others. A source table carries keys of Tidegate too, but no family. -#}
{%- macro family_of(node) -%}
    {{- return((((node.config or {}).get("meta") or {}).get("tidegate") or {}).get("family")) -}}
{%- endmacro -%}

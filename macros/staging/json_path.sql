{#- A path `a/b` inside a jsonb document, as the text array that `#>` takes. -#}
{%- macro json_path(path) -%}
    {{- tidegate.literal("{" ~ path | replace("/", ",") ~ "}") -}}
{%- endmacro -%}

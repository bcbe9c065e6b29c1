{#- In target `ci` a landing table that does not exist yet reads as an empty one. -#}
{%- macro source(source_name, table_name) -%}
    {{- return(tidegate.source(source_name, table_name)) -}}
{%- endmacro -%}

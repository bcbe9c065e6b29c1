{#- The values of each axis of a development program in rising order: those of the gate. -#}
{%- macro development_axes() -%}
    {{- return(fromjson(tidegate.development_program_semantics_arguments()).options.axes) -}}
{%- endmacro -%}

{#- A model of the same family is its candidate, one of another family its published view. -#}
{%- macro ref() -%} {{- return(tidegate.ref(*varargs, **kwargs)) -}} {%- endmacro -%}

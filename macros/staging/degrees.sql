{#- A coordinate in degrees; what no place on earth has is null. -#}
{%- macro degrees(value, bound) -%}
    case
        when abs({{ tidegate.to_number(value) }}) <= {{ bound }}
        then {{ tidegate.to_number(value) }}::numeric(9, 6)
    end
{%- endmacro -%}

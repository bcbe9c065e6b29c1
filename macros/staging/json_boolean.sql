{#- A JSON boolean at a path; anything else is null. -#}
{%- macro json_boolean(document, path) -%}
    case
        {{ document }} #> {{ tidegate.json_path(path) }}
        when 'true'::jsonb
        then true
        when 'false'::jsonb
        then false
    end
{%- endmacro -%}

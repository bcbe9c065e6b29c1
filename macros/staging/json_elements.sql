{#- The elements of an array at a path; none where there is no array, so that odd input stops nothing. -#}
{%- macro json_elements(document, path) -%}
    {%- set array = document ~ " #> " ~ tidegate.json_path(path) -%}
    jsonb_array_elements(
        case when jsonb_typeof({{ array }}) = 'array' then {{ array }} else '[]'::jsonb end
    )
{%- endmacro -%}

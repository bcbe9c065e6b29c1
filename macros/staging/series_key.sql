{#- The key of a series of observations: disease, place, and what makes observations comparable. -#}
{%- macro series_key(observation) -%}
    concat_ws(
        ':',
        'series',
        {{ observation }}.segment_key,
        {{ observation }}.geography_code,
        {{ observation }}.metric,
        {{ observation }}.statistic,
        left({{ observation }}.comparability_signature, 8)
    )
{%- endmacro -%}

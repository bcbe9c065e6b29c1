{#- The key of one count: its grain, then the dimensions of its slice. -#}
{%- macro landscape_key(counted) -%}
    concat_ws(
        ':',
        'landscape',
        {{ counted }}.count_grain,
        coalesce({{ counted }}.slice_dimensions ->> 'segment', 'all'),
        'phase=' || ({{ counted }}.slice_dimensions ->> 'current_phase'),
        'regulatory=' || ({{ counted }}.slice_dimensions ->> 'regulatory_state')
    )
{%- endmacro -%}

{#- Whether an overlay is in force and changes a fact of a published row, or withholds the row. -#}
{%- macro changes_a_row(overlays) -%}
    (
        {{ overlays }}.is_active
        and {{ overlays }}.subject_kind = 'published_row'
        and {{ overlays }}.overlay_kind in ('override', 'suppression')
    )
{%- endmacro -%}

{#- Whether an overlay is in force and corrects or suppresses a link of this kind (none: any link). -#}
{%- macro changes_a_link(overlays, kind=none) -%}
    (
        {{ overlays }}.is_active
        and {{ overlays }}.overlay_kind in ('link_correction', 'suppression')
        {%- if kind %} and {{ overlays }}.subject_kind = {{ tidegate.literal(kind) }}
        {%- else %} and {{ overlays }}.subject_kind not in ('assertion', 'published_row')
        {%- endif -%}
    )
{%- endmacro -%}

-- The lines of therapy that other models refer to.
with
    lines as (select * from {{ ref("stg_spines__treatment_lines") }}),

    final as (
        select
            lines.treatment_line_key,
            lines.label,
            lines.line_min,
            lines.line_max,
            {{ tidegate.publication_tail("lines.treatment_line_key") }}
        from lines
    )

select *
from final

{#- Facts with what their grain, their period kind and their text say. -#}
{%- macro commercial_facts(gate) -%}
    {%- set period = ["product_key", "organisation_key", "measure", "period_start", "period_end"] -%}
    {%- set grain = period + [
        "line_item_label", "period_kind", "geography_code", "reported_currency",
    ] -%}
    {%- set comparable = grain | reject("in", ["period_start", "period_end"]) -%}
    select
        judged.*,
        count(*) filter (where judged.is_active) over same_kind as same_grain,
        count(*) filter (
            where judged.is_active and judged.evidence_kind = 'reported_actual'
        ) over grain as filed,
        count(*) filter (
            where judged.is_active and judged.geography_scheme <> 'worldwide'
        ) over period as split,
        count(*) filter (where judged.is_active) over a_year_before as year_before,
        spans.shortest,
        spans.longest,
        regexp_replace(
            substring(judged.reported_text from '[0-9][0-9,''’ \u00A0\u2009\u202F]*(?:[.][0-9]+)?'),
            '[^0-9.]',
            '',
            'g'
        ) as printed
    from judged
    left join
        (
            values
                {%- for kind, days in gate.options.days.items() %}
                    (
                        {{ tidegate.literal(kind) }}::text, {{ days[0] | int }}, {{ days[1] | int }}
                    ){{ "," if not loop.last }}
                {%- endfor %}
        ) as spans(kind, shortest, longest)
        on spans.kind = judged.period_kind
    window
        grain as (partition by judged.{{ grain | join(", judged.") }}),
        same_kind as (partition by judged.{{ grain | join(", judged.") }}, judged.evidence_kind),
        period as (partition by judged.{{ period | join(", judged.") }}),
        a_year_before as (
            partition by judged.{{ comparable | join(", judged.") }}
            order by
                judged.period_start
                range between interval '380 days' preceding and interval '350 days' preceding
        )
{%- endmacro -%}

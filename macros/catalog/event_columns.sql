{#- The columns of an event claim, as `evidence.event_claims` has them. -#}
{%- macro event_columns(alias) -%}
    {%- for column in [
        "event_claim_id", "claim_id", "subject_key", "event_family", "event_status",
        "source_status_text", "event_date", "event_date_precision", "truth_mode",
        "source_authority_tier",
    ] %}
        {{ alias }}.{{ column }} {{- "," if not loop.last }}
    {%- endfor %}
{%- endmacro -%}

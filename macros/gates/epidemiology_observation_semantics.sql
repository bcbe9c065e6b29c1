{#- Epidemiology: statistic, unit, denominator and adjustment agree; a series has one signature; what is
    selected is an active observation with its value, unit and basis. Relations: `points` of series,
    `summaries`, `readiness` of forecast inputs. Options: `counts`, `rates`: units of each statistic;
    `rounding`: how far a printed rate may be from its counts. -#}
{%- macro epidemiology_observation_semantics(gate) -%}
    {{ tidegate.gate_rows(gate, {
        "observation_key": "text", "segment_key": "text", "metric": "text", "statistic": "text", "unit": "text", "value": "numeric",
        "value_state": "text", "numerator": "numeric", "denominator_value": "numeric",
        "denominator_kind": "text", "adjustment_basis": "text", "standard_population": "text",
        "period_kind": "text", "period_start": "date", "period_end": "date", "geography_code": "text", "sex": "text",
        "observed_basis": "text", "interval_lower": "numeric", "interval_upper": "numeric",
        "is_active": "boolean", "supersedes_observation_key": "text", "restatement_no": "integer",
    }) }}
    {{ tidegate.epidemiology_relations(gate) }},
    observations as ({{ tidegate.epidemiology_grains() }})
    {{ tidegate.gate_not_evaluated(gate) }}
    {%- set metadata = tidegate.gate_metadata(gate, [
            "metric", "statistic", "unit", "value", "numerator", "denominator_value", "adjustment_basis",
            "standard_population", "period_kind", "observed_basis", "supersedes_observation_key",
        ]) -%}
    {{ tidegate.gate_findings(tidegate.epidemiology_observation_findings(gate), metadata, "observations") }}
    {{ tidegate.gate_findings(tidegate.epidemiology_period_findings(), metadata, "observations") }}
    {{ tidegate.epidemiology_series_violations(gate) }}
    {{ tidegate.epidemiology_summary_violations(gate) }}
    {{ tidegate.epidemiology_readiness_violations(gate) }}
{%- endmacro -%}

{#- What stands beside the observations. -#}
{%- macro epidemiology_relations(gate) -%}
    {{ tidegate.gate_relation(gate, "points", {"series_key": "text", "observation_key": "text"}) }}
    {{ tidegate.gate_relation(gate, "summaries", {
        "summary_key": "text", "selected_observation_key": "text", "selected_value": "numeric",
        "selected_unit": "text", "selected_basis": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "readiness", {
        "readiness_key": "text", "readiness_state": "text", "source_q_model_name": "text", "source_q_row_key": "text",
    }) }}
{%- endmacro -%}

{%- macro epidemiology_observation_semantics_arguments() -%}
    {{- {"relations": {"points": "q_epidemiology_series_points", "summaries": "q_epidemiology_summaries", "readiness": "q_forecast_input_readiness"}, "columns": {}, "options": {"counts": ["cases", "deaths", "persons"], "rates": ["per_100k_population", "per_100k_person_years"], "rounding": 0.06}} | tojson -}}
{%- endmacro -%}

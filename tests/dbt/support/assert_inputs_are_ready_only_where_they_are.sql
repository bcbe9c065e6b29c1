-- What is ready or stale has the row that it stands on; what is missing has none.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "support"}}) }}
with readiness as (select * from {{ ref("q_forecast_input_readiness") }})

select
    readiness.readiness_key as row_key,
    found.level,
    found.reason,
    jsonb_build_object('readiness_state', readiness.readiness_state) as metadata
from readiness
cross join
    lateral(
        values
            (
                readiness.readiness_state = 'missing_input'
                and num_nonnulls(
                    readiness.source_q_model_name,
                    readiness.source_q_row_key,
                    readiness.input_period_end
                )
                > 0,
                'block',
                'missing_input_filled'
            ),
            (
                readiness.readiness_state <> 'missing_input'
                and num_nulls(
                    readiness.source_q_model_name,
                    readiness.source_q_row_key,
                    readiness.input_period_end
                )
                > 0,
                'block',
                'ready_without_input'
            )
    ) as found(applies, level, reason)
where found.applies

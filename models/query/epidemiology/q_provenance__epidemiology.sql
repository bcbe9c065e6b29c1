-- One complete receipt for every row of the family, and one for each published value. What is
-- selected or grouped has those of the observations that it was made of, overlays behind them
-- included, and the link of its segment.
{#- Receipts stand on claims that passed their gates. #}
{%- set counted = tidegate.claim_id("epidemiology_value", "staged.observation_key", "value") %}
{%- set observations = ref("epidemiology_observations") %}
{%- set points = ref("q_epidemiology_series_points") %}
{%- set summaries = ref("q_epidemiology_summaries") %}
with
    observed as (
        {{
            tidegate.receipt_rows(
                [
                    {
                        "model": "q_epidemiology_observations",
                        "staged": observations,
                        "key": ["observation_key"],
                        "claim": counted,
                    },
                    {
                        "model": "q_epidemiology_observations",
                        "staged": observations,
                        "key": ["observation_key"],
                        "fact": "value",
                        "claim": counted,
                        "where": "staged.value is not null",
                    },
                ],
                "official_statistics",
                claims=ref("claims__epidemiology"),
            )
        }}
    ),

    receipts as (
        select *
        from observed
        union all
        {{
            tidegate.linked_receipts(
                "observed",
                [
                    {
                        "model": "q_epidemiology_observations",
                        "fact": "segment_key",
                        "rows": observations,
                        "key": ["observation_key"],
                        "kind": "epidemiology_segment",
                        "subject": tidegate.alias_key(
                            "epidemiology_segment", "epidemiology", "linked.condition_text"
                        ),
                    },
                ],
                links=ref("links__epidemiology"),
            )
        }}
    ),

    made as (
        select
            'q_epidemiology_series' as model_name,
            points.series_key as row_key,
            min(points.observation_key) as observation_key,
            array['segment_key'] as kept_columns
        from {{ points }} as points
        group by points.series_key
        union all
        select
            'q_epidemiology_series_points',
            points.series_key || '|' || points.observation_key,
            points.observation_key,
            array[]::text[]
        from {{ points }} as points
        union all
        select
            'q_epidemiology_summaries',
            summaries.summary_key,
            summaries.selected_observation_key,
            array['segment_key']
        from {{ summaries }} as summaries
    ),

    derived as (
        select
            {{ tidegate.receipt_of_made(
                "made",
                "receipts",
                "'$row' || " ~ tidegate.along_key("receipts"),
                {"fact_path": tidegate.fact_along("made", "receipts"), "role": "'primary'::text"},
            ) }}
        from made
        inner join
            receipts
            on receipts.row_key = made.observation_key
            and {{ tidegate.goes_along("made", "receipts") }}
    )

select *
from receipts
union all
select *
from derived

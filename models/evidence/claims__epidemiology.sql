-- What official statistics count, with the line of the table they stand in.
{%- set counted = {
    "type": "epidemiology_value",
    "family": "'official_statistics'",
    "tier": "'official_statistics'",
    "fact": "value",
    "number": "staged.value",
    "unit": "staged.unit",
    "shape": "csv_cell",
    "version": "'sha256:' || staged.content_sha256",
    "semantics": "'weak'",
    "high_impact": false,
} %}
with
    observations as (select * from {{ ref("epidemiology_observations") }}),

    claims as (
        {{
            tidegate.claim_rows(
                [
                    dict(
                        counted,
                        relation="observations",
                        parser="epidemiology/1",
                        key="staged.observation_key",
                        locator="jsonb_build_object('row', staged.record_number, 'column', staged.statistic)",
                        native="case staged.method_family when 'registry' then 'state_cancer_profiles' else 'wonder_mortality' end",
                        where="staged.value is not null"
                    )
                ]
            )
        }}
    )

select *
from claims

-- What the registry posts of trials: values, analyses, and the status of each snapshot.
{%- set registry = {
    "family": "'ctgov_v2'",
    "tier": "'registry_primary'",
    "parser": "ctgov/1",
    "shape": "json_pointer",
    "semantics": "'strong'",
} %}
with
    studies as (
        select
            trial_key,
            nct_id,
            snapshot_id,
            record_number,
            received_at,
            source_artifact_key,
            content_sha256,
            immutable_uri
        from {{ ref("stg_ctgov__studies") }}
    ),

    posted as (
        select
            outcomes.trial_outcome_key,
            outcomes.value_text,
            outcomes.value_num,
            outcomes.unit_of_measure,
            outcomes.pointer,
            studies.*
        from {{ ref("stg_ctgov__outcomes") }} as outcomes
        inner join studies on studies.trial_key = outcomes.trial_key
    ),

    analysed as (
        select
            analyses.trial_outcome_analysis_key,
            analyses.param_value,
            analyses.param_type_text,
            analyses.pointer,
            studies.*
        from {{ ref("stg_ctgov__outcome_analyses") }} as analyses
        inner join studies on studies.trial_key = analyses.trial_key
    ),

    statuses as (select * from {{ ref("stg_ctgov__status_history") }}),

    claims as (
        {{
            tidegate.claim_rows(
                [
                    dict(
                        registry,
                        relation="posted",
                        type="registry_outcome_value",
                        key="staged.trial_outcome_key",
                        fact="value_num",
                        number="staged.value_num",
                        text="staged.value_text",
                        unit="staged.unit_of_measure",
                        locator="jsonb_build_object('record', staged.record_number, 'pointer', staged.pointer || '/value')",
                        native="staged.nct_id",
                        version="staged.snapshot_id",
                        observed="(staged.snapshot_id::date)::timestamp at time zone 'UTC'",
                        high_impact=true
                    ),
                    dict(
                        registry,
                        relation="analysed",
                        type="registry_analysis_value",
                        key="staged.trial_outcome_analysis_key",
                        fact="param_value",
                        number="staged.param_value",
                        unit="staged.param_type_text",
                        locator="jsonb_build_object('record', staged.record_number, 'pointer', staged.pointer || '/paramValue')",
                        native="staged.nct_id",
                        version="staged.snapshot_id",
                        observed="(staged.snapshot_id::date)::timestamp at time zone 'UTC'",
                        where="staged.param_value is not null"
                    ),
                    dict(
                        registry,
                        relation="statuses",
                        type="trial_status",
                        key="staged.trial_key || '@' || staged.valid_from",
                        fact="overall_status",
                        text="staged.overall_status",
                        locator="jsonb_build_object('record', staged.record_number, 'pointer', staged.pointer)",
                        native="substr(staged.trial_key, length('trial:') + 1)",
                        version="staged.first_snapshot_id",
                        observed="staged.valid_from::timestamp at time zone 'UTC'",
                        where="staged.overall_status is not null"
                    ),
                ]
            )
        }}
    )

select *
from claims

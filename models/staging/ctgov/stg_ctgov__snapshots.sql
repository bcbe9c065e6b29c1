-- One record of ClinicalTrials.gov per trial and snapshot: of records delivered twice, the last.
-- Ephemeral, for it would be a second copy of everything that was ever landed.
{{ config(materialized="ephemeral") }}
with
    landed as (select * from {{ source("ctgov", "ctgov_studies") }} as landed),

    ranked as (
        select
            landed.*,
            row_number() over (
                partition by landed.nct_id, landed.snapshot_id
                order by landed._delivery_id desc, landed._record_number desc
            ) as recency
        from landed
    ),

    final as (
        select
            'trial:' || ranked.nct_id as trial_key,
            ranked.nct_id,
            ranked.snapshot_id as snapshot_date,
            to_char(ranked.snapshot_id, 'YYYY-MM-DD') as snapshot_id,
            ranked.payload,
            'artifact:ctgov:'
            || ranked.nct_id
            || ':'
            || to_char(ranked.snapshot_id, 'YYYY-MM-DD') as source_artifact_key,
            ranked._artifact_sha256::text as content_sha256,
            'artifact:sha256/' || ranked._artifact_sha256 as immutable_uri,
            ranked._record_number as record_number,
            ranked._received_at as received_at
        from ranked
        where ranked.recency = 1
    )

select *
from final

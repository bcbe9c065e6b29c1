-- Which trials identifiers say a publication reports on: the index names them, or a trial's record
-- cites it; the index comes first.
with
    publications as (select * from {{ ref("stg_pubmed__publications") }}),

    databanks as (select * from {{ ref("stg_pubmed__databanks") }}),

    cited as (select * from {{ ref("stg_ctgov__references") }}),

    trials as (select * from {{ ref("stg_ctgov__studies") }}),

    candidates as (
        select
            databanks.publication_key,
            databanks.record_id,
            databanks.registry_number,
            'pubmed_databank' as link_basis,
            1 as precedence,
            databanks.pointer,
            databanks.source_version_id,
            databanks.source_artifact_key,
            databanks.content_sha256,
            databanks.immutable_uri,
            databanks.record_number,
            databanks.received_at,
            'peer_reviewed' as source_authority_tier
        from databanks
        union all
        select
            publications.publication_key,
            publications.record_id,
            trials.nct_id,
            'registry_pmid',
            2,
            cited.pointer,
            trials.snapshot_id,
            trials.source_artifact_key,
            trials.content_sha256,
            trials.immutable_uri,
            trials.record_number,
            trials.received_at,
            'registry_primary'
        from cited
        inner join trials on trials.trial_key = cited.trial_key
        inner join publications on publications.pmid = cited.pmid
    ),

    chosen as (
        select distinct on (candidates.publication_key, candidates.registry_number) candidates.*
        from candidates
        order by candidates.publication_key, candidates.registry_number, candidates.precedence
    ),

    final as (
        select
            'pub_trial:'
            || chosen.record_id
            || ':'
            || chosen.registry_number as publication_trial_link_key,
            chosen.*,
            trials.trial_key
        from chosen
        left join trials on trials.nct_id = chosen.registry_number
    )

select *
from final

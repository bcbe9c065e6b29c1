-- Which trials a publication reports on, and how far that goes: by identifiers, unless a curator
-- says otherwise; by title where no identifier says anything, which is provisional until it is
-- verified.
with
    identified as (select * from {{ ref("int_publication_trial_identifiers") }}),

    publications as (select * from {{ ref("stg_pubmed__publications") }}),

    trials as (select * from {{ ref("stg_ctgov__studies") }}),

    links as (
        select * from {{ ref("links__publications") }} where subject_kind = 'publication_trial_link'
    ),

    linked as (
        select
            identified.publication_trial_link_key,
            identified.publication_trial_link_key as link_subject_key,
            identified.publication_key,
            identified.record_id,
            identified.registry_number,
            case
                when links.basis = 'reviewed_curation' then 'curated' else identified.link_basis
            end as link_basis,
            case
                when links.link_state = 'rejected' then 'rejected' else 'accepted'
            end as link_state,
            case when links.publishable then links.target_key end as trial_key,
            identified.pointer,
            identified.source_version_id,
            identified.source_artifact_key,
            identified.content_sha256,
            identified.immutable_uri,
            identified.record_number,
            identified.received_at,
            identified.source_authority_tier
        from identified
        left join links on links.subject_key = identified.publication_trial_link_key
        union all
        select
            'pub_trial:' || publications.record_id || ':' || trials.nct_id,
            links.subject_key,
            publications.publication_key,
            publications.record_id,
            trials.nct_id,
            case
                links.basis
                when 'reviewed_curation'
                then 'curated'
                when 'verified'
                then 'title_verified'
                else 'title_inference'
            end,
            links.link_state,
            case when links.link_state <> 'rejected' then links.target_key end,
            publications.pointer || '/title',
            publications.source_version_id,
            publications.source_artifact_key,
            publications.content_sha256,
            publications.immutable_uri,
            publications.record_number,
            publications.received_at,
            'peer_reviewed'
        from publications
        inner join links on links.subject_key = 'pub_trial:' || publications.record_id || ':title'
        inner join trials on trials.trial_key = links.target_key
    ),

    final as (
        select
            linked.*,
            linked.trial_key is not null and linked.link_state = 'accepted' as comparison_eligible
        from linked
    )

select *
from final

-- Claims that milestones and values of programs may rest on: of the slices that tell of them,
-- without
-- those that a gate rejected.
with
    rejected as (select distinct row_key from {{ ref("quarantine__development") }}),

    gathered as (
        {%- for slice in ["clinical_trials", "approvals", "development", "publications", "news"] %}
            select claims.claim_id, claims.claim_type, claims.attempt_id, claims.canonical_bound
            from {{ ref("claims__" ~ slice) }} as claims
            {% if not loop.last %}
                union all
            {% endif %}
        {%- endfor %}
    )

select gathered.claim_id, gathered.attempt_id, gathered.canonical_bound
from gathered
where
    gathered.canonical_bound
    and gathered.claim_type in (
        'trial_status',
        'regulatory_event',
        'development_milestone',
        'registry_outcome_value',
        'publication_outcome_value'
    )
    and not exists (select from rejected where rejected.row_key = gathered.claim_id)

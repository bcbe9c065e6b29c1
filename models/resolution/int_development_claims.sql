-- Claims that milestones may rest on: of the three slices that tell of them, without those that a
-- gate rejected.
with
    rejected as (select distinct row_key from {{ ref("quarantine__development") }}),

    gathered as (
        {%- for slice in ["clinical_trials", "approvals", "development"] %}
            select claims.claim_id, claims.claim_type, claims.canonical_bound
            from {{ ref("claims__" ~ slice) }} as claims
            {% if not loop.last %}
                union all
            {% endif %}
        {%- endfor %}
    )

select gathered.claim_id
from gathered
where
    gathered.canonical_bound
    and gathered.claim_type in ('trial_status', 'regulatory_event', 'development_milestone')
    and not exists (select from rejected where rejected.row_key = gathered.claim_id)

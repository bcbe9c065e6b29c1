-- Claims that receipts of publications may name: what articles say, what models read of them, and
-- what the registry posts of the same trials.
with
    gathered as (
        {%- for slice in ["publications", "inference", "clinical_trials"] %}
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
    and gathered.claim_type not in ('registry_analysis_value', 'trial_status')

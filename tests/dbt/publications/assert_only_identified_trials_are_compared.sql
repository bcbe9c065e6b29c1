-- A link by title alone may stand as provisional and never makes values comparable; neither does a
-- link to a trial that is not known or not accepted. Two arms that are compared are two.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "publications"}}) }}
with
    links as (select * from {{ ref("q_publication_trial_links") }}),

    comparisons as (select * from {{ ref("q_publication_comparisons") }})

select
    'q_publication_trial_links|' || links.publication_trial_link_key as row_key,
    'block' as level,
    case
        when links.link_basis = 'title_inference'
        then 'compared_by_title'
        when links.trial_key is null
        then 'compared_with_unknown_trial'
        else 'compared_without_acceptance'
    end as reason,
    jsonb_build_object('link_basis', links.link_basis) as metadata
from links
where
    links.comparison_eligible
    and (
        links.link_basis = 'title_inference'
        or links.trial_key is null
        or links.link_state <> 'accepted'
    )
union all
select
    'q_publication_comparisons|' || comparisons.publication_comparison_key,
    'block',
    'compared_with_itself',
    '{}'::jsonb
from comparisons
where comparisons.experimental_arm_key = comparisons.control_arm_key

-- T05: what a trial studies; a segment is linked by MeSH identifier or exact name.
with
    conditions as (select * from {{ ref("stg_ctgov__conditions") }}),

    links as (
        select *
        from {{ ref("links__clinical_trials") }}
        where subject_kind = 'trial_condition_segment' and publishable
    ),

    final as (
        select
            conditions.trial_condition_key,
            conditions.trial_key,
            conditions.condition_name,
            conditions.term_source,
            links.target_key as resolved_segment_key,
            {{ tidegate.link_word("links") }} as link_state,
            {{ tidegate.publication_tail("conditions.trial_condition_key") }}
        from conditions
        left join links on links.subject_key = conditions.trial_condition_key
    )

select *
from final

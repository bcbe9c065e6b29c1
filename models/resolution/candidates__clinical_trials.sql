-- What the subjects of trials may be: arms by an equal or a similar label; drugs, organisations
-- and segments by exact names, segments by MeSH descriptor first; countries by name or code;
-- endpoints by the title of a measure. A country and a title mean the same wherever they stand, so
-- each is one subject.
{%- set in_study = (
    "inner join " ~ ref("stg_ctgov__studies") ~ " as studies on studies.trial_key = subject.trial_key"
) %}
with
    places as (
        select locations.country_name, studies.received_at
        from {{ ref("stg_ctgov__locations") }} as locations
        inner join
            {{ ref("stg_ctgov__studies") }} as studies on studies.trial_key = locations.trial_key
    ),

    measures as (
        select named.title, studies.received_at
        from
            (
                select planned.trial_key, planned.measure as title
                from {{ ref("stg_ctgov__planned_outcomes") }} as planned
                union
                select posted.trial_key, posted.outcome_title
                from {{ ref("stg_ctgov__outcomes") }} as posted
            ) as named
        inner join {{ ref("stg_ctgov__studies") }} as studies on studies.trial_key = named.trial_key
    ),

    subjects as (
        {{
            tidegate.link_subjects(
                [
                    {
                        "kind": "trial_arm_link",
                        "from": ref("stg_ctgov__result_groups"),
                        "key": "subject.result_group_key",
                        "term": "subject.title",
                        "target": "q_trial_arms",
                        "join": in_study,
                        "received_at": "studies.received_at",
                        "where": "subject.title <> 'Total'",
                    },
                    {
                        "kind": "trial_intervention_drug",
                        "from": ref("stg_ctgov__interventions"),
                        "key": "subject.trial_intervention_key",
                        "term": "subject.source_name",
                        "target": "q_drugs",
                        "spine": "drug",
                        "join": in_study,
                        "received_at": "studies.received_at",
                        "where": "not subject.is_not_a_drug",
                    },
                    {
                        "kind": "trial_sponsor_org",
                        "from": ref("stg_ctgov__sponsors"),
                        "key": "subject.trial_sponsor_key",
                        "term": "subject.source_name",
                        "target": "q_organisations",
                        "spine": "organisation",
                        "join": in_study,
                        "received_at": "studies.received_at",
                    },
                    {
                        "kind": "trial_condition_segment",
                        "from": ref("stg_ctgov__conditions"),
                        "key": "subject.trial_condition_key",
                        "term": "subject.condition_name",
                        "target": "q_disease_segments",
                        "spine": "segment",
                        "join": in_study,
                        "received_at": "studies.received_at",
                    },
                    {
                        "kind": "trial_country",
                        "from": tidegate.aliases("places", "country_name"),
                        "key": tidegate.alias_key("trial_country", "clinical_trials", "subject.alias"),
                        "term": "subject.alias",
                        "target": "q_countries",
                        "spine": "country",
                    },
                    {
                        "kind": "trial_endpoint",
                        "from": tidegate.aliases("measures", "title"),
                        "key": tidegate.alias_key("trial_endpoint", "clinical_trials", "subject.alias"),
                        "term": "subject.alias",
                        "target": "q_endpoints",
                        "spine": "endpoint",
                        "phrase": true,
                    },
                ]
            )
        }}
    ),

    groups as (select * from {{ ref("stg_ctgov__result_groups") }}),

    arms as (select * from {{ ref("stg_ctgov__arms") }}),

    labelled as (
        select 'trial_arm_link' as subject_kind, groups.result_group_key, arms.arm_key
        from groups
        inner join arms on arms.trial_key = groups.trial_key and arms.arm_label = groups.title
        where groups.title <> 'Total'
    ),

    -- Only where no label is equal: "Nivolumab" may be "Arm A: Nivolumab", and nobody says so.
    alike as (
        select
            groups.result_group_key,
            arms.arm_key,
            0.95 * {{ tidegate.word_likeness("words.title", "words.arm_label") }} as match_score
        from groups
        inner join arms on arms.trial_key = groups.trial_key
        cross join
            lateral(
                select
                    {{ tidegate.telling_words("groups.title") }} as title,
                    {{ tidegate.telling_words("arms.arm_label") }} as arm_label
            ) as words
        where
            groups.title <> 'Total'
            and not exists (
                select from labelled where labelled.result_group_key = groups.result_group_key
            )
    ),

    described as (
        select conditions.trial_condition_key, segments.segment_key
        from {{ ref("stg_ctgov__conditions") }} as conditions
        inner join
            {{ ref("stg_spines__disease_segments") }} as segments
            on segments.mesh_ui = conditions.mesh_ui
    ),

    named as ({{ tidegate.named_candidates(ref("stg_spines__names")) }}),

    matched as (
        select
            labelled.subject_kind,
            labelled.result_group_key as subject_key,
            labelled.arm_key as target_key,
            'exact_normalized_label' as match_method,
            1.0 as match_score
        from labelled
        union all
        select
            'trial_arm_link',
            alike.result_group_key,
            alike.arm_key,
            'fuzzy_string',
            alike.match_score
        from alike
        where alike.match_score >= 0.5
        union all
        select
            'trial_condition_segment',
            described.trial_condition_key,
            described.segment_key,
            'cross_reference',
            1.0
        from described
        union all
        select named.*
        from named
        -- A descriptor says more than a name.
        where
            not exists (
                select
                from described
                where
                    named.subject_kind = 'trial_condition_segment'
                    and described.trial_condition_key = named.subject_key
            )
    ),

    {{ tidegate.candidate_rows() }}

select *
from final

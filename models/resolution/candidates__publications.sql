-- What the subjects of publications may be: trials by identifiers, or by a title where no
-- identifier says anything; endpoints, drugs and segments by exact names, segments also by a name
-- that the words of a population hold.
with
    publications as (select * from {{ ref("stg_pubmed__publications") }}),

    trials as (select * from {{ ref("stg_ctgov__trials") }}),

    identified as (select * from {{ ref("int_publication_trial_identifiers") }}),

    subjects as (
        {{
            tidegate.link_subjects(
                [
                    {
                        "kind": "publication_trial_link",
                        "from": ref("int_publication_trial_identifiers"),
                        "key": "subject.publication_trial_link_key",
                        "term": "subject.registry_number",
                        "target": "q_trials",
                    },
                    {
                        "kind": "publication_trial_link",
                        "from": ref("stg_pubmed__publications"),
                        "key": "'pub_trial:' || subject.record_id || ':title'",
                        "term": "subject.title",
                        "target": "q_trials",
                    },
                    {
                        "kind": "publication_endpoint",
                        "from": ref("stg_pubmed__outcomes"),
                        "key": "subject.publication_outcome_key",
                        "term": "subject.raw_endpoint_phrase",
                        "target": "q_endpoints",
                        "spine": "endpoint",
                    },
                    {
                        "kind": "publication_endpoint",
                        "from": ref("stg_pubmed__comparisons"),
                        "key": "subject.publication_comparison_key",
                        "term": "subject.raw_endpoint_phrase",
                        "target": "q_endpoints",
                        "spine": "endpoint",
                    },
                    {
                        "kind": "publication_endpoint",
                        "from": ref("stg_pubmed__expected_results"),
                        "key": "subject.publication_expected_result_key",
                        "term": "subject.raw_endpoint_phrase",
                        "target": "q_endpoints",
                        "spine": "endpoint",
                    },
                    {
                        "kind": "publication_segment",
                        "from": ref("stg_pubmed__populations"),
                        "key": "subject.publication_population_key",
                        "term": "subject.condition_text",
                        "target": "q_disease_segments",
                        "spine": "segment",
                        "phrase": true,
                    },
                    {
                        "kind": "publication_intervention",
                        "from": ref("stg_pubmed__interventions"),
                        "key": "subject.publication_intervention_key",
                        "term": "subject.source_term",
                        "target": "q_drugs",
                        "spine": "drug",
                        "where": "subject.identity_type in ('drug', 'biologic')",
                    },
                ]
            )
        }}
    ),

    untold as (
        select
            'pub_trial:' || publications.record_id || ':title' as subject_key,
            {{ tidegate.normalized_name("publications.title") }} as title
        from publications
        where
            not exists (
                select
                from identified
                where identified.publication_key = publications.publication_key
            )
    ),

    -- An equal title, or the acronym of a trial as a word of the title.
    titled as (
        select untold.subject_key, trials.trial_key, 0.95 as match_score
        from untold
        inner join
            trials
            on untold.title in (
                {{ tidegate.normalized_name("trials.brief_title") }},
                {{ tidegate.normalized_name("trials.official_title") }}
            )
        union all
        select words.subject_key, trials.trial_key, 0.80
        from
            (
                select untold.subject_key, regexp_split_to_table(untold.title, ' ') as word
                from untold
            ) as words
        inner join
            trials
            on words.word = {{ tidegate.normalized_name("trials.acronym") }}
            and length(words.word) >= 4
    ),

    named as ({{ tidegate.named_candidates(ref("stg_spines__names")) }}),

    matched as (
        select
            'publication_trial_link' as subject_kind,
            identified.publication_trial_link_key as subject_key,
            identified.trial_key as target_key,
            case
                identified.link_basis
                when 'pubmed_databank'
                then 'exact_identifier'
                else 'cross_reference'
            end as match_method,
            1.0 as match_score
        from identified
        union all
        select
            'publication_trial_link',
            titled.subject_key,
            titled.trial_key,
            'title_inference',
            max(titled.match_score)
        from titled
        group by titled.subject_key, titled.trial_key
        union all
        select named.*
        from named
    ),

    {{ tidegate.candidate_rows() }}

select *
from final

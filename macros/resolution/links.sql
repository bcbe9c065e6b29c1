{#- The basis that a method gives where the candidate is the only one; a similar text gives none. -#}
{%- macro exact_basis(candidates) -%}
    case
        {{ candidates }}.match_method
        when 'exact_identifier'
        then 'exact_identifier'
        when 'cross_reference'
        then 'cross_reference'
        when 'exact_normalized_label'
        then 'exact_normalized_label'
        when 'curated_table'
        then 'exact_normalized_label'
    end
{%- endmacro -%}

{#- What verified the candidates of a slice: the rule that an exact match has one target, curators,
    and answers of verifying models that were accepted (`target_key` of their use is the candidate). -#}
{%- macro verification_rows(candidates) -%}
    with
        candidates as (select * from {{ candidates }}),

        overlays as (select * from {{ ref("int_curation_overlays") }}),

        answers as (select * from {{ ref("int_accepted_verifications") }}),

        exact as (
            select candidates.subject_kind, candidates.subject_key
            from candidates
            where
                candidates.overlay_key is null
                and candidates.target_key is not null
                and {{ tidegate.exact_basis("candidates") }} is not null
            group by candidates.subject_kind, candidates.subject_key
            having count(distinct candidates.target_key) = 1
        ),

        verdicts as (
            select
                candidates.candidate_id,
                'deterministic_rule' as verifier_kind,
                case when exact.subject_key is null then 'fail' else 'pass' end as verdict,
                case when exact.subject_key is null then 0.0 else 1.0 end as confidence,
                'one_exact_target/1' as rule_or_policy_version,
                null::text as attempt_id,
                candidates.created_at as verified_at
            from candidates
            left join
                exact
                on exact.subject_kind = candidates.subject_kind
                and exact.subject_key = candidates.subject_key
            where
                candidates.overlay_key is null
                and candidates.target_key is not null
                and {{ tidegate.exact_basis("candidates") }} is not null
            union all
            select
                candidates.candidate_id,
                'human',
                'pass',
                1.0,
                'curation:' || overlays.overlay_key,
                null,
                overlays.effective_since
            from candidates
            inner join overlays on overlays.overlay_key = candidates.overlay_key
            union all
            select
                candidates.candidate_id,
                'llm_verifier',
                answers.verdict,
                answers.confidence,
                answers.rule_or_policy_version,
                answers.attempt_id,
                answers.verified_at
            from candidates
            inner join answers on answers.candidate_id = candidates.candidate_id
        )

    select
        'verification:' || concat_ws(
            '|', verdicts.candidate_id, verdicts.verifier_kind, verdicts.attempt_id
        ) as verification_id,
        verdicts.candidate_id,
        verdicts.verifier_kind,
        verdicts.verdict,
        verdicts.confidence::numeric(5, 4) as confidence,
        verdicts.rule_or_policy_version,
        verdicts.attempt_id,
        verdicts.verified_at
    from verdicts
{%- endmacro -%}

{#- Common tables that end in `based`: what each candidate of a term that means one thing rests on, and
    what was last said of it. -#}
{%- macro candidates_on_their_basis(candidates, verifications, conflicts) -%}
    -- What is ambiguous and not told has no link at all.
    undecided as (
        select conflicts.subject_kind, conflicts.subject_key
        from {{ conflicts }} as conflicts
        where conflicts.state <> 'resolved'
    ),

    candidates as (
        select candidates.*
        from {{ candidates }} as candidates
        where
            candidates.target_key is not null
            and not exists (
                select
                from undecided
                where
                    undecided.subject_kind = candidates.subject_kind
                    and undecided.subject_key = candidates.subject_key
            )
    ),

    -- The rule speaks for exact matches, verifiers for the rest; of several the newest counts.
    verdicts as (
        select distinct
            on (verifications.candidate_id, verifications.verifier_kind = 'deterministic_rule')
            verifications.*,
            verifications.verifier_kind = 'deterministic_rule' as is_rule
        from {{ verifications }} as verifications
        order by
            verifications.candidate_id,
            verifications.verifier_kind = 'deterministic_rule',
            verifications.verified_at desc,
            verifications.verdict = 'pass'
    ),

    based as (
        select
            candidates.*,
            case
                when ruled.verdict = 'pass' then ruled.verdict else verified.verdict
            end as verdict,
            case
                when ruled.verdict = 'pass' then ruled.confidence else verified.confidence
            end as confidence,
            case
                when ruled.verdict = 'pass' then ruled.verified_at else verified.verified_at
            end as verified_at,
            case
                when candidates.overlay_key is not null
                then 'reviewed_curation'
                when ruled.verdict = 'pass'
                then {{ tidegate.exact_basis("candidates") }}
                when verified.verdict = 'pass'
                then 'verified'
                when
                    candidates.match_method = 'title_inference'
                    and verified.verdict is distinct from 'fail'
                then 'title_inference'
            end as basis,
            verified.attempt_id
        from candidates
        left join
            verdicts as ruled on ruled.candidate_id = candidates.candidate_id and ruled.is_rule
        left join
            verdicts as verified
            on verified.candidate_id = candidates.candidate_id
            and not verified.is_rule
    )
{%- endmacro -%}

{#- The link of each subject, if it has one: what a curator set, else the one exact target, else the one
    that a verifier passed, else a title that looks alike, which is provisional. A suppressed link
    stays, rejected, with the candidate it would have been. -#}
{%- macro link_rows(candidates, verifications, conflicts) -%}
    with
        {{ tidegate.candidates_on_their_basis(candidates, verifications, conflicts) }},

        overlays as (select * from {{ ref("int_curation_overlays") }}),

        -- Two targets on one basis are none: that is for the conflict queue.
        chosen as (
            select distinct
                on (based.subject_kind, based.subject_key)
                based.*,
                count(*) over (
                    partition by based.subject_kind, based.subject_key, based.basis
                    order by based.basis
                ) as rivals
            from
                (
                    select distinct on (subject_kind, subject_key, basis, target_key) *
                    from based as ranked
                    where ranked.basis is not null
                    order by subject_kind, subject_key, basis, target_key, match_score desc
                ) as based
            order by
                based.subject_kind,
                based.subject_key,
                array_position(
                    {{
                        tidegate.text_array(
                            [
                                "reviewed_curation",
                                "exact_identifier",
                                "cross_reference",
                                "exact_normalized_label",
                                "verified",
                                "title_inference",
                            ]
                        )
                    }},
                    based.basis
                )
        ),

        suppressed as (
            select
                overlays.subject_kind,
                overlays.subject_key,
                overlays.overlay_key,
                overlays.effective_since
            from overlays
            where overlays.is_active and overlays.overlay_kind = 'suppression'
        ),

        final as (
            select
                'link:' || chosen.subject_kind || ':' || chosen.subject_key as link_key,
                chosen.candidate_id,
                chosen.subject_kind,
                chosen.subject_key,
                chosen.source_term,
                chosen.target_key,
                chosen.basis,
                'resolution/1'::text as basis_policy_version,
                case
                    when suppressed.overlay_key is not null
                    then 'rejected'
                    when chosen.basis = 'title_inference'
                    then 'provisional'
                    else 'accepted'
                end as link_state,
                suppressed.overlay_key is null and chosen.basis <> 'title_inference' as publishable,
                chosen.verdict,
                chosen.confidence,
                coalesce(suppressed.overlay_key, chosen.overlay_key) as overlay_key,
                overlays.review_state as overlay_state,
                case when chosen.basis = 'verified' then chosen.attempt_id end as attempt_id,
                coalesce(
                    suppressed.effective_since, chosen.verified_at, chosen.created_at
                ) as decided_at,
                null::timestamptz as valid_until
            from chosen
            left join
                suppressed
                on suppressed.subject_kind = chosen.subject_kind
                and suppressed.subject_key = chosen.subject_key
            left join
                overlays
                on overlays.overlay_key = coalesce(suppressed.overlay_key, chosen.overlay_key)
            where chosen.rivals = 1
        )

    select *
    from final
{%- endmacro -%}

{#- Terms that mean more than one thing: two targets whose scores differ by no more than 0.05, and no
    verifier passed just one of them. A curator resolves one by a correction, dismisses it by a
    suppression. -#}
{%- macro conflict_rows(candidates, verifications) -%}
    with
        candidates as (
            select * from {{ candidates }} where overlay_key is null and target_key is not null
        ),

        overlays as (select * from {{ ref("int_curation_overlays") }}),

        told as (
            select distinct
                on (verifications.candidate_id)
                verifications.candidate_id,
                verifications.verdict = 'pass' as is_passed
            from {{ verifications }} as verifications
            where verifications.verifier_kind <> 'deterministic_rule'
            order by
                verifications.candidate_id,
                verifications.verified_at desc,
                verifications.verdict = 'pass'
        ),

        ranked as (
            select
                candidates.*,
                coalesce(told.is_passed, false) as is_passed,
                max(candidates.match_score) over (
                    partition by candidates.subject_kind, candidates.subject_key
                ) as best
            from candidates
            left join told on told.candidate_id = candidates.candidate_id
        ),

        ambiguous as (
            select
                ranked.subject_kind,
                ranked.subject_key,
                array_agg(ranked.candidate_id order by ranked.candidate_id) as candidate_ids,
                bool_or(ranked.high_impact) as high_impact,
                max(ranked.match_score) as best,
                max(ranked.created_at) as opened_at
            from ranked
            where ranked.match_score >= ranked.best - 0.05
            group by ranked.subject_kind, ranked.subject_key
            having
                count(distinct ranked.target_key) > 1
                and count(distinct ranked.target_key) filter (where ranked.is_passed) <> 1
        )

    select
        'conflict:' || ambiguous.subject_kind || ':' || ambiguous.subject_key as conflict_id,
        ambiguous.subject_kind,
        ambiguous.subject_key,
        ambiguous.candidate_ids,
        case
            when not ambiguous.high_impact
            then 'low'
            when ambiguous.best < 0.9
            then 'medium'
            else 'high'
        end as severity,
        case
            overlays.overlay_kind
            when 'link_correction'
            then 'resolved'
            when 'suppression'
            then 'dismissed'
            else 'open'
        end as state,
        ambiguous.opened_at,
        overlays.overlay_key
    from ambiguous
    left join
        overlays
        on overlays.is_active
        and overlays.subject_kind = ambiguous.subject_kind
        and overlays.subject_key = ambiguous.subject_key
{%- endmacro -%}

{#- How far a link goes, in the words of the published models; `exact` is what they call an exact one. -#}
{%- macro link_word(links, exact="exact", absent="unresolved", rejected="unresolved") -%}
    case
        when {{ links }}.link_state = 'rejected'
        then {{ tidegate.literal(rejected) }}
        when {{ links }}.publishable is not true
        then {{ tidegate.literal(absent) }}
        when {{ links }}.basis = 'reviewed_curation'
        then 'curated'
        when {{ links }}.basis = 'verified'
        then 'verified'
        else {{ tidegate.literal(exact) }}
    end
{%- endmacro -%}

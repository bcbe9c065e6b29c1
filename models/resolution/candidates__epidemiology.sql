-- What statistics may be about: diseases by a name, or by a name that the words of the source hold.
-- The same words mean the same in every row of every source.
with
    conditions as (
        select staged.condition_text, staged.received_at
        from {{ ref("stg_epidemiology__incidence") }} as staged
        union all
        select staged.condition_text, staged.received_at
        from {{ ref("stg_epidemiology__mortality") }} as staged
    ),

    subjects as (
        {{
            tidegate.link_subjects(
                [
                    {
                        "kind": "epidemiology_segment",
                        "from": tidegate.aliases("conditions", "condition_text"),
                        "key": tidegate.alias_key("epidemiology_segment", "epidemiology", "subject.alias"),
                        "term": "subject.alias",
                        "target": "q_disease_segments",
                        "spine": "segment",
                        "phrase": true,
                    },
                ]
            )
        }}
    ),

    matched as ({{ tidegate.named_candidates(ref("stg_spines__names")) }}),

    {{ tidegate.candidate_rows() }}

select *
from final

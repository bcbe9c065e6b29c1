-- What has been reported for the trials of each context: one source, arm, population and endpoint a
-- row, never merged.
with
    evidence as (select * from {{ ref("int_development_evidence") }}),

    final as (
        select
            evidence.emerging_evidence_key,
            evidence.context_key,
            evidence.source_kind,
            evidence.source_row_model,
            evidence.source_row_key,
            evidence.arm_key,
            evidence.population_key,
            evidence.canonical_endpoint_key,
            evidence.timepoint,
            evidence.value_num,
            evidence.value_state,
            {{ tidegate.publication_tail("evidence.emerging_evidence_key") }}
        from evidence
    )

select *
from final

-- What each program is in each context: where it stands now, on axes that stay apart.
with
    states as (select * from {{ ref("development_program_states") }}),

    final as (
        select
            states.context_key,
            states.program_key,
            states.resolved_drug_key,
            states.regimen_signature,
            states.program_kind,
            states.segment_key,
            states.segment_state,
            states.treatment_line_key,
            states.treatment_line_state,
            states.setting,
            states.region_code,
            states.current_phase,
            states.clinical_activity,
            states.regulatory_state,
            states.owner_organisation_key,
            states.ownership_state,
            states.historical_max_phase,
            states.historical_max_regulatory,
            states.as_of_date,
            {{ tidegate.publication_tail("states.context_key") }}
        from states
    )

select *
from final

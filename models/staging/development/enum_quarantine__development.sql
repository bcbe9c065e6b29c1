-- Values of the lists of development programs outside a closed enum: the cell is null.
{{
    tidegate.unmapped_values(
        [
            (
                "q_development_programs",
                ref("stg_development__programs"),
                ["program_key"],
                ["program_kind"],
            ),
            (
                "q_development_programs",
                ref("stg_development__contexts"),
                ["context_key"],
                ["segment_state", "treatment_line_state", "setting", "region_code"],
            ),
            (
                "q_development_milestones",
                ref("stg_development__milestones"),
                ["milestone_key"],
                ["milestone_type", "truth_mode", "source_authority_tier"],
            ),
        ]
    )
}}

-- Terms of this slice that mean more than one thing.
{{ tidegate.conflict_rows(ref("candidates__clinical_trials"), ref("verifications__clinical_trials")) }}

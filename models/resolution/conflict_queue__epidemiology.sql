-- Terms of this slice that mean more than one thing.
{{ tidegate.conflict_rows(ref("candidates__epidemiology"), ref("verifications__epidemiology")) }}

-- Terms of this slice that mean more than one thing.
{{ tidegate.conflict_rows(ref("candidates__development"), ref("verifications__development")) }}

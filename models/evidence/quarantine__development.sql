-- Claims that a gate rejects, of those that milestones rest on.
{{ tidegate.quarantined_claims(["clinical_trials", "approvals", "development"]) }}

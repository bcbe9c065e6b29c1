-- Claims that a gate rejects, of those that milestones and values of programs rest on.
{{ tidegate.quarantined_claims(["clinical_trials", "approvals", "development", "publications", "news"]) }}

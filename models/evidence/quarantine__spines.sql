-- Claims that a gate rejects, of those that relationships rest on.
{{ tidegate.quarantined_claims(["spines"]) }}

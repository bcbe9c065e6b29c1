"""Detection: advisory comparison of a run with its own history; it never blocks."""

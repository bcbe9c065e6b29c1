"""Rules: the deterministic quality policy, judged in one scan."""

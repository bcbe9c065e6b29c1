"""Benchmarks: each claim with its peer and the physical limit in the same run, as ratios."""

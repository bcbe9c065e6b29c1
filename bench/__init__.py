"""Benchmarks: each claim with its peer and the physical limit in the same run, as ratios.

`python -m bench` runs all of them, `python -m bench --help` says how to run some. A benchmark is a
module of this folder with a function `run(options) -> Report`; nothing here is a test, and no test
depends on a time.
"""

"""Benchmarks: figures, never tests.

`python -m tools.bench` runs them all; tools/bench/results.md records what was seen.
"""

"""Benchmarks: figures, never tests. `python -m bench` runs them all; bench/results.md records what was seen."""

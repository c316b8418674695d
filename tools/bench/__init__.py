"""Benchmarks. They print figures and never fail a build.

`python -m tools.bench` runs them all; tools/bench/results.md records past results.
"""

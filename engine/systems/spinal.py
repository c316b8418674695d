"""Spinal mounts: the nova cannon of the capital ships, which fires along the centreline."""

from __future__ import annotations

from engine.ruleset import SystemSpec

SPINAL_MOUNTS = (
    SystemSpec(
        "nova-cannon",
        "",
        "Spinal mount nova cannon",
        16,
        50,
        "2e.nova-cannon",
        arcs="fore",
        classifications=("capital",),
        offensive=True,
    ),
)

"""Beam batteries: the main guns of the second edition, in classes A, B and C."""

from __future__ import annotations

from engine.ruleset import SystemSpec

BATTERIES = (
    SystemSpec("battery", "A", "Class A battery", 3, 4, "2e.beams", points_per_arc=3, arcs="adjacent", offensive=True),
    SystemSpec("battery", "B", "Class B battery", 2, 3, "2e.beams", points_per_arc=2, arcs="adjacent", offensive=True),
    SystemSpec(
        "battery",
        "C",
        "Class C battery",
        1,
        2,
        "2e.beams",
        points_per_arc=1,
        arcs="adjacent",
        offensive=True,
        civil=True,
    ),
)

"""Submunition packs: a cluster of short range missiles for a single salvo, small enough for merchants and couriers."""

from __future__ import annotations

from engine.ruleset import SystemSpec

SUBMUNITIONS = (
    SystemSpec(
        "submunition", "", "Submunition pack", 1, 3, "2e.submunitions", civil=True, offensive=True, expendable=True
    ),
)

"""Submunition packs: a cluster of short range missiles for a single salvo, small enough for merchants and couriers."""

from __future__ import annotations

from engine.ruleset import SystemSpec

# Far end of each band in MU, a range exactly on it in the nearer band, and the dice thrown there.
BANDS = (6.0, 12.0, 18.0)
DICE = (3, 2, 1)

SUBMUNITIONS = (
    SystemSpec(
        "submunition", "", "Submunition pack", 1, 3, "2e.submunitions", civil=True, offensive=True, expendable=True
    ),
)

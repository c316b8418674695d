"""Anti-fighter defences: point defence guards its own ship, area defence its neighbours too.

Both carry their own fire control and bear all round, aft included.
"""

from __future__ import annotations

from engine.ruleset import SystemSpec

ANTI_FIGHTER = (
    SystemSpec("pdaf", "", "Point defence anti-fighter system", 1, 3, "2e.anti-fighter", civil=True),
    SystemSpec("adaf", "", "Area defence anti-fighter system", 3, 10, "2e.anti-fighter"),
)

POINT_DEFENCE = tuple(spec.type for spec in ANTI_FIGHTER)
AREA_RANGE = 6.0  # MU from an area defence weapon to the group, or to the friend that is attacked

# Craft a die of anti-fighter fire takes, and of fighters' fire at fighters; place 0 is no die.
KILLS = (0, 0, 0, 0, 1, 1, 2)


def kills(die: int) -> int:
    """Craft that one die takes. Rules: 2E "Anti-fighter defences" [2e.anti-fighter]"""
    return KILLS[die]

"""Anti-fighter defences: point defence guards its own ship, area defence its neighbours too.

Both carry their own fire control and bear all round, aft included.
"""

from __future__ import annotations

from engine.ruleset import SystemSpec

ANTI_FIGHTER = (
    SystemSpec("pdaf", "", "Point defence anti-fighter system", 1, 3, "2e.anti-fighter", civil=True),
    SystemSpec("adaf", "", "Area defence anti-fighter system", 3, 10, "2e.anti-fighter"),
)

"""What magazines hold, and the turrets that weapons stand in: their mass and points.

Rules: Continuum "Turrets" 5.22, "Magazine capacity" 6.6, "Minelaying" 6.10, 14.6 [pc.design]
"""

from __future__ import annotations

from engine.pricelists.ware import Ware

# A load of a magazine or a rack: the mass each takes, and the points beside what the magazine's mass costs.
MAGAZINE, MINE_RACK = "magazine", "mine-rack"  # what `Ware.holds` calls them
LOADS: dict[str, dict[str, tuple[int, int]]] = {
    MAGAZINE: {"standard": (2, 0), "extended": (3, 0), "two-stage": (4, 0), "boarding": (1, 0)},
    MINE_RACK: {"mines": (1, 2)},
}
LEAST_MINES = 2  # of each rack
# Loads of two groups never share a magazine.
MIXES = (("standard", "extended"), ("two-stage",), ("boarding",))

# mass of the weapons that one mass of turret holds, by the arcs the turret turns through
TURRET_HOLDS = {6: 2, 5: 3, 4: 4, 3: 5, 2: 6}
TURRET_RATE = 3

ORDNANCE = (
    Ware("turret", "Turret", "pc.turrets", mounts=tuple((arcs, 0) for arcs in sorted(TURRET_HOLDS)), rate=TURRET_RATE,
         limit="turrets", needs=("turrets",)),
    Ware("magazine", "Magazine", "pc.salvo-missiles", free=True, rate=3, holds=MAGAZINE),
)  # fmt: skip

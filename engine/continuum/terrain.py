"""Terrain that options lay by a battle's dice before it begins, where its file puts none of the kind down.

Rules: Continuum "Terrain effects" 17 [pc.clouds] [pc.debris]
"""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.state import BattleState
from engine.core.terms import CLOUDS, SWARMS
from engine.pieces.cloud import Cloud
from engine.pieces.debris import Debris

MARGIN = 6  # MU that is kept from the edges


def lay_terrain(state: BattleState, dice: Dice) -> None:
    """Clouds and a swarm of meteors, as far as it was agreed on, in place.

    Rules: Continuum "Dust or nebula clouds" 17.2 [pc.clouds]; Continuum "Asteroid fields, meteor swarms and debris"
    17.4 [pc.debris]
    """
    options = state.terms.options
    if CLOUDS in options and not state.of(Cloud):
        for number in range(1, (dice.roll("dust", "number") + 1) // 2 + 1):
            name = f"cloud-{number}"
            radius = 3.0 + dice.roll("dust", f"{name}/radius", 3)
            state.pieces.append(Cloud(name, *_anywhere(state, name, dice), radius))
    if SWARMS in options and not state.of(Debris):
        name = "field-1"
        radius = 2.0 + dice.roll("debris", f"{name}/radius", 4)
        at = _anywhere(state, name, dice)
        course, speed = dice.roll("direction", name, 12), dice.roll("distance", name)
        state.pieces.append(Debris(name, *at, radius, course, float(speed)))


def _anywhere(state: BattleState, name: str, dice: Dice) -> tuple[float, float]:
    """A place on the table, in whole MU."""
    x, y = (
        MARGIN + dice.roll("distance", f"{name}/{axis}", max(int(size) - 2 * MARGIN, 1)) - 1
        for axis, size in zip("xy", state.table, strict=True)
    )
    return float(x), float(y)

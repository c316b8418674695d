"""Random terrain of the options, placed before a battle whose file places none of the kind.

Rules: Continuum "Terrain effects" 17 [pc.clouds] [pc.debris]
"""

from __future__ import annotations

from engine.core.dice import Dice
from engine.core.geometry import Point, dist
from engine.core.state import BattleState
from engine.core.terms import CLOUDS, PLANETS, SIMPLE_PLANET, SWARMS
from engine.pieces.cloud import Cloud
from engine.pieces.debris import Debris
from engine.pieces.planet import SIMPLE_ORBIT_RADIUS, Planet, simple_planet

MARGIN = 6  # MU kept free along the edges
CLEARANCE = 3.0  # MU between a ship and the rim of a planet, and between places tried for one


def place_terrain(state: BattleState, dice: Dice) -> None:
    """Place clouds, a planet and a meteor swarm, as far as the options ask for them.

    Rules: Continuum "Dust or nebula clouds" 17.2 [pc.clouds]; Continuum "Asteroid fields, meteor
    swarms and debris" 17.4 [pc.debris]; Continuum "Planets" 17.7-17.10 [pc.planets]
    """
    options = state.terms.options
    if CLOUDS in options and not state.pieces_of(Cloud):
        for number in range(1, (dice.roll("dust", "number") + 1) // 2 + 1):
            name = f"cloud-{number}"
            radius = 3.0 + dice.roll("dust", f"{name}/radius", sides=3)
            state.pieces.append(Cloud(name, *_random_place(state, name, dice), radius))
    if PLANETS in options and not state.pieces_of(Planet):
        radius = 3.0 + dice.roll("distance", "planet-1/radius", sides=3)
        entry = 4 + dice.roll("distance", "planet-1/entry", sides=4)
        zones = (radius + 6, radius + 4, radius + 2)
        state.pieces.append(
            Planet(
                "planet-1",
                *_central_place(state, radius),
                radius,
                zones,
                air=True,
                speeds=(entry, entry),
            )
        )
    if SIMPLE_PLANET in options and not state.pieces_of(Planet):
        state.pieces.append(simple_planet("planet-1", _central_place(state, SIMPLE_ORBIT_RADIUS)))
    if SWARMS in options and not state.pieces_of(Debris):
        name = "field-1"
        radius = 2.0 + dice.roll("debris", f"{name}/radius", sides=4)
        at = _random_place(state, name, dice)
        course = dice.roll("direction", name, sides=12)
        speed = dice.roll("distance", name)
        state.pieces.append(Debris(name, *at, radius, course, float(speed)))


def _central_place(state: BattleState, radius: float) -> Point:
    """Return the whole-MU place nearest the middle of the table for a planet clear of ships."""
    mid = state.table[0] // 2, state.table[1] // 2
    steps = [step * CLEARANCE for step in range(-10, 11)]
    places: list[Point] = []
    for dx in steps:
        places += [(mid[0] + dx, mid[1] + dy) for dy in steps]
    places.sort(key=lambda place: (dist(place, mid), place))
    for place in places:
        distances = [dist(place, (ship.x, ship.y)) for ship in state.ships]
        if all(distance > radius + CLEARANCE for distance in distances):
            return place
    return mid


def _random_place(state: BattleState, name: str, dice: Dice) -> tuple[float, float]:
    """Return a random place on the table in whole MU."""
    width, height = state.table
    x = MARGIN - 1 + dice.roll("distance", f"{name}/x", max(int(width) - 2 * MARGIN, 1))
    y = MARGIN - 1 + dice.roll("distance", f"{name}/y", max(int(height) - 2 * MARGIN, 1))
    return float(x), float(y)

"""How a ship avoids a body in its path, by the rulebook of its battle.

Rules: 2E "Asteroids" [2e.asteroids]; Continuum "Collisions" 17.6 [pc.planetoids]
"""

from __future__ import annotations

from itertools import pairwise

from engine.core.geometry import NEAR, Point, distance_to_path
from engine.core.ship import ShipState
from engine.core.terms import Terms
from engine.ruleset import AsteroidRules, rules_of

ADVANCED = "advanced"  # a kind of main drive
BLIND = 7  # the die a cloaked ship would need: it cannot avoid anything


def asteroid_rules(terms: Terms) -> AsteroidRules:
    """Return how ships meet asteroids in a battle.

    Rules: Continuum "Collisions" 17.6 [pc.planetoids]
    """
    return rules_of(terms.edition).asteroids


def evading_thrust(terms: Terms, ship: ShipState) -> int:
    """Return the thrust that counts for avoiding a body; an advanced drive's may count twice.

    Rules: Continuum "Collisions" 17.6 [pc.planetoids]
    """
    if ship.sheet.drive == ADVANCED:
        return ship.thrust * asteroid_rules(terms).advanced
    return ship.thrust


def crosses(at: Point, radius: float, path: tuple[Point, ...]) -> bool:
    """Return whether a path crosses a circle; touching its rim does not count."""
    return any(distance_to_path(*at, a, b) < radius - NEAR for a, b in pairwise(path))


def die_needed(velocity: int, thrust: int) -> int:
    """Return the lowest die that gets a ship past an asteroid.

    At 1 or less no die is needed; above 6 the ship is certain to hit.

    Rules: 2E "Asteroids" [2e.asteroids]
    """
    return velocity - thrust

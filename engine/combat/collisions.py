"""How a ship gets by a body in its way, by the rulebook of its battle.

Rules: 2E "Asteroids" [2e.asteroids]; Continuum "Collisions" 17.6 [pc.planetoids]
"""

from __future__ import annotations

from itertools import pairwise

from engine.core.geometry import NEAR, Point, distance_to_path
from engine.core.ship import ShipState
from engine.core.terms import Terms
from engine.core.versions import PLANETOIDS
from engine.ruleset import AsteroidRules, rules_of

ADVANCED = "advanced"  # of drives
BLIND = 7  # what a ship under a cloaking device would have to throw


def asteroid_rules(terms: Terms) -> AsteroidRules:
    """How ships meet asteroids in a battle. Rules: Continuum "Collisions" 17.6 [pc.planetoids]"""
    return rules_of(terms.edition).asteroids if terms.follows(PLANETOIDS) else AsteroidRules()


def evading_thrust(terms: Terms, ship: ShipState) -> int:
    """The thrust with which a ship gets by; an advanced drive's may count twice.

    Rules: Continuum "Collisions" 17.6 [pc.planetoids]
    """
    return (
        ship.thrust * asteroid_rules(terms).advanced
        if ship.sheet.drive == ADVANCED
        else ship.thrust
    )


def crosses(at: Point, radius: float, path: tuple[Point, ...]) -> bool:
    """Whether a path meets something round; to graze it is to pass by."""
    return any(distance_to_path(*at, a, b) < radius - NEAR for a, b in pairwise(path))


def die_needed(velocity: int, thrust: int) -> int:
    """The least die that gets a ship past an asteroid: 1 or less needs none, more than 6 is certain
    death.

    Rules: 2E "Asteroids" [2e.asteroids]
    """
    return velocity - thrust

"""How a ship gets by a body in its way, by the rulebook of its battle.

Rules: 2E "Asteroids" [2e.asteroids]; Continuum "Collisions" 17.6 [pc.planetoids]
"""

from __future__ import annotations

from engine.core.ship import ShipState
from engine.core.terms import Terms
from engine.core.versions import PLANETOIDS
from engine.ruleset import AsteroidRules, rules_of

ADVANCED = "advanced"  # of drives


def asteroid_rules(terms: Terms) -> AsteroidRules:
    """How ships meet asteroids in a battle. Rules: Continuum "Collisions" 17.6 [pc.planetoids]"""
    return rules_of(terms.edition).asteroids if terms.follows(PLANETOIDS) else AsteroidRules()


def evading_thrust(terms: Terms, ship: ShipState) -> int:
    """The thrust with which a ship gets by; an advanced drive's may count twice.

    Rules: Continuum "Collisions" 17.6 [pc.planetoids]
    """
    return ship.thrust * asteroid_rules(terms).advanced if ship.sheet.drive == ADVANCED else ship.thrust

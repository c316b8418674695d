"""What a ship risks past bodies that pull at it: by its bent path this turn, and whether it gets by in the next.

Rules: Continuum "Large scale" 17.9 [pc.planets]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from engine.captains.common.hazards import odds_among
from engine.continuum.legs import Leg, bent_leg, leg_of
from engine.core.geometry import Point, turned, vector
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.pieces.piece import Piece

DRIFTS = 0.25  # of the odds of a ship that would have to change its course in the next turn, and can


def pulling(bodies: Iterable[Piece]) -> bool:
    """Whether any of the bodies may bend a ship's way."""
    return any(type(body).pull is not Piece.pull for body in bodies)


def odds_past(state: BattleState, bodies: Sequence[Piece], ship: ShipState, leg: Leg, thrust: int) -> float:
    """The odds, 0 to 1, that a ship is lost to one of the bodies if it flies so: in this turn, or in the next whatever
    it does then. `thrust`: what it may evade with.

    Rules: Continuum "Large scale" 17.9 [pc.planets]
    """
    path, pulls = bent_leg(state, ship, leg)
    odds = odds_among(state.terms, bodies, path, leg.velocity, thrust, 1)
    if odds >= 1.0:
        return 1.0
    swung = sum(pull.turn for _, pull in pulls)
    faster = sum(pull.velocity for _, pull in pulls)
    after = _after(ship, leg, path, swung, faster)
    drifting = least = _odds_of(state, bodies, after, HOLD, thrust)
    for plot in _ways_on(after.thrust, after.velocity) if after.drift is None else ():
        if not least:
            break  # no way on can be safer
        least = min(least, _odds_of(state, bodies, after, plot, thrust))
    return min(odds + max(least, DRIFTS * drifting), 1.0)


def odds_by_holding(state: BattleState, bodies: Sequence[Piece], ship: ShipState) -> float:
    """The odds that a ship is lost to one of the bodies if it keeps its course and velocity."""
    return odds_past(state, bodies, ship, leg_of(ship, HOLD), ship.thrust)


def _after(ship: ShipState, leg: Leg, path: tuple[Point, ...], swung: int, faster: int) -> ShipState:
    """A ship as it will be when it has flown a path, turned and quickened by what pulled at it."""
    after = ship.copy()
    after.x, after.y = path[-1]
    after.course, after.velocity, after.drift = leg.course, leg.velocity, leg.drift
    if leg.drift is None:
        after.course, after.velocity = turned(leg.course, swung), max(leg.velocity + faster, 0)
    elif swung or faster:
        after.velocity, after.drift = vector(path[0], path[-1])
    return after


@lru_cache(maxsize=4096)
def _ways_on(thrust: int, velocity: int) -> tuple[Plot, ...]:
    """What a ship may do next by course and velocity but fly on as it does: turn as sharply as it can to either side,
    at its speed and as slow as it gets, or fly straight on slower or faster.
    """
    if not thrust:
        return ()
    sharp = min((thrust + 1) // 2, 6)
    brake = min(thrust - sharp, velocity - 1)
    turns = [Plot(turn, change) for turn in (-sharp, sharp) for change in ((0, -brake) if brake > 0 else (0,))]
    return (*(turns if velocity else ()), Plot(0, -min(thrust, velocity)), Plot(0, thrust))


def _odds_of(state: BattleState, bodies: Sequence[Piece], ship: ShipState, plot: Plot, thrust: int) -> float:
    leg = leg_of(ship, plot)
    return odds_among(state.terms, bodies, bent_leg(state, ship, leg)[0], leg.velocity, thrust, 2)

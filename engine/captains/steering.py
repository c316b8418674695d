"""A ship's move by Continuum: each its drive allows judged by where it ends, rolled over, pressed or unseen too."""

from __future__ import annotations

from engine.captains.courses import Option, options_of, options_with, pushed, thrust_of
from engine.captains.doctrine import Doctrine
from engine.captains.expected import STEPS
from engine.captains.hazards import odds_among
from engine.captains.marks import Mark
from engine.captains.range_tables import Table
from engine.captains.stations import OFF_TABLE, Helm, Umbrella, at_helm, value, values
from engine.continuum.drives import Roll, Thrust, UseEmergencyThrust, pressed
from engine.continuum.legs import leg_of
from engine.core.dice import Dice
from engine.core.geometry import Point
from engine.core.kinds import FIGHTING
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import EMERGENCY_THRUST

_LINE = 1e-6
PUSHED = 4  # of the best moves by vectors that are tried with pushes
LOPSIDED = 1.25  # times one broadside does what the other does before a ship thinks of rolling
ROLLS_FOR = 0.5  # points that rolling over has to be worth
UNSEEN_GREED, UNSEEN_FEAR = 0.5, 0.15  # what fire counts for a ship that hides and closes in

WRECKED = 40.0  # points that a ship is worth that might be lost to an asteroid

Rated = list[tuple[float, Option]]


def steer(
    state: BattleState,
    ship: ShipState,
    marks: list[Mark],
    middle: Point,
    doctrine: Doctrine,
    dice: Dice,
    covers: list[Umbrella],
    *,
    unseen: bool = False,
) -> Option:
    """The move to the best place; of equally good ones a die decides.

    `marks` stand where they will be if they fly on; `middle` is where the fleet's middle will be; `covers`: friends'
    area screens at the end of this move. `unseen`: it hides this turn, and fires in the next.
    """
    if not marks:
        return _wait(ship, options_of(state, ship), state.table)
    helm = at_helm(state, ship, marks, middle, doctrine, covers)
    if unseen:
        helm = helm._replace(greed=UNSEEN_GREED, fear=UNSEEN_FEAR)
    given = thrust_of(state, ship)
    rated = _rated(state, helm, given)
    best = max(score for score, _ in rated)
    if best < -OFF_TABLE / 2 and EMERGENCY_THRUST in state.terms.options and given.main:
        return _pressing(state, helm, rated)
    if _lopsided(helm.near[0][1]) and given.turning and ship.status == FIGHTING:
        other = at_helm(state, ship, marks, middle, doctrine, covers, rolling=True)
        less = 1 if ship.drift is None else 0
        over = _rated(
            state, other._replace(greed=helm.greed, fear=helm.fear), Thrust(given.main - less, given.turning - 1)
        )
        if max(score for score, _ in over) > best + ROLLS_FOR:
            rated = [(score, option._replace(further=(Roll(),))) for score, option in over]
    return _pick(ship, rated, dice)


def _rated(state: BattleState, helm: Helm, given: Thrust) -> Rated:
    """What each move is worth that so much thrust allows."""
    rated = _all_judged(state, helm, options_with(helm.ship, given))
    if helm.ship.drift is None:
        return rated
    ranked = sorted(range(len(rated)), key=lambda place: (-rated[place][0], place))[:PUSHED]
    again = [option for place in ranked for option in pushed(rated[place][1], given.turning)]
    return rated + _all_judged(state, helm, again)


def _all_judged(state: BattleState, helm: Helm, options: list[Option]) -> Rated:
    """What each of these moves is worth."""
    if state.pieces:
        return [_judged(state, helm, option) for option in options]
    return list(zip(values(helm, options), options, strict=True))


def _judged(state: BattleState, helm: Helm, option: Option) -> tuple[float, Option]:
    """What a move is worth, less what it risks among bodies, in this turn and, half as much, in the next."""
    worth = value(helm, option)
    if state.pieces:
        ship, leg = helm.ship, leg_of(helm.ship, option.plot())
        risk = odds_among(state.pieces, leg.path, leg.velocity, ship.thrust, 1)
        ahead = option.x + option.gx, option.y + option.gy
        slower = max(leg.velocity - ship.thrust, 0)
        risk += 0.5 * odds_among(state.pieces, ((option.x, option.y), ahead), slower, ship.thrust, 2)
        worth -= risk * WRECKED
    return worth, option


def _pick(ship: ShipState, rated: Rated, dice: Dice) -> Option:
    best = max(score for score, _ in rated) - _LINE
    found = [option for score, option in rated if score > best]
    return found[0] if len(found) == 1 else found[dice.roll("captain", ship.id, len(found)) - 1]


def _lopsided(table: Table) -> bool:
    """Whether a ship's broadsides differ: then it matters which side is up."""
    starboard, port = (sum(table[at * STEPS : (at + 1) * STEPS] + table[to * STEPS : (to + 1) * STEPS])
                       for at, to in ((1, 2), (5, 4)))  # fmt: skip
    return max(starboard, port) > LOPSIDED * min(starboard, port)


def _pressing(state: BattleState, helm: Helm, rated: Rated) -> Option:
    """Emergency thrust, for a ship that would fly off the table otherwise; else the best there is.

    Rules: Continuum "Emergency thrust" 3.6 [pc.emergency-thrust]
    """
    usual = max(rated, key=lambda one: one[0])
    score, option = max(_rated(state, helm, pressed(helm.ship, state.turn)), key=lambda one: one[0])
    if score < usual[0] + OFF_TABLE / 2:
        return usual[1]
    return option._replace(further=(UseEmergencyThrust(),), otherwise=usual[1].plot())


def _wait(ship: ShipState, options: list[Option], table: Point) -> Option:
    """Nobody in sight: fly on while the table is long enough ahead, else slow down or turn back."""

    def room(option: Option) -> float:
        ahead = 2.0 + 0.5 * max(ship.velocity, 1) / max(ship.thrust, 1)
        x, y = option.x + option.gx * ahead, option.y + option.gy * ahead
        return max(-x, x - table[0], 0.0) + max(-y, y - table[1], 0.0)

    return options[0] if room(options[0]) == 0.0 else min(options, key=room)

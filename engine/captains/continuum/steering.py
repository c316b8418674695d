"""A ship's move by Continuum: the best place its drive takes it to, rolled over, pressed or unseen
too.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.captains.common.courses import (
    Move,
    Option,
    option_of,
    options_of,
    pushed,
    thrust_of,
    way_with,
)
from engine.captains.common.doctrine import Doctrine
from engine.captains.common.expected import STEP
from engine.captains.common.foes import Foe, Watched
from engine.captains.common.hazards import dangers, odds_among
from engine.captains.common.helm import (
    FEAR,
    OFF_TABLE,
    PUSHED,
    Choice,
    Helm,
    Lure,
    Outlook,
    Rated,
    Risk,
    Sought,
    Umbrella,
    at_risk,
    judge,
    nearest,
    pick,
    search,
)
from engine.captains.common.range_tables import Mount, mounts_of, out_of, worths_of
from engine.captains.continuum.marks import Mark, armament_of, defences, going, shell_of
from engine.captains.continuum.passages import odds_past, pulling
from engine.combat.collisions import evading_thrust
from engine.continuum.drives import Roll, Thrust, UseEmergencyThrust, pressed
from engine.continuum.legs import leg_of
from engine.core.dice import Dice
from engine.core.geometry import COURSES, Point
from engine.core.kinds import FIGHTING
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import EMERGENCY_THRUST
from engine.weapons.spinal import ahead_of_bow
from engine.weapons.weapon import LINE

LOPSIDED = 1.25  # times one broadside does what the other does before a ship thinks of rolling
ROLLS_FOR = 0.5  # points that rolling over has to be worth
UNSEEN_GREED, UNSEEN_FEAR = 0.5, 0.15  # what fire counts for a ship that hides and closes in
WRECKED = 40.0  # points that a ship is worth that might be lost to an asteroid


def outlook_of(
    state: BattleState,
    ship: ShipState,
    watched: Sequence[Watched],
    middle: Point,
    doctrine: Doctrine,
    covers: list[Umbrella],
    *,
    unseen: bool = False,
    rolling: bool = False,
    known: Foe | None = None,
) -> Outlook:
    """What a ship's search follows from this turn; `rolling`: it rolls over with its moves.

    `known`: what its defences are known from already.

    What it fires along a line is judged by itself.
    """
    near = nearest(watched, ship, going(ship))
    if known is None:
        (ward, stretch), shell = defences(state, ship), shell_of(ship)
    else:
        ward, stretch, shell = known.ward, known.stretch, known.shell
    return Outlook(
        ship,
        tuple([watched[place] for place in near]),
        armament_of(ship, doctrine.never, rolling=rolling, along=False),
        ward,
        middle,
        state.table,
        shell,
        stretch,
        UNSEEN_GREED if unseen else 1.0,
        float(doctrine.range) if doctrine.range is not None else None,
        covers=tuple(covers),
        fear=UNSEEN_FEAR if unseen else FEAR,
    )


def bow_lures(ship: ShipState, marks: list[Mark], never: tuple[str, ...]) -> tuple[Lure, ...]:
    """What else is worth something to a ship whose mounts fire straight ahead."""
    if LINE not in ship.profile.along:
        return ()
    out = out_of(ship, never)
    lines = [
        mount
        for mount in mounts_of(ship.profile, ship.sheet)
        if mount.kind.along == LINE and mount.place not in out
    ]
    return (_along_bow(lines, marks),) if lines else ()


def _along_bow(lines: list[Mount], marks: list[Mark]) -> Lure:
    """What mounts that fire straight ahead do from a place: each at the one foe where it does
    most.
    """
    aims = [
        (mark, [worths_of(mount, "", mark.ward, mark.shell) for mount in lines]) for mark in marks
    ]

    def worth(x: float, y: float, course: int, _speed: float) -> float:
        ux, uy = COURSES[course]
        best = [0.0] * len(lines)
        for mark, rows in aims:
            dx, dy = mark.x - x, mark.y - y
            if ahead_of_bow(dx * ux + dy * uy, dx * uy - dy * ux):
                step = int((dx * dx + dy * dy) ** 0.5 / STEP)
                for place, row in enumerate(rows):
                    if step < len(row):
                        best[place] = max(best[place], row[step] * mark.weight)
        return sum(best)

    return worth


def risk_of(state: BattleState, ship: ShipState) -> Risk | None:
    """What a move risks among asteroids, in this turn and, half as much, in the next; past what
    pulls at ships whether it can get by in the next. None where there is nothing.
    """
    bodies, terms = dangers(state.pieces), state.terms
    if not bodies:
        return None
    thrust = evading_thrust(terms, ship)
    bends = pulling(bodies)

    def risk(move: Move) -> float:
        option = option_of(ship, move)
        leg = leg_of(ship, option.plot())
        if bends:
            return odds_past(state, bodies, ship, leg, thrust) * WRECKED
        odds = odds_among(terms, bodies, leg.path, leg.velocity, thrust, 1)
        ahead = option.x + option.gx, option.y + option.gy
        slower = max(leg.velocity - ship.thrust, 0)
        odds += 0.5 * odds_among(terms, bodies, ((option.x, option.y), ahead), slower, thrust, 2)
        return odds * WRECKED

    return risk


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

    `marks` stand where they will be if they fly on; `middle` is where the fleet's middle will be;
    `covers`: friends' area screens at the end of this move. `unseen`: it hides this turn, and fires
    in the next.
    """
    if not marks:
        return _wait(ship, options_of(state, ship), state.table)
    watched = [mark.watched() for mark in marks]
    beside = bow_lures(ship, marks, doctrine.never), risk_of(state, ship)
    outlook = outlook_of(state, ship, watched, middle, doctrine, covers, unseen=unseen)
    given = thrust_of(state, ship)
    found = _search(ship, Sought(outlook, way_with(ship, given), *beside), given)
    if found.worth < -OFF_TABLE / 2 and EMERGENCY_THRUST in state.terms.options and given.main:
        more = pressed(ship, state.turn)
        return _pressing(
            ship, found, _search(ship, Sought(outlook, way_with(ship, more), *beside), more)
        )
    if given.turning and ship.status == FIGHTING and _lopsided(outlook):
        other = outlook_of(
            state, ship, watched, middle, doctrine, covers, unseen=unseen, rolling=True
        )
        less = 1 if ship.drift is None else 0
        rest = Thrust(given.main - less, given.turning - 1)
        over = _search(ship, Sought(other, way_with(ship, rest), *beside), rest)
        if over.worth > found.worth + ROLLS_FOR:
            return option_of(ship, pick(ship.id, over, dice))._replace(further=(Roll(),))
    return option_of(ship, pick(ship.id, found, dice))


def _search(ship: ShipState, sought: Sought, given: Thrust) -> Choice:
    """The best of the moves that so much thrust allows, by vectors with pushes too."""

    def pushing(helm: Helm, found: Rated) -> Rated:
        worths, moves = found
        ranked = sorted(range(len(worths)), key=lambda place: (-worths[place], place))[:PUSHED]
        again = [move for place in ranked for move in pushed(ship, moves[place], given.turning)]
        return at_risk(helm, judge(helm, again), again), again

    return search(sought, pushing if ship.drift is not None else None)


def _lopsided(outlook: Outlook) -> bool:
    """Whether a ship's broadsides differ: then it matters which side is up."""
    _, _, _, _, _, _, ward, shell, _ = outlook.near[0]
    starboard, port = outlook.fires.table(ward, shell).broadsides
    return max(starboard, port) > LOPSIDED * min(starboard, port)


def _pressing(ship: ShipState, usual: Choice, pressing: Choice) -> Option:
    """Emergency thrust, for a ship that would fly off the table otherwise; else the best there is.

    Rules: Continuum "Emergency thrust" 3.6 [pc.emergency-thrust]
    """
    option = option_of(ship, usual.best)
    if pressing.worth < usual.worth + OFF_TABLE / 2:
        return option
    return option_of(ship, pressing.best)._replace(
        further=(UseEmergencyThrust(),), otherwise=option.plot()
    )


def _wait(ship: ShipState, options: list[Option], table: Point) -> Option:
    """Nobody in sight: fly on while the table is long enough ahead, else slow down or turn back."""

    def room(option: Option) -> float:
        ahead = 2.0 + 0.5 * max(ship.velocity, 1) / max(ship.thrust, 1)
        x, y = option.x + option.gx * ahead, option.y + option.gy * ahead
        return max(-x, x - table[0], 0.0) + max(-y, y - table[1], 0.0)

    return options[0] if room(options[0]) == 0.0 else min(options, key=room)

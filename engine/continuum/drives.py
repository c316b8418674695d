"""What a ship's drive allows and what a plot needs: thrust, turns, pushes and rolls.

Rules: Continuum "Thrust ratings" 3.2 [pc.movement]; Continuum "Advanced Drives" 3.3
[pc.advanced-drives]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from engine.core.kinds import CARRIED, CLOAKED, FIGHTING, INSTALLATION, RETURNING, DriveOutcome
from engine.core.notes import write_fact
from engine.core.orders import MAIN_DRIVE, PUSHES, ROTATIONS, FurtherOrder, Plot
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.slots import WordDescription
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import EMERGENCY_THRUST, ORBITAL_TABLE
from engine.events.movement import EmergencyThrust
from engine.notation.orders import read_nothing
from engine.second_edition.movement import away_fault, ftl_fault

TURNS = reason("turns-thrust-but-thrust", "turns use {} thrust; with thrust {} the limit is now {}")
TURNS_AND_ROLLS = reason(
    "turns-and-rolls", "turns and rolls use {} thrust; with thrust {} the limit is now {}"
)
USES_THRUSTERS = reason(
    "uses-thrusters", "thrusters use {} thrust; with thrust {} the limit is now {}"
)
FLYING_STATUSES = (FIGHTING, CLOAKED)  # ships that move, on the table or under a cloaking field
ADVANCED = "advanced"
LARGEST_TURN = 11
WEAK = 3  # a drive of this rating or less may have thrust 1 after one hit

# The score of each die: like a beam's, without re-rolls. Index 0 is unused.
SCORES = (0, 0, 0, 0, 1, 1, 2)
UNHARMED, STRAINED, FAILED, BURNT_OUT = DriveOutcome
# The outcome and hits on the drive of each score; the last one is for 4 and more.
OUTCOMES = ((UNHARMED, 0), (STRAINED, 1), (FAILED, 1), (FAILED, 1), (BURNT_OUT, 2))


@dataclass(frozen=True, slots=True)
class Thrust:
    """Points of thrust.

    In cinematic movement, turns use points of the main drive. In vector movement the thrusters work
    in addition to it.

    Attributes:
        main: Of the main drive.
        turning: For turns.
    """

    main: int
    turning: int


@dataclass(frozen=True, slots=True)
class Roll(FurtherOrder):
    """An order to roll a ship upside down or back, which exchanges port and starboard arcs.

    Rules: Continuum "Rolling ships" 16.2 [pc.rolling]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Roll over"),
            phrase("port arcs become starboard arcs; uses one of the thrust points for turns"),
        )

    @staticmethod
    def word() -> str:
        return "roll"

    @staticmethod
    def parse(words: list[str]) -> Roll:
        read_nothing(words)
        return Roll()

    def before_moves(self, table: Table, ship: ShipState) -> None:
        write_fact(table, ship, "rolled", 0 if ship.record.rolled else 1)


@contextmanager
def before_rolls(state: BattleState, plots: Mapping[str, Plot]) -> Iterator[None]:
    """Undo ordered rolls inside the context: orders open in phase 1, but ships roll in phase 5.

    Rules: Continuum "Sequence of play" 2.6, "Rolling ships" 16.2 [pc.rolling]
    """
    rolled_after: list[tuple[ShipState, bool]] = []
    for ship in state.ships:
        if ship.id in plots and plots[ship.id].find(Roll) is not None:
            rolled_after.append((ship, ship.record.rolled))
            ship.record = ship.record.with_values(rolled=not ship.record.rolled)
    yield
    for ship, rolled in rolled_after:
        ship.record = ship.record.with_values(rolled=rolled)


@dataclass(frozen=True, slots=True)
class UseEmergencyThrust(FurtherOrder):
    """An order to fly the move with emergency thrust.

    Rules: Continuum "Emergency thrust" 3.6 [pc.emergency-thrust]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Emergency thrust"),
            phrase(
                "50% more thrust, all of which may be used to turn; a die roll decides whether "
                "the drive is damaged"
            ),
        )

    @staticmethod
    def word() -> str:
        return "et"

    @staticmethod
    def parse(words: list[str]) -> UseEmergencyThrust:
        read_nothing(words)
        return UseEmergencyThrust()


def available_thrust(ship: ShipState, turn: int) -> Thrust:
    """Return a ship's thrust: its rating, and half of it, rounded down, for turns.

    An advanced drive may use all of it for turns. A ship with thrust 1 turns one point, but not in
    two consecutive turns.

    Rules: Continuum "Thrust ratings" 3.2 [pc.movement]; Continuum "Advanced Drives" 3.3
    [pc.advanced-drives]; Continuum "Manoeuvring thrusters" 12.12 [pc.vector]
    """
    rating = ship.thrust
    if ship.sheet.drive == ADVANCED:
        return Thrust(rating, rating)
    if rating == 1:
        return Thrust(1, 0 if 0 < ship.record.last_turned == turn - 1 else 1)
    return Thrust(rating, rating // 2)


def emergency_thrust(ship: ShipState, turn: int) -> Thrust:
    """Return a ship's thrust with emergency thrust: half as much again, and its rating for turns.

    Rules: Continuum "Emergency thrust" 3.6 [pc.emergency-thrust]
    """
    usual = available_thrust(ship, turn)
    return Thrust(usual.main + usual.main // 2, usual.main)


def plot_limits(state: BattleState, ship: ShipState) -> tuple[int, int]:
    """Return the most points of turn and of thrust a ship may plot, by the battle's options."""
    if EMERGENCY_THRUST in state.terms.options:
        limit = emergency_thrust(ship, state.turn)
    else:
        limit = available_thrust(ship, state.turn)
    return limit.turning, limit.main


def thrust_needed(ship: ShipState, plot: Plot) -> Thrust:
    """Return the thrust that a plot needs; a roll takes one turning point.

    Rules: Continuum "Orders" 3.5 [pc.movement]; Continuum "Rolling ships" 16.2 [pc.rolling];
    Continuum "Rotation", "Thruster pushes" 12.12 [pc.vector]
    """
    turning = 1 if plot.find(Roll) is not None else 0
    if ship.drift is None:  # course movement
        turning += abs(plot.turn) + abs(plot.second)
        turning += sum(order.turning() for order in plot.further)
        return Thrust(turning + abs(plot.thrust), turning)
    main = 0
    for burn, points in plot.burns:
        if burn == MAIN_DRIVE:
            main += points
        elif burn in ROTATIONS:
            turning += 1  # whatever the angle
        else:
            turning += points
    return Thrust(main, turning)


def record_thrust_used(table: Table, ship: ShipState, plot: Plot) -> None:
    """Record the main drive points a plot uses, and that a weak drive has turned.

    Rules: Continuum "Thrust ratings" 3.2 [pc.movement]; Continuum "Aft arc" 4.2 [pc.arcs]
    """
    needed = thrust_needed(ship, plot)
    if needed.main:
        write_fact(table, ship, "thrust-used", needed.main)
    points_for_roll = 1 if plot.find(Roll) is not None else 0
    if (
        needed.turning > points_for_roll
        and ship.sheet.thrust <= WEAK
        and ship.sheet.drive != ADVANCED
    ):
        write_fact(table, ship, "last-turned", table.turn)


def excess_fault(ship: ShipState, plot: Plot, limit: Thrust) -> str:
    """Return the reason why a plot needs more thrust than a limit, or ""."""
    needed = thrust_needed(ship, plot)
    faults = []
    if needed.turning > limit.turning:
        if ship.drift is not None:
            fault = USES_THRUSTERS
        elif plot.find(Roll) is not None:
            fault = TURNS_AND_ROLLS
        else:
            fault = TURNS
        faults.append(fault.format(needed.turning, ship.thrust, limit.turning))
    if needed.main > limit.main:
        faults.append(
            reason("uses-thrust", "uses {} thrust; the limit is {}", needed.main, limit.main)
        )
    return join_phrases("; ", faults)


def move_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a ship cannot fly its plot, or "".

    A ship at rest has the same limits for turns. A ship without any thrust takes no orders to move.

    Rules: Continuum "Cinematic movement" 3 [pc.movement]; Continuum "Thrust 0 drives" 16.1
    [pc.thrust-0]
    """
    if ship.status == CARRIED:
        return ""  # it is checked where it detaches
    returns = plot.enter is not None and ship.status == RETURNING
    if returns and not plot.ftl and ORBITAL_TABLE in state.terms.options:
        # On an orbital table a ship is placed before it moves.
        return _thrust_fault(state, ship, plot)
    fault = away_fault(ship, plot)
    if fault or ship.status not in FLYING_STATUSES:
        return fault
    if ship.sheet.thrust == 0 and (plot.steers() or plot.find(Roll) is not None):
        if ship.sheet.kind == INSTALLATION:
            return ""
        return reason("ship-without-thrust-only", "a ship without thrust can only drift")
    if fault := _ftl_roll_fault(ship, plot) or ftl_fault(ship, plot):
        return fault
    if plot.ftl:
        return shape_fault(ship, plot)
    return _thrust_fault(state, ship, plot)


def _ftl_roll_fault(ship: ShipState, plot: Plot) -> str:
    """Return the fault that a ship rolls while its FTL drive warms up or engages, or ""."""
    if plot.find(Roll) is None or not (plot.ftl or ship.warm):
        return ""
    return reason(
        "ship-warms-up-ftl",
        "a ship that warms up its FTL drive or is about to engage it cannot roll",
    )


def _thrust_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a ship's way of movement or its thrust does not allow a plot, or ""."""
    return shape_fault(ship, plot) or emergency_fault(state, ship, plot) or _too_slow(ship, plot)


def shape_fault(ship: ShipState, plot: Plot) -> str:
    """Return the reason why a plot does not match the ship's way of movement, or "".

    Rules: Continuum "Combining manoeuvres" 12.12 [pc.vector]
    """
    if ship.drift is None:
        if plot.burns:
            return reason(
                "moves-course-velocity-p2", "it uses course movement (P2+4), not vector movement"
            )
        return ""
    if plot.turn or plot.thrust or plot.second:
        return reason("moves-vectors-tp2-md6", "it uses vector movement (TP2 MD6 PS2)")
    return _burns_fault(plot)


def _burns_fault(plot: Plot) -> str:
    """Return the reason why the burns of a plot cannot be combined, or "".

    Rules: Continuum "Combining manoeuvres" 12.12 [pc.vector]
    """
    if any(points == 0 for _, points in plot.burns):
        return reason("burn-takes-1-point", "a burn must have 1 point or more")
    rotations = [points for burn, points in plot.burns if burn in ROTATIONS]
    pushes = [points for burn, points in plot.burns if burn in PUSHES]
    if any(points > LARGEST_TURN for points in rotations):
        return reason(
            "ship-rotate-most-points", "a ship can rotate at most {} points", LARGEST_TURN
        )
    if len(rotations) > 1:
        return reason("turn-time", "a turn allows only one {}", "rotation")
    if len(pushes) > 1:
        return reason("turn-time", "a turn allows only one {}", "push")
    return ""


def emergency_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a plot needs more thrust than there is, or "".

    The fallback plot has the limits of normal thrust.

    Rules: Continuum "Emergency thrust" 3.6 [pc.emergency-thrust]
    """
    usual = available_thrust(ship, state.turn)
    if plot.find(UseEmergencyThrust) is None:
        if plot.otherwise is not None:
            return reason(
                "else-emergency-thrust-fails",
                "'else' applies when emergency thrust fails: use it with 'et'",
            )
        return excess_fault(ship, plot, usual)
    if EMERGENCY_THRUST not in state.terms.options:
        return reason(
            "emergency-thrust-not-agreed", "emergency thrust is not allowed in this battle"
        )
    if not excess_fault(ship, plot, usual):
        return reason("needs-no-emergency-thrust", "this move needs no emergency thrust")
    fault = excess_fault(ship, plot, emergency_thrust(ship, state.turn))
    if fault or plot.otherwise is None:
        return fault
    instead = fallback_plot(plot)
    fault = (
        shape_fault(ship, instead) or excess_fault(ship, instead, usual) or _too_slow(ship, instead)
    )
    if fault:
        return reason("otherwise", "'else': {}", fault)
    return ""


def fallback_plot(plot: Plot) -> Plot:
    """Return the plot flown if emergency thrust fails: its `otherwise`, else no turn and no thrust.

    Rolls and other further orders stay.
    """
    instead = plot.otherwise or Plot()
    further = tuple(order for order in plot.further if not isinstance(order, UseEmergencyThrust))
    return Plot(
        instead.turn, instead.thrust, second=instead.second, burns=instead.burns, further=further
    )


def _too_slow(ship: ShipState, plot: Plot) -> str:
    """Return the fault that a plot reduces a ship's velocity below 0, or ""."""
    if ship.drift is None and ship.velocity + plot.thrust < 0:
        return reason(
            "velocity-cannot-fall",
            "velocity {} cannot be reduced by {}",
            ship.velocity,
            -plot.thrust,
        )
    return ""


def roll_emergency_thrust(table: Table, plots: dict[str, Plot]) -> None:
    """Roll for every ship under emergency thrust, in file order, before initiative.

    In `plots`, ships whose drive fails get their fallback plot. Drive hits count at once but do not
    change this turn's move.

    Rules: Continuum "Emergency thrust" 3.6 [pc.emergency-thrust]
    """
    for ship in table.state.ships:
        plot = plots.get(ship.id)
        if plot is not None and plot.find(UseEmergencyThrust) is not None:
            dice_count = emergency_dice_count(ship, plot, table.turn)
            rolls = [table.dice.roll("emergency-thrust", ship.id) for _ in range(dice_count)]
            outcome = strain_drive(table, ship, tuple(rolls))
            if outcome in (FAILED, BURNT_OUT):
                plots[ship.id] = fallback_plot(plot)


def emergency_dice_count(ship: ShipState, plot: Plot, turn: int) -> int:
    """Return the number of dice for emergency thrust.

    One is for thrust above the rating, one for turning beyond the normal limit, and one for each
    earlier use.

    Rules: Continuum "Emergency thrust" 3.6 [pc.emergency-thrust]
    """
    needed = thrust_needed(ship, plot)
    usual = available_thrust(ship, turn)
    limits_exceeded = (needed.main > usual.main) + (needed.turning > usual.turning)
    return limits_exceeded + ship.record.emergency_thrusts


def strain_drive(table: Table, ship: ShipState, rolls: tuple[int, ...]) -> str:
    """Score the dice of emergency thrust, hit the drive, and return the outcome.

    Rules: Continuum "Emergency thrust" 3.6 [pc.emergency-thrust]
    """
    score = sum(SCORES[die] for die in rolls)
    outcome, hits = OUTCOMES[min(score, len(OUTCOMES) - 1)]
    hits = min(hits, ship.alive[ship.profile.drive])
    ship.strain_drive(hits)
    table.tell(EmergencyThrust, ship=ship.id, dice=rolls, score=score, outcome=outcome, hits=hits)
    return outcome

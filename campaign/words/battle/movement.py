"""Sentences of a battle's log about movement, arrival and departure, and the table's movement."""

from __future__ import annotations

from campaign.words.battle.phrases import (
    BattleNames,
    Words,
    dice_words,
    die,
    of_ship,
    plural_words_of,
    point_words,
    ship_words_of,
    words_of,
)
from engine.continuum.boarding import BOARDED
from engine.continuum.striking import SURRENDERED
from engine.core.kinds import ChaseOutcome, Edge, GateOutcome, JumpOutcome, RamOutcome
from engine.core.phrase import join_phrases, phrase
from engine.core.victory import scores_in
from engine.events.battle import (
    BattleOver,
    ShipLeftBehind,
    ShipTakenOver,
    SideDisengaged,
    TableMoved,
)
from engine.events.movement import (
    Docking,
    DockingMissed,
    EntryAnnounced,
    FtlArrival,
    FtlExit,
    FtlWarming,
    LeftTable,
    OrderRefused,
    RamAttempted,
    ReturnGivenUp,
    ShipEscaped,
    ShipMoved,
    ShipReturned,
)
from engine.pieces.gate import GatePassed, GateSet, WaitedForGate


@words_of(LeftTable)
def left_table_words(event: LeftTable, names: BattleNames) -> Words:
    back = phrase("may return in turn {}", event.due) if event.due else phrase("does not return")
    edge = Edge.label_of(event.edge)
    return phrase("{} leaves over the {} and {}", names.of(event.ship), edge, back), die(event.die)


@plural_words_of(LeftTable)
def several_left_table_words(event: LeftTable, names: BattleNames) -> Words:
    back = phrase("may be back in turn {}", event.due) if event.due else phrase("do not return")
    edge = Edge.label_of(event.edge)
    return phrase("{} leave over the {} and {}", names.of(event.ship), edge, back), ""


@words_of(FtlExit)
def ftl_exit_words(event: FtlExit, names: BattleNames) -> Words:
    words = phrase("{} {}", names.of(event.ship), JumpOutcome.label_of(event.outcome))
    return words, die(event.die)


@plural_words_of(FtlExit)
def ftl_exits_words(event: FtlExit, names: BattleNames) -> Words:
    return phrase("{} {}", names.of(event.ship), JumpOutcome.plural_label_of(event.outcome)), ""


@words_of(RamAttempted)
def ram_attempted_words(event: RamAttempted, names: BattleNames) -> Words:
    words = phrase("{} {}", names.of(event.ship), RamOutcome.label_of(event.outcome))
    if event.outcome in (RamOutcome.EVADED, RamOutcome.RAMMED):
        words = join_phrases(" ", (words, names.of(event.target)))
    dice = []
    if event.will:
        dice.append(phrase("crew check {}, needs {}", event.will, event.needs))
    if event.sums:
        dice.append(phrase("totals {}", " ".join(map(str, event.sums))))
    if event.blows:
        dice.append(phrase("damage dice {}", " ".join(map(str, event.blows))))
    return words, join_phrases(", ", dice)


@words_of(GateSet)
def gate_set_words(event: GateSet, _names: BattleNames) -> Words:
    """Describe the activation of a gate."""
    words = phrase("{} is activated and lets ships through from turn {}", event.gate, event.opens)
    return words, die(event.die)


@words_of(GatePassed)
def gate_passed_words(event: GatePassed, names: BattleNames) -> Words:
    """Describe a ship's passage through a gate."""
    outcome = GateOutcome.label_of(event.outcome)
    return phrase("{} {} {}", names.of(event.ship), outcome, event.gate), die(event.die)


@plural_words_of(GatePassed)
def several_passed_gate_words(event: GatePassed, names: BattleNames) -> Words:
    """Describe the passage of several ships through a gate."""
    outcome = GateOutcome.plural_label_of(event.outcome)
    return phrase("{} {} {}", names.of(event.ship), outcome, event.gate), ""


@words_of(WaitedForGate)
def waited_for_gate_words(event: WaitedForGate, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    if not event.until:
        return phrase("{} stays in hyperspace: its gate is gone", ship), ""
    return phrase("{} waits in hyperspace for its gate, until turn {}", ship, event.until), ""


@plural_words_of(WaitedForGate)
def several_waited_for_gate_words(event: WaitedForGate, names: BattleNames) -> Words:
    ships = names.of(event.ship)
    if not event.until:
        return phrase("{} stay in hyperspace: their gate is gone", ships), ""
    return phrase("{} wait in hyperspace for their gate, until turn {}", ships, event.until), ""


@words_of(FtlArrival)
def ftl_arrival_words(event: FtlArrival, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    if event.on_table:
        point = point_words(event.at)
        words = phrase("{} comes out of FTL {}, course {}", ship, point, event.course)
    else:
        words = phrase("{} comes out of FTL beyond the edge of the table", ship)
    return words, dice_words(event.dice)


@plural_words_of(FtlArrival)
def ftl_arrivals_words(event: FtlArrival, names: BattleNames) -> Words:
    if event.on_table:  # each at its own place
        return "", ""
    return phrase("{} come out of FTL beyond the edge of the table", names.of(event.ship)), ""


@words_of(SideDisengaged)
def side_disengaged_words(event: SideDisengaged, names: BattleNames) -> Words:
    side = names.side(event.side)
    edge = Edge.label_of(event.edge)
    words = phrase(
        "{} leaves the table over the {} and {}", side, edge, ChaseOutcome.label_of(event.outcome)
    )
    rolls = []
    for pursuer, die_rolled, total in event.rolls:
        rolls.append(phrase("{} {}, total {}", names.side(pursuer), die_rolled, total))
    return words, phrase("dice {}", join_phrases(", ", rolls)) if rolls else ""


@words_of(TableMoved)
def table_moved_words(event: TableMoved, names: BattleNames) -> Words:
    words = phrase("The table moves by {:.0f}, {:.0f} MU", event.by_x, event.by_y)
    if event.removed:
        ships = join_phrases(", ", (names.of(name) for name in event.removed))
        words = phrase("{}; left behind: {}", words, ships)
    return words, ""


DOCKS = {
    "alongside": phrase("comes alongside"),
    "docked": phrase("docks with"),
    "berthed": phrase("docks inside"),
    "casting-off": phrase("undocks from"),
    "free": phrase("is clear of"),
}


@words_of(EntryAnnounced)
def entry_announced_words(event: EntryAnnounced, names: BattleNames) -> Words:
    return phrase("{} will come out of FTL {}", names.of(event.ship), point_words(event.at)), ""


@words_of(ShipEscaped)
def ship_escaped_words(event: ShipEscaped, names: BattleNames) -> Words:
    edge = Edge.label_of(event.edge)
    return phrase("{} crosses the {} and jumps away", names.of(event.ship), edge), ""


@plural_words_of(ShipEscaped)
def ships_escaped_words(event: ShipEscaped, names: BattleNames) -> Words:
    edge = Edge.label_of(event.edge)
    return phrase("{} cross the {} and jump away", names.of(event.ship), edge), ""


@words_of(Docking)
def docking_words(event: Docking, names: BattleNames) -> Words:
    step = DOCKS.get(event.step, event.step)
    return phrase("{} {} {}", names.of(event.ship), step, names.of(event.near)), ""


@words_of(BattleOver)
def battle_over_words(event: BattleOver, names: BattleNames) -> Words:
    return phrase("The battle is over: {}", end_reason(event, names)), ""


def end_reason(event: BattleOver, names: BattleNames) -> str:
    """Return what decided a battle; a score names the sides as its readers know them."""
    scores = []
    for side, points in scores_in(event.reason):
        scores.append(phrase("{} {}", names.side(side), points))
    return event.reason.format(join_phrases(", ", scores)) if scores else event.reason


# Why a ship changed sides.
TAKEN_OVER = {BOARDED: phrase("boarded"), SURRENDERED: phrase("surrendered")}
OBEYS = phrase("is now commanded by {side}: {cause}")
OBEY = phrase("are now commanded by {side}: {cause}")


@words_of(ShipTakenOver)
def ship_taken_over_words(event: ShipTakenOver, names: BattleNames) -> Words:
    return _taken_over(event, OBEYS, names), ""


@plural_words_of(ShipTakenOver)
def ships_taken_over_words(event: ShipTakenOver, names: BattleNames) -> Words:
    return _taken_over(event, OBEY, names), ""


def _taken_over(event: ShipTakenOver, template: str, names: BattleNames) -> str:
    """Say who commands a ship now, and why."""
    cause = TAKEN_OVER.get(event.cause, event.cause)
    words = template.format(side=names.side(event.side), cause=cause)
    return phrase("{} {}", names.of(event.ship), words)


CANNOT = phrase("cannot carry out “{order}”: {reason}")
UNABLE = phrase("are unable to carry out “{order}”: {reason}")

words_of(ShipMoved)(of_ship(phrase("moves to course {course}, velocity {velocity}")))
ship_words_of(OrderRefused, CANNOT, UNABLE)
ship_words_of(ShipReturned, phrase("returns"), phrase("return"))
ship_words_of(ReturnGivenUp, phrase("does not return"), phrase("do not return"))
ship_words_of(FtlWarming, phrase("warms up its FTL drive"), phrase("warm up their FTL drives"))
ship_words_of(
    DockingMissed,
    phrase("does not come alongside: {reason}"),
    phrase("do not come alongside: {reason}"),
)
ship_words_of(
    ShipLeftBehind,
    phrase("does not take part in the pursuit"),
    phrase("do not take part in the pursuit"),
)

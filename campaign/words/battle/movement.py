"""Words for what moves, comes and goes, ships and the table itself: how lines of a battle's log
about them are made.
"""

from __future__ import annotations

from campaign.words.battle.phrases import Called, Words, dice_words, die, of_ship, place, words_of
from campaign.words.stored_reasons import reason_words
from engine.continuum.boarding import BOARDED
from engine.continuum.striking import SURRENDERED
from engine.core.kinds import ChaseOutcome, Edge, GateOutcome, JumpOutcome, RamOutcome
from engine.core.phrase import joined_phrases, phrase
from engine.events.battle import BattleOver, Disengaged, LeftBehind, TableMoved, TakenOver
from engine.events.movement import (
    Arrived,
    Docking,
    DockingMissed,
    EntryAnnounced,
    Escaped,
    FtlExit,
    FtlWarming,
    GaveUp,
    LeftTable,
    Moved,
    OrderRefused,
    RamTried,
    Returned,
)
from engine.pieces.gate import GatePassed, GateSet


@words_of(LeftTable)
def left_table(event: LeftTable, names: Called) -> Words:
    back = (
        phrase("does not return") if not event.due else phrase("may return in turn {}", event.due)
    )
    edge = Edge.words(event.edge)
    return phrase("{} leaves over the {} and {}", names.of(event.ship), edge, back), die(event.die)


@words_of(FtlExit)
def ftl_exit(event: FtlExit, names: Called) -> Words:
    return phrase("{} {}", names.of(event.ship), JumpOutcome.words(event.outcome)), die(event.die)


@words_of(RamTried)
def ram(event: RamTried, names: Called) -> Words:
    words = phrase("{} {}", names.of(event.ship), RamOutcome.words(event.outcome))
    if event.outcome in (RamOutcome.EVADED, RamOutcome.RAMMED):
        words = joined_phrases(" ", (words, names.of(event.target)))
    dice = [phrase("crew check {}, needs {}", event.will, event.needs)] if event.will else []
    dice += [phrase("totals {}", " ".join(map(str, event.sums)))] if event.sums else []
    dice += [phrase("damage dice {}", " ".join(map(str, event.blows)))] if event.blows else []
    return words, joined_phrases(", ", dice)


@words_of(GateSet)
def gate_set(event: GateSet, _names: Called) -> Words:
    """A gate that is activated."""
    return phrase("{} is activated: it takes ships from turn {} on", event.gate, event.opens), die(
        event.die
    )


@words_of(GatePassed)
def gate_passed(event: GatePassed, names: Called) -> Words:
    """A ship's way through a gate."""
    return phrase(
        "{} {} {}", names.of(event.ship), GateOutcome.words(event.outcome), event.gate
    ), die(event.die)


@words_of(Arrived)
def arrived(event: Arrived, names: Called) -> Words:
    if not event.on_table:
        return phrase(
            "{} comes out of FTL beyond the edge of the table", names.of(event.ship)
        ), dice_words(event.dice)
    words = phrase(
        "{} comes out of FTL {}, course {}", names.of(event.ship), place(event.at), event.course
    )
    return words, dice_words(event.dice)


@words_of(Disengaged)
def disengaged(event: Disengaged, names: Called) -> Words:
    told = (
        phrase("{} {}, total {}", names.side(side), die, total) for side, die, total in event.rolls
    )
    rolls, side = joined_phrases(", ", told), names.side(event.side)
    edge = Edge.words(event.edge)
    words = phrase("{} left over the {} and {}", side, edge, ChaseOutcome.words(event.outcome))
    return words, phrase("dice {}", rolls) if rolls else ""


@words_of(TableMoved)
def table_moved(event: TableMoved, names: Called) -> Words:
    gone = joined_phrases(", ", (names.of(name) for name in event.gone))
    words = phrase("The table moves by {:.0f}, {:.0f} MU", event.by_x, event.by_y)
    return phrase("{}; left behind: {}", words, gone) if gone else words, ""


DOCKS = {
    "alongside": phrase("comes alongside"),
    "docked": phrase("docks with"),
    "berthed": phrase("is berthed in"),
    "casting-off": phrase("undocks from"),
    "free": phrase("is clear of"),
}


@words_of(EntryAnnounced)
def entry_announced(event: EntryAnnounced, names: Called) -> Words:
    return phrase("{} will come out of FTL {}", names.of(event.ship), place(event.at)), ""


@words_of(Escaped)
def escaped(event: Escaped, names: Called) -> Words:
    return phrase(
        "{} crosses the {} and jumps away", names.of(event.ship), Edge.words(event.edge)
    ), ""


@words_of(Docking)
def docking(event: Docking, names: Called) -> Words:
    step = DOCKS.get(event.step, event.step)
    return phrase("{} {} {}", names.of(event.ship), step, names.of(event.near)), ""


@words_of(BattleOver)
def battle_over(event: BattleOver, _names: Called) -> Words:
    return phrase("The battle is over: {}", reason_words(event.why)), ""


# Why a ship obeys another side.
TAKEN_OVER = {BOARDED: phrase("boarded"), SURRENDERED: phrase("surrendered")}
OBEYS = phrase("takes the orders of {side} from now on: {why}")


@words_of(TakenOver)
def taken_over(event: TakenOver, names: Called) -> Words:
    words = OBEYS.format(side=names.side(event.side), why=TAKEN_OVER.get(event.why, event.why))
    return phrase("{} {}", names.of(event.ship), words), ""


words_of(Moved)(of_ship(phrase("moves to course {course}, velocity {velocity}")))
words_of(OrderRefused)(of_ship(phrase("cannot carry out {order}: {why}")))
words_of(Returned)(of_ship(phrase("returns")))
words_of(GaveUp)(of_ship(phrase("does not return")))
words_of(FtlWarming)(of_ship(phrase("warms up its FTL drive")))
words_of(DockingMissed)(of_ship(phrase("does not come alongside: {why}")))
words_of(LeftBehind)(of_ship(phrase("does not take part in the pursuit")))

"""The sentences about goods: loaded, landed, and handed to ships that were short of stores."""

from __future__ import annotations

from collections.abc import Sequence

from campaign.events.cargo import (
    GoodsLanded,
    GoodsLoaded,
    LandingPrevented,
    ShipSupplied,
    SupplyPrevented,
)
from campaign.words.week.reader import NoticeReader
from campaign.words.week.words import EventWords, EventWordsTable, JournalLine, Line
from engine.core.phrase import join_phrases, phrase


def loaded_together(reader: NoticeReader, events: Sequence[GoodsLoaded]) -> list[Line]:
    """Return a line for the ships that loaded the same goods at one place."""
    lines = []
    for goods in dict.fromkeys(event.what for event in events):
        loads = [event for event in events if event.what == goods]
        if len(loads) == 1:
            lines.append(_loaded_line(reader, loads[0]))
            continue
        total = sum(event.amount for event in loads)
        names = join_phrases(", ", [reader.ship(event.ship) for event in loads])
        words = phrase("{} together loaded {} {}.", names, total, phrase(goods))
        lines.append((words, ""))
    return lines


def _loaded_line(reader: NoticeReader, event: GoodsLoaded) -> Line:
    return phrase("{} loaded {} {}.", reader.ship(event.ship), event.amount, phrase(event.what)), ""


def _landed_line(reader: NoticeReader, event: GoodsLanded) -> Line:
    words = phrase("{} landed {} {}.", reader.ship(event.ship), event.amount, phrase(event.what))
    return words, "good"


def _landing_prevented_line(reader: NoticeReader, event: LandingPrevented) -> Line:
    return phrase("{} could not land its {}.", reader.ship(event.ship), phrase(event.what)), "warm"


def _supplied_line(reader: NoticeReader, event: ShipSupplied) -> Line:
    words = phrase(
        "{} was supplied by {}, which used {} of its stores.",
        reader.ship(event.ship),
        reader.ship(event.giver),
        event.stores,
    )
    return words, ""


def _supply_prevented_line(reader: NoticeReader, event: SupplyPrevented) -> Line:
    ship = reader.ship(event.ship)
    return phrase("{} could not be supplied by {}.", ship, reader.ship(event.giver)), "warm"


WORDS: EventWordsTable = {
    GoodsLoaded: EventWords(
        own_line=_loaded_line,
        journal=JournalLine(phrase("{place}: {ship} of {whom} loads {amount} {what}")),
    ),
    GoodsLanded: EventWords(
        own_line=_landed_line,
        journal=JournalLine(phrase("{place}: {ship} of {whom} lands {amount} {what}")),
    ),
    LandingPrevented: EventWords(
        own_line=_landing_prevented_line,
        journal=JournalLine(phrase("{place}: {ship} of {whom} cannot land its {what}")),
    ),
    ShipSupplied: EventWords(
        own_line=_supplied_line,
        journal=JournalLine(phrase("{place}: {giver} of {whom} supplies {ship}")),
    ),
    SupplyPrevented: EventWords(
        own_line=_supply_prevented_line,
        journal=JournalLine(phrase("{place}: {giver} of {whom} cannot supply {ship}")),
    ),
}

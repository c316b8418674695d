"""The sentences about goods: loaded, landed, and handed to ships that were short of stores."""

from __future__ import annotations

from campaign.events.cargo import (
    GoodsLanded,
    GoodsLoaded,
    LandingPrevented,
    ShipSupplied,
    SupplyPrevented,
)
from campaign.words.week.reader import NoticeReader
from campaign.words.week.words import EventWords, EventWordsTable, JournalLine, Line
from engine.core.phrase import phrase


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

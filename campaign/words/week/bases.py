"""The sentences of bases and yards."""

from __future__ import annotations

from campaign.events.bases import (
    HULL,
    InService,
    Launched,
    Modified,
    NotRepaired,
    Rearmed,
    Repaired,
    RepairTried,
    Replenished,
    WorkDropped,
)
from campaign.words.week.reader import NoticeReader, counted
from campaign.words.week.words import EventWords, EventWordsTable, JournalLine, Line, Words
from engine.core.phrase import phrase
from engine.english import kind_words, system_words


def _repaired(reader: NoticeReader, event: Repaired) -> Line:
    ship = reader.ship(event.ship)
    if event.system == HULL:
        return phrase("{}: {} of damage repaired.", ship, counted(event.die, "point")), "good"
    system = system_words(event.system)
    return phrase("{}: {} repaired (rolled {}).", ship, system, event.die), "good"


def _not_repaired(reader: NoticeReader, event: NotRepaired) -> Line:
    ship, system = reader.ship(event.ship), system_words(event.system)
    return phrase("{}: {} not repaired (rolled {}).", ship, system, event.die), ""


def _system(event: RepairTried | Rearmed) -> Words:
    return {"system": system_words(event.system)}


def _replenished(reader: NoticeReader, event: Replenished) -> Line:
    return phrase("{} was replenished.", reader.ship(event.ship)), "good"


def _rearmed(reader: NoticeReader, event: Rearmed) -> Line:
    ship, system = reader.ship(event.ship), system_words(event.system)
    if event.load:
        return phrase("{}: {} loaded with {}.", ship, system, kind_words(event.load)), "good"
    return phrase("{}: {} loaded as it was designed.", ship, system), "good"


def _in_service(reader: NoticeReader, event: InService) -> Line:
    return phrase("{} is back in service.", reader.ship(event.ship)), "good"


def _launched(reader: NoticeReader, event: Launched) -> Line:
    points = counted(event.points, "point")
    ship = reader.ship(event.ship)
    return phrase("{} ({}) was launched for {}.", ship, event.ship_class, points), "good"


def _modified(reader: NoticeReader, event: Modified) -> Line:
    points = counted(event.points, "point")
    ship = reader.ship(event.ship)
    return phrase("{} was rebuilt as {} for {}.", ship, event.ship_class, points), "good"


def _work_dropped(_: NoticeReader, event: WorkDropped) -> Line:
    return phrase(
        "A ship that was to be rebuilt as {} is gone: the yard dropped the work.", event.ship_class
    ), "warm"


WORDS: EventWordsTable = {
    Repaired: EventWords(
        own=_repaired,
        journal=JournalLine(
            phrase("{place}: {ship} of {whom} repairs its {system} (die {die})"), _system
        ),
    ),
    NotRepaired: EventWords(
        own=_not_repaired,
        journal=JournalLine(
            phrase("{place}: {ship} of {whom} fails to repair its {system} (die {die})"), _system
        ),
    ),
    Replenished: EventWords(
        own=_replenished, journal=JournalLine(phrase("{place}: {ship} of {whom} is replenished"))
    ),
    Rearmed: EventWords(
        own=_rearmed,
        journal=JournalLine(
            phrase("{place}: {ship} of {whom} changes the load of its {system}: {load}"), _system
        ),
    ),
    InService: EventWords(
        own=_in_service,
        journal=JournalLine(phrase("{place}: {ship} of {whom} is fit for service again")),
    ),
    Launched: EventWords(
        own=_launched,
        journal=JournalLine(phrase("{place}: {whom} launches {ship} ({class}), {points:point}")),
    ),
    Modified: EventWords(
        own=_modified,
        journal=JournalLine(
            phrase("{place}: {ship} of {whom} is rebuilt as {class}, {points:point}")
        ),
    ),
    WorkDropped: EventWords(
        own=_work_dropped,
        journal=JournalLine(
            phrase("{place}: the yard of {whom} waits in vain for a ship that is gone")
        ),
    ),
}

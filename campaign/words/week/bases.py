"""The sentences about bases and yards."""

from __future__ import annotations

from campaign.events.bases import (
    HULL,
    RepairAttempt,
    RepairFailed,
    RepairSucceeded,
    ShipBackInService,
    ShipLaunched,
    ShipModified,
    ShipReplenished,
    StationSeen,
    SystemRearmed,
    WorkDropped,
)
from campaign.words.week.reader import NoticeReader, counted_words
from campaign.words.week.words import EventWords, EventWordsTable, JournalLine, Line, Words
from engine.core.phrase import phrase
from engine.english import kind_words, system_words


def _repaired_line(reader: NoticeReader, event: RepairSucceeded) -> Line:
    ship = reader.ship(event.ship)
    if event.system == HULL:
        return phrase("{}: {} of damage repaired.", ship, counted_words(event.die, "point")), "good"
    system = system_words(event.system)
    return phrase("{}: {} repaired (rolled {}).", ship, system, event.die), "good"


def _not_repaired_line(reader: NoticeReader, event: RepairFailed) -> Line:
    ship = reader.ship(event.ship)
    system = system_words(event.system)
    return phrase("{}: {} not repaired (rolled {}).", ship, system, event.die), ""


def _system_value(event: RepairAttempt | SystemRearmed) -> Words:
    return {"system": system_words(event.system)}


def _replenished_line(reader: NoticeReader, event: ShipReplenished) -> Line:
    return phrase("{} was replenished.", reader.ship(event.ship)), "good"


def _rearmed_line(reader: NoticeReader, event: SystemRearmed) -> Line:
    ship = reader.ship(event.ship)
    system = system_words(event.system)
    if event.load:
        return phrase("{}: {} loaded with {}.", ship, system, kind_words(event.load)), "good"
    return phrase("{}: {} loaded as designed.", ship, system), "good"


def _in_service_line(reader: NoticeReader, event: ShipBackInService) -> Line:
    return phrase("{} is back in service.", reader.ship(event.ship)), "good"


def _launched_line(reader: NoticeReader, event: ShipLaunched) -> Line:
    points = counted_words(event.points, "point")
    ship = reader.ship(event.ship)
    return phrase("{} ({}) was launched for {}.", ship, phrase(event.ship_class), points), "good"


def _modified_line(reader: NoticeReader, event: ShipModified) -> Line:
    points = counted_words(event.points, "point")
    ship = reader.ship(event.ship)
    return phrase("{} was rebuilt as {} for {}.", ship, phrase(event.ship_class), points), "good"


def _work_dropped_line(_: NoticeReader, event: WorkDropped) -> Line:
    return phrase(
        "A ship to be rebuilt as {} no longer exists: the yard dropped the work.",
        phrase(event.ship_class),
    ), "warm"


def _station_line(reader: NoticeReader, event: StationSeen) -> Line:
    if not event.faction:
        return phrase("The station {} is destroyed.", event.name), "warm"
    power = reader.power(event.faction)
    if event.lost_gates:
        return phrase(
            "The station {} ({}) has lost {} of its {} damage points; its gate is out of order.",
            event.name,
            power,
            event.damage,
            event.points,
        ), "warm"
    return phrase(
        "The station {} ({}) has lost {} of its {} damage points.",
        event.name,
        power,
        event.damage,
        event.points,
    ), "warm"


WORDS: EventWordsTable = {
    RepairSucceeded: EventWords(
        own_line=_repaired_line,
        journal=JournalLine(
            phrase("{place}: {ship} of {whom} repairs its {system} (die {die})"), _system_value
        ),
    ),
    RepairFailed: EventWords(
        own_line=_not_repaired_line,
        journal=JournalLine(
            phrase("{place}: {ship} of {whom} fails to repair its {system} (die {die})"),
            _system_value,
        ),
    ),
    StationSeen: EventWords(
        other_line=_station_line,
        journal=JournalLine(phrase("{place}: {whom} see the damage of the station {name}")),
    ),
    ShipReplenished: EventWords(
        own_line=_replenished_line,
        journal=JournalLine(phrase("{place}: {ship} of {whom} is replenished")),
    ),
    SystemRearmed: EventWords(
        own_line=_rearmed_line,
        journal=JournalLine(
            phrase("{place}: {ship} of {whom} changes the load of its {system}: {load}"),
            _system_value,
        ),
    ),
    ShipBackInService: EventWords(
        own_line=_in_service_line,
        journal=JournalLine(phrase("{place}: {ship} of {whom} is fit for service again")),
    ),
    ShipLaunched: EventWords(
        own_line=_launched_line,
        journal=JournalLine(phrase("{place}: {whom} launches {ship} ({class}), {points:point}")),
    ),
    ShipModified: EventWords(
        own_line=_modified_line,
        journal=JournalLine(
            phrase("{place}: {ship} of {whom} is rebuilt as {class}, {points:point}")
        ),
    ),
    WorkDropped: EventWords(
        own_line=_work_dropped_line,
        journal=JournalLine(
            phrase("{place}: the yard of {whom} drops work on a ship that no longer exists")
        ),
    ),
}

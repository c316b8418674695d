"""Foreign classes as a faction was shown them in its battles: what it read of each, and nothing
else of it. Pure.

A stop that asked it for orders has the ships that it has identified with their record sheets; other
stops, and battles that captains fought, have the names of their classes and what scans told. What
was not read is left out, never guessed.
Rules: Continuum "Information" 2.6 [pc.open-book]; Continuum "Advanced sensors" 12.2 [pc.sensors]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.rules.class_cards import fitting_words
from campaign.rules.class_figures import (
    CPV,
    MASS,
    POINTS,
    SIZE,
    SYSTEMS,
    THRUST,
    describe_figures,
    thrust_words,
)
from campaign.rules.designs import ship_class
from campaign.rules.encountered_classes import foreign_contacts
from campaign.rules.queries import own_class_name, ship_classes
from campaign.rules.scenario import Scenario, ShipClass
from engine.battle import battle_from
from engine.core.kinds import ScanDetail
from engine.core.phrase import join_phrases, phrase
from engine.core.ship import ShipState
from engine.english import system_words, times_words
from engine.notation.designs import load_sheet, parse_design
from engine.notation.extra_marines import CREW
from engine.view.hidden_loadouts import hidden_systems

DETAIL_OF_SHEET = ScanDetail.EVERYTHING + 1  # how much a record sheet tells: more than any scan
Class = tuple[str, str]  # whose, and its name


@dataclass(frozen=True, slots=True)
class ForeignClass:
    """A class of others.

    `side`: whose; `week`: when it was read so; `read`: how much, as a scan counts it.

    `figures`: those that are known, by their names. `design`: where the record sheet was read; what
    its bays and magazines hold is known only where it is `whole`.
    """

    side: str
    name: str
    week: int
    detail: int
    figures: Mapping[str, str]
    design: Mapping[str, Any] | None = None
    is_complete: bool = False


def merge_readings(readings: Iterable[ForeignClass]) -> dict[Class, ForeignClass]:
    """Of each class what was read most of, and of that the newest: it may have been drawn anew, so
    what was read of two ships is not put together.
    """
    best: dict[Class, ForeignClass] = {}
    for reading in readings:
        best_so_far = best.get((reading.side, reading.name))
        if best_so_far is None or (reading.detail, reading.week) >= (
            best_so_far.detail,
            best_so_far.week,
        ):
            best[reading.side, reading.name] = reading
    return dict(sorted(best.items()))


def read_at_stops(sheets: Sequence[Mapping[str, Any]]) -> tuple[ForeignClass, ...]:
    """What the sheets of a battle's stops tell; the newest of what tells as much."""
    best: dict[Class, ForeignClass] = {}
    for sheet in reversed(sheets):
        ships: dict[str, ShipState] | None = None
        for contact in foreign_contacts(sheet["view"], sheet["at"]):
            reading = _from_contact(contact, sheet["sides"], sheet["week"])
            if (
                "known" in sheet
                and contact.get("told", ScanDetail.EVERYTHING) >= ScanDetail.SYSTEMS
            ):
                reading = replace(reading, detail=DETAIL_OF_SHEET)
            best_so_far = best.get((reading.side, reading.name))
            if best_so_far is not None and best_so_far.detail >= reading.detail:
                continue
            if reading.detail == DETAIL_OF_SHEET:
                if ships is None:
                    ships = {str(ship.id): ship for ship in battle_from(sheet["known"]).state.ships}
                reading = _with_sheet(reading, ships[str(contact["id"])], sheet["known"]["options"])
            best[reading.side, reading.name] = reading
    return tuple(best.values())


def read_in_report(body: Mapping[str, Any], week: int) -> tuple[ForeignClass, ...]:
    """What the report of a battle tells."""
    mine = body["sides"].index(body["side"])
    readings = (
        _from_contact(contact, body["sides"], week)
        for stop in body["stops"]
        if stop
        for contact in foreign_contacts(stop, mine)
    )
    return tuple(merge_readings(readings).values())


def fully_scanned_classes(
    scenario: Scenario, readings: Iterable[ForeignClass]
) -> tuple[ShipClass, ...]:
    """The classes beyond a catalogue whose whole record sheets were read, by their names in worlds
    and orders.

    Allies who fought as one are not told apart: each has them.
    """
    published = ship_classes(scenario)
    return tuple(
        replace(
            ship_class(load_sheet(reading.design, options=scenario.options)),
            name=own_class_name(faction, reading.name),
        )
        for reading in merge_readings(readings).values()
        if reading.design is not None and reading.is_complete and reading.name not in published
        for faction in reading.side.split("+")
    )


def _from_contact(contact: Mapping[str, Any], sides: Sequence[str], week: int) -> ForeignClass:
    """What a contact tells by itself: its size, and what scans of a closed record sheet have
    told.
    """
    figures = {SIZE: phrase(str(contact["classification"]))}
    if "mass" in contact:
        figures[MASS] = str(contact["mass"])
    if "thrust" in contact:
        figures[THRUST] = thrust_words(contact["thrust"], contact["drive"])
    detail = int(contact.get("told", ScanDetail.NOTHING))
    if "systems" in contact:
        there = Counter(str(name).rpartition("-")[0] or str(name) for name in contact["systems"])
        words = [times_words(count, system_words(type_)) for type_, count in there.items()]
        if detail < ScanDetail.SYSTEMS:
            words = [*(words or [phrase("no screens")]), phrase("others unknown")]
        figures[SYSTEMS] = join_phrases("; ", words)
    side = sides[contact.get("owner", contact["side"])]
    return ForeignClass(side, str(contact["class"]), week, detail, figures)


def _with_sheet(contact: ForeignClass, ship: ShipState, options: Sequence[str]) -> ForeignClass:
    """The same where the record sheet was read: what lies in bays and magazines it does not tell,
    nor what it costs.
    """
    design = {key: value for key, value in ship.sheet.design.items() if key != CREW}
    figures, closed = (
        describe_figures(design, options),
        hidden_systems(ship.sheet, ship.record.shown),
    )
    if closed:
        words = []
        numbers: Counter[str] = Counter()
        for row in parse_design(design, options=options).systems:
            first = numbers[row.type] + 1
            numbers[row.type] += row.count
            if closed.isdisjoint(
                f"{row.type}-{number}" for number in range(first, first + row.count)
            ):
                words.append(fitting_words(row))
            else:
                words.append(
                    phrase("{}: unknown load", fitting_words(replace(row, load=(), mods=())))
                )
        figures |= {SYSTEMS: join_phrases("; ", words), MASS: str(ship.sheet.mass)}
        del figures[POINTS], figures[CPV]
    return replace(contact, figures=figures, design=design, is_complete=not closed)

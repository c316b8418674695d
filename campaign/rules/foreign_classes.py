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
    figures_told,
    thrust_words,
)
from campaign.rules.classes_met import foreign_contacts
from campaign.rules.designs import ship_class
from campaign.rules.queries import own_class, ship_classes
from campaign.rules.scenario import Scenario, ShipClass
from engine.battle import battle_from
from engine.core.kinds import Reading
from engine.core.phrase import joined_phrases, phrase
from engine.core.ship import ShipState
from engine.english import system_words, times
from engine.notation.crews import CREW
from engine.notation.designs import load_sheet, parse_design
from engine.view.shut_stores import shut

SHEET = Reading.WHOLE + 1  # how much a record sheet tells: more than any scan
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
    read: int
    figures: Mapping[str, str]
    design: Mapping[str, Any] | None = None
    whole: bool = False


def foreign_classes(found: Iterable[ForeignClass]) -> dict[Class, ForeignClass]:
    """Of each class what was read most of, and of that the newest: it may have been drawn anew, so
    what was read of two ships is not put together.
    """
    best: dict[Class, ForeignClass] = {}
    for one in found:
        known = best.get((one.side, one.name))
        if known is None or (one.read, one.week) >= (known.read, known.week):
            best[one.side, one.name] = one
    return dict(sorted(best.items()))


def read_at_stops(sheets: Sequence[Mapping[str, Any]]) -> tuple[ForeignClass, ...]:
    """What the sheets of a battle's stops tell; the newest of what tells as much."""
    best: dict[Class, ForeignClass] = {}
    for sheet in reversed(sheets):
        ships: dict[str, ShipState] | None = None
        for contact in foreign_contacts(sheet["view"], sheet["at"]):
            found = _of_contact(contact, sheet["sides"], sheet["week"])
            if "known" in sheet and contact.get("told", Reading.WHOLE) >= Reading.SYSTEMS:
                found = replace(found, read=SHEET)
            known = best.get((found.side, found.name))
            if known is not None and known.read >= found.read:
                continue
            if found.read == SHEET:
                if ships is None:
                    ships = {str(ship.id): ship for ship in battle_from(sheet["known"]).state.ships}
                found = _of_sheet(found, ships[str(contact["id"])], sheet["known"]["options"])
            best[found.side, found.name] = found
    return tuple(best.values())


def read_in_report(body: Mapping[str, Any], week: int) -> tuple[ForeignClass, ...]:
    """What the report of a battle tells."""
    mine = body["sides"].index(body["side"])
    found = (
        _of_contact(contact, body["sides"], week)
        for stop in body["stops"]
        if stop
        for contact in foreign_contacts(stop, mine)
    )
    return tuple(foreign_classes(found).values())


def designs_read(scenario: Scenario, found: Iterable[ForeignClass]) -> tuple[ShipClass, ...]:
    """The classes beyond a catalogue whose whole record sheets were read, by their names in worlds
    and orders.

    Allies who fought as one are not told apart: each has them.
    """
    published = ship_classes(scenario)
    return tuple(
        replace(
            ship_class(load_sheet(one.design, options=scenario.options)),
            name=own_class(faction, one.name),
        )
        for one in foreign_classes(found).values()
        if one.design is not None and one.whole and one.name not in published
        for faction in one.side.split("+")
    )


def _of_contact(contact: Mapping[str, Any], sides: Sequence[str], week: int) -> ForeignClass:
    """What a contact tells by itself: its size, and what scans of a closed record sheet have
    told.
    """
    figures = {SIZE: phrase(str(contact["classification"]))}
    if "mass" in contact:
        figures[MASS] = str(contact["mass"])
    if "thrust" in contact:
        figures[THRUST] = thrust_words(contact["thrust"], contact["drive"])
    read = int(contact.get("told", Reading.NOTHING))
    if "systems" in contact:
        there = Counter(str(name).rpartition("-")[0] or str(name) for name in contact["systems"])
        words = [times(many, system_words(type_)) for type_, many in there.items()]
        if read < Reading.SYSTEMS:
            words = [*(words or [phrase("no screens")]), phrase("others unknown")]
        figures[SYSTEMS] = joined_phrases("; ", words)
    side = sides[contact.get("owner", contact["side"])]
    return ForeignClass(side, str(contact["class"]), week, read, figures)


def _of_sheet(contact: ForeignClass, ship: ShipState, options: Sequence[str]) -> ForeignClass:
    """The same where the record sheet was read: what lies in bays and magazines it does not tell,
    nor what it costs.
    """
    design = {key: value for key, value in ship.sheet.design.items() if key != CREW}
    figures, closed = figures_told(design, options), shut(ship.sheet, ship.record.shown)
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
        figures |= {SYSTEMS: joined_phrases("; ", words), MASS: str(ship.sheet.mass)}
        del figures[POINTS], figures[CPV]
    return replace(contact, figures=figures, design=design, whole=not closed)

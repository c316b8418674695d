"""Foreign classes as a faction saw them in its battles.

A phase that asked the faction for orders shows identified ships with their record sheets; other
phases, and battles fought by captains, show class names and scan results. What the faction did not
see is left out, never guessed. All functions are pure.

Rules: Continuum "Information" 2.6 [pc.open-book]; Continuum "Advanced sensors" 12.2 [pc.sensors]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
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

DETAIL_OF_SHEET = ScanDetail.EVERYTHING + 1  # a record sheet shows more than any scan
Class = tuple[str, str]  # the side that has it, and its name


@dataclass(frozen=True, slots=True)
class ForeignClass:
    """A ship class of another side, as far as it is known.

    Attributes:
        side: The side that has it.
        week: The week in which it was seen so.
        detail: How much is known, on the scale of scans (`ScanDetail`).
        figures: The known figures, by name.
        design: The design, if the record sheet was seen.
        is_complete: Whether `design` includes the contents of bays and magazines.
    """

    side: str
    name: str
    week: int
    detail: int
    figures: Mapping[str, str]
    design: Mapping[str, Any] | None = None
    is_complete: bool = False


def merge_readings(readings: Iterable[ForeignClass]) -> dict[Class, ForeignClass]:
    """Return the most detailed reading of each class, and of equal ones the newest.

    Two readings are not combined, because the class may have been redesigned in between.
    """
    best: dict[Class, ForeignClass] = {}
    for reading in readings:
        key = (reading.side, reading.name)
        earlier = best.get(key)
        if earlier is None or _quality(reading) >= _quality(earlier):
            best[key] = reading
    return dict(sorted(best.items()))


def _quality(reading: ForeignClass) -> tuple[int, int]:
    """Return the sort key of readings of one class: more detail is better, then a later week."""
    return (reading.detail, reading.week)


def read_at_phases(sheets: Sequence[Mapping[str, Any]]) -> tuple[ForeignClass, ...]:
    """Return what sheets of a battle's phases show of each class, the newest of equal detail."""
    best: dict[Class, ForeignClass] = {}
    for sheet in reversed(sheets):
        ships: dict[str, ShipState] | None = None  # read only if a record sheet is needed
        for contact in foreign_contacts(sheet["view"], sheet["at"]):
            reading = _from_contact(contact, sheet["sides"], sheet["week"])
            if "battle_document" in sheet and _shows_sheet(contact):
                reading = replace(reading, detail=DETAIL_OF_SHEET)
            key = (reading.side, reading.name)
            later = best.get(key)
            if later is not None and later.detail >= reading.detail:
                continue
            if reading.detail == DETAIL_OF_SHEET:
                document = sheet["battle_document"]
                if ships is None:
                    ships = {str(ship.id): ship for ship in battle_from(document).state.ships}
                reading = _with_sheet(reading, ships[str(contact["id"])], document["options"])
            best[key] = reading
    return tuple(best.values())


def _shows_sheet(contact: Mapping[str, Any]) -> bool:
    """Return whether a contact's record sheet is open, or scanned as far as its systems."""
    return bool(contact.get("scan_detail", ScanDetail.EVERYTHING) >= ScanDetail.SYSTEMS)


def read_in_report(body: Mapping[str, Any], week: int) -> tuple[ForeignClass, ...]:
    """Return what the report of a battle shows of each class."""
    own_side = body["sides"].index(body["side"])
    readings = []
    for phase in body["phases"]:
        if phase:
            for contact in foreign_contacts(phase, own_side):
                readings.append(_from_contact(contact, body["sides"], week))
    return tuple(merge_readings(readings).values())


def fully_scanned_classes(
    scenario: Scenario, readings: Iterable[ForeignClass]
) -> tuple[ShipClass, ...]:
    """Return the classes beyond the catalogue whose complete record sheets were seen.

    They have their names in worlds and orders. Allies on one side are not told apart: each gets
    them.
    """
    public_classes = ship_classes(scenario)
    classes: list[ShipClass] = []
    for reading in merge_readings(readings).values():
        if reading.design is None or not reading.is_complete or reading.name in public_classes:
            continue
        cls = ship_class(load_sheet(reading.design, options=scenario.options))
        for faction in reading.side.split("+"):
            classes.append(replace(cls, name=own_class_name(faction, reading.name)))
    return tuple(classes)


def _from_contact(contact: Mapping[str, Any], sides: Sequence[str], week: int) -> ForeignClass:
    """Return what a contact alone shows: its size, and scan results of a closed record sheet."""
    figures = {SIZE: phrase(str(contact["classification"]))}
    if "mass" in contact:
        figures[MASS] = str(contact["mass"])
    if "thrust" in contact:
        figures[THRUST] = thrust_words(contact["thrust"], contact["drive"])
    detail = int(contact.get("scan_detail", ScanDetail.NOTHING))
    if "systems" in contact:
        figures[SYSTEMS] = _scanned_systems(contact["systems"], detail)
    return ForeignClass(
        side=sides[contact.get("owner", contact["side"])],
        name=str(contact["class"]),
        week=week,
        detail=detail,
        figures=figures,
    )


def _scanned_systems(names: Iterable[object], detail: int) -> str:
    """Return scanned systems as text; a scan of little detail shows only screens."""
    counts = Counter(str(name).rpartition("-")[0] or str(name) for name in names)
    words = [times_words(count, system_words(type_)) for type_, count in counts.items()]
    if detail < ScanDetail.SYSTEMS:
        if not words:
            words.append(phrase("no screens"))
        words.append(phrase("others unknown"))
    return join_phrases("; ", words)


def _with_sheet(contact: ForeignClass, ship: ShipState, options: Sequence[str]) -> ForeignClass:
    """Add what the record sheet shows, which excludes costs and hidden contents of bays."""
    design = {key: value for key, value in ship.sheet.design.items() if key != CREW}
    figures = describe_figures(design, options)
    hidden = hidden_systems(ship.sheet, ship.record.revealed_bays)
    if hidden:
        figures[SYSTEMS] = _systems_without_loads(design, options, hidden)
        figures[MASS] = str(ship.sheet.mass)
        del figures[POINTS], figures[CPV]
    return replace(contact, figures=figures, design=design, is_complete=not hidden)


def _systems_without_loads(
    design: Mapping[str, Any], options: Sequence[str], hidden: Collection[str]
) -> str:
    """Return the systems of a design as text, without the loads of the hidden ones."""
    words = []
    counts: Counter[str] = Counter()  # systems of each type so far, which number their ids
    for row in parse_design(design, options=options).systems:
        first = counts[row.type] + 1
        counts[row.type] += row.count
        ids = [f"{row.type}-{number}" for number in range(first, first + row.count)]
        if any(id_ in hidden for id_ in ids):
            without_load = replace(row, load=(), mods=())
            words.append(phrase("{}: unknown load", fitting_words(without_load)))
        else:
            words.append(fitting_words(row))
    return join_phrases("; ", words)

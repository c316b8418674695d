"""Fleets as JSON: an edition, ships, and what limits them (`KEYS`).

A ship is the name of a class that comes with the project, or a mapping of `class` or `design` and a
`count`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.limits import SHIPS_OF_A_WAR
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.design.fleets import LIMITS
from engine.design.restrictions import (
    NO_RESTRICTIONS,
    Restrictions,
    barred_faults,
    class_fault,
)
from engine.design.value import Design
from engine.notation.designs import load_sheet, sheet_of
from engine.notation.reading import Reader
from engine.notation.restrictions import RESTRICTION_KEYS, read_restrictions
from engine.ruleset import rules_of, ruleset

KEYS = ("edition", "ships", "points", "limits", "without_ftl", "options", *RESTRICTION_KEYS)
SHIP_KEYS = ("class", "design", "count")
MAX_EQUAL = 1000


@dataclass(frozen=True, slots=True)
class FleetList:
    """A fleet and the limits it must satisfy.

    Attributes:
        barred: The faults of ships that carry, or are, something barred.
    """

    ships: tuple[Sheet, ...]
    points: int | None
    limits: tuple[str, ...]
    without_ftl: bool
    barred: tuple[Violation, ...] = ()
    options: tuple[str, ...] = ()


def read_fleet(
    data: object,
    classes: Mapping[str, Design],
    options: tuple[str, ...] = (),
    restrictions: Restrictions = NO_RESTRICTIONS,
) -> FleetList:
    """Return a fleet from its document.

    Args:
        classes: The classes that the document may name.
        options: Options in force besides those of the document.
        restrictions: What is barred in addition to the lists of the document.

    Raises:
        RuleViolations: With every fault.
    """
    reader = Reader()
    if not isinstance(data, Mapping):
        reader.fault("", "not-a-mapping", phrase("a fleet must be an object with keys and values"))
        raise RuleViolations(reader.faults)
    reader.keys(data, KEYS, "")
    edition = reader.text(data, "edition")
    own_options = [str(option) for option in reader.items(data, "options", default=())]
    agreed = tuple(dict.fromkeys((*own_options, *options)))
    try:
        if edition:
            ruleset(edition, agreed)
    except RuleViolations as unknown:
        raise RuleViolations((*reader.faults, *unknown.violations)) from unknown
    limits = _limits(reader, data)
    points = reader.number(data, "points") if "points" in data else None
    without_ftl = reader.flag(data, "without_ftl")
    bars = read_restrictions(reader, data, edition, restrictions)
    rows = _read_rows(reader, data, options=agreed, classes=classes)
    if reader.faults:
        raise RuleViolations(reader.faults)
    ships: list[Sheet] = []
    for row in rows:
        ships += row.sheets
    return FleetList(tuple(ships), points, limits, without_ftl, _barred(rows, bars), agreed)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a fleet: equal ships, and where their class or design is given."""

    sheets: tuple[Sheet, ...]
    where: str
    is_own_design: bool


def _barred(rows: Sequence[_Row], restrictions: Restrictions) -> tuple[Violation, ...]:
    """Return the faults of rows that carry, or are, something barred."""
    faults: list[Violation] = []
    for row in rows:
        for sheet in row.sheets[:1]:
            rules = rules_of(sheet.edition)
            if row.is_own_design:
                faults += barred_faults(sheet.design, restrictions, rules, row.where)
            elif fault := class_fault(sheet.design, restrictions, rules, row.where):
                faults.append(fault)
    return tuple(faults)


def _limits(reader: Reader, data: Mapping[object, object]) -> tuple[str, ...]:
    """Return the limits that a fleet must satisfy."""
    limits = tuple(str(limit) for limit in reader.items(data, "limits", default=()))
    for number, limit in enumerate(limits):
        if limit not in LIMITS:
            words = phrase("no limit {!r}; choose from {}", limit, ", ".join(LIMITS))
            reader.fault(fault_path("limits", number), "unknown-limit", words)
    return limits


def _read_rows(
    reader: Reader,
    data: Mapping[object, object],
    *,
    options: tuple[str, ...],
    classes: Mapping[str, Design],
) -> list[_Row]:
    """Return the rows of a fleet; none if it has too many ships."""
    items = reader.items(data, "ships")
    if _count_ships(items) > SHIPS_OF_A_WAR:
        reader.fault(
            "ships", "too-many-ships", phrase("a fleet can have at most {} ships", SHIPS_OF_A_WAR)
        )
        return []
    rows = []
    for number, item in enumerate(items):
        where = fault_path("ships", number)
        sheets = _ships(item, where=where, options=options, classes=classes, reader=reader)
        is_own_design = isinstance(item, Mapping) and "design" in item
        key = "design" if is_own_design else "class"
        rows.append(_Row(tuple(sheets), f"{where}.{key}", is_own_design))
    return rows


def _count_ships(rows: Sequence[object]) -> int:
    """Return the number of listed ships; unreadable counts are one."""
    total = 0
    for row in rows:
        count = row.get("count", 1) if isinstance(row, Mapping) else 1
        total += count if isinstance(count, int) and count > 0 else 1
    return total


def _ships(
    item: object,
    where: str,
    options: tuple[str, ...],
    classes: Mapping[str, Design],
    reader: Reader,
) -> list[Sheet]:
    """Return the sheets of one row: one ship, or several of a class."""
    ship = {"class": item} if isinstance(item, str) else item
    if not isinstance(ship, Mapping) or ("class" in ship) == ("design" in ship):
        reader.fault(where, "class-or-design", phrase("a ship needs either a class or a design"))
        return []
    reader.keys(ship, SHIP_KEYS, where)
    count = reader.number(ship, "count", where, default=1)
    if not 1 <= count <= MAX_EQUAL:
        reader.fault(f"{where}.count", "count", phrase("a count must be from 1 to {}", MAX_EQUAL))
        return []
    if "design" in ship:
        try:
            return [load_sheet(ship["design"], f"{where}.design", options)] * count
        except RuleViolations as bad:
            reader.faults.extend(bad.violations)
            return []
    name = reader.text(ship, "class", where)
    if name not in classes:
        reader.fault(
            f"{where}.class",
            "unknown-class",
            phrase("no class {!r}; choose from {}", name, ", ".join(classes)),
        )
        return []
    return [sheet_of(classes[name], options)] * count

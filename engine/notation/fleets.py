"""Fleets as JSON: `edition`, `ships` and optionally `points`, `limits`, `without_ftl`, `options`.

A ship is the name of a class that comes with the project, or a mapping of `class` or `design` and a
`count`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.errors import RuleViolations, fault_path
from engine.core.limits import SHIPS_OF_A_WAR
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.design.fleets import LIMITS
from engine.design.value import Design
from engine.notation.designs import load_sheet, sheet_of
from engine.notation.reading import Reader
from engine.ruleset import ruleset

KEYS = ("edition", "ships", "points", "limits", "without_ftl", "options")
SHIP_KEYS = ("class", "design", "count")
MAX_EQUAL = 1000


@dataclass(frozen=True, slots=True)
class FleetList:
    """A fleet and the limits it must satisfy."""

    ships: tuple[Sheet, ...]
    points: int | None
    limits: tuple[str, ...]
    without_ftl: bool


def read_fleet(
    data: object, classes: Mapping[str, Design], options: tuple[str, ...] = ()
) -> FleetList:
    """Return a fleet from its document.

    Args:
        classes: The classes that the document may name.
        options: Options in force besides those of the document.

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
    ships = _all_ships(reader, data, options=agreed, classes=classes)
    if reader.faults:
        raise RuleViolations(reader.faults)
    return FleetList(ships, points, limits, without_ftl)


def _limits(reader: Reader, data: Mapping[object, object]) -> tuple[str, ...]:
    """Return the limits that a fleet must satisfy."""
    limits = tuple(str(limit) for limit in reader.items(data, "limits", default=()))
    for number, limit in enumerate(limits):
        if limit not in LIMITS:
            words = phrase("no limit {!r}; choose from {}", limit, ", ".join(LIMITS))
            reader.fault(fault_path("limits", number), "unknown-limit", words)
    return limits


def _all_ships(
    reader: Reader,
    data: Mapping[object, object],
    *,
    options: tuple[str, ...],
    classes: Mapping[str, Design],
) -> tuple[Sheet, ...]:
    """Return the sheets of all ships of a fleet; none if there are too many."""
    rows = reader.items(data, "ships")
    if _count_ships(rows) > SHIPS_OF_A_WAR:
        reader.fault(
            "ships", "too-many-ships", phrase("a fleet can have at most {} ships", SHIPS_OF_A_WAR)
        )
        return ()
    ships: list[Sheet] = []
    for number, item in enumerate(rows):
        where = fault_path("ships", number)
        ships += _ships(item, where=where, options=options, classes=classes, reader=reader)
    return tuple(ships)


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

"""Any input as a design, fleet or builder's ship gives faults with places, and no other error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli.design import price_design
from engine.continuum.edition import CONTINUUM
from engine.core.errors import RuleViolations, Violation
from engine.notation.designs import design_json, read_design
from engine.notation.files import fixture_classes
from engine.notation.fleets import read_fleet
from engine.notation.ftlibship_export import to_ftlibship
from engine.notation.ftlibship_import import from_ftlibship
from tests.engine.design.continuum_designs import ship, system_entry

pytestmark = pytest.mark.rule("pc.design")

CLASSES = fixture_classes("continuum")
SHIPS = [design_json(design) for design in CLASSES.values()]
FTLIBSHIP_SHIPS = [
    to_ftlibship(design, CONTINUUM) for design in CLASSES.values() if design.kind != "installation"
]
FLEET = {
    "edition": "continuum",
    "ships": ["Frigate", {"class": "Frigate", "count": 2}, {"design": ship()}],
}

KEYS = (
    "class",
    "load",
    "turret",
    "mods",
    "arcs",
    "count",
    "type",
    "id",
    "name",
    "level",
    "mass",
    "hull",
    "systems",
)
JUNK = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        7,
        10**9,
        1.5,
        "",
        "x",
        "F",
        "beam",
        [],
        ["F"],
        {},
        {"a": 1},
        {5: 6},
        "turret-1",
        [[1, 2]],
    ]
)


def spoiled(document: Any, data: st.DataObject) -> Any:
    """Return the document with something else in one place."""
    if isinstance(document, dict) and document:
        key = data.draw(st.sampled_from([*document, *KEYS]))
        return document | {key: _spoil_within(document.get(key), data)}
    if isinstance(document, list) and document:
        at = data.draw(st.integers(0, len(document) - 1))
        return [*document[:at], _spoil_within(document[at], data), *document[at + 1 :]]
    return data.draw(JUNK)


def _spoil_within(value: Any, data: st.DataObject) -> Any:
    return spoiled(value, data) if data.draw(st.integers(0, 2)) else data.draw(JUNK)


def tried(read: Callable[[Any], Any], document: Any) -> tuple[Any, tuple[Violation, ...]]:
    """Return what was read, or the faults of the refusal."""
    try:
        return read(document), ()
    except RuleViolations as refused:
        return None, refused.violations


@settings(max_examples=150)
@given(st.sampled_from(SHIPS), st.data())
def test_damaged_design_is_priced_or_reported(
    document: dict[str, Any], data: st.DataObject
) -> None:
    reading = read_design(spoiled(document, data))
    assert (reading.design is None) == bool(reading.malformed)
    if reading.design is not None:
        assert len(price_design(reading.design)["violations"]) == len(reading.illegal)


@settings(max_examples=150)
@given(st.sampled_from(FTLIBSHIP_SHIPS), st.data())
def test_damaged_builder_ship_is_read_or_reported(
    document: dict[str, Any], data: st.DataObject
) -> None:
    read, faults = tried(from_ftlibship, spoiled(document, data))
    assert (read is None) == bool(faults)
    if read is not None:
        reading = read_design(read[0])
        assert (reading.design is None) == bool(reading.malformed)


@settings(max_examples=50)
@given(st.data())
def test_damaged_fleet_is_read_or_reported(data: st.DataObject) -> None:
    fleet, faults = tried(lambda document: read_fleet(document, CLASSES), spoiled(FLEET, data))
    assert (fleet is None) == bool(faults)
    if fleet is not None:
        assert all(sheet.points > 0 for sheet in fleet.ships)


def test_thousand_equal_entries_are_the_limit() -> None:
    reading = read_design(ship([system_entry("magazine", mass=2, count=1001)]))
    assert [(fault.where, fault.code) for fault in reading.malformed] == [
        ("systems[0].count", "count")
    ]

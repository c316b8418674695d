"""Designs as JSON: read with every fault and its place, written back the same.

A design is a mapping: `class`, `edition`, `kind`, `mass`, `thrust`, `ftl` and `systems`; installations may leave thrust
and ftl out and may say `civil: true`. A system has a `type`, its variant (VARIANT_KEYS), `arcs` and a `count`. Figures
printed in a rulebook may stand in `printed: {points, damage_points}` (or as `printed_points`,
`printed_damage_points`); they change nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.design.legality import design_violations
from engine.design.sheets import record_sheet
from engine.design.value import VARIANT_KEYS, Design, Fitting
from engine.editions import ruleset
from engine.errors import RuleViolations, Violation, place
from engine.notation.reading import Reader, below
from engine.sheet import Sheet

KINDS = ("warship", "merchant", "q-ship", "installation")
NOTES = ("points", "damage_points")
DESIGN_KEYS = (
    *("class", "edition", "kind", "mass", "thrust", "ftl", "systems", "civil", "printed"),
    *(f"printed_{note}" for note in NOTES),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading a design: the design unless it was unreadable, and all its faults.

    `malformed` are faults of the notation (wrong types, unknown keys, an unknown edition), `illegal` those of a ship
    that could be priced but not built.
    """

    design: Design | None
    malformed: tuple[Violation, ...]
    illegal: tuple[Violation, ...]


def read_design(data: object, where: str = "") -> Reading:
    """Reads one design; never raises. `where` is the place of the design in its document."""
    reader = Reader()
    if not isinstance(data, Mapping):
        reader.fault("", "not-a-mapping", "a design is a mapping of keys to values")
        return Reading(None, below(where, reader.faults), ())
    reader.keys(data, DESIGN_KEYS, "")
    kind = reader.choice(data, "kind", KINDS)
    powered = kind != "installation"
    design = Design(
        cls=reader.text(data, "class"),
        edition=reader.text(data, "edition"),
        kind=kind,
        mass=reader.number(data, "mass"),
        thrust=reader.number(data, "thrust", default=None if powered else 0),
        ftl=reader.text(data, "ftl", default=None if powered else "none"),
        systems=_systems(data, reader),
        civil=reader.flag(data, "civil"),
        printed=_printed(data, reader),
    )
    illegal: tuple[Violation, ...] = ()
    if design.edition:
        try:
            rules = ruleset(design.edition)
        except RuleViolations as unknown:
            reader.faults.extend(unknown.violations)
        else:
            if kind:
                illegal = design_violations(design, rules, unread=[fault.where for fault in reader.faults])
    return Reading(None if reader.faults else design, below(where, reader.faults), below(where, illegal))


def parse_design(data: object, where: str = "") -> Design:
    """The design as a value, legal or not. Raises RuleViolations with every fault of the notation."""
    reading = read_design(data, where)
    if reading.design is None:
        raise RuleViolations((*reading.malformed, *reading.illegal))
    return reading.design


def parse_classes(data: Sequence[object]) -> dict[str, Design]:
    """Legal designs by class name, in the given order.

    Raises RuleViolations with every fault of every design, and where two share a name; places begin with `[number]`.
    """
    if isinstance(data, (str, Mapping)) or not isinstance(data, Sequence):
        raise RuleViolations([Violation("", "not-a-list", "ship classes are a list of designs")])
    faults: list[Violation] = []
    classes: dict[str, Design] = {}
    for number, item in enumerate(data):
        reading = read_design(item, place(number))
        faults += (*reading.malformed, *reading.illegal)
        if reading.design is not None:
            if reading.design.cls in classes:
                message = f"the class {reading.design.cls!r} stands twice"
                faults.append(Violation(place(number, "class"), "class-twice", message))
            classes[reading.design.cls] = reading.design
    if faults:
        raise RuleViolations(faults)
    return classes


def load_sheet(data: object, where: str = "") -> Sheet:
    """The record sheet of a design given as JSON. Raises RuleViolations with every fault, notation and rules alike."""
    reading = read_design(data, where)
    if reading.design is None or reading.malformed or reading.illegal:
        raise RuleViolations((*reading.malformed, *reading.illegal))
    return sheet_of(reading.design)


def sheet_of(design: Design) -> Sheet:
    """The record sheet of a legal design, with the design as JSON in it. Raises RuleViolations for an illegal one."""
    return record_sheet(design, ruleset(design.edition), design_json(design))


def design_json(design: Design) -> dict[str, Any]:
    """The design as JSON, so that `parse_design(design_json(d)) == d`; defaults are left out."""
    document: dict[str, Any] = {
        "class": design.cls,
        "edition": design.edition,
        "kind": design.kind,
        "mass": design.mass,
        "thrust": design.thrust,
        "ftl": design.ftl,
        "systems": [_fitting_json(fitting) for fitting in design.systems],
    }
    if design.civil:
        document["civil"] = True
    if design.printed:
        document["printed"] = dict(design.printed)
    return document


def _fitting_json(fitting: Fitting) -> dict[str, Any]:
    document: dict[str, Any] = {"type": fitting.type}
    if fitting.variant:
        document[VARIANT_KEYS[fitting.type]] = fitting.variant
    if fitting.arcs:
        document["arcs"] = list(fitting.arcs)
    if fitting.count != 1:
        document["count"] = fitting.count
    return document


def _systems(data: Mapping[object, object], reader: Reader) -> tuple[Fitting, ...]:
    """The fittings; one that cannot be read stays in its place as a Fitting of no type."""
    return tuple(
        _fitting(item, place("systems", number), reader)
        for number, item in enumerate(reader.items(data, "systems", default=()))
    )


def _fitting(item: object, where: str, reader: Reader) -> Fitting:
    if not isinstance(item, Mapping):
        reader.fault(where, "not-a-mapping", "a system is a mapping with a type")
        return Fitting("")
    type_ = reader.text(item, "type", where)
    variant_key = VARIANT_KEYS.get(type_)
    if type_:
        reader.keys(item, ("type", "arcs", "count", *([variant_key] if variant_key else [])), where)
    faults = len(reader.faults)
    arcs = [
        reader.text_value(arc, place(where, "arcs", number))
        for number, arc in enumerate(reader.items(item, "arcs", where, default=()))
    ]
    count = reader.number(item, "count", where, default=1)
    variant = reader.text(item, variant_key, where) if variant_key else ""
    if len(reader.faults) > faults:
        return Fitting("")
    return Fitting(type_, variant, tuple(arcs), count)


def _printed(data: Mapping[object, object], reader: Reader) -> tuple[tuple[str, int], ...]:
    notes = data.get("printed", {})
    if not isinstance(notes, Mapping):
        reader.fault("printed", "not-a-mapping", "printed figures are a mapping of " + " and ".join(NOTES))
        return ()
    reader.keys(notes, NOTES, "printed")
    found = []
    for note in NOTES:
        if note in notes:
            found.append((note, reader.number(notes, note, "printed")))
        elif f"printed_{note}" in data:
            found.append((note, reader.number(data, f"printed_{note}")))
    return tuple(found)

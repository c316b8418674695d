"""Designs as JSON: read with every fault and its place, written back the same.

A design is a mapping: `class`, `edition`, `kind`, `mass`, `thrust`, `ftl` and `systems`; installations may leave thrust
and ftl out and may say `civil: true`. A system has a `type`, its variant, `arcs` and a `count`. Which further keys
there are the edition's yard says; docs/designs.md explains them all. Figures printed in a rulebook
may stand in `printed: {points, damage_points}` (or as `printed_points`, `printed_damage_points`); they change nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.core.edition import EDITIONS, Edition
from engine.core.errors import RuleViolations, Violation, place
from engine.core.sheet import Sheet
from engine.design.sheets import record_sheet
from engine.design.value import Design
from engine.notation.fittings import fitting_json, read_fittings
from engine.notation.frames import frame_json, read_frame
from engine.notation.reading import Reader, below
from engine.ruleset import RuleSet, rules_of, ruleset

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


def read_design(data: object, where: str = "", options: Sequence[str] = ()) -> Reading:
    """Reads one design; never raises. `where` is the place of the design in its document; `options` those in force."""
    reader = Reader()
    if not isinstance(data, Mapping):
        reader.fault("", "not-a-mapping", "a design is a mapping of keys to values")
        return Reading(None, below(where, reader.faults), ())
    edition = reader.text(data, "edition")
    rules = _rules(edition, options, reader) if edition else None
    notation = (rules or rules_of(Edition.SECOND_EDITION)).yard.notation
    reader.keys(data, (*DESIGN_KEYS, *notation.design_keys), "")
    kind = reader.choice(data, "kind", notation.kinds)
    powered = kind != "installation"
    design = Design(
        cls=reader.text(data, "class"),
        edition=edition,
        kind=kind,
        mass=reader.number(data, "mass"),
        thrust=reader.number(data, "thrust", default=None if powered else 0),
        systems=read_fittings(data, reader, notation),
        civil=reader.flag(data, "civil"),
        printed=_printed(data, reader),
        **read_frame(data, reader, notation, powered),
    )
    illegal: tuple[Violation, ...] = ()
    if rules is not None and kind:
        illegal = rules.yard.violations(design, rules, [fault.where for fault in reader.faults])
    return Reading(None if reader.faults else design, below(where, reader.faults), below(where, illegal))


def _rules(edition: str, options: Sequence[str], reader: Reader) -> RuleSet | None:
    """The rule set to read and judge by: without the options where one of them is unknown."""
    try:
        return ruleset(edition, options)
    except RuleViolations as unknown:
        reader.faults.extend(unknown.violations)
        return rules_of(edition) if edition in EDITIONS else None


def parse_design(data: object, where: str = "", options: Sequence[str] = ()) -> Design:
    """The design as a value, legal or not. Raises RuleViolations with every fault of the notation."""
    reading = read_design(data, where, options)
    if reading.design is None:
        raise RuleViolations((*reading.malformed, *reading.illegal))
    return reading.design


def parse_classes(data: Sequence[object], options: Sequence[str] = ()) -> dict[str, Design]:
    """Legal designs by class name, in the given order; legal with these options.

    Raises RuleViolations with every fault of every design, and where two share a name; places begin with `[number]`.
    """
    if isinstance(data, (str, Mapping)) or not isinstance(data, Sequence):
        raise RuleViolations([Violation("", "not-a-list", "ship classes are a list of designs")])
    faults: list[Violation] = []
    classes: dict[str, Design] = {}
    for number, item in enumerate(data):
        reading = read_design(item, place(number), options)
        faults += (*reading.malformed, *reading.illegal)
        if reading.design is not None:
            if reading.design.cls in classes:
                message = f"the class {reading.design.cls!r} is given twice"
                faults.append(Violation(place(number, "class"), "class-twice", message))
            classes[reading.design.cls] = reading.design
    if faults:
        raise RuleViolations(faults)
    return classes


def load_sheet(data: object, where: str = "", options: Sequence[str] = ()) -> Sheet:
    """The record sheet of a design given as JSON, priced and judged by the options in force.

    Raises RuleViolations with every fault, notation and rules alike.
    """
    reading = read_design(data, where, options)
    if reading.design is None or reading.malformed or reading.illegal:
        raise RuleViolations((*reading.malformed, *reading.illegal))
    return _drawn(reading.design, ruleset(reading.design.edition, options))


def sheet_of(design: Design, options: Sequence[str] = ()) -> Sheet:
    """The record sheet of a legal design, with the design as JSON in it. Raises RuleViolations for an illegal one."""
    rules = ruleset(design.edition, options)
    faults = rules.yard.violations(design, rules, ())
    if faults:
        raise RuleViolations(faults)
    return _drawn(design, rules)


def stored_sheet(design: Mapping[str, Any], options: Sequence[str] = ()) -> Sheet:
    """The record sheet of a design as `design_json` wrote it; a process reads and judges each design once.

    For documents of the program's own (a battle's state, a catalogue): what people send is read by `load_sheet`.
    Raises RuleViolations as that does, and TypeError where the design is not JSON.
    """
    return _stored_sheet(json.dumps(design, separators=(",", ":"), allow_nan=False), tuple(options))


@lru_cache(maxsize=2048)
def _stored_sheet(text: str, options: tuple[str, ...]) -> Sheet:
    return load_sheet(json.loads(text), options=options)


def _drawn(design: Design, rules: RuleSet) -> Sheet:
    return record_sheet(design, rules, design_json(design))


def design_json(design: Design) -> dict[str, Any]:
    """The design as JSON, so that `parse_design(design_json(d)) == d`; defaults are left out."""
    notation = ruleset(design.edition).yard.notation
    document: dict[str, Any] = {
        "class": design.cls,
        "edition": design.edition,
        "kind": design.kind,
        "mass": design.mass,
        "thrust": design.thrust,
        **frame_json(design),
        "systems": [fitting_json(fitting, notation) for fitting in design.systems],
    }
    if design.civil:
        document["civil"] = True
    if design.printed:
        document["printed"] = dict(design.printed)
    return document


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

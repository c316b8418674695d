"""Designs as JSON, read with the place of every fault and written back the same.

A design is a mapping of `class`, `edition`, `kind`, `mass`, `thrust`, `ftl` and `systems`.
Installations may omit thrust and ftl and may have `civil: true`. A system has a `type`, its
variant, `arcs` and a `count`. The edition's yard decides which further keys exist;
docs/reference/designs.md explains them all. Figures printed in a rulebook may be given as `printed:
{points, damage_points}` (or as `printed_points`, `printed_damage_points`); they change nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.core.cache import Cache
from engine.core.edition import EDITIONS, Edition
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.kinds import FtlDrive, HullKind
from engine.core.phrase import join_phrases
from engine.core.reason import reason
from engine.core.sheet import Sheet
from engine.design.value import Design, Fitting, Notation, record_sheet
from engine.notation.extra_marines import CREW, with_extra_marines
from engine.notation.reading import Reader, is_pair, prefix_places
from engine.ruleset import RuleSet, rules_of, ruleset
from engine.systems.outfit import MARINES

MAX_READ = 1024  # designs in the cache
_SHEETS: Cache[tuple[str, tuple[str, ...]], Sheet] = Cache(MAX_READ)
MAX_EQUAL = 1000
MAX_FITTINGS = 200  # entries of a design
MAX_SYSTEMS = 1000  # systems of a design, counts included
FLAGS = ("flak", "overload", "catapult")

STANDARD_ROWS = 4
HULL_KEYS = ("boxes", "rows")
TUG_KEYS = ("tug", "advanced")
SECTION_KEYS = ("of", "at")
FARTHEST = 20  # MU from a section to the middle of the whole ship or base
ORIENTATIONS = ("alpha", "beta")
# Values of a design's frame that are left out; other keys are left out while they are empty or 0.
FRAME_DEFAULTS = {"drive": "standard", "streamlining": "none"}

NOTES = ("points", "damage_points")
DESIGN_KEYS = (
    "class",
    "edition",
    "kind",
    "mass",
    "thrust",
    "ftl",
    "systems",
    "civil",
    "printed",
    *(f"printed_{note}" for note in NOTES),
)


def read_fittings(
    data: Mapping[object, object], reader: Reader, notation: Notation
) -> tuple[Fitting, ...]:
    """Return the fittings; an unreadable one becomes a Fitting without a type."""
    rows = reader.items(data, "systems", default=())
    if len(rows) > MAX_FITTINGS:
        words = reason(
            "design-most-entries-systems",
            "a design can have at most {} system entries, not {}: combine equal systems with a "
            "count",
            MAX_FITTINGS,
            len(rows),
        )
        reader.fault("systems", "too-many-systems", words)
        return ()
    fittings = tuple(
        _fitting(item, fault_path("systems", number), reader, notation)
        for number, item in enumerate(rows)
    )
    if sum(max(0, fitting.count) for fitting in fittings) > MAX_SYSTEMS:
        reader.fault(
            "systems",
            "too-many-systems",
            reason("too-many-systems", "a design can have at most {} systems", MAX_SYSTEMS),
        )
        return ()
    return fittings


def _fitting(item: object, where: str, reader: Reader, notation: Notation) -> Fitting:
    """Return one fitting; an unreadable one has no type."""
    if not isinstance(item, Mapping):
        reader.fault(
            where,
            "not-a-mapping",
            reason("system-mapping-type", "a system must be an object with a type"),
        )
        return Fitting("")
    type_ = reader.text(item, "type", where)
    variant_key = notation.variant_key(type_)
    if type_:
        known_keys = ["type", "arcs", "count", *notation.system_keys]
        if variant_key:
            known_keys.insert(3, variant_key)
        reader.keys(item, known_keys, where)
    faults_before = len(reader.faults)
    arcs = _texts(item, "arcs", where, reader)
    count = reader.number(item, "count", where, default=1)
    if notation.system_keys and count > MAX_EQUAL:
        reader.fault(
            f"{where}.count", "count", reason("count-most", "a count can be at most {}", MAX_EQUAL)
        )
    variant = ""
    if variant_key:
        default = "" if variant_key == notation.model_key else None
        variant = reader.text(item, variant_key, where, default=default)
    fields = _fields_by_mass(item, where, reader) if notation.system_keys else {}
    if len(reader.faults) > faults_before:
        return Fitting("")
    return Fitting(type_, variant, arcs, count, **fields)


def _fields_by_mass(item: Mapping[object, object], where: str, reader: Reader) -> dict[str, Any]:
    """Return the fields of a fitting that only an edition has in which systems take mass."""
    return {
        "size": reader.number(item, "class", where, default=0),
        "mass": reader.number(item, "mass", where, default=0),
        "turret": reader.text(item, "turret", where, default=""),
        "magazine": reader.text(item, "magazine", where, default=""),
        "load": _load(item, where, reader),
        "mods": _texts(item, "mods", where, reader),
        "flags": tuple(flag for flag in FLAGS if reader.flag(item, flag, where)),
    }


def _texts(item: Mapping[object, object], key: str, where: str, reader: Reader) -> tuple[str, ...]:
    """Return a list of texts; empty if the key is absent."""
    values = reader.items(item, key, where, default=())
    texts: list[str] = []
    for number, value in enumerate(values):
        texts.append(reader.text_value(value, fault_path(where, key, number)))
    return tuple(texts)


def _load(item: Mapping[object, object], where: str, reader: Reader) -> tuple[tuple[str, int], ...]:
    """Return what a system holds, by kind and number, in the order of the document."""
    load = item.get("load", {})
    where = fault_path(where, "load")
    if not isinstance(load, Mapping):
        reader.fault(
            where,
            "not-a-mapping",
            reason("load-mapping-what-held", "a load must be an object with kinds and numbers"),
        )
        return ()
    kinds = [kind for kind in load if reader.text_value(kind, where)]
    return tuple((str(kind), reader.number(load, str(kind), where)) for kind in kinds)


def fitting_json(fitting: Fitting, notation: Notation) -> dict[str, Any]:
    """Return the fitting as JSON, without defaults."""
    document: dict[str, Any] = {"type": fitting.type}
    if fitting.size:
        document["class"] = fitting.size
    if fitting.variant:
        document[notation.variant_key(fitting.type)] = fitting.variant
    if fitting.arcs:
        document["arcs"] = list(fitting.arcs)
    if fitting.count != 1:
        document["count"] = fitting.count
    if fitting.mass:
        document["mass"] = fitting.mass
    if fitting.turret:
        document["turret"] = fitting.turret
    if fitting.magazine:
        document["magazine"] = fitting.magazine
    if fitting.load:
        document["load"] = dict(fitting.load)
    if fitting.mods:
        document["mods"] = list(fitting.mods)
    return document | dict.fromkeys(fitting.flags, True)


def read_frame(
    data: Mapping[object, object], reader: Reader, notation: Notation, powered: bool
) -> dict[str, Any]:
    """Return the Design fields for ftl and for what the yard's notation adds, such as the hull."""
    frame: dict[str, Any] = _ftl(data, reader, notation, powered)
    if "hull" in notation.design_keys:
        boxes, rows = _hull(data, reader)
        orientation = reader.text(data, "orientation", default=ORIENTATIONS[0])
        if orientation and orientation not in ORIENTATIONS:
            words = reason(
                "no-orientation-known",
                "no orientation {!r}; choose from {}",
                orientation,
                ", ".join(ORIENTATIONS),
            )
            reader.fault("orientation", "unknown-orientation", words)
        frame |= {
            "boxes": boxes,
            "hull_rows": rows,
            "drive": reader.text(data, "drive", default="standard"),
            "armour": _armour(data, reader),
            "stealth": reader.number(data, "stealth", default=0),
            "streamlining": reader.text(data, "streamlining", default="none"),
            "flawed": reader.flag(data, "flawed"),
            "rams": reader.flag(data, "rams"),
            "total_mass": reader.number(data, "total_mass", default=0),
            "beta": orientation == ORIENTATIONS[1],
        }
        frame |= _section(data, reader)
    return frame


def _section(data: Mapping[object, object], reader: Reader) -> dict[str, Any]:
    """Return the whole that a section belongs to, and its place; empty for a complete ship.

    The entry is `section: {of: Hub, at: [2, 0]}`.
    """
    section = data.get("section")
    if section is None:
        return {}
    if not isinstance(section, Mapping):
        reader.fault(
            "section",
            "not-a-mapping",
            reason(
                "what-section-where-needed",
                "expected the unit that it is a section of, and its position in it",
            ),
        )
        return {}
    reader.keys(section, SECTION_KEYS, "section")
    at = section.get("at")
    if not is_pair(at) or not all(map(_is_section_coordinate, at)):
        reader.fault(
            "section.at",
            "section-at",
            reason(
                "section-at",
                "expected two whole numbers of MU, at most {} in each direction",
                FARTHEST,
            ),
        )
        return {}
    return {"of": reader.text(section, "of", "section"), "spot": (at[0], at[1])}


def _is_section_coordinate(value: object) -> bool:
    """Return whether a value of a document is a whole number of MU within a base."""
    return type(value) is int and abs(value) <= FARTHEST


def frame_json(design: Design) -> dict[str, Any]:
    """Return the fields of `read_frame` as JSON, without defaults except ftl and a chosen hull."""
    document: dict[str, Any] = {"ftl": design.ftl}
    if design.ftl == FtlDrive.TUG and design.tows:
        document["ftl"] = {"tug": design.tows}
        if design.advanced_tug:
            document["ftl"]["advanced"] = True
    if design.hull_rows:
        document["hull"] = {"boxes": design.boxes, "rows": design.hull_rows}
    optional: dict[str, Any] = {
        "drive": design.drive,
        "armour": [list(layer) for layer in design.armour],
        "stealth": design.stealth,
        "streamlining": design.streamlining,
        "flawed": design.flawed,
        "rams": design.rams,
        "total_mass": design.total_mass,
        "section": {"of": design.of, "at": list(design.spot)} if design.of else None,
        "orientation": ORIENTATIONS[1] if design.beta else "",
    }
    for key, value in optional.items():
        if value and value != FRAME_DEFAULTS.get(key):
            document[key] = value
    return document


def _ftl(
    data: Mapping[object, object], reader: Reader, notation: Notation, powered: bool
) -> dict[str, Any]:
    """Return the FTL drive's fields.

    A tug that was designed freely is a mapping of the mass it transfers and whether it is advanced.
    """
    value = data.get("ftl")
    if "hull" in notation.design_keys and isinstance(value, Mapping):
        reader.keys(value, TUG_KEYS, "ftl")
        tows = reader.number(value, "tug", "ftl")
        return {
            "ftl": FtlDrive.TUG,
            "tows": tows,
            "advanced_tug": reader.flag(value, "advanced", "ftl"),
        }
    return {"ftl": reader.text(data, "ftl", default=None if powered else FtlDrive.NONE)}


def _hull(data: Mapping[object, object], reader: Reader) -> tuple[int, int]:
    """Return the boxes and the rows of a hull."""
    hull = data.get("hull")
    if not isinstance(hull, Mapping):
        code = "missing" if hull is None else "not-a-mapping"
        reader.fault(
            "hull",
            code,
            reason(
                "hull-mapping-boxes-rows",
                "a hull must be an object with boxes, and rows if there are not four",
            ),
        )
        return 0, STANDARD_ROWS
    reader.keys(hull, HULL_KEYS, "hull")
    boxes = reader.number(hull, "boxes", "hull")
    rows = reader.number(hull, "rows", "hull", default=STANDARD_ROWS)
    return boxes, rows


def _armour(data: Mapping[object, object], reader: Reader) -> tuple[tuple[int, int], ...]:
    """Return (standard, regenerative) boxes of each layer, the innermost first.

    Outer layers without boxes are dropped.
    """
    layers: list[tuple[int, int]] = []
    for number, item in enumerate(reader.items(data, "armour", default=())):
        where = fault_path("armour", number)
        if not isinstance(item, (list, tuple)) or len(item) != 2:
            reader.fault(
                where,
                "not-a-layer",
                reason("not-a-layer", "write a layer as [standard boxes, regenerative boxes]"),
            )
            continue
        pair: dict[object, object] = {"standard": item[0], "regenerative": item[1]}
        standard, regenerative = (
            reader.number(pair, key, where) for key in ("standard", "regenerative")
        )
        layers.append((standard, regenerative))
    while layers and layers[-1] == (0, 0):
        layers.pop()
    return tuple(layers)


@dataclass(frozen=True, slots=True)
class DesignReading:
    """The result of reading a design.

    Attributes:
        design: The design, None if it was unreadable.
        malformed: Faults of notation: wrong types, unknown keys, an unknown edition.
        illegal: Faults of a design that can be priced but not built.
    """

    design: Design | None
    malformed: tuple[Violation, ...]
    illegal: tuple[Violation, ...]


def read_design(data: object, where: str = "", options: Sequence[str] = ()) -> DesignReading:
    """Read one design; never raises.

    Args:
        where: The place of the design in its document.
        options: The options in force.
    """
    reader = Reader()
    if not isinstance(data, Mapping):
        reader.fault(
            "",
            "not-a-mapping",
            reason("design-mapping-keys-values", "a design must be an object with keys and values"),
        )
        return DesignReading(None, prefix_places(where, reader.faults), ())
    edition = reader.text(data, "edition")
    rules = _rules(edition, options, reader) if edition else None
    notation = (rules or rules_of(Edition.SECOND_EDITION)).yard.notation
    reader.keys(data, (*DESIGN_KEYS, *notation.design_keys), "")
    kind = reader.choice(data, "kind", notation.kinds)
    powered = kind != HullKind.INSTALLATION
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
    return DesignReading(
        None if reader.faults else design,
        prefix_places(where, reader.faults),
        prefix_places(where, illegal),
    )


def _rules(edition: str, options: Sequence[str], reader: Reader) -> RuleSet | None:
    """Return the rule set to read and check by, without options if one of them is unknown."""
    try:
        return ruleset(edition, options)
    except RuleViolations as unknown:
        reader.faults.extend(unknown.violations)
        if edition in EDITIONS:
            return rules_of(edition)
        return None


def parse_design(data: object, where: str = "", options: Sequence[str] = ()) -> Design:
    """Return the design, legal or not.

    Raises:
        RuleViolations: With every fault of the notation.
    """
    reading = read_design(data, where, options)
    if reading.design is None:
        raise RuleViolations((*reading.malformed, *reading.illegal))
    return reading.design


def parse_classes(data: Sequence[object], options: Sequence[str] = ()) -> dict[str, Design]:
    """Return legal designs by class name, in the given order.

    Args:
        options: The options by which the designs must be legal.

    Raises:
        RuleViolations: With every fault of every design, and for class names given twice. Places
            begin with `[number]`.
    """
    if isinstance(data, (str, Mapping)) or not isinstance(data, Sequence):
        raise RuleViolations(
            [
                Violation(
                    "",
                    "not-a-list",
                    reason("ship-classes-list-designs", "ship classes must be a list of designs"),
                )
            ]
        )
    faults: list[Violation] = []
    classes: dict[str, Design] = {}
    for number, item in enumerate(data):
        reading = read_design(item, fault_path(number), options)
        faults += (*reading.malformed, *reading.illegal)
        if reading.design is not None:
            if reading.design.cls in classes:
                message = reason(
                    "class-given-twice", "the class {!r} is given twice", reading.design.cls
                )
                faults.append(Violation(fault_path(number, "class"), "class-twice", message))
            classes[reading.design.cls] = reading.design
    if faults:
        raise RuleViolations(faults)
    return classes


def load_sheet(data: object, where: str = "", options: Sequence[str] = ()) -> Sheet:
    """Return the record sheet of a design in JSON, priced and checked by the options in force.

    Raises:
        RuleViolations: With every fault of notation and rules.
    """
    reading = read_design(data, where, options)
    if reading.design is None or reading.malformed or reading.illegal:
        raise RuleViolations((*reading.malformed, *reading.illegal))
    return _make_sheet(reading.design, ruleset(reading.design.edition, options))


def unchecked_sheet(data: object) -> Sheet:
    """Return the record sheet of a design that was checked when its ship was built.

    Its points are those without options.

    Raises:
        RuleViolations: The design is malformed.
    """
    design = parse_design(data)
    return _make_sheet(design, ruleset(design.edition))


def sheet_once(key: str, design: object, options: tuple[str, ...]) -> Sheet:
    """Return the record sheet of a design in JSON, from a cache if possible.

    Many battles are fought with the same few designs.

    Args:
        key: The design's `repr`.

    Raises:
        RuleViolations: With every fault.
    """
    return _SHEETS.get_or_make((key, options), lambda: load_sheet(design, options=options))


def sheet_of(design: Design, options: Sequence[str] = ()) -> Sheet:
    """Return the record sheet of a legal design; the sheet contains the design as JSON.

    Raises:
        RuleViolations: If the design is illegal.
    """
    rules = ruleset(design.edition, options)
    faults = rules.yard.violations(design, rules, ())
    if faults:
        raise RuleViolations(faults)
    return _make_sheet(design, rules)


def stored_sheet(design: Mapping[str, Any], options: Sequence[str] = ()) -> Sheet:
    """Return the record sheet of a design that `design_json` wrote, from a cache if possible.

    Use it for the program's own documents, such as a battle's state or a catalogue; use
    `load_sheet` for what people send.

    Raises:
        RuleViolations: As `load_sheet` does.
        TypeError: If the design is not JSON.
    """
    return _stored_sheet(json.dumps(design, separators=(",", ":"), allow_nan=False), tuple(options))


@lru_cache(maxsize=2048)
def _stored_sheet(text: str, options: tuple[str, ...]) -> Sheet:
    """Return the record sheet of a design in JSON text, which can be a key of the cache."""
    document = json.loads(text)
    crew = document.pop(CREW, None)
    sheet = load_sheet(document, options=options)
    if crew is None:
        return sheet
    return with_extra_marines(sheet, crew[MARINES])


def _make_sheet(design: Design, rules: RuleSet) -> Sheet:
    """Return the record sheet of a design, which contains the design as JSON."""
    return record_sheet(design, rules, design_json(design))


def design_json(design: Design) -> dict[str, Any]:
    """Return the design as JSON without defaults, so that `parse_design(design_json(d)) == d`."""
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
    """Return the figures that a rulebook prints for a design."""
    notes = data.get("printed", {})
    if not isinstance(notes, Mapping):
        reader.fault(
            "printed",
            "not-a-mapping",
            reason(
                "printed-figures-mapping",
                "printed values must be an object with {}",
                join_phrases(" and ", NOTES),
            ),
        )
        return ()
    reader.keys(notes, NOTES, "printed")
    figures = []
    for note in NOTES:
        if note in notes:
            figures.append((note, reader.number(notes, note, "printed")))
        elif f"printed_{note}" in data:
            figures.append((note, reader.number(data, f"printed_{note}")))
    return tuple(figures)

"""The systems of a design as JSON: a type, the model, arcs and count, and what the edition's yard sells beside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.errors import place
from engine.design.value import Fitting
from engine.design.yards import Notation
from engine.notation.reading import Reader

MOST_ALIKE = 1000
MOST_FITTINGS = 200  # entries of a design
MOST_SYSTEMS = 1000  # systems of a design, counts included
FLAGS = ("flak", "overload", "catapult")


def read_fittings(data: Mapping[object, object], reader: Reader, notation: Notation) -> tuple[Fitting, ...]:
    """The fittings; one that cannot be read stays in its place as a Fitting of no type."""
    rows = reader.items(data, "systems", default=())
    if len(rows) > MOST_FITTINGS:
        words = f"a design has at most {MOST_FITTINGS} entries of systems, not {len(rows)}: equal ones take a count"
        reader.fault("systems", "too-many-systems", words)
        return ()
    found = tuple(_fitting(item, place("systems", number), reader, notation) for number, item in enumerate(rows))
    if sum(max(0, fitting.count) for fitting in found) > MOST_SYSTEMS:
        reader.fault("systems", "too-many-systems", f"a design has at most {MOST_SYSTEMS} systems")
        return ()
    return found


def _fitting(item: object, where: str, reader: Reader, notation: Notation) -> Fitting:
    if not isinstance(item, Mapping):
        reader.fault(where, "not-a-mapping", "a system is a mapping with a type")
        return Fitting("")
    type_ = reader.text(item, "type", where)
    variant_key = notation.variant_key(type_)
    keys = notation.system_keys
    if type_:
        reader.keys(item, ("type", "arcs", "count", *([variant_key] if variant_key else []), *keys), where)
    faults = len(reader.faults)
    arcs = _texts(item, "arcs", where, reader)
    count = reader.number(item, "count", where, default=1)
    if keys and count > MOST_ALIKE:
        reader.fault(f"{where}.count", "count", f"a count is at most {MOST_ALIKE}")
    needed = None if variant_key != notation.model_key else ""
    variant = reader.text(item, variant_key, where, default=needed) if variant_key else ""
    more: dict[str, Any] = {}
    if keys:
        more = {
            "size": reader.number(item, "class", where, default=0),
            "mass": reader.number(item, "mass", where, default=0),
            "turret": reader.text(item, "turret", where, default=""),
            "magazine": reader.text(item, "magazine", where, default=""),
            "load": _load(item, where, reader),
            "mods": _texts(item, "mods", where, reader),
            "flags": tuple(flag for flag in FLAGS if reader.flag(item, flag, where)),
        }
    if len(reader.faults) > faults:
        return Fitting("")
    return Fitting(type_, variant, arcs, count, **more)


def _texts(item: Mapping[object, object], key: str, where: str, reader: Reader) -> tuple[str, ...]:
    values = reader.items(item, key, where, default=())
    return tuple(reader.text_value(value, place(where, key, number)) for number, value in enumerate(values))


def _load(item: Mapping[object, object], where: str, reader: Reader) -> tuple[tuple[str, int], ...]:
    """What a system holds: a mapping of kinds to numbers, in its order."""
    load = item.get("load", {})
    where = place(where, "load")
    if not isinstance(load, Mapping):
        reader.fault(where, "not-a-mapping", "a load is a mapping of what is held to how many")
        return ()
    kinds = [kind for kind in load if reader.text_value(kind, where)]
    return tuple((str(kind), reader.number(load, str(kind), where)) for kind in kinds)


def fitting_json(fitting: Fitting, notation: Notation) -> dict[str, Any]:
    """The fitting as JSON; defaults are left out."""
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

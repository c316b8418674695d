"""The hull, drives and armour of a design as JSON, where the edition's yard lets a designer choose them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.errors import place
from engine.design.value import Design
from engine.design.yards import Notation
from engine.notation.reading import Reader

STANDARD_ROWS = 4
HULL_KEYS = ("boxes", "rows")
TUG_KEYS = ("tug", "advanced")
ORIENTATIONS = ("alpha", "beta")


def read_frame(data: Mapping[object, object], reader: Reader, notation: Notation, powered: bool) -> dict[str, Any]:
    """The fields of a Design that say what it is built on: its ftl, and what the yard's notation adds."""
    frame: dict[str, Any] = _ftl(data, reader, notation, powered)
    if "hull" in notation.design_keys:
        boxes, rows = _hull(data, reader)
        orientation = reader.text(data, "orientation", default=ORIENTATIONS[0])
        if orientation and orientation not in ORIENTATIONS:
            words = f"no orientation {orientation!r}; known: {', '.join(ORIENTATIONS)}"
            reader.fault("orientation", "unknown-orientation", words)
        frame |= {
            "boxes": boxes,
            "hull_rows": rows,
            "drive": reader.text(data, "drive", default="standard"),
            "armour": _armour(data, reader),
            "stealth": reader.number(data, "stealth", default=0),
            "streamlining": reader.text(data, "streamlining", default="none"),
            "flawed": reader.flag(data, "flawed"),
            "beta": orientation == ORIENTATIONS[1],
        }
    return frame


def frame_json(design: Design) -> dict[str, Any]:
    """The same fields as JSON; defaults are left out, but ftl and the hull that was chosen never are."""
    document: dict[str, Any] = {"ftl": design.ftl}
    if design.ftl == "tug" and design.tows:
        document["ftl"] = {"tug": design.tows} | ({"advanced": True} if design.advanced_tug else {})
    if design.hull_rows:
        document["hull"] = {"boxes": design.boxes, "rows": design.hull_rows}
    if design.drive != "standard":
        document["drive"] = design.drive
    if design.armour:
        document["armour"] = [list(layer) for layer in design.armour]
    if design.stealth:
        document["stealth"] = design.stealth
    if design.streamlining != "none":
        document["streamlining"] = design.streamlining
    if design.flawed:
        document["flawed"] = True
    if design.beta:
        document["orientation"] = ORIENTATIONS[1]
    return document


def _ftl(data: Mapping[object, object], reader: Reader, notation: Notation, powered: bool) -> dict[str, Any]:
    """The name of the drive; a tug's that is chosen is a mapping: the mass it transfers, and whether it is advanced."""
    value = data.get("ftl")
    if "hull" in notation.design_keys and isinstance(value, Mapping):
        reader.keys(value, TUG_KEYS, "ftl")
        tows = reader.number(value, "tug", "ftl")
        return {"ftl": "tug", "tows": tows, "advanced_tug": reader.flag(value, "advanced", "ftl")}
    return {"ftl": reader.text(data, "ftl", default=None if powered else "none")}


def _hull(data: Mapping[object, object], reader: Reader) -> tuple[int, int]:
    hull = data.get("hull")
    if not isinstance(hull, Mapping):
        code = "missing" if hull is None else "not-a-mapping"
        reader.fault("hull", code, "a hull is a mapping of boxes, and rows if they are not four")
        return 0, STANDARD_ROWS
    reader.keys(hull, HULL_KEYS, "hull")
    return reader.number(hull, "boxes", "hull"), reader.number(hull, "rows", "hull", default=STANDARD_ROWS)


def _armour(data: Mapping[object, object], reader: Reader) -> tuple[tuple[int, int], ...]:
    """(standard, regenerative) boxes of each layer, the innermost first; outer layers without boxes are left out."""
    layers: list[tuple[int, int]] = []
    for number, item in enumerate(reader.items(data, "armour", default=())):
        where = place("armour", number)
        if not isinstance(item, (list, tuple)) or len(item) != 2:
            reader.fault(where, "not-a-layer", "a layer is [standard boxes, regenerative boxes]")
            continue
        pair: dict[object, object] = {"standard": item[0], "regenerative": item[1]}
        standard, regenerative = (reader.number(pair, key, where) for key in ("standard", "regenerative"))
        layers.append((standard, regenerative))
    while layers and layers[-1] == (0, 0):
        layers.pop()
    return tuple(layers)

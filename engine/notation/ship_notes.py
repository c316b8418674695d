"""What is pencilled on a ship's sheet before a battle begins: `{"reactor": 5, "for-good:firecon-1": 1}`.

What an earlier battle left there and this one goes on from (`engine.core.notes.KEPT`): how long a hit core system still
works, what no party repairs, armour that does not grow again.
Rules: Continuum "Core systems" 10.3 [pc.core-systems]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.continuum.cores import noted_system
from engine.core.notes import CORES, FOR_GOOD, FOREVER, KEPT, REACTOR, SCARRED
from engine.core.sheet import Sheet
from engine.core.terms import CORE_SYSTEMS
from engine.notation.reading import Reader

MOST_PIPS = 6


def read_notes(
    reader: Reader,
    item: Mapping[object, object],
    where: str,
    sheet: Sheet | None,
    lost: Sequence[str],
    options: Sequence[str],
) -> dict[str, int]:
    """The notes of a ship that has `lost` these systems; every fault goes to the reader."""
    given = item.get("notes", {})
    spot = f"{where}.notes"
    if not isinstance(given, Mapping):
        reader.fault(spot, "not-a-mapping", "a number for each note is needed here, such as reactor: 5")
        return {}
    if sheet is None:
        return {}
    notes: dict[str, int] = {}
    for name, value in given.items():
        why = _fault(str(name), value, sheet, lost, options)
        if why:
            reader.fault(f"{spot}.{name}", "note", why)
        elif isinstance(value, int):
            notes[str(name)] = value
    return notes


def _fault(name: str, value: object, sheet: Sheet, lost: Sequence[str], options: Sequence[str]) -> str:
    kind, _, of = name.partition(":")
    if kind not in KEPT:
        return f"no such note begins a battle; known: {', '.join(KEPT)}"
    most = {REACTOR: MOST_PIPS, FOR_GOOD: 1, SCARRED: _scars(sheet, of)}.get(kind, FOREVER)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        return f"a number from 1 to {most} is needed here" if most else f"{sheet.cls} has no such armour"
    if kind in CORES and (CORE_SYSTEMS not in options or of):
        return f"core systems are hit by the option '{CORE_SYSTEMS}' alone, and a ship has one of each"
    about = noted_system(name)
    return f"'{about}' is not lost" if kind != SCARRED and about not in lost else ""


def _scars(sheet: Sheet, layer: str) -> int:
    """The regenerative boxes of a layer, the innermost being 0; none where it is no layer."""
    return sheet.armour[int(layer)][1] if layer.isdecimal() and int(layer) < len(sheet.armour) else 0

"""A record sheet as others read it: which salvoes lie in a magazine, nobody sees before they fly.

Sheets lie open, and what is drawn from them does not: a magazine of missiles is taken for one that is full of standard
ones, whatever its ship was loaded with. One of boarding torpedoes shows by its launcher.
Rules: Continuum "Information" 2.6, "Mountings and magazines" 6.6 [pc.open-book] [pc.salvo-missiles]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.core.sheet import Fit, Sheet
from engine.pricelists.continuum import LOADS, MAGAZINE, TORPEDOES
from engine.weapons.registry import derived

USUAL = "standard"


@derived
def with_shut_magazines(sheet: Sheet) -> Sheet:
    """The sheet with every magazine of missiles as the yard fills it.

    Magazines of a kind that stood in rows of their own, because they were loaded otherwise, are one row again.
    """
    rows: list[dict[str, Any]] = []
    for row in map(_shut, sheet.design["systems"]):
        if rows and row["type"] == MAGAZINE and _kind(rows[-1]) == _kind(row):
            rows[-1]["count"] = rows[-1].get("count", 1) + row.get("count", 1)
        else:
            rows.append(row)
    return replace(sheet, fits=tuple(map(_filled, sheet.fits)), design=sheet.design | {"systems": rows})


def _filled(fit: Fit) -> Fit:
    if fit.type != MAGAZINE or TORPEDOES in dict(fit.load):
        return fit
    return replace(fit, load=((USUAL, fit.mass // LOADS[MAGAZINE][USUAL][0]),))


def _shut(row: Mapping[str, Any]) -> dict[str, Any]:
    shuts = row["type"] == MAGAZINE and TORPEDOES not in row.get("load", {})
    return {key: value for key, value in row.items() if not (shuts and key == "load")}


def _kind(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a row is, but for how many."""
    return {key: value for key, value in row.items() if key != "count"}

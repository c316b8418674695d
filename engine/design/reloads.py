"""What magazines and hangars are loaded with between battles, in words: `2 standard, 1 extended`, `heavy attack`.

A design loaded otherwise is another design: the yard's own rules say whether it may be so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from engine.design.techneeds import HANGARS, MAGAZINE
from engine.design.value import Design, Fitting
from engine.pricelists.craft import FIGHTER_MODS, FIGHTERS, GROUP, LIGHT_GROUP
from engine.pricelists.ordnance import LOADS

RELOADED = (MAGAZINE, *HANGARS)
ROUNDS = LOADS[MAGAZINE]
LIGHT = "light"
_ROUND = re.compile(r"([0-9]{1,3}) ([a-z-]+)")

Load = tuple[tuple[str, int], ...]


def load_words(load: Iterable[tuple[str, int]], mods: Iterable[str], type_: str) -> str:
    """A load as it is written: rounds by kind with their number; of craft the modifications, then the type."""
    if type_ == MAGAZINE:
        given = dict(load)
        return ", ".join(f"{given[kind]} {kind}" for kind in ROUNDS if given.get(kind))
    fitted = set(mods)
    return " ".join((*(mod for mod in FIGHTER_MODS if mod in fitted), *(kind for kind, _ in load)))


def read_load(text: str, type_: str) -> tuple[Load, tuple[str, ...]] | None:
    """The load and the modifications of a text; None where it cannot be read. Each kind is named once."""
    if type_ == MAGAZINE:
        found = [_ROUND.fullmatch(part.strip()) for part in text.split(",")]
        rounds = [(match[2], int(match[1])) for match in found if match is not None]
        kinds = [kind for kind, number in rounds if number and kind in ROUNDS]
        if not kinds or len(kinds) < len(found) or len(set(kinds)) < len(kinds):
            return None
        return tuple((kind, dict(rounds)[kind]) for kind in ROUNDS if kind in kinds), ()
    *mods, kind = text.split() or [""]
    if kind not in FIGHTERS or any(mod not in FIGHTER_MODS for mod in mods) or len(set(mods)) < len(mods):
        return None
    craft = LIGHT_GROUP if LIGHT in mods else GROUP
    return ((kind, craft),), tuple(mod for mod in FIGHTER_MODS if mod in mods)


def fitting_at(design: Design, system: str) -> int | None:
    """Which row of the design a system of its sheet is of: `hangar-2` counts the hangars row by row."""
    type_, _, tail = system.rpartition("-")
    number = int(tail) if tail.isascii() and tail.isdigit() else 0
    before = 0
    for at, fitting in enumerate(design.systems):
        if fitting.type == type_:
            if before < number <= before + fitting.count:
                return at
            before += fitting.count
    return None


def reloaded(design: Design, system: str, load: Load, mods: tuple[str, ...]) -> Design:
    """The design with one of its magazines or hangars loaded otherwise: that system in a row of its own.

    All keep their numbers. Raises ValueError where it has no such system.
    """
    at = fitting_at(design, system)
    if at is None:
        raise ValueError(f"{design.cls} has no system {system}")
    rows: list[Fitting] = list(design.systems)
    row = rows[at]
    ahead = int(system.rpartition("-")[2]) - 1 - sum(one.count for one in rows[:at] if one.type == row.type)
    parts = (replace(row, count=ahead), replace(row, count=1, load=load, mods=mods))
    rows[at : at + 1] = [one for one in (*parts, replace(row, count=row.count - 1 - ahead)) if one.count]
    return replace(design, systems=tuple(rows))

"""What magazines, racks and bays hold, and which magazine feeds a launcher.

Rules: Continuum "Mountings and magazines" 6.6, "Minelaying" 6.10, "Fighter types" 8.15, "Gunboat types" 9.2 [pc.design]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.core.errors import Violation
from engine.design.techbase import HANGARS
from engine.design.value import Design, Fitting
from engine.pricelists.continuum import (
    CANNON_TYPES,
    FIGHTER_MODS,
    FIGHTERS,
    FTL_GUNBOAT_BERTH,
    GROUP,
    GUNBOAT_BERTH,
    GUNBOAT_MODS,
    GUNBOATS,
    LEAST_MINES,
    LIGHT_GROUP,
    LIGHT_TYPES,
    LOADS,
    MAGAZINE,
    MINE_RACK,
    MIXES,
    NOT_WITH_LIGHT,
)
from engine.pricelists.ware import Ware
from engine.weapons.registry import derived, wares_of

Faults = Iterator[Violation]
Load = tuple[tuple[str, int], ...]
BOARDING = "boarding"  # torpedoes, of a magazine

RELOADED = (MAGAZINE, *HANGARS)
ROUNDS = LOADS[MAGAZINE]
LIGHT = "light"
_ROUND = re.compile(r"([0-9]{1,3}) ([a-z-]+)")


@derived
def _holds(edition: str, type_: str) -> str:
    """What a type of weapon holds, in the words of `Ware.holds`."""
    return next((ware.holds for ware in wares_of(edition) if ware.type == type_), "")


@derived
def _fires(edition: str, type_: str) -> tuple[str, ...]:
    """What a launcher fires of a magazine's load."""
    return next((ware.fires for ware in wares_of(edition) if ware.type == type_), ())


def magazines(design: Design) -> tuple[tuple[str, Fitting], ...]:
    """Every magazine by its id, in the design's order."""
    all_of_them = [fitting for fitting in design.systems if fitting.type == "magazine" for _ in range(fitting.count)]
    return tuple((f"magazine-{number}", fitting) for number, fitting in enumerate(all_of_them, 1))


def load_of(fitting: Fitting, design: Design) -> Load:
    """What one system of a fitting holds. A magazine nothing is said of is full of standard salvoes, or of boarding
    torpedoes on ships that launch nothing else; a mine rack holds the least it may.
    """
    if fitting.load:
        return fitting.load
    if _holds(design.edition, fitting.type) == MINE_RACK:
        return (("mines", LEAST_MINES),)
    if fitting.type == "magazine":
        fired = [kind for other in design.systems for kind in _fires(design.edition, other.type)]
        kind = BOARDING if fired and all(kind == BOARDING for kind in fired) else "standard"
        number = fitting.mass // LOADS[MAGAZINE][kind][0]
        return ((kind, number),) if number > 0 else ()
    return ()


def feeding(fitting: Fitting, design: Design) -> tuple[str, ...]:
    """The ids of the magazines that could feed a launcher: the one it names, else all with what it fires."""
    fired = _fires(design.edition, fitting.type)
    if not fired:
        return ()
    return tuple(
        name
        for name, magazine in magazines(design)
        if fitting.magazine in ("", name) and any(kind in fired for kind, _ in load_of(magazine, design))
    )


def load_faults(fitting: Fitting, ware: Ware, design: Design, where: str) -> Faults:
    """What is wrong with the load of a fitting and with the modifications of the craft in it."""
    if not ware.holds:
        if fitting.load:
            yield Violation(f"{where}.load", "load-not-asked", f"a {ware.name} holds nothing")
        if fitting.mods:
            yield Violation(f"{where}.mods", "mods-not-asked", f"a {ware.name} holds no craft")
        return
    known, mods = _sold(ware)
    unknown = [kind for kind, _ in fitting.load if kind not in known]
    if unknown:
        words = f"a {ware.name} holds no {', '.join(unknown)}; known: {', '.join(known)}"
        yield Violation(f"{where}.load", "unknown-load", words)
    if any(number < 1 for _, number in fitting.load):
        yield Violation(f"{where}.load", "load-number", "a load is 1 or more of each kind")
    strange = [mod for mod in fitting.mods if mod not in mods]
    if strange:
        words = f"no modification {', '.join(strange)}; known: {', '.join(mods) or 'none'}"
        yield Violation(f"{where}.mods", "unknown-mod", words)
    if len(set(fitting.mods)) < len(fitting.mods):
        yield Violation(f"{where}.mods", "mod-twice", "a modification is given twice")
    if unknown:
        return
    if ware.holds in LOADS:
        yield from _stores(fitting, ware, design, where)
    else:
        if fitting.mods and not fitting.load:
            yield Violation(f"{where}.mods", "mods-not-asked", "there are no craft to modify")
        yield from CRAFT_CHECKS[ware.holds](fitting, where)


def _sold(ware: Ware) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What may be put into a system, and how it may be modified."""
    if ware.holds in LOADS:
        return tuple(LOADS[ware.holds]), ()
    if ware.holds in ("fighters", "robots"):
        return tuple(FIGHTERS), tuple(FIGHTER_MODS)
    return tuple(GUNBOATS), tuple(GUNBOAT_MODS)


def _stores(fitting: Fitting, ware: Ware, design: Design, where: str) -> Faults:
    """Rules: Continuum "Magazine capacity", "Multi-stage missiles" 6.6, "Minelaying" 6.10 [pc.salvo-missiles]"""
    load = load_of(fitting, design)
    if ware.holds == MINE_RACK:
        if sum(number for _, number in load) < LEAST_MINES:
            yield Violation(f"{where}.load", "too-few-mines", f"a mine rack holds at least {LEAST_MINES} mines")
        return
    taken = sum(LOADS[MAGAZINE][kind][0] * number for kind, number in load)
    if taken > fitting.mass:
        words = f"the load takes {taken} mass, the magazine has {fitting.mass}"
        yield Violation(f"{where}.load", "magazine-too-small", words)
    if not any(all(kind in mix for kind, _ in load) for mix in MIXES):
        words = "a magazine holds regular missiles, two-stage missiles or boarding torpedoes, not a mixture"
        yield Violation(f"{where}.load", "mixed-magazine", words)


def _fighters(fitting: Fitting, where: str) -> Faults:
    """Rules: Continuum "Fighter types" 8.15 [pc.fighter-types]"""
    light = "light" in fitting.mods
    most = LIGHT_GROUP if light else GROUP
    kinds = [kind for kind, _ in fitting.load]
    if len(kinds) > 1:
        yield Violation(f"{where}.load", "mixed-group", "the fighters of a group must be of one type")
    if sum(number for _, number in fitting.load) > most:
        yield Violation(f"{where}.load", "too-many-craft", f"a group has at most {most} fighters")
    for kind in kinds:
        if light and kind not in LIGHT_TYPES:
            words = f"there are no light {kind} fighters; there are light {', '.join(LIGHT_TYPES)}"
            yield Violation(f"{where}.mods", "no-light-type", words)
        if "cannon" in fitting.mods and kind not in CANNON_TYPES:
            yield Violation(f"{where}.mods", "no-cannon", f"{kind} fighters have no cannon instead of beams")
    for mod in NOT_WITH_LIGHT:
        if light and mod in fitting.mods:
            yield Violation(f"{where}.mods", "mods-apart", f"light fighters cannot be {mod}")


def _robots(fitting: Fitting, where: str) -> Faults:
    """Rules: Continuum "Fighter racks" 13.12 [pc.fighter-racks]"""
    yield from _fighters(fitting, where)
    if fitting.load and "robot" not in fitting.mods:
        yield Violation(f"{where}.mods", "not-robots", "a fighter rack can carry only robot fighters")


def _squadron(fitting: Fitting, where: str) -> Faults:
    """Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]"""
    yield from _gunboats(fitting, where)
    if sum(number for _, number in fitting.load) > GROUP:
        yield Violation(f"{where}.load", "too-many-craft", f"a squadron has at most {GROUP} gunboats")
    if "ftl" in fitting.mods:
        yield Violation(f"{where}.mods", "ftl-in-rack", "gunboats with FTL drives cannot be carried in racks")


def _boats(fitting: Fitting, where: str) -> Faults:
    """Rules: Continuum "Boat bay" 13.12, "Gunboat rules" 9.1 [pc.boat-bays]"""
    yield from _gunboats(fitting, where)
    berth = FTL_GUNBOAT_BERTH if "ftl" in fitting.mods else GUNBOAT_BERTH
    craft = sum(number for _, number in fitting.load) * berth
    if 3 * craft > 2 * fitting.mass:
        words = f"{craft} mass of gunboats takes {(3 * craft + 1) // 2} mass of boat bay, not {fitting.mass}"
        yield Violation(f"{where}.load", "bay-too-small", words)


def _gunboats(fitting: Fitting, where: str) -> Faults:
    if sum(mod.startswith("ecm-") for mod in fitting.mods) > 1:
        yield Violation(f"{where}.mods", "mods-apart", "the ECM of a squadron must be of one level")


CRAFT_CHECKS = {"fighters": _fighters, "robots": _robots, "gunboats": _squadron, "boats": _boats}


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

"""Contents of magazines, racks and bays, and the magazines that feed launchers.

Rules: Continuum "Mountings and magazines" 6.6, "Minelaying" 6.10, "Fighter types" 8.15, "Gunboat
types" 9.2 [pc.design]
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from engine.core.errors import Violation
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason
from engine.core.terms import NO_MULTI_STAGE
from engine.craft.craft_type import CraftTrait, CraftType, Family, Mod
from engine.craft.registry import family_of
from engine.design.shared_faults import price_words
from engine.design.techbase import HANGARS
from engine.design.value import Design, Fitting
from engine.english import kind_words
from engine.prices.continuum import LEAST_MINES, LOADS, MAGAZINE, MINE_RACK, MIXES, TORPEDOES
from engine.prices.system_price import SystemPrice
from engine.weapons.ordnance import TWO_STAGE
from engine.weapons.registry import system_prices_of

Faults = Iterator[Violation]
Load = tuple[tuple[str, int], ...]

RELOADED = (MAGAZINE, *HANGARS)
ROUNDS = LOADS[MAGAZINE]
_ROUND = re.compile(r"([0-9]{1,3}) ([a-z-]+)")


def _holds(edition: str, type_: str) -> str:
    """Return what a type of weapon holds, as `SystemPrice.holds`."""
    row = _price_of_weapon(edition, type_)
    return row.holds if row is not None else ""


def _fires(edition: str, type_: str) -> tuple[str, ...]:
    """Return the kinds of missiles that a launcher fires."""
    row = _price_of_weapon(edition, type_)
    return row.fires if row is not None else ()


def _price_of_weapon(edition: str, type_: str) -> SystemPrice | None:
    """Return the first row of the price list for a type of weapon, None if it is not sold."""
    for system_price in system_prices_of(edition):
        if system_price.type == type_:
            return system_price
    return None


def magazines(design: Design) -> tuple[tuple[str, Fitting], ...]:
    """Return every magazine with its id, in the design's order."""
    result: list[tuple[str, Fitting]] = []
    for fitting in design.systems:
        if fitting.type == "magazine":
            for _ in range(fitting.count):
                result.append((f"magazine-{len(result) + 1}", fitting))
    return tuple(result)


def load_of(fitting: Fitting, design: Design) -> Load:
    """Return the load of one system of a fitting.

    A magazine without a load is full of standard salvoes, or of boarding torpedoes if the ship
    launches nothing else. A mine rack without a load holds the minimum.
    """
    if fitting.load:
        return fitting.load
    if _holds(design.edition, fitting.type) == MINE_RACK:
        return (("mines", LEAST_MINES),)
    if fitting.type != "magazine":
        return ()
    fired_kinds: list[str] = []
    for other in design.systems:
        fired_kinds += _fires(design.edition, other.type)
    kind = "standard"
    if fired_kinds and all(fired == TORPEDOES for fired in fired_kinds):
        kind = TORPEDOES
    number = fitting.mass // LOADS[MAGAZINE][kind][0]
    return ((kind, number),) if number > 0 else ()


def feeding_magazines(fitting: Fitting, design: Design) -> tuple[str, ...]:
    """Return the ids of the magazines that could feed a launcher.

    That is the one it names, or else all that hold something it fires.
    """
    fired_kinds = _fires(design.edition, fitting.type)
    if not fired_kinds:
        return ()
    result: list[str] = []
    for name, magazine in magazines(design):
        kinds = [kind for kind, _ in load_of(magazine, design)]
        has_load = any(kind in fired_kinds for kind in kinds)
        if fitting.magazine in ("", name) and has_load:
            result.append(name)
    return tuple(result)


def load_faults(
    fitting: Fitting,
    system_price: SystemPrice,
    design: Design,
    where: str,
    options: Collection[str],
) -> Faults:
    """Yield every fault of a fitting's load and of its craft's modifications."""
    if not system_price.holds:
        yield from _needless_load_faults(fitting, system_price, where)
        return
    kinds, mods = _allowed_contents(system_price, design.edition)
    yield from _kind_faults(fitting, system_price, kinds, where)
    yield from _mod_faults(fitting, mods, where)
    if any(kind not in kinds for kind, _ in fitting.load):
        return
    if system_price.holds in LOADS:
        yield from _store_faults(fitting, system_price, design, where)
        if NO_MULTI_STAGE in options and TWO_STAGE in dict(fitting.load):
            yield excluded_fault(
                f"{where}.load",
                reason("magazine-missiles-two-stages", "magazine of two-stage missiles"),
                NO_MULTI_STAGE,
            )
        return
    if fitting.mods and not fitting.load:
        yield Violation(
            f"{where}.mods",
            "mods-not-asked",
            reason("there-no-craft-modify", "it has no craft to modify"),
        )
    family = _family(system_price, design.edition)
    yield from _craft_faults(fitting, family, where)
    yield from BAY_CHECKS[system_price.holds](fitting, family, where)


def _needless_load_faults(fitting: Fitting, system_price: SystemPrice, where: str) -> Faults:
    """Yield faults if a system that holds nothing has a load or modifications."""
    if fitting.load:
        yield Violation(
            f"{where}.load",
            "load-not-asked",
            reason("load-not-asked", "a {} cannot hold anything", price_words(system_price)),
        )
    if fitting.mods:
        yield Violation(
            f"{where}.mods",
            "mods-not-asked",
            reason("holds-no-craft", "a {} cannot hold craft", price_words(system_price)),
        )


def _kind_faults(
    fitting: Fitting, system_price: SystemPrice, kinds: tuple[str, ...], where: str
) -> Faults:
    """Yield faults for unknown kinds in a load, and for impossible numbers."""
    unknown = [kind for kind, _ in fitting.load if kind not in kinds]
    if unknown:
        words = reason(
            "holds-no-known",
            "a {} cannot hold {}; choose from {}",
            price_words(system_price),
            join_phrases(", ", map(kind_words, unknown)),
            join_phrases(", ", map(kind_words, kinds)),
        )
        yield Violation(f"{where}.load", "unknown-load", words)
    if any(number < 1 for _, number in fitting.load):
        yield Violation(
            f"{where}.load",
            "load-number",
            reason("load-number", "a load has at least 1 of each kind"),
        )


def _mod_faults(fitting: Fitting, mods: tuple[str, ...], where: str) -> Faults:
    """Yield faults for unknown and repeated modifications."""
    strange = [mod for mod in fitting.mods if mod not in mods]
    if strange:
        words = reason(
            "no-modification-known",
            "no modification {}; choose from {}",
            join_phrases(", ", map(kind_words, strange)),
            join_phrases(", ", map(kind_words, mods)) or phrase("none"),
        )
        yield Violation(f"{where}.mods", "unknown-mod", words)
    if len(set(fitting.mods)) < len(fitting.mods):
        yield Violation(
            f"{where}.mods", "mod-twice", reason("mod-twice", "a modification is given twice")
        )


def excluded_fault(where: str, subject: str, option: str) -> Violation:
    """Return the fault for something that the players agreed to exclude."""
    return Violation(
        where,
        "excluded",
        reason("option-there-no", "the optional rule '{}' does not allow a {}", option, subject),
    )


def _family(system_price: SystemPrice, edition: str) -> Family:
    """Return the craft family of a bay."""
    family = family_of(edition, BAYS[system_price.holds])
    assert family is not None  # editions that sell the bay have the family
    return family


def craft_in_fitting(
    fitting: Fitting, system_price: SystemPrice, edition: str
) -> tuple[tuple[CraftType, int], ...]:
    """Return the known craft types in one system of a fitting, with their numbers."""
    if system_price.holds not in BAYS:
        return ()
    family = _family(system_price, edition)
    result: list[tuple[CraftType, int]] = []
    for kind, number in fitting.load:
        row = family.of(kind)
        if row is not None:
            result.append((family.modified(row, fitting.mods), number))
    return tuple(result)


def _allowed_contents(
    system_price: SystemPrice, edition: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the kinds that a system may hold, and the modifications they may have."""
    if system_price.holds in LOADS:
        return tuple(LOADS[system_price.holds]), ()
    family = _family(system_price, edition)
    return tuple(row.type for row in family.types), tuple(mod.name for mod in family.mods)


def _store_faults(
    fitting: Fitting, system_price: SystemPrice, design: Design, where: str
) -> Faults:
    """Yield faults of a magazine's or mine rack's load.

    Rules: Continuum "Magazine capacity", "Multi-stage missiles" 6.6, "Minelaying" 6.10
    [pc.salvo-missiles]
    """
    load = load_of(fitting, design)
    if system_price.holds == MINE_RACK:
        if sum(number for _, number in load) < LEAST_MINES:
            yield Violation(
                f"{where}.load",
                "too-few-mines",
                reason("too-few-mines", "a mine rack holds at least {} mines", LEAST_MINES),
            )
        return
    used_mass = sum(LOADS[MAGAZINE][kind][0] * number for kind, number in load)
    if used_mass > fitting.mass:
        words = reason(
            "load-takes-mass-magazine",
            "the load takes mass {}; the magazine has {}",
            used_mass,
            fitting.mass,
        )
        yield Violation(f"{where}.load", "magazine-too-small", words)
    if not any(all(kind in mix for kind, _ in load) for mix in MIXES):
        words = reason(
            "magazine-holds-regular-missiles",
            "a magazine cannot mix regular missiles, two-stage missiles and boarding torpedoes",
        )
        yield Violation(f"{where}.load", "mixed-magazine", words)


def _craft_faults(fitting: Fitting, family: Family, where: str) -> Faults:
    """Yield faults of the craft in one bay by the restrictions of their types.

    Rules: Continuum "Fighter types" 8.15 [pc.fighter-types]; Continuum "Gunboat types" 9.2
    [pc.gunboats]
    """
    kinds = [kind for kind, _ in fitting.load]
    if len(kinds) > 1 and not family.mixed:
        words = reason(
            "must-type", "all {} of a {} must be of the same type", family.craft, family.group
        )
        yield Violation(f"{where}.load", f"mixed-{family.group}", words)
    for mod in family.mods:
        if mod.name in fitting.mods:
            yield from _restriction_faults(fitting, family, mod, where)


def _restriction_faults(fitting: Fitting, family: Family, mod: Mod, where: str) -> Faults:
    """Yield faults if a modification is not for these craft, or not together with another."""
    code, words_for_type = mod.restricted_to
    if code:
        allowed_types = [row.type for row in family.types if mod.name in row.mods]
        for kind, _ in fitting.load:
            if kind not in allowed_types:
                words = words_for_type.format(
                    type=kind_words(kind), types=join_phrases(", ", map(kind_words, allowed_types))
                )
                yield Violation(f"{where}.mods", code, words)
    excluded_mods, words_for_mod = mod.excludes
    for other in excluded_mods:
        if other in fitting.mods:
            yield Violation(
                f"{where}.mods", "mods-apart", words_for_mod.format(other=kind_words(other))
            )


def _bay(fitting: Fitting, family: Family, where: str) -> Faults:
    """Yield a fault if a bay holds too many craft.

    Rules: Continuum "Hangar bays" 13.12 [pc.fighter-launch]; Continuum "Gunboat types" 9.2
    [pc.gunboats]
    """
    most = max((family.modified(row, fitting.mods).full for row in family.types), default=0)
    if sum(number for _, number in fitting.load) > most:
        yield Violation(
            f"{where}.load",
            "too-many-craft",
            reason("too-many-craft", "a {} has at most {} {}", family.group, most, family.craft),
        )


def _robots(fitting: Fitting, family: Family, where: str) -> Faults:
    """Yield the faults of a fighter rack, which carries robots.

    Rules: Continuum "Fighter racks" 13.12 [pc.fighter-racks]
    """
    yield from _bay(fitting, family, where)
    if fitting.load and not _gives_trait(fitting, family, CraftTrait.ROBOT):
        yield Violation(
            f"{where}.mods",
            "not-robots",
            reason("not-robots", "a fighter rack can carry only robot fighters"),
        )


def _squadron(fitting: Fitting, family: Family, where: str) -> Faults:
    """Yield the faults of a gunboat rack.

    Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
    """
    yield from _bay(fitting, family, where)
    if _gives_trait(fitting, family, CraftTrait.FTL):
        yield Violation(
            f"{where}.mods",
            "ftl-in-rack",
            reason("ftl-in-rack", "gunboats with FTL drives cannot be carried in racks"),
        )


def _gives_trait(fitting: Fitting, family: Family, trait: CraftTrait) -> bool:
    """Return whether modifications give craft in a bay a trait."""
    return any(trait in family.modified(row, fitting.mods).traits for row in family.types)


def _boats(fitting: Fitting, family: Family, where: str) -> Faults:
    """Yield a fault if a boat bay is too small for its gunboats.

    Rules: Continuum "Boat bay" 13.12, "Gunboat rules" 9.1 [pc.boat-bays]
    """
    craft_mass = 0
    for kind, number in fitting.load:
        row = family.of(kind)
        if row is not None:
            craft_mass += family.modified(row, fitting.mods).berth * number
    if 3 * craft_mass > 2 * fitting.mass:
        words = reason(
            "mass-gunboats-takes-mass",
            "gunboats of mass {} need boat bays of mass {}, not {}",
            craft_mass,
            (3 * craft_mass + 1) // 2,
            fitting.mass,
        )
        yield Violation(f"{where}.load", "bay-too-small", words)


# The family of craft for each kind of bay in the price lists, and the checks beyond the craft
# types.
BAYS = {"fighters": "fighters", "robots": "fighters", "gunboats": "gunboats", "boats": "gunboats"}
BAY_CHECKS = {"fighters": _bay, "robots": _robots, "gunboats": _squadron, "boats": _boats}


def load_words(
    load: Iterable[tuple[str, int]], mods: Iterable[str], type_: str, edition: str
) -> str:
    """Return a load as text: number and kind of rounds, or modifications and type of craft."""
    if type_ == MAGAZINE:
        numbers = dict(load)
        return ", ".join(f"{numbers[kind]} {kind}" for kind in ROUNDS if numbers.get(kind))
    fitted = set(mods)
    family = family_of(edition, BAYS["fighters"])
    all_mods = family.mods if family is not None else ()
    words = [mod.name for mod in all_mods if mod.name in fitted]
    words += [kind for kind, _ in load]
    return " ".join(words)


def read_load(text: str, type_: str, edition: str) -> tuple[Load, tuple[str, ...]] | None:
    """Return the load and the modifications of a text, None if it is unreadable.

    Each kind may occur only once.
    """
    if type_ == MAGAZINE:
        rounds = _read_rounds(text)
        return (rounds, ()) if rounds else None
    *mods, kind = text.split() or [""]
    family = family_of(edition, BAYS["fighters"])
    if family is None:
        return None
    row = family.of(kind)
    is_known = row is not None and all(family.mod(mod) is not None for mod in mods)
    if row is None or not is_known or len(set(mods)) < len(mods):
        return None
    full = family.modified(row, mods).full
    return ((kind, full),), tuple(mod.name for mod in family.mods if mod.name in mods)


def _read_rounds(text: str) -> Load:
    """Return the load that a text such as `3 standard, 2 extended` describes; () if unreadable.

    The rounds are in the order of the price list.
    """
    numbers: dict[str, int] = {}
    for part in text.split(","):
        match = _ROUND.fullmatch(part.strip())
        if match is None or match[2] not in ROUNDS or match[2] in numbers or not int(match[1]):
            return ()
        numbers[match[2]] = int(match[1])
    return tuple((kind, numbers[kind]) for kind in ROUNDS if kind in numbers)


def fitting_at(design: Design, system: str) -> int | None:
    """Return the row of a design that contains a system of its sheet, None if there is none.

    `hangar-2` is the second hangar, counted row by row.
    """
    type_, _, tail = system.rpartition("-")
    number = int(tail) if tail.isascii() and tail.isdigit() else 0
    count_before = 0
    for index, fitting in enumerate(design.systems):
        if fitting.type == type_:
            if count_before < number <= count_before + fitting.count:
                return index
            count_before += fitting.count
    return None


def with_load(design: Design, system: str, load: Load, mods: tuple[str, ...]) -> Design:
    """Return the design with another load in one magazine or hangar, in a row of its own.

    All systems keep their numbers.

    Raises:
        ValueError: If the design has no such system.
    """
    index = fitting_at(design, system)
    if index is None:
        raise ValueError(f"{design.cls} has no system {system}")
    rows: list[Fitting] = list(design.systems)
    row = rows[index]
    number = int(system.rpartition("-")[2])
    count_before = sum(fitting.count for fitting in rows[:index] if fitting.type == row.type)
    place_in_row = number - 1 - count_before
    parts = (
        replace(row, count=place_in_row),
        replace(row, count=1, load=load, mods=mods),
        replace(row, count=row.count - 1 - place_in_row),
    )
    rows[index : index + 1] = [part for part in parts if part.count]
    return replace(design, systems=tuple(rows))

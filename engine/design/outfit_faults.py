"""What is wrong with the systems of a design taken together.

Rules: Continuum 5.14-5.23, 6.6, 6.8, 7.2-7.25, 13.12, 13.13 [pc.design]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil

from engine.core.errors import Violation, place
from engine.design.frames import crew_factors
from engine.design.loads import feeding, magazines
from engine.design.tonnage import is_broadside, ware_of
from engine.design.value import Design, Fitting
from engine.pricelists.defences import ADVANCED_SCREENS, FIELDS, STANDARD_SCREENS
from engine.pricelists.outfit import MARINES_PER_MASS, PARTIES_PER_MASS, UPGRADES
from engine.pricelists.ware import Ware
from engine.ruleset import RuleSet

Faults = Iterator[Violation]
Placed = tuple[str, Fitting, Ware]

MASS_PER_MOUNT = 50  # turrets, spinal mounts and plasma bolt launchers: one for each, or part of it
HIGHEST_STEALTH = 2


def outfit_faults(design: Design, rules: RuleSet) -> Faults:
    """Every fault of the systems together, each at the fitting that makes it."""
    placed: list[Placed] = []
    for number, fitting in enumerate(design.systems):
        ware = ware_of(fitting, rules)
        if ware is not None:
            placed.append((place("systems", number), fitting, ware))
    for check in CHECKS:
        yield from check(placed, design, rules)


def _most(placed: list[Placed], design: Design, _rules: RuleSet) -> Faults:
    """Rules: Continuum "Turrets" 5.22, "Spinal mounts" 5.23, "Plasma bolt launchers" 6.8 [pc.turrets]"""
    counted: dict[str, int] = {}
    for where, fitting, ware in placed:
        for group, most in ((ware.limit, ceil(max(1, design.mass) / MASS_PER_MOUNT)), (ware.type, ware.most)):
            if not group or not most:
                continue
            before = counted.get(group, 0)
            counted[group] = before + max(0, fitting.count)
            if before <= most < counted[group]:
                words = f"a ship of mass {design.mass} carries at most {most} of {group}"
                yield Violation(where, "too-many", words)


def _pairs(placed: list[Placed], _design: Design, rules: RuleSet) -> Faults:
    """Rules: Continuum "Gatling battery" 5.10, "Twin particle array" 5.11, "K-guns" 5.16 [pc.design]"""
    counted: dict[str, tuple[str, int]] = {}
    for where, fitting, ware in placed:
        broadside = is_broadside(fitting.arcs, rules) and not fitting.turret
        if ware.in_pairs == "" or (ware.in_pairs == "broadside" and broadside):
            name = f"broadside {ware.name}" if ware.in_pairs else ware.name
            counted[name] = (where, counted.get(name, ("", 0))[1] + max(0, fitting.count))
    for name, (where, number) in counted.items():
        if number % 2:
            yield Violation(where, "not-in-pairs", f"a {name} comes in pairs, and here are {number}")


def _fields(placed: list[Placed], design: Design, _rules: RuleSet) -> Faults:
    """Rules: Continuum "Advanced screens" 7.3, "Stealth fields" 7.5, "Holofield" 7.17 [pc.advanced-screens]"""
    types = [fitting.type for _, fitting, _ in placed]
    holofield = "holofield" in types
    standard = any(type_ in STANDARD_SCREENS for type_ in types)
    stealth = design.stealth
    for where, fitting, ware in placed:
        if fitting.type in ADVANCED_SCREENS and standard:
            yield Violation(where, "mixed-screens", "no ship has both standard and advanced screens")
        if holofield and fitting.type in (*STANDARD_SCREENS, *ADVANCED_SCREENS, *FIELDS):
            yield Violation(where, "holofield-alone", f"a holofield stands beside no other field, and no {ware.name}")
        if fitting.type == "stealth-field":
            before, stealth = stealth, stealth + max(0, fitting.count)
            if design.stealth and before <= HIGHEST_STEALTH < stealth:
                words = f"hull and fields together make stealth {stealth}, and {HIGHEST_STEALTH} is the highest"
                yield Violation(where, "stealth-level", words)


def _upgrades(placed: list[Placed], _design: Design, _rules: RuleSet) -> Faults:
    """Rules: Continuum "Overloaded pulse torpedoes" 5.14, "Flak ammunition" 5.16, "Catapults" 13.12 [pc.design]"""
    kinds = dict.fromkeys((flag, ware.type) for flag in UPGRADES for _, _, ware in placed if flag in ware.flags)
    for flag, type_ in kinds:  # of each type every one that can be upgraded is, or none
        able = [(where, fitting) for where, fitting, ware in placed if fitting.type == type_ and flag in ware.flags]
        if any(flag in fitting.flags for _, fitting in able):
            for where, fitting in able:
                if flag not in fitting.flags:
                    yield Violation(f"{where}.{flag}", "all-or-none", f"every {type_} has {flag}, or none has")


def _turrets(placed: list[Placed], _design: Design, _rules: RuleSet) -> Faults:
    """Rules: Continuum "Turrets" 5.22 [pc.turrets]"""
    ids: list[str] = []
    used = [fitting.turret for _, fitting, ware in placed if ware.turreted]
    for where, fitting, _ in placed:
        if fitting.type == "turret":
            own = [f"turret-{len(ids) + number}" for number in range(1, fitting.count + 1)]
            ids += own
            for name in own:
                if name not in used:
                    yield Violation(where, "empty-turret", f"no weapon is mounted in {name}")
    for where, fitting, _ in placed:
        if fitting.turret and fitting.turret not in ids:
            known = ", ".join(ids) or "none"
            yield Violation(f"{where}.turret", "unknown-turret", f"no turret {fitting.turret!r}; known: {known}")


def _magazines(placed: list[Placed], design: Design, _rules: RuleSet) -> Faults:
    """Rules: Continuum "Magazine capacity" 6.6, "Boarding torpedoes" 5.18 [pc.salvo-missiles]"""
    known = ", ".join(name for name, _ in magazines(design)) or "none"
    for where, fitting, ware in placed:
        if not ware.fires:
            continue
        sources = feeding(fitting, design)
        if not sources:
            kinds = " or ".join(ware.fires)
            what = f"{fitting.magazine} feeds it with none" if fitting.magazine else "the ship has none"
            words = f"a {ware.name} needs a magazine with {kinds}; {what} (magazines: {known})"
            yield Violation(f"{where}.magazine", "no-magazine", words)
        elif len(sources) > 1:
            words = f"a {ware.name} is fed from one magazine; it names one of {', '.join(sources)}"
            yield Violation(f"{where}.magazine", "which-magazine", words)


def _flight(placed: list[Placed], _design: Design, _rules: RuleSet) -> Faults:
    """Rules: Continuum "Launch tubes" 8.2, "Hangar bays", "Combined bays" 13.12 [pc.fighter-launch]"""
    tubes = any(fitting.type == "launch-tube" for _, fitting, _ in placed)
    for where, fitting, _ in placed:
        if fitting.type == "hangar" and not tubes:
            words = "a hangar needs a launch tube on the ship; a combined-hangar needs none"
            yield Violation(where, "no-launch-tube", words)


def _berths(placed: list[Placed], design: Design, _rules: RuleSet) -> Faults:
    """As many extra parties and marines as crew factors, and more in berths.

    Rules: Continuum "Troop berthing", "Passenger berthing", "Marine boarding parties" 13.13 [pc.berthing]
    """
    number = {"marines": 0, "damage-control": 0, "troops": 0, "passengers": 0}
    last = ""
    for where, fitting, _ in placed:
        if fitting.type in number:
            number[fitting.type] += max(0, fitting.count) * (fitting.mass or 1)
            last = where if fitting.type in ("marines", "damage-control") else last
    aboard = max(0, number["marines"] - MARINES_PER_MASS * number["troops"])
    aboard += max(0, number["damage-control"] - PARTIES_PER_MASS * number["passengers"])
    factors = crew_factors(design)
    if aboard > factors:
        words = f"{aboard} extra parties have no berths, and {factors} crew factors take in as many as they are"
        yield Violation(last, "no-berths", words)


CHECKS: tuple[Callable[[list[Placed], Design, RuleSet], Faults], ...] = (
    _most,
    _pairs,
    _fields,
    _upgrades,
    _turrets,
    _magazines,
    _flight,
    _berths,
)

"""Faults of a design's systems in combination, each at the fitting that causes it.

Rules: Continuum "Ship construction and design" 13, "Ship construction summary" 14 [pc.design]
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil

from engine.core.errors import Violation, fault_path
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason
from engine.design.loads import feeding_magazines, magazines
from engine.design.mass_pricing import (
    crew_factors,
    is_broadside,
    system_price_of,
)
from engine.design.shared_faults import HIGHEST_STEALTH, Faults, price_words
from engine.design.value import Design, Fitting
from engine.english import kind_words, system_words
from engine.prices.continuum import (
    ADVANCED_SCREENS,
    FIELDS,
    MARINES_PER_MASS,
    PARTIES_PER_MASS,
    STANDARD_SCREENS,
    UPGRADES,
)
from engine.prices.system_price import SystemPrice
from engine.ruleset import RuleSet
from engine.systems.defences import CLOAKS

PlacedSystem = tuple[str, Fitting, SystemPrice]  # place in the design, fitting, price list row
MASS_PER_MOUNT = 50  # one turret, spinal mount or plasma bolt launcher for each started 50 mass
GATE_BOXES = Fraction(1, 10)  # share of the mass that a jump gate transfers


def outfit_faults(design: Design, rules: RuleSet) -> Faults:
    """Yield every fault of the systems in combination, at the fitting that causes it."""
    systems: list[PlacedSystem] = []
    for number, fitting in enumerate(design.systems):
        system_price = system_price_of(fitting, rules)
        if system_price is not None:
            systems.append((fault_path("systems", number), fitting, system_price))
    for check in OUTFIT_CHECKS:
        yield from check(systems, design, rules)


def _sections(systems: list[PlacedSystem], design: Design, _rules: RuleSet) -> Faults:
    """Yield a fault for every cloak on a section, because a section cannot cloak.

    Rules: Continuum "Starbases" 13.15 [pc.starbases]
    """
    for where, _, system_price in systems:
        if design.of and system_price.type in CLOAKS:
            yield Violation(
                where,
                "section-cloaks",
                reason(
                    "section-cloaks",
                    "a section cannot have a {}, because it cannot cloak",
                    price_words(system_price),
                ),
            )


def _gates(systems: list[PlacedSystem], design: Design, _rules: RuleSet) -> Faults:
    """Yield a fault if a jump gate's hull has less than a box for every ten mass it transfers.

    Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
    """
    for where, fitting, system_price in systems:
        if fitting.type != "jump-gate":
            continue
        transferred_mass = fitting.mass * system_price.room
        boxes_needed = ceil(transferred_mass * GATE_BOXES)
        if design.boxes < boxes_needed:
            words = reason(
                "gate-transfers-mass-least",
                "a gate that transfers mass {} needs at least {} boxes",
                transferred_mass,
                boxes_needed,
            )
            yield Violation(
                where, "gate-boxes", reason("this-not-that", "{}, not {}", words, design.boxes)
            )


def _most(systems: list[PlacedSystem], design: Design, _rules: RuleSet) -> Faults:
    """Yield a fault for each type of system of which a ship has too many.

    Rules: Continuum "Turrets" 5.22, "Spinal mounts" 5.23, "Plasma bolt launchers" 6.8 [pc.turrets]
    """
    counts: dict[str, int] = {}
    for where, fitting, system_price in systems:
        for group, most in (
            (system_price.limit, ceil(max(1, design.mass) / MASS_PER_MOUNT)),
            (system_price.type, system_price.most),
        ):
            if not group or not most:
                continue
            before = counts.get(group, 0)
            counts[group] = before + max(0, fitting.count)
            if before <= most < counts[group]:
                words = reason(
                    "too-many-for-mass",
                    "{}: at most {} on a ship of mass {}",
                    system_words(group),
                    most,
                    design.mass,
                )
                yield Violation(where, "too-many", words)


def _pairs(systems: list[PlacedSystem], _design: Design, rules: RuleSet) -> Faults:
    """Yield a fault for systems sold in pairs of which there is an odd number.

    Rules: Continuum "Gatling battery" 5.10, "Twin particle array" 5.11, "K-guns" 5.16 [pc.design]
    """
    counts: dict[str, int] = {}
    last_place: dict[str, str] = {}
    for where, fitting, system_price in systems:
        if system_price.in_pairs == "":
            name = price_words(system_price)
        elif system_price.in_pairs == "broadside" and _is_broadside(fitting, rules):
            name = phrase("broadside {}", price_words(system_price))
        else:
            continue
        counts[name] = counts.get(name, 0) + max(0, fitting.count)
        last_place[name] = where
    for name, number in counts.items():
        if number % 2:
            yield Violation(
                last_place[name],
                "not-in-pairs",
                reason("not-in-pairs", "a {} comes in pairs; this design has {}", name, number),
            )


def _is_broadside(fitting: Fitting, rules: RuleSet) -> bool:
    """Return whether a system is mounted in a broadside, not in a turret."""
    return is_broadside(fitting.arcs, rules) and not fitting.turret


EXCLUDED_BY_HOLOFIELD = (*STANDARD_SCREENS, *ADVANCED_SCREENS, *FIELDS)


def _fields(systems: list[PlacedSystem], design: Design, _rules: RuleSet) -> Faults:
    """Yield faults of screens and fields that exclude each other.

    Rules: Continuum "Advanced screens" 7.3, "Stealth fields" 7.5, "Holofield" 7.17
    [pc.advanced-screens]
    """
    types = [fitting.type for _, fitting, _ in systems]
    has_holofield = "holofield" in types
    has_standard = any(type_ in STANDARD_SCREENS for type_ in types)
    stealth = design.stealth
    for where, fitting, system_price in systems:
        if fitting.type in ADVANCED_SCREENS and has_standard:
            yield Violation(
                where,
                "mixed-screens",
                reason("mixed-screens", "a ship cannot have both standard and advanced screens"),
            )
        if has_holofield and fitting.type in EXCLUDED_BY_HOLOFIELD:
            yield Violation(
                where,
                "holofield-alone",
                reason(
                    "holofield-alone",
                    "a ship with a holofield cannot have this as well: {}",
                    price_words(system_price),
                ),
            )
        if fitting.type == "stealth-field":
            stealth_before = stealth
            stealth += max(0, fitting.count)
            if design.stealth and stealth_before <= HIGHEST_STEALTH < stealth:
                words = reason(
                    "hull-fields-together-make",
                    "hull and fields add up to stealth {}; the limit is {}",
                    stealth,
                    HIGHEST_STEALTH,
                )
                yield Violation(where, "stealth-level", words)


def _upgrades(systems: list[PlacedSystem], _design: Design, _rules: RuleSet) -> Faults:
    """Yield faults if only some systems of a type have an upgrade.

    Rules: Continuum "Overloaded pulse torpedoes" 5.14, "Flak ammunition" 5.16, "Catapults" 13.12
    [pc.design]
    """
    upgradable: dict[tuple[str, str], list[tuple[str, Fitting]]] = {}
    for flag in UPGRADES:
        for where, fitting, system_price in systems:
            if flag in system_price.flags:
                upgradable.setdefault((flag, system_price.type), []).append((where, fitting))
    for (flag, type_), rows in upgradable.items():
        if not any(flag in fitting.flags for _, fitting in rows):
            continue
        for where, fitting in rows:
            if flag not in fitting.flags:
                yield Violation(
                    f"{where}.{flag}",
                    "all-or-none",
                    reason(
                        "all-or-none",
                        "either every {} has {}, or none does",
                        system_words(type_),
                        kind_words(flag),
                    ),
                )


def _turrets(systems: list[PlacedSystem], _design: Design, _rules: RuleSet) -> Faults:
    """Yield faults for turrets without a weapon, and for weapons in turrets that do not exist.

    Rules: Continuum "Turrets" 5.22 [pc.turrets]
    """
    used_ids = [fitting.turret for _, fitting, price in systems if price.turreted]
    turret_ids: list[str] = []
    for where, fitting, _ in systems:
        for _ in range(fitting.count if fitting.type == "turret" else 0):
            turret_ids.append(f"turret-{len(turret_ids) + 1}")
            if turret_ids[-1] not in used_ids:
                words = reason("empty-turret", "{} has no weapon", system_words(turret_ids[-1]))
                yield Violation(where, "empty-turret", words)
    known_turrets = _known(turret_ids)
    for where, fitting, _ in systems:
        if fitting.turret and fitting.turret not in turret_ids:
            words = reason(
                "unknown-turret",
                "there is no {}; choose from {}",
                system_words(fitting.turret),
                known_turrets,
            )
            yield Violation(f"{where}.turret", "unknown-turret", words)


def _known(ids: list[str]) -> str:
    """Return the words for the systems with these ids, or "none"."""
    if not ids:
        return reason("none-at-all", "none")
    return join_phrases(", ", map(system_words, ids))


def _magazines(systems: list[PlacedSystem], design: Design, _rules: RuleSet) -> Faults:
    """Yield a fault for every launcher that no magazine feeds, or more than one could.

    Rules: Continuum "Magazine capacity" 6.6, "Boarding torpedoes" 5.18 [pc.salvo-missiles]
    """
    magazine_ids = [name for name, _ in magazines(design)]
    for where, fitting, system_price in systems:
        if not system_price.fires:
            continue
        sources = feeding_magazines(fitting, design)
        if not sources:
            kinds = join_phrases(", ", map(kind_words, system_price.fires))
            words = reason(
                "needs-magazine-with",
                "a {} needs a magazine with one of: {}; {}",
                price_words(system_price),
                kinds,
                _magazine_problem(fitting, magazine_ids),
            )
            yield Violation(f"{where}.magazine", "no-magazine", words)
        elif len(sources) > 1:
            words = reason(
                "fed-magazine-names",
                "a {} is fed from one magazine: name one of {}",
                price_words(system_price),
                join_phrases(", ", map(system_words, sources)),
            )
            yield Violation(f"{where}.magazine", "which-magazine", words)


def _magazine_problem(fitting: Fitting, magazine_ids: list[str]) -> str:
    """Return why no magazine feeds a launcher, in words."""
    if not magazine_ids:
        return reason("no-magazine-at-all", "the ship has no magazine")
    if fitting.magazine and fitting.magazine not in magazine_ids:
        return reason(
            "unknown-magazine",
            "the ship has no {}, only {}",
            system_words(fitting.magazine),
            _known(magazine_ids),
        )
    searched = [fitting.magazine] if fitting.magazine else magazine_ids
    return reason("feeds-none", "{} holds none", _known(searched))


def _flight(systems: list[PlacedSystem], _design: Design, _rules: RuleSet) -> Faults:
    """Yield a fault for hangars on a ship without launch tubes.

    Rules: Continuum "Launch tubes" 8.2, "Hangar bays", "Combined bays" 13.12 [pc.fighter-launch]
    """
    tubes = any(fitting.type == "launch-tube" for _, fitting, _ in systems)
    for where, fitting, _ in systems:
        if fitting.type == "hangar" and not tubes:
            words = reason(
                "hangar-needs-launch-tube",
                "a hangar needs a launch tube on the ship; a combined hangar needs none",
            )
            yield Violation(where, "no-launch-tube", words)


def _berths(systems: list[PlacedSystem], design: Design, _rules: RuleSet) -> Faults:
    """Yield a fault if extra parties and marines exceed the crew factors and the berths.

    Rules: Continuum "Troop berthing", "Passenger berthing", "Marine boarding parties" 13.13
    [pc.berthing]
    """
    number = {"marines": 0, "damage-control": 0, "troops": 0, "passengers": 0}
    last = ""
    for where, fitting, _ in systems:
        if fitting.type in number:
            number[fitting.type] += max(0, fitting.count) * (fitting.mass or 1)
            if fitting.type in ("marines", "damage-control"):
                last = where
    aboard = max(0, number["marines"] - MARINES_PER_MASS * number["troops"])
    aboard += max(0, number["damage-control"] - PARTIES_PER_MASS * number["passengers"])
    factors = crew_factors(design)
    if aboard > factors:
        words = reason(
            "extra-parties-no-berths",
            "{} extra parties have no berths; the crew can house only {} (its crew factors)",
            aboard,
            factors,
        )
        yield Violation(last, "no-berths", words)


OUTFIT_CHECKS: tuple[Callable[[list[PlacedSystem], Design, RuleSet], Faults], ...] = (
    _most,
    _pairs,
    _fields,
    _upgrades,
    _turrets,
    _magazines,
    _flight,
    _berths,
    _gates,
    _sections,
)

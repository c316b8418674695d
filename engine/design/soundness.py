"""What is wrong with a design that takes mass for everything: every fault at once, each with its place.

Rules: Continuum "Ship construction and design" 13, "Ship construction summary" 14 [pc.design]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from fractions import Fraction

from engine.core.errors import Violation, place
from engine.design.fitting_faults import fitting_faults
from engine.design.hulls import hull_row
from engine.design.outfit_faults import outfit_faults
from engine.design.tonnage import ARMOUR_RATES, HULL_RATES, STREAMLINING_SHARES, mass_used, share_of
from engine.design.value import Design
from engine.ruleset import HullRow, RuleSet

Faults = Iterator[Violation]

ADVANCED_ROWS = 3
LEAST_ADVANCED_BOXES = 4
LEAST_BOXES = Fraction(1, 10)  # of the mass
LEAST_FLAWED_MASS = 60
HIGHEST_STEALTH = 2
DRIVES = ("standard", "advanced")


def design_violations(design: Design, rules: RuleSet, unread: Collection[str] = ()) -> tuple[Violation, ...]:
    """All that forbids building this design, in the order of its keys; empty for a legal one.

    `unread` names the keys that could not be read at all: what depends on them is not judged. A fitting of no type
    stands for one that could not be read.
    """
    if rules.hull(design.kind) is None:
        known = ", ".join(rules.yard.notation.kinds)
        return (Violation("kind", "unknown-kind", f"{rules.edition} has no kind {design.kind!r}; known: {known}"),)
    hull = hull_row(design, rules)
    return tuple(
        fault
        for needs, check in CHECKS
        if not any(key == need or key.startswith((f"{need}.", f"{need}[")) for key in unread for need in needs)
        for fault in check(design, hull, rules)
    )


def _mass(design: Design, hull: HullRow, _rules: RuleSet) -> Faults:
    """Rules: Continuum "Mass rating" 13.4 [pc.classification]"""
    if design.civil and not hull.civil:
        yield Violation("civil", "civil-hull", f"only installations can be civil, not a {design.kind} is")
    if design.mass < hull.mass_from:
        yield Violation("mass", "mass-too-small", f"a {design.kind} has at least mass {hull.mass_from}")
    if hull.mass_to is not None and design.mass > hull.mass_to:
        yield Violation("mass", "mass-too-large", f"a {design.kind} has at most mass {hull.mass_to}, not {design.mass}")


def _hull(design: Design, _hull: HullRow, _rules: RuleSet) -> Faults:
    """Rules: Continuum "Hull strengths" 13.7, "Advanced hulls" 13.8 [pc.design]"""
    least = share_of(design.mass, LEAST_BOXES)
    if design.boxes < least:
        words = f"a hull of mass {design.mass} has at least {least} boxes, not {design.boxes}"
        yield Violation("hull.boxes", "too-few-boxes", words)
    if design.hull_rows not in HULL_RATES:
        known = ", ".join(str(rows) for rows in HULL_RATES)
        yield Violation("hull.rows", "rows", f"the boxes of a hull stand in {known} rows, not in {design.hull_rows}")
    elif design.hull_rows == ADVANCED_ROWS and design.boxes < LEAST_ADVANCED_BOXES:
        words = f"an advanced hull (3 rows) has at least {LEAST_ADVANCED_BOXES} boxes, not {design.boxes}"
        yield Violation("hull.rows", "advanced-hull-too-small", words)


def _drives(design: Design, hull: HullRow, _rules: RuleSet) -> Faults:
    """Rules: Continuum "Drives" 13.9, "FTL tugs and tenders" 11.6 [pc.design]"""
    if design.thrust < 0:
        yield Violation("thrust", "thrust-negative", "thrust is 0 or more")
    elif design.thrust > hull.thrust_to:
        limit = f"at most {hull.thrust_to}" if hull.thrust_to else "0"
        yield Violation("thrust", "thrust-too-high", f"the thrust of a {design.kind} is {limit}, not {design.thrust}")
    if design.drive not in DRIVES:
        yield Violation("drive", "unknown-drive", f"the drive is {' or '.join(DRIVES)}, not {design.drive!r}")
    sold = [name for name, _ in hull.ftl]
    if design.ftl not in sold:
        yield Violation("ftl", "unknown-ftl", f"the FTL drive is {' or '.join(sold)}, not {design.ftl!r}")
    if design.ftl == "tug" and design.tows < 1:
        yield Violation("ftl.tug", "transfer-mass", 'a tug says what it tows: {"tug": mass}, 1 or more')


def _armour(design: Design, _hull: HullRow, _rules: RuleSet) -> Faults:
    """Rules: Continuum "Armour", "Shell or layered armour", "Regenerative armour" 7.6-7.8 [pc.armour]"""
    layers = list(design.armour)
    if len(layers) > len(ARMOUR_RATES):
        words = f"armour has at most {len(ARMOUR_RATES)} layers, not {len(layers)}"
        yield Violation(place("armour", len(ARMOUR_RATES)), "too-many-layers", words)
    for number, layer in enumerate(layers):
        if min(layer) < 0:
            yield Violation(place("armour", number), "armour-negative", "a layer has 0 boxes or more of each kind")
        elif not sum(layer) and any(sum(outer) for outer in layers[number + 1 :]):
            words = "a layer of armour needs boxes in the layer below it; the innermost comes first"
            yield Violation(place("armour", number), "empty-layer", words)


def _finish(design: Design, _hull: HullRow, _rules: RuleSet) -> Faults:
    """Rules: Continuum "Stealth hull" 7.4, "Streamlining" 13.11, "Flawed design" 13.13 [pc.flawed-design]"""
    if not 0 <= design.stealth <= HIGHEST_STEALTH:
        words = f"the stealth of a hull is 0 to {HIGHEST_STEALTH}, not {design.stealth}"
        yield Violation("stealth", "stealth-level", words)
    if design.streamlining not in STREAMLINING_SHARES:
        known = ", ".join(STREAMLINING_SHARES)
        words = f"no streamlining {design.streamlining!r}; known: {known}"
        yield Violation("streamlining", "unknown-streamlining", words)
    if design.flawed and design.mass < LEAST_FLAWED_MASS:
        words = f"only cruisers and capital ships of mass {LEAST_FLAWED_MASS} or more can be flawed designs"
        yield Violation("flawed", "flawed-too-small", words)
    if design.flawed and design.hull_rows == ADVANCED_ROWS:
        yield Violation("flawed", "flawed-advanced-hull", "no ship with an advanced hull is a flawed design")


def _systems(design: Design, hull: HullRow, rules: RuleSet) -> Faults:
    for number in range(len(design.systems)):
        yield from fitting_faults(design, number, hull, rules)


def _outfit(design: Design, _hull: HullRow, rules: RuleSet) -> Faults:
    yield from outfit_faults(design, rules)


def _capacity(design: Design, _hull: HullRow, rules: RuleSet) -> Faults:
    used = mass_used(design, rules)
    if used > design.mass:
        words = f"hull, drives and systems take mass {used}; the ship has {design.mass}"
        yield Violation("systems", "over-capacity", words)


# What a check needs to have been read, and the check.
CHECKS: tuple[tuple[tuple[str, ...], Callable[[Design, HullRow, RuleSet], Faults]], ...] = (
    (("mass", "civil"), _mass),
    (("mass", "hull"), _hull),
    (("thrust", "drive", "ftl"), _drives),
    (("armour",), _armour),
    (("mass", "hull", "stealth", "streamlining", "flawed"), _finish),
    ((), _systems),
    (("mass", "systems"), _outfit),
    (("mass", "hull", "thrust", "ftl", "armour", "streamlining"), _capacity),
)

"""Faults of a design in which everything takes mass, all at once, each with its place.

Rules: Continuum "Ship construction and design" 13, "Ship construction summary" 14 [pc.design]
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction

from engine.core.errors import Violation, fault_path
from engine.core.kinds import FtlDrive, HullKind
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason
from engine.design.loads import excluded_fault, load_faults
from engine.design.mass_pricing import (
    ARMOUR_RATES,
    HULL_RATES,
    STREAMLINING_SHARES,
    is_broadside,
    mass_used,
    share_of,
    system_price_of,
)
from engine.design.outfit_faults import outfit_faults
from engine.design.shared_faults import (
    HIGHEST_STEALTH,
    Faults,
    arc_faults,
    civil_faults,
    mass_faults,
    price_words,
    thrust_faults,
)
from engine.design.value import Design, Fitting, hull_row
from engine.english import classification_words, kind_words, system_words
from engine.prices.system_price import SystemPrice
from engine.ruleset import HullRow, RuleSet

PLAIN_NUMBERS = (1, 3, 6)  # numbers of arcs that are implied if a mount has no other


ADVANCED_ROWS = 3
LEAST_ADVANCED_BOXES = 4
LEAST_BOXES = Fraction(1, 10)  # share of the mass
LEAST_FLAWED_MASS = 60
DRIVES = ("standard", "advanced")


def fitting_faults(design: Design, number: int, hull: HullRow, rules: RuleSet) -> Faults:
    """Yield every fault of the fitting with this number.

    Fittings without a type were unreadable and are skipped.
    """
    fitting = design.systems[number]
    if not fitting.type:
        return
    where = fault_path("systems", number)
    if fitting.count < 1:
        yield Violation(
            f"{where}.count", "count", reason("count-1-more", "a count must be 1 or more")
        )
    system_price = system_price_of(fitting, rules)
    if system_price is None:
        yield from _unknown_system_faults(fitting, rules, where)
        return
    yield from _ship_faults(design, system_price, hull, rules, where=where)
    yield from _mass_faults(fitting, system_price, where)
    yield from _arcs(fitting, system_price, rules, f"{where}.arcs")
    yield from _mount_faults(fitting, system_price, where)
    yield from load_faults(fitting, system_price, design, where, options=rules.options)


def _ship_faults(
    design: Design, system_price: SystemPrice, hull: HullRow, rules: RuleSet, where: str
) -> Faults:
    """Yield faults if this ship may not carry a system, or an option excludes it."""
    if system_price.unless and system_price.unless in rules.options:
        yield excluded_fault(where, system_price.title, system_price.unless)
    if system_price.kinds and design.kind not in system_price.kinds:
        yield Violation(
            where,
            "other-kind",
            reason(
                "other-kind",
                "only {} ships can have a {}",
                join_phrases(" and ", map(phrase, system_price.kinds)),
                price_words(system_price),
            ),
        )
    size = rules.size(design.mass).name
    classifications = system_price.classifications
    if classifications and not hull.any_system and size not in classifications:
        needed = join_phrases(" or ", map(classification_words, classifications))
        words = reason(
            "classification-needed",
            "a {} needs a {}; by its mass, this design is: {}",
            price_words(system_price),
            needed,
            classification_words(size),
        )
        yield Violation(where, "classification", words)


def _mass_faults(fitting: Fitting, system_price: SystemPrice, where: str) -> Faults:
    """Yield faults if a freely sized system has no mass, or another one has."""
    if system_price.free and fitting.mass < 1:
        yield Violation(
            f"{where}.mass",
            "mass-missing",
            reason("mass-missing", "give the mass of a {}, 1 or more", price_words(system_price)),
        )
    if not system_price.free and fitting.mass:
        yield Violation(
            f"{where}.mass",
            "mass-not-asked",
            reason(
                "mass-not-asked", "a {} has a fixed mass: leave it out", price_words(system_price)
            ),
        )


def _mount_faults(fitting: Fitting, system_price: SystemPrice, where: str) -> Faults:
    """Yield faults for an upgrade, a turret or a magazine that a system cannot have."""
    for flag in fitting.flags:
        if flag not in system_price.flags:
            yield Violation(
                f"{where}.{flag}",
                "upgrade-not-sold",
                reason(
                    "upgrade-not-sold",
                    "a {} cannot have {}",
                    price_words(system_price),
                    kind_words(flag),
                ),
            )
    if fitting.turret and not system_price.turreted:
        yield Violation(
            f"{where}.turret",
            "not-for-turrets",
            reason(
                "not-for-turrets", "a {} cannot be mounted in a turret", price_words(system_price)
            ),
        )
    if fitting.magazine and not system_price.fires:
        yield Violation(
            f"{where}.magazine",
            "magazine-not-asked",
            reason(
                "magazine-not-asked", "a {} is not fed from a magazine", price_words(system_price)
            ),
        )


def _unknown_system_faults(fitting: Fitting, rules: RuleSet, where: str) -> Faults:
    """Yield faults for a type of system, or a model or class of one, that is not sold."""
    rows = rules.system_prices.get(fitting.type, ())
    if not rows:
        words = reason(
            "edition-has-no-system", "{} has no system {!r}", rules.edition.label, fitting.type
        )
        yield Violation(f"{where}.type", "unknown-system", words)
        return
    models = list(dict.fromkeys(row.model for row in rows))
    model = fitting.variant
    if model not in models:
        words = reason(
            "no-model-known",
            "{} has no {} of model {!r}; choose from {}",
            rules.edition.label,
            system_words(fitting.type),
            model,
            ", ".join(known_model or "(none)" for known_model in models),
        )
        yield Violation(f"{where}.model", "unknown-variant", words)
        model = models[0]
    sizes = [row.size for row in rows if row.model == model]
    if fitting.size in sizes:
        return
    if sizes == [0]:
        words = reason("class-not-asked", "a {} has no classes", system_words(fitting.type))
        yield Violation(f"{where}.class", "class-not-asked", words)
        return
    words = reason(
        "class-needed",
        "a {} needs a class: {}",
        system_words(fitting.type),
        ", ".join(map(str, sizes)),
    )
    yield Violation(f"{where}.class", "unknown-class", words)


def _arcs(fitting: Fitting, system_price: SystemPrice, rules: RuleSet, where: str) -> Faults:
    """Yield faults of a mount's arcs; they need not be adjacent, only their number counts.

    Rules: Continuum "Fire arcs", "Broadside arcs" 4.2, "Turrets" 5.22 [pc.arcs]
    """
    arcs = fitting.arcs
    yield from arc_faults(arcs, rules, where)
    if fitting.turret or system_price.forward or not system_price.mounts:
        if arcs:
            yield from _fixed_arc_faults(fitting, system_price, rules, where)
    elif not arcs:
        yield from _missing_arc_faults(system_price, where)
    elif all(arc in rules.arcs for arc in arcs):
        yield from _arc_count_faults(arcs, system_price, rules, where)


def _fixed_arc_faults(
    fitting: Fitting, system_price: SystemPrice, rules: RuleSet, where: str
) -> Faults:
    """Yield faults if a system whose arcs cannot be chosen has other arcs."""
    if fitting.turret:
        yield Violation(
            where,
            "arcs-in-turret",
            reason(
                "arcs-in-turret",
                "a weapon in a turret has no arcs of its own: it fires where the turret faces",
            ),
        )
    elif not system_price.forward:
        yield Violation(
            where,
            "arcs-not-asked",
            reason("arcs-not-asked", "a {} has no arcs", price_words(system_price)),
        )
    elif all(arc in rules.arcs for arc in fitting.arcs) and set(fitting.arcs) != {rules.arcs[0]}:
        yield Violation(
            where,
            "arc-not-fore",
            reason(
                "arc-not-fore",
                "a {} fires only through {}",
                price_words(system_price),
                rules.arcs[0],
            ),
        )


def _missing_arc_faults(system_price: SystemPrice, where: str) -> Faults:
    """Yield a fault if a mount that gives no arcs has to."""
    arc_counts = [number for number, _ in system_price.mounts]
    if len(arc_counts) > 1 or arc_counts[0] not in PLAIN_NUMBERS:
        words = reason(
            "bears-through-arcs",
            "choose fire arcs for a {}: {} of them",
            price_words(system_price),
            _numbers(arc_counts),
        )
        yield Violation(where, "arcs-missing", words)


def _arc_count_faults(
    arcs: tuple[str, ...], system_price: SystemPrice, rules: RuleSet, where: str
) -> Faults:
    """Yield a fault if a mount is not sold with this number of arcs."""
    if system_price.broadside and is_broadside(arcs, rules):
        return
    arc_counts = [number for number, _ in system_price.mounts]
    if system_price.broadside and len(set(arcs)) == 2 and 2 not in arc_counts:
        yield Violation(
            where,
            "arcs-not-broadside",
            reason(
                "arcs-not-broadside",
                "the two arcs of a {} must be on the same side",
                price_words(system_price),
            ),
        )
    elif len(set(arcs)) not in arc_counts:
        words = reason(
            "bears-through-arcs-not",
            "the number of arcs of a {} is {}, not {}",
            price_words(system_price),
            _numbers(arc_counts),
            len(set(arcs)),
        )
        yield Violation(where, "arcs-number", words)


def _numbers(numbers: list[int]) -> str:
    """Return numbers as a list of alternatives: `1, 2 or 3`."""
    words = [str(number) for number in numbers]
    if len(words) == 1:
        return words[0]
    return reason("either-or", "{} or {}", ", ".join(words[:-1]), words[-1])


def design_violations(
    design: Design, rules: RuleSet, unread: Collection[str] = ()
) -> tuple[Violation, ...]:
    """Return everything that makes this design illegal, in the order of its keys.

    Args:
        unread: The unreadable keys; checks that depend on them are skipped. A fitting without a
            type was unreadable too.
    """
    if rules.hull(design.kind) is None:
        words = reason(
            "edition-has-no-kind-known",
            "{} has no kind {!r}; choose from {}",
            rules.edition.label,
            design.kind,
            ", ".join(rules.yard.notation.kinds),
        )
        return (Violation("kind", "unknown-kind", words),)
    hull = hull_row(design, rules)
    violations: list[Violation] = []
    for needs, check in CHECKS:
        if not any(_is_unread(need, unread) for need in needs):
            violations += check(design, hull, rules)
    return tuple(violations)


def _is_unread(key: str, unread: Collection[str]) -> bool:
    """Return whether a key of a design, or a part of its value, was unreadable."""
    parts = (f"{key}.", f"{key}[")
    return any(where == key or where.startswith(parts) for where in unread)


def _hull(design: Design, _hull: HullRow, _rules: RuleSet) -> Faults:
    """Yield faults of the boxes and rows of the hull.

    Rules: Continuum "Hull strengths" 13.7, "Advanced hulls" 13.8 [pc.design]
    """
    least = share_of(design.mass, LEAST_BOXES)
    if design.boxes < least:
        words = reason(
            "hull-mass-least-boxes",
            "a hull of mass {} needs at least {} boxes, not {}",
            design.mass,
            least,
            design.boxes,
        )
        yield Violation("hull.boxes", "too-few-boxes", words)
    if design.hull_rows not in HULL_RATES:
        known_rows = ", ".join(str(rows) for rows in HULL_RATES)
        yield Violation(
            "hull.rows",
            "rows",
            reason(
                "boxes-hull-stand-rows",
                "a hull has {} rows, not {}",
                known_rows,
                design.hull_rows,
            ),
        )
    elif design.hull_rows == ADVANCED_ROWS and design.boxes < LEAST_ADVANCED_BOXES:
        words = reason(
            "advanced-hull-3-rows",
            "an advanced hull (3 rows) needs at least {} boxes, not {}",
            LEAST_ADVANCED_BOXES,
            design.boxes,
        )
        yield Violation("hull.rows", "advanced-hull-too-small", words)


def _drives(design: Design, hull: HullRow, rules: RuleSet) -> Faults:
    """Yield faults of the main drive, the FTL drive and what they move.

    Rules: Continuum "Drives" 13.9, "FTL tugs and tenders" 11.6 [pc.design]
    """
    yield from thrust_faults(design, hull, rules)
    if design.drive not in DRIVES:
        yield Violation(
            "drive",
            "unknown-drive",
            reason(
                "unknown-drive",
                "the drive must be {}, not {!r}",
                join_phrases(" or ", DRIVES),
                design.drive,
            ),
        )
    drive_names = [name for name, _ in hull.ftl]
    if design.ftl not in drive_names:
        words = reason(
            "ftl-drive-not",
            "the FTL drive must be {}, not {!r}",
            join_phrases(" or ", drive_names),
            design.ftl,
        )
        yield Violation("ftl", "unknown-ftl", words)
    if design.ftl == FtlDrive.TUG and design.tows < 1:
        yield Violation(
            "ftl.tug",
            "transfer-mass",
            reason("transfer-mass", 'give the mass that a tug can tow: {"tug": mass}, 1 or more'),
        )
    if design.total_mass and design.total_mass <= design.mass:
        words = reason(
            "whole-drives-section-move",
            "the unit that a section's drives move must have more mass than the section, which "
            "has {}",
            design.mass,
        )
        yield Violation("total_mass", "total-mass", words)


def _armour(design: Design, _hull: HullRow, _rules: RuleSet) -> Faults:
    """Yield faults of the armour layers.

    Rules: Continuum "Armour", "Shell or layered armour", "Regenerative armour" 7.6-7.8 [pc.armour]
    """
    layers = list(design.armour)
    if len(layers) > len(ARMOUR_RATES):
        words = reason(
            "armour-most-layers-not",
            "armour has at most {} layers, not {}",
            len(ARMOUR_RATES),
            len(layers),
        )
        yield Violation(fault_path("armour", len(ARMOUR_RATES)), "too-many-layers", words)
    for number, layer in enumerate(layers):
        if min(layer) < 0:
            yield Violation(
                fault_path("armour", number),
                "armour-negative",
                reason("armour-negative", "a layer must have 0 or more boxes of each kind"),
            )
        elif not sum(layer) and any(sum(outer) for outer in layers[number + 1 :]):
            words = reason(
                "layer-armour-needs-boxes",
                "a layer of armour needs boxes in the layer below it; give the innermost layer "
                "first",
            )
            yield Violation(fault_path("armour", number), "empty-layer", words)


def _finish(design: Design, _hull: HullRow, _rules: RuleSet) -> Faults:
    """Yield faults of stealth, streamlining, flaws and ramming ability.

    Rules: Continuum "Stealth hull" 7.4, "Streamlining" 13.11, "Flawed design" 13.13
    [pc.flawed-design]; "Ramming ability" 16.7 [pc.ramming]
    """
    if not 0 <= design.stealth <= HIGHEST_STEALTH:
        words = reason(
            "stealth-hull-0-not",
            "the stealth of a hull must be from 0 to {}, not {}",
            HIGHEST_STEALTH,
            design.stealth,
        )
        yield Violation("stealth", "stealth-level", words)
    if design.streamlining not in STREAMLINING_SHARES:
        known_degrees = ", ".join(STREAMLINING_SHARES)
        words = reason(
            "no-streamlining-known",
            "no streamlining {!r}; choose from {}",
            design.streamlining,
            known_degrees,
        )
        yield Violation("streamlining", "unknown-streamlining", words)
    if design.flawed and design.mass < LEAST_FLAWED_MASS:
        words = reason(
            "only-cruisers-capital-ships",
            "only cruisers and capital ships of mass {} or more can be flawed designs",
            LEAST_FLAWED_MASS,
        )
        yield Violation("flawed", "flawed-too-small", words)
    if design.flawed and design.hull_rows == ADVANCED_ROWS:
        yield Violation(
            "flawed",
            "flawed-advanced-hull",
            reason(
                "flawed-advanced-hull", "a ship with an advanced hull cannot be a flawed design"
            ),
        )
    if design.rams and (design.kind == HullKind.INSTALLATION or not design.thrust):
        yield Violation(
            "rams",
            "rams-at-rest",
            reason("rams-at-rest", "only a ship with a main drive can be built to ram"),
        )


def _systems(design: Design, hull: HullRow, rules: RuleSet) -> Faults:
    """Yield the faults of each system by itself."""
    for number in range(len(design.systems)):
        yield from fitting_faults(design, number, hull, rules)


def _outfit(design: Design, _hull: HullRow, rules: RuleSet) -> Faults:
    """Yield the faults of the systems in combination."""
    yield from outfit_faults(design, rules)


def _capacity(design: Design, _hull: HullRow, rules: RuleSet) -> Faults:
    """Yield a fault if everything together takes more mass than the ship has."""
    used = mass_used(design, rules)
    if used > design.mass:
        words = reason(
            "hull-drives-systems-take",
            "hull, drives and systems take mass {}; the ship has {}",
            used,
            design.mass,
        )
        yield Violation("systems", "over-capacity", words)


# The keys that a check needs, and the check.
CHECKS: tuple[tuple[tuple[str, ...], Callable[[Design, HullRow, RuleSet], Faults]], ...] = (
    (("civil",), civil_faults),
    (("mass",), mass_faults),
    (("mass", "hull"), _hull),
    (("mass", "thrust", "drive", "ftl", "total_mass"), _drives),
    (("armour",), _armour),
    (("mass", "hull", "thrust", "stealth", "streamlining", "flawed", "rams"), _finish),
    ((), _systems),
    (("mass", "systems"), _outfit),
    (("mass", "hull", "thrust", "ftl", "armour", "streamlining", "total_mass"), _capacity),
)

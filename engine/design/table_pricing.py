"""Designs whose systems come from a table: points, MASS, figures, record sheet and faults.

Drives, systems and arcs that the edition does not sell are skipped in the price, and are faults.

Rules: 2E "Ship design and points costs", "Filling out the ship record sheet" [2e.design]
[2e.record-sheet]
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction

from engine.core.errors import Violation, fault_path
from engine.core.kinds import FtlDrive, HullKind
from engine.core.phrase import join_phrases
from engine.core.reason import reason
from engine.core.sheet import Fit
from engine.design.shared_faults import Faults, arc_faults, civil_faults, mass_faults, thrust_faults
from engine.design.value import (
    Cost,
    Design,
    Figures,
    Fitting,
    capacity,
    classification,
    hull_row,
    share,
    standard_firecons,
    track_rows,
)
from engine.english import classification_words, model_words, system_words
from engine.prices.system_price import SystemSpec
from engine.ruleset import HullRow, RuleSet


def bearing_arcs(
    fitting: Fitting, spec: SystemSpec, hull: HullRow, rules: RuleSet
) -> tuple[str, ...]:
    """Return the arcs through which a system bears, in the edition's order.

    If a fitting gives no arcs, single-arc mounts bear forward, and batteries bear all round if the
    hull allows that. Weapons that are not mounted to arcs bear wherever fire is allowed at all.

    Rules: 2E "Bearing of beam batteries" [2e.arcs]
    """
    if hull.any_arc:
        open_arcs = rules.arcs
    else:
        open_arcs = tuple(arc for arc in rules.arcs if arc not in rules.blind_arcs)
    if spec.arcs == "none":
        if spec.offensive:
            return open_arcs
        return ()
    if fitting.arcs:
        return tuple(arc for arc in rules.arcs if arc in fitting.arcs)
    if spec.arcs == "adjacent":
        if hull.any_arc:
            return rules.arcs
        return ()
    return rules.arcs[:1]


def system_points(fitting: Fitting, spec: SystemSpec, hull: HullRow, rules: RuleSet) -> int:
    """Return the points of one system of a fitting.

    Rules: 2E "Mass values and points costs" [2e.design]
    """
    return spec.points + spec.points_per_arc * len(bearing_arcs(fitting, spec, hull, rules))


def mass_used(design: Design, rules: RuleSet) -> int:
    """Return the MASS of all systems; drives and standard FireCons take none."""
    total = 0
    for fitting in design.systems:
        spec = rules.system(fitting.type, fitting.variant)
        if spec is not None:
            total += spec.mass * max(0, fitting.count)
    return total


def costs(design: Design, rules: RuleSet) -> tuple[Cost | None, ...]:
    """Return the MASS and points of each row.

    Rules: 2E "Mass values and points costs" [2e.design]
    """
    hull = hull_row(design, rules)
    row_costs: list[Cost | None] = []
    for fitting in design.systems:
        spec = rules.system(fitting.type, fitting.variant)
        count = max(0, fitting.count)
        if spec is None:
            row_costs.append(None)
        else:
            row_costs.append(
                Cost(Fraction(spec.mass * count), system_points(fitting, spec, hull, rules) * count)
            )
    return tuple(row_costs)


def hull_points(design: Design, rules: RuleSet) -> int:
    """Return the hull's points: twice the MASS, or one and a half times for civil hulls.

    Rules: 2E "Hull cost" [2e.design]
    """
    return share(design.mass, hull_row(design, rules).hull_points)


def drive_points(design: Design, rules: RuleSet) -> int:
    """Return the drive's points, rounded up.

    The MASS pays for four thrust factors on escorts, two on cruisers, and one on capital ships and
    merchants.

    Rules: 2E "Drive systems cost" [2e.design]
    """
    per_mass = hull_row(design, rules).thrust_per_mass or rules.size(design.mass).thrust_per_mass
    return share(design.mass, Fraction(max(0, design.thrust), per_mass))


def ftl_points(design: Design, rules: RuleSet) -> int:
    """Return the FTL drive's points: the MASS, or three times the MASS for a tug.

    Rules: 2E "FTL tugs and tenders" [2e.design]
    """
    for row in (hull_row(design, rules), *rules.hulls):
        for name, points_per_mass in row.ftl:
            if name == design.ftl:
                return share(design.mass, Fraction(points_per_mass))
    return 0


def points(design: Design, rules: RuleSet) -> int:
    """Return the points of the whole ship.

    Rules: 2E "Ship design and points costs" [2e.design]
    """
    hull = hull_row(design, rules)
    total = hull_points(design, rules) + drive_points(design, rules) + ftl_points(design, rules)
    for fitting in design.systems:
        spec = rules.system(fitting.type, fitting.variant)
        if spec is not None:
            total += system_points(fitting, spec, hull, rules) * max(0, fitting.count)
    return total


def figures(design: Design, rules: RuleSet) -> Figures:
    """Return the figures of a design.

    Rules: 2E "Ship design and points costs" [2e.design]
    """
    return Figures(
        mass_used=mass_used(design, rules),
        capacity=capacity(design, rules),
        points=points(design, rules),
        rows=track_rows(design, rules),
        classification=classification(design, rules),
    )


def fits(design: Design, rules: RuleSet) -> tuple[Fit, ...]:
    """Return the systems of the record sheet, numbered by type.

    They have the design's order, then come standard FireCons, drive and FTL drive.

    Rules: 2E "Filling out the ship record sheet" [2e.record-sheet]
    """
    hull = hull_row(design, rules)
    numbers: dict[str, int] = {}
    result: list[Fit] = []

    def fit(
        type_: str,
        variant: str = "",
        arcs: tuple[str, ...] = (),
        *,
        offensive: bool,
        expendable: bool,
    ) -> None:
        numbers[type_] = numbers.get(type_, 0) + 1
        result.append(
            Fit(
                id=f"{type_}-{numbers[type_]}",
                type=type_,
                variant=variant,
                arcs=arcs,
                offensive=offensive,
                expendable=expendable,
            )
        )

    for fitting in design.systems:
        spec = rules.system(fitting.type, fitting.variant)
        if spec is None:
            continue
        arcs = bearing_arcs(fitting, spec, hull, rules)
        for _ in range(fitting.count):
            fit(spec.type, spec.variant, arcs, offensive=spec.offensive, expendable=spec.expendable)
    for _ in range(standard_firecons(design, rules)):
        fit("firecon", offensive=False, expendable=False)
    if design.thrust > 0:
        result.append(Fit("drive", "drive", "", ()))
    if design.ftl != FtlDrive.NONE:
        result.append(Fit("ftl", "ftl", "", ()))
    return tuple(result)


def design_violations(
    design: Design, rules: RuleSet, unread: Collection[str] = ()
) -> tuple[Violation, ...]:
    """Return everything that makes this design illegal, in the order of its keys.

    Args:
        unread: The unreadable keys; checks that depend on them are skipped. A fitting without a
            type was unreadable too.
    """
    hull = hull_row(design, rules)
    violations: list[Violation] = []
    for needs, check in CHECKS:
        if not any(key in unread for key in needs):
            violations += check(design, hull, rules)
    return tuple(violations)


def _ftl(design: Design, hull: HullRow, _rules: RuleSet) -> Faults:
    """Yield a fault if this kind of hull cannot have the FTL drive."""
    drive_names = [name for name, _ in hull.ftl]
    if design.ftl not in drive_names:
        yield Violation(
            "ftl",
            "unknown-ftl",
            reason(
                "unknown-ftl",
                "the FTL drive of a {} must be {}, not {!r}",
                HullKind.label_of(design.kind),
                join_phrases(" or ", drive_names),
                design.ftl,
            ),
        )


def _systems(design: Design, hull: HullRow, rules: RuleSet) -> Faults:
    """Yield the faults of each system by itself."""
    for number, fitting in enumerate(design.systems):
        if not fitting.type:
            continue
        where = fault_path("systems", number)
        if fitting.count < 1:
            yield Violation(
                f"{where}.count", "count", reason("count-1-more", "a count must be 1 or more")
            )
        spec = rules.system(fitting.type, fitting.variant)
        if spec is None:
            yield _unknown_system(fitting, rules, where)
            continue
        yield from _arcs(fitting, spec, hull, rules, where=where)
        if hull.civil_systems_only and not spec.civil:
            words = reason(
                "military-system",
                "a {} cannot have this: {}",
                HullKind.label_of(design.kind),
                model_words(spec.type, spec.variant),
            )
            yield Violation(where, "military-system", words)


def _unknown_system(fitting: Fitting, rules: RuleSet, where: str) -> Violation:
    """Return the fault of a system, or a variant of one, that the edition does not sell."""
    variants = rules.variants(fitting.type)
    if not variants:
        words = reason(
            "edition-has-no-system", "{} has no system {!r}", rules.edition.label, fitting.type
        )
        return Violation(f"{where}.type", "unknown-system", words)
    words = reason(
        "edition-has-no-variant",
        "{} has no {} {!r}; choose from {}",
        rules.edition.label,
        system_words(fitting.type),
        fitting.variant,
        ", ".join(row.variant for row in variants),
    )
    key = rules.yard.notation.variant_key(fitting.type)
    return Violation(f"{where}.{key}", "unknown-variant", words)


def _arcs(fitting: Fitting, spec: SystemSpec, hull: HullRow, rules: RuleSet, where: str) -> Faults:
    """Yield the faults of the arcs of one system.

    Rules: 2E "Bearing of beam batteries", "Fire arcs" [2e.arcs]
    """
    where = f"{where}.arcs"
    arcs = fitting.arcs
    yield from arc_faults(arcs, rules, where)
    if spec.arcs == "none":
        if arcs:
            words = reason(
                "arcs-not-asked", "a {} has no arcs", model_words(spec.type, spec.variant)
            )
            yield Violation(where, "arcs-not-asked", words)
        return
    is_blind = any(arc in rules.blind_arcs for arc in arcs)
    if is_blind and not hull.any_arc and spec.arcs != "fore":
        words = reason(
            "arc-aft",
            "a {} of a ship cannot fire through {}",
            model_words(spec.type, spec.variant),
            ", ".join(rules.blind_arcs),
        )
        yield Violation(where, "arc-aft", words)
    if spec.arcs == "adjacent":
        yield from _adjacent_arcs(fitting, spec, hull, rules, where=where)
    else:
        yield from _single_arc(fitting, spec, hull, rules, where=where)


def _adjacent_arcs(
    fitting: Fitting, spec: SystemSpec, hull: HullRow, rules: RuleSet, where: str
) -> Faults:
    """Yield the faults of a mount that fires through one or several adjacent arcs."""
    arcs = fitting.arcs
    if not arcs and not hull.any_arc:
        words = reason(
            "bears-through-least-arc",
            "{}: choose at least one arc",
            model_words(spec.type, spec.variant),
        )
        yield Violation(where, "arcs-missing", words)
    is_known = all(arc in rules.arcs for arc in arcs)
    if arcs and is_known and not _are_adjacent(arcs, rules.arcs):
        words = reason("arcs-apart", "the arcs of a mount must be adjacent")
        yield Violation(where, "arcs-apart", words)


def _single_arc(
    fitting: Fitting, spec: SystemSpec, hull: HullRow, rules: RuleSet, where: str
) -> Faults:
    """Yield the faults of a mount that fires through one arc, the fore arc for some."""
    arcs = fitting.arcs
    if len(set(arcs)) > 1:
        words = reason(
            "arcs-too-many", "a {} needs exactly one arc", model_words(spec.type, spec.variant)
        )
        yield Violation(where, "arcs-too-many", words)
        return
    needs_fore = spec.arcs == "fore" and not hull.any_arc
    is_known = all(arc in rules.arcs for arc in arcs)
    if needs_fore and arcs and is_known and arcs[0] != rules.arcs[0]:
        words = reason(
            "arc-not-fore",
            "a {} fires only through {}",
            model_words(spec.type, spec.variant),
            rules.arcs[0],
        )
        yield Violation(where, "arc-not-fore", words)


def _are_adjacent(arcs: tuple[str, ...], ring: tuple[str, ...]) -> bool:
    """Return whether the arcs form one unbroken run around the ship."""
    ends = []
    for index, arc in enumerate(ring):
        if arc in arcs and ring[(index + 1) % len(ring)] not in arcs:
            ends.append(arc)
    return len(ends) <= 1


def _classification(design: Design, hull: HullRow, rules: RuleSet) -> Faults:
    """Yield a fault for each system that needs a hull of another size."""
    if hull.any_system or hull.civil_systems_only:
        return
    size = rules.size(design.mass).name
    for number, fitting in enumerate(design.systems):
        spec = rules.system(fitting.type, fitting.variant)
        if spec is not None and spec.classifications and size not in spec.classifications:
            message = reason(
                "classification-needed",
                "a {} needs a {}; by its mass, this design is: {}",
                model_words(spec.type, spec.variant),
                join_phrases(" or ", map(classification_words, spec.classifications)),
                classification_words(size),
            )
            yield Violation(fault_path("systems", number), "classification", message)


def _most(design: Design, hull: HullRow, rules: RuleSet) -> Faults:
    """Yield a fault at the fitting with which a type exceeds its limit."""
    counts: dict[str, int] = {}
    for number, fitting in enumerate(design.systems):
        spec = rules.system(fitting.type, fitting.variant)
        if spec is None:
            continue
        most = spec.most
        if hull.civil_systems_only and spec.most_on_merchant is not None:
            most = spec.most_on_merchant
        before = counts.get(spec.type, 0)
        counts[spec.type] = before + max(0, fitting.count)
        if most is not None and before <= most < counts[spec.type]:
            message = reason(
                "too-many-for-kind",
                "{}: at most {} on a {}",
                system_words(spec.type),
                most,
                HullKind.label_of(design.kind),
            )
            yield Violation(fault_path("systems", number), "too-many", message)


def _capacity(design: Design, _hull: HullRow, rules: RuleSet) -> Faults:
    """Yield a fault if the systems take more mass than the hull holds."""
    used = mass_used(design, rules)
    limit = capacity(design, rules)
    if used > limit:
        yield Violation(
            "systems",
            "over-capacity",
            reason("over-capacity", "the systems take mass {}; this hull holds {}", used, limit),
        )


CHECKS: tuple[tuple[tuple[str, ...], Callable[[Design, HullRow, RuleSet], Faults]], ...] = (
    (("civil",), civil_faults),
    (("mass",), mass_faults),
    (("thrust",), thrust_faults),
    (("ftl",), _ftl),
    ((), _systems),
    (("mass",), _classification),
    ((), _most),
    (("mass", "ftl"), _capacity),
)

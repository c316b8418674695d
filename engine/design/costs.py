"""What a design costs: hull, drives and systems, in points; and the MASS its systems take.

What an edition does not sell (a drive, a system, an arc) is left out of the price: legality names it.

Rules: 2E "Hull cost", "Drive systems cost", "Mass values and points costs" [2e.design]
"""

from __future__ import annotations

from fractions import Fraction

from engine.design.hulls import hull_row, share
from engine.design.value import Design, Fitting
from engine.pricelists.spec import SystemSpec
from engine.ruleset import HullRow, RuleSet


def bearing(fitting: Fitting, spec: SystemSpec, hull: HullRow, rules: RuleSet) -> tuple[str, ...]:
    """The arcs a system bears through, in the edition's order.

    Where none are given, single-arc mounts look forward, and batteries of hulls that fire all round do so. Weapons
    whose row asks for no arcs bear wherever fire is allowed at all. Rules: 2E "Bearing of beam batteries" [2e.arcs]
    """
    open_arcs = rules.arcs if hull.any_arc else tuple(arc for arc in rules.arcs if arc not in rules.blind_arcs)
    if spec.arcs == "none":
        return open_arcs if spec.offensive else ()
    if fitting.arcs:
        return tuple(arc for arc in rules.arcs if arc in fitting.arcs)
    if spec.arcs == "adjacent":
        return rules.arcs if hull.any_arc else ()
    return rules.arcs[:1]


def system_points(fitting: Fitting, spec: SystemSpec, hull: HullRow, rules: RuleSet) -> int:
    """The points of one system of a fitting. Rules: 2E "Mass values and points costs" [2e.design]"""
    return spec.points + spec.points_per_arc * len(bearing(fitting, spec, hull, rules))


def mass_used(design: Design, rules: RuleSet) -> int:
    """The MASS of everything fitted; drives and standard FireCons take none."""
    total = 0
    for fitting in design.systems:
        spec = rules.system(fitting.type, fitting.variant)
        if spec is not None:
            total += spec.mass * max(0, fitting.count)
    return total


def hull_points(design: Design, rules: RuleSet) -> int:
    """Twice the MASS for military hulls, one and a half times for civil ones. Rules: 2E "Hull cost" [2e.design]"""
    return share(design.mass, hull_row(design, rules).hull_points)


def drive_points(design: Design, rules: RuleSet) -> int:
    """MASS for so many thrust factors: four on escorts, two on cruisers, one on capitals and merchants; rounded up.

    Rules: 2E "Drive systems cost" [2e.design]
    """
    per_mass = hull_row(design, rules).thrust_per_mass or rules.size(design.mass).thrust_per_mass
    return share(design.mass, Fraction(max(0, design.thrust), per_mass))


def ftl_points(design: Design, rules: RuleSet) -> int:
    """The MASS for a standard FTL drive, three times that for a tug's. Rules: 2E "FTL tugs and tenders" [2e.design]"""
    for row in (hull_row(design, rules), *rules.hulls):
        for name, points_per_mass in row.ftl:
            if name == design.ftl:
                return share(design.mass, Fraction(points_per_mass))
    return 0


def points(design: Design, rules: RuleSet) -> int:
    """What the whole ship costs. Rules: 2E "Ship design and points costs" [2e.design]"""
    hull = hull_row(design, rules)
    total = hull_points(design, rules) + drive_points(design, rules) + ftl_points(design, rules)
    for fitting in design.systems:
        spec = rules.system(fitting.type, fitting.variant)
        if spec is not None:
            total += system_points(fitting, spec, hull, rules) * max(0, fitting.count)
    return total

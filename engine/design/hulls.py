"""Hulls: classification, damage track, capacity and standard FireCons of a design.

Rules: 2E "'Standard' and 'special' hulls", "Non-FTL ships", "Starbases", "'Q' ships" [2e.design]
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from engine.core.errors import RuleViolations, Violation
from engine.design.value import Design
from engine.ruleset import HullRow, RuleSet


def hull_row(design: Design, rules: RuleSet) -> HullRow:
    """The row of the design's hull; a civil hull of a kind that has none counts as the plain one.

    Raises RuleViolations where the edition has no such kind.
    """
    row = rules.hull(design.kind, design.civil) or rules.hull(design.kind)
    if row is None:
        raise RuleViolations([Violation("kind", "unknown-kind", f"{rules.edition} has no kind {design.kind!r}")])
    return row


def classification(design: Design, rules: RuleSet) -> str:
    """escort, cruiser, capital, merchant or installation; a Q ship passes for a merchant. Rules: 2E [2e.design]"""
    return hull_row(design, rules).classification or rules.size(design.mass).name


def share(mass: int, part: Fraction) -> int:
    """A share of a MASS, rounded up; nothing of less than nothing."""
    return max(0, ceil(mass * part))


def damage_points(design: Design, rules: RuleSet) -> int:
    """Half the MASS for military hulls, a quarter for merchants', rounded up. Rules: 2E "Ship design" [2e.design]"""
    return share(design.mass, hull_row(design, rules).damage_points)


def track_rows(design: Design, rules: RuleSet) -> tuple[int, ...]:
    """The boxes of each row of the damage track, upper row first; the lower rows take the surplus.

    Rules: 2E "Filling out the ship record sheet" [2e.record-sheet]
    """
    rows = hull_row(design, rules).rows or rules.size(design.mass).rows
    each, surplus = divmod(damage_points(design, rules), rows)
    return tuple(each + (1 if row >= rows - surplus else 0) for row in range(rows))


def capacity(design: Design, rules: RuleSet) -> int:
    """The MASS of systems the hull holds; warships without FTL hold more. Rules: 2E "Non-FTL ships" [2e.design]"""
    row = hull_row(design, rules)
    return share(design.mass, row.capacity_without_ftl if design.ftl == "none" else row.capacity)


def standard_firecons(design: Design, rules: RuleSet) -> int:
    """The FireCons that come with the classification. Rules: 2E "Fire control systems" [2e.fire-control]"""
    return hull_row(design, rules).firecons or rules.size(design.mass).firecons

"""Faults common to both ways of pricing designs: limits of hulls, and how arcs are written.

Rules: 2E "Ship design and points costs" [2e.design]; Continuum "Mass rating" 13.4, "Drives" 13.9
[pc.classification] [pc.design]
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.errors import Violation
from engine.core.kinds import HullKind
from engine.core.reason import reason
from engine.design.value import Design
from engine.english import model_words
from engine.prices.system_price import SystemPrice
from engine.ruleset import HullRow, RuleSet

Faults = Iterator[Violation]
HIGHEST_STEALTH = 2


def price_words(price: SystemPrice) -> str:
    """Return the words for a system of the price list: `beam 3`, `K-gun 2 long`."""
    return model_words(price.type, price.model, price.size)


def civil_faults(design: Design, hull: HullRow, _rules: RuleSet) -> Faults:
    """Yield a fault if a design is civil but its hull cannot be."""
    if design.civil and not hull.civil:
        yield Violation(
            "civil",
            "civil-hull",
            reason(
                "civil-hull",
                "only installations can be civil, not a {}",
                HullKind.label_of(design.kind),
            ),
        )


def mass_faults(design: Design, hull: HullRow, _rules: RuleSet) -> Faults:
    """Yield a fault if the mass is outside the hull's limits.

    Rules: Continuum "Mass rating" 13.4 [pc.classification]
    """
    if design.mass < hull.mass_from:
        yield Violation(
            "mass",
            "mass-too-small",
            reason(
                "mass-too-small",
                "a {} needs at least mass {}",
                HullKind.label_of(design.kind),
                hull.mass_from,
            ),
        )
    if hull.mass_to is not None and design.mass > hull.mass_to:
        words = reason(
            "most-mass-not",
            "a {} can have at most mass {}, not {}",
            HullKind.label_of(design.kind),
            hull.mass_to,
            design.mass,
        )
        yield Violation("mass", "mass-too-large", words)


def thrust_faults(design: Design, hull: HullRow, _rules: RuleSet) -> Faults:
    """Yield a fault if the thrust is outside the hull's limits."""
    if design.thrust < 0:
        yield Violation(
            "thrust", "thrust-negative", reason("thrust-negative", "thrust must be 0 or more")
        )
    elif design.thrust > hull.thrust_to:
        if hull.thrust_to:
            limit = reason("at-most-number", "at most {}", hull.thrust_to)
        else:
            limit = "0"
        words = reason(
            "thrust-not",
            "the thrust of a {} must be {}, not {}",
            HullKind.label_of(design.kind),
            limit,
            design.thrust,
        )
        yield Violation("thrust", "thrust-too-high", words)


def arc_faults(arcs: tuple[str, ...], rules: RuleSet, where: str) -> Faults:
    """Yield faults for unknown or repeated arcs."""
    unknown = [arc for arc in arcs if arc not in rules.arcs]
    if unknown:
        yield Violation(
            where,
            "unknown-arc",
            reason(
                "unknown-arc",
                "no arc {}; choose from {}",
                ", ".join(unknown),
                ", ".join(rules.arcs),
            ),
        )
    if any(arcs.count(arc) > 1 for arc in arcs):
        yield Violation(where, "arc-twice", reason("arc-twice", "an arc is given twice"))

"""What the hull of a design comes to where hull boxes are chosen: rows, classification, crew, figures.

Rules: Continuum "Ship classifications" 2.3, "Damage control" 10.4, "Crew casualties" 10.5, "Hull strengths" 13.7
"""

from __future__ import annotations

from math import ceil

from engine.core.terms import CPV
from engine.design.hulls import classification
from engine.design.tonnage import cpv_hull, mass_used, points
from engine.design.value import Design
from engine.design.yards import Figures
from engine.ruleset import RuleSet

MASS_PER_CREW = {False: 20, True: 50}  # military, civil


def rows_of(boxes: int, rows: int) -> tuple[int, ...]:
    """The boxes of each row, upper row first; the upper rows take the surplus.

    Rules: Continuum "Hull strengths" 13.7, "Advanced hulls" 13.8 [pc.design]
    """
    each, surplus = divmod(max(0, boxes), max(1, rows))
    return tuple(each + (1 if row < surplus else 0) for row in range(max(1, rows)))


def is_civil(design: Design) -> bool:
    return design.civil or design.kind == "merchant"


def crew_factors(design: Design) -> int:
    """One for every 20 mass or part of it, on civil ships for every 50. Rules: Continuum 10.4 [pc.damage-control]"""
    return ceil(max(1, design.mass) / MASS_PER_CREW[is_civil(design)])


def crew_boxes(boxes: int, factors: int) -> tuple[int, ...]:
    """The box with which each crew factor is lost, the last with the last box.

    Rules: Continuum "Crew casualties" 10.5 [pc.damage-control]
    """
    step = ceil(boxes / factors)
    return (*(min(step * number, boxes) for number in range(1, factors)), boxes)


def figures(design: Design, rules: RuleSet) -> Figures:
    """The figures of a design that takes mass for everything. Rules: Continuum 13, 18.3 [pc.design]"""
    by_cpv = points(design, rules, cpv_hull(design.mass))
    return Figures(
        mass_used=mass_used(design, rules),
        capacity=design.mass,
        points=by_cpv if CPV in rules.options else points(design, rules, design.mass),
        rows=rows_of(design.boxes, design.hull_rows),
        classification=classification(design, rules),
        crew=crew_boxes(max(0, design.boxes), crew_factors(design)),
        cpv=by_cpv,
    )

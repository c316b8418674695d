"""The yard of editions whose systems stand in a table of fixed rows: figures, and the systems of a record sheet.

Rules: 2E "Ship design and points costs", "Filling out the ship record sheet" [2e.design] [2e.record-sheet]
"""

from __future__ import annotations

from engine.core.sheet import Fit
from engine.design.costs import bearing, mass_used, points
from engine.design.hulls import capacity, classification, hull_row, standard_firecons, track_rows
from engine.design.value import Design
from engine.design.yards import Figures
from engine.ruleset import RuleSet


def figures(design: Design, rules: RuleSet) -> Figures:
    """What a design comes to. Rules: 2E "Ship design and points costs" [2e.design]"""
    return Figures(
        mass_used=mass_used(design, rules),
        capacity=capacity(design, rules),
        points=points(design, rules),
        rows=track_rows(design, rules),
        classification=classification(design, rules),
    )


def fits(design: Design, rules: RuleSet) -> tuple[Fit, ...]:
    """The systems, numbered by type in the design's order; the standard FireCons follow, then drive and ftl, where the
    ship has them. Rules: 2E "Filling out the ship record sheet" [2e.record-sheet]
    """
    hull = hull_row(design, rules)
    numbers: dict[str, int] = {}
    made: list[Fit] = []

    def fit(type_: str, variant: str = "", arcs: tuple[str, ...] = (), *, offensive: bool, expendable: bool) -> None:
        numbers[type_] = numbers.get(type_, 0) + 1
        made.append(Fit(f"{type_}-{numbers[type_]}", type_, variant, arcs, offensive, expendable))

    for fitting in design.systems:
        spec = rules.system(fitting.type, fitting.variant)
        if spec is None:
            continue
        arcs = bearing(fitting, spec, hull, rules)
        for _ in range(fitting.count):
            fit(spec.type, spec.variant, arcs, offensive=spec.offensive, expendable=spec.expendable)
    for _ in range(standard_firecons(design, rules)):
        fit("firecon", offensive=False, expendable=False)
    if design.thrust > 0:
        made.append(Fit("drive", "drive", "", ()))
    if design.ftl != "none":
        made.append(Fit("ftl", "ftl", "", ()))
    return tuple(made)

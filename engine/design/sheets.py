"""From a design to the ship record sheet a battle plays with.

Rules: 2E "Filling out the ship record sheet" [2e.record-sheet]
"""

from __future__ import annotations

from typing import Any

from engine.design.costs import bearing, points
from engine.design.hulls import classification, damage_points, hull_row, standard_firecons, track_rows
from engine.design.legality import design_violations
from engine.design.value import Design
from engine.errors import RuleViolations
from engine.ruleset import RuleSet
from engine.sheet import Fit, Sheet


def record_sheet(design: Design, rules: RuleSet, document: dict[str, Any] | None = None) -> Sheet:
    """The record sheet of a legal design; `document` is the design as JSON, kept with it.

    Systems are numbered by type in the design's order; the standard FireCons follow, then drive and ftl, where the
    ship has them. Raises RuleViolations, all of them, where the design is illegal.
    """
    faults = design_violations(design, rules)
    if faults:
        raise RuleViolations(faults)
    return Sheet(
        cls=design.cls,
        edition=design.edition,
        kind=design.kind,
        classification=classification(design, rules),
        mass=design.mass,
        thrust=design.thrust,
        ftl=design.ftl,
        points=points(design, rules),
        boxes=damage_points(design, rules),
        rows=track_rows(design, rules),
        fits=_fits(design, rules),
        design=document or {},
    )


def _fits(design: Design, rules: RuleSet) -> tuple[Fit, ...]:
    hull = hull_row(design, rules)
    numbers: dict[str, int] = {}
    fits: list[Fit] = []

    def fit(type_: str, variant: str = "", arcs: tuple[str, ...] = (), *, offensive: bool, expendable: bool) -> None:
        numbers[type_] = numbers.get(type_, 0) + 1
        fits.append(Fit(f"{type_}-{numbers[type_]}", type_, variant, arcs, offensive, expendable))

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
        fits.append(Fit("drive", "drive", "", ()))
    if design.ftl != "none":
        fits.append(Fit("ftl", "ftl", "", ()))
    return tuple(fits)

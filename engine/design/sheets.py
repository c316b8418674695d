"""From a design to the ship record sheet a battle plays with.

Rules: 2E "Filling out the ship record sheet" [2e.record-sheet]
"""

from __future__ import annotations

from typing import Any

from engine.core.sheet import Sheet
from engine.design.value import Design
from engine.ruleset import RuleSet


def record_sheet(design: Design, rules: RuleSet, document: dict[str, Any]) -> Sheet:
    """The record sheet of a design that was judged legal; `document` is the design as JSON, kept with it.

    Systems stand in canonical order, as the edition's yard fits them.
    """
    yard = rules.yard
    figures = yard.figures(design, rules)
    return Sheet(
        cls=design.cls,
        edition=rules.edition,
        kind=design.kind,
        classification=figures.classification,
        mass=design.mass,
        thrust=design.thrust,
        ftl=design.ftl,
        points=figures.points,
        boxes=sum(figures.rows),
        rows=figures.rows,
        fits=yard.fits(design, rules),
        design=document,
        drive=design.drive,
        armour=design.armour,
        stealth=design.stealth,
        crew=figures.crew or (),
        beta=design.beta,
        flawed=design.flawed,
    )

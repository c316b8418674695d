"""The command `design`: what designs cost, hold and carry, and what is wrong with them."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from engine.design.costs import mass_used, points
from engine.design.hulls import capacity, classification, damage_points, track_rows
from engine.design.legality import design_violations
from engine.design.value import Design
from engine.editions import ruleset
from engine.errors import RuleViolations, Violation, place
from engine.notation.designs import read_design
from engine.notation.files import read_input


def run(args: Namespace) -> Any:
    """One answer for a design, a list of answers for a list of them. Raises RuleViolations for what is no design."""
    document = read_input(args.file)
    if not isinstance(document, list):
        return priced_all([("", document)])[0]
    return priced_all([(place(number), item) for number, item in enumerate(document)])


def priced_all(documents: list[tuple[str, object]]) -> list[dict[str, Any]]:
    """The answers for designs, each with its place.

    Raises RuleViolations with every fault of every design where one of them is unreadable.
    """
    designs: list[Design] = []
    faults: list[Violation] = []
    for where, document in documents:
        reading = read_design(document, where)
        faults += (*reading.malformed, *reading.illegal)
        if reading.design is not None:
            designs.append(reading.design)
    if len(designs) < len(documents):
        raise RuleViolations(faults)
    return [priced(design) for design in designs]


def priced(design: Design) -> dict[str, Any]:
    """Everything the edition says about a design. Rules: 2E "Ship design and points costs" [2e.design]"""
    rules = ruleset(design.edition)
    return {
        "class": design.cls,
        "mass": design.mass,
        "mass_used": mass_used(design, rules),
        "capacity": capacity(design, rules),
        "points": points(design, rules),
        "damage_points": damage_points(design, rules),
        "rows": list(track_rows(design, rules)),
        "classification": classification(design, rules),
        "violations": [violation.to_json() for violation in design_violations(design, rules)],
    }

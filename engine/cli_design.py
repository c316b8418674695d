"""The command `design`: what designs cost, hold and carry, and what is wrong with them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from engine.design.value import Design
from engine.editions import ruleset
from engine.errors import RuleViolations, Violation, place
from engine.notation.designs import read_design
from engine.notation.files import read_input


def run(args: Namespace) -> Any:
    """One answer for a design, a list of answers for a list of them. Raises RuleViolations for what is no design."""
    document = read_input(args.file)
    if not isinstance(document, list):
        return priced_all([("", document)], args.option)[0]
    return priced_all([(place(number), item) for number, item in enumerate(document)], args.option)


def priced_all(documents: Sequence[tuple[str, object]], options: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The answers for designs, each with its place.

    Raises RuleViolations with every fault of every design where one of them is unreadable.
    """
    designs: list[Design] = []
    faults: list[Violation] = []
    for where, document in documents:
        reading = read_design(document, where, options)
        faults += (*reading.malformed, *reading.illegal)
        if reading.design is not None:
            designs.append(reading.design)
    if len(designs) < len(documents):
        raise RuleViolations(faults)
    return [priced(design, options) for design in designs]


def priced(design: Design, options: Sequence[str] = ()) -> dict[str, Any]:
    """Everything the edition says about a design. Rules: 2E "Ship design and points costs" [2e.design]; Continuum 13
    [pc.design]
    """
    rules = ruleset(design.edition, options)
    figures = rules.yard.figures(design, rules)
    document = {
        "class": design.cls,
        "mass": design.mass,
        "mass_used": figures.mass_used,
        "capacity": figures.capacity,
        "points": figures.points,
        "damage_points": sum(figures.rows),
        "rows": list(figures.rows),
        "classification": figures.classification,
    }
    if figures.crew is not None:
        document["crew_factors"] = len(figures.crew)
    if figures.cpv is not None:
        document["cpv"] = figures.cpv
    faults = rules.yard.violations(design, rules, ())
    return document | {"violations": [violation.to_json() for violation in faults]}

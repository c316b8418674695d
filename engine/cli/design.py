"""The commands `design` and `fleet`: what designs and fleets cost and hold, and what is wrong with them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Any

from engine.core.errors import RuleViolations, Violation, faults_json, place
from engine.design.fleets import by_classification, fleet_violations
from engine.design.techbase import TechBase, missing
from engine.design.value import Design
from engine.design.warnings import design_warnings, needed_options
from engine.notation.designs import design_json, parse_base, read_design
from engine.notation.documents import FILES
from engine.notation.files import classes_for, read_input, read_text
from engine.notation.fleets import read_fleet
from engine.notation.ftjava_read import from_ftjava, ships_of
from engine.notation.ftlibship_read import from_ftlibship
from engine.notation.ftlibship_write import to_ftlibship
from engine.notation.reading import below, read_each
from engine.ruleset import RuleSet, ruleset

Source = Callable[[object, str], tuple[dict[str, Any], tuple[str, ...]]]
MOST_DESIGNS = 1000  # of a file
ANY_CHOICES = 1_000_000  # the limit of choices is a campaign's: designs are judged by what a base has
FTJAVA = "ftjava"
SOURCES: dict[str | None, Source | None] = {None: None, "ftlibship": from_ftlibship, FTJAVA: None}
TARGETS: dict[str, Callable[[Design, RuleSet], dict[str, Any]]] = {
    "design": lambda design, _rules: design_json(design),
    "ftlibship": to_ftlibship,
}


def run(args: Namespace) -> Any:
    """One answer for a design, a list of answers for a list of them; or the designs themselves, written as asked.

    Raises RuleViolations for what is no design, and for what cannot be written so.
    """
    document = _ftjava(args.file) if args.source == FTJAVA else read_input(args.file)
    single = not isinstance(document, list)
    if isinstance(document, list) and len(document) > MOST_DESIGNS:
        raise RuleViolations([Violation("", "too-many-designs", f"a file has at most {MOST_DESIGNS} designs")])
    documents = [("", document)] if single else [(place(number), item) for number, item in enumerate(document)]
    base = None
    if args.tech_base is not None:
        base = parse_base(read_input(args.tech_base), limit=ANY_CHOICES, options=args.option)
    answers = answered(documents, args.option, SOURCES[args.source], args.target, base)
    return answers[0] if single else answers


def _ftjava(path: str) -> Any:
    """The ships of an XML file as designs: one, or a list. Raises RuleViolations with the refusals of all of them."""
    ships = ships_of(read_text(path), FILES)
    placed = ((place(number) if len(ships) > 1 else "", ship) for number, ship in enumerate(ships))
    found, faults = read_each(placed, from_ftjava)
    if faults:
        raise RuleViolations(faults)
    return found if len(found) > 1 else found[0]


def answered(
    documents: Sequence[tuple[str, object]],
    options: Sequence[str],
    read: Source | None,
    target: str | None,
    base: TechBase | None = None,
) -> list[dict[str, Any]]:
    """The answers for documents, each with its place: prices, or where a target is named, designs written for it.

    Raises RuleViolations with every fault of every document that cannot be read, or cannot be written so.
    """
    designs: list[tuple[str, Design, tuple[str, ...]]] = []
    faults: list[Violation] = []
    for where, document in documents:
        try:
            known, more = read(document, where) if read else (document, ())
        except RuleViolations as bad:
            faults += bad.violations
            continue
        agreed = tuple(dict.fromkeys((*options, *more)))
        reading = read_design(known, where, agreed)
        faults += (*reading.malformed, *reading.illegal)
        if reading.design is not None:
            designs.append((where, reading.design, agreed))
    if len(designs) < len(documents):
        raise RuleViolations(faults)
    if target is None:
        return [priced(design, agreed, base) for _, design, agreed in designs]
    written: list[dict[str, Any]] = []
    unwritable: list[Violation] = []
    for where, design, agreed in designs:
        try:
            written.append(TARGETS[target](design, ruleset(design.edition, agreed)))
        except RuleViolations as bad:
            unwritable += below(where, bad.violations)
    if unwritable:
        raise RuleViolations(unwritable)
    return written


def priced(design: Design, options: Sequence[str] = (), base: TechBase | None = None) -> dict[str, Any]:
    """Everything the edition says about a design. Rules: 2E "Ship design and points costs" [2e.design]; Continuum 13
    [pc.design]

    `options` names what players must have agreed on to use it, `warnings` what does not forbid it but should be known;
    without such things they are left out. With a tech base the
    technologies that it lacks are violations too.
    """
    rules = ruleset(design.edition, options)
    figures = rules.yard.figures(design, rules)
    document: dict[str, Any] = {
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
    if needed := needed_options(design, rules):
        document["options"] = list(needed)
    faults = (*rules.yard.violations(design, rules, ()), *missing(design, base))
    if warnings := design_warnings(design, rules):
        document["warnings"] = faults_json(warnings)
    return document | {"violations": faults_json(faults)}


def run_fleet(args: Namespace) -> Any:
    """The ships one by one, the points in all and by classification, and every fault. Raises RuleViolations.

    Rules: Continuum "Tournament fleets" 18.2 [pc.fleet-composition]
    """
    document = read_input(args.file)
    fleet = read_fleet(document, classes_for(document), tuple(args.option))
    faults = fleet_violations(fleet.ships, fleet.points, fleet.limits, without_ftl=fleet.without_ftl)
    return {
        "ships": [
            {"class": sheet.cls, "classification": sheet.classification, "points": sheet.points}
            for sheet in fleet.ships
        ],
        "points": sum(sheet.points for sheet in fleet.ships),
        "by_classification": by_classification(fleet.ships),
        "violations": faults_json(faults),
    }

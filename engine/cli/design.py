"""The commands `design` and `fleet`: figures, costs and faults of designs and fleets."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.edition import Edition
from engine.core.errors import RuleViolations, Violation, fault_path, faults_json
from engine.core.terms import ONE_NAVY
from engine.design.designations import designations_of, is_carrier, is_mothership
from engine.design.fleets import fleet_violations, points_by_classification
from engine.design.navies import navy_warnings
from engine.design.restrictions import (
    NO_RESTRICTIONS,
    Restrictions,
    barred_faults,
    list_faults,
)
from engine.design.techbase import TechBase, missing_technologies
from engine.design.value import Design
from engine.design.warnings import design_warnings, needed_options
from engine.notation.designs import design_json, read_design
from engine.notation.documents import FILES
from engine.notation.files import classes_for, read_input, read_text
from engine.notation.fleets import read_fleet
from engine.notation.ftjava_fleets import read_ftjava_fleet
from engine.notation.ftlibship_export import to_ftlibship
from engine.notation.ftlibship_import import from_ftlibship
from engine.notation.reading import DocumentPart, design_name, make_parts
from engine.notation.tech_bases import parse_base
from engine.ruleset import RuleSet, ruleset

Source = Callable[[object, str], tuple[dict[str, Any], tuple[str, ...]]]
MAX_DESIGNS = 1000  # in a file
ANY_CHOICES = 1_000_000  # only campaigns limit choices; designs need only the technologies
FTJAVA = "ftjava"
SOURCES: dict[str | None, Source | None] = {None: None, "ftlibship": from_ftlibship, FTJAVA: None}
TARGETS: dict[str, Callable[[Design, RuleSet], dict[str, Any]]] = {
    "design": lambda design, _rules: design_json(design),
    "ftlibship": to_ftlibship,
}


@dataclass(frozen=True, slots=True)
class DesignLimits:
    """Limits of a design in addition to the rules of its edition."""

    base: TechBase | None = None
    restrictions: Restrictions = NO_RESTRICTIONS


NO_LIMITS = DesignLimits()


def run(args: Namespace) -> Any:
    """Return the figures of a design, or of each design in a list, or the converted designs.

    With `--partial` the answer is {`read`: figures, `left_out`: the faults of rejected designs}.

    Raises:
        RuleViolations: For unreadable designs, and for designs that cannot be converted.
    """
    if args.source == FTJAVA:
        parts = read_ftjava_fleet(read_text(args.file), FILES, MAX_DESIGNS)
    else:
        parts = _read_parts(args.file)
    base = None
    if args.tech_base is not None:
        base = parse_base(read_input(args.tech_base), limit=ANY_CHOICES, options=args.option)
    source = SOURCES[args.source]
    limits = DesignLimits(base, _restrictions(args))
    answers, left_out = make_parts(
        parts,
        lambda item: answer_for(
            item, options=args.option, source=source, target=args.target, limits=limits
        ),
        partial=args.partial,
    )
    if args.partial:
        return {"read": answers, "left_out": [part.to_json() for part in left_out]}
    if [part.where for part in parts] == [""]:
        return answers[0]
    return answers


def _read_parts(path: str) -> list[DocumentPart]:
    """Return the designs of a file: one, or a list.

    Raises:
        RuleViolations: If it is no document, or too large.
    """
    document = read_input(path)
    if not isinstance(document, list):
        return [DocumentPart("", design_name(document), document)]
    if len(document) > MAX_DESIGNS:
        raise RuleViolations(
            [Violation("", "too-many-designs", f"a file can have at most {MAX_DESIGNS} designs")]
        )
    parts: list[DocumentPart] = []
    for number, item in enumerate(document):
        parts.append(DocumentPart(fault_path(number), design_name(item), item))
    return parts


def answer_for(
    document: object,
    options: Sequence[str],
    source: Source | None,
    target: str | None,
    limits: DesignLimits,
) -> dict[str, Any]:
    """Return the figures of a design, or the converted design if there is a target.

    Raises:
        RuleViolations: With every fault, if it is unreadable or cannot be converted, or if a list
            of restrictions has faults.
    """
    own_document, extra_options = source(document, "") if source else (document, ())
    agreed = tuple(dict.fromkeys((*options, *extra_options)))
    reading = read_design(own_document, "", agreed)
    if reading.design is None:
        raise RuleViolations((*reading.malformed, *reading.illegal))
    if target is None:
        return price_design(reading.design, agreed, limits)
    return TARGETS[target](reading.design, ruleset(reading.design.edition, agreed))


def price_design(
    design: Design, options: Sequence[str] = (), limits: DesignLimits = NO_LIMITS
) -> dict[str, Any]:
    """Return everything the edition says about a design.

    `options` of the answer are those that players must have agreed on, `warnings` are not faults;
    both are omitted if empty. Missing technologies, and what is barred, are violations too.

    Raises:
        RuleViolations: The restrictions have faults.

    Rules: 2E "Ship design and points costs" [2e.design]; Continuum 13 [pc.design]
    """
    rules = ruleset(design.edition, options)
    if wrong_list := list_faults(limits.restrictions, rules):
        raise RuleViolations(wrong_list)
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
    if is_carrier(design):
        document["carrier"] = True
    if is_mothership(design):
        document["mothership"] = True
    if design.edition == Edition.CONTINUUM:
        document["designations"] = [row.short for row in designations_of(design)]
    if figures.crew is not None:
        document["crew_factors"] = len(figures.crew)
    if figures.cpv is not None:
        document["cpv"] = figures.cpv
    if needed := needed_options(design, rules):
        document["options"] = list(needed)
    faults = (
        *rules.yard.violations(design, rules, ()),
        *missing_technologies(design, limits.base),
        *barred_faults(design_json(design), limits.restrictions, rules),
    )
    if warnings := design_warnings(design, rules):
        document["warnings"] = faults_json(warnings)
    return document | {"violations": faults_json(faults)}


def run_fleet(args: Namespace) -> Any:
    """Return a fleet's ships, its points in total and by classification, and every fault.

    What its ships do not have as one navy is a warning, or a fault with the option for it.

    Raises:
        RuleViolations: If the fleet is unreadable.

    Rules: Continuum "Tournament fleets" 18.2 [pc.fleet-composition]
    """
    document = read_input(args.file)
    fleet = read_fleet(
        document, classes_for(document), tuple(args.option), restrictions=_restrictions(args)
    )
    faults = (
        *fleet_violations(fleet.ships, fleet.points, fleet.limits, without_ftl=fleet.without_ftl),
        *fleet.barred,
    )
    warnings = navy_warnings(fleet.ships)
    if ONE_NAVY in fleet.options:
        faults, warnings = (*faults, *warnings), ()
    answer: dict[str, Any] = {
        "ships": [
            {"class": sheet.cls, "classification": sheet.classification, "points": sheet.points}
            for sheet in fleet.ships
        ],
        "points": sum(sheet.points for sheet in fleet.ships),
        "by_classification": points_by_classification(fleet.ships),
    }
    if warnings:
        answer["warnings"] = faults_json(warnings)
    return answer | {"violations": faults_json(faults)}


def _restrictions(args: Namespace) -> Restrictions:
    """Return what `--barred a,b` and `--allowed a,b` say."""
    allowed = None if args.allowed is None else tuple(args.allowed.split(","))
    barred = tuple(args.barred.split(",")) if args.barred else ()
    return Restrictions(barred, allowed)

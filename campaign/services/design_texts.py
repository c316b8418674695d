"""Read and write designs as texts: our format in JSON or YAML, and those of other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import yaml

from campaign.rules.designs import MOST_DESIGNS
from campaign.rules.limits import DESIGNS, MOST_SYSTEMS
from engine.core.edition import EDITIONS
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.phrase import phrase
from engine.notation.designs import parse_design
from engine.notation.documents import read_document
from engine.notation.ftjava_export import to_ftjava
from engine.notation.ftjava_fleets import read_ftjava_fleet
from engine.notation.ftlibship_export import to_ftlibship
from engine.notation.ftlibship_import import from_ftlibship
from engine.notation.reading import DocumentPart, design_name, make_parts
from engine.ruleset import ruleset

FTLIBSHIP, FTJAVA = "ftlibship", "ftjava"
SOURCES = ("design", FTLIBSHIP, FTJAVA)
FORMS = ("json", "yaml", FTLIBSHIP, FTJAVA)
MAX_TEXT_DESIGNS = MOST_DESIGNS  # designs in a document


def designs_of(text: str, source: str) -> list[DocumentPart]:
    """Parse one design or a list of designs, converted to our format, each with its place.

    Some of them may not be valid designs.

    Raises:
        RuleViolations: The text is of another format, or too large.
    """
    if source == FTJAVA:
        ships = read_ftjava_fleet(text, DESIGNS, MAX_TEXT_DESIGNS)
        _few_entries(ship.document for ship in ships)
        return ships
    value = read_document(text, DESIGNS)
    if isinstance(value, list):
        documents = value
    else:
        documents = [value]
    if not documents or len(documents) > MAX_TEXT_DESIGNS:
        raise RuleViolations(
            [
                Violation(
                    "", "wrong-length", phrase("give 1 to {} designs at a time", MAX_TEXT_DESIGNS)
                )
            ]
        )
    _few_entries(documents)
    places = []
    for number in range(len(documents)):
        places.append(fault_path(number) if isinstance(value, list) else "")
    entries = []
    for where, item in zip(places, documents, strict=True):
        entries.append(DocumentPart(where, design_name(item), item))
    if source == FTLIBSHIP:
        return [_from_ftlibship(entry) for entry in entries]
    return entries


def _few_entries(designs: Iterable[object]) -> None:
    """Raise RuleViolations if the designs have too many systems together."""
    if sum(map(_entries, designs)) > MOST_SYSTEMS:
        words = phrase(
            "the designs of a document can have at most {} entries of systems in all", MOST_SYSTEMS
        )
        raise RuleViolations([Violation("", "too-many-systems", words)])


def _from_ftlibship(entry: DocumentPart) -> DocumentPart:
    try:
        return replace(entry, document=from_ftlibship(entry.document)[0])
    except RuleViolations as refused:
        return replace(entry, document=None, faults=refused.violations)


def _entries(item: object) -> int:
    """Count the systems of a design, ours or ftLibShip's; 0 if it is not a mapping."""
    lists = (
        [value for value in item.values() if isinstance(value, list)]
        if isinstance(item, dict)
        else []
    )
    return sum(map(len, lists))


def export_designs(
    designs: Sequence[dict[str, Any]], form: str, options: Sequence[str] = ()
) -> str:
    """Return designs as one document: our format in JSON or YAML, ftLibShip's or FTJava's.

    Args:
        options: The options by which designs are priced.

    Raises:
        RuleViolations: The other program's format cannot express a design.
    """
    if form == "yaml":
        return yaml.safe_dump(
            list(designs), sort_keys=False, allow_unicode=True, default_flow_style=None, width=110
        )
    documents: list[dict[str, Any]] = list(designs)
    if form == FTLIBSHIP:
        entries = [
            DocumentPart(fault_path(number), "", design) for number, design in enumerate(designs)
        ]
        documents, _ = make_parts(
            entries, lambda design: _for_ftlibship(design, options), partial=False
        )
    if form == FTJAVA:
        return _for_ftjava(designs, options)
    return json.dumps(documents, indent=2, ensure_ascii=False) + "\n"


def _for_ftjava(designs: Sequence[dict[str, Any]], options: Sequence[str]) -> str:
    """Return designs of one rulebook as one FTJava document. Raises RuleViolations."""
    parsed = [parse_design(design, options=options) for design in designs]
    return to_ftjava(
        parsed, ruleset(parsed[0].edition if parsed else EDITIONS[-1], options if parsed else ())
    )


def _for_ftlibship(design: dict[str, Any], options: Sequence[str]) -> dict[str, Any]:
    return to_ftlibship(parse_design(design, options=options), ruleset(design["edition"], options))

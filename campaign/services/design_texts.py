"""Read and write designs as texts: our format in JSON or YAML, and those of other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import yaml

from campaign.rules.designs import MAX_DESIGNS
from campaign.rules.limits import DESIGNS, MAX_SYSTEMS
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
MAX_TEXT_DESIGNS = MAX_DESIGNS  # designs in a document


def designs_of(text: str, source: str) -> list[DocumentPart]:
    """Parse one design or a list of designs, converted to our format, each with its place.

    Some of them may not be valid designs.

    Raises:
        RuleViolations: The text is of another format, or too large.
    """
    if source == FTJAVA:
        ships = read_ftjava_fleet(text, DESIGNS, MAX_TEXT_DESIGNS)
        _check_system_count(ship.document for ship in ships)
        return ships
    document = read_document(text, DESIGNS)
    if isinstance(document, list):
        parts = []
        for number, design in enumerate(document):
            parts.append(DocumentPart(fault_path(number), design_name(design), design))
    else:
        parts = [DocumentPart("", design_name(document), document)]
    if not parts or len(parts) > MAX_TEXT_DESIGNS:
        words = phrase("give 1 to {} designs at a time", MAX_TEXT_DESIGNS)
        raise RuleViolations([Violation("", "wrong-length", words)])
    _check_system_count(part.document for part in parts)
    if source == FTLIBSHIP:
        return [_from_ftlibship(part) for part in parts]
    return parts


def _check_system_count(designs: Iterable[object]) -> None:
    """Raise RuleViolations if the designs have too many systems together."""
    if sum(map(_system_count, designs)) > MAX_SYSTEMS:
        words = phrase(
            "the designs of a document can have at most {} entries of systems in all", MAX_SYSTEMS
        )
        raise RuleViolations([Violation("", "too-many-systems", words)])


def _from_ftlibship(part: DocumentPart) -> DocumentPart:
    """Convert a design of ftLibShip, or add the faults that prevent it."""
    try:
        return replace(part, document=from_ftlibship(part.document)[0])
    except RuleViolations as error:
        return replace(part, document=None, faults=error.violations)


def _system_count(design: object) -> int:
    """Count the systems of a design, ours or ftLibShip's; 0 if it is not a mapping."""
    if not isinstance(design, dict):
        return 0
    return sum(len(value) for value in design.values() if isinstance(value, list))


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
    if form == FTJAVA:
        return _for_ftjava(designs, options)
    documents: list[dict[str, Any]] = list(designs)
    if form == FTLIBSHIP:
        parts = [DocumentPart(fault_path(n), "", design) for n, design in enumerate(designs)]
        documents, _ = make_parts(
            parts, lambda design: _for_ftlibship(design, options), partial=False
        )
    return json.dumps(documents, indent=2, ensure_ascii=False) + "\n"


def _for_ftjava(designs: Sequence[dict[str, Any]], options: Sequence[str]) -> str:
    """Return designs of one rulebook as one FTJava document. Raises RuleViolations."""
    parsed = [parse_design(design, options=options) for design in designs]
    if not parsed:
        return to_ftjava(parsed, ruleset(EDITIONS[-1], ()))
    return to_ftjava(parsed, ruleset(parsed[0].edition, options))


def _for_ftlibship(design: dict[str, Any], options: Sequence[str]) -> dict[str, Any]:
    """Return a design in ftLibShip's format. Raises RuleViolations."""
    return to_ftlibship(parse_design(design, options=options), ruleset(design["edition"], options))

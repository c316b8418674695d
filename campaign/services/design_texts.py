"""Designs as texts: ours in JSON or YAML, and those of other programs; one design of a text, or a
list.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import yaml

from campaign.rules.designs import MOST_DESIGNS
from campaign.rules.limits import DESIGNS, MOST_SYSTEMS
from engine.core.edition import EDITIONS
from engine.core.errors import RuleViolations, Violation, place
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
MAX_TEXT_DESIGNS = MOST_DESIGNS  # designs of a document


def designs_of(text: str, source: str) -> list[DocumentPart]:
    """The designs of a text with their places, other programs' as ours: one, or a list; some may be
    unreadable.

    Raises RuleViolations for what is no such text, or too much of one.
    """
    if source == FTJAVA:
        ships = read_ftjava_fleet(text, DESIGNS, MAX_TEXT_DESIGNS)
        _few_entries(ship.document for ship in ships)
        return ships
    value = read_document(text, DESIGNS)
    documents = value if isinstance(value, list) else [value]
    if not documents or len(documents) > MAX_TEXT_DESIGNS:
        raise RuleViolations(
            [
                Violation(
                    "", "wrong-length", phrase("1 to {} designs are read at once", MAX_TEXT_DESIGNS)
                )
            ]
        )
    _few_entries(documents)
    places = [place(number) if isinstance(value, list) else "" for number in range(len(documents))]
    entries = [
        DocumentPart(where, design_name(item), item)
        for where, item in zip(places, documents, strict=True)
    ]
    return [_from_ftlibship(entry) for entry in entries] if source == FTLIBSHIP else entries


def _few_entries(designs: Iterable[object]) -> None:
    """Raises RuleViolations where designs have more systems than are judged at once."""
    if sum(map(_entries, designs)) > MOST_SYSTEMS:
        words = phrase(
            "the designs of a document have up to {} entries of systems together", MOST_SYSTEMS
        )
        raise RuleViolations([Violation("", "too-many-systems", words)])


def _from_ftlibship(entry: DocumentPart) -> DocumentPart:
    try:
        return replace(entry, document=from_ftlibship(entry.document)[0])
    except RuleViolations as refused:
        return replace(entry, document=None, faults=refused.violations)


def _entries(item: object) -> int:
    """How many systems a design lists, ours or ftLibShip's; none of what could not be read."""
    lists = (
        [value for value in item.values() if isinstance(value, list)]
        if isinstance(item, dict)
        else []
    )
    return sum(map(len, lists))


def export_designs(
    designs: Sequence[dict[str, Any]], form: str, options: Sequence[str] = ()
) -> str:
    """Designs as one document: ours in JSON or YAML, or ftLibShip's JSON.

    `options`: those they are priced by.

    Raises RuleViolations where another program has no word for something.
    """
    if form == "yaml":
        return yaml.safe_dump(
            list(designs), sort_keys=False, allow_unicode=True, default_flow_style=None, width=110
        )
    documents: list[dict[str, Any]] = list(designs)
    if form == FTLIBSHIP:
        entries = [DocumentPart(place(number), "", design) for number, design in enumerate(designs)]
        documents, _ = make_parts(
            entries, lambda design: _for_ftlibship(design, options), partial=False
        )
    if form == FTJAVA:
        return _for_ftjava(designs, options)
    return json.dumps(documents, indent=2, ensure_ascii=False) + "\n"


def _for_ftjava(designs: Sequence[dict[str, Any]], options: Sequence[str]) -> str:
    """Designs of one rulebook as ships of one document. Raises RuleViolations."""
    parsed = [parse_design(design, options=options) for design in designs]
    return to_ftjava(
        parsed, ruleset(parsed[0].edition if parsed else EDITIONS[-1], options if parsed else ())
    )


def _for_ftlibship(design: dict[str, Any], options: Sequence[str]) -> dict[str, Any]:
    return to_ftlibship(parse_design(design, options=options), ruleset(design["edition"], options))

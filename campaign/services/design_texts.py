"""Designs as texts: ours in JSON or YAML, and those of other programs; one design of a text, or a list."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import yaml

from campaign.limits import DESIGNS, MOST_SYSTEMS
from campaign.rules.designs import MOST_DESIGNS
from engine.core.edition import EDITIONS
from engine.core.errors import RuleViolations, Violation, place
from engine.notation.designs import parse_design
from engine.notation.documents import read_document
from engine.notation.ftjava_read import from_ftjava, ships_of
from engine.notation.ftjava_write import to_ftjava
from engine.notation.ftlibship_read import from_ftlibship
from engine.notation.ftlibship_write import to_ftlibship
from engine.notation.reading import read_each
from engine.ruleset import ruleset

FTLIBSHIP, FTJAVA = "ftlibship", "ftjava"
SOURCES = ("design", FTLIBSHIP, FTJAVA)
FORMS = ("json", "yaml", FTLIBSHIP, FTJAVA)
MOST = MOST_DESIGNS  # designs of a document


def documents_of(text: str, source: str) -> list[tuple[str, Any]]:
    """The designs of a text with their places, other programs' as ours: one, or a list. Raises RuleViolations."""
    if source == FTJAVA:
        return _ftjava(text)
    value = read_document(text, DESIGNS)
    many = value if isinstance(value, list) else [value]
    if not many or len(many) > MOST:
        raise RuleViolations([Violation("", "wrong-length", f"1 to {MOST} designs are read at once")])
    if sum(map(_entries, many)) > MOST_SYSTEMS:
        words = f"the designs of a document have up to {MOST_SYSTEMS} entries of systems together"
        raise RuleViolations([Violation("", "too-many-systems", words)])
    places = [place(number) if isinstance(value, list) else "" for number in range(len(many))]
    read: Callable[[Any], Any] = (lambda item: from_ftlibship(item)[0]) if source == FTLIBSHIP else (lambda item: item)
    return list(zip(places, _each(many, places, read), strict=True))


def _ftjava(text: str) -> list[tuple[str, Any]]:
    """The ships of an XML text. Raises RuleViolations."""
    ships = ships_of(text, DESIGNS)
    if len(ships) > MOST:
        raise RuleViolations([Violation("", "wrong-length", f"1 to {MOST} designs are read at once")])
    places = [place(number) if len(ships) > 1 else "" for number in range(len(ships))]
    return list(zip(places, _each(ships, places, from_ftjava), strict=True))


def _each(items: Sequence[Any], places: Sequence[str], do: Callable[[Any], Any]) -> list[Any]:
    """What is made of each. Raises RuleViolations with the faults of all of them, each at its place."""
    found, faults = read_each(zip(places, items, strict=True), do)
    if faults:
        raise RuleViolations(faults)
    return found


def _entries(item: object) -> int:
    """How many systems a design lists, ours or ftLibShip's."""
    lists = [value for value in item.values() if isinstance(value, list)] if isinstance(item, dict) else []
    return sum(map(len, lists))


def exported(designs: Sequence[dict[str, Any]], form: str, options: Sequence[str] = ()) -> str:
    """Designs as one document: ours in JSON or YAML, or ftLibShip's JSON. `options`: those they are priced by.

    Raises RuleViolations where another program has no word for something.
    """
    if form == "yaml":
        return yaml.safe_dump(list(designs), sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)
    written: list[dict[str, Any]] = list(designs)
    if form == FTLIBSHIP:
        places = [place(number) for number in range(len(designs))]
        written = _each(designs, places, lambda design: _for_ftlibship(design, options))
    if form == FTJAVA:
        return _for_ftjava(designs, options)
    return json.dumps(written, indent=2, ensure_ascii=False) + "\n"


def _for_ftjava(designs: Sequence[dict[str, Any]], options: Sequence[str]) -> str:
    """Designs of one rulebook as ships of one document. Raises RuleViolations."""
    read = [parse_design(design, options=options) for design in designs]
    return to_ftjava(read, ruleset(read[0].edition if read else EDITIONS[-1], options if read else ()))


def _for_ftlibship(design: dict[str, Any], options: Sequence[str]) -> dict[str, Any]:
    return to_ftlibship(parse_design(design, options=options), ruleset(design["edition"], options))

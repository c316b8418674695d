"""Reads all designs of an FTJava document, each once, and reports unreadable ships one by one.

A document is one ship, or a game with the ships of its players, where the same class may occur many
times.
"""

from __future__ import annotations

from itertools import chain, count

from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.names import name_skeleton
from engine.core.phrase import phrase
from engine.notation.documents import Limits
from engine.notation.ftjava_import import class_name_of, find_ships, from_ftjava
from engine.notation.reading import DocumentPart
from engine.notation.xml_documents import Element


def read_ftjava_fleet(text: str, limits: Limits, most: int) -> list[DocumentPart]:
    """Return the different designs of a document's ships.

    Ships with the same design become one part. Different designs of one class get different names,
    with the ship's own name if it has one.

    Args:
        most: The greatest number of ships allowed.

    Raises:
        RuleViolations: If the whole document is refused.
    """
    ships = find_ships(text, limits)
    if len(ships) > most:
        words = phrase("a document can have at most {} ships; this one has {}", most, len(ships))
        raise RuleViolations([Violation("", "too-many-ships", words)])
    parts: list[DocumentPart] = []
    designs = set[str]()
    used_names = set[str]()
    for number, ship in enumerate(ships):
        where = fault_path(number) if len(ships) > 1 else ""
        try:
            document = from_ftjava(ship)
        except RuleViolations as refused:
            parts.append(DocumentPart(where, class_name_of(ship), None, refused.violations))
            continue
        design = repr({key: value for key, value in document.items() if key != "printed"})
        if design in designs:
            continue
        designs.add(design)
        name = _free_name(document["class"], ship, used_names)
        used_names.add(name_skeleton(name))
        parts.append(DocumentPart(where, name, document | {"class": name}))
    return parts


def _free_name(cls: str, ship: Element, used_names: set[str]) -> str:
    """Return a free name: the class alone, with the ship's own name, or with a number."""
    numbered = (f"{cls} {number}" for number in count(2))
    return next(
        name
        for name in chain((cls, class_name_of(ship, ship.words("Name"))), numbered)
        if name_skeleton(name) not in used_names
    )

"""Whole fleets of FTJava: the designs of a document's ships, each design once, and what could not
be read, by ship.

A document is one ship, or a game with the ships of its players, in which a class is there as often
as it sails.
"""

from __future__ import annotations

from itertools import chain, count

from engine.core.errors import RuleViolations, Violation, place
from engine.core.names import looks
from engine.core.phrase import phrase
from engine.notation.documents import Limits
from engine.notation.ftjava_read import called, from_ftjava, ships_of
from engine.notation.reading import Given
from engine.notation.xml_documents import Element


def fleet_of(text: str, limits: Limits, most: int) -> list[Given]:
    """The ships of a document, `most` of them at most.

    Raises RuleViolations for the document as a whole.

    Ships of the same design are one; others of the same class are told apart, by their own names
    where they have some.
    """
    ships = ships_of(text, limits)
    if len(ships) > most:
        words = phrase("a document has at most {} ships; this one has {}", most, len(ships))
        raise RuleViolations([Violation("", "too-many-ships", words)])
    found: list[Given] = []
    known, taken = set[str](), set[str]()
    for number, ship in enumerate(ships):
        where = place(number) if len(ships) > 1 else ""
        try:
            document = from_ftjava(ship)
        except RuleViolations as refused:
            found.append(Given(where, called(ship), None, refused.violations))
            continue
        design = repr({key: value for key, value in document.items() if key != "printed"})
        if design in known:
            continue
        known.add(design)
        name = _free(document["class"], ship, taken)
        taken.add(looks(name))
        found.append(Given(where, name, document | {"class": name}))
    return found


def _free(cls: str, ship: Element, taken: set[str]) -> str:
    """A class's name that is not taken: as it is, with the ship's own name, or with a number."""
    numbered = (f"{cls} {number}" for number in count(2))
    return next(
        name
        for name in chain((cls, called(ship, ship.words("Name"))), numbered)
        if looks(name) not in taken
    )

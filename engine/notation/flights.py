"""Fighter orders as text and back: `to 12 20; face 3`, `dogfight flight-2; evade`, `land n1`.

docs/orders.md is the full grammar.
"""

from __future__ import annotations

from typing import Any

from engine.core.errors import Violation
from engine.core.orders import Flight
from engine.notation.orders import LONGEST, numbers

_WHERE = ("to", "dogfight", "land")
_KNOWN = (*_WHERE, "face", "evade", "stay")


def parse_flight(text: str, where: str) -> tuple[Flight | None, tuple[Violation, ...]]:
    """A group's orders from their text, or every fault in it.

    At most one of `to X Y`, `dogfight GROUP`, `land SHIP`; besides `face COURSE` and `evade`; `stay` says nothing.
    Rules: 2E "Fighters" [2e.fighters]
    """
    if len(text) > LONGEST:
        words = f"a group's orders have at most {LONGEST} characters, not {len(text)}"
        return None, (Violation(where, "too-long", words),)
    given: dict[str, Any] = {}
    faults: list[Violation] = []
    seen: list[str] = []
    for part in (piece.strip() for piece in text.split(";")):
        if not part:
            continue
        word, *rest = part.split()
        word = word.lower()
        if word not in _KNOWN:
            faults.append(Violation(where, "flight-unknown", f"'{part}' is not an order of {', '.join(_KNOWN)}"))
            continue
        if word in seen:
            faults.append(Violation(where, "flight-repeated", f"'{part}': a group's orders say '{word}' once"))
        seen.append(word)
        try:
            given |= _read(word, rest)
        except ValueError as why:
            faults.append(Violation(where, f"flight-{word}", f"'{part}': {why}"))
    if sum(word in seen for word in _WHERE) > 1:
        faults.append(Violation(where, "flight-two-ways", f"'{text}': a group goes one way: {', '.join(_WHERE)}"))
    return (None, tuple(faults)) if faults else (Flight(**given), ())


def _read(word: str, rest: list[str]) -> dict[str, Any]:
    if word == "to":
        found = numbers(rest)
        if len(found) != 2:
            raise ValueError("two numbers are needed here, such as to 12 20")
        return {"to": (found[0], found[1])}
    if word == "face":
        found = numbers(rest)
        if len(found) != 1 or found[0] not in range(1, 13):
            raise ValueError("a course from 1 to 12 is needed here")
        return {"face": int(found[0])}
    if word in ("dogfight", "land"):
        if len(rest) != 1:
            raise ValueError("one name is needed here")
        return {word: rest[0]}
    if rest:
        raise ValueError("nothing can follow this word")
    return {"evade": True} if word == "evade" else {}


def format_flight(flight: Flight) -> str:
    """The text of a group's orders; `parse_flight` reads it back to the same orders."""
    return flight.words()

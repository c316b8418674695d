"""Movement orders as text and back: `P2+4; ftl`, `enter 12 48 6`. docs/orders.md is the full grammar."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from engine.errors import Violation
from engine.orders import AT_END, PLOT_FLAGS, Plot

_MOVE = re.compile(r"(?:([PS])(\d{1,2}))?([+-]\d{1,3})?|([+-]\d{1,3})([PS])(\d{1,2})")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

# What a word reads: the words after it, or a ValueError that says what belongs there.
Words = Callable[[list[str]], dict[str, Any]]


def parse_plot(text: str, where: str) -> tuple[Plot | None, tuple[Violation, ...]]:
    """A plot from its text, or every fault in it.

    The first part is the move (`P2+4`, `S1`, `-3`; port or starboard points, then the change of velocity), others
    follow after semicolons: a word and what belongs to it. Rules: 2E "Movement orders" [2e.movement]
    """
    given: dict[str, Any] = {}
    faults: list[Violation] = []
    seen: list[str] = []
    for part in (piece.strip() for piece in text.split(";")):
        if not part:
            continue
        word, *rest = part.split()
        word = word.lower()
        if word in PLOT_FLAGS and not rest:
            given[word] = True
        elif word in WORDS:
            try:
                given |= WORDS[word](rest)
            except ValueError as why:
                faults.append(Violation(where, f"plot-{word}", f"'{part}': {why}"))
        elif move := _MOVE.fullmatch(part.replace(" ", "").upper()):
            word = "move"
            given |= _move(move, part, where, faults)
        else:
            known = ", ".join(("P2+4", *PLOT_FLAGS, *WORDS))
            faults.append(Violation(where, "plot-unknown", f"'{part}' is not an order such as {known}"))
        if word in seen:
            faults.append(Violation(where, "plot-repeated", f"'{part}': a plot says '{word}' once"))
        seen.append(word)
    if faults:
        return None, tuple(faults)
    return Plot(**given), ()


def _move(move: re.Match[str], part: str, where: str, faults: list[Violation]) -> dict[str, Any]:
    side, points = (move[1], move[2]) if move[2] else (move[5], move[6])
    turn = int(points or 0) * (-1 if side == "P" else 1)
    if abs(turn) > 11:
        faults.append(Violation(where, "plot-turn", f"'{part}': a turn has at most 11 points"))
    return {"turn": turn, "thrust": int(move[3] or move[4] or 0)}


def numbers(words: list[str]) -> list[float]:
    """The numbers a word is followed by; commas part them as spaces do. Raises ValueError for anything else."""
    pieces = " ".join(words).replace(",", " ").split()
    wrong = [piece for piece in pieces if not _NUMBER.fullmatch(piece)]
    if wrong:
        raise ValueError(f"{' '.join(wrong)} is no number")
    return [float(piece) for piece in pieces]


def _enter(words: list[str]) -> dict[str, Any]:
    found = numbers(words)
    if len(found) != 3 or found[2] != int(found[2]):
        raise ValueError("where and on which course belongs here, such as enter 12 48 6")
    if not 1 <= found[2] <= 12:
        raise ValueError("courses are 1 to 12")
    return {"enter": (found[0], found[1], int(found[2]))}


def _mine(words: list[str]) -> dict[str, Any]:
    found = numbers(words)
    if any(at < 0 for at in found):
        raise ValueError("a mine lies 0 MU or more along the path")
    return {"mines": tuple(found) if found else (AT_END,)}


def _names(field: str, many: bool, what: str) -> Words:
    def read(words: list[str]) -> dict[str, Any]:
        names = " ".join(words).replace(",", " ").split()
        if not names or (len(names) > 1 and not many):
            raise ValueError(f"{what} belongs here")
        return {field: tuple(names) if many else names[0]}

    return read


WORDS: dict[str, Words] = {
    "enter": _enter,
    "launch": _names("launch", True, "one or more fighter bays"),
    "mine": _mine,
    "scan": _names("scan", True, "one or more contacts"),
    "ram": _names("ram", False, "one contact"),
    "dock": _names("dock", False, "one installation"),
}


def format_plot(plot: Plot) -> str:
    """The text of a plot; `parse_plot` reads it back to the same plot."""
    return plot.words()

"""Movement orders as text and back: `P2+4; ftl`, `enter 12 48 6`. docs/orders.md is the full grammar."""

from __future__ import annotations

import re

from engine.errors import Violation
from engine.orders import Plot

_MOVE = re.compile(r"(?:([PS])(\d{1,2}))?([+-]\d{1,3})?|([+-]\d{1,3})([PS])(\d{1,2})")
_NUMBER = r"-?\d+(?:\.\d+)?"
_ENTER = re.compile(rf"enter\s+({_NUMBER})[\s,]+({_NUMBER})\s+(\d{{1,2}})")


def parse_plot(text: str, where: str) -> tuple[Plot | None, tuple[Violation, ...]]:
    """A plot from its text, or every fault in it.

    The first part is the move (`P2+4`, `S1`, `-3`; port or starboard points, then the change of velocity), others
    follow after semicolons: `ftl`, `stay`, `enter X Y COURSE`. Rules: 2E "Movement orders" [2e.movement]
    """
    turn = thrust = 0
    ftl = stay = False
    enter: tuple[float, float, int] | None = None
    faults: list[Violation] = []
    seen: list[str] = []
    for part in (piece.strip() for piece in text.split(";")):
        word = part.split()[0].lower() if part else ""
        move = _MOVE.fullmatch(part.replace(" ", "").upper()) if word not in ("ftl", "stay", "enter") else None
        kind = "move" if move else word
        if not part:
            continue
        if kind in seen:
            faults.append(Violation(where, "plot-repeated", f"'{part}': a plot says '{kind}' once"))
        seen.append(kind)
        if move:
            side, points = (move[1], move[2]) if move[2] else (move[5], move[6])
            turn = int(points or 0) * (-1 if side == "P" else 1)
            thrust = int(move[3] or move[4] or 0)
            if abs(turn) > 11:
                faults.append(Violation(where, "plot-turn", f"'{part}': a turn has at most 11 points"))
        elif part.lower() == "ftl":
            ftl = True
        elif part.lower() == "stay":
            stay = True
        elif entry := _ENTER.fullmatch(part.lower()):
            enter = (float(entry[1]), float(entry[2]), int(entry[3]))
            if not 1 <= enter[2] <= 12:
                faults.append(Violation(where, "plot-course", f"'{part}': courses are 1 to 12"))
        else:
            faults.append(Violation(where, "plot-unknown", f"'{part}' is not an order such as P2+4, ftl, stay, enter"))
    if faults:
        return None, tuple(faults)
    return Plot(turn, thrust, ftl, stay, enter), ()


def format_plot(plot: Plot) -> str:
    """The text of a plot; `parse_plot` reads it back to the same plot."""
    return plot.words()

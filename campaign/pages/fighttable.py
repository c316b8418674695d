"""What lies and flies on the drawing of a battle's table besides ships: pieces, drawn as their kinds say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.pages.battlelog import units
from campaign.pages.battlewords import Names
from engine.pieces.registry import kinds

MARK, ARROW = 5, 6  # the size of a small mark and of an arrow on the drawing


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on the drawing. `r`: its radius there; `turn` in degrees; `label`: written beside it."""

    kind: str
    x: int
    y: int
    r: int
    turn: int
    words: str
    label: str = ""
    arrow: bool = False


def things_of(view: Mapping[str, Any], names: Names, height: float) -> tuple[Thing, ...]:
    """All of them, as a side sees them; what is wide lies under what is small. `height`: of the table, in MU.

    A list that a view does not have is that of a kind which came after it.
    """
    things = []
    for kind in kinds():
        for key in kind.view_keys:
            for seen in view.get(key, ()):
                drawn = kind.drawn(key, seen, names.of)
                (x, y), arrow = drawn.at, bool(drawn.course)
                things.append(
                    Thing(
                        kind=drawn.look or kind.kind,
                        x=units(x),
                        y=units(height - y),
                        r=ARROW if arrow else units(drawn.radius) or MARK,
                        turn=drawn.course % 12 * 30,
                        words=drawn.words,
                        label=drawn.label,
                        arrow=arrow,
                    )
                )
    return tuple(sorted(things, key=lambda thing: (thing.arrow, -thing.r)))

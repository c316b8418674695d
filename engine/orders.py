"""What a side may order in a battle, as values. Their text stands in `engine.notation.orders`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Plot:
    """A ship's movement orders for a turn: points of turn (starboard positive), change of velocity, and further words.

    `ftl`: warm up the FTL drive. `stay`: a ship off the table gives up coming back. `enter`: where and on which course
    a ship that left comes back, (x, y, course).
    """

    turn: int = 0
    thrust: int = 0
    ftl: bool = False
    stay: bool = False
    enter: tuple[float, float, int] | None = None

    def words(self) -> str:
        """The order as text; empty where the ship holds course and speed."""
        turn = f"{'S' if self.turn > 0 else 'P'}{abs(self.turn)}" if self.turn else ""
        move = turn + (f"{self.thrust:+d}" if self.thrust else "")
        parts = [move] if move else []
        if self.ftl:
            parts.append("ftl")
        if self.stay:
            parts.append("stay")
        if self.enter is not None:
            x, y, course = self.enter
            parts.append(f"enter {x:g} {y:g} {course}")
        return "; ".join(parts)


HOLD = Plot()


@dataclass(frozen=True, slots=True)
class Fire:
    """One weapon's fire: `targets` in order of preference, the first legal one when it fires."""

    weapon: str
    targets: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"weapon": self.weapon, "target": self.targets[0] if len(self.targets) == 1 else list(self.targets)}


# A side's fire in the order its ships take their turns.
FireOrders = list[tuple[str, tuple[Fire, ...]]]

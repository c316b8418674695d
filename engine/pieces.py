"""What lies and flies on the table beside the ships: fighter groups, mines, asteroids and nova templates.

All distances in MU. Every piece can be copied and written to JSON: its fields are its document.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Self


@dataclass(slots=True)
class Piece:
    """Something on the table that is no ship."""

    id: str

    def copy(self) -> Self:
        """A piece that can be changed without changing this one."""
        return replace(self)

    def to_json(self) -> dict[str, Any]:
        """The piece's fields by their names."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Self:
        """The piece `to_json` wrote. Raises TypeError for other keys."""
        return cls(**document)


@dataclass(slots=True)
class Group(Piece):
    """Fighters in flight, named by the ship and the bay they came from (`n1/fighter-bay-1`).

    `contact`: what other sides call it. `craft`: fighters left. `course`: which way they face. `moved`, `fired`: done
    this turn; `launched`: the turn it was launched in. `dogfight`: the hostile group it closed with, by id; both are
    in a dogfight until one is gone or breaks off.
    Rules: 2E "Fighters" [2e.fighters]; 2E "Fighter-to-fighter combat" [2e.dogfights]
    """

    side: int
    contact: str
    ship: str
    bay: str
    craft: int
    x: float
    y: float
    course: int
    moved: bool = False
    fired: bool = False
    launched: int = 0
    dogfight: str = ""


@dataclass(slots=True)
class Mine(Piece):
    """A mine: whose, where, and the turn it was laid in; it is active from the next turn. `known`: bits of the sides
    that know of it.

    Rules: 2E "Mines" [2e.mines]
    """

    side: int
    x: float
    y: float
    laid: int
    known: int


@dataclass(slots=True)
class Rock(Piece):
    """An asteroid, round, with its drift: course and MU a turn. `boxes` 0: nothing destroys it.

    Rules: 2E "Asteroids" [2e.asteroids]
    """

    x: float
    y: float
    radius: float
    course: int = 12
    speed: float = 0.0
    boxes: int = 0
    damage: int = 0


@dataclass(slots=True)
class Nova(Piece):
    """The template of a nova cannon between its moves: which ship fired it, where it is, which way it flies.

    `age`: how many turns it has moved (1 to 3; after the third it burns out).
    Rules: 2E "Spinal-mount nova cannon" [2e.nova-cannon]
    """

    side: int
    ship: str
    x: float
    y: float
    course: int
    age: int

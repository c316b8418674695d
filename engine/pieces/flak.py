"""Shells of flak that wait where they were aimed: what flies through them, or lies within them, is
fired at.

Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.events.event import (
    Audience,
    Event,
    GroupRef,
    Open,
    PieceRef,
    ShipRef,
    UnitRefs,
    require_value,
)
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.pieces.piece import Piece, PieceDrawing, Visibility
from engine.weapons.kinetics import FLAK_RADIUS


@dataclass(slots=True)
class Flak(Piece):
    """A barrage of one gun, for a turn: everybody sees where it was aimed, and by whom.

    `rating`: the class of the gun, a die each. `met`: the craft that it has fired at; `stopped`:
    the ordnance.
    Rules: Continuum "Flak ammunition" 5.16 [pc.k-guns]
    """

    kind: ClassVar[str] = "flak"
    word: ClassVar[str] = phrase("flak")
    order: ClassVar[int] = 4
    view_keys: ClassVar[tuple[str, ...]] = ("flak",)
    listed_empty: ClassVar[bool] = False
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY

    id: Open[str]
    side: Open[int]
    ship: ShipRef
    weapon: Open[str]
    x: Open[float]
    y: Open[float]
    rating: Open[int]
    met: UnitRefs = ()
    stopped: Open[tuple[str, ...]] = ()

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Flak:
        """The barrage `to_json` wrote. Raises TypeError for other keys."""
        tuples = {key: tuple(document[key]) for key in ("met", "stopped") if key in document}
        return cls(**{**document, **tuples})

    def is_over(self, turn: int) -> bool:
        """It is gone at the end of its turn."""
        return True

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """A circle as wide as it bursts, with who fired it."""
        return PieceDrawing(
            (document["x"], document["y"]),
            phrase("flak of {}", name_of(document["ship"])),
            radius=FLAK_RADIUS,
        )


@dataclass(frozen=True, slots=True)
class FlakLaid(Event):
    """A gun fired a barrage of flak at a point, `barrage` there; it fires no more this turn."""

    kind: ClassVar[str] = "flak-laid"
    text: ClassVar[str] = phrase("{ship} fires flak {at}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    barrage: PieceRef
    at: Open[tuple[float, float]]
    rating: Open[int]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        ship.write_fact("burst", 1, self.weapon)
        state.pieces.append(
            Flak(
                require_value(self.barrage),
                ship.commander,
                ship.id,
                self.weapon,
                *self.at,
                self.rating,
            )
        )

    def notice(self, listener: Any) -> None:
        barrage = require_value(self.barrage)
        listener.pieces[barrage] = barrage


@dataclass(frozen=True, slots=True)
class FlakAtCraft(Event):
    """A barrage went off at craft: its dice, and how many they take."""

    kind: ClassVar[str] = "flak-at-craft"
    text: ClassVar[str] = phrase("The flak of {ship} goes off at {group}: {hits:hit}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    barrage: PieceRef
    group: GroupRef
    dice: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        flak = state.piece(Flak, require_value(self.barrage))
        flak.met = (*flak.met, self.group)


@dataclass(frozen=True, slots=True)
class FlakAtOrdnance(Event):
    """A barrage went off at ordnance: its dice, and how much they take."""

    kind: ClassVar[str] = "flak-at-ordnance"
    text: ClassVar[str] = phrase("The flak of {ship} goes off at {marker}: {hits:hit}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    barrage: PieceRef
    marker: Open[str]
    dice: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        flak = state.piece(Flak, require_value(self.barrage))
        flak.stopped = (*flak.stopped, self.marker)
        state.piece(Marker, self.marker).killed += self.hits


def can_fire_at(flak: Flak, unit: Group | Marker) -> bool:
    """Whether a barrage has not gone off at a unit yet: it does so once."""
    return unit.id not in (flak.met if isinstance(unit, Group) else flak.stopped)

"""Flak barrages: shells that wait at a point and fire at craft and ordnance that come near.

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
    """A barrage of one gun for one turn; every side sees its place and which ship fired it.

    Attributes:
        rating: The class of the gun, one die each.
        engaged_craft: The craft that it has fired at.
        engaged_ordnance: The ordnance that it has fired at.

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
    engaged_craft: UnitRefs = ()
    engaged_ordnance: Open[tuple[str, ...]] = ()

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Flak:
        """Return the barrage that `to_json` wrote.

        Raises:
            TypeError: The document has other keys.
        """
        tuples = {}
        for key in ("engaged_craft", "engaged_ordnance"):
            if key in document:
                tuples[key] = tuple(document[key])
        return cls(**{**document, **tuples})

    def is_over(self, turn: int) -> bool:
        """Return True: it ends with its turn."""
        return True

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """Return a circle of its radius with the ship that fired it."""
        return PieceDrawing(
            (document["x"], document["y"]),
            phrase("flak of {}", name_of(document["ship"])),
            radius=FLAK_RADIUS,
        )


@dataclass(frozen=True, slots=True)
class FlakLaid(Event):
    """A gun fired a barrage of flak at a point; it fires no more this turn."""

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
        ship.write_fact("flak-guns", 1, self.weapon)
        state.pieces.append(
            Flak(
                require_value(self.barrage),
                side=ship.commander,
                ship=ship.id,
                weapon=self.weapon,
                x=self.at[0],
                y=self.at[1],
                rating=self.rating,
            )
        )

    def notice(self, listener: Any) -> None:
        barrage = require_value(self.barrage)
        listener.pieces[barrage] = barrage


@dataclass(frozen=True, slots=True)
class FlakAtCraft(Event):
    """A barrage fired at craft: its dice, and how many they destroy."""

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
        flak.engaged_craft = (*flak.engaged_craft, self.group)


@dataclass(frozen=True, slots=True)
class FlakAtOrdnance(Event):
    """A barrage fired at ordnance: its dice, and how much they destroy."""

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
        flak.engaged_ordnance = (*flak.engaged_ordnance, self.marker)
        state.piece(Marker, self.marker).destroyed += self.hits


def can_fire_at(flak: Flak, unit: Group | Marker) -> bool:
    """Return whether a barrage has not fired at this unit yet."""
    if isinstance(unit, Group):
        return unit.id not in flak.engaged_craft
    return unit.id not in flak.engaged_ordnance

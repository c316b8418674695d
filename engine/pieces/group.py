"""Groups of craft in flight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from engine.events.event import GroupRef, Open, Own
from engine.pieces.piece import Piece, Point, Seen

if TYPE_CHECKING:
    from engine.core.ship import ShipState
    from engine.core.state import BattleState


@dataclass(slots=True)
class Group(Piece):
    """Fighters in flight, named by the ship and the bay they came from (`n1/fighter-bay-1`).

    `contact`: what other sides call it. `craft`: fighters left, whose models everybody can count; its home stays
    unknown. `course`: which way they face. `moved`, `fired`: done this turn; `launched`: the turn it was launched in.
    `dogfight`: the hostile group it closed with, by id; both are in a dogfight until one is gone or breaks off.
    Rules: 2E "Fighters" [2e.fighters]; 2E "Fighter-to-fighter combat" [2e.dogfights]
    """

    kind: ClassVar[str] = "group"
    view_keys: ClassVar[tuple[str, ...]] = ("groups", "flyers")
    seen: ClassVar[Seen] = Seen.BY_EVERYBODY
    commanded: ClassVar[bool] = True
    flies_along: ClassVar[bool] = True

    id: GroupRef
    side: Open[int]
    contact: Open[str]
    ship: Own[str]
    bay: Own[str]
    craft: Open[int]
    x: Open[float]
    y: Open[float]
    course: Open[int]
    moved: Own[bool] = False
    fired: Own[bool] = False
    launched: Own[int] = 0
    dogfight: GroupRef = ""

    @classmethod
    def launch(
        cls, state: BattleState, ship: ShipState, bay: str, contact: str, at: Point, course: int, turn: int
    ) -> None:
        """Make a group of the craft in a ship's bay. Rules: 2E "Fighters" [2e.fighters]"""
        index = ship.rig.index_of[bay]
        name, craft = f"{ship.id}/{bay}", ship.stock[index]
        state.pieces.append(cls(name, ship.side, contact, ship.id, bay, craft, *at, course, launched=turn))
        ship.stock[index] = 0
        state.flown = int(contact.removeprefix("flight-"))

    def come_aboard(self, state: BattleState, ship: ShipState, craft: int) -> None:
        """Craft of it come aboard a ship, into the bay they came from first."""
        ship.take_aboard(craft, self.bay if ship.id == self.ship else "")
        self.lose(state, craft)

    def lose(self, state: BattleState, craft: int) -> None:
        """Fewer craft in flight, lost or come aboard; a group without any is off the table, and so is its dogfight."""
        self.craft -= craft
        if self.craft <= 0:
            state.take_off(self)
            self.let_go(state)

    def let_go(self, state: BattleState) -> None:
        """It is in contact with nobody any more. Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]"""
        self.dogfight = ""
        for other in state.of(Group):
            if other.dogfight == self.id:
                other.dogfight = ""

    def end_turn(self) -> None:
        """It may move and fire again. Rules: 2E "Sequence of play" [2e.sequence]"""
        self.moved = self.fired = False

    def shown(self, side: int) -> dict[str, Any]:
        """The document of a group: a foreign one's has no home, and nothing of what it has done this turn."""
        if self.side == side:
            return Piece.shown(self, side)
        return {
            "id": self.id,
            "side": self.side,
            "at": [self.x, self.y],
            "course": self.course,
            "craft": self.craft,
            "dogfight": self.dogfight,
        }

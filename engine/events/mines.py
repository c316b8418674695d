"""Mines: laying, sweeping, what sets them off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.state import BattleState
from engine.events.event import Audience, Event, Listener, LogOrder, Open, PieceRef, ShipRef
from engine.pieces.mine import Mine
from engine.systems.outfit import MISSED, SWEPT


@dataclass(frozen=True, slots=True)
class MineLaid(Event):
    """A ship laid a mine at a point of its path, from the minelayer `fit`; its own side alone knows."""

    kind: ClassVar[str] = "mine-laid"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    fit: Open[str]
    mine: PieceRef
    at: Open[tuple[float, float]]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        ship.stock[ship.rig.index_of[self.fit]] -= 1
        state.pieces.append(Mine(self.mine, ship.side, self.at[0], self.at[1], self.turn, 1 << ship.side))
        state.laid += 1

    def notice(self, listener: Listener) -> None:
        listener.pieces[self.mine] = self.mine


@dataclass(frozen=True, slots=True)
class Sweeping(Event):
    """A ship's minesweepers are active this turn; its offensive weapons are not."""

    kind: ClassVar[str] = "sweeping"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).sweeping = True


@dataclass(frozen=True, slots=True)
class MineSwept(Event):
    """A minesweeper's die for a mine at `at`. `outcome`: detonates, missed (it lies there still, known to all), swept.

    The detonation, where there is one, follows. Only its layer's side knows which `mine` it was.
    """

    kind: ClassVar[str] = "mine-swept"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    mine: PieceRef
    at: Open[tuple[float, float]]
    die: Open[int]
    outcome: Open[str]

    def apply(self, state: BattleState) -> None:
        if self.outcome == SWEPT:
            state.remove((self.mine,))
        elif self.outcome == MISSED:
            state.piece(Mine, self.mine).known = (1 << len(state.sides)) - 1


@dataclass(frozen=True, slots=True)
class MineDetonated(Event):
    """The mine at `at` went off at a ship (`near`) and is gone. Only its layer's side knows which `mine` it was."""

    kind: ClassVar[str] = "mine-detonated"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    mine: PieceRef
    at: Open[tuple[float, float]]
    near: ShipRef

    def apply(self, state: BattleState) -> None:
        state.remove((self.mine,))


@dataclass(frozen=True, slots=True)
class MineFired(Event):
    """The dice of a mine at a ship, the screens they met and the damage points they make."""

    kind: ClassVar[str] = "mine-fired"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    screens: Open[int]
    dice: Open[tuple[int, ...]]
    hits: Open[int]


@dataclass(frozen=True, slots=True)
class MineBurnt(Event):
    """A mine that a template swept is gone without going off; the side of the ship that laid it alone hears of it."""

    kind: ClassVar[str] = "mine-burnt"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    mine: PieceRef

    def apply(self, state: BattleState) -> None:
        state.remove((self.mine,))

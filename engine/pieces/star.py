"""A star whose flares may destroy the FireCons and fine sensors of ships.

Rules: Continuum "Solar flares" 17.3 [pc.flares]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.continuum.defences import protection_of
from engine.core.geometry import Point
from engine.core.kinds import FIGHTING
from engine.core.phrase import phrase
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import FLARES
from engine.events.event import Audience, Event, LogOrder, Open, ShipRef
from engine.pieces.piece import Piece, PieceDrawing, Visibility

FLARE = "flare"  # purpose of the dice
SAFE_ON = 4
FLARES_ON = 6
VULNERABLE_SYSTEMS = ("firecon", "advanced-firecon", "enhanced-sensors", "superior-sensors")


@dataclass(slots=True)
class Star(Piece):
    """The distant star of the system.

    Attributes:
        turns: The turns in which it is known to flare.

    Rules: Continuum "Solar flares" 17.3 [pc.flares]
    """

    kind: ClassVar[str] = "star"
    word: ClassVar[str] = phrase("star")
    order: ClassVar[int] = 7
    view_keys: ClassVar[tuple[str, ...]] = ("stars",)
    listed_empty: ClassVar[bool] = False
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    in_table_order: ClassVar[bool] = True

    id: Open[str]
    x: Open[float]
    y: Open[float]
    turns: Open[tuple[int, ...]] = ()

    def __post_init__(self) -> None:
        self.turns = tuple(self.turns)

    @classmethod
    def after_moves(cls, table: Table) -> None:
        """Flare in its known turns, or with the option on a 6.

        Each FireCon and fine sensor of a ship then rolls a die.

        Rules: Continuum "Solar flares" 17.3 [pc.flares]
        """
        star = table.state.pieces_of(cls)[0]
        flares = table.turn in star.turns
        if not flares and FLARES in table.state.terms.options:
            flares = table.dice.roll(FLARE, "star") >= FLARES_ON
        if not flares:
            return
        table.tell(StarFlared)
        for ship in table.state.ships:
            if ship.status == FIGHTING and ship.docking != BERTHED:
                _burn(table, ship)

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """Return a small mark with the turns of its flares."""
        turns = ", ".join(map(str, document["turns"]))
        return PieceDrawing(
            (document["x"], document["y"]),
            phrase("star, flares in turns {}", turns) if turns else phrase("star"),
        )

    def is_off_table(self, table: Point) -> bool:
        """Return False."""
        return False


def _burn(table: Table, ship: ShipState) -> None:
    """Roll the effect of a flare on a ship.

    Rules: Continuum "Solar flares" 17.3 [pc.flares]
    """
    screens = protection_of(table.state, ship).screens
    fits = ship.sheet.fits
    indexes: list[int] = []
    for type_ in VULNERABLE_SYSTEMS:
        indexes += ship.profile.indexes_by_type.get(type_, ())
    systems = [fits[index].id for index in sorted(indexes) if ship.alive[index]]
    rolls = tuple((system, table.dice.roll(FLARE, f"{ship.id}/{system}")) for system in systems)
    lost_systems = tuple(system for system, die in rolls if die + screens < SAFE_ON)
    if rolls:
        ship.lose_systems(lost_systems)
        table.tell(FlareDamage, ship=ship.id, screens=screens, rolls=rolls, lost=lost_systems)


@dataclass(frozen=True, slots=True)
class StarFlared(Event):
    """The star flared."""

    kind: ClassVar[str] = "flared"
    text: ClassVar[str] = phrase("A solar flare sweeps the table")
    audience: ClassVar[Audience] = Audience.EVERYBODY


@dataclass(frozen=True, slots=True)
class FlareDamage(Event):
    """A flare hit a ship: its levels of screens, the die of each system, and the systems lost."""

    kind: ClassVar[str] = "flare-damage"
    text: ClassVar[str] = phrase("{ship} is caught in the flare")
    plural_text: ClassVar[str] = phrase("{ship} are caught in the flare")
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    screens: Open[int]
    rolls: Open[tuple[tuple[str, int], ...]]
    lost: Open[tuple[str, ...]]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).lose_systems(self.lost)

"""What scans showed of a ship whose record sheet is closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.state import BattleState
from engine.events.event import Audience, Event, Listener, Open, ShipRef


@dataclass(frozen=True, slots=True)
class SheetScanned(Event):
    """A ship's better sensors (`suite`) scanned a foreign ship.

    Only the scanning side and the side of the target hear of it. Fields that the scan does not show
    are 0 or empty.

    Attributes:
        die: The die of the scan.
        jamming: The dice of jammers.
        detail: The level of detail (`ScanDetail`).
        systems: All systems the target was built with, or only its screens.
        damage: Its present damage.
        lost: Its systems lost.
        armour: Boxes left in each layer, the innermost first.
        side: The number of the scanning side.
    """

    kind: ClassVar[str] = "sheet-scanned"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    target: ShipRef
    suite: Open[str]
    die: Open[int]
    jamming: Open[tuple[int, ...]]
    detail: Open[int]
    mass: Open[int]
    thrust: Open[int]
    drive: Open[str]
    systems: Open[tuple[str, ...]]
    damage: Open[int]
    lost: Open[tuple[str, ...]]
    armour: Open[tuple[tuple[int, int], ...]]
    side: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).write_fact("scanning-suites", 1, self.suite)
        target = state.ship(self.target)
        target.record = target.record.with_scan(
            self.side,
            detail=self.detail,
            damage=self.damage,
            lost_systems=self.lost,
            armour=self.armour,
        )

    def line_for(self, listener: Listener) -> dict[str, Any] | None:
        """Return its line for the two sides concerned."""
        if self.ship in listener.mine or self.target in listener.mine:
            return self.to_json()
        return None


@dataclass(frozen=True, slots=True)
class StoresScanned(Event):
    """The superior sensors of a ship showed what is left of the stores of a foreign ship.

    Only the scanning side and the side of the target hear of it.

    Attributes:
        stock: What is left in each bay, magazine and other store, by its name.
        side: The number of the scanning side.
    """

    kind: ClassVar[str] = "stores-scanned"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    target: ShipRef
    stock: Open[tuple[tuple[str, int], ...]]
    side: Open[int]

    def apply(self, state: BattleState) -> None:
        target = state.ship(self.target)
        target.record = target.record.with_scanned_stock(self.side, self.stock)

    def line_for(self, listener: Listener) -> dict[str, Any] | None:
        """Return its line for the two sides concerned."""
        if self.ship in listener.mine or self.target in listener.mine:
            return self.to_json()
        return None

"""What a scan has told of a ship whose record sheet lies closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.state import BattleState
from engine.events.event import Audience, Event, Listener, Open, ShipRef


@dataclass(frozen=True, slots=True)
class SheetScanned(Event):
    """A ship's better sensors (`suite`) have scanned a foe's: the die, those of jammers, what it
    tells (`Reading`).

    What it does not tell is 0 or empty. `systems`: all that the target was built with, or its
    screens alone. `damage`, `lost`, `armour` (boxes left of each layer, the innermost first): how
    it is now. `side`: the scanning side's number. Told to the side that scans and to the one that
    must answer, to nobody else.
    """

    kind: ClassVar[str] = "sheet-read"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    target: ShipRef
    suite: Open[str]
    die: Open[int]
    jamming: Open[tuple[int, ...]]
    told: Open[int]
    mass: Open[int]
    thrust: Open[int]
    drive: Open[str]
    systems: Open[tuple[str, ...]]
    damage: Open[int]
    lost: Open[tuple[str, ...]]
    armour: Open[tuple[tuple[int, int], ...]]
    side: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).write_fact("reading", 1, self.suite)
        target = state.ship(self.target)
        target.record = target.record.with_scan(
            self.side, self.told, self.damage, self.lost, self.armour
        )

    def line_for(self, listener: Listener) -> dict[str, Any] | None:
        """The line for the two sides concerned."""
        return (
            self.to_json() if self.ship in listener.mine or self.target in listener.mine else None
        )

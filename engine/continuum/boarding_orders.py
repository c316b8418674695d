"""The plot's word for boarding by moving alongside.

`board e1 2 1` sends two marines and one party at the end of the move.

Rules: Continuum "Boarding enemy ships" 12.7 [pc.boarding]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.continuum.aiming import FIRED_AT
from engine.continuum.boarding import is_boarding_allowed, send_aboard
from engine.core.kinds import FIGHTING
from engine.core.orders import FurtherOrder, Plot
from engine.core.phrase import counted_noun, phrase
from engine.core.reason import reason
from engine.core.ship import FREE, ShipState
from engine.core.slots import Number, OneOf, Slot, WordDescription
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.movement import DockingMissed
from engine.movement.docking import alongside_fault, docking_rules
from engine.notation.orders import read_whole_number
from engine.systems.outfit import marines_of, parties_of

MAX_BOARDERS = 999  # the most of either kind in one order


@dataclass(frozen=True, slots=True)
class BoardAlongside(FurtherOrder):
    """An order to board a ship if the move ends alongside it.

    Alongside is within 3 MU, at the same course and velocity.

    Rules: Continuum "Boarding enemy ships" 12.7 [pc.boarding]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Move alongside and board"),
            phrase("if the move ends within 3 MU of the ship, on its course and at its velocity"),
        )

    target: str
    marines: int
    parties: int

    @staticmethod
    def word() -> str:
        return "board"

    @staticmethod
    def parse(words: list[str]) -> BoardAlongside:
        if not 2 <= len(words) <= 3:
            raise ValueError(
                reason(
                    "ship-marines-board-where",
                    "expected a ship, the number of marines that board it and, if any, the "
                    "number of parties",
                )
            )
        marines, parties = (
            read_whole_number(
                [word],
                least=0,
                most=MAX_BOARDERS,
                expected=reason("number-of-boarders", "a number of them"),
            )
            for word in [*words[1:], "0"][:2]
        )
        return BoardAlongside(words[0], marines, parties)

    @staticmethod
    def slots(state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        targets = tuple(
            other.id
            for other in state.ships
            if other is not ship and other.status in FIRED_AT and not other.bogey
        )
        return (
            OneOf("Ship", targets if is_boarding_allowed(state) else ()),
            Number("Marines", least=0, most=len(marines_of(ship))),
            Number("Parties", least=0, most=parties_of(ship)),
        )

    def arguments(self) -> tuple[str, ...]:
        return (self.target, str(self.marines), *((str(self.parties),) if self.parties else ()))

    def unit_names(self) -> tuple[str, ...]:
        return (self.target,)

    def with_ids(self, ids: Mapping[str, str]) -> BoardAlongside:
        return BoardAlongside(ids.get(self.target, self.target), self.marines, self.parties)

    def fault(self, state: BattleState, ship: ShipState, plot: Plot) -> str:
        if not is_boarding_allowed(state):
            return reason("boarding-not-agreed", "boarding is not allowed in this battle")
        if (
            ship.status != FIGHTING
            or ship.docking != FREE
            or ship.warm
            or plot.ftl
            or ship.record.cloaked > state.turn
        ):
            return reason(
                "only-ship-moves-freely",
                "only a ship that moves freely and is not hidden can send boarders",
            )
        target = next((other for other in state.ships if other.id == self.target), None)
        if target is None or target is ship or target.status not in FIRED_AT or target.bogey:
            return reason(
                "only-identified-ship-table", "only an identified ship on the table can be boarded"
            )
        if not self.marines and not self.parties:
            return reason("marine-party-least-goes", "send at least one marine or party")
        marines = len(marines_of(ship))
        parties = parties_of(ship)
        if self.marines > marines or self.parties > parties:
            return reason(
                "boarders-left",
                "it has {} and {} to send",
                counted_noun(marines, "marine"),
                counted_noun(parties, "party"),
            )
        return ""

    def after_moves(self, table: Table, ship: ShipState) -> None:
        """Send the surviving boarders over, or report to their side why it failed."""
        target = table.state.ship_by_name(self.target)
        fault = alongside_fault(ship, target, docking_rules(table.state).reach, FIRED_AT)
        if ship.status != FIGHTING:
            return
        if fault or ship.warm:
            table.tell(
                DockingMissed,
                ship=ship.id,
                near=target.id,
                reason=fault or reason("about-to-jump", "it is about to jump"),
            )
            return
        marines = min(self.marines, len(marines_of(ship)))
        parties = min(self.parties, parties_of(ship))
        if marines or parties:
            send_aboard(table, sender=ship, ship=target, marines=marines, parties=parties)

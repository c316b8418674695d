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
        marines = _read_boarder_count(words[1])
        parties = _read_boarder_count(words[2]) if len(words) == 3 else 0
        return BoardAlongside(words[0], marines, parties)

    @staticmethod
    def slots(state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        targets: list[str] = []
        if is_boarding_allowed(state):
            targets = [other.id for other in state.ships if _can_be_boarded(ship, other)]
        return (
            OneOf("Ship", tuple(targets)),
            Number("Marines", least=0, most=len(marines_of(ship))),
            Number("Parties", least=0, most=parties_of(ship)),
        )

    def arguments(self) -> tuple[str, ...]:
        if self.parties:
            return (self.target, str(self.marines), str(self.parties))
        return (self.target, str(self.marines))

    def unit_names(self) -> tuple[str, ...]:
        return (self.target,)

    def with_ids(self, ids: Mapping[str, str]) -> BoardAlongside:
        return BoardAlongside(ids.get(self.target, self.target), self.marines, self.parties)

    def fault(self, state: BattleState, ship: ShipState, plot: Plot) -> str:
        if not is_boarding_allowed(state):
            return reason("boarding-not-agreed", "boarding is not allowed in this battle")
        if not _can_send_boarders(state, ship, plot):
            return reason(
                "only-ship-moves-freely",
                "only a ship that moves freely and is not hidden can send boarders",
            )
        target = next((other for other in state.ships if other.id == self.target), None)
        if target is None or not _can_be_boarded(ship, target):
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


def _read_boarder_count(word: str) -> int:
    """Read a number of marines or parties.

    Raises:
        ValueError: The word is no such number.
    """
    return read_whole_number(
        [word],
        least=0,
        most=MAX_BOARDERS,
        expected=reason("number-of-boarders", "a number of them"),
    )


def _can_send_boarders(state: BattleState, ship: ShipState, plot: Plot) -> bool:
    """Return whether a ship moves freely, does not jump and is not cloaked."""
    if ship.status != FIGHTING or ship.docking != FREE:
        return False
    return not ship.warm and not plot.ftl and ship.record.cloaked <= state.turn


def _can_be_boarded(ship: ShipState, target: ShipState) -> bool:
    """Return whether a ship may send boarders to another: an identified one with a crew."""
    return target is not ship and target.status in FIRED_AT and not target.bogey

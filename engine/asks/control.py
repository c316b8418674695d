"""Damage control: what each ship's parties repair, and what becomes of a power core out of control
(`{"control": {"n1": {"repairs": [{"system": "firecon-1", "parties": 2}], "dump": true}}}`).

Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engine.asks.ask import UnitAsk
from engine.continuum.damage_control import calls_for_control, control_violations
from engine.core.errors import Violation
from engine.core.orders import Control
from engine.core.ship import ShipState
from engine.core.state import CONTROL, BattleState
from engine.notation.control import read_control
from engine.notation.fire import Names
from engine.notation.reading import Reader
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView


class ControlAsk(UnitAsk[Control]):
    """Damage control by ship. It asks the sides for whose ships the turn stops, which everybody can tell."""

    key = CONTROL
    title = "damage control"
    task = "Assign your damage control parties"

    @override
    def callers(self, state: BattleState) -> Sequence[ShipState | Group]:
        return list(calls_for_control(state))

    @override
    def read(
        self, reader: Reader, document: Mapping[object, object], where: str, names: Names, sides: Sequence[str]
    ) -> dict[str, Control]:
        return read_control(reader, document.get(self.key, {}), f"{where}{self.key}", names.ships)

    @override
    def judge(self, state: BattleState, orders: dict[str, Control], where: str, *, sound: bool) -> list[Violation]:
        found: list[Violation] = []
        for name, control in orders.items():
            found += control_violations(state, state.ship(name), control, f"{where}{self.key}.{name}")
        return found

    @override
    def entry(self, one: Control) -> Any:
        return one.to_json()

    @override
    def advice(self, captain: Captain, view: SideView) -> dict[str, Control]:
        return captain.control(view)


CONTROLS = ControlAsk()

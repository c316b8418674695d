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
from engine.core.errors import Violation, place
from engine.core.orders import Control, Repair
from engine.core.ship import ShipState
from engine.core.state import CONTROL, BattleState
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

CONTROL_KEYS = ("repairs", "dump", "abandon")
REPAIR_KEYS = ("system", "parties")


def read_control(reader: Reader, data: object, where: str, ships: Mapping[str, Any]) -> dict[str, Control]:
    """Damage control by ship (`ships`: those that take orders); every fault goes to the reader."""
    if not isinstance(data, Mapping):
        reader.fault(where, "not-a-mapping", 'damage control is {"repairs": [{system, parties}]} by ship')
        return {}
    orders: dict[str, Control] = {}
    for name, item in data.items():
        spot = f"{where}.{name}"
        if name not in ships:
            reader.fault(spot, "unknown-ship", f"no ship has the id '{name}'")
        elif not isinstance(item, Mapping):
            reader.fault(spot, "not-a-mapping", "a ship's damage control has repairs, and may say dump or abandon")
        else:
            reader.keys(item, CONTROL_KEYS, spot)
            repairs = _repairs(reader, item, spot)
            orders[name] = Control(repairs, reader.flag(item, "dump", spot), reader.flag(item, "abandon", spot))
    return orders


def _repairs(reader: Reader, item: Mapping[object, object], where: str) -> tuple[Repair, ...]:
    found = []
    for number, job in enumerate(reader.items(item, "repairs", where, default=())):
        spot = f"{where}.{place('repairs', number)}"
        if not isinstance(job, Mapping):
            reader.fault(spot, "not-a-mapping", "a repair is {system, parties}")
            continue
        reader.keys(job, REPAIR_KEYS, spot)
        found.append(Repair(reader.text(job, "system", spot), reader.number(job, "parties", spot)))
    return tuple(found)


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
        self, reader: Reader, document: Mapping[object, object], where: str, names: FireNames, sides: Sequence[str]
    ) -> dict[str, Control]:
        return read_control(reader, document.get(self.key, {}), f"{where}{self.key}", names.ships)

    @override
    def judge(self, state: BattleState, orders: dict[str, Control], where: str, *, sound: bool) -> list[Violation]:
        found: list[Violation] = []
        for name, control in orders.items():
            found += control_violations(state, state.named(name), control, f"{where}{self.key}.{name}")
        return found

    @override
    def entry(self, one: Control) -> Any:
        return one.to_json()

    @override
    def advice(self, captain: Captain, view: SideView) -> dict[str, Control]:
        return captain.control(view)


CONTROLS = ControlAsk()

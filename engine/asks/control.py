"""Damage control: what each ship's parties repair, and what becomes of a power core out of control
(`{"control": {"n1": {"repairs": [{"system": "firecon-1", "parties": 2}], "dump": true}}}`); of a boarded ship who
repels boarders (`"repel": [[3, "hull"]], "marines": {"marines": 2, "hull": 0}`), and beside it, by the boarded ship,
what a side's boarders do (`{"board": {"e1": {"at_marines": 2}}}`).

Rules: Continuum "Damage control parties" 10.4 [pc.damage-control]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engine.asks.ask import UnitAsk
from engine.continuum.boarding import boarded
from engine.continuum.damage_control import boarded_of, boarders_of, calls_for_control, control_violations
from engine.core.errors import Violation, place
from engine.core.orders import AT_HULL, AT_MARINES, Control, OrdersDocument, Repair
from engine.core.ship import ShipState
from engine.core.state import CONTROL, BattleState
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

CONTROL_KEYS = ("repairs", "dump", "abandon", "repel", "marines")
BOARD_KEYS = ("at_marines",)
BOARD = "board"
REPAIR_KEYS = ("system", "parties")


def read_control(reader: Reader, data: object, where: str, ships: Mapping[str, Any]) -> dict[str, Control]:
    """Damage control by ship (`ships`: those that take orders); every fault goes to the reader."""
    entries = _by_ship(
        reader, data, where, ships, CONTROL_KEYS,
        whole='damage control is {"repairs": [{system, parties}]} by ship',
        unknown="no ship has the id",
        each="a ship's damage control has repairs, and may say dump or abandon",
    )  # fmt: skip
    return {
        name: Control(
            _repairs(reader, item, spot),
            reader.flag(item, "dump", spot),
            reader.flag(item, "abandon", spot),
            _repel(reader, item, spot),
            _marines(reader, item, spot),
        )
        for name, item, spot in entries
    }


def read_boards(reader: Reader, data: object, where: str, ships: Mapping[str, str], side: str) -> dict[str, Control]:
    """What boarders do, by the ship they are aboard (`ships`: those that may be named); faults go to the reader.

    `side`: whose boarders, "": whoever is aboard.
    """
    entries = _by_ship(
        reader, data, where, ships, BOARD_KEYS,
        whole='boarders are told {"at_marines": a number} by the ship they are aboard',
        unknown="no ship is called",
        each="boarders are told how many of them are at_marines",
    )  # fmt: skip
    orders: dict[str, Control] = {}
    for name, item, spot in entries:
        many = reader.number(item, "at_marines", spot, default=0)
        if many < 0:
            reader.fault(f"{spot}.at_marines", "boarders", "a number of 0 or more is needed here")
        orders[boarders_of(side, ships[name])] = Control(at_marines=many)
    return orders


def _by_ship(
    reader: Reader, data: object, where: str, ships: Mapping[str, Any], keys: Sequence[str],
    *, whole: str, unknown: str, each: str,
) -> Iterator[tuple[str, Mapping[object, object], str]]:  # fmt: skip
    """The entries that have the shape of orders by ship, each with its ship and its place; of others the fault is told.

    `whole`, `unknown`, `each`: what is said where there are no such orders at all, no such ship, or none for it.
    """
    if not isinstance(data, Mapping):
        reader.fault(where, "not-a-mapping", whole)
        return
    for name, item in data.items():
        spot = f"{where}.{name}"
        if name not in ships:
            reader.fault(spot, "unknown-ship", f"{unknown} '{name}'")
        elif not isinstance(item, Mapping):
            reader.fault(spot, "not-a-mapping", each)
        else:
            reader.keys(item, keys, spot)
            yield name, item, spot


def _repel(reader: Reader, item: Mapping[object, object], where: str) -> tuple[tuple[int, str], ...]:
    found: list[tuple[int, str]] = []
    for number, pair in enumerate(reader.items(item, "repel", where, default=())):
        if (
            isinstance(pair, (list, tuple))
            and len(pair) == 2
            and isinstance(pair[0], int)
            and not isinstance(pair[0], bool)
            and isinstance(pair[1], str)
        ):
            found.append((pair[0], pair[1]))
        else:
            spot = f"{where}.{place('repel', number)}"
            reader.fault(spot, "not-a-pair", 'parties and what the boarder does are needed here, such as [3, "hull"]')
    return tuple(found)


def _marines(reader: Reader, item: Mapping[object, object], where: str) -> tuple[int, int] | None:
    given = item.get("marines")
    if given is None:
        return None
    spot = f"{where}.marines"
    if not isinstance(given, Mapping):
        reader.fault(spot, "not-a-mapping", "how many of its marines fire at marines, and how many at hull")
        return None
    reader.keys(given, (AT_MARINES, AT_HULL), spot)
    sent = [reader.number(given, key, spot, default=0) for key in (AT_MARINES, AT_HULL)]
    if min(sent) < 0:
        reader.fault(spot, "marines", "numbers of 0 or more are needed here")
    return sent[0], sent[1]


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
        return self._read(reader, document, where, names, "")

    @override
    def read_side(
        self, reader: Reader, document: Mapping[object, object], where: str, names: FireNames, side: int, count: int
    ) -> dict[str, Control]:
        return self._read(reader, document, where, names, str(side))

    def _read(
        self, reader: Reader, document: Mapping[object, object], where: str, names: FireNames, side: str
    ) -> dict[str, Control]:
        orders = read_control(reader, document.get(self.key, {}), f"{where}{self.key}", names.ships)
        if document.get(BOARD) is not None:
            orders |= read_boards(reader, document[BOARD], f"{where}{BOARD}", names.targets, side)
        return orders

    @override
    def judge(self, state: BattleState, orders: dict[str, Control], where: str, *, sound: bool) -> list[Violation]:
        found: list[Violation] = []
        for name, control in orders.items():
            side, ship = boarded_of(name)
            if ship:
                if not any(ship == one.id and int(side) in one.billeted() for one in boarded(state)):
                    spot = f"{where}{BOARD}.{state.called_by(int(side)).get(ship, ship)}"
                    found.append(Violation(spot, "nobody-aboard", "nobody of this side is aboard that ship to fight"))
                continue
            found += control_violations(state, state.named(name), control, f"{where}{self.key}.{name}")
        return found

    @property
    @override
    def keys(self) -> tuple[str, ...]:
        return (self.key, BOARD)

    @override
    def entry(self, one: Control) -> Any:
        return {"at_marines": one.at_marines} if one.at_marines else one.to_json()

    @override
    def write(self, orders: dict[str, Control], side: int) -> OrdersDocument:
        found = super().write({name: one for name, one in orders.items() if not boarded_of(name)[1]}, side)
        boards = {ship: {"at_marines": one.at_marines} for name, one in orders.items() if (ship := boarded_of(name)[1])}
        return {**found, "board": boards} if boards else found

    @override
    def of_allies(self, documents: Sequence[Mapping[str, Any]]) -> OrdersDocument:
        """Allies have boarders aboard together: who orders last says what they do."""
        found = super().of_allies(documents)
        boards = {name: one for document in documents for name, one in document.get(BOARD, {}).items()}
        return {**found, "board": boards} if boards else found

    @override
    def by_id(self, orders: dict[str, Control], ids: Mapping[str, str]) -> dict[str, Control]:
        if not ids:
            return orders
        found: dict[str, Control] = {}
        for name, one in orders.items():
            side, ship = boarded_of(name)
            found[boarders_of(side, ids.get(ship, ship)) if ship else ids.get(name, name)] = one
        return found

    @override
    def advice(self, captain: Captain, view: SideView) -> dict[str, Control]:
        return captain.control(view)


CONTROLS = ControlAsk()

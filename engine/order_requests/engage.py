"""The fire of ships and groups in firing order, and whether the side pursues.

An entry looks like `{"engage": [["n1", [{"weapon": "battery-1", "target": "3f2a"}]]], "pursue":
true}`.

Rules: 2E "Sequence of play" [2e.sequence]; 2E "The moving table and disengaging from battle"
[2e.moving-table]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engine.core.errors import Violation
from engine.core.orders import FireOrders, OrdersDocument
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import ENGAGE, BattleState
from engine.core.terms import MOVING_TABLE
from engine.notation.fire import CRAFT, FireNames, armament_names, read_fires
from engine.notation.reading import Reader
from engine.order_requests.base import OrderRequest
from engine.order_requests.fire_turns import due_fire, find_turn_faults
from engine.order_requests.out_of_reach import nobody_can_fire
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

PURSUE = "pursue"


@dataclass(frozen=True, slots=True)
class FireAndPursuit:
    """The fire of each side by its number, in firing order, and the sides that pursue."""

    fire: dict[int, FireOrders] = field(default_factory=dict)
    pursue: tuple[int, ...] = ()


class FireRequest(OrderRequest[FireAndPursuit]):
    """Fire and pursuit by side."""

    key = ENGAGE
    title = "fire"
    task = phrase("Choose targets for your weapons")

    @property
    @override
    def keys(self) -> tuple[str, ...]:
        """The entries `engage` and `pursue`."""
        return (self.key, PURSUE)

    @override
    def units_asked(self, state: BattleState) -> Sequence[ShipState | Group]:
        """Return all units; ship by ship only those of the side whose turn it is.

        First, those are the groups of all sides.
        """
        units = super().units_asked(state)
        stage = state.firing
        if stage is None:
            return units
        if stage.side is None:
            return [unit for unit in units if isinstance(unit, Group)]
        return [unit for unit in units if unit.commander == stage.side]

    @override
    def is_idle(self, state: BattleState, /) -> bool:
        """Return whether all sides know that no unit has anything in reach."""
        return nobody_can_fire(state)

    @override
    def no_orders(self) -> FireAndPursuit:
        """Return orders without fire and without pursuit."""
        return FireAndPursuit()

    @override
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> FireAndPursuit:
        """Parse `engage` and `pursue` of a turn of a battle file.

        `engage` is listed by ship or group, each for the side that commands it. `pursue` lists the
        names of the sides that pursue.
        """
        fire: dict[int, FireOrders] = {side: [] for side in range(len(sides))}
        for shooter, fires in _fire(
            reader, document.get(self.key, {}), f"{where}{self.key}", names
        ):
            fire[(names.ships.get(shooter) or names.groups[shooter]).commander].append(
                (shooter, fires)
            )
        pursuers = reader.items(document, PURSUE, where.removesuffix("."), default=())
        for name in pursuers:
            if name not in sides:
                reader.fault(
                    f"{where}{PURSUE}",
                    "unknown-side",
                    reason("no-side-called", "no side is called '{}'", name),
                )
        return FireAndPursuit(
            fire, tuple(number for number, name in enumerate(sides) if name in pursuers)
        )

    @override
    def parse_side(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        side: int,
        count: int,
    ) -> FireAndPursuit:
        """Parse a side's document: `engage` in its firing order; `pursue` is true or false."""
        fire = _fire(reader, document.get(self.key, {}), f"{where}{self.key}", names)
        pursues = reader.flag(document, PURSUE, where.removesuffix("."))
        return FireAndPursuit({side: fire}, (side,) if pursues else ())

    @override
    def find_violations(
        self, state: BattleState, orders: FireAndPursuit, where: str, *, sound: bool
    ) -> list[Violation]:
        """Return faults only ship by ship: fire is checked when its turn comes."""
        if state.firing is None:
            return []  # what bears when a unit's turn comes may not bear now
        return find_turn_faults(state, state.firing, orders.fire, f"{where}{self.key}")

    @override
    def to_document(self, orders: FireAndPursuit, side: int) -> OrdersDocument:
        """Return `engage` as [shooter, fire] in firing order, and `pursue` if the side pursues."""
        rows = _fire_document(orders.fire.get(side, []))
        if side in orders.pursue:
            return {"engage": rows, "pursue": True}
        return {"engage": rows}

    @override
    def merge_allies(self, documents: Sequence[Mapping[str, Any]]) -> OrdersDocument:
        """Interleave the firing orders of allies; pursue if all of them do."""
        entries = [document[self.key] for document in documents]
        rows = entries[0] if len(entries) == 1 else _interleave(entries)
        if all(document.get(PURSUE) for document in documents):
            return {"engage": rows, "pursue": True}
        return {"engage": rows}

    @override
    def to_log(self, orders: FireAndPursuit, sides: Sequence[str]) -> dict[str, Any]:
        """Return by side the list of [shooter, fire] in firing order, without pursuit."""
        result: dict[str, Any] = {}
        for side in sorted(orders.fire):
            result[sides[side]] = _fire_document(orders.fire[side])
        return result

    @override
    def suggest(self, captain: Captain, view: SideView) -> FireAndPursuit:
        """Return the captain's fire, and on a moving table whether the side pursues."""
        if view.firing is not None and not view.firing.is_asked(view.side):
            return self.no_orders()
        pursues = MOVING_TABLE in view.terms.options and captain.pursues(view)
        fire = captain.fire(view)
        if view.firing is not None:
            fire = due_fire(view, view.firing, fire)
        return FireAndPursuit({view.side: fire}, (view.side,) if pursues else ())

    @override
    def with_ids(self, orders: FireAndPursuit, ids: Mapping[str, str]) -> FireAndPursuit:
        """Return the same fire with ids instead of contacts, for shooters and targets."""
        if not ids:
            return orders
        fire_by_side = {}
        for side, side_orders in orders.fire.items():
            renamed: FireOrders = []
            for name, fires in side_orders:
                renamed.append((ids.get(name, name), tuple([fire.with_ids(ids) for fire in fires])))
            fire_by_side[side] = renamed
        return FireAndPursuit(fire_by_side, orders.pursue)

    @override
    def merge(self, orders: FireAndPursuit, further: FireAndPursuit) -> FireAndPursuit:
        """Return the fire of `further`, then of other shooters; pursuers of either."""
        fire = {side: list(side_orders) for side, side_orders in further.fire.items()}
        for side, side_orders in orders.fire.items():
            merged = fire.setdefault(side, [])
            shooters = {name for name, _ in merged}
            merged += [(name, fires) for name, fires in side_orders if name not in shooters]
        other_pursuers = [side for side in orders.pursue if side not in further.pursue]
        return FireAndPursuit(fire, (*further.pursue, *other_pursuers))


def _interleave(entries: Sequence[Any]) -> list[Any]:
    """Return the rows of several firing orders, one of each in turn; mappings sorted by name."""
    lists = []
    for entry in entries:
        if isinstance(entry, list):
            lists.append(entry)
        else:
            lists.append([[name, entry[name]] for name in sorted(entry)])
    rows = []
    for rows_in_turn in zip_longest(*lists):
        rows += [row for row in rows_in_turn if row is not None]
    return rows


def _fire_document(side_orders: FireOrders) -> list[list[Any]]:
    """Return a side's fire as rows of [shooter, fire] in firing order."""
    rows: list[list[Any]] = []
    for name, fires in side_orders:
        rows.append([name, [fire.to_json() for fire in fires]])
    return rows


FireRow = tuple[str, object, object]  # the path of an entry, the shooter, its fire


def _fire(reader: Reader, data: object, where: str, names: FireNames) -> FireOrders:
    """Parse fire by ship and group."""
    shooters = {**names.ships, **names.groups}
    orders: FireOrders = []
    used_names: set[str] = set()
    for spot, name, fires in _fire_rows(reader, data, where, shooters):
        if not isinstance(name, str) or name not in shooters:
            reader.fault(
                spot, "unknown-ship", reason("unknown-ship-id", "no ship has the id {!r}", name)
            )
            continue
        if name in used_names:
            reader.fault(spot, "ship-twice", reason("ship-twice", "'{}' is given twice", name))
        used_names.add(name)
        ship = shooters[name]  # of a group: the ship that launched it
        if name in names.ships:
            fit_ids = [fit.id for fit in ship.sheet.fits]
            weapons = dict(zip(fit_ids, ship.profile.weapons, strict=True))
        else:
            weapons = dict.fromkeys(armament_names(ship, name), CRAFT)
        fire = read_fires(reader, data=fires, where=spot, name=name, weapons=weapons, names=names)
        orders.append((name, fire))
    return orders


def _fire_rows(
    reader: Reader, data: object, where: str, shooters: Collection[str]
) -> list[FireRow]:
    """Return the entries of fire orders; a list of [ship, fire] keeps its own order."""
    if isinstance(data, Mapping):
        return _rows_of_mapping(reader, data, where, shooters)
    if isinstance(data, list):
        return _rows_of_list(reader, data, where)
    reader.fault(
        where,
        "not-a-mapping",
        reason(
            "fire-orders-lists-ship", "fire orders must be lists by ship or a list of [ship, fire]"
        ),
    )
    return []


def _rows_of_mapping(
    reader: Reader, data: Mapping[Any, Any], where: str, shooters: Collection[str]
) -> list[FireRow]:
    """Return the entries of a mapping in the order of `shooters`, unknown ones last."""
    fires_by_name: dict[str, object] = {}
    for key, fires in data.items():
        if str(key) in fires_by_name:  # YAML distinguishes 1 from "1"
            reader.fault(
                f"{where}.{key}", "ship-twice", reason("ship-twice", "'{}' is given twice", key)
            )
        fires_by_name.setdefault(str(key), fires)
    known_names = [name for name in shooters if name in fires_by_name]
    unknown_names = [name for name in fires_by_name if name not in shooters]
    result: list[FireRow] = []
    for name in (*known_names, *unknown_names):
        result.append((f"{where}.{name}", name, fires_by_name[name]))
    return result


def _rows_of_list(reader: Reader, data: Sequence[Any], where: str) -> list[FireRow]:
    """Return the entries of a list of [ship, fire], and report those that are no such pair."""
    rows: list[FireRow] = []
    for number, pair in enumerate(data):
        spot = f"{where}[{number}]"
        if isinstance(pair, (list, tuple)) and len(pair) == 2:
            rows.append((spot, pair[0], pair[1]))
        else:
            reader.fault(
                spot,
                "not-a-pair",
                reason(
                    "ship-fire-needed-ship",
                    "expected a ship and its fire: [ship, [...]]",
                ),
            )
    return rows


FIRE_REQUEST = FireRequest()

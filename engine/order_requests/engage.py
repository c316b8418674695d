"""Engaging: every ship's and group's fire, in firing order, and whether the side goes after one
that disengages (`{"engage": [["n1", [{"weapon": "battery-1", "target": "3f2a"}]]], "pursue":
true}`).

Rules: 2E "Sequence of play" [2e.sequence]; 2E "The moving table and disengaging from battle"
[2e.moving-table]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engine.core.errors import Violation
from engine.core.orders import FireOrders, OrdersDocument
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.state import ENGAGE, BattleState
from engine.core.terms import MOVING_TABLE
from engine.notation.fire import CRAFT, FireNames, armament_names, read_fires
from engine.notation.reading import Reader
from engine.order_requests.base import OrderRequest
from engine.order_requests.out_of_reach import nobody_can_fire

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView

PURSUE = "pursue"


@dataclass(frozen=True, slots=True)
class FireAndPursuit:
    """The fire of each side (by its number) in firing order, and the sides that go after one that
    disengages.
    """

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
    def is_idle(self, state: BattleState, /) -> bool:
        """Whether all sides know that nobody has anything in reach."""
        return nobody_can_fire(state)

    @override
    def no_orders(self) -> FireAndPursuit:
        """No fire, and nobody who pursues."""
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
        """The entries of a turn of a battle file: `engage` by ship or group, each row for the side
        that commands it; `pursue`: the names of sides.
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
        """The entries of one side's document: `engage` in its firing order; `pursue`: whether it
        does.
        """
        fire = _fire(reader, document.get(self.key, {}), f"{where}{self.key}", names)
        pursues = reader.flag(document, PURSUE, where.removesuffix("."))
        return FireAndPursuit({side: fire}, (side,) if pursues else ())

    @override
    def find_violations(
        self, state: BattleState, orders: FireAndPursuit, where: str, *, sound: bool
    ) -> list[Violation]:
        """No faults ever: fire is judged when it is its turn."""
        return []  # fire is judged when it is its turn: what bears then may not bear now

    @override
    def to_document(self, orders: FireAndPursuit, side: int) -> OrdersDocument:
        """`engage` as a list of [shooter, fire] in firing order; `pursue` only where the side
        does.
        """
        rows: list[list[Any]] = [
            [name, [weapon_fire.to_json() for weapon_fire in fires]]
            for name, fires in orders.fire.get(side, ())
        ]
        return {"engage": rows, "pursue": True} if side in orders.pursue else {"engage": rows}

    @override
    def merge_allies(self, documents: Sequence[Mapping[str, Any]]) -> OrdersDocument:
        """Allies' ships fire in turn, first the first of each; allies pursue where all of them
        do.
        """
        lists = [document[self.key] for document in documents]
        if len(lists) > 1:
            lists = [
                rows if isinstance(rows, list) else [[name, rows[name]] for name in sorted(rows)]
                for rows in lists
            ]
            lists = [[row for turn in zip_longest(*lists) for row in turn if row is not None]]
        pursue = all(document.get(PURSUE) for document in documents)
        return {"engage": lists[0], "pursue": True} if pursue else {"engage": lists[0]}

    @override
    def to_log(self, orders: FireAndPursuit, sides: Sequence[str]) -> dict[str, Any]:
        """By side the list of [shooter, fire] in firing order; pursuit is left out."""
        return {
            sides[side]: [
                [name, [weapon_fire.to_json() for weapon_fire in fires]]
                for name, fires in side_orders
            ]
            for side, side_orders in sorted(orders.fire.items())
        }

    @override
    def suggest(self, captain: Captain, view: SideView) -> FireAndPursuit:
        """The captain's fire, and whether the side pursues, which is asked on a moving table
        alone.
        """
        pursues = MOVING_TABLE in view.terms.options and captain.pursues(view)
        return FireAndPursuit({view.side: captain.fire(view)}, (view.side,) if pursues else ())

    @override
    def with_ids(self, orders: FireAndPursuit, ids: Mapping[str, str]) -> FireAndPursuit:
        """Fire of, and at, ships and groups by their contacts as that of the ships and groups they
        are.
        """
        if not ids:
            return orders
        fire_by_side = {
            side: [
                (ids.get(name, name), tuple([fire.with_ids(ids) for fire in fires]))
                for name, fires in side_orders
            ]
            for side, side_orders in orders.fire.items()
        }
        return FireAndPursuit(fire_by_side, orders.pursue)

    @override
    def merge(self, orders: FireAndPursuit, further: FireAndPursuit) -> FireAndPursuit:
        """The given fire first, then that of the shooters it does not name; who pursues in
        either.
        """
        fire = {side: list(side_orders) for side, side_orders in further.fire.items()}
        for side, side_orders in orders.fire.items():
            ahead = fire.setdefault(side, [])
            shooters = {name for name, _ in ahead}
            ahead += [(name, fires) for name, fires in side_orders if name not in shooters]
        return FireAndPursuit(
            fire, (*further.pursue, *(side for side in orders.pursue if side not in further.pursue))
        )


def _fire(reader: Reader, data: object, where: str, names: FireNames) -> FireOrders:
    """Fire by ship and group: a mapping keeps the file's order of ships, a list of [ship, fire]
    gives its own.
    """
    rows: list[tuple[str, object, object]] = []
    able = {**names.ships, **names.groups}
    if isinstance(data, Mapping):
        fires_by_name: dict[str, object] = {}
        for key, fires in data.items():
            if str(key) in fires_by_name:  # YAML tells 1 and "1" apart
                reader.fault(
                    f"{where}.{key}", "ship-twice", reason("ship-twice", "'{}' is given twice", key)
                )
            fires_by_name.setdefault(str(key), fires)
        rows = [
            (f"{where}.{name}", name, fires_by_name.pop(name))
            for name in able
            if name in fires_by_name
        ]
        rows += [(f"{where}.{name}", name, fires) for name, fires in fires_by_name.items()]
    elif isinstance(data, list):
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
                        "a ship and its fire are needed here: [ship, [...]]",
                    ),
                )
    else:
        reader.fault(
            where,
            "not-a-mapping",
            reason(
                "fire-orders-lists-ship", "fire orders are lists by ship, or a list of [ship, fire]"
            ),
        )
    orders: FireOrders = []
    used_names: set[str] = set()
    for spot, name, fires in rows:
        if not isinstance(name, str) or name not in able:
            reader.fault(
                spot, "unknown-ship", reason("unknown-ship-id", "no ship has the id {!r}", name)
            )
            continue
        if name in used_names:
            reader.fault(spot, "ship-twice", reason("ship-twice", "'{}' is given twice", name))
        used_names.add(name)
        ship = able[name]
        weapons = dict.fromkeys(armament_names(ship, name), CRAFT)
        if name in names.ships:
            weapons = {
                fit.id: weapon
                for fit, weapon in zip(ship.sheet.fits, ship.profile.weapons, strict=True)
            }
        orders.append((name, read_fires(reader, fires, spot, name, weapons, names)))
    return orders


FIRE_REQUEST = FireRequest()

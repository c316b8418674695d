"""Dummy counters, if markers are open: placed on the map or removed. `move` orders move them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.line import Line, Word
from campaign.orders.order import SPARE_ORDERS, Order, OrderContext, Wording, tables
from campaign.rules.markers import (
    dummies_allowed,
    dummy_counter,
    fleets_at_start,
    starting_places,
)
from campaign.rules.orders import Dummy, Orders
from campaign.rules.scenario import MAX_DUMMIES, Scenario
from campaign.rules.view import View
from campaign.rules.world import Fleet, World
from engine.core.errors import Violation, fault_path
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.english import capitalize_first, counted_noun


class DummyOrder(Order):
    """The dummy counters placed and removed before any fleet moves."""

    key = "dummies"
    value = Dummy
    stages = (StageKind.DEPLOY, StageKind.ORDERS)
    fault_anchor = ("fleet", "dummy")
    lines = (
        Line(
            "dummy",
            "dummy KEY HEX|remove",
            ("dummy", Word("remove", "flag", keyword="remove")),
        ),
        Line("dummy", "dummy KEY HEX|remove", ("dummy", "hex")),
    )

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items, key=lambda item: (item.dummy, item.hex, item.remove)))

    def limit(self, view: View) -> int:
        return len(view.dummies) + MAX_DUMMIES + SPARE_ORDERS

    def judge(self, context: OrderContext) -> list[Violation]:
        """Return the faults of placing and removing counters. Their moves are judged as moves.

        During the deployment a counter is placed where the faction's fleets may begin, later where
        one of its fleets is.

        Rules: 2E "Use of an umpire" [camp.open-play]
        """
        view = context.view
        items = self.items(context.orders)
        if not items:
            return []
        if not context.scenario.open_play:
            words = reason("hidden-movement", "this war has hidden movement, and no dummy counters")
            return [Violation(self.key, "hidden-movement", words)]
        hexes = _hexes_to_place_in(context)
        reserve = _placeable_count(context)
        on_map = {dummy.key for dummy in view.dummies}
        used_keys = {mark.key for mark in view.marks}
        faults: list[Violation] = []
        first_place: dict[str, int] = {}
        new_count = 0
        for n, item in enumerate(items):
            where = fault_path(self.key, n)
            if item.dummy in first_place:
                words = reason(
                    "already-orders-dummies",
                    "{} already has orders in dummies[{}]",
                    item.dummy,
                    first_place[item.dummy],
                )
                faults.append(Violation(f"{where}.dummy", "twice", words))
            first_place.setdefault(item.dummy, n)
            if bool(item.hex) == item.remove:
                words = reason("hex-or-remove", "place a dummy in a hex or remove it from the map")
                faults.append(Violation(where, "hex-or-remove", words))
            elif item.hex:
                new_count += 1
                faults += _new_dummy_faults(
                    view.faction, item, where, used_keys=used_keys, hexes=hexes
                )
                if new_count > reserve:
                    counters = counted_noun(reserve, "dummy counter")
                    words = reason("you-left-place", "you have {} left to place", counters)
                    faults.append(Violation(where, "too-many-dummies", words))
            elif item.dummy not in on_map:
                words = reason("unknown-dummy", "you have no dummy '{}' on the map", item.dummy)
                faults.append(Violation(f"{where}.dummy", "unknown-dummy", words))
        return faults

    def carry_out_in_world(
        self,
        scenario: Scenario,
        world: World,
        orders: Mapping[str, Orders],
    ) -> World:
        """Place counters from the reserve, and remove counters.

        Rules: 2E "Use of an umpire" [camp.open-play]
        """
        if not any(self.items(sheet) for sheet in orders.values()):
            return world
        dummies = {item.key: item for item in world.dummies}
        reserve = dict(world.reserve)
        for faction in sorted(orders):
            for item in self.items(orders[faction]):
                if item.remove:
                    dummies.pop(item.dummy, None)
                else:
                    dummies[item.dummy] = dummy_counter(faction, item.dummy, item.hex)
                    reserve[faction] = reserve.get(faction, 0) - 1
        return replace(
            world,
            dummies=tuple(dummies[key] for key in sorted(dummies)),
            reserve=tuple(sorted(reserve.items())),
        )

    def name_new(self, wording: Wording, items: Sequence[Any]) -> None:
        for item in tables(items):
            key = str(item.get("dummy"))
            wording.names.setdefault(key, f"dummy {key.rpartition('/d')[2]}")

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            name = capitalize_first(wording.name_of(item.get("dummy")))
            if item.get("remove"):
                action = phrase("removed from the map")
            else:
                action = phrase("placed at {}", wording.place(item.get("hex")))
            lines.append(phrase("{} is {}", name, action))
        return lines


def dummies_after(view: View, orders: Iterable[Dummy]) -> dict[str, Fleet]:
    """Return a faction's dummy counters by key after these orders, before any fleet moves."""
    dummies = {item.key: item for item in view.dummies}
    for item in orders:
        if item.remove:
            dummies.pop(item.dummy, None)
        elif item.hex:
            dummies.setdefault(item.dummy, dummy_counter(view.faction, item.dummy, item.hex))
    return dummies


def _hexes_to_place_in(context: OrderContext) -> tuple[str, ...]:
    """Return the hexes where counters can be placed."""
    view = context.view
    if view.stage == StageKind.DEPLOY:
        return starting_places(context.scenario, view.faction)
    return tuple(sorted({fleet.hex for fleet in view.fleets}))


def _placeable_count(context: OrderContext) -> int:
    """Return how many counters can be placed; in the deployment this depends on its fleets."""
    view = context.view
    if view.stage != StageKind.DEPLOY:
        return view.reserve
    fleet_count = fleets_at_start(context.scenario, view.faction, context.orders)
    return dummies_allowed(context.scenario, fleet_count)


def _new_dummy_faults(
    faction: str,
    item: Dummy,
    where: str,
    *,
    used_keys: Collection[str],
    hexes: Collection[str],
) -> list[Violation]:
    """Return the faults of a counter to place: its key, and its hex.

    Args:
        used_keys: The keys of all counters and fleets that the faction ever had.
        hexes: The hexes where counters can be placed.
    """
    faults = []
    if not re.fullmatch(rf"{re.escape(faction)}/d[1-9][0-9]{{0,2}}", item.dummy):
        words = reason(
            "new-dummy-needs-key",
            "a new dummy needs a key like {}/d3, not '{}'",
            faction,
            item.dummy,
        )
        faults.append(Violation(f"{where}.dummy", "bad-key", words))
    elif item.dummy in used_keys:
        words = reason("already-placed-earlier", "{} has been placed before", item.dummy)
        faults.append(Violation(f"{where}.dummy", "not-new", words))
    if item.hex not in hexes:
        words = reason(
            "dummy-placed-only-where",
            "you can place a dummy only where you have fleets, not in {}",
            item.hex,
        )
        faults.append(Violation(f"{where}.hex", "wrong-place", words))
    return faults


DUMMIES = DummyOrder()

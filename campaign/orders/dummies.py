"""Dummy counters, where markers are open: put on the map or taken off it. They move by `move`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.order import SLACK, Judging, Order, Wording, tables
from campaign.rules.markers import dummies_ordered, dummy_violations
from campaign.rules.orders import Dummy, Orders
from campaign.rules.scenario import MOST_DUMMIES, Scenario
from campaign.rules.view import View
from campaign.rules.world import World
from engine.core.errors import Violation
from engine.core.phrase import phrase
from engine.english import capital


class DummyOrder(Order):
    """What is ordered of dummy counters; it is done before anybody moves."""

    key = "dummies"
    value = Dummy
    stages = (StageKind.DEPLOY, StageKind.ORDERS)
    about = ("fleet", "dummy")

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items, key=lambda item: (item.dummy, item.hex, item.remove)))

    def limit(self, view: View) -> int:
        return len(view.dummies) + MOST_DUMMIES + SLACK

    def judge(self, judging: Judging) -> list[Violation]:
        return dummy_violations(judging.scenario, judging.view, judging.orders)

    def carry_out_in_world(self, scenario: Scenario, world: World, orders: Mapping[str, Orders]) -> World:
        return dummies_ordered(world, orders)

    def name_new(self, about: Wording, items: Sequence[Any]) -> None:
        for item in tables(items):
            key = str(item.get("dummy"))
            about.names.setdefault(key, f"dummy {key.rpartition('/d')[2]}")

    def words(self, about: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            placed = phrase("placed at {}", about.place(item.get("hex")))
            done = phrase("removed from the map") if item.get("remove") else placed
            lines.append(phrase("{} is {}", capital(about.named(item.get("dummy"))), done))
        return lines


DUMMIES = DummyOrder()

"""Shipyards: ships to build or modify, work to cancel, and the faction's own designs that go with them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.order import SLACK, Judging, Line, Order, Wording, count_entries, tables
from campaign.rules.designs import MOST_DESIGNS, design_faults
from campaign.rules.limits import MOST_SYSTEMS
from campaign.rules.orders import Build, Orders
from campaign.rules.queries import plain_class
from campaign.rules.scenario import Scenario
from campaign.rules.view import View, Work
from campaign.rules.world import World
from campaign.rules.yards import MOST_WORKS, apply_builds, build_violations
from engine.core.errors import Violation
from engine.core.phrase import phrase


class DesignOrder(Order):
    """The faction's own classes of which ships are deployed or built, each whole as the engine's design."""

    key = "designs"
    is_apart = True
    value = dict[str, Any]
    stages = (StageKind.DEPLOY, StageKind.ORDERS)

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items, key=lambda item: json.dumps(item, sort_keys=True)))

    def limit(self, view: View) -> int:
        return MOST_DESIGNS

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        yield self.key, count_entries(items, "systems"), MOST_SYSTEMS

    def judge(self, judging: Judging) -> list[Violation]:
        """In a week they are judged with what is built of them."""
        if judging.view.stage == StageKind.DEPLOY:
            return design_faults(judging.scenario, judging.view.faction, judging.orders)
        return []

    def words(self, about: Wording, items: Sequence[Any]) -> list[str]:
        return [phrase("{} is your own design", item.get("class")) for item in tables(items)]


class BuildOrder(Order):
    """What yards are to build, in the order in which they begin it; what was told before comes first."""

    key = "build"
    is_apart = True
    value = Build
    ship_names = ("ship",)
    lines = (
        Line("build", "build HEX CLASS NAME", ("hex", "cls", "name")),
        Line("convert", "convert HEX CLASS SHIP", ("hex", "cls", "ship")),
    )

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return items

    def limit(self, view: View) -> int:
        return MOST_WORKS + SLACK

    def judge(self, judging: Judging) -> list[Violation]:
        """Work to build and to cancel, and designs, are judged together."""
        orders = judging.orders
        if not (orders.build or orders.cancel or orders.designs):
            return []
        return build_violations(judging.scenario, judging.view, orders, judging.fleets, judging.ships)

    def carry_out_in_world(self, scenario: Scenario, world: World, orders: Mapping[str, Orders]) -> World:
        return apply_builds(scenario, world, orders)

    def words(self, about: Wording, items: Sequence[Any]) -> list[str]:
        return [_built(about, item) for item in tables(items)]

    def anchor(self, item: object, number: int, rest: str) -> str:
        return yard_anchor(item.get("hex")) if isinstance(item, dict) else ""


class CancelOrder(Order):
    """Work that the yards have not begun and shall not begin."""

    key = "cancel"
    is_apart = True
    value = str
    lines = (Line("cancel", "cancel WORK"),)

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items))

    def limit(self, view: View) -> int:
        return MOST_WORKS + SLACK

    def words(self, about: Wording, items: Sequence[Any]) -> list[str]:
        works = {work.key: work for work in about.view.works}
        lines = []
        for key in items:
            work = works.get(str(key))
            done = phrase("Work that is done is cancelled")
            lines.append(done if work is None else phrase("{} is cancelled", _work(about, work)))
        return lines


def yard_anchor(hex_: object) -> str:
    """Return where a page shows the yards of a hex, and what is wrong with their orders."""
    return f"yard-{hex_}"


def _built(about: Wording, item: Mapping[str, Any]) -> str:
    where, cls = about.place(item.get("hex")), plain_class(str(item.get("cls")))
    if item.get("ship"):
        return phrase("The yard at {} rebuilds {} as {}", where, about.named(item.get("ship")), cls)
    return phrase("The yard at {} builds {}, {}", where, item.get("name"), cls)


def _work(about: Wording, work: Work) -> str:
    if work.ship:
        return phrase("Rebuilding {}", about.named(work.ship))
    return phrase("Building {}", work.name)


DESIGNS = DesignOrder()
BUILD = BuildOrder()
CANCEL = CancelOrder()

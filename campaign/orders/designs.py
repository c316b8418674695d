"""Designs: the faction's own classes, which it hands in with the ships to deploy or build."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.order import Order, OrderContext, Wording, count_entries, tables
from campaign.rules.designs import MOST_DESIGNS, designed, judged
from campaign.rules.limits import MOST_SYSTEMS
from campaign.rules.queries import plain_class
from campaign.rules.view import View
from campaign.rules.wholes import faults_of
from engine.core.errors import Violation, place
from engine.core.phrase import phrase
from engine.core.reason import reason


class DesignOrder(Order):
    """The designs of the faction's own classes. Each is a whole document of the engine."""

    key = "designs"
    is_listed_separately = True
    value = dict[str, Any]
    stages = (StageKind.DEPLOY, StageKind.ORDERS)

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items, key=lambda item: json.dumps(item, sort_keys=True)))

    def limit(self, view: View) -> int:
        return MOST_DESIGNS

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        yield (
            self.key,
            count_entries(items, "systems"),
            MOST_SYSTEMS,
        )

    def judge(self, context: OrderContext) -> list[Violation]:
        """Return the faults of designs. Each is judged like a saved one, and has to be used.

        Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
        """
        designs = self.items(context.orders)
        if not designs:
            return []
        scenario, faction = context.scenario, context.view.faction
        used = {cls for fleet in context.orders.deploy for cls, _ in fleet.ships}
        used |= {item.cls for item in context.orders.build}
        own = {name: cls for name, cls in context.classes.items() if name.startswith(f"{faction}/")}
        own |= {cls.name: cls for cls in designed(scenario, faction, designs)}
        section_faults = faults_of(own.values())
        known = {cls.name: cls for cls in context.view.classes}
        faults: list[Violation] = []
        first_place: dict[str, int] = {}
        for n, document in enumerate(designs):
            where = place(self.key, n)
            design = judged(scenario, faction, document, where)
            faults += design.faults
            if design.cls is None:
                continue
            if design.name in first_place:
                words = reason(
                    "class-designed-already-designs",
                    "the class '{}' is designed already in designs[{}]",
                    design.name,
                    first_place[design.name],
                )
                faults.append(Violation(f"{where}.class", "twice", words))
            first_place.setdefault(design.name, n)
            name = design.cls.name
            if name in section_faults:
                faults.append(Violation(f"{where}.section", "section", section_faults[name]))
            if name not in used:
                words = reason("not-deployed", "no ship of '{}' is deployed or built", design.name)
                faults.append(Violation(where, "not-deployed", words))
            if name in known and known[name].design != design.cls.design:
                words = reason(
                    "ships-another-built-give",
                    "ships of another '{}' were built: give the new class its own name",
                    plain_class(name),
                )
                faults.append(Violation(f"{where}.class", "class-twice", words))
        return faults

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        return [phrase("{} is your own design", item.get("class")) for item in tables(items)]


DESIGNS = DesignOrder()

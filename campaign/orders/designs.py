"""Designs: a faction's own classes, submitted with the ships to deploy or build."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.order import Order, OrderContext, Wording, count_entries, tables
from campaign.rules.designs import MOST_DESIGNS, buildable_classes, review_design
from campaign.rules.limits import MOST_SYSTEMS
from campaign.rules.queries import short_class_name
from campaign.rules.ship_sections import find_section_faults
from campaign.rules.view import View
from engine.core.errors import Violation, fault_path
from engine.core.phrase import phrase
from engine.core.reason import reason


class DesignOrder(Order):
    """The designs of the faction's own classes. Each is a complete document of the engine."""

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
        """Return the faults of designs. Each is reviewed like a saved one, and must be used.

        Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
        """
        designs = self.items(context.orders)
        if not designs:
            return []
        scenario = context.scenario
        faction = context.view.faction
        used = set()
        for fleet in context.orders.deploy:
            for cls, _ in fleet.ships:
                used.add(cls)
        used |= {item.cls for item in context.orders.build}
        own_classes = {
            name: cls for name, cls in context.classes.items() if name.startswith(f"{faction}/")
        }
        own_classes |= {cls.name: cls for cls in buildable_classes(scenario, faction, designs)}
        section_faults = find_section_faults(own_classes.values())
        known_classes = {cls.name: cls for cls in context.view.classes}
        faults: list[Violation] = []
        first_place: dict[str, int] = {}
        for n, document in enumerate(designs):
            where = fault_path(self.key, n)
            design = review_design(scenario, faction, document, where)
            faults += design.faults
            if design.cls is None:
                continue
            if design.name in first_place:
                words = reason(
                    "class-designed-already-designs",
                    "the class '{}' is already designed in designs[{}]",
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
            if name in known_classes and known_classes[name].design != design.cls.design:
                words = reason(
                    "ships-another-built-give",
                    "ships of another class '{}' were built: give the new class another name",
                    short_class_name(name),
                )
                faults.append(Violation(f"{where}.class", "class-twice", words))
        return faults

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        words: list[str] = []
        for item in tables(items):
            words.append(phrase("{} is your own design", item.get("class")))
        return words


DESIGNS = DesignOrder()

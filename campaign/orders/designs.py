"""Designs: a faction's own classes, submitted with the ships to deploy or build."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.order import Order, OrderContext, Wording, count_entries, tables
from campaign.rules.designs import MAX_DESIGNS, buildable_classes, review_design
from campaign.rules.limits import MAX_SYSTEMS
from campaign.rules.queries import short_class_name
from campaign.rules.scenario import ShipClass
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
        return MAX_DESIGNS

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        yield self.key, count_entries(items, "systems"), MAX_SYSTEMS

    def judge(self, context: OrderContext) -> list[Violation]:
        """Return the faults of designs. Each is reviewed like a saved one, and must be used.

        Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
        """
        designs = self.items(context.orders)
        if not designs:
            return []
        used_classes = {item.cls for item in context.orders.build}
        for fleet in context.orders.deploy:
            used_classes.update(cls for cls, _ in fleet.ships)
        section_faults = find_section_faults(_own_classes(context, designs).values())
        faults: list[Violation] = []
        first_place: dict[str, int] = {}
        for n, document in enumerate(designs):
            where = fault_path(self.key, n)
            design = review_design(context.scenario, context.view.faction, document, where)
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
            if name not in used_classes:
                words = reason("not-deployed", "no ship of '{}' is deployed or built", design.name)
                faults.append(Violation(where, "not-deployed", words))
            faults += _built_class_faults(context, design.cls, where)
        return faults

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        words: list[str] = []
        for item in tables(items):
            words.append(phrase("{} is your own design", item.get("class")))
        return words


def _own_classes(context: OrderContext, designs: Sequence[dict[str, Any]]) -> dict[str, ShipClass]:
    """Return the faction's own classes by name: known ones, and those of these designs."""
    faction = context.view.faction
    own_classes = {}
    for name, cls in context.classes.items():
        if name.startswith(f"{faction}/"):
            own_classes[name] = cls
    for cls in buildable_classes(context.scenario, faction, designs):
        own_classes[cls.name] = cls
    return own_classes


def _built_class_faults(context: OrderContext, cls: ShipClass, where: str) -> list[Violation]:
    """Return the fault of a class whose name belongs to ships of another design."""
    for known_class in context.view.classes:
        if known_class.name == cls.name and known_class.design != cls.design:
            words = reason(
                "ships-another-built-give",
                "ships of another class '{}' were built: give the new class another name",
                short_class_name(cls.name),
            )
            return [Violation(f"{where}.class", "class-twice", words)]
    return []


DESIGNS = DesignOrder()

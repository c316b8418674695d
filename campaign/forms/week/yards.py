"""Shipyards in the form of a week's orders: work in progress, and new ships to build or refit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from campaign.forms.faults import Faults, PageFault
from campaign.forms.field import SEPARATOR
from campaign.forms.week.order_parts import items
from campaign.forms.week.week_fields import BUILD, BUILD_NAME, BUILD_SHIP, CANCEL
from campaign.orders.order import as_list
from campaign.orders.yards import BUILD as BUILD_ORDER
from campaign.orders.yards import CANCEL as CANCEL_ORDER
from campaign.orders.yards import yard_anchor
from campaign.rules.forces import missing_by_class
from campaign.rules.queries import class_name, ship_classes, with_known_designs
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import View
from campaign.rules.yards import may_build, own_yards, price
from campaign.words.common import place_words
from engine.core.phrase import phrase

SLOTS = 3  # least number of ships that a form can order from a yard


@dataclass(frozen=True, slots=True)
class WorkRow:
    """Work in progress at a yard."""

    key: str
    words: str
    points: int
    cancelled: bool  # the draft cancels it


@dataclass(frozen=True, slots=True)
class YardSlot:
    """A line of the form."""

    number: int
    cls: str
    name: str  # of the new ship
    ship: str  # to be rebuilt


@dataclass(frozen=True, slots=True)
class YardBlock:
    """The yards of one hex."""

    hex: str
    id: str
    place: str
    largest: int  # mass of the largest ship
    works: tuple[WorkRow, ...]
    slots: tuple[YardSlot, ...]
    classes: tuple[tuple[str, str], ...]  # (class, label)
    ships: tuple[tuple[str, str], ...]  # (key, name)
    faults: tuple[PageFault, ...]


@dataclass(frozen=True, slots=True)
class YardPart:
    """All yards of a faction, its construction points and its weekly income."""

    blocks: tuple[YardBlock, ...]
    funds: int
    income: int


def yards_form(
    scenario: Scenario, view: View, payload: Mapping[str, Any], faults: Faults
) -> YardPart | None:
    """Return the yards in a week's orders, or None if there are neither yards nor work."""
    scenario = with_known_designs(scenario, view)
    yards = own_yards(scenario, view, {fleet.key: fleet for fleet in view.fleets}, view.ships)
    hexes = sorted(set(yards) | {work.hex for work in view.works})
    if not hexes:
        return None
    income = next(
        (power.construction for power in scenario.factions if power.id == view.faction), 0
    )
    blocks = tuple(
        _block(scenario, view, payload, faults, label, yards.get(label, 0)) for label in hexes
    )
    return YardPart(blocks, view.funds, income)


def _block(
    scenario: Scenario,
    view: View,
    payload: Mapping[str, Any],
    faults: Faults,
    label: str,
    largest: int,
) -> YardBlock:
    classes = ship_classes(scenario)
    cancelled = as_list(payload.get(CANCEL_ORDER.key))
    names = {ship.key: ship for ship in view.ships}
    works = []
    for work in view.works:
        if work.hex == label:
            ship = names.get(work.ship)
            title = class_name(scenario, view.faction, work.cls)
            if ship is None:
                words = phrase("{}, {}", work.name, title)
            else:
                words = phrase("{} is rebuilt as {}", ship.name, title)
            cost = price(classes[work.cls], None if ship is None else classes[ship.cls])
            works.append(WorkRow(work.key, words, cost, work.key in cancelled))
    build_items = []
    for item in items(payload, BUILD_ORDER.key):
        if item.get("hex") == label:
            build_items.append(item)
    build_items += [{}] * max(1, SLOTS - len(build_items)) if largest else []
    here = set()
    for fleet in view.fleets:
        if fleet.hex == label and not fleet.in_ftl:
            here.add(fleet.key)
    slots = []
    for n, item in enumerate(build_items):
        slots.append(
            YardSlot(
                n, str(item.get("cls", "")), str(item.get("name", "")), str(item.get("ship", ""))
            )
        )
    return YardBlock(
        hex=label,
        id=yard_anchor(label),
        place=place_words(scenario, label),
        largest=largest,
        works=tuple(works),
        slots=tuple(slots),
        classes=_classes(scenario, view, largest),
        ships=tuple((ship.key, ship.name) for ship in view.ships if ship.fleet in here),
        faults=faults.at(yard_anchor(label)),
    )


def _classes(scenario: Scenario, view: View, largest: int) -> tuple[tuple[str, str], ...]:
    """Return the classes that can be built there, cheapest first."""
    fit = [
        cls for cls in scenario.catalogue if cls.mass <= largest and may_build(view.faction, cls)
    ]
    lacks = missing_by_class(scenario, view.faction, [cls.name for cls in fit])
    buildable = sorted(
        (cls for cls in fit if not lacks[cls.name]), key=lambda cls: (cls.points, cls.name)
    )
    return tuple((cls.name, _class_words(scenario, view, cls)) for cls in buildable)


def _class_words(scenario: Scenario, view: View, cls: ShipClass) -> str:
    return phrase(
        "{}, mass {}, {} points", class_name(scenario, view.faction, cls.name), cls.mass, cls.points
    )


def yards_payload(view: View, post: QueryDict) -> dict[str, list[Any]]:
    """Return the form's orders to the yards; lines without a class are left out."""
    hexes = sorted({rest.partition(SEPARATOR)[0] for rest in BUILD.name_suffixes(post)})
    build = []
    for label in hexes:
        for n in BUILD.places(post, label):
            cls = BUILD.read(post, label, n)
            ship = BUILD_SHIP.read(post, label, n)
            name = " ".join(BUILD_NAME.text(post, label, n).split())
            if cls:
                build.append(
                    {"hex": label, "cls": cls, **({"ship": ship} if ship else {"name": name})}
                )
    cancel = [work.key for work in view.works if CANCEL.is_sent(post, work.key)]
    return {BUILD_ORDER.key: build, CANCEL_ORDER.key: cancel}

"""Shipyards in the form of a week's orders: work in progress, and new ships to build or refit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from campaign.forms.faults import Faults, PageFault
from campaign.forms.field import SEPARATOR
from campaign.forms.week.order_parts import items
from campaign.forms.week.week_fields import BUILD, BUILD_NAME, BUILD_SHIP, CANCEL
from campaign.orders.yards import BUILD as BUILD_ORDER
from campaign.orders.yards import CANCEL as CANCEL_ORDER
from campaign.orders.yards import yard_anchor
from campaign.rules.codec import as_list
from campaign.rules.forces import class_faults
from campaign.rules.queries import class_name, ship_classes, with_known_designs
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import View
from campaign.rules.yards import income_of_systems, may_build, own_yards, price
from campaign.words.common import place_words
from engine.core.phrase import phrase

SLOTS = 3  # least number of ships that a form can order from a yard


@dataclass(frozen=True, slots=True)
class WorkRow:
    """Work in progress at a yard."""

    key: str
    words: str
    points: int
    cancelled: bool  # whether the draft cancels it


@dataclass(frozen=True, slots=True)
class YardSlot:
    """A line of the form, which can order one ship."""

    number: int
    cls: str  # of the new ship, or the class to rebuild to
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
    largest_by_hex = own_yards(
        scenario, view, {fleet.key: fleet for fleet in view.fleets}, view.ships
    )
    hexes = sorted({*largest_by_hex, *(work.hex for work in view.works)})
    if not hexes:
        return None
    watched_systems = [system for system in view.systems if system.present]
    income = income_of_systems(scenario, watched_systems).get(view.faction, 0)
    for power in scenario.factions:
        if power.id == view.faction:
            income += power.construction
    blocks = []
    for label in hexes:
        block = _block(scenario, view, payload, label=label, largest=largest_by_hex.get(label, 0))
        blocks.append(replace(block, faults=faults.at(block.id)))
    return YardPart(tuple(blocks), view.funds, income)


def _block(
    scenario: Scenario, view: View, payload: Mapping[str, Any], *, label: str, largest: int
) -> YardBlock:
    """Return the yards of a hex.

    Args:
        largest: The mass of the largest ship that can be built there; 0 without a yard.
    """
    fleets_here = set()
    for fleet in view.fleets:
        if fleet.hex == label and not fleet.in_ftl:
            fleets_here.add(fleet.key)
    return YardBlock(
        hex=label,
        id=yard_anchor(label),
        place=place_words(scenario, label),
        largest=largest,
        works=tuple(_works(scenario, view, payload, label)),
        slots=tuple(_slots(payload, label, has_yard=largest > 0)),
        classes=_classes(scenario, view, largest),
        ships=tuple((ship.key, ship.name) for ship in view.ships if ship.fleet in fleets_here),
        faults=(),
    )


def _works(
    scenario: Scenario, view: View, payload: Mapping[str, Any], label: str
) -> Iterator[WorkRow]:
    """Yield the work in progress in a hex."""
    classes = ship_classes(scenario)
    ships = {ship.key: ship for ship in view.ships}
    cancelled_keys = as_list(payload.get(CANCEL_ORDER.key))
    for work in view.works:
        if work.hex != label:
            continue
        ship_to_rebuild = ships.get(work.ship)
        new_class = class_name(scenario, view.faction, work.cls)
        if ship_to_rebuild is None:
            words = phrase("{}, {}", work.name, new_class)
            cost = price(classes[work.cls], None)
        else:
            words = phrase("{} is rebuilt as {}", ship_to_rebuild.name, new_class)
            cost = price(classes[work.cls], classes[ship_to_rebuild.cls])
        yield WorkRow(work.key, words, cost, cancelled=work.key in cancelled_keys)


def _slots(payload: Mapping[str, Any], label: str, *, has_yard: bool) -> Iterator[YardSlot]:
    """Yield a hex's lines of the form: the draft's, then empty ones if it has a yard.

    There is always an empty line, so that another ship can be ordered.
    """
    drafted = [item for item in items(payload, BUILD_ORDER.key) if item.get("hex") == label]
    empty_count = max(1, SLOTS - len(drafted)) if has_yard else 0
    lines: list[dict[str, Any]] = [*drafted, *([{}] * empty_count)]
    for number, item in enumerate(lines):
        yield YardSlot(
            number=number,
            cls=str(item.get("cls", "")),
            name=str(item.get("name", "")),
            ship=str(item.get("ship", "")),
        )


def _classes(scenario: Scenario, view: View, largest: int) -> tuple[tuple[str, str], ...]:
    """Return the classes that can be built there, cheapest first."""
    allowed = []
    for cls in scenario.catalogue:
        if cls.mass <= largest and may_build(view.faction, cls):
            allowed.append(cls)
    missing = class_faults(scenario, view.faction, [cls.name for cls in allowed])
    buildable = [cls for cls in allowed if not missing[cls.name]]
    buildable.sort(key=lambda cls: (cls.points, cls.name))
    return tuple((cls.name, _class_words(scenario, view, cls)) for cls in buildable)


def _class_words(scenario: Scenario, view: View, cls: ShipClass) -> str:
    return phrase(
        "{}, mass {}, {} points", class_name(scenario, view.faction, cls.name), cls.mass, cls.points
    )


def yards_payload(view: View, post: QueryDict) -> dict[str, list[Any]]:
    """Return the form's orders to the yards; lines without a class are left out."""
    hexes = sorted({suffix.partition(SEPARATOR)[0] for suffix in BUILD.name_suffixes(post)})
    build = []
    for label in hexes:
        for place in BUILD.places(post, label):
            cls = BUILD.read(post, label, place)
            if not cls:
                continue
            item = {"hex": label, "cls": cls}
            if ship := BUILD_SHIP.read(post, label, place):
                item["ship"] = ship
            else:
                item["name"] = " ".join(BUILD_NAME.text(post, label, place).split())
            build.append(item)
    cancel = [work.key for work in view.works if CANCEL.is_sent(post, work.key)]
    return {BUILD_ORDER.key: build, CANCEL_ORDER.key: cancel}

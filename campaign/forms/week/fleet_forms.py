"""The form of a week's orders as HTML: hundreds of fleets and ships, most of them alike but for names and keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from campaign.forms.week.order_parts import FleetBlock, OrderedShip, Place, Target
from campaign.forms.week.shape_cache import ShapeCache, gap
from engine.core.phrase import spoken

FLEET_WORDS = ("key", "id", "hex", "place", "title", "name", "strength", "path", "plan", "kinds", "held")
SHIP_WORDS = ("key", "id", "name")
FLEET = tuple(one.name for one in fields(FleetBlock) if one.name not in (*FLEET_WORDS, "ships", "reach", "doctrine"))
SHIP = tuple(one.name for one in fields(OrderedShip) if one.name not in (*SHIP_WORDS, "into"))
SELECTED = SafeString(" selected")


class FleetForms:
    """The fleets of a form, each drawn by `campaign/_fleet.html`, its ships by `campaign/_fleet_ship.html`."""

    def __init__(self, offered: Mapping[str, Any]) -> None:
        self.offered = dict(offered)
        self.fleets, self.ships = ShapeCache("campaign/_fleet.html"), ShapeCache("campaign/_fleet_ship.html")

    def place(self, place: Place) -> dict[str, Any]:
        """A hex as `campaign/orders_places.html` shows it."""
        return {
            "hex": place.hex,
            "place": place.place,
            "base": place.base,
            "choosing": place.choosing,
            "fleets": [self.fleet(place, block) for block in place.fleets],
            "slots": [self.fleet(place, block) for block in place.slots],
            "forming": place.forming,
        }

    def fleet(self, place: Place, block: FleetBlock) -> SafeString:
        """A fleet, or one that may be formed here."""
        joins = [target for target in place.targets if target.key != block.key] if len(place.targets) > 1 else []
        words = {name: getattr(block, name) for name in FLEET_WORDS}
        words |= {
            "place": place.place,
            "reach": mark_safe(block.reach),  # noqa: S308 (made by destinations, which escapes every name)
            "merges": _options(joins),
            "crew": self.crew(block, joins),
        }
        same = {name: getattr(block, name) for name in FLEET}
        same |= {"doctrine": dict(block.doctrine), "exchanges": bool(joins)}
        same |= {"ships_open": block.ships_open, "ships_busy": block.ships_busy}
        shape = (*(same[name] for name in FLEET), repr(same["doctrine"]), bool(joins))
        shape = (*shape, block.ships_open, block.ships_busy, *map(bool, words.values()))
        return self.fleets.drawn(shape, words, lambda: self._context("block", same, words))

    def crew(self, block: FleetBlock, joins: list[Target]) -> SafeString:
        """The ships of a fleet. `joins`: the fleets to which they may go."""
        options = {into: _options(joins, into, "→ ") for into in dict.fromkeys(one.into for one in block.ships)}
        return mark_safe("".join(self.ship(ship, options[ship.into]) for ship in block.ships))  # noqa: S308 (drawn)

    def ship(self, ship: OrderedShip, joins: SafeString) -> SafeString:
        """A ship. `joins`: the options of where it may go."""
        words = {name: getattr(ship, name) for name in SHIP_WORDS} | {"joins": joins}
        same = {name: getattr(ship, name) for name in SHIP}
        shape = (*(repr(value) if name == "refits" else value for name, value in same.items()), bool(joins))
        return self.ships.drawn(shape, words, lambda: self._context("ship", same, words))

    def _context(self, called: str, same: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
        return self.offered | {called: {**same, **{name: gap(name, value) for name, value in words.items()}}}


def _options(targets: list[Target], chosen: str = "", before: str = "") -> SafeString:
    shown = ((one.key, SELECTED if one.key == chosen else "", before, spoken(one.name)) for one in targets)
    return format_html_join("", '<option value="{}"{}>{}{}</option>', shown)

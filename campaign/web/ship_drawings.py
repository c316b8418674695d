"""Drawings of ships on pages: record sheets, hull strips and silhouettes (`campaign.drawings`).

A drawing is cached under exactly what it shows, so readers with equal knowledge share it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from campaign.drawings.condition import Condition
from campaign.drawings.record_sheet import record_sheet
from campaign.drawings.strips import Strip, strip
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import Ship
from campaign.web.battle_ends import Fate
from engine.core.cache import Cache
from engine.core.sheet import Sheet
from engine.notation.designs import stored_sheet
from engine.ship_profiles import armour_from, full_stock

SPRITE = "img/battle.svg"
_sheets: Cache[tuple[object, ...], SafeString] = Cache(512)


def record_sheet_svg(
    sheet: Sheet,
    condition: Condition,
    *,
    orders: bool = True,
    core: bool = False,
    numbered: bool = False,
    address: str = "",
    start: str = "",
) -> SafeString:
    """Return a record sheet as SVG for a page.

    Args:
        address: Of the ship's page, which the sheet's code opens.
        start: Where the ship begins a battle, in words; "": not said.
    """

    def render_sheet() -> SafeString:
        drawing = record_sheet(
            sheet,
            condition,
            orders=orders,
            core=core,
            numbered=numbered,
            address=address,
            start=start,
        )
        return render_to_string(
            "drawings/record_sheet.html", {"d": drawing, "sprite": static(SPRITE)}
        )

    return _sheets.get_or_make(
        (get_language(), sheet, condition, orders, core, numbered, address, start), render_sheet
    )


def class_sheet(scenario: Scenario, cls: ShipClass) -> Sheet:
    """Return the record sheet of a class under the war's options."""
    return stored_sheet(cls.design, scenario.options)


def ship_strip(scenario: Scenario, cls: ShipClass, ship: Ship) -> Strip:
    """Return the hull strip of a ship as in its owner's view."""
    return hull_strip(scenario, cls, ship.damage, ship.stock)


def ship_hull(scenario: Scenario, cls: ShipClass, ship: Ship) -> SafeString:
    """Return the silhouette and hull strip of a ship, as `<c-hull>` draws them."""
    context = {"kind": cls.classification, "strip": ship_strip(scenario, cls, ship)}
    return render_to_string("drawings/hull.html", context)


def hull_strip(
    scenario: Scenario, cls: ShipClass, damage: int, stock: Iterable[tuple[str, int]] | None = None
) -> Strip:
    """Return the hull strip of a ship with this damage.

    Args:
        stock: What is below full. None if its armour is unknown, which is then left out.
    """
    if not cls.design:  # a class of which only the boxes are known
        return strip((cls.damage_points,), damage)
    sheet = class_sheet(scenario, cls)
    if stock is None:
        return strip(sheet.rows, damage)
    return strip(
        sheet.rows, damage, sheet.armour, armour_from(sheet, full_stock(sheet) | dict(stock))
    )


def with_hulls(
    scenario: Scenario, ships: Iterable[Ship], all_fates: Iterable[Fate]
) -> tuple[Fate, ...]:
    """Return the fates with hulls for the viewer's own ships, as far as their damage is known."""
    classes = ship_classes(scenario)
    ships_by_key = {ship.key: ship for ship in ships}

    def add_hull(fate: Fate) -> Fate:
        ship = ships_by_key.get(fate.key) if fate.is_own else None
        if ship is None or ship.cls not in classes:
            return fate
        cls = classes[ship.cls]
        return replace(fate, kind=cls.classification, hull=hull_strip(scenario, cls, fate.damage))

    return tuple(map(add_hull, all_fates))

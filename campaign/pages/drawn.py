"""Drawings of ships on pages: record sheets, hull strips, silhouettes, as templates make them from `campaign.drawings`.

A drawing is kept under all that it shows, and nothing else: whoever knows as much of a ship sees the same one.
"""

from __future__ import annotations

from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.safestring import SafeString

from campaign.drawings.condition import Condition, in_campaign
from campaign.drawings.record_sheet import record_sheet
from campaign.drawings.strips import Strip, strip
from campaign.process_cache import ProcessCache
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.view import Ship
from engine.core.sheet import Sheet
from engine.notation.designs import stored_sheet

SPRITE = "img/battle.svg"
_Shown = tuple[Sheet, Condition, bool, bool, bool]
_sheets: ProcessCache[_Shown, SafeString] = ProcessCache(512)


def sheet_drawn(
    sheet: Sheet, condition: Condition, *, orders: bool = True, core: bool = False, numbered: bool = False
) -> SafeString:
    """A record sheet as SVG for a page."""

    def drawn() -> SafeString:
        drawing = record_sheet(sheet, condition, orders=orders, core=core, numbered=numbered)
        return render_to_string("drawings/record_sheet.html", {"d": drawing, "sprite": static(SPRITE)})

    return _sheets.made((sheet, condition, orders, core, numbered), drawn)


def class_sheet(scenario: Scenario, cls: ShipClass) -> Sheet:
    """The record sheet of a class, by the options of the war."""
    return stored_sheet(cls.design, scenario.options)


def ship_strip(scenario: Scenario, cls: ShipClass, ship: Ship) -> Strip:
    """The hull strip of a ship as its owner's view has it."""
    sheet = class_sheet(scenario, cls)
    return strip(sheet.rows, ship.damage, sheet.armour, in_campaign(sheet, ship).armour)

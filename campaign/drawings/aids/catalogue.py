"""The list of play aids, and the pages of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from campaign.drawings.aids.blank_forms import (
    craft_roster,
    decision_note,
    order_sheet,
    week_sheet,
)
from campaign.drawings.aids.gauge import gauge_page
from campaign.drawings.aids.markers import marker_pages
from campaign.drawings.aids.reference import reference_pages
from campaign.drawings.aids.sheets import AidPage
from campaign.drawings.aids.star_map import map_pages
from campaign.drawings.aids.templates import template_pages
from campaign.rules.scenario import Scenario
from engine.core.edition import Edition
from engine.core.phrase import phrase


@dataclass(frozen=True, slots=True)
class AidChoice:
    """What a reader may choose for the aids; each aid uses its part.

    Attributes:
        unit: inch or cm, for one MU.
        scenario: The war whose map is printed.
    """

    unit: str
    edition: Edition
    scenario: Scenario


@dataclass(frozen=True, slots=True)
class Aid:
    """A play aid.

    Attributes:
        words: What it is for.
        options: The choices that change it: unit, edition, scenario.
    """

    name: str
    title: str
    words: str
    pages: Callable[[AidChoice], tuple[AidPage, ...]]
    options: tuple[str, ...] = ()


AIDS: Final = (
    Aid(
        "gauge",
        phrase("Course and fire arc gauge"),
        phrase("Twelve courses, the fire arcs of both rulebooks, and a scale to check the print."),
        lambda _choice: (gauge_page(),),
    ),
    Aid(
        "templates",
        phrase("Templates"),
        phrase("Nova cannon, wave gun and plasma bolt, true to scale."),
        lambda choice: template_pages(choice.unit),
        ("unit",),
    ),
    Aid(
        "markers",
        phrase("Counters"),
        phrase("Contacts, decoys, mines, missiles, craft, ECM, cloaks and rocks, 40 on a page."),
        lambda _choice: marker_pages(),
    ),
    Aid(
        "orders",
        phrase("Movement orders"),
        phrase("A blank form for ten ships and twelve turns, with the set-up."),
        lambda _choice: (order_sheet(),),
    ),
    Aid(
        "fighters",
        phrase("Fighter roster"),
        phrase("A blank form for groups of fighters and gunboats."),
        lambda _choice: (craft_roster(),),
    ),
    Aid(
        "reference",
        phrase("Quick reference"),
        phrase("The phases of a turn, dice and ranges, on two pages."),
        lambda choice: reference_pages(choice.edition),
        ("edition",),
    ),
    Aid(
        "war",
        phrase("War on paper"),
        phrase("A star map with counters for fleets, a form for the week, and decision notes."),
        lambda choice: (*map_pages(choice.scenario), week_sheet(), decision_note()),
        ("scenario",),
    ),
)
AIDS_BY_NAME: Final = {aid.name: aid for aid in AIDS}

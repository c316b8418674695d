"""The record sheets of a battle fought online, as it stands: one's own side's ships, and foreign
ones as far as known.

A foreign ship that is identified shows its class with the damage that was seen; its stores nobody
knows. Of a bogey there is no sheet, nor of a ship whose systems no scan has told where record
sheets lie closed.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import path
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from campaign.access import Viewer
from campaign.drawings.condition import Condition, in_battle, shut_in
from campaign.errors import NoViewer
from campaign.pages.battle.fights import called
from campaign.pages.battle.foreign_ships import foreign_ships
from campaign.rules.queries import ship_classes
from campaign.services.stops import Fight, fight_of, sheet_now
from campaign.store.battle_documents import StopSheet
from campaign.web.common import absolute, ship_addresses
from campaign.web.paper import PAPERS, PLACES, OnPaper
from campaign.web.pdf_answers import pdf_answer
from campaign.web.ship_drawings import class_sheet, sheet_drawn
from campaign.web.war import War, player_page, war_of
from campaign.words.battle.log import SideNames
from campaign.words.sayings import battle_words
from engine.battle import battle_from
from engine.core.kinds import FIGHTING, Reading, ShipStatus
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.core.terms import CORE_SYSTEMS
from engine.ship_profiles import full_stock


@dataclass(frozen=True, slots=True)
class Known:
    """A ship of a battle as a side knows it.

    `own`: its own side's; `address`: of its page, if the reader has it.
    """

    name: str
    own: bool
    sheet: Sheet
    condition: Condition
    core: bool
    address: str = ""

    @property
    def drawn(self) -> SafeString:
        """The drawing; orders are written for one's own ships alone."""
        return sheet_drawn(
            self.sheet, self.condition, orders=self.own, core=self.core, address=self.address
        )

    @property
    def on_paper(self) -> OnPaper:
        """The same for a PDF."""
        return OnPaper(self.sheet, self.condition, self.core, orders=self.own, address=self.address)


def known_ships(
    war: War,
    sheet: StopSheet,
    names: SideNames,
    address: Callable[[str], str],
    before: Callable[[], Mapping[str, ShipState]] = dict,
) -> tuple[Known, ...]:
    """The ships of which the stop's sheet knows the class: one's own side's first, then foreign
    ones.

    Where the stop asks the faction for orders it was handed the battle as it knows it. Else of
    foreign ships no more than their classes' names and their damage are told: their sheets are
    those of the ships as it knew them `before`, by contact. `address`: of the page of a reader's
    own ship.
    """
    view: Mapping[str, Any] = sheet["view"]
    own = {id_: ship for id_, ship in view["own"].items() if not ship.get("dummy")}
    if "known" not in sheet:
        known = before() if any(map(_told_of, view["contacts"])) else {}
        return (*_told(war, own, names, address), *_seen(war, sheet, names, known))
    state = battle_from(sheet["known"]).state
    ships: dict[str, ShipState] = {ship.id: ship for ship in state.ships}
    core = CORE_SYSTEMS in state.terms.options
    identified = [contact["id"] for contact in view["contacts"] if _told_of(contact)]
    return tuple(
        Known(
            names.of(id_),
            mine,
            ships[id_].sheet,
            in_battle(ships[id_], names.of(id_), own=mine, side=sheet["at"]),
            core,
            address(id_) if mine else "",
        )
        for mine, ids in ((True, list(own)), (False, identified))
        for id_ in sorted(ids, key=names.of)
    )


def _told_of(contact: Mapping[str, Any]) -> bool:
    """Whether a side knows which systems a foreign ship has."""
    return "class" in contact and contact.get("told", Reading.WHOLE) >= Reading.SYSTEMS


def _told(
    war: War, own: Mapping[str, Any], names: SideNames, address: Callable[[str], str]
) -> Iterator[Known]:
    """One's own ships by what a stop that asks for nothing tells of them."""
    classes, ships = ship_classes(war.scenario), {ship.key: ship for ship in war.sight.view.ships}
    for id_ in sorted(own, key=names.of):
        if id_ in ships:
            sheet, told = class_sheet(war.scenario, classes[ships[id_].cls]), own[id_]
            stock = full_stock(sheet) | told.get("stock", {})
            armour = tuple((standard, regenerative) for standard, regenerative in told["armour"])
            gone = "" if told["status"] == FIGHTING else ShipStatus.words(told["status"])
            name, core = names.of(id_), CORE_SYSTEMS in war.scenario.options
            condition = Condition(
                name, told["damage"], tuple(told["lost"]), armour, tuple(stock.items()), gone
            )
            yield Known(name, True, sheet, condition, core, address(id_))


def _seen(
    war: War, sheet: StopSheet, names: SideNames, ships: Mapping[str, ShipState]
) -> Iterator[Known]:
    """Foreign ships as they were known before, with the damage that the view tells now."""
    core = CORE_SYSTEMS in war.scenario.options
    told: Sequence[Mapping[str, Any]] = [
        contact for contact in sheet["view"]["contacts"] if _told_of(contact)
    ]
    for one in sorted(told, key=lambda contact: names.of(str(contact["id"]))):
        ship = ships.get(str(one["id"]))
        if ship is not None:
            name, gone = (
                names.of(str(one["id"])),
                "" if one["status"] == FIGHTING else ShipStatus.words(one["status"]),
            )
            armour = tuple(
                (standard, regenerative) for standard, regenerative in one.get("armour", ())
            )
            lost, shut = tuple(one.get("lost", ())), shut_in(ship, sheet["at"])
            condition = Condition(name, one.get("damage", 0), lost, armour, None, gone, shut=shut)
            yield Known(name, False, ship.sheet, condition, core)


def _opened(viewer: Viewer, fight: uuid.UUID) -> tuple[War, Fight, StopSheet, SideNames]:
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404(phrase("there is no such battle")) from error
    mine = fight_of(viewer.campaign, war.faction, str(fight))
    return war, mine, sheet_now(viewer.campaign, war.faction, mine), called(war, mine)


@player_page
@require_safe
def sheets(request: HttpRequest, viewer: Viewer, fight: uuid.UUID) -> HttpResponse:
    """The record sheets of the battle as it stands."""
    war, mine, sheet, names = _opened(viewer, fight)
    before = partial(foreign_ships, war, mine, sheet["view"])
    found = known_ships(war, sheet, names, ship_addresses(request, war.id, war.faction.key), before)
    context = {
        "war": war,
        **war.tabs("battle"),
        "mine": mine,
        "sheet": sheet,
        "called": battle_words(war.scenario, sheet["hex"]),
        "own": [one for one in found if one.own],
        "others": [one for one in found if not one.own],
        "bogeys": [
            names.of(str(contact["id"]))
            for contact in sheet["view"]["contacts"]
            if not _told_of(contact)
        ],
        "papers": tuple(PAPERS.items()),
        "per": tuple(PLACES),
    }
    return render(request, "campaign/fight_sheets.html", context)


@player_page
@require_safe
def sheets_pdf(request: HttpRequest, viewer: Viewer, fight: uuid.UUID) -> HttpResponseBase:
    """The same as PDF."""
    war, mine, sheet, names = _opened(viewer, fight)
    address = ship_addresses(request, war.id, war.faction.key)
    called_so = tuple(sorted(names.known.items()))
    key = (
        war.id,
        war.faction.key,
        mine.id,
        sheet["number"],
        sheet["chain"],
        called_so,
        absolute(request, "/"),
    )
    title = phrase(
        "Record sheets: {}, turn {}", battle_words(war.scenario, sheet["hex"]), sheet["turn"]
    )
    before = partial(foreign_ships, war, mine, sheet["view"])
    drawn = partial(known_ships, war, sheet, names, address, before)
    return pdf_answer(request, key, title, lambda: [one.on_paper for one in drawn()])


urlpatterns = [
    path("c/<str:c>/battles/<uuid:fight>/now/sheets/", sheets, name="fight-sheets"),
    path("c/<str:c>/battles/<uuid:fight>/now/sheets.pdf", sheets_pdf, name="fight-sheets-pdf"),
]

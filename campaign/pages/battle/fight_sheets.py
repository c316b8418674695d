"""Record sheets of an online battle in progress: own ships, and foreign ships as far as known.

An identified foreign ship shows its class and the observed damage; its stores are unknown. There is
no sheet for a bogey. With closed record sheets there is none for a ship whose systems no scan has
revealed.
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
from campaign.drawings.condition import Condition, battle_condition, unknown_stores_of
from campaign.errors import NoViewer
from campaign.pages.battle.fights import table_names
from campaign.pages.battle.foreign_ships import foreign_ships
from campaign.rules.queries import ship_classes
from campaign.services.phases import Fight, fight_of, newest_sheet
from campaign.store.battle_documents import PhaseSheet
from campaign.web.common import absolute, ship_addresses
from campaign.web.pdf_responses import pdf_response
from campaign.web.sheet_pdf import PAPERS, SHEET_GRIDS, PaperSheet
from campaign.web.ship_drawings import class_sheet, record_sheet_svg
from campaign.web.war import War, player_page, war_of
from campaign.words.battle.log import SideNames
from campaign.words.common import battle_words
from engine.battle import battle_from
from engine.core.kinds import FIGHTING, ScanDetail, ShipStatus
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.core.ship import ShipState
from engine.core.terms import CORE_SYSTEMS
from engine.ship_profiles import full_stock


@dataclass(frozen=True, slots=True)
class KnownShip:
    """A ship in a battle as one side knows it."""

    name: str
    is_own: bool
    sheet: Sheet
    condition: Condition
    has_core_systems: bool
    address: str = ""  # of the ship's page, if the reader may open it

    @property
    def drawing(self) -> SafeString:
        """The record sheet as SVG. Only own ships have boxes for orders."""
        return record_sheet_svg(
            self.sheet,
            self.condition,
            orders=self.is_own,
            core=self.has_core_systems,
            address=self.address,
        )

    @property
    def paper_sheet(self) -> PaperSheet:
        """The record sheet for a PDF."""
        return PaperSheet(
            self.sheet,
            self.condition,
            self.has_core_systems,
            has_order_boxes=self.is_own,
            address=self.address,
        )


def known_ships(
    war: War,
    sheet: PhaseSheet,
    names: SideNames,
    address: Callable[[str], str],
    before: Callable[[], Mapping[str, ShipState]] = dict,
) -> tuple[KnownShip, ...]:
    """Return the ships whose class the side knows: own ships first, then foreign ones.

    If the phase asks the faction for orders, the sheet contains the battle as the faction knows it.
    Otherwise it tells only the class names and the damage of foreign ships. Their systems then come
    from `before`.

    Args:
        address: Returns the page address of one of the reader's ships.
        before: Returns the foreign ships as they were known earlier, by contact.
    """
    view: Mapping[str, Any] = sheet["view"]
    own_ships = {id_: ship for id_, ship in view["own"].items() if not ship.get("dummy")}
    if "battle_document" not in sheet:
        earlier_ships = before() if any(map(_are_systems_known, view["contacts"])) else {}
        return (
            *_own_ships(war, own_ships, names, address),
            *_foreign_ships_of(war, sheet, names, earlier_ships),
        )
    state = battle_from(sheet["battle_document"]).state
    ships: dict[str, ShipState] = {ship.id: ship for ship in state.ships}
    core = CORE_SYSTEMS in state.terms.options
    identified = []
    for contact in view["contacts"]:
        if _are_systems_known(contact):
            identified.append(contact["id"])
    result: list[KnownShip] = []
    for is_own, ids in ((True, list(own_ships)), (False, identified)):
        for id_ in sorted(ids, key=names.of):
            result.append(
                KnownShip(
                    names.of(id_),
                    is_own,
                    ships[id_].sheet,
                    battle_condition(ships[id_], names.of(id_), is_own=is_own, side=sheet["at"]),
                    core,
                    address(id_) if is_own else "",
                )
            )
    return tuple(result)


def _are_systems_known(contact: Mapping[str, Any]) -> bool:
    """Return whether a side knows which systems a foreign ship has."""
    return (
        "class" in contact
        and contact.get("scan_detail", ScanDetail.EVERYTHING) >= ScanDetail.SYSTEMS
    )


def _own_ships(
    war: War, own_ships: Mapping[str, Any], names: SideNames, address: Callable[[str], str]
) -> Iterator[KnownShip]:
    """Yield own ships for a phase that asks for no orders."""
    classes = ship_classes(war.scenario)
    ships = {ship.key: ship for ship in war.sight.view.ships}
    for id_ in sorted(own_ships, key=names.of):
        if id_ in ships:
            sheet = class_sheet(war.scenario, classes[ships[id_].cls])
            ship_report = own_ships[id_]
            stock = full_stock(sheet) | ship_report.get("stock", {})
            armour = tuple(
                (standard, regenerative) for standard, regenerative in ship_report["armour"]
            )
            if ship_report["status"] == FIGHTING:
                fate_text = ""
            else:
                fate_text = ShipStatus.label_of(ship_report["status"])
            name = names.of(id_)
            core = CORE_SYSTEMS in war.scenario.options
            condition = Condition(
                name,
                ship_report["damage"],
                tuple(ship_report["lost"]),
                armour,
                tuple(stock.items()),
                fate_text,
            )
            yield KnownShip(name, True, sheet, condition, core, address(id_))


def _foreign_ships_of(
    war: War, sheet: PhaseSheet, names: SideNames, ships: Mapping[str, ShipState]
) -> Iterator[KnownShip]:
    """Yield foreign ships as they were known earlier, with the damage in the present view."""
    core = CORE_SYSTEMS in war.scenario.options
    known_contacts: Sequence[Mapping[str, Any]] = [
        contact for contact in sheet["view"]["contacts"] if _are_systems_known(contact)
    ]
    for known_contact in sorted(known_contacts, key=lambda contact: names.of(str(contact["id"]))):
        ship = ships.get(str(known_contact["id"]))
        if ship is not None:
            name = names.of(str(known_contact["id"]))
            if known_contact["status"] == FIGHTING:
                fate_text = ""
            else:
                fate_text = ShipStatus.label_of(known_contact["status"])
            armour = tuple(
                (standard, regenerative)
                for standard, regenerative in known_contact.get("armour", ())
            )
            lost_systems = tuple(known_contact.get("lost", ()))
            shut = unknown_stores_of(ship, sheet["at"])
            condition = Condition(
                name,
                known_contact.get("damage", 0),
                lost_systems,
                armour,
                None,
                fate_text,
                unknown_stores=shut,
            )
            yield KnownShip(name, False, ship.sheet, condition, core)


def _open_fight(viewer: Viewer, fight: uuid.UUID) -> tuple[War, Fight, PhaseSheet, SideNames]:
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404(phrase("there is no such battle")) from error
    mine = fight_of(viewer.campaign, war.faction, str(fight))
    return war, mine, newest_sheet(viewer.campaign, war.faction, mine), table_names(war, mine)


@player_page
@require_safe
def sheets(request: HttpRequest, viewer: Viewer, fight: uuid.UUID) -> HttpResponse:
    """Show the record sheets of the battle in progress."""
    war, mine, sheet, names = _open_fight(viewer, fight)
    before = partial(foreign_ships, war, mine, sheet["view"])
    ships = known_ships(war, sheet, names, ship_addresses(request, war.id, war.faction.key), before)
    context = {
        "war": war,
        **war.tabs("battle"),
        "mine": mine,
        "sheet": sheet,
        "called": battle_words(war.scenario, sheet["hex"]),
        "own": [ship for ship in ships if ship.is_own],
        "others": [ship for ship in ships if not ship.is_own],
        "bogeys": [
            names.of(str(contact["id"]))
            for contact in sheet["view"]["contacts"]
            if not _are_systems_known(contact)
        ],
        "papers": tuple(PAPERS.items()),
        "per": tuple(SHEET_GRIDS),
    }
    return render(request, "campaign/fight_sheets.html", context)


@player_page
@require_safe
def sheets_pdf(request: HttpRequest, viewer: Viewer, fight: uuid.UUID) -> HttpResponseBase:
    """Return the record sheets of the battle in progress as a PDF."""
    war, mine, sheet, names = _open_fight(viewer, fight)
    address = ship_addresses(request, war.id, war.faction.key)
    names_key = tuple(sorted(names.name_by_key.items()))
    key = (
        war.id,
        war.faction.key,
        mine.id,
        sheet["number"],
        sheet["chain"],
        names_key,
        absolute(request, "/"),
    )
    title = phrase(
        "Record sheets: {}, turn {}", battle_words(war.scenario, sheet["hex"]), sheet["turn"]
    )
    before = partial(foreign_ships, war, mine, sheet["view"])
    list_ships = partial(known_ships, war, sheet, names, address, before)
    return pdf_response(request, key, title, lambda: [ship.paper_sheet for ship in list_ships()])


urlpatterns = [
    path("c/<str:c>/battles/<uuid:fight>/now/sheets/", sheets, name="fight-sheets"),
    path("c/<str:c>/battles/<uuid:fight>/now/sheets.pdf", sheets_pdf, name="fight-sheets-pdf"),
]

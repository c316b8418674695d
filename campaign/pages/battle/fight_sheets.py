"""Record sheets of an online battle in progress: own ships, and foreign ships as far as known.

An identified foreign ship shows its class and the observed damage; its stores are unknown. There is
no sheet for a bogey. With closed record sheets there is none for a ship whose systems no scan has
revealed.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    *,
    address: Callable[[str], str],
    earlier_ships: Callable[[], Mapping[str, ShipState]] = dict,
) -> tuple[KnownShip, ...]:
    """Return the ships whose class the side knows: own ships first, then foreign ones.

    If the phase asks the faction for orders, the sheet contains the battle as the faction knows it.
    Otherwise it tells only the class names and the damage of foreign ships. Their systems then come
    from `earlier_ships`.

    Args:
        address: Returns the page address of one of the reader's ships.
        earlier_ships: Returns the foreign ships as they were known earlier, by contact.
    """
    view: Mapping[str, Any] = sheet["view"]
    own_ships = {id_: ship for id_, ship in view["own"].items() if not ship.get("dummy")}
    contacts = [contact for contact in view["contacts"] if _are_systems_known(contact)]
    if "battle_document" not in sheet:
        foreign_designs = earlier_ships() if contacts else {}
        return (
            *_own_ships(war, own_ships, names, address),
            *_foreign_ships(war, contacts, names, foreign_designs, side=sheet["at"]),
        )
    state = battle_from(sheet["battle_document"]).state
    ships: dict[str, ShipState] = {ship.id: ship for ship in state.ships}
    foreign_ids = [contact["id"] for contact in contacts]
    result: list[KnownShip] = []
    for is_own, ids in ((True, list(own_ships)), (False, foreign_ids)):
        for id_ in sorted(ids, key=names.of):
            name = names.of(id_)
            known_ship = KnownShip(
                name=name,
                is_own=is_own,
                sheet=ships[id_].sheet,
                condition=battle_condition(ships[id_], name, is_own=is_own, side=sheet["at"]),
                has_core_systems=CORE_SYSTEMS in state.terms.options,
                address=address(id_) if is_own else "",
            )
            result.append(known_ship)
    return tuple(result)


def _are_systems_known(contact: Mapping[str, Any]) -> bool:
    """Return whether a side knows which systems a foreign ship has."""
    if "class" not in contact:
        return False
    scan_detail: int = contact.get("scan_detail", ScanDetail.EVERYTHING)
    return scan_detail >= ScanDetail.SYSTEMS


def _fate_text(status: str) -> str:
    """Return how a ship left the battle, or "" while it fights."""
    if status == FIGHTING:
        return ""
    return ShipStatus.label_of(status)


def _armour_layers(layers: Iterable[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    """Convert the armour in a stored view: standard and regenerative boxes of each layer."""
    return tuple((standard, regenerative) for standard, regenerative in layers)


def _own_ships(
    war: War, own_ships: Mapping[str, Any], names: SideNames, address: Callable[[str], str]
) -> Iterator[KnownShip]:
    """Yield own ships for a phase that asks for no orders.

    Args:
        own_ships: The ships in the side's view, by id.
    """
    classes = ship_classes(war.scenario)
    campaign_ships = {ship.key: ship for ship in war.sight.view.ships}
    for id_ in sorted(own_ships, key=names.of):
        if id_ not in campaign_ships:
            continue
        viewed_ship = own_ships[id_]
        sheet = class_sheet(war.scenario, classes[campaign_ships[id_].cls])
        stock = full_stock(sheet) | viewed_ship.get("stock", {})
        condition = Condition(
            name=names.of(id_),
            damage=viewed_ship["damage"],
            lost_systems=tuple(viewed_ship["lost"]),
            armour=_armour_layers(viewed_ship["armour"]),
            stock=tuple(stock.items()),
            fate_text=_fate_text(viewed_ship["status"]),
        )
        yield KnownShip(
            name=names.of(id_),
            is_own=True,
            sheet=sheet,
            condition=condition,
            has_core_systems=CORE_SYSTEMS in war.scenario.options,
            address=address(id_),
        )


def _foreign_ships(
    war: War,
    contacts: Sequence[Mapping[str, Any]],
    names: SideNames,
    foreign_designs: Mapping[str, ShipState],
    *,
    side: int,
) -> Iterator[KnownShip]:
    """Yield foreign ships with the systems known earlier and the damage in the present view.

    Args:
        contacts: The ships in the view.
        foreign_designs: The ships as they were known earlier, by contact.
        side: The reader's side.
    """
    for contact in sorted(contacts, key=lambda contact: names.of(str(contact["id"]))):
        ship = foreign_designs.get(str(contact["id"]))
        if ship is None:
            continue
        name = names.of(str(contact["id"]))
        condition = Condition(
            name=name,
            damage=contact.get("damage", 0),
            lost_systems=tuple(contact.get("lost", ())),
            armour=_armour_layers(contact.get("armour", ())),
            stock=None,
            fate_text=_fate_text(contact["status"]),
            unknown_stores=unknown_stores_of(ship, side),
        )
        yield KnownShip(
            name=name,
            is_own=False,
            sheet=ship.sheet,
            condition=condition,
            has_core_systems=CORE_SYSTEMS in war.scenario.options,
        )


@dataclass(frozen=True, slots=True)
class FightSheets:
    """An online battle in progress, with what its record sheets are made from."""

    war: War
    fight: Fight
    sheet: PhaseSheet
    names: SideNames

    def ships(self, request: HttpRequest) -> tuple[KnownShip, ...]:
        """Return the ships that have a record sheet."""
        return known_ships(
            self.war,
            self.sheet,
            self.names,
            address=ship_addresses(request, self.war.id, self.war.faction.key),
            earlier_ships=lambda: foreign_ships(self.war, self.fight, self.sheet["view"]),
        )


def _fight_sheets(viewer: Viewer, fight_id: uuid.UUID) -> FightSheets:
    """Read a battle in progress.

    Raises:
        Http404: If the viewer's faction does not fight in it.
    """
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404(phrase("there is no such battle")) from error
    fight = fight_of(viewer.campaign, war.faction, str(fight_id))
    sheet = newest_sheet(viewer.campaign, war.faction, fight)
    return FightSheets(war, fight, sheet, table_names(war, fight))


@player_page
@require_safe
def sheets(request: HttpRequest, viewer: Viewer, fight: uuid.UUID) -> HttpResponse:
    """Show the record sheets of the battle in progress."""
    fight_sheets = _fight_sheets(viewer, fight)
    war, sheet = fight_sheets.war, fight_sheets.sheet
    ships = fight_sheets.ships(request)
    bogeys = []
    for contact in sheet["view"]["contacts"]:
        if not _are_systems_known(contact):
            bogeys.append(fight_sheets.names.of(str(contact["id"])))
    context = {
        "war": war,
        **war.tabs("battle"),
        "fight": fight_sheets.fight,
        "sheet": sheet,
        "battle_name": battle_words(war.scenario, sheet["hex"]),
        "own_ships": [ship for ship in ships if ship.is_own],
        "foreign_ships": [ship for ship in ships if not ship.is_own],
        "bogeys": bogeys,
        "papers": tuple(PAPERS.items()),
        "per": tuple(SHEET_GRIDS),
    }
    return render(request, "campaign/fight_sheets.html", context)


@player_page
@require_safe
def sheets_pdf(request: HttpRequest, viewer: Viewer, fight: uuid.UUID) -> HttpResponseBase:
    """Return the record sheets of the battle in progress as a PDF."""
    fight_sheets = _fight_sheets(viewer, fight)
    war, sheet = fight_sheets.war, fight_sheets.sheet
    cache_key = (
        war.id,
        war.faction.key,
        fight_sheets.fight.id,
        sheet["number"],
        sheet["chain"],
        tuple(sorted(fight_sheets.names.name_by_key.items())),
        absolute(request, "/"),
    )
    battle_name = battle_words(war.scenario, sheet["hex"])
    return pdf_response(
        request,
        cache_key,
        phrase("Record sheets: {}, turn {}", battle_name, sheet["turn"]),
        lambda: [ship.paper_sheet for ship in fight_sheets.ships(request)],
    )


urlpatterns = [
    path("c/<str:c>/battles/<uuid:fight>/now/sheets/", sheets, name="fight-sheets"),
    path("c/<str:c>/battles/<uuid:fight>/now/sheets.pdf", sheets_pdf, name="fight-sheets-pdf"),
]

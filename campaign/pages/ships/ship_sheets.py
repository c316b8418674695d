"""Record sheets of the player's own ships, and the page of one ship: sheet, orders and history.

Everything comes from the faction's own views, sealed orders and battles. Foreign ships have no
page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import URLPattern, URLResolver, path
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from campaign.access import Viewer, require
from campaign.drawings.condition import Condition, campaign_condition
from campaign.errors import NotFound, NoViewer, StageClosed
from campaign.models.campaign import Campaign
from campaign.models.knowledge import STAGE_REPORT
from campaign.pages.ships.classes import drawn_card
from campaign.pages.ships.ship_history import (
    PastStage,
    chapters,
    find_loss,
    find_ship,
    orders_about,
)
from campaign.pages.ships.ships import neighbours_in_fleet, ship_line, ship_remarks
from campaign.rules.class_cards import build_card
from campaign.rules.queries import class_name, ship_classes, short_class_name, with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.view import Fleet, Ship, View
from campaign.selectors.envelopes import envelope_of, sealed_entries_of
from campaign.services.orders import WeekOrders
from campaign.sight.reports import list_battles, list_reports
from campaign.sight.views import Sight, current_sight, sight_after, views_after
from campaign.store.documents import scenario_of
from campaign.web.common import absolute, if_changed, may_be_own, member_page, ship_addresses, show
from campaign.web.pdf_responses import pdf_response
from campaign.web.seat_marks import seats
from campaign.web.sheet_pdf import PAPERS, SHEET_GRIDS, PaperSheet
from campaign.web.ship_drawings import class_sheet, record_sheet_svg
from campaign.web.tabs import tabs, tabs_key
from campaign.web.war import War, sight_page, war_of
from campaign.words.common import loss_words, place_words
from engine.core.phrase import capitalize_first, phrase
from engine.core.sheet import Sheet
from engine.core.terms import CORE_SYSTEMS

NOT_IN_SERVICE = phrase("no longer in service")


@dataclass(frozen=True, slots=True)
class ShipSheet:
    """A ship's record sheet on a page."""

    key: str
    sheet: Sheet
    condition: Condition
    has_core_systems: bool
    address: str  # of the ship's page, for a code on the sheet
    fleet: Fleet
    place: str

    @property
    def drawing(self) -> SafeString:
        """The record sheet as SVG, with boxes for orders."""
        return record_sheet_svg(
            self.sheet, self.condition, core=self.has_core_systems, address=self.address
        )

    @property
    def paper_sheet(self) -> PaperSheet:
        """The record sheet for a PDF."""
        return PaperSheet(self.sheet, self.condition, self.has_core_systems, address=self.address)


def own_sheets(
    scenario: Scenario, view: View, fleet: str, address: Callable[[str], str]
) -> tuple[ShipSheet, ...]:
    """Return the sheets of a faction's ships, by fleet, heaviest first.

    Args:
        fleet: A fleet's key, or "" for all fleets.
        address: Returns the address of a ship's page from the ship's key.
    """
    classes = ship_classes(scenario)
    fleet_order = {own_fleet.key: place for place, own_fleet in enumerate(view.fleets)}
    ships = [ship for ship in view.ships if fleet in ("", ship.fleet)]
    ships.sort(key=lambda ship: (fleet_order[ship.fleet], -classes[ship.cls].mass, ship.cls))
    return tuple(_sheet(scenario, view, ship, address(ship.key)) for ship in ships)


def _sheet(
    scenario: Scenario, view: View, ship: Ship, address: str, fate_text: str = ""
) -> ShipSheet:
    """Return a ship's sheet as in its owner's view, with its navy's name for the class.

    Args:
        address: Of the ship's page.
        fate_text: How the ship left the campaign; empty while it is in service.
    """
    cls = ship_classes(scenario)[ship.cls]
    sheet = class_sheet(scenario, cls)
    remarks = ship_remarks(ship)
    navy_class = class_name(scenario, view.faction, ship.cls)
    if navy_class != short_class_name(ship.cls):
        remarks = (phrase("{} class", navy_class), *remarks)
    fleet = _fleet_of(view, ship)
    return ShipSheet(
        key=ship.key,
        sheet=sheet,
        condition=campaign_condition(sheet, ship, remarks, fate_text),
        has_core_systems=CORE_SYSTEMS in scenario.options,
        address=address,
        fleet=fleet,
        place=place_words(scenario, fleet.hex),
    )


def _fleet_of(view: View, ship: Ship) -> Fleet:
    """Return the fleet of one of the view's own ships."""
    return next(fleet for fleet in view.fleets if fleet.key == ship.fleet)


@member_page
@require_safe
def sheets(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Show the record sheets of all own ships, or of one fleet (`?fleet=`), and offer a PDF."""
    campaign = require(viewer, see=True).campaign
    faction = viewer.visible_faction
    sight_now = current_sight(campaign, faction)
    fleet = _checked_fleet_key(sight_now.view, request.GET.get("fleet", ""))
    shared = tabs(viewer, "ships")

    def page() -> HttpResponse:
        sheets = _requested_sheets(request, campaign, sight_now, fleet)
        context: dict[str, Any] = {
            "sheets": sheets,
            "points": sum(ship_sheet.sheet.points for ship_sheet in sheets),
            "fleets": sight_now.view.fleets,
            "fleet": fleet,
            "papers": tuple(PAPERS.items()),
            "per": tuple(SHEET_GRIDS),
        }
        return show(request, "ship_sheets", **context, **shared)

    cache_key = _cache_key(request, campaign, sight_now, fleet)
    return if_changed(request, (*cache_key, *tabs_key(shared)), page)


def _requested_sheets(
    request: HttpRequest, campaign: Campaign, sight_now: Sight, fleet: str
) -> tuple[ShipSheet, ...]:
    """Return the sheets of the faction's ships, of one fleet or of all (fleet "")."""
    scenario = with_known_designs(scenario_of(campaign), sight_now.view)
    address = ship_addresses(request, str(campaign.public_id), sight_now.view.faction)
    return own_sheets(scenario, sight_now.view, fleet, address)


def _cache_key(
    request: HttpRequest, campaign: Campaign, sight_now: Sight, fleet: str
) -> tuple[object, ...]:
    """Return everything that the sheets depend on."""
    return (
        str(campaign.public_id),
        campaign.scenario.sha256,
        sight_now.view.faction,
        sight_now.etag,
        fleet,
        absolute(request, "/"),
    )


@member_page
@require_safe
def sheets_pdf(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Return the sheets as a PDF: `?paper=`, `?per=` (sheets per page), `?counters=on`."""
    campaign = require(viewer, see=True).campaign
    faction = viewer.visible_faction
    sight_now = current_sight(campaign, faction)
    fleet = _checked_fleet_key(sight_now.view, request.GET.get("fleet", ""))
    name = next((item.name for item in sight_now.view.fleets if item.key == fleet), campaign.name)

    def paper_sheets() -> list[PaperSheet]:
        sheets = _requested_sheets(request, campaign, sight_now, fleet)
        return [ship_sheet.paper_sheet for ship_sheet in sheets]

    cache_key = _cache_key(request, campaign, sight_now, fleet)
    return pdf_response(request, cache_key, phrase("Record sheets: {}", name), paper_sheets)


def _checked_fleet_key(view: View, fleet_key: str) -> str:
    """Return the requested fleet key, which is "" for all fleets.

    Raises:
        NotFound: If it is not a fleet of the faction.
    """
    if fleet_key and fleet_key not in {fleet.key for fleet in view.fleets}:
        raise NotFound(phrase("there is no such fleet"))
    return fleet_key


@sight_page
@require_safe
def ship(request: HttpRequest, viewer: Viewer, ship: str) -> HttpResponse:
    """Show one of the reader's ships: its sheet, its present orders and its history."""
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404(phrase("there is no such ship")) from error
    newest_ship, view, view_after = _ship_last_seen(war, ship)
    scenario = with_known_designs(scenario_of(viewer.campaign), view)
    is_in_service = view_after is None
    loss = None
    if view_after is not None:
        loss = find_loss(view, view_after, newest_ship)
    if is_in_service:
        fate_text = ""
    else:
        fate_text = NOT_IN_SERVICE if loss is None else loss_words(loss.cause)
    cls = ship_classes(scenario)[newest_ship.cls]
    address = ship_addresses(request, war.id, war.faction.key)(ship)
    sheet = _sheet(scenario, view, newest_ship, address, fate_text)
    previous_ship, next_ship = None, None
    if is_in_service:
        previous_ship, next_ship = neighbours_in_fleet(scenario, view, newest_ship)
    context = {
        "war": war,
        **war.tabs("ships"),
        "ship": newest_ship,
        "cls": cls,
        "class_card": drawn_card("", build_card(scenario, war.faction.key, cls, is_own=False)),
        "line": ship_line(scenario, view, newest_ship),
        "previous_ship": previous_ship,
        "next_ship": next_ship,
        "seat": seats(scenario).get(war.faction.key, 0),
        "on_map": not viewer.campaign.ruleset.get("single"),
        "class_name": class_name(scenario, war.faction.key, newest_ship.cls),
        "drawing": sheet.drawing,
        "fate_text": capitalize_first(fate_text),
        "loss": loss,
        "fleet": sheet.fleet,
        "place": sheet.place,
        "orders": _orders(war, ship) if is_in_service else (),
        "history": tuple(reversed(chapters(scenario, ship, past_stages(war)))),
    }
    return render(request, "campaign/ship.html", context)


def _ship_last_seen(war: War, key: str) -> tuple[Ship, View, View | None]:
    """Return a ship as it is, or as it was when the faction last had it.

    With it come the view that shows it, and the view after, which no longer has the ship; None if
    the faction still has it.

    Raises:
        Http404: If the faction never had such a ship.
    """
    if may_be_own(war.faction.key, key):
        view_after = None
        for view in _views_newest_first(war):
            ship = find_ship(view, key)
            if ship is not None:
                return ship, view, view_after
            view_after = view
    raise Http404(phrase("there is no such ship"))


def _views_newest_first(war: War) -> Iterator[View]:
    """Yield the faction's views, read one by one as they are needed."""
    yield war.sight.view
    for seq in range(war.sight.seq - 1, -1, -1):
        yield sight_after(war.viewer.campaign, war.faction, seq).view


def _orders(war: War, key: str) -> tuple[str, ...]:
    """Return a ship's sealed or drafted orders for the open stage; only players see them."""
    if war.stage is None or not war.viewer.plays:
        return ()
    try:
        envelope = envelope_of(WeekOrders(war.stage, war.faction, war.sight.view))
    except StageClosed:
        return ()
    return orders_about(war.scenario, war.sight.view, key, envelope.payload or {})


def past_stages(war: War) -> Iterator[PastStage]:
    """Yield the resolved stages as the faction knows them."""
    campaign, faction = war.viewer.campaign, war.faction
    sealed_payloads = {}  # by week and kind of stage
    for entry in sealed_entries_of(campaign, faction):
        if not entry.battle and entry.withdrawn_at is None:
            sealed_payloads[(entry.week, entry.stage)] = entry.receipt.payload
    all_battles = list_battles(campaign, faction)
    reports_by_seq = {}
    for report in list_reports(campaign, faction):
        if report.kind == STAGE_REPORT and report.seq:
            reports_by_seq[report.seq] = report
    numbers_before = {seq - 1 for seq in reports_by_seq}
    views = views_after(campaign, faction, numbers_before.union(reports_by_seq))
    for seq, report in sorted(reports_by_seq.items()):
        yield PastStage(
            week=report.week,
            kind=report.stage,
            before=views[seq - 1],
            after=views[seq],
            orders=sealed_payloads.get((report.week, report.stage)),
            battles=tuple(battle for battle in all_battles if battle.seq == seq),
        )


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/ships/sheets/", sheets, name="ship-sheets"),
    path("c/<uuid:c>/ships/sheets.pdf", sheets_pdf, name="ship-sheets-pdf"),
    path("c/<str:c>/ships/<path:ship>/", ship, name="ship"),
]

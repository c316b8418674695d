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
from campaign.pages.ships.classes import class_card
from campaign.pages.ships.ship_history import PastStage, chapters, find_ship, orders_about
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
from campaign.words.common import place_words
from engine.core.phrase import phrase
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
        """The drawing, with boxes for orders."""
        return record_sheet_svg(
            self.sheet, self.condition, core=self.has_core_systems, address=self.address
        )

    @property
    def paper_sheet(self) -> PaperSheet:
        """The same for a PDF."""
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
    order = {fleet_seen.key: n for n, fleet_seen in enumerate(view.fleets)}
    ships = [ship for ship in view.ships if fleet in ("", ship.fleet)]
    ships.sort(key=lambda ship: (order[ship.fleet], -classes[ship.cls].mass, ship.cls))
    return tuple(_sheet(scenario, view, ship, address) for ship in ships)


def _sheet(
    scenario: Scenario, view: View, ship: Ship, address: Callable[[str], str], fate_text: str = ""
) -> ShipSheet:
    """Return a ship's sheet as in its owner's view, with its navy's name for the class."""
    cls = ship_classes(scenario)[ship.cls]
    sheet = class_sheet(scenario, cls)
    remarks = ship_remarks(ship)
    navy_class = class_name(scenario, view.faction, ship.cls)
    if navy_class != short_class_name(ship.cls):
        remarks = (phrase("{} class", navy_class), *remarks)
    condition = campaign_condition(sheet, ship, remarks, fate_text)
    fleet = next(fleet_seen for fleet_seen in view.fleets if fleet_seen.key == ship.fleet)
    core = CORE_SYSTEMS in scenario.options
    place = place_words(scenario, fleet.hex)
    return ShipSheet(ship.key, sheet, condition, core, address(ship.key), fleet, place)


@member_page
@require_safe
def sheets(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Show the record sheets of all own ships, or of one fleet (`?fleet=`), and offer a PDF."""
    campaign = require(viewer, see=True).campaign
    faction = viewer.visible_faction
    sight_now = current_sight(campaign, faction)
    fleet = _fleet(sight_now.view, request.GET.get("fleet", ""))
    shared = tabs(viewer, "ships")

    def page() -> HttpResponse:
        address = ship_addresses(request, str(campaign.public_id), sight_now.view.faction)
        ship_pages = own_sheets(
            with_known_designs(scenario_of(campaign), sight_now.view),
            sight_now.view,
            fleet,
            address,
        )
        points = sum(ship_page.sheet.points for ship_page in ship_pages)
        paper_choices = tuple(PAPERS.items())
        context: dict[str, Any] = {
            "found": ship_pages,
            "points": points,
            "fleets": sight_now.view.fleets,
            "fleet": fleet,
            "papers": paper_choices,
        }
        return show(request, "ship_sheets", per=tuple(SHEET_GRIDS), **context, **shared)

    return if_changed(
        request, (*_key(request, campaign, sight_now, fleet), *tabs_key(shared)), page
    )


def _key(
    request: HttpRequest, campaign: Campaign, sight_now: Sight, fleet: str
) -> tuple[object, ...]:
    """Return everything that the sheets depend on."""
    war = str(campaign.public_id), campaign.scenario.sha256
    return *war, sight_now.view.faction, sight_now.etag, fleet, absolute(request, "/")


@member_page
@require_safe
def sheets_pdf(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Return the sheets as a PDF: `?paper=`, `?per=` (sheets per page), `?counters=on`."""
    campaign = require(viewer, see=True).campaign
    faction = viewer.visible_faction
    sight_now = current_sight(campaign, faction)
    fleet = _fleet(sight_now.view, request.GET.get("fleet", ""))
    name = next((item.name for item in sight_now.view.fleets if item.key == fleet), campaign.name)

    def ships() -> list[PaperSheet]:
        address = ship_addresses(request, str(campaign.public_id), sight_now.view.faction)
        ship_pages = own_sheets(
            with_known_designs(scenario_of(campaign), sight_now.view),
            sight_now.view,
            fleet,
            address,
        )
        return [item.paper_sheet for item in ship_pages]

    return pdf_response(
        request, _key(request, campaign, sight_now, fleet), phrase("Record sheets: {}", name), ships
    )


def _fleet(view: View, fleet_key: str) -> str:
    """Check the requested fleet key; "" means all fleets.

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
    now, view, scenario = _ship_last_seen(war, ship)
    if find_ship(war.sight.view, ship) is None:
        fate_text = NOT_IN_SERVICE
    else:
        fate_text = ""
    fleet = next(candidate for candidate in view.fleets if candidate.key == now.fleet)
    cls = ship_classes(scenario)[now.cls]
    before, after = (None, None) if fate_text else neighbours_in_fleet(scenario, view, now)
    context = {
        "war": war,
        **war.tabs("ships"),
        "ship": now,
        "cls": cls,
        "item": class_card("", build_card(scenario, war.faction.key, cls, is_own=False)),
        "line": ship_line(scenario, view, now),
        "before": before,
        "after": after,
        "seat": seats(scenario).get(war.faction.key, 0),
        "on_map": not viewer.campaign.ruleset.get("single"),
        "called": class_name(scenario, war.faction.key, now.cls),
        "drawn": _sheet(
            scenario, view, now, ship_addresses(request, war.id, war.faction.key), fate_text
        ).drawing,
        "gone": fate_text,
        "fleet": fleet,
        "place": place_words(scenario, fleet.hex),
        "orders": () if fate_text else _orders(war, ship),
        "history": tuple(reversed(chapters(scenario, ship, past_stages(war)))),
    }
    return render(request, "campaign/ship.html", context)


def _ship_last_seen(war: War, key: str) -> tuple[Ship, View, Scenario]:
    """Return a ship as it is, or as it was when the faction last had it.

    Raises:
        Http404: If the faction never had such a ship.
    """
    for view in _views(war) if may_be_own(war.faction.key, key) else ():
        ship = find_ship(view, key)
        if ship is not None:
            return ship, view, with_known_designs(scenario_of(war.viewer.campaign), view)
    raise Http404(phrase("there is no such ship"))


def _views(war: War) -> Iterator[View]:
    """Yield the faction's views, newest first."""
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
    sealed = {}
    for entry in sealed_entries_of(campaign, faction):
        if not entry.battle and entry.withdrawn is None:
            sealed[(entry.week, entry.stage)] = entry.receipt.payload
    all_battles = list_battles(campaign, faction)
    reports_by_seq = {}
    for report in list_reports(campaign, faction):
        if report.kind == STAGE_REPORT and report.seq:
            reports_by_seq[report.seq] = report
    views = views_after(campaign, faction, {*reports_by_seq, *(seq - 1 for seq in reports_by_seq)})
    for seq, report in sorted(reports_by_seq.items()):
        yield PastStage(
            week=report.week,
            kind=report.stage,
            before=views[seq - 1],
            after=views[seq],
            orders=sealed.get((report.week, report.stage)),
            battles=tuple(battle for battle in all_battles if battle.seq == seq),
        )


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/ships/sheets/", sheets, name="ship-sheets"),
    path("c/<uuid:c>/ships/sheets.pdf", sheets_pdf, name="ship-sheets-pdf"),
    path("c/<str:c>/ships/<path:ship>/", ship, name="ship"),
]

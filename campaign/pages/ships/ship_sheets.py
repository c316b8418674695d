"""The record sheets of a player's own ships, all of them or of a fleet; and the page of a ship: its
sheet, its orders, its history.

All of it is made of the faction's own views, sealed orders and battles: of a ship of others there
is no page.
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

from campaign.access import Viewer, need
from campaign.drawings.condition import Condition, in_campaign
from campaign.errors import NotThere, NoViewer, StageIsClosed
from campaign.models.campaign import Campaign
from campaign.models.knowledge import STAGE_REPORT
from campaign.pages.ships.classes import class_card
from campaign.pages.ships.ship_history import Past, chapters, orders_about, ship_in
from campaign.pages.ships.ships import fellows, ship_line, ship_remarks
from campaign.rules.class_cards import card_of
from campaign.rules.queries import class_name, in_sight, plain_class, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.view import Fleet, Ship, View
from campaign.selectors.envelopes import envelope_of, sealed_entries_of
from campaign.services.orders import WeekOrders
from campaign.sight.reports import battles_told, reports_told
from campaign.sight.views import Sight, sight, sight_then, views_then
from campaign.store.documents import scenario_of
from campaign.web.common import absolute, if_changed, may_be_own, member_page, ship_addresses, show
from campaign.web.paper import PAPERS, PLACES, OnPaper
from campaign.web.pdf_answers import pdf_answer
from campaign.web.seat_marks import seats
from campaign.web.ship_drawings import class_sheet, sheet_drawn
from campaign.web.tabs import tabs, tabs_key
from campaign.web.war import War, sight_page, war_of
from campaign.words.sayings import place_words
from engine.core.phrase import phrase
from engine.core.sheet import Sheet
from engine.core.terms import CORE_SYSTEMS

LOST = phrase("no longer in service")


@dataclass(frozen=True, slots=True)
class ShipSheet:
    """A ship's sheet on a page: the drawing's parts.

    `address`: of the ship's page, for a code on the sheet; `fleet`: the ship's own, at `place`.
    """

    key: str
    sheet: Sheet
    condition: Condition
    core: bool
    address: str
    fleet: Fleet
    place: str

    @property
    def drawn(self) -> SafeString:
        """The drawing, with boxes for orders."""
        return sheet_drawn(self.sheet, self.condition, core=self.core, address=self.address)

    @property
    def on_paper(self) -> OnPaper:
        """The same for a PDF."""
        return OnPaper(self.sheet, self.condition, self.core, address=self.address)


def own_sheets(
    scenario: Scenario, view: View, fleet: str, address: Callable[[str], str]
) -> tuple[ShipSheet, ...]:
    """The sheets of a faction's ships, of one fleet or of all (""), by fleet and the heaviest
    first. `address`: of the page of a ship, by its key.
    """
    classes, order = ship_classes(scenario), {one.key: n for n, one in enumerate(view.fleets)}
    ships = [ship for ship in view.ships if fleet in ("", ship.fleet)]
    ships.sort(key=lambda ship: (order[ship.fleet], -classes[ship.cls].mass, ship.cls))
    return tuple(_sheet(scenario, view, ship, address) for ship in ships)


def _sheet(
    scenario: Scenario, view: View, ship: Ship, address: Callable[[str], str], gone: str = ""
) -> ShipSheet:
    """A ship's sheet as its owner's view has it, under what its navy calls the class."""
    cls = ship_classes(scenario)[ship.cls]
    sheet = class_sheet(scenario, cls)
    remarks = ship_remarks(ship)
    called = class_name(scenario, view.faction, ship.cls)
    if called != plain_class(ship.cls):
        remarks = (phrase("{} class", called), *remarks)
    condition = in_campaign(sheet, ship, remarks, gone)
    fleet = next(one for one in view.fleets if one.key == ship.fleet)
    core, place = CORE_SYSTEMS in scenario.options, place_words(scenario, fleet.hex)
    return ShipSheet(ship.key, sheet, condition, core, address(ship.key), fleet, place)


@member_page
@require_safe
def sheets(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The record sheets of all own ships; `?fleet=` of one fleet.

    To look at, and to print four a page.
    """
    campaign, faction = need(viewer, see=True).campaign, viewer.sees
    seen = sight(campaign, faction)
    fleet = _fleet(seen.view, request.GET.get("fleet", ""))
    shared = tabs(viewer, "ships")

    def page() -> HttpResponse:
        address = ship_addresses(request, str(campaign.public_id), seen.view.faction)
        found = own_sheets(in_sight(scenario_of(campaign), seen.view), seen.view, fleet, address)
        points = sum(one.sheet.points for one in found)
        papers = tuple(PAPERS.items())
        context: dict[str, Any] = {
            "found": found,
            "points": points,
            "fleets": seen.view.fleets,
            "fleet": fleet,
            "papers": papers,
        }
        return show(request, "ship_sheets", per=tuple(PLACES), **context, **shared)

    return if_changed(request, (*_key(request, campaign, seen, fleet), *tabs_key(shared)), page)


def _key(request: HttpRequest, campaign: Campaign, seen: Sight, fleet: str) -> tuple[object, ...]:
    """All that sheets are made of: the war's rules, whose ships they are, how these are, what the
    site is called.
    """
    war = str(campaign.public_id), campaign.scenario.sha256
    return *war, seen.view.faction, seen.etag, fleet, absolute(request, "/")


@member_page
@require_safe
def sheets_pdf(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The same as PDF: `?paper=`, `?per=` sheets a page, `?counters=on`."""
    campaign, faction = need(viewer, see=True).campaign, viewer.sees
    seen = sight(campaign, faction)
    fleet = _fleet(seen.view, request.GET.get("fleet", ""))
    name = next((one.name for one in seen.view.fleets if one.key == fleet), campaign.name)

    def ships() -> list[OnPaper]:
        address = ship_addresses(request, str(campaign.public_id), seen.view.faction)
        found = own_sheets(in_sight(scenario_of(campaign), seen.view), seen.view, fleet, address)
        return [one.on_paper for one in found]

    return pdf_answer(
        request, _key(request, campaign, seen, fleet), phrase("Record sheets: {}", name), ships
    )


def _fleet(view: View, asked: str) -> str:
    """The fleet that was asked for, "" for all.

    Raises NotThere for what is no fleet of the faction's.
    """
    if asked and asked not in {fleet.key for fleet in view.fleets}:
        raise NotThere(phrase("there is no such fleet"))
    return asked


@sight_page
@require_safe
def ship(request: HttpRequest, viewer: Viewer, ship: str) -> HttpResponse:
    """A ship of the reader's own: its sheet, what is ordered of it, and its history through the
    war.
    """
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404(phrase("there is no such ship")) from error
    now, view, scenario = _found(war, ship)
    gone = LOST if ship_in(war.sight.view, ship) is None else ""
    fleet = next(one for one in view.fleets if one.key == now.fleet)
    cls = ship_classes(scenario)[now.cls]
    before, after = (None, None) if gone else fellows(scenario, view, now)
    context = {
        "war": war,
        **war.tabs("ships"),
        "ship": now,
        "cls": cls,
        "item": class_card("", card_of(scenario, war.faction.key, cls, own=False)),
        "line": ship_line(scenario, view, now),
        "before": before,
        "after": after,
        "seat": seats(scenario).get(war.faction.key, 0),
        "on_map": not viewer.campaign.ruleset.get("single"),
        "called": class_name(scenario, war.faction.key, now.cls),
        "drawn": _sheet(
            scenario, view, now, ship_addresses(request, war.id, war.faction.key), gone
        ).drawn,
        "gone": gone,
        "fleet": fleet,
        "place": place_words(scenario, fleet.hex),
        "orders": () if gone else _orders(war, ship),
        "history": tuple(reversed(chapters(scenario, ship, past_of(war)))),
    }
    return render(request, "campaign/ship.html", context)


def _found(war: War, key: str) -> tuple[Ship, View, Scenario]:
    """A ship as it is, or as it was when the faction last had it.

    Raises Http404 where it never did.
    """
    for view in _views(war) if may_be_own(war.faction.key, key) else ():
        found = ship_in(view, key)
        if found is not None:
            return found, view, in_sight(scenario_of(war.viewer.campaign), view)
    raise Http404(phrase("there is no such ship"))


def _views(war: War) -> Iterator[View]:
    """What the faction knew, the newest first."""
    yield war.sight.view
    for seq in range(war.sight.seq - 1, -1, -1):
        yield sight_then(war.viewer.campaign, war.faction, seq).view


def _orders(war: War, key: str) -> tuple[str, ...]:
    """What is ordered of a ship in the stage that is open: sealed, or drafted so far; for players
    alone.
    """
    if war.stage is None or not war.viewer.plays:
        return ()
    try:
        envelope = envelope_of(WeekOrders(war.stage, war.faction, war.sight.view))
    except StageIsClosed:
        return ()
    return orders_about(war.scenario, war.sight.view, key, envelope.payload or {})


def past_of(war: War) -> Iterator[Past]:
    """The stages that were resolved, as the faction knows them."""
    campaign, faction = war.viewer.campaign, war.faction
    sealed = {
        (entry.week, entry.stage): entry.receipt.payload
        for entry in sealed_entries_of(campaign, faction)
        if not entry.battle and entry.withdrawn is None
    }
    fought = battles_told(campaign, faction)
    told = {
        one.seq: one
        for one in reports_told(campaign, faction)
        if one.kind == STAGE_REPORT and one.seq
    }
    views = views_then(campaign, faction, {*told, *(seq - 1 for seq in told)})
    for seq, one in sorted(told.items()):
        yield Past(
            week=one.week,
            kind=one.stage,
            before=views[seq - 1],
            after=views[seq],
            orders=sealed.get((one.week, one.stage)),
            battles=tuple(battle for battle in fought if battle.seq == seq),
        )


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/ships/sheets/", sheets, name="ship-sheets"),
    path("c/<uuid:c>/ships/sheets.pdf", sheets_pdf, name="ship-sheets-pdf"),
    path("c/<str:c>/ships/<path:ship>/", ship, name="ship"),
]

"""The cost of pages grows in proportion to what they show: fleets, contacts, weeks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar
from uuid import uuid4

import pytest

from campaign import models
from campaign.models.knowledge import STAGE_REPORT
from campaign.pages.ships import ships
from campaign.pages.week import reports
from campaign.rules.codec import to_document
from campaign.rules.hexes import labels
from campaign.rules.scenario import Scenario
from campaign.rules.view import Fleet, Ship, Sighting, View
from campaign.sight import views
from campaign.sight.reports import list_reports_and_battles
from campaign.sight.views import Sight, current_sight
from campaign.store.documents import scenario_of
from campaign.web.folding import FOLD_FROM
from engine.core.cache import clear_all_caches
from engine.core.canonical import digest
from tests.campaign.pages.war.browsing import Player, at
from tests.growth import Work, check_growth, work_of

pytestmark = pytest.mark.django_db

FLEETS, SHIPS = FOLD_FROM, 1  # number of rows that pages fold
PAGES = ("", "map/", "orders/", "ships/", "visibility/")
WEEKS = 30
PAGES_OF_THE_PAST = ("", "reports/", "gazette/")


def with_fleets(view: View, hexes: Sequence[str], count: int) -> View:
    """Return the view with so many fleets of a few ships each, and as many contacts."""
    model = view.fleets[0]
    model_ships = [ship for ship in view.ships if ship.fleet == model.key][:SHIPS]
    fleets, ships, sightings = [], [], []
    for number in range(1, count + 1):
        key, hex_ = f"ember/f{number}", hexes[number % len(hexes)]
        fleets.append(replace(model, key=key, name=f"Fleet {number}", hex=hex_))
        for place, ship in enumerate(model_ships):
            id_ = f"ember/s{number * SHIPS + place}"
            ships.append(replace(ship, key=id_, name=f"{ship.name} {number}", fleet=key))
        week = view.week - number // len(hexes)
        sightings.append(Sighting(week, hex_, "frost", (("capital", 1), ("escort", 4))))
    return replace(view, fleets=tuple(fleets), ships=tuple(ships), sightings=tuple(sightings))


def work_of_pages(ember: Player, pages: Iterable[str]) -> dict[str, Work]:
    """Return the work of each page."""
    return {page: work_of(partial(ember.client.get, ember.url(page))) for page in pages}


def check_by_fleets(patch: pytest.MonkeyPatch, pages: Sequence[str]) -> None:
    """Check how pages grow with the faction's fleets and contacts."""
    ember = at("orders")
    scenario = scenario_of(ember.campaign)
    hexes = labels(scenario.columns, scenario.rows)
    first_view = current_sight(ember.campaign, ember.faction).view
    for page in pages:  # loads modules and templates
        ember.get(page)
    clear_all_caches()
    scenario_of(ember.campaign)  # once for all fleets
    work = {}
    for count in (0, FLEETS, 2 * FLEETS):
        view = with_fleets(first_view, hexes, count)
        new_sight = Sight(1, view, digest(to_document(view)))
        patch.setattr(views, "_sight", partial(_always, new_sight))
        work[count] = work_of_pages(ember, pages)
    for page in pages:
        check_growth(
            page or "war room",
            work[FLEETS][page],
            work[2 * FLEETS][page],
            work[0][page],
        )


def _always(same_sight: Sight, _: object) -> Sight:
    return same_sight


def test_page_cost_grows_linearly_with_fleets(monkeypatch: pytest.MonkeyPatch) -> None:
    check_by_fleets(monkeypatch, PAGES)


def add_stage_reports(ember: Player, weeks: int) -> None:
    """Give the player another stage report, with its view, for each of so many weeks.

    Each has its own `seq`, so a page with a query for each report's `seq` shows it here.
    """
    report = models.Report.objects.filter(faction=ember.faction, kind=STAGE_REPORT).latest("seq")
    snapshot = models.Snapshot.objects.get(branch=report.branch, seq=report.seq)
    view = models.View.objects.get(snapshot=snapshot, faction=ember.faction)
    for number in range(1, weeks + 1):
        seq = report.seq + number
        after = copied(snapshot, seq=seq)
        copied(view, seq=seq, snapshot=after)
        subject = f"week {number} of {weeks}"
        week = report.week + number
        copied(report, seq=seq, week=week, subject=subject, public_id=uuid4())


Row = TypeVar("Row", models.Report, models.Snapshot, models.View)


def copied(row: Row, **changed: Any) -> Row:
    """Store a copy of this row with other values in some fields."""
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    values.pop("id")
    copy = type(row)(**values)
    for name, value in changed.items():
        setattr(copy, name, value)
    copy.save(force_insert=True)
    return copy


def check_by_weeks(pages: Sequence[str]) -> None:
    """Check how pages grow with the weeks reported to the player."""
    ember = at("orders")
    for page in pages:  # loads modules and templates
        ember.get(page)
    found = []
    for weeks in (0, WEEKS, WEEKS):
        add_stage_reports(ember, weeks)
        clear_all_caches()
        found.append(work_of_pages(ember, pages))
    none, few, many = found
    for page in pages:
        name = page or "war room"
        check_growth(name, few[page], many[page], none[page])


def test_past_page_cost_grows_linearly_with_weeks() -> None:
    """These are the pages about past weeks, and the war room, which shows only the newest."""
    check_by_weeks(PAGES_OF_THE_PAST)


def test_query_per_report_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Insert a query for the view of each report in the list of reports."""

    def with_views(campaign: models.Campaign, faction: models.Faction) -> Any:
        summaries, battles = list_reports_and_battles(campaign, faction)
        for summary in summaries:
            views.sight_after(campaign, faction, summary.seq)
        return summaries, battles

    monkeypatch.setattr(reports, "list_reports_and_battles", with_views)
    with pytest.raises(pytest.fail.Exception, match=r"(?s)^reports/.* queries .*campaign_view"):
        check_by_weeks(["reports/"])


def test_loop_over_all_ships_per_fleet_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Insert a quadratic loop in a page: the failure names it."""
    badges_of = ships._fleet_badges

    def counting_all(
        scenario: Scenario, view: View, fleet: Fleet, ships_in_fleet: Sequence[Ship]
    ) -> tuple[tuple[str, str], ...]:
        fleet_ships = [ship for ship in view.ships if ship.fleet == fleet.key]
        return badges_of(scenario, view, fleet, fleet_ships)

    monkeypatch.setattr(ships, "_fleet_badges", counting_all)
    with pytest.raises(pytest.fail.Exception, match=r"(?s)^ships/.*by .*counting_all"):
        check_by_fleets(monkeypatch, ["ships/"])


def test_query_per_fleet_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Insert a query in a loop of a page: the failure says where it comes from."""
    badges_of = ships._fleet_badges

    def asking(
        scenario: Scenario, view: View, fleet: Fleet, ships_in_fleet: Sequence[Ship]
    ) -> tuple[tuple[str, str], ...]:
        models.Report.objects.filter(subject=fleet.key).exists()
        return badges_of(scenario, view, fleet, ships_in_fleet)

    monkeypatch.setattr(ships, "_fleet_badges", asking)
    with pytest.raises(pytest.fail.Exception, match=r"(?s)^ships/.* queries .*campaign_report"):
        check_by_fleets(monkeypatch, ["ships/"])

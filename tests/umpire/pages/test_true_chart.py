"""The truth beside a view: every fleet on one map; the other shows the faction's own map."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.utils.html import strip_tags

from campaign.kinds import StageKind
from campaign.models import Fleet, Snapshot, Stage
from campaign.selectors.truth import world_of
from campaign.sight.views import sight_after
from campaign.store.documents import scenario_of
from campaign.web import chart_data
from campaign.web.seat_marks import seats
from campaign.words.notices import lines_of
from tests.umpire.pages.staffed_war import StaffedWar
from umpire.pages.meetings import choices_of, meetings_of
from umpire.pages.true_chart import gap, truth

pytestmark = pytest.mark.django_db
DATA = re.compile(r'<script id="true-chart" type="application/json">(.*?)</script>', re.S)


def chart_data_of(desk: StaffedWar, name: str, query: str = "") -> dict[str, Any]:
    page = desk.client("umpire").get(desk.url(name) + query).content.decode()
    match = DATA.search(page)
    assert match is not None
    data: dict[str, Any] = json.loads(match[1])
    return data


def test_true_map_has_every_fleet_and_a_view_its_own(desk: StaffedWar) -> None:
    fleets = {row.key: row.hex for row in Fleet.objects.filter(branch__campaign=desk.campaign)}
    for name in ("umpire", "umpire-map"):
        for row in desk.campaign.factions.all():
            data = chart_data_of(desk, name, f"?as={row.key}")
            assert {fleet["key"]: fleet["hex"] for fleet in data["truth"]["fleets"]} == fleets
            seq = Snapshot.objects.filter(branch__campaign=desk.campaign).latest("seq").seq
            view = sight_after(desk.campaign, row, seq).view
            moment = json.loads(
                json.dumps(chart_data.moment_data(scenario_of(desk.campaign), view))
            )
            assert data["view"] == moment
            assert data["me"] == row.key


def test_two_maps_on_a_page_share_no_id(desk: StaffedWar) -> None:
    page = desk.client("umpire").get(desk.url("umpire")).content.decode()
    ids = re.findall(r'<[^>]* id="([^"]+)"', DATA.sub("", page))
    assert len(ids) == len(set(ids)), [
        element_id for element_id in set(ids) if ids.count(element_id) > 1
    ]
    assert 'id="hexes"' in page
    assert "url(#beside-hexes)" in page


def test_past_week_is_shown_on_both_maps(desk: StaffedWar) -> None:
    past = Snapshot.objects.get(branch__campaign=desk.campaign, week=1, stage="decisions")
    data = chart_data_of(desk, "umpire-map", f"?seq={past.seq}&as=frost")
    assert data["truth"]["week"] == data["view"]["week"] == 1
    assert data["view"]["stage"] == "decisions"
    assert "0804" in data["truth"]["fights"]
    page = unescape(
        desk.client("umpire").get(desk.url("umpire-map") + f"?seq={past.seq}").content.decode()
    )
    assert f"?seq={past.seq}&as=frost#map" in page
    assert desk.client("umpire").get(desk.url("umpire-map") + "?as=nobody").status_code == 404
    assert desk.client("umpire").get(desk.url("umpire") + "?as=nobody").status_code == 404


def test_unknown_things_are_counted_and_named(desk: StaffedWar) -> None:
    scenario = scenario_of(desk.campaign)
    row = desk.campaign.factions.get(key="ember")
    for snapshot in Snapshot.objects.filter(branch__campaign=desk.campaign):
        world, view = world_of(snapshot), sight_after(desk.campaign, row, snapshot.seq).view
        differences = gap(scenario, world, view)
        others = [fleet for fleet in world.fleets if fleet.faction == "frost"]
        scanned = {
            scan.hex
            for scan in view.sightings
            if scan.week == view.week and any(n for _, n in scan.counts)
        }
        assert differences.foreign_fleets == len(others)
        assert differences.unseen >= sum(fleet.hex not in scanned for fleet in others)
        assert differences.unseen <= differences.foreign_fleets
        if snapshot.stage == StageKind.ORDERS and snapshot.week == 1:
            assert (differences.unseen, differences.wrong) == (len(others), ())
            assert differences.ships == sum(ship.faction == "frost" for ship in world.ships)
    page = desk.client("umpire").get(desk.url("umpire") + "?as=ember").content.decode()
    assert (
        f"of {differences.foreign_fleets}</b> other fleets" in page
        or "sees all other fleets" in page
    )


def test_seats_have_colours_on_the_true_map(desk: StaffedWar) -> None:
    chart = truth(scenario_of(desk.campaign), world_of(Snapshot.objects.latest("seq")))
    numbers = seats(scenario_of(desk.campaign))
    assert {fleet["seat"] for fleet in chart["fleets"]} == set(numbers.values())
    assert all(fleet["seat"] == numbers[fleet["power"]] for fleet in chart["fleets"])


def test_encounters_show_sealed_and_open_decisions(desk: StaffedWar) -> None:
    snapshot = Snapshot.objects.get(branch__campaign=desk.campaign, week=1, stage="decisions")
    scenario, world = scenario_of(desk.campaign), world_of(snapshot)
    stage = Stage.objects.get(branch__campaign=desk.campaign, week=1, kind="decisions")
    (place,) = meetings_of(scenario, world, {})
    assert place.place == "Frost (0804)"
    assert [part.choice for part in place.rows[0].parts] == ["open", "open"]
    sealed = choices_of(
        (row.faction.key, row.payload) for row in stage.submissions.select_related("faction")
    )
    (place,) = meetings_of(scenario, world, sealed)
    assert {part.choice for part in place.rows[0].parts} <= {
        "fights",
        "stands off",
        "withdraws",
        "open",
    }
    assert "fights" in {part.choice for part in place.rows[0].parts}
    after = Snapshot.objects.get(branch__campaign=desk.campaign, week=1, stage="battles")
    (place,) = meetings_of(scenario, world_of(after), {})
    assert place.rows[0].outcome == "battle"


def test_report_can_be_read_before_publication(desk: StaffedWar) -> None:
    last = Stage.objects.filter(branch__campaign=desk.campaign, status="resolved").latest("ordinal")
    page = unescape(desk.client("umpire").get(desk.url("umpire") + "?as=frost").content.decode())
    assert "The last report" in page
    assert "as Frost Assembly sees it" in page
    later = last.publishes_at
    assert later is not None
    Stage.objects.filter(pk=last.pk).update(publishes_at=later.replace(year=later.year + 1))
    page = unescape(
        strip_tags(desk.client("umpire").get(desk.url("umpire") + "?as=frost").content.decode())
    )
    assert "The report, before it goes out" in page
    row = desk.campaign.factions.get(key="frost")
    seq = Snapshot.objects.filter(branch__campaign=desk.campaign).latest("seq")
    Stage.objects.filter(pk=last.pk).update(publishes_at=later)
    for line in lines_of(
        scenario_of(desk.campaign), "frost", sight_after(desk.campaign, row, seq.seq).view.notices
    ):
        assert line.words in page

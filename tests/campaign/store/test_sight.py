"""The only way to what a faction may know: what it returns, and which tables it reads."""

from __future__ import annotations

import dataclasses
import re
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.errors import NotFound, NoViewer
from campaign.models import Campaign, Faction, Report, Snapshot, Stage
from campaign.models.knowledge import View as ViewRow
from campaign.rules.perception import initial_view
from campaign.sight import reports, views
from campaign.store.documents import scenario_of
from tests.umpire.services.wars import (
    ATTACK,
    campaign_of,
    play_until,
    resolve_stage,
    start_campaign,
)

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
TABLE = re.compile(r'(?:FROM|JOIN|INTO|UPDATE) "(\w+)"', re.IGNORECASE)
ALLOWED = {
    "campaign_view",
    "campaign_report",
    "campaign_stage",
    "campaign_branch",
    "campaign_lineage",
}  # of a stage: when its outcome is published; of a branch: which rows are on its line


@pytest.fixture
def fought() -> Stage:
    """Return the stage after a week with a battle."""
    stage = play_until("battles", start_campaign(seed=5, admirals={"ember": ATTACK})[1])
    following = resolve_stage(stage).next
    assert following is not None
    return following


def tables_touched(queries: CaptureQueriesContext) -> set[str]:
    return {table for query in queries.captured_queries for table in TABLE.findall(query["sql"])}


@pytest.mark.any_database
@pytest.mark.rule("camp.hidden")
def test_sight_reads_only_views_and_reports(fought: Stage) -> None:
    campaign, ember = Campaign.objects.get(), Faction.objects.get(key="ember")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        sight_now = views.current_sight(campaign, ember)
        views.sight_after(campaign, ember, 1)
        views.sight_at_stage(fought, ember)
        for report in reports.list_reports(campaign, ember):
            if report.seq == sight_now.seq:
                reports.read_report(campaign, ember, report.id)
    assert len(queries) >= 6
    assert tables_touched(queries) == ALLOWED


def test_query_log_shows_access_to_the_truth(fought: Stage) -> None:
    with CaptureQueriesContext(connection) as queries:
        Snapshot.objects.filter(views__faction__key="ember").first()
    assert tables_touched(queries) == {"campaign_snapshot", "campaign_view", "campaign_faction"}


@pytest.mark.any_database
@pytest.mark.rule("camp.hidden")
def test_faction_sees_own_ships_and_no_enemy(fought: Stage) -> None:
    campaign = Campaign.objects.get()
    for key in ("ember", "frost"):
        view = views.current_sight(campaign, Faction.objects.get(key=key)).view
        assert view.faction == key
        assert {ship.faction for ship in view.ships} == {key}
        assert {fleet.faction for fleet in view.fleets} == {key}


@pytest.mark.any_database
def test_nothing_is_visible_without_a_viewer(fought: Stage) -> None:
    campaign, stranger = Campaign.objects.get(), Faction.objects.get(key="ember")
    other = campaign_of()
    for viewer in (None, Faction.objects.filter(campaign=other).first()):
        with pytest.raises(NoViewer):
            views.current_sight(campaign, viewer)
        with pytest.raises(NoViewer):
            views.sight_at_stage(fought, viewer)
        with pytest.raises(NoViewer):
            reports.read_report(campaign, viewer, str(uuid.UUID(int=0)))
    with pytest.raises(NoViewer):
        views.current_sight(other, stranger)
    with pytest.raises(NoViewer):
        views.current_sight(other, Faction.objects.filter(campaign=other).first())  # not begun


def test_only_public_facts_are_known_before_deployment() -> None:
    campaign = start_campaign()[0]
    for faction in campaign.factions.all():
        first_view = views.current_sight(campaign, faction).view
        assert first_view == initial_view(scenario_of(campaign), faction.key)
        assert (first_view.fleets, first_view.ships) == ((), ())


@pytest.mark.any_database
def test_past_weeks_stay_as_seen(fought: Stage) -> None:
    campaign, ember = Campaign.objects.get(), Faction.objects.get(key="ember")
    then = [views.sight_after(campaign, ember, seq) for seq in range(4)]
    assert [(old.view.week, old.view.stage) for old in then] == [
        (0, "deploy"), (1, "orders"), (1, "decisions"), (1, "battles"),
    ]  # fmt: skip
    resolve_stage(fought)
    assert [views.sight_after(campaign, ember, seq) for seq in range(4)] == then
    assert views.current_sight(campaign, ember).seq == 5


def test_etag_changes_with_the_view(fought: Stage) -> None:
    rows = ViewRow.objects.filter(faction__key="frost").order_by("seq")
    bodies, tags = [row.body for row in rows], [row.sha256 for row in rows]
    for first in range(len(bodies)):
        for second in range(len(bodies)):
            assert (bodies[first] == bodies[second]) == (tags[first] == tags[second])


def test_foreign_and_missing_reports_are_equal(fought: Stage) -> None:
    campaign, ember = Campaign.objects.get(), Faction.objects.get(key="ember")
    hidden = Report.objects.filter(faction__key="frost", kind="battle").get()
    words = set()
    for report_id in (str(hidden.public_id), str(uuid.UUID(int=7)), "7", ""):
        with pytest.raises(NotFound) as caught:
            reports.read_report(campaign, ember, report_id)
        words.add(str(caught.value))
    assert len(words) == 1


def test_two_factions_know_a_battle_by_different_ids(fought: Stage) -> None:
    reports = Report.objects.filter(kind="battle").order_by("faction__key")
    assert len(reports) == 2
    assert len({report.public_id for report in reports}) == 2
    assert len({report.body["battle"] for report in reports}) == 2
    assert reports[0].body["chain"] == reports[1].body["chain"]


@pytest.mark.any_database
def test_battle_report_has_its_own_sides_views(fought: Stage) -> None:
    for report in Report.objects.filter(kind="battle").select_related("faction"):
        key = report.faction.key
        assert report.body["side"] == key
        for phase in report.body["phases"]:
            assert phase["own"]
            assert all(ship.startswith(f"{key}/") for ship in phase["own"])


def test_first_phase_names_no_enemy_ship(fought: Stage) -> None:
    """Enemies arrive as bogeys: contact codes, no keys."""
    for report in Report.objects.filter(kind="battle").select_related("faction"):
        other = "frost" if report.faction.key == "ember" else "ember"
        first = report.body["phases"][0]
        bogeys = [contact for contact in first["contacts"] if "class" not in contact]
        assert bogeys
        assert not any(contact["id"].startswith(other) for contact in bogeys)


@pytest.mark.any_database
def test_sight_is_a_value(fought: Stage) -> None:
    campaign, ember = Campaign.objects.get(), Faction.objects.get(key="ember")
    assert dataclasses.is_dataclass(views.current_sight(campaign, ember))
    assert views.current_sight(campaign, ember) == views.current_sight(campaign, ember)


def test_battle_hex_is_text(fought: Stage) -> None:
    """First Steps is fought at 0304; this battle is at a hex without a leading zero."""
    campaign, ember = Campaign.objects.get(), Faction.objects.get(key="ember")
    row = Report.objects.get(faction=ember, kind="battle")
    Report.objects.create(
        public_id=uuid.uuid4(),
        branch=row.branch,
        seq=row.seq,
        week=row.week,
        stage=row.stage,
        faction=ember,
        kind="battle",
        subject="1705/w1/ember+frost",
        schema=row.schema,
        body={**row.body, "hex": "1705", "winner": None},
    )
    battles = reports.list_battles(campaign, ember)
    assert [(battle.hex, battle.winner) for battle in battles] == [
        (row.body["hex"], row.body["winner"]),
        ("1705", None),
    ]

"""A site of an earlier release goes on under this one: what was stored is read, and comes to the
same end.
"""

from __future__ import annotations

from typing import Any

import pytest

from campaign.events.contacts import Survivors
from campaign.models import Battle, BattleStop, Campaign, LedgerRow, Report, Snapshot, Stage
from campaign.selectors.rules import rules_of
from campaign.services.stops import fights_of, newest_sheet
from campaign.services.tables import tables_of
from campaign.sight.reports import list_battles, list_reports, list_sheets, read_stops
from engine.core.canonical import digest, encode_floats
from engine.core.errors import RuleViolations
from engine.core.schemas import BATTLE
from engine.core.versions import NEWEST, UnknownRules
from tests.engine.frozen.fighting import before_reasons
from tests.sealing import stop_seal, table_seal
from tests.umpire.services.wars import attack
from tests.umpire.stored.site import expected_results, restore_site, war
from umpire.services.battle_stops import stop_resolve
from umpire.services.ledger import ledger_faults
from umpire.services.records import battle_of, result_of, start_of, step_of, week_events_of
from umpire.services.stages import Resolution, stage_resolve
from umpire.services.tables import table_compare

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def site() -> None:
    restore_site()


def battle(campaign: Campaign) -> Battle:
    return Battle.objects.select_related("branch__campaign").get(branch__campaign=campaign)


def result_as_stored(row: Battle) -> dict[str, Any]:
    """A battle's result without what the release of these wars did not keep of it."""
    assert row.result is not None
    return {key: value for key, value in row.result.items() if key != "seen"}


def events_then(snapshot: Snapshot) -> list[dict[str, Any]]:
    """What happened, without what the release of these wars did not tell."""
    events: list[dict[str, Any]] = snapshot.happenings
    return [event for event in events if event["code"] != Survivors.code]


def with_old_texts(stop: BattleStop) -> list[Any]:
    """The events and views of a stop, with the texts that the release of these wars stored for
    reasons.
    """
    views: dict[str, Any] = stop.views
    events = [before_reasons(line) for line in stop.events]
    logs = {name: [before_reasons(line) for line in view["log"]] for name, view in views.items()}
    return [events, {name: {**view, "log": logs[name]} for name, view in views.items()}]


def resolve_week(campaign: Campaign) -> Resolution:
    stage = Stage.objects.get(branch__campaign=campaign, battle__isnull=True, status="open")
    resolution = stage_resolve(stage=stage.pk, force=True, admiral=attack)
    assert resolution is not None
    return resolution


def play_stops(campaign: Campaign, orders: list[dict[str, Any]]) -> None:
    """Every stop by the orders that were given there then, as far as they are not sealed
    already.
    """
    for orders_of_stop in orders:
        stage = Stage.objects.get(branch__campaign=campaign, battle__isnull=False, status="open")
        for faction in campaign.factions.order_by("key"):
            (fight,) = fights_of(campaign, faction)
            if fight.state == "open":
                assert newest_sheet(campaign, faction, fight)["advice"] is not None
                stop_seal(fight=fight, faction=faction, payload=orders_of_stop[faction.key])
        assert stop_resolve(stage=stage.pk)


@pytest.mark.parametrize("name", ["online", "single"])
def test_battles_online_are_played_on_to_the_same_end(name: str) -> None:
    campaign, then = war(name), expected_results()[name]
    row = battle(campaign)
    assert (row.schema, "rules" in row.start, start_of(row)["rules"]) == (1, False, "0.4")
    assert battle_of(row).state.terms.rules == "0.4"
    play_stops(campaign, then["orders"])
    resolution = resolve_week(campaign) if name == "online" else None
    row = battle(campaign)
    assert row.state is not None
    assert (row.state["schema"], row.state["terms"]["rules"]) == (BATTLE.schema, "0.4")
    assert (row.state["ships"], row.state["turn"], row.state["stop"]) == (
        then["ships"],
        then["turn"],
        then["stop"],
    )
    stops = [with_old_texts(stop) for stop in BattleStop.objects.filter(battle=row).order_by("seq")]
    assert [digest(encode_floats(stop)) for stop in stops] == then["stops"]
    if resolution is not None:
        assert result_as_stored(row) == then["result"]
        assert resolution.stage.to_snapshot is not None
        assert digest(events_then(resolution.stage.to_snapshot)) == then["happenings"]
        assert ledger_faults(branch=resolution.stage.branch) == ()
        assert step_of(resolution.stage).results == (result_of(row),)
        for faction in campaign.factions.all():
            (online_battle,) = list_battles(campaign, faction)
            assert len(read_stops(campaign, faction, online_battle.id)) == len(stops) + 1


def test_results_of_a_table_are_judged_by_the_sheets_that_were_handed_out_then() -> None:
    campaign, then = war("table"), expected_results()["table"]
    (orders,) = then["orders"]
    for faction in campaign.factions.order_by("key"):
        (table,) = tables_of(campaign, faction)
        assert (table.sheet["rules"], len(table.checks)) == ("0.4", 1)
        table_seal(table=table, faction=faction, payload=orders[faction.key])
    stage = Stage.objects.get(branch__campaign=campaign, battle__isnull=False, status="open")
    assert table_compare(stage=stage.pk) == "agreed"
    resolution = resolve_week(campaign)
    assert result_as_stored(battle(campaign)) == then["result"]
    assert resolution.stage.to_snapshot is not None
    assert digest(events_then(resolution.stage.to_snapshot)) == then["happenings"]
    assert ledger_faults(branch=resolution.stage.branch) == ()


def test_a_war_of_captains_goes_on_by_its_rules_and_its_ledger_stays_whole() -> None:
    campaign = war("captains")
    assert rules_of(campaign).first_version == "0.4"
    resolution = resolve_week(campaign)
    rows = LedgerRow.objects.filter(branch=campaign.head_branch).order_by("seq")
    assert [(row.schema, row.body["rules_version"], row.body.get("release")) for row in rows] == [
        *[(1, "0.4", None)] * 3,
        (2, "0.4", NEWEST),  # resolved by the release that runs
    ]
    assert ledger_faults(branch=resolution.stage.branch) == ()
    for faction in campaign.factions.all():
        assert list_reports(campaign, faction)


def test_a_battle_keeps_the_rules_that_stand_in_its_row() -> None:
    campaign = war("online")
    Battle.objects.filter(branch__campaign=campaign).update(rules_version="0.3")
    row = battle(campaign)
    assert (start_of(row)["rules"], battle_of(row).state.terms.rules) == ("0.3", "0.3")
    Battle.objects.filter(pk=row.pk).update(rules_version="0.1")
    assert start_of(battle(campaign))["rules"] == "0.3"


def test_what_a_later_release_wrote_is_refused_and_nothing_is_changed() -> None:
    campaign = war("online")
    row = battle(campaign)
    (faction, *_) = campaign.factions.order_by("key")
    sheets = list_sheets(campaign, faction, "stop")
    stage = Stage.objects.get(battle=row, status="open")
    before = BattleStop.objects.count(), Snapshot.objects.count(), Report.objects.count()
    assert row.state is not None
    Battle.objects.filter(pk=row.pk).update(state=row.state | {"schema": BATTLE.schema + 1})
    with pytest.raises(
        RuleViolations, match=f"version {BATTLE.schema + 1} of 'battle' cannot be read"
    ):
        stop_resolve(stage=stage.pk, force=True)
    Battle.objects.filter(pk=row.pk).update(state=row.state, rules_version="7")
    with pytest.raises(UnknownRules, match="'7' is not known"):
        stop_resolve(stage=stage.pk, force=True)
    Battle.objects.filter(pk=row.pk).update(schema=3)
    with pytest.raises(RuleViolations, match="version 3 of 'battle start' cannot be read"):
        start_of(battle(campaign))
    assert (BattleStop.objects.count(), Snapshot.objects.count(), Report.objects.count()) == before
    assert Stage.objects.get(pk=stage.pk).status == "closed"
    Battle.objects.filter(pk=row.pk).update(schema=1, rules_version="0.4")
    assert stop_resolve(stage=stage.pk)
    assert list_sheets(campaign, faction, "stop")[: len(sheets)] == sheets


def test_unknown_shapes_of_single_documents_are_refused() -> None:
    campaign = war("captains")
    row = battle(campaign)
    row.result = {"schema": 2}
    with pytest.raises(RuleViolations, match="battle result"):
        result_of(row)
    snapshot = Snapshot.objects.filter(branch__campaign=campaign).latest("seq")
    assert week_events_of(snapshot)
    snapshot.happenings = {"schema": 2, "happenings": []}
    with pytest.raises(RuleViolations, match="happenings cannot be read"):
        week_events_of(snapshot)

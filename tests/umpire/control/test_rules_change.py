"""The rules of a war: it keeps its version unless its host changes it for the coming weeks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command

from campaign.access import Viewer
from campaign.errors import AlreadyOver, NotAllowed, NotFound, NotStarted, StageClosed
from campaign.models import Act, Battle, Campaign, LedgerRow, Snapshot, Stage
from campaign.rules.files import fixture_scenario
from campaign.selectors.rules import rules_now
from campaign.services.campaigns import campaign_create, membership_add
from campaign.services.scenarios import scenario_import
from campaign.services.seats import campaign_begin
from config.backup import backup_restore, backup_write
from engine.core.errors import RuleViolations
from engine.core.versions import NEWEST, UnknownRules
from tests.campaign.seats.people import join_by_invitation, open_campaign, person, viewer
from tests.rulesets import write_ruleset
from tests.two_versions import OLD, UNPLAYED, two_versions
from tests.umpire.services.wars import ATTACK, attack, play_until, resolve_stage
from umpire.services.control import rules_change
from umpire.services.ledger_checks import ledger_faults
from umpire.services.records import battle_of
from umpire.services.stages import stage_resolve
from umpire.services.wars import campaign_start, war_run

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _older_rules() -> Iterator[None]:
    with two_versions():
        yield


def open_under_old_rules(**settings: Any) -> Campaign:
    """Open a war under an earlier version of the rules."""
    with mock.patch("campaign.services.campaigns.NEWEST", OLD):
        return campaign_create(
            scenario=scenario_import(
                scenario=fixture_scenario(settings.pop("slug", "first-steps"))
            ),
            **{
                "admirals": {"ember": ATTACK, "frost": ATTACK},
                "seed": "5" * 64,
                "dice_key": "rules",
                **settings,
            },
        )


def start_old_war(slug: str = "first-steps") -> Viewer:
    """Start such a war, and return its host."""
    with mock.patch("campaign.services.campaigns.NEWEST", OLD):
        _, host = open_campaign(slug)
    campaign_begin(viewer=host, unattended=True)
    return viewer(host.campaign, "hope")


def open_stage(campaign: Campaign) -> Stage:
    return Stage.objects.get(branch__campaign=campaign, battle__isnull=True, status="open")


def play_to_week(campaign: Campaign, week: int) -> Stage:
    """Return the first stage of a week, open."""
    stage = open_stage(campaign)
    while stage.week < week:
        stage = resolve_stage(stage).next or stage
    return stage


def rows(campaign: Campaign) -> list[tuple[int, str, str]]:
    """Return week, rules and release of every row of the ledger."""
    ledger_rows = LedgerRow.objects.filter(branch__campaign=campaign).order_by("seq")
    return [
        (row.body["week"], row.body["rules_version"], row.body["release"]) for row in ledger_rows
    ]


@pytest.mark.any_database
def test_old_war_continues_with_its_rules() -> None:
    campaign = open_under_old_rules()
    last = war_run(campaign=campaign, progress=lambda resolution: None, admiral=attack)
    assert {(rules, release) for _, rules, release in rows(campaign)} == {(OLD, NEWEST)}
    assert set(
        Snapshot.objects.filter(branch__campaign=campaign).values_list("rules_version", flat=True)
    ) == {OLD}
    battles = list(Battle.objects.filter(branch__campaign=campaign))
    assert battles
    for battle in battles:
        assert battle.state is not None
        assert (
            battle.rules_version == battle.start["rules"] == battle.state["terms"]["rules"] == OLD
        )
    assert ledger_faults(branch=last.branch) == ()


def test_host_switches_rules_from_the_next_week_on() -> None:
    host = start_old_war()
    campaign = host.campaign
    stage = play_until("decisions", open_stage(campaign))
    record = rules_change(viewer=host, version=NEWEST, stage=stage.ordinal, reason="all agreed")
    coming = record.next_change_over(1)
    assert coming is not None
    assert (coming.week, coming.before, coming.after, coming.by) == (2, OLD, NEWEST, "hope")
    assert (
        record.version_in(1),
        record.version_in(2),
        record.past_change_overs(1),
        len(record.past_change_overs(2)),
    ) == (OLD, NEWEST, (), 1)
    act = Act.objects.get()
    assert (act.verb, act.stage, act.body["facts"]) == (
        "rules",
        stage,
        {"from": OLD, "to": NEWEST, "week": 2},
    )
    rules_change(viewer=host, version=NEWEST, stage=stage.ordinal)  # sent twice, done once
    assert Act.objects.count() == 1
    play_to_week(campaign, 3)
    assert {(week, rules) for week, rules, _ in rows(campaign)} == {(0, OLD), (1, OLD), (2, NEWEST)}
    assert [battle.start["rules"] for battle in Battle.objects.order_by("week")] == [
        OLD if battle.week == 1 else NEWEST for battle in Battle.objects.order_by("week")
    ]
    branch = campaign.head_branch
    assert branch is not None
    assert ledger_faults(branch=branch) == ()


@pytest.mark.any_database
def test_this_weeks_battle_keeps_its_rules() -> None:
    campaign = open_under_old_rules(
        battles="online", admirals={"ember": ATTACK}, seed="7" * 64, dice_key="online"
    )
    membership_add(campaign=campaign, user=person("hope"), role="host")
    membership_add(
        campaign=campaign,
        user=person("flo"),
        role="player",
        faction=campaign.factions.get(key="frost"),
    )
    stage = play_until("battles", campaign_start(campaign=campaign))
    host = viewer(campaign, "hope")
    battle = Battle.objects.get(branch__campaign=campaign)
    rules_change(viewer=host, version=NEWEST)
    assert battle_of(battle).state.terms.rules == OLD
    assert stage_resolve(stage=stage.pk, force=True, admiral=attack) is not None
    battle.refresh_from_db()
    assert battle.state is not None
    assert (battle.status, battle.state["terms"]["rules"]) == ("fought", OLD)
    assert rules_now(campaign).version_in(2) == NEWEST


def test_planned_switch_is_cancelled_by_choosing_the_current_rules() -> None:
    host = start_old_war()
    rules_change(viewer=host, version=OLD)
    assert not Act.objects.exists()  # already so
    rules_change(viewer=host, version=NEWEST)
    record = rules_change(viewer=host, version=OLD)
    assert (record.next_change_over(0), record.version_in(1), len(record.change_overs)) == (
        None,
        OLD,
        2,
    )
    rules_change(viewer=host, version=NEWEST)
    assert rules_now(host.campaign).version_in(1) == NEWEST


@pytest.mark.any_database
def test_impossible_switch_is_refused() -> None:
    host = start_old_war()
    stage = open_stage(host.campaign)
    for version in (UNPLAYED, "9.9", "", "newest"):
        with pytest.raises(RuleViolations, match=re.escape(f"0.9, {NEWEST}")):
            rules_change(viewer=host, version=version)
    with pytest.raises(StageClosed):
        rules_change(viewer=host, version=NEWEST, stage=stage.ordinal + 1)
    for name, role, faction in (("pia", "player", "ember"), ("ole", "observer", "")):
        with pytest.raises(NotFound):
            rules_change(
                viewer=join_by_invitation(host, name, role=role, faction=faction), version=NEWEST
            )
    assert not Act.objects.filter(verb="rules").exists()
    rules_change(viewer=host, version=NEWEST)
    play_to_week(host.campaign, 1)
    with pytest.raises(RuleViolations, match=r"cannot go back to 0\.9"):
        rules_change(viewer=host, version=OLD)
    last = play_to_week(host.campaign, 3)
    with pytest.raises(NotAllowed, match="last week"):
        rules_change(viewer=host, version=NEWEST)
    assert last.week == 3
    war_run(campaign=host.campaign, progress=lambda resolution: None, admiral=attack)
    with pytest.raises(AlreadyOver):
        rules_change(viewer=host, version=NEWEST)


@pytest.mark.any_database
def test_rules_cannot_be_switched_before_the_war_or_in_a_battle() -> None:
    _, host = open_campaign()
    with pytest.raises(NotStarted):
        rules_change(viewer=host, version=NEWEST)
    single = start_old_battle()
    with pytest.raises(NotAllowed, match="single battle"):
        rules_change(viewer=single, version=NEWEST)
    assert Battle.objects.get().start["rules"] == OLD


def start_old_battle() -> Viewer:
    with mock.patch("campaign.services.campaigns.NEWEST", OLD):
        _, host = open_campaign("meeting-engagement", host="hugo")
    campaign_begin(viewer=host, unattended=True)
    return viewer(host.campaign, "hugo")


@pytest.mark.any_database
def test_unplayable_rules_continue_with_the_next_and_are_recorded() -> None:
    campaign = open_under_old_rules()
    write_ruleset(campaign, campaign.ruleset | {"rules_version": UNPLAYED})
    campaign.refresh_from_db()
    stage = campaign_start(campaign=campaign)
    resolve_stage(stage)
    record = rules_now(campaign)
    assert (record.recorded_version(1), record.version_in(1)) == (UNPLAYED, OLD)
    assert rows(campaign) == [(0, OLD, NEWEST)]


def test_rules_of_a_later_release_are_refused() -> None:
    campaign = open_under_old_rules()
    write_ruleset(campaign, campaign.ruleset | {"rules_version": "7"})
    campaign.refresh_from_db()
    with pytest.raises(UnknownRules, match="'7' is not known"):
        campaign_start(campaign=campaign)
    assert not Snapshot.objects.exists()
    write_ruleset(campaign, campaign.ruleset | {"rules_version": OLD})
    campaign.refresh_from_db()
    stage = campaign_start(campaign=campaign)
    write_ruleset(campaign, campaign.ruleset | {"rules_version": "7"})
    with pytest.raises(UnknownRules):
        stage_resolve(stage=stage.pk, force=True, admiral=attack)
    assert (Snapshot.objects.count(), LedgerRow.objects.count()) == (1, 0)
    assert Stage.objects.get(pk=stage.pk).status == "closed"


@pytest.mark.any_database
@pytest.mark.django_db(transaction=True)
def test_backup_keeps_the_rules_of_its_wars(tmp_path: Path) -> None:
    host = start_old_war()
    rules_change(viewer=host, version=NEWEST, reason="all agreed")
    before = rules_now(host.campaign)
    path = tmp_path / "war.jsonl.gz"
    backup_write(path=path)
    call_command("flush", verbosity=0, interactive=False)
    backup_restore(path=path)
    campaign = Campaign.objects.select_related("head_branch", "scenario").get()
    assert rules_now(campaign) == before
    play_to_week(campaign, 2)
    assert {(week, rules) for week, rules, _ in rows(campaign)} == {(0, OLD), (1, NEWEST)}

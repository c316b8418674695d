"""Rolling a war back: the branch it opens, orders and dice, who may decide, and votes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from campaign.access import Viewer, viewer_of
from campaign.errors import HistoryChanged, NotAllowed, NotFound, StageClosed
from campaign.kinds import BranchDice, ProposalState
from campaign.models import (
    Act,
    Battle,
    BattlePhase,
    Campaign,
    Draft,
    Fleet,
    LedgerRow,
    Membership,
    Notification,
    Proposal,
    Snapshot,
    Stage,
    Submission,
)
from campaign.orders.codec import orders_payload
from campaign.orders.defaults import default_orders
from campaign.rules.files import fixture_scenario
from campaign.rules.rollback_rules import RollbackRules
from campaign.selectors.clock import seats_at, waiting_stage
from campaign.services.campaigns import membership_add
from campaign.services.phases import fights_of
from campaign.services.tokens import token_make
from campaign.services.view_openings import view_opening_record
from campaign.sight.reports import list_reports
from campaign.sight.views import current_sight, sight_at_stage
from campaign.store.documents import scenario_of
from engine.core.errors import RuleViolations
from engine.notation.terms import laid_asteroids
from tests.campaign.api.calls import Caller
from tests.rulesets import write_ruleset
from tests.sealing import orders_seal
from tests.umpire.services.online_war import OnlineWar
from tests.umpire.services.wars import campaign_at, play_until, resolve_stage, start_campaign
from umpire.services import history
from umpire.services.battle_phases import phase_resolve
from umpire.services.checking import campaign_faults
from umpire.services.control import faction_excuse
from umpire.services.history import (
    Place,
    Power,
    head_place,
    history_take_back,
    rollback_power,
    rollback_propose,
    targets_of,
)
from umpire.services.projection import projection_rebuild
from umpire.services.proposals import newest_proposal, proposal_answer, proposal_withdraw
from umpire.services.spoil_reports import spoil_report

pytestmark = pytest.mark.django_db


def member(campaign: Campaign, name: str, role: str, faction: str = "") -> Viewer:
    """Return the viewer of a new member."""
    user, _ = User.objects.get_or_create(username=name)
    row = campaign.factions.get(key=faction) if faction else None
    membership_add(campaign=campaign, user=user, role=role, faction=row)
    return viewer_of(user, campaign.public_id)


def log_in(client: Client, who: Viewer) -> None:
    client.force_login(User.objects.get(pk=who.user.pk))


def seal(stage: Stage, faction: str) -> Submission:
    """Seal the default orders as the faction's player would."""
    row = stage.branch.campaign.factions.get(key=faction)
    orders = default_orders(scenario_of(stage.branch.campaign), sight_at_stage(stage, row).view)
    orders_seal(stage=stage, faction=row, payload=orders_payload(orders))
    return Submission.objects.get(stage=stage, faction=row, withdrawn_at__isnull=True)


def war_in_week_two() -> tuple[Campaign, Stage, Stage]:
    """Return a war in the orders of week 2, with the orders of week 1 sealed by a player.

    Returns:
        The campaign, the stage of week 1, and the open stage.
    """
    campaign, stage = campaign_at("orders")
    seal(stage, "ember")
    following = resolve_stage(stage).next
    assert following is not None
    return campaign, stage, play_until("orders", following)


def roll_back(who: Viewer, to: Stage, **options: Any) -> Stage:
    """Roll back to the beginning of a stage on the line, and return the stage that is open."""
    branch = history_take_back(
        viewer=who,
        to=Place(who.campaign.head_branch.number, to.ordinal),  # type: ignore[union-attr]
        head=head_place(who.campaign),
        reason="a wrong order",
        **options,
    )
    who.campaign.refresh_from_db()
    return Stage.objects.get(branch=branch, battle__isnull=True)


def test_rollback_opens_the_stage_anew_and_leaves_the_rest_readable() -> None:
    campaign, past, left = war_in_week_two()
    player = member(campaign, "pia", "player", "ember")
    sight_then = sight_at_stage(past, player.faction)
    reports_before = list_reports(campaign, player.faction)
    seal(left, "ember")
    stage = roll_back(player, past)
    campaign = Campaign.objects.get(pk=campaign.pk)
    assert (stage.ordinal, stage.week, stage.kind, stage.status) == (
        *(past.ordinal, past.week, past.kind),
        "open",
    )
    assert current_sight(campaign, player.faction).etag == sight_then.etag
    reports = list_reports(campaign, player.faction)
    assert reports == tuple(item for item in reports_before if item.seq <= past.ordinal)
    draft = Draft.objects.get(stage=stage)
    assert draft.payload == Submission.objects.get(stage=past, faction=draft.faction).payload
    assert not Submission.objects.filter(stage=stage).exists()
    left.refresh_from_db()
    assert left.status == "left"
    assert left.branch.left_at is not None
    act = Act.objects.get(verb="take-back")
    assert (act.stage_id, act.branch_id) == (stage.pk, stage.branch_id)
    rows = list(Fleet.objects.filter(branch=stage.branch).order_by("key").values())
    projection_rebuild(branch=stage.branch)
    again = list(Fleet.objects.filter(branch=stage.branch).order_by("key").values())
    assert [{**row, "id": 0} for row in rows] == [{**row, "id": 0} for row in again]
    assert not Fleet.objects.exclude(branch=stage.branch).exists()
    assert Notification.objects.filter(dedupe_key__startswith="rollback/").count() == 1
    following = resolve_stage(stage).next
    assert following is not None
    assert following.ordinal == past.ordinal + 1
    rows_of_line = LedgerRow.objects.filter(branch=stage.branch)
    assert (
        rows_of_line.get().prev_hash
        == LedgerRow.objects.get(stage__to_snapshot=past.from_snapshot).hash
    )


@pytest.mark.any_database
def test_new_dice_never_move_asteroids_that_players_have_seen() -> None:
    belt = ({"kind": "asteroids", "roll": True},)
    systems = tuple(replace(item, terrain=belt) for item in fixture_scenario("first-steps").systems)
    admirals = {"ember": "attack", "frost": "attack"}
    campaign, stage = start_campaign("first-steps", 7, admirals, systems=systems)
    battles = play_until("battles", stage)
    resolve_stage(battles)
    player = member(campaign, "pia", "player", "ember")
    with pytest.raises(RuleViolations) as refused:
        roll_back(player, battles)
    assert [fault.code for fault in refused.value.violations] == ["laid-fields"]
    stage = roll_back(player, battles, dice=BranchDice.SAME)
    sheets = sight_at_stage(stage, player.faction).view.set_ups
    seen = [json.loads(sheet.file)["asteroids"] for sheet in sheets]
    starts = Battle.objects.filter(branch=stage.branch).order_by("key")
    assert seen == [laid_asteroids(battle.start) for battle in starts]
    assert all(seen)


def test_undo_returns_to_where_the_abandoned_timeline_ended() -> None:
    campaign, past, left = war_in_week_two()
    player = member(campaign, "pia", "player", "ember")
    view_then = sight_at_stage(left, player.faction).etag
    roll_back(player, past)
    campaign = player.campaign
    (abandoned,) = [target for target in targets_of(campaign) if target.abandoned]
    history_take_back(
        viewer=player, to=abandoned.place, head=head_place(campaign), reason="back again"
    )
    campaign = Campaign.objects.get(pk=campaign.pk)
    assert current_sight(campaign, player.faction).etag == view_then
    assert list_reports(campaign, player.faction)[-1].seq == left.ordinal
    assert [branch.number for branch in campaign.branches.order_by("pk")] == [1, 2, 3]


@pytest.mark.any_database
def test_same_dice_and_orders_give_the_same_weeks() -> None:
    campaign, past, _ = war_in_week_two()
    player = member(campaign, "pia", "player", "ember")
    stage = roll_back(player, past, dice=BranchDice.SAME)
    sealed = Submission.objects.get(stage=stage)
    assert sealed.digest == Submission.objects.get(stage=past, faction=player.faction).digest
    following = resolve_stage(stage).next
    assert following is not None
    play_until("orders", following)
    first, second = (
        list(
            Snapshot.objects.filter(branch__number=number, seq__gt=past.ordinal)
            .order_by("seq")
            .values_list("seq", "sha256")
        )
        for number in (1, 2)
    )
    assert first == second
    chains = [
        list(BattlePhase.objects.filter(battle__branch__number=n).values_list("seq", "chain"))
        for n in (1, 2)
    ]
    assert chains[0] == chains[1]


@pytest.mark.any_database
def test_fresh_dice_are_those_of_the_new_branch() -> None:
    campaign, past, _ = war_in_week_two()
    player = member(campaign, "pia", "player", "ember")
    stage = roll_back(player, past)
    assert stage.branch.dice_number == stage.branch.number == 2


def test_nothing_happens_twice_or_after_the_war_moved_on() -> None:
    campaign, past, left = war_in_week_two()
    player = member(campaign, "pia", "player", "ember")
    head, to = head_place(player.campaign), Place(1, past.ordinal)
    for wrong in (Place(1, left.ordinal), Place(1, 99), Place(7, 0)):
        with pytest.raises(RuleViolations):
            history_take_back(viewer=player, to=wrong, head=head, reason="no such stage")
    with pytest.raises(RuleViolations, match="reason"):
        history_take_back(viewer=player, to=to, head=head, reason="")
    Stage.objects.filter(pk=left.pk).update(status="closed", closed_at=timezone.now())
    with pytest.raises(StageClosed):
        history_take_back(viewer=player, to=to, head=head, reason="too late")
    Stage.objects.filter(pk=left.pk).update(status="open", closed_at=None)
    history_take_back(viewer=player, to=to, head=head, reason="once")
    with pytest.raises(HistoryChanged):
        history_take_back(viewer=player, to=to, head=head, reason="once")
    assert campaign.branches.count() == 2


@pytest.mark.any_database
def test_who_decides() -> None:
    campaign, _, _ = war_in_week_two()
    host = member(campaign, "hal", "host")
    assert rollback_power(host) is Power.ALONE  # nobody plays
    player = member(campaign, "pia", "player", "ember")
    assert rollback_power(player) is Power.ALONE
    assert rollback_power(host) is Power.VOTE
    other = member(campaign, "flo", "player", "frost")
    assert {rollback_power(who) for who in (host, player, other)} == {Power.VOTE}
    observer = member(campaign, "olga", "observer")
    assert rollback_power(observer) is Power.NONE
    umpire = member(campaign, "uma", "umpire")
    assert rollback_power(umpire) is Power.ALONE
    assert {rollback_power(who) for who in (host, player, other)} == {Power.NONE}
    for who in (host, player, observer):
        with pytest.raises(NotAllowed):
            roll_back(who, Stage.objects.get(branch__campaign=campaign, ordinal=0))


def proposal_of(who: Viewer, to: Stage, **options: Any) -> Proposal:
    return rollback_propose(
        viewer=who,
        to=Place(1, to.ordinal),
        head=head_place(who.campaign),
        reason="a wrong order",
        **options,
    )


@pytest.mark.any_database
def test_every_side_must_consent() -> None:
    campaign, past, left = war_in_week_two()
    player = member(campaign, "pia", "player", "ember")
    other = member(campaign, "flo", "player", "frost")
    with pytest.raises(NotAllowed):
        roll_back(player, past)
    proposal = proposal_of(player, past)
    with pytest.raises(NotAllowed, match="another proposal"):
        proposal_of(other, past)
    assert proposal_answer(viewer=player, proposal=proposal.pk, agree=True).state == "open"
    with pytest.raises(NotAllowed, match="already answered"):
        proposal_answer(viewer=player, proposal=proposal.pk, agree=False)
    with pytest.raises(NotFound):
        proposal_withdraw(viewer=other, proposal=proposal.pk)
    assert proposal_answer(viewer=other, proposal=proposal.pk, agree=True).state == "done"
    left.refresh_from_db()
    assert left.status == "left"
    assert proposal_answer(viewer=other, proposal=proposal.pk, agree=True).state == "done"
    assert campaign.branches.count() == 2


def test_refused_expired_withdrawn_and_outdated_proposals_change_nothing() -> None:
    campaign, past, left = war_in_week_two()
    player = member(campaign, "pia", "player", "ember")
    other = member(campaign, "flo", "player", "frost")
    refused = proposal_of(player, past)
    assert proposal_answer(viewer=other, proposal=refused.pk, agree=False).state == "refused"
    with pytest.raises(NotAllowed, match="wait a day"):
        proposal_of(player, past)
    tomorrow = timezone.now() + timedelta(days=1, minutes=1)
    withdrawn = proposal_of(player, past, now=tomorrow)
    assert proposal_withdraw(viewer=player, proposal=withdrawn.pk).state == "withdrawn"
    late = proposal_of(player, past)
    later = tomorrow + timedelta(days=3)
    with pytest.raises(NotAllowed, match="over"):
        proposal_answer(viewer=other, proposal=late.pk, agree=True, now=later)
    shown = newest_proposal(campaign, later)
    assert shown is not None
    assert shown.state == ProposalState.EXPIRED
    proposal_withdraw(viewer=player, proposal=late.pk)
    outdated = proposal_of(player, past)
    resolve_stage(left)
    assert proposal_answer(viewer=other, proposal=outdated.pk, agree=True).state == "failed"
    assert campaign.branches.count() == 1


def test_umpire_needs_consent_if_the_war_was_opened_so() -> None:
    campaign, past, _ = war_in_week_two()
    rules = RollbackRules("vote", "two-thirds")
    write_ruleset(campaign, campaign.ruleset | rules.ruleset_entries())
    umpire = member(campaign, "uma", "umpire")
    player = member(campaign, "pia", "player", "ember")
    other = member(campaign, "flo", "player", "frost")
    assert [rollback_power(who) for who in (umpire, player)] == [Power.VOTE, Power.NONE]
    with pytest.raises(NotAllowed, match="propose"):
        roll_back(umpire, past)
    proposal = proposal_of(umpire, past)
    proposal_answer(viewer=player, proposal=proposal.pk, agree=True)
    Membership.objects.filter(user=player.user.pk).delete()
    successor = member(campaign, "nia", "player", "ember")
    assert proposal_answer(viewer=successor, proposal=proposal.pk, agree=True).state == "open"
    with pytest.raises(NotAllowed, match="already answered"):
        proposal_answer(viewer=successor, proposal=proposal.pk, agree=False)
    assert proposal_answer(viewer=other, proposal=proposal.pk, agree=False).state == "refused"
    with pytest.raises(NotAllowed, match="wait a day"):
        proposal_of(umpire, past)
    with pytest.raises(NotAllowed):
        proposal_of(other, past)


def test_two_thirds_of_the_sides() -> None:
    needed = []
    for sides in range(1, 7):
        accepted = [
            n for n in range(sides + 1) if RollbackRules("vote", "two-thirds").is_accepted(n, sides)
        ]
        needed.append(min(accepted))
    assert needed == [1, 2, 2, 3, 4, 4]
    assert not RollbackRules().is_accepted(2, 3)
    assert {fault.where for fault in RollbackRules("", "most").violations()} == {
        *("rollback", "rollback_consent"),
    }


@pytest.mark.any_database
def test_pages_roll_back_and_show_the_abandoned_timeline(client: Client) -> None:
    campaign, past, left = war_in_week_two()
    player = member(campaign, "pia", "player", "ember")
    log_in(client, player)
    address = f"/c/{campaign.public_id}/rollback/"
    form = {"to": f"1-{past.ordinal}", "head": f"1-{left.ordinal}", "dice": "fresh"}
    assert "Roll the war back" in client.get(address, form).content.decode()
    assert client.post(address, form).status_code == 422
    client.post(address, {**form, "reason": "<b>a wrong order</b>"})
    assert campaign.branches.count() == 2
    answer = client.post(address, {**form, "reason": "twice"}, follow=True).content.decode()
    assert "Nothing was changed" in answer
    assert "Timeline 1, left" in answer
    reports = client.get(f"/c/{campaign.public_id}/reports/").content.decode()
    assert "&lt;b&gt;a wrong order&lt;/b&gt;" in reports
    assert "This war was rolled back" in client.get(f"/c/{campaign.public_id}/").content.decode()
    abandoned = client.get(f"/c/{campaign.public_id}/timelines/1/")
    shown = re.findall(r'id="report-(\d+)"', abandoned.content.decode())
    assert shown == [str(seq) for seq in range(left.ordinal, past.ordinal, -1)]
    for battle in re.findall(r'href="(/c/[^"]*/battles/[^"]*)"', abandoned.content.decode()):
        assert client.get(battle).status_code == 200
    assert "The map of this timeline</a>," in abandoned.content.decode()
    assert client.get(f"/c/{campaign.public_id}/timelines/2/").status_code == 404
    receipts = client.get(f"/c/{campaign.public_id}/receipts/").content.decode()
    sealed = Submission.objects.get(stage=past, faction=player.faction)
    assert sealed.digest in receipts  # the browser has kept it and looks for it
    assert "abandoned timeline 1" in receipts
    file = client.get(f"/c/{campaign.public_id}/receipts.txt").content.decode()
    assert file.count(sealed.digest) == 1
    chart = f"/c/{campaign.public_id}/timelines/1/map/"
    shown_chart = client.get(chart).content.decode()
    assert "Abandoned timeline 1" in shown_chart
    assert f'<option value="{left.ordinal}" selected>' in shown_chart
    assert client.get(chart, {"seq": past.ordinal}).status_code == 200
    assert client.get(chart, {"seq": left.ordinal + 1}).status_code == 404
    assert client.get(f"/c/{campaign.public_id}/timelines/2/map/").status_code == 404


@pytest.mark.any_database
def test_only_umpires_see_what_a_rollback_reveals(client: Client) -> None:
    campaign, past, _ = war_in_week_two()
    player = member(campaign, "pia", "player", "ember")
    umpire = member(campaign, "uma", "umpire")
    address = f"/c/{campaign.public_id}/rollback/"
    for who, is_shown in ((player, False), (umpire, True)):
        log_in(client, who)
        shown = client.get(address, {"to": f"1-{past.ordinal}"}).content.decode()
        assert ("What this rollback reveals" in shown) == is_shown
    (target,) = [row for row in targets_of(campaign) if row.place.seq == past.ordinal]
    ember, _ = spoil_report(viewer=umpire, target=target)
    assert ember.seen_to is None
    view_opening_record(viewer=player, seq=past.ordinal + 1)
    ember, _ = spoil_report(viewer=umpire, target=target)
    assert ember.seen_to == past.week
    assert ember.true_count <= len(ember.spoils)
    fought = {item.kind for item in ember.spoils}
    assert fought & {"identified", "scanned", "sheet"} or "battle" not in fought
    with pytest.raises(NotFound):
        spoil_report(viewer=player, target=target)
    for who, status in ((player, 404), (umpire, 200)):
        user = User.objects.get(pk=who.user.pk)
        caller = Caller(user, token_make(user=user), str(campaign.public_id))
        rebuilt = caller.post("umpire/rebuild/", {"reason": ""})
        assert rebuilt.status_code == status
    assert (rebuilt.json()["rebuilt"], rebuilt.json()["faults"]) == (0, [])


@pytest.mark.any_database
def test_pages_of_a_vote(client: Client) -> None:
    campaign, past, left = war_in_week_two()
    player = member(campaign, "pia", "player", "ember")
    other = member(campaign, "flo", "player", "frost")
    log_in(client, player)
    address = f"/c/{campaign.public_id}/rollback/"
    form = {"to": f"1-{past.ordinal}", "head": f"1-{left.ordinal}", "reason": "a wrong order"}
    client.post(address, form)
    proposal = Proposal.objects.get()
    assert "has not answered" in client.get(address).content.decode()
    log_in(client, other)
    assert "Frost: agrees" not in client.get(address).content.decode()
    client.post(address, {"act": "agree", "proposal": proposal.pk})
    assert campaign.branches.count() == 2
    assert client.post(address, {"act": "agree", "proposal": "x"}).status_code == 404


def test_online_battle_is_left_and_begins_anew() -> None:
    war = OnlineWar(umpire=True)
    umpire = viewer_of(war.users["umpire"], war.campaign.public_id)
    orders = Stage.objects.get(branch=war.stage.branch_id, kind="orders", week=war.stage.week)
    faction_excuse(viewer=umpire, faction="frost")
    roll_back(umpire, orders)
    campaign = Campaign.objects.get(pk=war.campaign.pk)
    assert fights_of(campaign, war.factions["ember"]) == ()
    assert not any(
        seat.excused for seat in seats_at(campaign=campaign, stage=waiting_stage(campaign=campaign))
    )
    phase = Stage.objects.get(battle__isnull=False)
    assert phase.status == "left"
    assert not phase_resolve(stage=phase.pk, force=True)
    (ended,) = [target for target in targets_of(campaign) if target.abandoned]
    history_take_back(viewer=umpire, to=ended.place, head=head_place(campaign), reason="undo")
    campaign = Campaign.objects.get(pk=war.campaign.pk)
    (fight,) = fights_of(campaign, war.factions["ember"])
    assert fight.state == "open"
    stage = waiting_stage(campaign=campaign)
    assert stage is not None
    assert resolve_stage(stage).here
    assert not campaign_faults(campaign)


@pytest.mark.parametrize("step", ["_abandon", "stage_open", "projection_rebuild", "act_write"])
def test_rollback_that_fails_half_way_changes_nothing(
    step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, past, left = war_in_week_two()
    player = member(campaign, "pia", "player", "ember")

    def fail(*_args: Any, **_kwargs: Any) -> None:
        raise RuntimeError("no space left")

    monkeypatch.setattr(history, step, fail)
    with pytest.raises(RuntimeError):
        roll_back(player, past)
    left.refresh_from_db()
    campaign = Campaign.objects.get(pk=campaign.pk)
    assert (left.status, campaign.head_branch_id) == ("open", left.branch_id)
    assert campaign.branches.count() == 1
    assert Fleet.objects.filter(branch=left.branch).exists()
    assert resolve_stage(left).here

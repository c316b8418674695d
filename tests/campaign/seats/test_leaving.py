"""Seats that players leave, and what those players may do afterwards."""

from __future__ import annotations

import pytest
from django.db.models import F
from django.test import TestCase

from campaign.access import viewer_of
from campaign.errors import NotAllowed, NotFound, StageClosed
from campaign.models import Act, Faction, Membership, Stage
from campaign.orders.codec import orders_payload
from campaign.orders.defaults import default_orders
from campaign.selectors.due import STAGE_RESOLVE, _senders, task_register
from campaign.services.invites import invite_accept, invite_create
from campaign.services.seats import campaign_begin, seat_leave, seat_take, seat_to_computer
from campaign.sight.views import sight_at_stage
from campaign.store.documents import scenario_of
from engine.core.errors import RuleViolations
from tests.campaign.seats.people import accept, join_by_invitation, open_campaign, viewer
from tests.sealing import orders_seal

pytestmark = pytest.mark.django_db


def seal_default_orders(stage: Stage, faction: Faction) -> None:
    orders = default_orders(scenario_of(stage.branch.campaign), sight_at_stage(stage, faction).view)
    orders_seal(stage=stage, faction=faction, payload=orders_payload(orders))


def test_last_player_hands_the_faction_to_a_computer() -> None:
    campaign, host = open_campaign()
    pia, paul = (
        join_by_invitation(host, "pia", faction="ember"),
        join_by_invitation(host, "paul", role="staff", faction="ember"),
    )
    seat_leave(viewer=pia)
    assert campaign.factions.get(key="ember").admiral == ""
    seat_leave(viewer=paul)
    assert campaign.factions.get(key="ember").admiral == "steady"
    assert not Act.objects.exists()  # before the war there is nothing to record
    for leaver in (pia, paul):
        with pytest.raises(NotFound):
            viewer_of(leaver.user, campaign.public_id)


def test_leaving_host_stays_host() -> None:
    campaign, host = open_campaign(play="ember")
    seat_leave(viewer=host)
    again = viewer(campaign, "hope")
    assert (again.hosts, again.plays) == (True, False)
    with pytest.raises(NotAllowed):
        seat_leave(viewer=again)


def test_former_player_never_joins_another_side() -> None:
    campaign, host = open_campaign()
    pia = join_by_invitation(host, "pia", faction="ember")
    campaign_begin(viewer=host)
    seat_leave(viewer=pia)
    for role, faction in (("player", "frost"), ("observer", ""), ("umpire", "")):
        token = invite_create(viewer=host, role=role, faction=faction).token
        with pytest.raises(NotAllowed):
            invite_accept(user=pia.user, public_id=campaign.public_id, token=token)
    back = invite_create(viewer=host, faction="ember").token
    assert accept(pia.user, campaign, back).faction is not None
    verbs = list(Act.objects.order_by("pk").values_list("verb", flat=True))
    assert verbs == ["leave", "pause", "join", "resume"]  # the clock was paused while nobody played


def test_former_umpire_never_plays() -> None:
    campaign, host = open_campaign(umpire=True)
    campaign_begin(viewer=host, unattended=True)
    seat_leave(viewer=host)
    with pytest.raises(NotAllowed):
        seat_take(viewer=viewer(campaign, "hope"), faction="ember")


def test_observer_may_take_a_seat_later() -> None:
    campaign, host = open_campaign()
    ole = join_by_invitation(host, "ole", role="observer")
    campaign_begin(viewer=host, unattended=True)
    seat_leave(viewer=ole)
    token = invite_create(viewer=host, faction="ember").token
    assert accept(ole.user, campaign, token).role == "player"


def test_faction_given_to_the_computer_loses_its_players() -> None:
    _, host = open_campaign()
    pia = join_by_invitation(host, "pia", faction="ember")
    flo = join_by_invitation(host, "flo", faction="frost")
    campaign_begin(viewer=host)
    with pytest.raises(NotFound):
        seat_to_computer(viewer=flo, faction="ember")
    with pytest.raises(RuleViolations):
        seat_to_computer(viewer=host, faction="ember", character="mad")
    with pytest.raises(RuleViolations):
        seat_to_computer(viewer=host, faction="smoke")
    assert seat_to_computer(viewer=host, faction="ember", character="bold").admiral == "bold"
    assert not Membership.objects.filter(user_id=pia.user.pk).exists()
    act = Act.objects.get()
    assert (act.verb, act.body["facts"]["names"], act.stage) == (
        "to-computer",
        ["pia"],
        Stage.objects.get(),
    )


def test_stage_is_due_when_the_last_awaited_player_leaves() -> None:
    campaign, host = open_campaign(play="ember")
    flo = join_by_invitation(host, "flo", faction="frost")
    stage = campaign_begin(viewer=host)
    resolved: list[int] = []
    usual = _senders[STAGE_RESOLVE]
    task_register(name=STAGE_RESOLVE, sender=lambda _name, row: resolved.append(row))
    try:
        with TestCase.captureOnCommitCallbacks(execute=True):
            seal_default_orders(stage, campaign.factions.get(key="ember"))
        assert resolved == []
        with TestCase.captureOnCommitCallbacks(execute=True):
            seat_leave(viewer=flo)
        assert resolved == [stage.pk]
    finally:
        task_register(name=STAGE_RESOLVE, sender=usual)


def test_nobody_leaves_while_a_stage_is_resolved() -> None:
    _, host = open_campaign(play="ember")
    stage = campaign_begin(viewer=host)
    Stage.objects.filter(pk=stage.pk).update(status="closed", closed_at=F("opens"))
    with pytest.raises(StageClosed):
        seat_leave(viewer=host)
    assert viewer(stage.branch.campaign, "hope").plays

"""A seat offered while its player still holds it changes hands, and nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed, NotFound
from campaign.models import Act, Campaign, Draft, Notification, SeatEnd, Stage, Submission
from campaign.orders.codec import orders_payload
from campaign.orders.defaults import default_orders
from campaign.services.envelopes import draft_save
from campaign.services.invites import NewInvite, invite_accept, invite_create, invites_open
from campaign.services.memos import memo_for, memo_write
from campaign.services.orders import WeekOrders
from campaign.services.seats import campaign_begin, seat_leave
from campaign.sight.views import sight_at_stage
from campaign.store.documents import scenario_of
from engine.core.errors import RuleViolations
from tests.campaign.seats.people import (
    DAILY,
    MONDAY,
    join_by_invitation,
    open_campaign,
    person,
    viewer,
)
from tests.sealing import orders_seal

pytestmark = pytest.mark.django_db


def begin_war(**settings: Any) -> tuple[Viewer, Viewer, Stage]:
    """Return a war of Pia against Flo, with a host who does not play."""
    _, host = open_campaign(**{"timetable": DAILY, **settings})
    pia = join_by_invitation(host, "pia", faction="ember")
    join_by_invitation(host, "flo", faction="frost")
    return host, pia, campaign_begin(viewer=host, now=MONDAY)


def offer_seat(host_viewer: Viewer, player: str = "pia", faction: str = "ember") -> NewInvite:
    return invite_create(viewer=host_viewer, faction=faction, replaces=player, now=MONDAY)


def take_seat(campaign: Campaign, invited: NewInvite, name: str = "nora") -> Viewer:
    user = person(name)
    invite_accept(user=user, public_id=campaign.public_id, token=invited.token, now=MONDAY)
    return viewer(campaign, name)


@pytest.mark.any_database
@pytest.mark.parametrize("by", ["hope", "pia"])
def test_seat_changes_hands_on_acceptance(by: str) -> None:
    host, pia, stage = begin_war()
    invited = offer_seat(viewer(host.campaign, by))
    again = viewer(host.campaign, "pia")
    assert (again.plays, again.faction) == (True, pia.faction)
    assert [invite.replaces for invite in invites_open(viewer=again, now=MONDAY)] == [pia.user]
    nora = take_seat(host.campaign, invited)
    assert (nora.faction, nora.roles) == (pia.faction, frozenset({"player"}))
    with pytest.raises(NotFound):
        viewer_of(pia.user, host.campaign.public_id)
    assert Campaign.objects.get().paused_at is None
    assert stage.branch.campaign.factions.get(key="ember").admiral == ""
    acts = [(act.verb, act.body["facts"]["names"]) for act in Act.objects.order_by("pk")]
    assert acts == [("join", ["nora"]), ("leave", ["pia"])]
    end = SeatEnd.objects.get()
    assert (end.user, end.cause, end.by, end.new) == (pia.user, "replaced", by, "nora")


@pytest.mark.any_database
def test_drafts_seals_and_memos_stay_with_the_seat() -> None:
    host, pia, stage = begin_war()
    faction = pia.faction
    assert faction is not None
    orders = default_orders(scenario_of(host.campaign), sight_at_stage(stage, faction).view)
    payload = orders_payload(orders)
    draft_save(document=WeekOrders(stage, faction), payload=payload, version=0, now=MONDAY)
    orders_seal(stage=stage, faction=faction, payload=payload, ready=True, now=MONDAY)
    memo_write(viewer=pia, week=1, text="Watch the Vaults")
    before = (list(Draft.objects.values()), list(Submission.objects.values()))
    take_seat(host.campaign, offer_seat(host))
    assert (list(Draft.objects.values()), list(Submission.objects.values())) == before
    assert memo_for(faction, 1) == "Watch the Vaults"


@pytest.mark.any_database
def test_player_is_notified_of_offer_and_successor() -> None:
    host, pia, _ = begin_war()
    Notification.objects.all().delete()
    invited = offer_seat(host)
    take_seat(host.campaign, invited)
    notifications = list(Notification.objects.order_by("pk").values_list("user__username", "body"))
    assert notifications == [
        (
            "pia",
            "First Steps: hope has offered your seat at Ember Cooperative to somebody else. "
            "You keep it until they take it.",
        ),
        (
            "pia",
            "First Steps: you no longer have a seat. hope offered it to somebody else, and nora has taken it.",
        ),
    ]
    assert pia.campaign.public_id == host.campaign.public_id


@pytest.mark.any_database
def test_taken_seat_is_offered_only_by_player_host_and_umpire() -> None:
    host, pia, _ = begin_war()
    join_by_invitation(pia, "mate", faction="ember")
    for name in ("flo", "mate"):
        with pytest.raises(NotAllowed):
            offer_seat(viewer(host.campaign, name))
    for player, faction in (("flo", "ember"), ("nobody", "ember"), ("pia", "frost")):
        with pytest.raises(RuleViolations, match="does not play this faction"):
            offer_seat(host, player, faction)
    with pytest.raises(RuleViolations):
        invite_create(viewer=host, role="observer", replaces="pia", now=MONDAY)


@pytest.mark.any_database
def test_player_of_the_other_side_cannot_take_the_seat() -> None:
    host, pia, _ = begin_war()
    flo = viewer(host.campaign, "flo")
    invited = offer_seat(host)
    join_by_invitation(flo, "spy", faction="frost")
    spy = viewer(host.campaign, "spy")
    seat_leave(viewer=spy, now=MONDAY)
    public_id = host.campaign.public_id
    token = invited.token
    with pytest.raises(NotAllowed, match="another side"):
        invite_accept(user=spy.user, public_id=public_id, token=token, now=MONDAY)
    with pytest.raises(RuleViolations):
        invite_accept(user=flo.user, public_id=public_id, token=token, now=MONDAY)
    assert viewer(host.campaign, "pia").faction == pia.faction
    assert not SeatEnd.objects.filter(user_id=pia.user.pk).exists()


@pytest.mark.any_database
def test_offer_of_a_seat_that_became_free_fills_it() -> None:
    host, pia, _ = begin_war()
    invited = offer_seat(host)
    seat_leave(viewer=pia, now=MONDAY)
    nora = take_seat(host.campaign, invited)
    assert (nora.plays, nora.faction) == (True, pia.faction)
    assert SeatEnd.objects.get().cause == "left"


@pytest.mark.any_database
def test_own_offer_ends_with_the_seat() -> None:
    host, pia, _ = begin_war()
    invited = offer_seat(pia)
    seat_leave(viewer=pia, now=MONDAY)
    with pytest.raises(NotFound):
        take_seat(host.campaign, invited)


@pytest.mark.any_database
def test_umpire_hands_over_only_their_own_seat() -> None:
    host, _, _ = begin_war()
    ulla = join_by_invitation(host, "ulla", role="umpire")
    second = join_by_invitation(ulla, "uma", role="umpire")
    with pytest.raises(NotAllowed):
        invite_create(viewer=second, role="umpire", replaces="ulla", now=MONDAY)
    with pytest.raises(RuleViolations):
        invite_create(viewer=ulla, role="umpire", replaces="hope", now=MONDAY)
    invited = invite_create(viewer=ulla, role="umpire", replaces="ulla", now=MONDAY)
    assert viewer(host.campaign, "ulla").umpires
    assert take_seat(host.campaign, invited).umpires
    with pytest.raises(NotFound):
        viewer(host.campaign, "ulla")
    assert viewer(host.campaign, "uma").umpires
    end = SeatEnd.objects.get(user__username="ulla")
    assert (end.role, end.cause, end.new) == ("umpire", "replaced", "nora")
    acts = [(act.verb, act.body["facts"]["names"]) for act in Act.objects.order_by("pk")]
    assert acts[-2:] == [("join", ["nora"]), ("leave", ["ulla"])]

"""A running war with other players can be forked if every side with players agrees."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed
from campaign.models import Campaign, Notification, Proposal, Stage
from campaign.selectors.families import may_be_public
from campaign.services.campaigns import membership_add
from campaign.services.seats import seat_give
from engine.core.errors import RuleViolations
from tests.campaign.seats.people import person
from tests.umpire.services.wars import campaign_at
from umpire.services.fork_rights import fork_power, fork_refusal
from umpire.services.fork_starts import fork_stages
from umpire.services.forks import ForkSettings, fork_propose, history_fork
from umpire.services.history import Power, head_place, history_take_back, read_place
from umpire.services.proposals import proposal_answer
from umpire.services.wars import campaign_start

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def member(campaign: Campaign, name: str, role: str, faction: str = "") -> Viewer:
    """Return the viewer of a new member."""
    user = User.objects.filter(username=name).first() or person(name)
    row = campaign.factions.get(key=faction) if faction else None
    membership_add(campaign=campaign, user=user, role=role, faction=row)
    return viewer_of(user, campaign.public_id)


def duel() -> tuple[Campaign, Stage, Viewer, Viewer]:
    """Return a war in its first orders, whose host plays Ember, and the players of both sides."""
    campaign, stage = campaign_at("orders")
    member(campaign, "hope", "host")
    host = member(campaign, "hope", "player", "ember")
    return campaign, stage, host, member(campaign, "flo", "player", "frost")


def test_fork_of_a_running_war_needs_every_side(client: Client) -> None:
    campaign, stage, host, other = duel()
    assert {fork_power(who) for who in (host, other)} == {Power.VOTE}
    with pytest.raises(NotAllowed, match="if every side agrees"):
        history_fork(viewer=host, week=stage.week)
    client.force_login(User.objects.get(username="hope"))
    address = f"/c/{campaign.public_id}/"
    form = client.get(f"{address}fork/").content.decode()
    assert "Propose this fork" in form
    assert "can take only their own side" in form
    assert 'value="frost"' not in form
    start = {"start": f"{stage.week}-orders", "name": "What if", "play": "ember"}
    assert client.post(f"{address}fork/", {**start, "play": "frost"}).status_code == 422
    client.post(f"{address}fork/", start)
    assert Notification.objects.filter(dedupe_key__startswith="vote/").exists()
    proposal = Proposal.objects.get()
    client.force_login(User.objects.get(username="flo"))
    assert "proposes a new war" in client.get(address).content.decode()
    api = client.get(f"/api/campaigns/{campaign.public_id}/timelines/").json()["proposal"]
    assert (api["kind"], api["name"], api["week"]) == ("fork", "What if", stage.week)
    answer = client.post(
        f"{address}rollback/", {"act": "agree", "proposal": proposal.pk}, follow=True
    )
    assert "Every side has agreed to the new war “What if”" in answer.content.decode()
    fork = Campaign.objects.get(name="What if")
    assert Proposal.objects.get().body["war"] == str(fork.public_id)
    assert viewer_of(host.user, fork.public_id).plays
    campaign.refresh_from_db()
    assert (campaign.head_branch_id, may_be_public(campaign=campaign)) == (
        stage.branch_id,
        False,
    )
    assert campaign.seed != fork.seed


def test_players_of_a_running_war_take_only_their_own_side_of_its_fork() -> None:
    campaign, stage, host, other = duel()
    fork_propose(viewer=host, week=stage.week, settings=ForkSettings(name="F", play="ember"))
    proposal_answer(viewer=other, proposal=Proposal.objects.get().pk, agree=True)
    fork = Campaign.objects.get(name="F")
    now = stage.opens
    for role, key in (("player", "ember"), ("guest", "ember"), ("umpire", "")):
        faction = fork.factions.get(key=key) if key else None
        with pytest.raises(NotAllowed, match="shares this history"):
            seat_give(campaign=fork, user=other.user, role=role, faction=faction, now=now)
    frost = fork.factions.get(key="frost")
    seat_give(campaign=fork, user=other.user, role="player", faction=frost, now=now)
    campaign_start(campaign=fork)
    assert fork_refusal(viewer_of(other.user, fork.public_id)) != ""
    stranger = person("sam")
    seat_give(campaign=fork, user=stranger, role="umpire", now=now)
    with pytest.raises(NotAllowed, match="shares this history"):
        seat_give(
            campaign=campaign,
            user=stranger,
            role="player",
            faction=campaign.factions.get(key="frost"),
            now=now,
        )


def test_fork_fails_if_its_stage_was_rolled_back_meanwhile() -> None:
    campaign, stage, host, other = duel()
    fork_propose(viewer=host, week=stage.week)
    proposal = Proposal.objects.get()
    umpire = member(campaign, "ulla", "umpire")
    with pytest.raises(NotAllowed, match="only its umpire"):
        fork_propose(viewer=host, week=stage.week)
    assert fork_power(umpire) is Power.VOTE
    with pytest.raises(RuleViolations):
        fork_propose(viewer=umpire, week=stage.week, settings=ForkSettings(play="ember"))
    campaign = Campaign.objects.get(pk=campaign.pk)
    umpire = viewer_of(umpire.user, campaign.public_id)
    head = head_place(campaign)
    history_take_back(viewer=umpire, to=read_place("1-0"), head=head, reason="a wrong order")
    campaign.refresh_from_db()
    assert fork_stages(campaign) == []
    other = viewer_of(other.user, campaign.public_id)
    assert proposal_answer(viewer=other, proposal=proposal.pk, agree=True).state == "failed"
    assert Campaign.objects.count() == 1


def test_fork_is_not_proposed_again_on_the_day_of_its_refusal() -> None:
    _, stage, host, other = duel()
    fork_propose(viewer=host, week=stage.week)
    proposal_answer(viewer=other, proposal=Proposal.objects.get().pk, agree=False)
    with pytest.raises(NotAllowed, match="wait a day"):
        fork_propose(viewer=host, week=stage.week)
    assert Campaign.objects.count() == 1

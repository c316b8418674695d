"""The umpire overview of all wars and their problems: urgent ones first, nothing of foreign wars."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaign.access import viewer_of
from campaign.models import Act, Battle, Campaign, Excuse, Notification, Stage
from campaign.selectors.due import STAGE_RESOLVE
from campaign.selectors.messages import unread_ids
from campaign.services.acts import act_write
from campaign.services.campaigns import membership_add
from campaign.services.messages import message_write, messages_mark_read
from campaign.services.seats import seat_give
from jobs.models import QUARANTINED, WAITING, Job
from tests.rulesets import write_ruleset
from tests.sealing import orders_seal
from tests.umpire.pages.staffed_war import StaffedWar
from tests.umpire.services.wars import resolve_stage, start_campaign
from umpire.services.pauses import pauses_end
from umpire.troubles import span_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(desk: StaffedWar) -> StaffedWar:
    """The war of this package, whose people have sat down as its stage opened."""
    for key, name in (("ember", "host who plays"), ("frost", "player")):
        user = desk.people[name]
        assert isinstance(user, User)
        facts = {"role": "player", "faction": key, "people": [user.pk], "names": [user.username]}
        act_write(
            campaign=desk.campaign,
            stage=desk.stage,
            actor=user,
            verb="join",
            facts=facts,
            now=desk.stage.opens,
        )
    return desk


def wars_table_page(desk: StaffedWar, query: str = "", role: str = "umpire") -> str:
    answer = desk.client(role).get(reverse("umpire-tables") + query)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def add_other_war(desk: StaffedWar, name: str, closes_in: int | None = 72) -> Stage:
    """Create another war of the same umpire, in its deployment, with two players."""
    campaign, stage = start_campaign(seed=len(name))
    Campaign.objects.filter(pk=campaign.pk).update(name=name)
    umpire = desk.people["umpire"]
    assert isinstance(umpire, User)
    membership_add(campaign=campaign, user=umpire, role="umpire")
    for faction in campaign.factions.all():
        user = User.objects.create_user(f"{faction.key}-{name}")
        membership_add(campaign=campaign, user=user, role="player", faction=faction)
    closes = None if closes_in is None else timezone.now() + timedelta(hours=closes_in)
    Stage.objects.filter(pk=stage.pk).update(closes=closes)
    stage.refresh_from_db()
    return stage


def failing_job(stage: Stage) -> Job:
    """Return the job of a stage, which has failed three times."""
    return Job.objects.create(
        kind=STAGE_RESOLVE,
        args={"stage": stage.pk},
        dedupe_key=f"{STAGE_RESOLVE}/{stage.pk}",
        status=WAITING,
        send_at=timezone.now(),
        attempts=3,
        error="ValueError in reckon, week.py:7",
        asked_at=timezone.now(),
    )


def unsent_notification(desk: StaffedWar, campaign: Campaign, **more: Any) -> Notification:
    return Notification.objects.create(
        user=User.objects.get(username="player"),
        dedupe_key=f"stage/{campaign.public_id}/1/4/{len(more)}",
        body="A stage is open.",
        attempts=3,
        **more,
    )


def test_problems_come_first_then_the_next_deadline(desk: StaffedWar) -> None:
    add_other_war(desk, "Late war", 72)
    add_other_war(desk, "Soon war", 5)
    failing_job(add_other_war(desk, "Broken war", 90))
    add_other_war(desk, "Open war", None)
    page = wars_table_page(desk)
    places = [
        page.index(f">{name}<") for name in ("Broken war", "Soon war", "Late war", "Open war")
    ]
    assert places == sorted(places)
    assert "Resolving has failed 3 times: ValueError in reckon, week.py:7" in page
    assert "4 h 59 min" in page
    assert "no deadline" in page
    assert "5 campaigns" in page
    narrowed = wars_table_page(desk, "?show=today")
    assert ">Soon war<" in narrowed
    assert ">Late war<" not in narrowed
    assert ">Late war<" not in wars_table_page(desk, "?show=trouble")
    assert ">Late war<" in wars_table_page(desk, "?show=nonsense")


def troubles(page: str) -> list[str]:
    """Return the problems on a page, in their order."""
    items = re.findall(r'<li class="(?:bad|warm)"><span>(.*?)</span> ?(?:<a|</li>)', page)
    return [
        re.sub(r'<b aria.*?</b>|<span class="sr-only">.*?</span>', "", words).strip()
        for words in items
    ]


def skip_stages(desk: StaffedWar, stages: int) -> None:
    """Resolve so many stages, in which Frost's players seal nothing and Ember's player everything."""
    for _ in range(stages):
        orders_seal(
            stage=desk.stage, faction=desk.campaign.factions.get(key="ember"), payload={"schema": 1}
        )
        following = resolve_stage(desk.stage).next
        assert following is not None
        desk.stage = following


def test_wars_needing_the_umpire_are_first_then_the_next_deadline(
    desk: StaffedWar,
) -> None:
    skip_stages(desk, 2)
    campaign = desk.campaign
    write_ruleset(campaign, {**campaign.ruleset, "messages": "at-once"})
    campaign.refresh_from_db()
    now = timezone.now()
    Stage.objects.filter(pk=desk.stage.pk).update(
        opens=now - timedelta(hours=9), closes=now + timedelta(hours=4)
    )
    assert troubles(wars_table_page(desk)) == []
    Stage.objects.filter(pk=desk.stage.pk).update(closes=now + timedelta(hours=2))
    assert troubles(wars_table_page(desk)) == ["host-who-plays, staff and player have not sealed"]
    message_write(
        viewer=viewer_of(desk.people["player"], campaign.public_id),
        to=[None],
        text="A day more, please",
    )
    desk.stage.refresh_from_db()
    battle = Battle.objects.filter(branch=desk.stage.branch).first()
    assert battle is not None
    Stage.objects.create(
        branch=desk.stage.branch,
        week=battle.week,
        kind="table",
        battle=battle,
        ordinal=1,
        opens=now,
        from_snapshot=desk.stage.from_snapshot,
    )
    failing_job(desk.stage)
    for page in (
        wars_table_page(desk),
        unescape(desk.client("umpire").get(desk.url("umpire")).content.decode()),
    ):
        assert troubles(page) == [
            "The results of the battle at Frost (0804) do not agree",
            "A message from Frost Assembly is waiting for an answer",
            "Resolving has failed 3 times: ValueError in reckon, week.py:7",
            "host-who-plays, staff and player have not sealed",
        ]


def test_quarantined_stage_says_what_the_umpire_can_do(desk: StaffedWar) -> None:
    Stage.objects.filter(pk=desk.stage.pk).update(status="closed", closed_at=timezone.now())
    job = failing_job(desk.stage)
    Job.objects.filter(pk=job.pk).update(
        status=QUARANTINED, send_at=None, failures=4, war=desk.campaign.pk
    )
    page = wars_table_page(desk)
    assert troubles(page) == [
        "The server cannot compute this stage (tried 4 times): ValueError in reckon, week.py:7"
    ]
    assert f'href="{desk.url("umpire-act", verb="remedy")}"' in page


def test_side_without_seals_for_three_stages_is_reported(
    desk: StaffedWar,
) -> None:
    skip_stages(desk, 2)
    assert troubles(wars_table_page(desk)) == []
    skip_stages(desk, 1)
    assert troubles(wars_table_page(desk)) == [
        "Frost Assembly (player) has missed 3 stages in a row"
    ]
    Excuse.objects.create(
        faction=desk.campaign.factions.get(key="frost"),
        week=desk.stage.week - 1,
        branch_id=desk.campaign.head_branch_id,
        ordinal=0,
    )
    assert troubles(wars_table_page(desk)) == []
    Excuse.objects.all().delete()
    newcomer = User.objects.create_user("newcomer")
    desk.campaign.memberships.filter(faction__key="frost").delete()
    with transaction.atomic():
        seat_give(
            campaign=desk.campaign,
            user=newcomer,
            role="player",
            faction=desk.campaign.factions.get(key="frost"),
            now=timezone.now(),
        )
    assert troubles(wars_table_page(desk)) == []


def test_seat_without_people_is_a_problem_unless_a_computer_plays(
    desk: StaffedWar,
) -> None:
    desk.campaign.memberships.filter(faction__key="frost").delete()
    page = wars_table_page(desk)
    assert troubles(page) == ["Nobody plays Frost Assembly: standing orders are used"]
    assert f"{desk.url('umpire-act', verb='to-computer')}?faction=frost" in page
    desk.campaign.factions.filter(key="frost").update(admiral="steady")
    assert troubles(wars_table_page(desk)) == []


def test_message_is_answered_by_any_umpire_or_marked_as_read(desk: StaffedWar) -> None:
    campaign = desk.campaign
    write_ruleset(campaign, {**campaign.ruleset, "messages": "at-once"})
    campaign.refresh_from_db()
    other = User.objects.create_user("another-umpire")
    membership_add(campaign=campaign, user=other, role="umpire")
    player, umpire = (
        viewer_of(user, campaign.public_id) for user in (desk.people["player"], other)
    )
    waits = ["A message from Frost Assembly is waiting for an answer"]
    message_write(viewer=player, to=[None], text="May a convoy be boarded?")
    assert troubles(wars_table_page(desk)) == waits
    message_write(viewer=umpire, to=["frost"], text="It may.")
    assert troubles(wars_table_page(desk)) == []
    message_write(viewer=player, to=[None], text="Thank you!")
    assert troubles(wars_table_page(desk)) == waits
    reader = viewer_of(desk.people["umpire"], campaign.public_id)
    messages_mark_read(viewer=reader, ids=unread_ids(reader))
    assert troubles(wars_table_page(desk)) == []


def test_other_umpires_lists_are_separate(desk: StaffedWar) -> None:
    failing_job(desk.stage)
    unsent_notification(desk, desk.campaign)
    page = wars_table_page(desk, role="umpire elsewhere")
    assert "ValueError" not in page
    assert "could not be sent" not in page
    assert "ValueError" in wars_table_page(desk)


def test_ten_wars_cost_the_queries_of_two(desk: StaffedWar) -> None:
    client = desk.client("umpire")

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert client.get(reverse("umpire-tables")).status_code == 200
        return len(captured)

    add_other_war(desk, "War 1")
    queries()
    two = queries()
    for number in range(8):
        add_other_war(desk, f"War of number {number}")
    assert queries() == two
    assert two <= 18


def test_other_facts_are_elsewhere(desk: StaffedWar) -> None:
    """A paused clock is shown with the stage, and unsent messages with the health of the war."""
    client = desk.client("umpire")
    assert (
        "All messages about this campaign have been sent."
        in client.get(desk.url("umpire")).content.decode()
    )
    unsent_notification(desk, desk.campaign)
    unsent_notification(desk, desk.campaign, abandoned_at=timezone.now())
    Campaign.objects.filter(pk=desk.campaign.pk).update(
        paused_at=timezone.now() - timedelta(hours=3)
    )
    page = unescape(client.get(desk.url("umpire")).content.decode())
    assert "A message to player could not be sent yet (3 attempts)" in page
    assert "A message to player could not be sent; no more attempts will be made" in page
    assert troubles(page) == []
    assert troubles(wars_table_page(desk)) == []
    assert "clock paused" in wars_table_page(desk)


def test_stuck_stage_is_reported(desk: StaffedWar) -> None:
    Stage.objects.filter(pk=desk.stage.pk).update(
        status="closed", closed_at=timezone.now() - timedelta(minutes=9)
    )
    assert "Closed 9 min ago and not resolved yet" in wars_table_page(desk)
    Stage.objects.filter(pk=desk.stage.pk).update(closed_at=timezone.now())
    assert "not resolved yet" not in wars_table_page(desk)


def test_site_reports_only_that_it_is_behind(
    desk: StaffedWar, settings: Any, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    page = wars_table_page(desk)
    assert "The site is keeping up" in page
    assert "There is no backup on this machine." in page
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "blindjump-1.jsonl.gz").write_bytes(b"")
    other = add_other_war(desk, "Elsewhere")
    job = failing_job(
        Stage.objects.exclude(pk__in=(desk.stage.pk, other.pk)).filter(status="open").earliest("pk")
    )
    assert "The site is keeping up" in wars_table_page(desk)
    Job.objects.filter(pk=job.pk).update(asked_at=timezone.now() - timedelta(minutes=11))
    page = wars_table_page(desk)
    assert "The site is behind" in page
    assert "ValueError" not in page
    assert f'Newest backup on this machine: <time datetime="{timezone.now():%Y-%m-%d}">' in page


def test_unsealed_players_are_reminded_once_an_hour(desk: StaffedWar) -> None:
    client = desk.client("umpire")
    door = desk.url("umpire-act", verb="remind")
    assert "at most one per hour" in client.get(door).content.decode()
    page_text = client.post(door, {"stage": desk.stage.ordinal}, follow=True).content.decode()
    users = Notification.objects.filter(dedupe_key__contains="by-hand").values_list(
        "user__username", flat=True
    )
    assert set(users) == {"host-who-plays", "player", "staff"}
    assert "3 reminders queued for sending." in page_text
    again = client.post(door, {"stage": desk.stage.ordinal}, follow=True).content.decode()
    assert "There was nobody left to remind." in again
    assert Notification.objects.filter(dedupe_key__contains="by-hand").count() == 3
    assert "Nothing was changed" in client.post(door, {"stage": 99}, follow=True).content.decode()
    assert not Act.objects.exclude(verb="join").exists()
    assert desk.client("host").get(desk.url("host-act", verb="remind")).status_code == 404


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (0, "0 min"),
        (59, "59 min"),
        (372, "6 h 12 min"),
        (1560, "1 day 2 h"),
        (4320, "3 days"),
        (-5, "0 min"),
    ],
)
def test_durations_in_words(minutes: int, words: str) -> None:
    assert span_text(timedelta(minutes=minutes)) == words


def test_one_war_costs_a_bounded_number_of_queries(desk: StaffedWar) -> None:
    client = desk.client("umpire")
    client.get(desk.url("umpire"))
    with CaptureQueriesContext(connection) as captured:
        client.get(desk.url("umpire") + "?as=frost")
    assert len(captured) <= 36


def test_only_messages_to_the_umpire_are_counted(desk: StaffedWar) -> None:
    campaign = desk.campaign
    write_ruleset(campaign, {**campaign.ruleset, "messages": "at-once"})
    campaign.refresh_from_db()
    assert (
        "Read and write messages" in desk.client("umpire").get(desk.url("umpire")).content.decode()
    )
    player = viewer_of(desk.people["player"], campaign.public_id)
    message_write(viewer=player, to=[None], text="May a convoy be boarded?")
    message_write(viewer=player, to=["ember"], text="Peace?")
    page = wars_table_page(desk)
    assert "1 new<" in page
    assert "Messages 1<" in page
    assert "boarded" not in page
    page_text = desk.client("umpire").get(desk.url("umpire")).content.decode()
    assert "1 unread" in page_text
    assert "May a convoy be boarded?" in page_text
    assert "Peace?" not in page_text
    assert player.faction is not None
    door = desk.url("messages-to", key=player.faction.key)
    assert f'href="{door}"' in page_text
    assert "boarded" in desk.client("umpire").get(door).content.decode()
    assert "new<" not in wars_table_page(desk, role="umpire elsewhere")
    assert "First Steps" in wars_table_page(desk, "?show=messages")
    add_other_war(desk, "Soon war", 30)
    page = wars_table_page(desk)
    assert page.index(f">{campaign.name}<") < page.index(">Soon war<"), (
        "a message waits for an answer"
    )


def act_form(desk: StaffedWar, verb: str, *wars: Campaign, **more: object) -> dict[str, object]:
    """Return the form of an action in several wars, as its page fills it in."""
    query = "&".join(f"c={war.public_id}" for war in wars)
    page = (
        desk.client("umpire")
        .get(reverse("umpire-many", args=(verb,)) + f"?{query}")
        .content.decode()
    )
    hidden = dict(
        re.findall(r'<input type="hidden" name="((?:stage|deadline)-[^"]+)" value="([^"]*)"', page)
    )
    return {**hidden, "c": [str(war.public_id) for war in wars], **more}


def test_one_action_extends_several_wars_once(desk: StaffedWar) -> None:
    soon, never = add_other_war(desk, "Soon war", 5), add_other_war(desk, "Open war", None)
    wars = [desk.campaign, soon.branch.campaign, never.branch.campaign]
    form = act_form(desk, "extend", *wars, hours=24, reason="the club is closed")
    before = {stage.pk: stage.closes for stage in (desk.stage, soon)}
    for _ in range(2):
        page = desk.client("umpire").post(
            reverse("umpire-many", args=("extend",)), form, follow=True
        )
        assert "Open war: nothing was changed" in unescape(page.content.decode())
    for pk, closes in before.items():
        assert closes is not None
        assert Stage.objects.get(pk=pk).closes == closes + timedelta(hours=24)
    acts = Act.objects.filter(verb="extend")
    assert {act.campaign_id for act in acts} == {desk.campaign.pk, soon.branch.campaign.pk}
    assert [act.body["reason"] for act in acts] == ["the club is closed"] * 2


def test_several_wars_are_reminded_at_once(desk: StaffedWar) -> None:
    other = add_other_war(desk, "Late war")
    form = act_form(desk, "remind", desk.campaign, other.branch.campaign)
    page = (
        desk.client("umpire")
        .post(reverse("umpire-many", args=("remind",)), form, follow=True)
        .content.decode()
    )
    assert page.count("queued for sending.") == 2
    reminded = Notification.objects.filter(dedupe_key__contains="by-hand").values_list(
        "user__username", flat=True
    )
    assert set(reminded) == {
        "host-who-plays",
        "player",
        "staff",
        "ember-Late war",
        "frost-Late war",
    }


def test_several_clocks_pause_until_a_time(desk: StaffedWar) -> None:
    other = add_other_war(desk, "Late war")
    wars = [desk.campaign, other.branch.campaign]
    until = (timezone.now() + timedelta(days=3)).replace(second=0, microsecond=0)
    door = reverse("umpire-many", args=("pause",))
    for wrong in ("", "nonsense", "2026-02-31T10:00"):
        refused = desk.client("umpire").post(door, act_form(desk, "pause", *wars, until=wrong))
        assert (refused.status_code, "nter a day and time" in refused.content.decode()) == (
            422,
            True,
        )
    form = act_form(desk, "pause", *wars, until=f"{until:%Y-%m-%dT%H:%M}", reason="holidays")
    for _ in range(2):
        desk.client("umpire").post(door, form)
    acts = Act.objects.filter(verb="pause")
    assert [act.body["facts"] for act in acts] == [{"until": until.isoformat()}] * 2
    assert "clock paused until" in desk.client("umpire").get(desk.url("umpire")).content.decode()
    assert pauses_end(now=until - timedelta(seconds=1)) == 0
    paused = {war.pk: Campaign.objects.get(pk=war.pk).paused_at for war in wars}
    assert pauses_end(now=until + timedelta(minutes=4)) == 2
    for war, stage in zip(wars, (desk.stage, other), strict=True):
        began = paused[war.pk]
        assert began is not None
        assert stage.closes is not None
        assert Stage.objects.get(pk=stage.pk).closes == stage.closes + (until - began)
        assert Campaign.objects.get(pk=war.pk).paused_at is None
    resumed = Act.objects.filter(verb="resume")
    assert [(act.actor, act.at) for act in resumed] == [(None, until)] * 2
    page = unescape(desk.client("umpire").get(desk.url("umpire")).content.decode())
    assert "<strong>the server</strong> resumed the clock" in page


def test_actions_in_several_wars_are_for_their_umpire(desk: StaffedWar) -> None:
    own_war = add_other_war(desk, "Own war").branch.campaign
    foreign = Campaign.objects.exclude(pk__in=(desk.campaign.pk, own_war.pk)).get()
    client = desk.client("umpire")
    for verb in ("extend", "pause", "remind"):
        door = reverse("umpire-many", args=(verb,))
        assert client.get(f"{door}?c={own_war.public_id}&c={foreign.public_id}").status_code == 404
        assert (
            client.post(door, {"c": [str(own_war.public_id), str(foreign.public_id)]}).status_code
            == 404
        )
        assert client.get(f"{door}?c=x").status_code == 404
        nothing = client.get(door)
        assert (nothing.status_code, "Choose campaigns first" in nothing.content.decode()) == (
            422,
            True,
        )
        assert "<button" not in nothing.content.decode().partition("<h1")[2].partition("</main")[0]
        assert desk.client("player").get(door).status_code == 404
        assert desk.client("host").get(f"{door}?c={desk.campaign.public_id}").status_code == 404
    assert client.get(f"/umpire/acts/resolve/?c={own_war.public_id}").status_code == 404
    assert not Act.objects.exclude(verb="join").exists()

"""Every state of a campaign and everybody's next action: home, war room and API agree."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.test.utils import override_settings

from campaign.access import viewer_of
from campaign.models import Campaign, Report, Stage
from campaign.orders.defaults import default_orders
from campaign.selectors.next_action import TASK_OF_STAGE, FactionBattle, Situation, next_action
from campaign.services.campaigns import membership_add
from tests.campaign.seats.people import open_campaign
from tests.sealing import orders_seal
from tests.umpire.services.online_war import OnlineWar as Fights
from tests.umpire.services.table_war import TableWar as Tables
from tests.umpire.services.test_single_battles import start_single_battle as single
from tests.umpire.services.test_single_battles import week_of
from tests.umpire.services.wars import ATTACK, attack, play_until, start_campaign
from umpire.services.control import battle_mode_set, campaign_pause
from umpire.services.stages import stage_close, stage_resolve
from umpire.services.tables import table_compare

NEXT = re.compile(
    r'(?s)<h[12][^>]* (?:id|class)="next-title"[^>]*>\s*(.*?)\s*</h[12]>.*?<a role="button" href="(.*?)"'
)
ROW = re.compile(
    r'(?s)<(?:div class="war-next"><b|h2 id="news-title")>(.*?)</(?:b|h2)>'
    r'.*?<a role="button" href="(.*?)"'
)


@dataclass
class State:
    """A campaign, and for each user the task, whether it is due, and the button's address."""

    campaign: Campaign
    expected: dict[str, tuple[str, bool, str]]
    umpire_text: str = ""  # the text on the umpire's page
    users: dict[str, User] = field(default_factory=dict)


def expect_watchers(
    campaign: Campaign, stage: Stage | None = None
) -> dict[str, tuple[str, bool, str]]:
    """Add an umpire, a host and an observer, with their next actions while a stage is open."""
    for role in ("umpire", "host", "observer"):
        user, _ = User.objects.get_or_create(username=f"the {role}")
        membership_add(campaign=campaign, user=user, role=role)
    return {
        "the umpire": ("umpire", False, "umpire/"),
        "the host": ("host", False, "host/"),
        "the observer": ("watch", False, "public/"),
    }


def expect_closed(expected: dict[str, Any], task: str = "resolving") -> dict[str, Any]:
    return dict.fromkeys(expected, (task, False, ""))


def lobby() -> State:
    campaign, _ = open_campaign(play="ember")
    player = User.objects.create_user("ann")
    membership_add(
        campaign=campaign, user=player, role="player", faction=campaign.factions.get(key="frost")
    )
    return State(campaign, {"hope": ("begin", True, ""), "ann": ("unbegun", False, "")})


def war_at(kind: str, *, sealed: bool = False, paused: bool = False, fights: bool = False) -> State:
    """Return a war of two whose battles are fought by captains."""
    campaign, stage = start_campaign(
        admirals={"ember": ATTACK} if fights else {"ember": "cautious", "frost": "cautious"}
    )
    users = {key: User.objects.create_user(key) for key in ("ember", "frost")}
    if kind != "deploy":
        stage = play_until(kind, stage) if fights else play_quietly_to(kind, stage)
    for key, user in users.items():
        membership_add(
            campaign=campaign, user=user, role="player", faction=campaign.factions.get(key=key)
        )
    expected = expect_watchers(campaign)
    if sealed:
        orders_seal(stage=stage, faction=campaign.factions.get(key="ember"), payload={"schema": 1})
    if paused:
        campaign_pause(viewer=viewer_of(User.objects.get(username="the host"), campaign.public_id))
    page = {"deploy": "deploy/", "decisions": "decisions/"}.get(kind, "orders/")
    due_task = (TASK_OF_STAGE[kind], True, page)
    return State(
        campaign,
        expected | {"ember": ("wait", False, "map/") if sealed else due_task, "frost": due_task},
    )


def play_quietly_to(kind: str, stage: Stage) -> Stage:
    """Return the first stage of a kind without any moves before."""
    while stage.kind != kind:
        result = stage_resolve(
            stage=stage.pk,
            force=True,
            admiral=lambda scenario, view, *_: orders_to_stay(scenario, view),
        )
        assert result is not None
        assert result.next is not None
        stage = result.next
    return stage


def orders_to_stay(scenario: Any, view: Any) -> Any:
    return default_orders(scenario, view)


def resolve_now(stage: Stage) -> None:
    with override_settings(PUBLICATION_GRID=0):
        assert stage_resolve(stage=stage.pk, admiral=attack) is not None


def at_now(battle: str) -> str:
    return f"battles/{battle}/now/"


def online(state: str) -> State:
    war = Fights()
    expected = expect_watchers(war.campaign)
    frost = at_now(war.fight("frost").id)
    ember = at_now(war.fight("ember").id)
    by_player = {"player-ember": ("fight", True, ember), "player-frost": ("fight", True, frost)}
    umpire_text = "Waiting for Ember Cooperative (orders in its battle) and Frost Assembly (orders in its battle)."
    if "doctrine" in state:
        orders_seal(stage=war.stage, faction=war.factions["ember"], payload={"schema": 1})
    if state in ("sealed", "sealed after its doctrine"):
        war.seal("ember")
        by_player["player-ember"] = ("wait", False, ember)
        umpire_text = "Waiting for Frost Assembly (orders in its battle)."
    elif state == "over":
        war.play(fleeing="ember")
        by_player = {name: ("wait", False, where) for name, (_, _, where) in by_player.items()}
        umpire_text = "Nobody has anything to seal."
    elif state == "withdrawn":
        umpire = viewer_of(User.objects.get(username="the umpire"), war.campaign.public_id)
        battle_mode_set(viewer=umpire, battle=war.battle, mode="captains")
        by_player = dict.fromkeys(by_player, ("doctrine", True, "orders/"))
        umpire_text = "Waiting for Ember Cooperative and Frost Assembly."
    elif state == "closed":
        war.play(fleeing="ember")
        assert stage_close(stage=war.stage.pk)
        return State(war.campaign, expect_closed(expected | by_player), "Closed and being resolved")
    elif state == "resolved":
        war.play(fleeing="ember")
        resolve_now(war.stage)
        by_player = dict.fromkeys(by_player, ("orders", True, "orders/"))
        umpire_text = "Waiting for Ember Cooperative and Frost Assembly."
    return State(war.campaign, expected | by_player, umpire_text)


def table(state: str) -> State:
    war = Tables()
    expected = expect_watchers(war.campaign)
    pages = {key: f"battles/{war.table(key).id}/table/" for key in ("ember", "frost")}
    by_player = {key: ("table", True, page) for key, page in pages.items()}
    umpire_text = "Waiting for Ember Cooperative (the result of its battle) and Frost Assembly (the result of its battle)."
    if "doctrine" in state:
        orders_seal(stage=war.stage, faction=war.factions["ember"], payload={"schema": 1})
    if state == "sealed":
        war.seal("ember", war.draft("ember"))
        by_player["ember"] = ("wait", False, pages["ember"])
        umpire_text = "Waiting for Frost Assembly (the result of its battle)."
    elif state == "differing":
        results = war.agreed_entries(1)
        results["ember"]["turns"] = 9
        for key, payload in results.items():
            war.seal(key, payload)
        assert table_compare(stage=war.table("ember").stage.pk) == "differing"
    elif state == "over":
        war.seal_same()
        by_player = {key: ("wait", False, page) for key, page in pages.items()}
        umpire_text = "Nobody has anything to seal."
    return State(war.campaign, expected | by_player, umpire_text)


def alone(mode: str) -> State:
    """Return a single battle."""
    campaign = single("first-battle", mode)
    expected: dict[str, tuple[str, bool, str]] = {"host": ("host", False, "host/")}
    for key in ("nac", "esu"):
        if mode == "captains":
            expected[key] = ("doctrine", True, "orders/")
            continue
        calls = sheets(campaign, key)
        expected[key] = (
            ("fight", True, at_now(calls))
            if mode == "online"
            else ("table", True, f"battles/{calls}/table/")
        )
    return State(campaign, expected)


def sheets(campaign: Campaign, key: str) -> str:
    body = Report.objects.filter(
        faction__key=key, faction__campaign=campaign, body__battle__isnull=False
    ).first()
    assert body is not None
    return str(body.body["battle"])


def alone_over() -> State:
    campaign = single("first-battle", "captains")
    assert stage_resolve(stage=week_of(campaign).pk, force=True) is not None
    return State(campaign, dict.fromkeys(("host", "nac", "esu"), ("over", False, "")))


ONLINE = (
    "open",
    "sealed",
    "doctrine sealed",
    "sealed after its doctrine",
    "over",
    "withdrawn",
    "closed",
    "resolved",
)
TABLES = ("open", "sealed", "doctrine sealed", "differing", "over")
STATES: dict[str, Callable[[], State]] = {
    "lobby": lobby,
    **{kind: lambda kind=kind: war_at(kind) for kind in TASK_OF_STAGE},  # type: ignore[misc]
    **{f"{kind}, sealed": lambda kind=kind: war_at(kind, sealed=True) for kind in TASK_OF_STAGE},  # type: ignore[misc]
    "decisions, met": lambda: war_at("decisions", fights=True),
    "battles, by captains": lambda: war_at("battles", fights=True),
    "battles, by captains, sealed": lambda: war_at("battles", fights=True, sealed=True),
    "paused": lambda: war_at("orders", paused=True),
    **{f"online, {state}": partial(online, state) for state in ONLINE},
    **{f"table, {state}": partial(table, state) for state in TABLES},
    **{f"single, {mode}": partial(alone, mode) for mode in ("online", "table", "captains")},
    "single, over": alone_over,
}


def browser(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def read_text(client: Client, where: str) -> str:
    answer = client.get(where)
    assert answer.status_code == 200, where
    return html.unescape(answer.content.decode())


def read_on(client: Client, where: str) -> str:
    """Return a page after following its redirects."""
    answer = client.get(where, follow=True)
    assert answer.status_code == 200, where
    return html.unescape(answer.content.decode())


def _stage_page_leads_to(page: str, battle: str, *, due: bool) -> None:
    """Check that the stage's page leads to the battle, with its main button if the reader is due."""
    nexts = re.findall(
        r'(?s)<section class="next-step".*?</section>|<p class="next(?: calm)?">.*?</p>', page
    )
    assert len(nexts) == 1, nexts
    assert battle in nexts[0]
    assert ('role="button"' in nexts[0]) is due
    assert "Wait until" not in nexts[0]


def _put_away_and_bring_back(client: Client, campaign: Campaign) -> None:
    """Check that a finished war can be put away, and that it can be brought back."""
    own_list = f"/me/wars/{campaign.public_id}"
    for act, is_shown in (("put-away", False), ("bring-back", True)):
        client.post(f"{own_list}/{act}/")
        home = read_text(client, "/")
        assert ("Finished campaigns" in home) is is_shown
        assert ("Put away: 1 campaign" in home) is not is_shown


@pytest.mark.django_db
@pytest.mark.parametrize("name", STATES)
def test_home_war_room_and_api_agree_on_the_next_action(name: str) -> None:
    state = STATES[name]()
    base = f"/c/{state.campaign.public_id}/"
    for username, (task, due, where) in state.expected.items():
        client = browser(username)
        wants = client.get(f"/api/campaigns/{state.campaign.public_id}/").json()["wants"]
        assert (wants["task"], wants["due"]) == (task, due), (name, username)
        assert wants["decision_count"] == 0 or task == "decisions", (name, username)
        if wants["battle"]:
            assert wants["battle"] in where
        home = read_text(client, "/")
        in_war_room = NEXT.search(read_text(client, base))
        if task == "over":
            assert "Finished campaigns" in home
            _put_away_and_bring_back(client, state.campaign)
            continue
        row = ROW.search(home)
        assert row is not None
        assert row[2] == f"{base}{where}", (name, username)
        assert ("1 campaign needs you" in home) is due
        if in_war_room is not None:  # the lobby says it in its own form
            assert in_war_room.groups() == row.groups(), (name, username)
        page = client.get(row[2])
        assert page.status_code == 200
        text_there = page.content.decode()
        assert "The deployment is open" not in text_there
        if wants["battle"]:
            _stage_page_leads_to(read_on(client, f"{base}orders/"), f"{base}{where}", due=due)
        if task == "wait" and wants["battle"] and "over" in name:
            assert "Ships destroyed" in text_there or "All results agree" in text_there
            assert 'name="action" value="seal"' not in text_there
            assert 'name="action" value="seal"' not in read_text(client, f"{base}orders/")
    if state.umpire_text:
        assert state.umpire_text in read_text(browser("the umpire"), f"{base}umpire/"), name


@pytest.mark.django_db
def test_starting_a_single_battle_leads_to_it() -> None:
    campaign, _ = open_campaign("first-battle", play="nac")
    fields = {"computers": "esu"}
    answer = browser("hope").post(f"/c/{campaign.public_id}/seats/begin/", fields, follow=True)
    assert answer.redirect_chain[-1][0].endswith("/now/")
    text = answer.content.decode()
    assert "The battle has begun." in text
    assert "deployment" not in text.lower()


@pytest.mark.django_db
def test_finished_battle_shows_result_then_replay() -> None:
    war = Fights()
    client = browser("player-frost")
    war_room = read_text(client, f"/c/{war.campaign.public_id}/")
    assert "Week 1 · battle, turn 1" in war_room
    war.play(fleeing="ember")
    assert "battle, turn" not in read_text(client, f"/c/{war.campaign.public_id}/")
    where = f"/c/{war.campaign.public_id}/battles/{war.fight('frost').id}/"
    page = read_text(client, f"{where}now/")
    assert "Frost Assembly won." in page or "You won." in page
    assert "The other side, as far as you have seen it" in page
    umpire = User.objects.create_user("cyrus")
    membership_add(campaign=war.campaign, user=umpire, role="umpire")
    text = read_text(browser("cyrus"), f"/c/{war.campaign.public_id}/umpire/battles/")
    assert "not yet fought" not in text
    assert "Frost Assembly" in text
    resolve_now(war.stage)
    assert client.get(f"{where}now/").headers["Location"] == f"{where}result/"
    (line,) = client.get(f"/api/campaigns/{war.campaign.public_id}/fights/").json()["fights"]
    assert (line["state"], line["phase"]["kind"]) == ("over", "over")


@pytest.mark.django_db
def test_home_costs_equal_queries_for_many_battles(django_assert_num_queries: Any) -> None:
    war = Fights()
    client = browser("player-ember")
    read_text(client, "/")
    # session, user with preference, memberships, stages, entries, views, drafts, sheets, newest
    # battle, lost seats
    with django_assert_num_queries(11):
        read_text(client, "/")
    for number in range(2):
        other = Fights(seed=f"{number}" * 64)
        assert other.users["ember"] == war.users["ember"]
    read_text(client, "/")
    with django_assert_num_queries(11):
        assert read_text(client, "/").count("Give orders") == 3


@pytest.mark.django_db
def test_faction_in_two_battles_is_led_to_the_waiting_one() -> None:
    war = Fights()
    view = None
    stage = Stage.objects.get(pk=war.stage.pk)
    calls = [FactionBattle(str(n), f"010{n}", False, "waiting", 2) for n in range(3)]

    def action_for(*battles: FactionBattle, sealed: bool = False) -> Any:
        war.campaign.refresh_from_db()
        return next_action(Situation(war.campaign, ("player",), stage, sealed, view, battles))

    assert action_for(*calls).task == "wait"
    assert (
        action_for(
            calls[0], FactionBattle("x", "0505", True, "open", is_repeat=True), calls[1]
        ).task
        == "table"
    )
    action = action_for(
        FactionBattle("x", "0505", True, "open"), FactionBattle("y", "0606", False, "open")
    )
    assert (action.task, action.battle.id) == ("fight", "y")
    assert action_for(FactionBattle("z", "0606", False, "over"), calls[0]).battle == calls[0]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "page", ["", "reports/", "reports/1/", "ships/", "receipts/", "story/", "public/"]
)
def test_single_battle_page_does_not_mention_a_war(page: str) -> None:
    """It has no weeks and no systems; its result is worded as that of a battle."""
    campaign = alone_over().campaign
    text = re.sub(r"<[^>]*>", "", read_text(browser("nac"), f"/c/{campaign.public_id}/{page}"))
    text = " ".join(text.split())
    for words in (r"\b[Ww]eek \d", "contested", "nobody holds", "[Hh]eld by", "[Tt]he war is over"):
        assert not re.search(words, text), (page, words)
    if page in ("", "reports/", "reports/1/"):
        assert re.search(
            r"The battle is over: (.+ victory|Draw)\.", text
        )  # its dice differ from run to run
        assert "The battle ended after" in text

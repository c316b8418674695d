"""Playing at the command line against the site in this process: late, lost and repeated requests."""

from __future__ import annotations

import gzip
import json
import re
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from blindjump.errors import NOT_LOGGED_IN, REFUSED, TIMED_OUT, UNREACHABLE, USAGE
from django.contrib.auth.models import User
from django.utils import timezone

from campaign.access import viewer_of
from campaign.kinds import MessageMode
from campaign.models import ApiToken, Stage
from campaign.rules.files import fixture_scenario
from campaign.rules.message_rules import MessageRules
from campaign.rules.timetable import timetable_of
from campaign.selectors.messages import unread_count
from campaign.services.invites import invite_accept, invite_create
from campaign.services.scenarios import scenario_import
from campaign.services.seats import campaign_begin, campaign_open
from campaign.services.tokens import token_make, tokens_of
from tests.campaign.api.calls import War, war_at
from tests.campaign.api.test_knowledge import after_a_battle
from tests.clients.site_user import SITE, CommandLineUser, typist
from tests.site.people import PASSWORD
from tests.umpire.services.online_war import OnlineWar as Fights
from tests.umpire.services.table_war import TableWar
from tests.umpire.services.test_single_battles import start_single_battle, week_of
from tests.umpire.services.wars import resolve_stage
from umpire.services.stages import stage_resolve

__all__ = ["typist"]  # a fixture

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def war(typist: CommandLineUser) -> War:
    war = war_at("deploy")
    typist.log_in_as(war.ember.token)
    return war


def test_late_deployment_says_when_its_stage_closed(typist: CommandLineUser, war: War) -> None:
    deployment = json.dumps(typist.json("orders", "default")["orders"])
    resolve_stage(war.stage)
    fleet = typist.json("fleets")["fleets"][0]["key"]
    typist.run("orders", "set", "-", piped=f"standing {fleet} fight\n")
    before = typist.json("orders", "show")
    for act in ("check", "set", "seal"):
        output = typist.run("orders", act, "-", piped=deployment, status=REFUSED)
        assert output.startswith("blindjump: the deployment was over at 2")
        assert output.endswith("; now the stage 'orders' of week 1 is open (409 stage-closed)\n")
    error = typist.json("orders", "seal", "-", piped=deployment, status=REFUSED)
    assert (error["code"], error["closed"]["kind"], error["now"]["kind"]) == (
        "stage-closed",
        "deploy",
        "orders",
    )
    assert typist.json("orders", "show") == before
    output = typist.run("orders", "seal", "--week", "0", status=REFUSED)
    assert "these orders are for week 0, but the open stage is week 1, orders (open)" in output
    assert (
        typist.run("orders", "check", "-", piped=typist.run("orders", "default"))
        == "These orders can be sealed.\n"
    )
    assert typist.json("orders", "show") == before
    assert typist.json("orders", "seal", "--week", "1")["orders"] == before["orders"]


def test_late_battle_orders_say_when_their_phase_closed(
    typist: CommandLineUser,
) -> None:
    war = Fights(umpire=True)
    typist.log_in_as(token_make(user=war.users["ember"]))
    plot = typist.run("battle", "default", "--json")
    war.play(most=1)
    stop = war.open_phase()
    assert stop is not None
    at = f"{stop.opens:%Y-%m-%d %H:%M:%S} UTC"  # early: nobody learns when the last one sealed
    before = typist.json("battle", "show")
    for act in ("check", "set", "seal"):
        for piped in (plot, json.dumps({"plot": {"nobody": "+1"}})):
            output = typist.run("battle", act, "-", piped=piped, status=REFUSED)
            expected = f"blindjump: turn 1, plot of this battle was over at {at}; now turn 1, engage is open"
            assert output == f"{expected} (409 stage-closed)\n"
    assert typist.json("battle", "show") == before
    engage = typist.run("battle", "default", "--json")
    typist.run("battle", "seal", "-", piped=engage)
    war.play()
    expected = typist.json("battle", "seal", "-", piped=engage, status=REFUSED)
    assert (expected["code"], expected["closed"]["at"], expected["now"]["status"]) == (
        "stage-closed",
        None,
        "over",
    )
    assert expected["closed"]["turn"] > 1
    output = typist.run("battle", "unseal", status=REFUSED)
    assert output.endswith("; now the battle is over (409 stage-closed)\n")


def test_unseal_says_whether_anything_was_sealed(typist: CommandLineUser, war: War) -> None:
    assert "Nothing was sealed, so nothing has changed: week 0, deploy (open)" in typist.run(
        "orders", "unseal"
    )
    typist.run("orders", "seal", "-", piped=json.dumps(typist.json("orders", "default")["orders"]))
    assert "Unsealed; nothing is sealed now: week 0, deploy (open)" in typist.run(
        "orders", "unseal"
    )
    assert typist.json("orders", "unseal")["sealed"] is None


def test_fruitless_wait_has_its_own_exit_status(typist: CommandLineUser, war: War) -> None:
    assert typist.json("wait", "--at-most", "0")["wants"]["due"]
    typist.run("orders", "seal", "-", piped=json.dumps(typist.json("orders", "default")["orders"]))
    assert "there was nothing to do for you within 0 seconds" in typist.run(
        "wait", "--at-most", "0", status=TIMED_OUT
    )


def test_report_is_printed_by_place(typist: CommandLineUser) -> None:
    war = after_a_battle()
    typist.log_in_as(war.ember.token)
    output = typist.run("report", "--week", "1")
    assert output.count("week 1, battles\nFrost (0804)\n  The battle ended after ") == 1
    assert (
        "\nFrost (0804)\n  You chose to fight; Frost Assembly chose to stand off. There will be a battle.\n"
        in output
    )
    assert output.count("The battle ended after") == output.count("week 1, orders") == 1
    assert "You lost the battle" not in output, "the stage's own report tells of it"
    assert "{" not in output
    reports = typist.json("report", "--week", "1")["reports"]
    assert {line["code"] for report in reports for line in report["lines"]} >= {
        "decided",
        "battle",
        "holding",
    }
    assert "There is no report of week 9." in typist.run("report", "--week", "9")


def test_printed_orders_can_be_submitted_and_faults_name_lines(
    typist: CommandLineUser, war: War
) -> None:
    orders_text = typist.run("orders", "default", "--json")
    assert typist.run("orders", "check", "-", piped=orders_text) == "These orders can be sealed.\n"
    receipt = typist.run("orders", "seal", "-", "--json", piped=orders_text)
    typist.run("orders", "unseal")
    assert (
        typist.json("orders", "seal", "-", piped=receipt)["orders"]
        == json.loads(orders_text)["orders"]
    )
    resolve_stage(war.stage)
    lines = "# week 1\nmove ember/f2 9999\n\nstanding ember/f2 fight\nmove ember/f99 0404\n"
    for act in ("check", "set", "seal"):
        output = typist.run("orders", act, "-", piped=lines, status=REFUSED)
        assert "line 2: no fleet can enter hex '9999'" in output
        assert "line 5: you have no fleet 'ember/f99'" in output
    faults = typist.json("orders", "seal", "-", piped=lines, status=REFUSED)["violations"]
    assert [(fault["where"], fault["line"]) for fault in faults] == [
        ("orders.moves[0].to", 2),
        ("orders.moves[1].fleet", 5),
    ]
    output = typist.run("orders", "seal", status=REFUSED)
    assert (
        "\n  orders.moves[0].to: no fleet can enter hex '9999'\n  orders.moves[1].fleet: you have no"
        in output
    )


NETWORK_FAILURES: tuple[Exception, ...] = (
    httpx.ConnectError("refused"),
    httpx.ReadError("reset"),
    httpx.RemoteProtocolError("cut off"),
    httpx.ReadTimeout("slow"),
)


def test_lost_request_is_done_once_and_no_draft_lost(typist: CommandLineUser, war: War) -> None:
    resolve_stage(war.stage)
    half = httpx.Response(
        200, headers={"Content-Type": "application/json"}, content=b'{"faction": "em'
    )
    away = httpx.Response(502, headers={"Content-Type": "text/html"}, content=b"<html>")
    acts: list[httpx.Response | Exception] = [*NETWORK_FAILURES, half, away]
    for nth, failure in enumerate(acts):
        typist.responses = [None, None, failure]
        typist.run("orders", "set", "-", piped=f"name ember/f1 Fleet-{nth}\n")
        assert typist.json("orders", "show")["orders"]["settings"] == [
            {"fleet": "ember/f1", "name": f"Fleet-{nth}"}
        ]
    before = typist.json("orders", "show")
    for act in ("set", "seal", "check"):
        typist.responses = [None, *[httpx.ConnectError("refused")] * 4]
        output = typist.run("orders", act, "-", piped="name ember/f1 Other\n", status=UNREACHABLE)
        assert output == f"blindjump: {SITE} cannot be reached: refused\n"
        assert typist.json("orders", "show") == before
    typist.responses = [httpx.Response(404, text="<html>")]
    assert "is not the address of a Blind Jump site" in typist.run("wars", status=REFUSED)


def test_waiting_mentions_only_a_long_outage(typist: CommandLineUser, war: War) -> None:
    typist.responses = [None, *[httpx.ConnectError("refused")] * 4]
    assert typist.json("wait", "--every", "0.01")["wants"]["task"] == "deploy"
    typist.responses = [None, *[httpx.ConnectError("refused")] * 4]
    assert "cannot be reached" in typist.run("wait", "--at-most", "0", status=TIMED_OUT)


def test_spectator_sees_role_and_foreign_war_is_unknown(typist: CommandLineUser, war: War) -> None:
    war_id = str(war.campaign.public_id)
    typist.log_in_as(war.umpire.token)
    assert "nothing to do for you" in typist.run("status")
    for words in (
        ("fleets",),
        ("orders", "show"),
        ("report",),
        ("results",),
        ("battle", "list"),
        ("encounters",),
    ):
        output = typist.run(*words, status=REFUSED)
        assert output == "blindjump: you have no faction in First Steps: you are its umpire\n"
    typist.log_in_as(war.stranger.token)
    assert typist.run("status", "--war", war_id, status=USAGE) == "blindjump: You are in no war.\n"
    assert typist.run("wars") == "You are in no war.\n"


def test_invalid_token_is_explained(typist: CommandLineUser, war: War) -> None:
    ApiToken.objects.filter(user=war.ember.user).delete()
    output = typist.run("status", status=NOT_LOGGED_IN)
    assert f"does not accept the token any more; run `blindjump login {SITE}`" in output
    for token in ("zzé", "two words", "a\nb"):
        typist.log_in_as(token)
        assert "this is not a token" in typist.run("status", status=NOT_LOGGED_IN)
    assert typist.slept == []


def test_two_factor_account_uses_a_profile_token(typist: CommandLineUser, war: War) -> None:
    typist.log_out()
    frost = war.frost.user
    frost.set_password(PASSWORD)
    frost.save()
    TOTP.activate(frost, generate_totp_secret())
    output = typist.run(
        "login", SITE, "--user", "frost", "--stdin", piped=f"{PASSWORD}\n", status=NOT_LOGGED_IN
    )
    assert f"make a token on {SITE}/me/, then log in with --token" in output
    assert "logged in as frost" in typist.run(
        "login", SITE, "--token", "--stdin", piped=f"{token_make(user=frost)}\n"
    )
    assert typist.json("status")["faction"] == "frost"


def test_programs_have_separate_tokens(typist: CommandLineUser, war: War) -> None:
    typist.log_out()
    frost = war.frost.user
    frost.set_password(PASSWORD)
    frost.save()
    once = ("login", SITE, "--user", "frost", "--stdin")
    other = token_make(user=frost, name="my bot")
    typist.run(*once, "--name", "the laptop", piped=f"{PASSWORD}\n")
    assert [row.name for row in tokens_of(user=frost)] == ["my bot", "the laptop"]
    typist.run(*once, piped=f"{PASSWORD}\n")  # again: its own earlier token ends, and no other
    names = [row.name for row in tokens_of(user=frost)]
    assert names[0] == "my bot"
    assert names[1].startswith("blindjump on ")
    output = typist.run("tokens")
    assert "my bot" in output
    assert output.count("this one") == 1
    bot = next(token["id"] for token in typist.json("tokens")["tokens"] if not token["this"])
    assert "The token 'my bot' has been revoked" in typist.run("tokens", "--end", bot[:8])
    assert "begins with 'zz'" in typist.run("tokens", "--end", "zz", status=USAGE)
    typist.log_in_as(other)
    typist.run("status", status=NOT_LOGGED_IN)


def test_map_range_and_seats_are_printed(typist: CommandLineUser, war: War) -> None:
    orders = resolve_stage(war.stage).next
    assert orders is not None
    assert "0804  Frost  frost  as of week 0" in typist.run("map")
    assert typist.run("reach", "ember/f2").startswith("1 step: 0203 ")
    assert typist.json("reach", "ember/f2")["hexes"][0]["hex"]
    for other in ("frost/f1", "ember/f99", "x"):  # another's and a missing one: alike
        output = typist.run("reach", other, status=REFUSED)
        assert (
            output
            == f"blindjump: you have no fleet '{other}': `blindjump fleets` lists yours (404)\n"
        )
    assert "ember/f1  0304  " in typist.run("fleets")
    assert "\n    ember/s" in typist.run("fleets")
    output = typist.run("seats")
    assert "frost  Frost Assembly     frost" in output
    assert "umpires: umpire" in output
    assert "this war has no messages" in typist.run("messages", status=REFUSED)
    assert "this war has no messages" in typist.run("write", "hello", status=REFUSED)
    stage_resolve(stage=orders.pk, force=True)
    assert "your task: decisions, with nothing left to decide" in typist.run(
        "wait", "--at-most", "0"
    )
    expected = "You have no decisions to make.\nThe stage still waits for your orders"
    assert typist.run("encounters").startswith(expected)
    typist.run("orders", "seal", "-", piped=typist.run("orders", "default"))
    assert typist.run("encounters") == "You have no decisions to make.\n"
    assert "nothing to do for you" in typist.run("status")


def test_battle_is_listed_saved_and_its_page_named(typist: CommandLineUser, tmp_path: Path) -> None:
    war = after_a_battle()
    typist.log_in_as(war.ember.token)
    id_ = typist.json("results")["battles"][0]["id"]
    line = rf"^{id_[:8]}  week 1  0804  \d+ turns  won by frost$"
    assert re.search(line, typist.run("results"), re.MULTILINE)
    file = tmp_path / "battle.json"
    output = typist.run("replay", id_[:8], "-o", str(file))
    assert f"its page: {SITE}/c/{war.campaign.public_id}/battles/{id_}/result/" in output
    assert json.loads(file.read_text())["phases"]
    assert "'zz' is the beginning of 0 ids of your battles" in typist.run(
        "replay", "zz", status=USAGE
    )


def test_bot_declares_itself_joins_and_writes_a_message(
    typist: CommandLineUser,
) -> None:
    host = User.objects.create_user("host")
    bot = User.objects.create_user("robo")
    campaign = campaign_open(
        user=host,
        scenario=scenario_import(scenario=fixture_scenario("first-steps")),
        play="ember",
        bots=True,
        messages=MessageRules(MessageMode.AT_ONCE, umpire_reads=False),
    )
    offered = invite_create(
        viewer=viewer_of(host, campaign.public_id), role="player", faction="frost"
    )
    typist.log_in_as(token_make(user=bot))
    assert typist.run("account", "--bot") == f"robo at {SITE}, a program\n"
    link = f"{SITE}/c/{campaign.public_id}/join/{offered.token}/"
    assert f"You have joined {campaign.name} (frost, player): it has not begun" in typist.run(
        "join", link
    )
    cannot = "blindjump: this invitation cannot be used: it was used before, was revoked, has expired, or is for another site"
    typist.log_in_as(token_make(user=User.objects.create_user("later")))
    for other in (link, f"{SITE}/c/{campaign.public_id}/join/nothing/"):
        assert typist.run("join", other, status=REFUSED).startswith(cannot)
    typist.log_in_as(token_make(user=bot))
    output = typist.run("fleets", status=REFUSED)
    assert output == f"blindjump: {campaign.name} has not begun: there is nothing to show yet\n"
    assert "not an invitation link" in typist.run("join", f"{SITE}/c/x/join/y/", status=USAGE)
    assert "robo (program)" in typist.run("seats")
    assert typist.run("write", "Peace?", "--to", "ember") == "Sent to ember.\n"
    typist.log_in_as(token_make(user=host))
    page = viewer_of(host, campaign.public_id)
    output = typist.run("messages", "--keep")
    assert output.startswith("* week 0, frost to ember, ")
    assert output.endswith("\n    Peace?\n")
    typist.log_in_as(token_make(user=host, read_only=True))
    assert typist.run("messages").endswith(
        "\n    Peace?\nThey stay unread: your token is read-only.\n"
    )
    assert unread_count(page) == 1
    typist.log_in_as(token_make(user=host))
    assert typist.json("messages", "--unread")["messages"][0]["unread"]
    assert unread_count(page) == 0
    assert typist.run("messages").startswith("week 0, frost to ember, ")
    assert typist.run("messages", "--unread") == "There are no new messages.\n"


def test_seat_changes_hands_and_side_declares_ready(typist: CommandLineUser) -> None:
    """Over the API alone: the host offers Ann's seat, Nora takes it, seals, and is ready."""
    users = {name: User.objects.create_user(name) for name in ("hope", "ann", "nora")}
    campaign = campaign_open(
        user=users["hope"],
        scenario=scenario_import(scenario=fixture_scenario("three-powers")),
        play="karst",
        timetable=timetable_of("daily"),
    )
    offered = invite_create(viewer=viewer_of(users["hope"], campaign.public_id), faction="halcyon")
    invite_accept(user=users["ann"], public_id=campaign.public_id, token=offered.token)
    campaign_begin(viewer=viewer_of(users["hope"], campaign.public_id))
    typist.log_in_as(token_make(user=users["hope"]))
    output = typist.run("invite", "halcyon", "--replaces", "ann")
    assert "ann keeps the seat until somebody takes it over." in output
    assert "does not play this faction" in typist.run(
        "invite", "halcyon", "--replaces", "bob", status=REFUSED
    )
    link = output.splitlines()[0]
    typist.log_in_as(token_make(user=users["nora"]))
    assert "(halcyon, player)" in typist.run("join", link)
    default = typist.run("orders", "default")
    assert typist.json("orders", "show")["closing"] == "ready"
    assert "You are marked ready" in typist.run("orders", "seal", "-", "--ready", piped=default)
    assert "marked ready: the stage closes as soon as every side is ready" in typist.run(
        "orders", "show"
    )
    typist.log_in_as(token_make(user=users["hope"]))
    assert typist.json("orders", "show")["ready"] is False
    typist.log_in_as(token_make(user=users["nora"]))
    assert "closes at its deadline" in typist.run(
        "orders", "seal", "-", "--no-ready", piped=default
    )
    assert typist.json("orders", "show")["ready"] is False


def test_watching_prints_a_line_per_change(typist: CommandLineUser) -> None:
    campaign = start_single_battle("first-battle", "captains")
    typist.log_in_as(token_make(user=User.objects.get(username="nac")))
    stage = week_of(campaign).pk
    typist.responses = [None, None, httpx.ConnectError("refused"), None]
    ended = iter([False, True])

    def later(_seconds: float) -> None:
        if next(ended):
            assert stage_resolve(stage=stage, force=True) is not None

    typist.monkeypatch.setattr("blindjump.war.time.sleep", later)
    lines = typist.run("watch", "--json").splitlines()
    assert [json.loads(line)["state"] for line in lines] == ["war", "over"]


def test_umpire_writes_events_holds_and_hands_over(typist: CommandLineUser) -> None:
    war = war_at("orders")
    Stage.objects.filter(pk=war.stage.pk).update(closes=timezone.now() + timedelta(hours=5))
    typist.log_in_as(war.umpire.token)
    assert "[ ] Ember Cooperative has not sealed yet.\n" in typist.run("checklist")
    assert typist.run("events") == "No events have been written.\n"
    event = ("event", "rumour", "A convoy was lost", "--to", "ember", "--week", "1")
    assert typist.run(*event, "--stage", "decisions") == (
        "Sealed:\nrumour to ember, week 1, decisions: not delivered yet\n    A convoy was lost\n"
    )
    typist.run("event", "bulletin", "Peace talks fail", "--week", "2")
    contact = ("event", "contact", "--to", "ember", "--week", "2", "--power", "frost")
    typist.run(*contact, "--hex", "0804", "--contacts", "escort=3")
    assert "escort=x' is not a name and a number" in typist.run(
        *contact, "--contacts", "escort=x", status=USAGE
    )
    output = typist.run("events")
    assert (
        "contact to ember, week 2, orders: not delivered yet\n    frost; 3 escort; hex 0804"
        in output
    )
    assert "bulletin to ember, frost, week 2" in output
    assert "Late orders are accepted until 2" in typist.run("late", "3", "--reason", "a train")
    assert typist.run("late", "0") == "Late orders are not accepted.\n"
    assert "held back" in typist.run("hold")
    assert "[ ] The next stage is held back until you release it." in typist.run("checklist")
    assert typist.run("release") == "The next stage is released.\n"
    assert f"{SITE}/c/{war.campaign.public_id}/join/" in typist.run("hand-over")
    assert "umpire keeps the seat until somebody takes it over." in typist.run("hand-over")
    typist.log_in_as(war.ember.token)
    assert typist.run("checklist", status=REFUSED).startswith("blindjump: ")


def test_dice_of_a_table_are_reserved_shown_and_archived(
    typist: CommandLineUser, tmp_path: Path
) -> None:
    war = TableWar()
    typist.log_in_as(token_make(user=war.people["ember"]))
    typist.responses = [None, None, None, *[httpx.ConnectError("gone")] * 10]
    lost = typist.run("roll", "3", "--for", "Beams", status=UNREACHABLE)
    assert "the dice are reserved: `blindjump roll --number 1` shows them" in lost
    typist.responses = []
    shown = typist.run("roll", "--number", "1")
    assert typist.run("roll", "--number", "1") == shown
    assert len(shown.removeprefix("number 1: ").split()) == 3
    refused = typist.run("roll", "--number", "5", status=REFUSED)
    assert "your side has reserved no dice with this number" in refused
    file = tmp_path / "own.gz"
    assert typist.run("archive", "--own", "-o", str(file)).startswith(f"Written: {file}")
    with gzip.open(file) as lines:
        assert b'"kind":"archive"' in next(lines)
    typist.run("archive", "-o", str(file), status=REFUSED)

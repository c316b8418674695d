"""The command line itself: unknown input gives one line and an exit status, never a traceback."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import httpx
import pytest
from blindjump import accounts, rulings, timelines
from blindjump.api import Api
from blindjump.cli import main
from blindjump.errors import NOT_LOGGED_IN, UNREACHABLE, USAGE, ClientError, UsageError
from blindjump.files import orders_file
from blindjump.orders import OrdersEndpoint
from blindjump.war import status, war_of, wars

from tests.clients.test_session import Server

ADDRESS = "http://127.0.0.1:1"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Log nobody in, and read nothing of this machine."""
    monkeypatch.setenv("BLINDJUMP_CONFIG", str(tmp_path))
    for name in ("BLINDJUMP_URL", "BLINDJUMP_TOKEN", "BLINDJUMP_WAR"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("seconds", ["-1", "0", "nan", "inf", "1e99", "soon"])
def test_invalid_waiting_time_is_refused(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["status", f"--timeout={seconds}"])
    assert ended.value.code == USAGE
    assert "is not a number of seconds above 0" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["https://a:b", "https://" + "a" * 70_000, "ftp://x"])
def test_invalid_address_is_refused_at_login_and_in_the_environment(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["login", address, "--user", "x", "--stdin"]) == USAGE
    monkeypatch.setenv("BLINDJUMP_URL", address)
    monkeypatch.setenv("BLINDJUMP_TOKEN", "x")
    assert main(["status", "--json"]) == USAGE
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert json.loads(lines[1])["status"] == USAGE


def test_missing_network_is_reported_for_people_and_programs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("blindjump.api.ATTEMPTS", 1)
    monkeypatch.setenv("BLINDJUMP_URL", ADDRESS)
    monkeypatch.setenv("BLINDJUMP_TOKEN", "x")
    assert main(["wars"]) == UNREACHABLE
    assert main(["wars", "--json"]) == UNREACHABLE
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith(f"blindjump: {ADDRESS} cannot be reached")
    assert json.loads(lines[1])["status"] == UNREACHABLE


@pytest.mark.parametrize(
    ("words", "answer", "expected"),
    [
        ((), httpx.Response(401, json={"title": "Not logged in"}), "wrong name or password"),
        (
            (),
            httpx.Response(403, json={"code": "second-factor", "title": "Not allowed"}),
            f"{ADDRESS}/me/",
        ),
        (
            (),
            httpx.Response(
                429,
                headers={"Retry-After": "300"},
                json={"code": "locked-out", "detail": "too many"},
            ),
            "blindjump: too many; wait 300 seconds",
        ),
        (
            ("--token",),
            httpx.Response(401, json={"title": "Not logged in"}),
            "the site does not accept this token",
        ),
    ],
)
def test_refused_user_is_told_what_to_do(
    words: tuple[str, ...],
    answer: httpx.Response,
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    server = Server(answer)

    def api(address: str, token: str = "", *, timeout: float) -> Api:
        return Api(address, token, timeout=timeout, transport=httpx.MockTransport(server))

    monkeypatch.setattr(accounts, "Api", api)
    monkeypatch.setattr("sys.stdin", io.StringIO("a-secret\n"))
    assert main(["login", ADDRESS, "--user", "vera", "--stdin", *words]) == NOT_LOGGED_IN
    output = capsys.readouterr().err
    assert expected in output
    assert "a-secret" not in output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", [(), ("--user", "vera")])
def test_missing_terminal_explains_how_to_log_in(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(_prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", ended)
    monkeypatch.setattr("getpass.getpass", ended)
    assert main(["login", ADDRESS, *words]) == USAGE
    assert (
        "pipe the password or token in with --stdin; with a password, also give --user NAME"
        in capsys.readouterr().err
    )


def test_sealing_without_a_draft_names_the_commands() -> None:
    server = Server(httpx.Response(409, json={"code": "no-draft", "detail": "there is no draft"}))
    with pytest.raises(UsageError, match="set FILE"):
        OrdersEndpoint(server.api(), "campaigns/x/orders/").seal()


@pytest.mark.parametrize(
    ("state", "due", "expected"),
    [
        ("over", False, "Ember: it is over"),
        ("lobby", False, "Ember: it has not begun; nothing to do for you"),
        ("lobby", True, "Ember: it has not begun; your task: begin"),
    ],
)
def test_war_status_is_printed_once(state: str, due: bool, expected: str) -> None:
    sheet = war_line("c-1", "Ember", state, due=due)
    server = Server(
        httpx.Response(200, json={"campaigns": [sheet]}), httpx.Response(200, json=sheet)
    )
    assert status(Namespace(war=""), server.api()).words == expected


def war_line(campaign: str, name: str, state: str, *, due: bool = False) -> dict[str, Any]:
    """Return a war as the site lists it."""
    part = {"campaign": campaign, "name": name, "faction": "ember", "roles": ["player"]}
    return {
        **part,
        "state": state,
        "paused": False,
        "stage": None,
        "wants": {"due": due, "task": "begin"},
    }


def test_wars_are_listed_and_the_running_one_is_the_default() -> None:
    war_rows = [
        war_line("c-1", "Ash", "over"),
        war_line("c-2", "Bay", "lobby"),
        war_line("c-3", "Cog", "lobby", due=True),
    ]

    def server(parts: list[dict[str, Any]]) -> Api:
        return Server(httpx.Response(200, json={"campaigns": parts})).api()

    lines = wars(Namespace(), server(war_rows)).words.splitlines()
    assert [line.split()[:2] for line in lines] == [["c-3", "Cog"], ["c-2", "Bay"], ["c-1", "Ash"]]
    assert [line.partition("player")[2].strip() for line in lines] == [
        "it has not begun; your task: begin",
        "it has not begun; nothing to do for you",
        "it is over",
    ]
    assert war_of(Namespace(war=""), server(war_rows[:2])) == "campaigns/c-2/"
    assert war_of(Namespace(war="Ash"), server(war_rows)) == "campaigns/c-1/"
    assert war_of(Namespace(war=""), server(war_rows[:1])) == "campaigns/c-1/"
    with pytest.raises(UsageError, match=r"name the war with --war:\nc-3 .*your task: begin"):
        war_of(Namespace(war=""), server(war_rows))
    with pytest.raises(UsageError, match="you are in no war 'Dew'"):
        war_of(Namespace(war="Dew"), server(war_rows))


def test_orders_in_a_list_are_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("[1, 2]"))
    with pytest.raises(UsageError, match="standard input must contain an object with orders"):
        orders_file("-")


def test_shell_completion_covers_commands_options_and_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "blindjump"
    script.write_text(capsys.readouterr().out)
    (tmp_path / "plan.orders").touch()
    typed = {
        "blindjump mess": ["messages"],
        "blindjump orders un": ["unseal"],
        "blindjump messages --k": ["--keep"],
        "blindjump decide 0101 frost stand": ["stand-off"],
        "blindjump orders check plan": ["plan.orders"],
    }
    for line, expected in typed.items():
        ask = f"COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _shtab_blindjump; echo ${{COMPREPLY[@]}}"
        process = subprocess.run(
            ["/bin/bash", "-c", f". {script}; {ask}"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert (process.stdout.split(), process.stderr) == (expected, ""), line
    marks = {
        "zsh": ["#compdef blindjump\n", ":_files"],
        "fish": ["complete -c blindjump ", "__fish_complete_path"],
    }
    for shell, needed in marks.items():
        assert main(["completion", shell]) == 0
        printed = capsys.readouterr().out
        assert [mark for mark in needed if mark not in printed] == [], shell


def test_missing_shtab_is_explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == USAGE
    assert "pip install 'blindjump[completion]'" in capsys.readouterr().err


class TimelinesApi:
    """An API that knows one war with a proposal, and keeps what is posted."""

    def __init__(self, state: str) -> None:
        self.posted: list[tuple[str, Any]] = []
        target = {"place": "1-4", "week": 2, "stage": "orders", "abandoned": False}
        proposal = {
            **{"kind": "rollback", "name": ""},
            **{"proposal": 3, "by": "pia", "to": "1-4", "dice": "fresh", "state": state},
            **{"reason": "a wrong order", "answers": {"ember": True}},
        }
        self.sheet = {
            **{"head": "1-9", "power": "vote", "targets": [target], "abandoned": []},
            "proposal": proposal if state else None,
        }

    def get(self, path: str) -> Any:
        if path == "campaigns/":
            return {"campaigns": [war_line("c-1", "Ash", "running")]}
        return self.sheet

    def post(self, path: str, body: Any) -> Any:
        self.posted.append((path, body))
        return self.sheet


def test_rollback_and_votes_name_what_the_list_shows() -> None:
    api: Any = TimelinesApi("open")
    here = {"war": ""}
    assert timelines.timelines(Namespace(**here), api).words.splitlines() == [
        "     1-4  week 2, orders",
        "pia proposed 1-4: open. Reason: a wrong order",
        "  ember: agrees",
    ]
    asked = Namespace(**here, place="1-4", reason="a wrong order", same_dice=True)
    timelines.rollback(asked, api)
    timelines.vote(Namespace(**here, answer="agree"), api)
    body = {"to": "1-4", "head": "1-9", "reason": "a wrong order", "dice": "same"}
    assert api.posted == [
        ("campaigns/c-1/timelines/", body),
        ("campaigns/c-1/timelines/answer/", {"proposal": 3, "answer": "agree"}),
    ]
    timelines.reveal(Namespace(**here), api)
    assert api.posted[-1] == ("campaigns/c-1/reveal/", {})
    row = {"seq": 0, "body": {"week": 1, "stage": "orders"}, "hash": "1f"}
    api.sheet = {"rows": [row], "end": {"seq": 1, "body": {"seed": "5c"}, "hash": "2e"}}
    words = timelines.ledger(Namespace(**here), api).words.splitlines()
    assert [line.strip() for line in words] == [
        "0  week 1, orders  1f",
        "1  end  2e",
        "The seed of the dice: 5c",
    ]
    line = {"faction": "ember", "part": "beams", "effect": 9, "dice": 8, "expected": 6.4}
    of_all = {**line, "battle": "", "better_than": 0.83}
    api.sheet = {"lines": [of_all, {**of_all, "battle": "b-1"}], "not_counted": {"fire": 2}}
    assert timelines.luck(Namespace(**here), api).words.splitlines() == [
        "ember, beams: 9 with 8 dice, expected 6.4, better than 83%",
        "Events whose dice are not counted: fire (2)",
    ]
    none: Any = TimelinesApi("")
    with pytest.raises(ClientError, match="nothing has been proposed"):
        timelines.vote(Namespace(**here, answer="agree"), none)


def test_ruling_is_sent_and_its_preview_says_who_reads_what() -> None:
    api: Any = TimelinesApi("open")
    correction = {"what": "ship", "name": "Ash", "field": "damage", "before": "", "after": "2"}
    preview = {
        "corrections": [correction],
        "told": {"ember": [correction]},
        "returned": [],
        "must_wait": True,
    }
    api.sheet = {"rulings": [], "held": [], "preview": preview}
    patch = '{"kind": "ship-damage", "ship": "ember/s1", "damage": 2}'
    asked = Namespace(
        war="",
        reason="misread",
        patches=[patch],
        note="",
        tell=[],
        now=False,
        hold=True,
        undo=0,
        withdraw="",
        preview=True,
    )
    words = rulings.rule(asked, api).words
    assert words.splitlines() == [
        "Ash, damage: - -> 2",
        "ember reads:",
        "  Ash, damage: - -> 2",
        "Not possible in the open stage: hold it with --hold.",
    ]
    ((path, body),) = api.posted
    assert path == "campaigns/c-1/umpire/rulings/"
    assert (body["patches"][0]["damage"], body["hold"], body["preview"]) == (2, True, True)
    with pytest.raises(ClientError, match="not a JSON object"):
        rulings.rule(Namespace(**{**vars(asked), "patches": ["damage"]}), api)


def test_list_of_rulings_shows_the_ids_by_which_held_ones_are_withdrawn() -> None:
    api: Any = TimelinesApi("open")
    made = {"number": 1, "week": 2, "reason": "misread", "told": ["ember"], "undoes": 0}
    undo = {"number": 2, "week": 2, "reason": "it was right", "told": [], "undoes": 1}
    held = {"id": "5a" * 32, "reason": "later", "faults": ["only while orders are open"]}
    api.sheet = {"rulings": [undo, made], "held": [held], "preview": None}
    assert rulings.rulings(Namespace(war=""), api).words.splitlines() == [
        "   2  week 2: it was right (undoes 1)",
        "      no faction was notified",
        "   1  week 2: misread",
        "      notified: ember",
        f"waits  {'5a' * 32}  later",
        "       not possible now: only while orders are open",
    ]

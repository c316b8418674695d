"""The command line and the reference bot against a running site: a small war from log-in to result."""

from __future__ import annotations

import hashlib
import io
import json
import threading
from argparse import Namespace
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from blindjump.api import Api
from blindjump.cli import main
from blindjump.errors import NotLoggedIn

from clients import bot
from tests.site.people import PASSWORD
from tests.site.running import Site
from tests.wars.script import PAUSE, start_war


class Line:
    """A user of the command line."""

    def __init__(
        self,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        config_folder: Path,
    ) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch
        monkeypatch.setenv("BLINDJUMP_CONFIG", str(config_folder))
        for name in ("BLINDJUMP_URL", "BLINDJUMP_TOKEN", "BLINDJUMP_WAR"):
            monkeypatch.delenv(name, raising=False)

    def run(self, *words: str, status: int = 0, piped: str = "") -> str:
        self.monkeypatch.setattr("sys.stdin", io.StringIO(piped))
        exit_status = main(words)
        output = self.capsys.readouterr()
        assert exit_status == status, (words, exit_status, output)
        return output.out + output.err

    def json(self, *words: str, status: int = 0, piped: str = "") -> Any:
        return json.loads(self.run(*words, "--json", status=status, piped=piped))


class Robot(threading.Thread):
    """The reference bot in a war, in a thread beside the test."""

    def __init__(self, api: Api, war: str) -> None:
        super().__init__(daemon=True)
        self.api, self.war = api, war
        self.ended: Future[str] = Future()

    def run(self) -> None:
        try:
            self.ended.set_result(bot.play(self.api, Namespace(war=self.war), PAUSE))
        except Exception as error:  # noqa: BLE001 (told by whoever asks for the result)
            self.ended.set_exception(error)

    def result(self, within: float) -> str:
        """Return how the war ended for it, or raise its error."""
        return self.ended.result(within)


@pytest.fixture
def line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Line:
    return Line(capsys, monkeypatch, tmp_path / "kept")


def test_command_line_player_plays_against_a_bot(site: Site, line: Line, tmp_path: Path) -> None:
    """Battles are fought online."""
    war = start_war(site, "first-steps", {"ember": "iris", "frost": "robo"}, battles="online")
    against = Api(site.address, site.tokens["robo"])
    robot = Robot(against, war)
    assert "run `blindjump login" in line.run("wars", status=3)
    assert "wrong name or password" in line.run(
        "login", site.address, "--user", "iris", "--stdin", piped="no\n", status=3
    )
    output = line.run("login", site.address, "--user", "iris", "--stdin", piped=f"{PASSWORD}\n")
    login = json.loads((tmp_path / "kept" / "login.json").read_text())
    assert "logged in as iris" in output
    assert login["token"] not in output
    assert war in line.run("wars")
    assert "your task: deploy" in line.run("status")

    receipt = tmp_path / "receipt.json"
    deployment = line.json("orders", "default")["orders"]
    (tmp_path / "deploy.json").write_text(json.dumps(deployment))
    assert "can be sealed" in line.run("orders", "check", str(tmp_path / "deploy.json"))
    line.run("orders", "seal", str(tmp_path / "deploy.json"), "--receipt", str(receipt))
    kept = json.loads(receipt.read_text())
    assert kept["orders"] == deployment
    assert hashlib.sha256(bytes.fromhex(kept["word"])).hexdigest()[:32] == kept["nonce"]
    fewer = {**deployment, "deploy": deployment["deploy"][1:]}
    assert (
        line.json("orders", "seal", "-", piped=json.dumps(fewer), status=1)["code"]
        == "already-sealed"
    )
    line.run("orders", "unseal", "--receipt", str(receipt))
    line.run("orders", "seal", str(tmp_path / "deploy.json"))
    robot.start()

    sheet = line.json("wait", "--every", str(PAUSE), "--at-most", "90")
    assert sheet["wants"]["task"] == "orders"
    fleet = next(row["key"] for row in line.json("fleets")["fleets"] if row["name"] == "Lantern")
    wrong = line.run(
        "orders", "set", "-", piped=f"move {fleet} 9999\nmove ember/f99 0404\n", status=1
    )
    assert "line 1: no fleet can enter hex '9999'" in wrong
    assert "line 2: you have no fleet 'ember/f99'" in wrong
    faults = line.json("orders", "seal", status=1)
    assert [fault["where"] for fault in faults["violations"]] == [
        "orders.moves[0].to",
        "orders.moves[1].fleet",
    ]
    odds = line.json("odds", "0804", "frost", "--fleet", fleet, "--battles", "6", "--at-most", "60")
    assert (odds["battles_done"], odds["working"]) == (6, False)
    assert "battles of 6 at 0804 against frost" in line.run(
        "odds", "0804", "frost", "--fleet", fleet, "--battles", "6"
    )
    wrong = line.run("odds", "0101", "nobody", "--fleet", "x", status=1)
    assert all(each in wrong for each in ("hex: ", "toward: ", "fleets[0]: "))
    line.run("orders", "set", "-", piped=f"move {fleet} 0404\n")
    assert f"move {fleet} 0404" in line.run("orders", "show")
    line.run("orders", "seal")

    decided = played = fought_battles = 0
    while sheet["state"] != "over":
        assert robot.is_alive() or robot.result(0)
        sheet = line.json("wait", "--every", str(PAUSE), "--at-most", "90")
        task = sheet["wants"]["task"]
        if task == "decisions":
            questions = [
                row for row in line.json("encounters")["open_decisions"] if row["fixed"] is None
            ]
            for row in questions:
                assert row["toward"] in line.run("encounters")
                line.run("decide", row["hex"], row["toward"], "withdraw")
                line.run("decide", row["hex"], row["toward"], "fight")
            sealed = line.json("orders", "seal", *(() if questions else ("-",)), piped="{}")
            assert [row["choice"] for row in sealed["orders"].get("decide", [])] == ["fight"] * len(
                questions
            )
            decided += len(questions)
        elif task == "fight":
            here = ("--battle", sheet["wants"]["battle"])
            (tmp_path / "stop.json").write_text(
                json.dumps(line.json("battle", "default", *here)["orders"])
            )
            line.run("battle", "seal", str(tmp_path / "stop.json"), *here)
            fought_battles += 1
        elif sheet["state"] != "over":
            (tmp_path / "orders.json").write_text(
                json.dumps(line.json("orders", "default")["orders"])
            )
            line.run("orders", "seal", str(tmp_path / "orders.json"))
        played += 1
    ended = robot.result(60)
    against.close()
    assert played >= 3
    assert decided >= 1, "nobody met"
    assert fought_battles >= 1, "nobody fought"
    result = line.json("results")
    assert ended == result["result"]
    assert f"The war is over: {result['result']}." in line.run("results")
    assert "week 1" in line.run("report", "--week", "1")
    assert line.json("classes")["text"]
    line.run("logout", "--end")
    assert not (tmp_path / "kept" / "login.json").exists()
    with closing(Api(site.address, login["token"])) as ended_login, pytest.raises(NotLoggedIn):
        ended_login.get("me/")
    assert site.call("iris", "GET", "me/").status == 200, "another program's token goes on"


def test_battle_is_ordered_by_file(site: Site, line: Line, tmp_path: Path) -> None:
    war = start_war(site, "first-battle", {"esu": "bea"}, battles="online")
    line.run("login", site.address, "--token", "--stdin", piped=f"{site.tokens['bea']}\n")
    deadline = 300
    while not (line.json("battle", "list", "--war", war[:8])["fights"] and deadline):
        deadline -= 1
    fight = line.json("battle", "list")["fights"][0]
    assert fight["state"] == "open"
    assert "yours: " in line.run("battle", "view")
    advice = line.json("battle", "default", "--battle", fight["id"][:8])["orders"]
    plots = dict.fromkeys(advice["plot"], "+0")
    file = tmp_path / "plot.json"
    file.write_text(json.dumps({"plot": {"nobody": "P2"}}))
    assert "nobody" in line.run("battle", "check", str(file), status=1)
    file.write_text(json.dumps({"plot": plots}))
    line.run("battle", "set", str(file))
    assert line.json("battle", "show")["orders"]["plot"].keys() <= plots.keys()
    assert "digest" in line.run("battle", "seal")
    assert "name the battle with --battle" in line.run(
        "battle", "view", "--battle", "zzz", status=2
    )


def test_war_must_be_named_if_there_are_several(site: Site, line: Line) -> None:
    first = start_war(site, "three-powers", {"karst": "sam"})
    second = start_war(site, "knot-of-gates", {"tarn": "samson"})
    line.run("login", site.address, "--token", "--stdin", piped=f"{site.tokens['sam']}\n")
    assert "deploy" in line.run("status")
    output = line.run("status", "--war", second, status=2)
    assert f"you are in no war '{second}'" in output
    assert first in output

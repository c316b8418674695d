"""`python -m umpire`: scenarios and scripted wars without a database."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import yaml

from campaign.rules.files import SCENARIOS, fixture_scenario
from umpire.__main__ import main
from umpire.rehearsal import play

ROOT = Path(__file__).resolve().parents[2]
LAFAYETTE = "1408"  # the hex of the system

# Two hostile fleets that meet in a system in week 3, one of them damaged.
MEETING: dict[str, Any] = {
    "scenario": "lafayette",
    "seed": 7,
    "week": 3,
    "stage": "decisions",
    "fleets": [
        {
            "id": "nac/f1",
            "at": "lafayette",
            "back": "1407",
            "ships": {"n1": "Destroyer", "n2": {"class": "Destroyer", "damage": 3}},
        },
        {"id": "esu/f1", "at": LAFAYETTE, "ships": {"e1": "Heavy Cruiser", "e2": "Destroyer"}},
    ],
    "until": {"week": 4, "stage": "orders"},
}


def printed_by(command: str, document: object) -> tuple[int, bytes, bytes]:
    """Return the exit status of a command in this process, what it prints, and its errors."""
    content = yaml.safe_dump(document).encode()
    stdin, stdout, stderr = (
        io.TextIOWrapper(io.BytesIO(data), "utf-8") for data in (content, b"", b"")
    )
    with mock.patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr):
        status = main((command, "-"))
        stdout.flush()
        stderr.flush()
    return status, stdout.buffer.getvalue(), stderr.buffer.getvalue()


def run(command: str, document: object) -> tuple[int, Any]:
    """Return the exit status of a command in this process, and its answer or its violations."""
    status, printed, errors = printed_by(command, document)
    if status == 0:
        assert not errors
        return status, json.loads(printed)
    assert not printed
    return status, json.loads(errors)["violations"]


def war(**changes: Any) -> dict[str, Any]:
    """Return the record of the meeting, with changes to its script."""
    script = {key: value for key, value in {**MEETING, **changes}.items() if value is not None}
    status, record = run("war", script)
    assert status == 0, record
    assert isinstance(record, dict)
    return record


def faults(**changes: Any) -> set[tuple[str, str]]:
    """Return the place and code of each fault of the meeting's script with changes."""
    status, violations = run("war", {**MEETING, **changes})
    assert status == 2, violations
    return {(fault["where"], fault["code"]) for fault in violations}


def choices(**by_faction: str) -> dict[str, Any]:
    """Return the orders of a script: each faction's choice toward the other in Lafayette."""
    other = {"nac": "esu", "esu": "nac"}
    documents = {}
    for faction, choice in by_faction.items():
        decision = {"hex": LAFAYETTE, "toward": other[faction], "choice": choice}
        documents[faction] = {"decide": [decision]}
    return {"3": {"decisions": documents}}


def test_scenario() -> None:
    """Both kinds of scenario, by slug and as a whole file; faults name their places."""
    expected = {
        "slug": "lafayette",
        "kind": "war",
        "factions": ["esu", "nac"],
        "objectives": {},
        "barred": [],
    }
    assert run("scenario", "lafayette") == (0, expected)
    file = yaml.safe_load((SCENARIOS / "lafayette.yaml").read_text(encoding="utf-8"))
    assert run("scenario", file) == (0, expected)
    battle = {**expected, "slug": "first-battle", "kind": "battle"}
    assert run("scenario", "first-battle") == (0, battle)
    battle_file = yaml.safe_load((SCENARIOS / "first-battle.yaml").read_text(encoding="utf-8"))
    assert run("scenario", battle_file) == (0, battle)
    file["weeks"] = 0
    file["systems"][2]["hex"] = "9999"
    status, violations = run("scenario", file)
    assert status == 2
    assert {fault["where"] for fault in violations} >= {"weeks", "systems[2].hex"}
    assert run("scenario", "nowhere")[1][0]["code"] == "unknown-scenario"
    assert run("scenario", 7)[1][0]["code"] == "not-a-table"


def test_admirals_war_is_the_rehearsed_war() -> None:
    """A script with admirals alone plays the war that the balance of scenarios counts."""
    expected = play(fixture_scenario("first-steps"), {}, seed=5)
    status, record = run(
        "war", {"scenario": "first-steps", "seed": 5, "admirals": ["ember", "frost"]}
    )
    assert status == 0
    assert record["stage"] == "over"
    assert record["result"] == {
        "result": expected.result,
        "winner": expected.winner,
        "week": expected.weeks,
    }
    assert len(record["losses"]) == len(expected.world.losses)
    fought = [stage for stage in expected.history if stage.results]
    assert sum(len(stage.results) for stage in fought) == len(record["battles"])


def test_same_script_same_bytes() -> None:
    """Also in another process with other hashes of strings, without Django and its settings."""
    script = {**MEETING, "orders": choices(nac="fight", esu="fight")}
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    program = "import sys; from umpire.__main__ import main; status = main(('war', '-'))"
    there = subprocess.run(
        [sys.executable, "-c", f"{program}; sys.exit(status or 'django' in sys.modules)"],
        input=yaml.safe_dump(script).encode(), capture_output=True, cwd=ROOT, check=True,
        env=environment,
    )  # fmt: skip
    assert there.stdout == printed_by("war", script)[1]


def test_battle() -> None:
    """A battle by captains: its file before the first die, its end, and the ships' damage."""
    record = war(orders=choices(nac="fight", esu="fight"))
    (battle,) = record["battles"]
    assert (battle["week"], battle["at"], battle["sides"]) == (3, LAFAYETTE, [["esu"], ["nac"]])
    ships = {ship["id"]: ship for side in battle["file"]["sides"] for ship in side["ships"]}
    assert set(ships) == {"n1", "n2", "e1", "e2"}
    assert ships["n2"]["damage"] == 3
    assert battle["turns"] >= 1
    lost = {loss["ship"] for loss in record["losses"]}
    for key, ship in record["ships"].items():
        assert (ship["status"] in ("active", "in-ftl")) is (key not in lost)
    assert lost
    assert battle["winner"] == "esu"
    told = {notice["code"] for notice in record["told"]["nac"]}
    assert {"scan", "decided", "ship-lost"} <= told


@pytest.mark.parametrize(("die", "is_caught"), [(6, True), (5, False)])
def test_given_dice_come_first(die: int, is_caught: bool) -> None:
    """A die of the script decides whether the pursuer catches the fleet that withdraws."""
    record = war(orders=choices(nac="withdraw", esu="fight"), dice={"catch": [die]})
    assert bool(record["battles"]) is is_caught
    chases = [notice for notice in record["told"]["nac"] if notice["code"] == "chase"]
    assert [chase["facts"]["die"] for chase in chases] == [die]


def test_stops_before_a_stage() -> None:
    """`until` names the first stage that is not played; `now` plays none."""
    begin = war(until="now", stage="orders")
    assert (begin["week"], begin["stage"], begin["told"]["nac"]) == (3, "orders", [])
    assert begin["ships"]["n2"]["damage"] == 3
    for stage in ("decisions", "battles"):
        record = war(until={"week": 3, "stage": stage})
        assert (record["week"], record["stage"]) == (3, stage)
    status, record = run("war", {"scenario": "lafayette", "until": {"week": 1, "stage": "orders"}})
    assert (status, record["week"], record["stage"]) == (0, 1, "orders")
    assert len(record["ships"]) > 50  # the default forces of both sides


def test_decisions_follow_an_orders_stage_without_orders() -> None:
    """A war that begins with decisions has met and scanned, but nobody has moved."""
    record = war(until={"week": 3, "stage": "decisions"})
    scans = [notice for notice in record["told"]["esu"] if notice["code"] == "scan"]
    assert [scan["facts"] for scan in scans] == [{"faction": "nac", "escort": 2}]


def test_faulty_orders_are_refused_whole() -> None:
    """Their faults are in the record, and the default orders are used instead."""
    orders = choices(nac="fight", esu="withdraw")
    orders["3"]["decisions"]["nac"]["decide"].append(
        {"hex": "0101", "toward": "esu", "choice": "x"}
    )
    record = war(orders=orders)
    (fault,) = record["refused"]["3"]["decisions"]["nac"]
    assert fault["where"] == "decide[1].choice"
    decided = [notice for notice in record["told"]["nac"] if notice["code"] == "decided"]
    assert [notice["facts"]["b-choice"] for notice in decided] == ["stand-off"]
    invalid = {"3": {"orders": {"nac": {"moves": [{"fleet": "esu/f1", "path": ["1407"]}]}}}}
    record = war(orders=invalid, stage="orders")
    assert record["refused"]["3"]["orders"]["nac"][0]["where"].startswith("moves[0]")


def test_holdings() -> None:
    """A given holder stays; the others follow from the fleets that are there."""
    hudson = fixture_scenario("lafayette").systems
    place = next(system for system in hudson if system.id == "hudson")
    fleets = [
        *MEETING["fleets"],
        {"id": "esu/f2", "at": "hudson", "ships": {"e9": "Heavy Cruiser"}},
    ]
    record = war(fleets=fleets, until="now", stage="orders")
    assert place.owner == "nac"
    assert record["holdings"]["hudson"]["holder"] == "esu"
    record = war(
        fleets=fleets,
        until="now",
        stage="orders",
        holdings={"hudson": {"holder": "nac", "since": 1}, "lafayette": "esu"},
        contacts=[
            {"at": "lafayette", "sides": ["nac", "esu"], "state": "stand-off", "inner": "esu"}
        ],
    )
    assert record["holdings"]["hudson"] == {
        "holder": "nac", "superior": None, "state": "held", "since": 1,
    }  # fmt: skip
    assert record["holdings"]["lafayette"]["state"] == "stand-off"
    assert record["holdings"]["lafayette"]["superior"] == "esu"


def test_earlier_losses() -> None:
    """Ships that were lost before the script begins are in its record."""
    loss = {"ship": "n9", "faction": "nac", "class": "Destroyer", "week": 2, "how": "destroyed"}
    record = war(losses=[loss], until="now", stage="orders")
    assert record["losses"] == [{**loss, "at": ""}]
    assert record["ships"]["n9"]["status"] == "destroyed"


def test_docked_ships_and_cargo() -> None:
    """Their entries reach the world."""
    fleet = {
        "id": "nac/f1",
        "at": "lafayette",
        "ships": {
            "n1": {"class": "Destroyer", "docked": True, "damage": 2},
            "n2": {"class": "Destroyer", "cargo": {"what": "grain", "amount": 40}},
        },
    }
    ships = war(fleets=[fleet], until="now", stage="orders")["ships"]
    assert ships["n1"]["docked"] is True
    assert ships["n2"]["cargo"] == {"what": "grain", "amount": 40, "remaining": 40}


def test_a_single_battle() -> None:
    """It has its fleets already and is fought at once."""
    status, record = run("war", {"scenario": "first-battle", "seed": 3})
    assert (status, record["stage"], len(record["battles"])) == (0, "over", 1)
    assert record["result"]["winner"] == record["battles"][0]["winner"]
    script = {**MEETING, "scenario": "first-battle"}
    assert run("war", script)[1][0]["code"] == "single-battle"


def test_every_fault_of_a_script_is_named() -> None:
    """All at once, each with its place; nothing is played."""
    fleets = [
        {
            "id": "nac",
            "at": "nowhere",
            "ships": {
                "n1": "Cruiser of Doom",
                "n2": {"class": "Destroyer", "damage": 99, "lost": ["beam-9"], "tug": "n7"},
            },
        },
        {"id": "xyz/f1", "at": "0101", "ships": {"n1": "Destroyer"}},
    ]
    assert faults(
        fleets=fleets,
        week=8,
        orders={"9": {"movement": {"abc": {}}}},
        admirals=["abc"],
        holdings={"abc": "nac", "hudson": "abc"},
        contacts=[{"at": "0101", "sides": ["nac", "nac"], "state": "stand-off", "inner": "esu"}],
        losses=[{"ship": "n1", "faction": "abc", "class": "abc", "week": 9, "how": "hulk"}],
        until={"week": 0, "stage": "battles"},
    ) == {
        ("fleets[0].id", "fleet-id"),
        ("fleets[0].at", "unknown-place"),
        ("fleets[0].ships.n1.class", "unknown-class"),
        ("fleets[0].ships.n2.damage", "damage"),
        ("fleets[0].ships.n2.lost[0]", "unknown-system"),
        ("fleets[0].ships.n2.tug", "unknown-ship"),
        ("fleets[1].id", "unknown-faction"),
        ("fleets[1].ships.n1", "twice"),
        ("week", "week"),
        ("orders.9", "week"),
        ("orders.9.movement", "unknown-stage"),
        ("orders.9.movement.abc", "unknown-faction"),
        ("admirals[0]", "unknown-faction"),
        ("holdings.abc", "unknown-system"),
        ("holdings.hudson", "unknown-faction"),
        ("contacts[0].at", "no-system"),
        ("contacts[0].sides", "not-hostile"),
        ("contacts[0].inner", "unknown-faction"),
        ("losses[0].ship", "twice"),
        ("losses[0].faction", "unknown-faction"),
        ("losses[0].class", "unknown-class"),
        ("losses[0].week", "week"),
        ("until", "past"),
        ("until.stage", "unknown-stage"),
    }


def test_faults_of_form() -> None:
    """Unknown keys, wrong types and impossible dice."""
    assert faults(colour="red") == {("colour", "unknown-key")}
    assert faults(seed="seven") == {("seed", "not-a-number")}
    assert faults(stage="battles") == {("stage", "unknown-choice")}
    assert faults(fleets=[{"id": "nac/f1", "ships": {"n1": "Destroyer"}}]) == {
        ("fleets[0].at", "missing")
    }
    assert faults(orders=choices(nac="withdraw", esu="fight"), dice={"catch": [7]}) == {
        ("dice.catch", "die-out-of-range")
    }
    status, violations = run("war", {"scenario": "lafayette", "week": 3, "contacts": []})
    assert (status, violations[0]["where"], violations[0]["code"]) == (2, "week", "needs-fleets")
    assert run("war", "lafayette")[1][0]["code"] == "not-a-table"


def test_too_many_ships_are_refused_before_any_work() -> None:
    """A script cannot fill the memory."""
    ships = {f"n{number}": "Destroyer" for number in range(2001)}
    fleet = {"id": "nac/f1", "at": "lafayette", "ships": ships}
    assert faults(fleets=[fleet]) == {("fleets", "too-many")}

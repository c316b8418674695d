"""Whole battles: round trips at every phase, replay from the log, reproducibility, faults,
commands.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.battle import Battle, ResolvedStop, battle_from, fight, start
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.documents import event_from_json, replay
from engine.notation.battles import read_battle
from tests.engine.battle.table import classes, gunship, setup
from tests.engine.commanding import run_in_process, run_program

FIRST_BATTLE = Path(__file__).resolve().parents[3] / "fixtures" / "battles" / "first-battle.yaml"
ROOT = FIRST_BATTLE.parents[2]


def first_battle(**more: Any) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(FIRST_BATTLE.read_text())
    return document | more


def bogeys() -> dict[str, Any]:
    """Return the first battle on a larger table with contacts, drones and a side that breaks off."""
    document = first_battle(bogeys=True, table=[90, 60])
    drones = [
        {
            "id": f"n{n}",
            "class": "Scout Ship",
            "at": [2, 30 + n],
            "course": 3,
            "velocity": 8,
            "dummy": True,
        }
        for n in (6, 7)
    ]
    document["sides"][0]["ships"] += drones
    for number, ship in enumerate(document["sides"][1]["ships"]):
        ship["at"] = [88, 10 + 8 * number]
    document["sides"][1]["doctrine"] = {"break_off": 30}
    return document


def fight_document(
    document: dict[str, Any], seed: int
) -> tuple[Battle, Battle, list[ResolvedStop]]:
    stops: list[ResolvedStop] = []
    file = read_battle(document, classes())
    battle = start(document, classes())
    return battle, fight(battle, file.doctrines, Dice(seed), str(seed), 30, stops.append), stops


@pytest.mark.rule("2e.first-battle")
@pytest.mark.parametrize("seed", range(5))
def test_introductory_battle_is_fought_to_its_end(seed: int) -> None:
    battle, ended, _ = fight_document(first_battle(), seed)
    document = battle.to_json()
    forces = [
        [s["class"] for s in document["ships"].values() if s["side"] == side] for side in (0, 1)
    ]
    assert (
        forces[0]
        == forces[1]
        == ["Light Cruiser", "Light Cruiser", "Frigate", "Frigate", "Frigate"]
    )
    assert {ship["velocity"] for ship in document["ships"].values()} == {8}
    assert ended.to_json()["stop"] == "over"
    alive = {
        s["side"]
        for s in ended.to_json()["ships"].values()
        if s["status"] in ("fighting", "returning")
    }
    assert ended.winner is None or alive == {["nac", "esu"].index(ended.winner)}


@pytest.mark.parametrize("document", [first_battle(), bogeys()], ids=["plain", "bogeys"])
@pytest.mark.parametrize("seed", range(4))
def test_battle_resumes_from_json_in_every_phase(document: dict[str, Any], seed: int) -> None:
    _, ended, stops = fight_document(document, seed)
    for stop in stops:
        whole = Battle(ended.edition, ended.options, stop.after, None, [])
        text = json.dumps(whole.to_json())
        again = battle_from(json.loads(text))
        assert json.dumps(again.to_json()) == text
        assert again.state.ships[0].power == stop.after.ships[0].power


@pytest.mark.rule("2e.sequence")
@pytest.mark.parametrize("document", [first_battle(), bogeys()], ids=["plain", "bogeys"])
@pytest.mark.parametrize("seed", range(6))
def test_log_alone_replays_the_battle(document: dict[str, Any], seed: int) -> None:
    battle, ended, _ = fight_document(document, seed)
    log = json.loads(json.dumps(ended.events_json))
    again = replay(start(document, classes()).state, [event_from_json(line) for line in log])
    assert (
        Battle(battle.edition, battle.options, again, ended.winner, []).to_json() == ended.to_json()
    )


def test_every_die_is_in_the_log() -> None:
    file = read_battle(bogeys(), classes())
    dice = Dice(5)
    log = fight(start(bogeys(), classes()), file.doctrines, dice, "5").events_json
    counted: dict[str, int] = {}

    def count(purpose: str, number: int) -> None:
        if number:
            counted[purpose] = counted.get(purpose, 0) + number

    for line in log:
        match line["event"]:
            case "shot":
                count("beam", len(line["dice"]))
            case "threshold":
                count("threshold", len(line["rolls"]))
            case "initiative":
                count("initiative", len(line["rolls"]))
            case "left-table":
                count("re-entry", 1)
            case "arc":
                count("arc", 1)
            case "ftl-exit":
                count("ftl", int(line["die"] > 0))
            case "damaged":
                count("damage", int(line["die"] > 0))
    assert counted == dice.used


def test_designs_with_one_class_name_stay_separate() -> None:
    first, second = gunship("r1", 20, 20, "A"), gunship("b1", 60, 60, "CC", 6)
    first["design"]["class"] = second["design"]["class"] = "Raider"
    document = start(setup([first], [second]), classes()).to_json()
    again = battle_from(json.loads(json.dumps(document)))
    assert [len(state.profile.batteries) for state in again.state.ships] == [1, 2]
    assert again.to_json() == document


def test_fight_does_not_change_its_input() -> None:
    battle = start(first_battle(), classes())
    before = json.dumps(battle.to_json())
    fight(battle, {}, Dice(1), "1")
    assert json.dumps(battle.to_json()) == before


def test_battle_without_log_is_the_same() -> None:
    battle = start(bogeys(), classes())
    with_log, without = (fight(battle, {}, Dice(3), "3", log=log) for log in (True, False))
    assert with_log.to_json() == without.to_json()
    assert with_log.events
    assert not without.events


def test_battle_is_equal_under_any_hash_seed() -> None:
    outputs = [
        run_program("battle", "-", stdin_bytes=json.dumps(bogeys()).encode(), hash_seed=seed).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0])["turns"] > 1


def test_battle_command_stops_after_the_last_given_turn() -> None:
    document = first_battle(turns=[{"plot": {"n1": "+2"}}, {}], captains=False)
    answer = json.loads(
        run_in_process("battle", "-", stdin_bytes=json.dumps(document).encode()).stdout
    )
    assert sorted(answer) == ["dice", "events", "state", "turns", "winner"]
    assert (answer["turns"], answer["winner"]) == (2, None)
    assert answer["state"]["ships"]["n1"] | {
        "at": [22, 20], "course": 3, "velocity": 10, "damage": 0, "boxes_left": [3, 4, 4], "armour": [],
        "thrust": 6, "lost": [], "status": "fighting",
    } == answer["state"]["ships"]["n1"]  # fmt: skip


def test_captains_give_missing_orders() -> None:
    document = first_battle(turns=[{"plot": {"n1": "-6"}}])
    answer = json.loads(
        run_in_process(
            "battle", "-", "--captains", stdin_bytes=json.dumps(document).encode()
        ).stdout
    )
    first = [line for line in answer["events"] if line["event"] == "moved" and line["turn"] == 1]
    assert {line["ship"]: line["velocity"] for line in first}["n1"] == 2
    assert answer["turns"] > 1


def test_every_battle_file_fault_is_named_at_once() -> None:
    document = {
        "edition": "second-edition",
        "tabel": [72, 48],
        "sides": [
            {
                "name": "nac",
                "ships": [
                    {
                        "id": "n1",
                        "class": "Lite Cruiser",
                        "at": [10, 24],
                        "course": 3,
                        "velocity": 8,
                    },
                    {
                        "id": "n2",
                        "class": "Frigate",
                        "at": [99, 24],
                        "course": 13,
                        "velocity": -1,
                        "damage": 5,
                    },
                    {
                        "id": "n3",
                        "class": "Frigate",
                        "at": [9, 9],
                        "course": 1,
                        "velocity": 1,
                        "lost": ["screen-1"],
                    },
                ],
            },
            {
                "name": "nac",
                "ships": [
                    {"id": "e1", "class": "Frigate", "at": [60, 24], "course": 9, "velocity": 8}
                ],
            },
        ],
        "turns": [
            {
                "plot": {"e1": "Q9", "zz": "+1"},
                "engage": {"e1": [{"weapon": "battery-9", "target": "n9"}]},
            }
        ],
        "dice": {"beams": [1], "arc": [0]},
    }
    result = run_in_process("battle", "-", stdin_bytes=json.dumps(document).encode())
    assert (result.returncode, result.stdout) == (2, b"")
    faults = {fault["where"]: fault["code"] for fault in json.loads(result.stderr)["violations"]}
    assert faults == {
        "tabel": "unknown-key",
        "sides[0].ships[0].class": "unknown-class",
        "sides[0].ships[1].at": "off-table",
        "sides[0].ships[1].course": "course",
        "sides[0].ships[1].velocity": "velocity",
        "sides[0].ships[1].damage": "damage",
        "sides[0].ships[2].lost": "lost-system",
        "sides[1].name": "side-twice",
        "turns[0].plot.e1": "plot-unknown",
        "turns[0].plot.zz": "unknown-ship",
        "turns[0].engage.e1[0].weapon": "unknown-weapon",
        "turns[0].engage.e1[0].target": "unknown-target",
        "dice.beams": "unknown-purpose",
        "dice.arc": "not-dice",
    }


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        {"edition": "x", "sides": []},
        {"edition": "second-edition", "sides": [1, {}]},
        None,
        {"sides": {}},
    ],
)
def test_malformed_file_gives_only_faults(document: Any) -> None:
    with pytest.raises(RuleViolations):
        read_battle(document, classes())


def test_missing_scripted_dice_end_the_command_with_their_purpose() -> None:
    document = first_battle(dice={})
    del document["seed"]
    result = run_in_process("battle", "-", stdin_bytes=json.dumps(document).encode())
    assert (result.returncode, result.stdout) == (2, b"")
    assert json.loads(result.stderr)["violations"][0]["code"] == "dice-run-dry"


def test_odds_are_independent_of_the_processes() -> None:
    answers = [
        json.loads(run_program("odds", str(FIRST_BATTLE), "--runs", "24", "--jobs", jobs).stdout)
        for jobs in ("1", "2", "3")
    ]
    for answer in answers:
        assert answer.pop("battles_per_second") > 0
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["runs"] == 24
    assert sum(answers[0]["wins"].values()) + answers[0]["draws"] == pytest.approx(1, abs=1e-3)


def test_odds_name_what_they_cannot_do() -> None:
    document = first_battle(dice={"beam": [1]})
    result = run_in_process("odds", "-", "--runs", "0", stdin_bytes=json.dumps(document).encode())
    assert result.returncode == 2
    codes = [fault["code"] for fault in json.loads(result.stderr)["violations"]]
    assert codes == ["dice-and-seed", "out-of-range", "scripted-odds"]


def test_closed_pipe_ends_the_command_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "engine", "battle", str(FIRST_BATTLE)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert (process.wait(60), process.stderr.read()) == (0, "")

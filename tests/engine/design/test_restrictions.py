"""What players agree to do without: lists in files and on the command line, and their faults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main
from engine.core.edition import EDITIONS
from engine.design.restrictions import (
    GROUP_TITLES,
    SHIP_KINDS,
    Restrictions,
    barred_types,
    class_fault,
    restriction_words,
    system_groups,
    system_types,
)
from engine.notation.designs import design_json
from engine.notation.files import fixture_classes
from engine.ruleset import rules_of

Q_SHIP = {
    "class": "Wolf",
    "edition": "second-edition",
    "kind": "q-ship",
    "mass": 30,
    "thrust": 4,
    "ftl": "standard",
    "systems": [{"type": "battery", "battery": "C", "arcs": ["F"]}, {"type": "submunition"}],
}
BATTLE: dict[str, Any] = {
    "edition": "second-edition",
    "sides": [
        {
            "name": "nac",
            "ships": [
                {"id": "n1", "class": "Battleship", "at": [5, 5], "course": 3, "velocity": 6},
                {"id": "n2", "class": "Fleet Carrier", "at": [5, 9], "course": 3, "velocity": 6},
                {"id": "n3", "design": Q_SHIP, "at": [5, 20], "course": 3, "velocity": 6},
            ],
        },
        {
            "name": "esu",
            "ships": [
                {"id": "e1", "class": "Frigate", "at": [60, 5], "course": 9, "velocity": 6},
                {"id": "e2", "dummy": True, "at": [60, 9], "course": 9, "velocity": 6},
            ],
        },
    ],
    "bogeys": True,
    "captains": True,
    "max_turns": 1,
}


def run(
    capsys: pytest.CaptureFixture[str], path: Path, command: str, document: object, *words: str
) -> tuple[int, Any]:
    """Return the exit status of a command for a document, and what it prints."""
    file = path / "file.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    status = main([command, str(file), *words])
    printed = capsys.readouterr()
    return status, json.loads(printed.out or printed.err)


def places(answer: Any) -> list[tuple[str, str]]:
    return [(fault["where"], fault["code"]) for fault in answer["violations"]]


@pytest.mark.rule("2e.agreed-rules")
def test_battle_file_names_what_is_barred_at_its_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    barred = {"barred": ["fighters", "submunition", "q-ships"]}
    status, answer = run(capsys, tmp_path, "battle", BATTLE | barred)
    assert status == 2
    assert places(answer) == [
        ("sides[0].ships[1].class", "barred"),
        ("sides[0].ships[2].design", "barred"),
        ("sides[0].ships[2].design.systems[1]", "barred"),
    ]
    assert run(capsys, tmp_path, "battle", BATTLE | {"barred": ["nova-cannon"]})[0] == 0
    allowed = {"allowed": ["core", "fighters", "submunition", "minelayer"]}
    assert run(capsys, tmp_path, "battle", BATTLE | allowed)[0] == 0
    without_packs = run(capsys, tmp_path, "battle", BATTLE | {"allowed": ["core", "fighters"]})
    assert places(without_packs[1]) == [("sides[0].ships[2].design.systems[1]", "barred")]


def test_wrong_lists_are_the_only_faults(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    both = {"barred": ["fighters"], "allowed": ["core"]}
    assert places(run(capsys, tmp_path, "battle", BATTLE | both)[1]) == [("allowed", "both")]
    unknown = {"allowed": ["core", "lasers"]}
    assert places(run(capsys, tmp_path, "battle", BATTLE | unknown)[1]) == [
        ("allowed[1]", "unknown-system")
    ]
    not_of_this_edition = {"barred": ["gunboats"]}
    assert places(run(capsys, tmp_path, "battle", BATTLE | not_of_this_edition)[1]) == [
        ("barred[0]", "unknown-system")
    ]


def test_fleet_and_design_commands_judge_by_the_list(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    fleet = {
        "edition": "second-edition",
        "barred": ["q-ships"],
        "ships": ["Frigate", {"class": "Fleet Carrier", "count": 2}, {"design": Q_SHIP}],
    }
    status, answer = run(capsys, tmp_path, "fleet", fleet, "--barred", "fighter-bay,missiles")
    assert status == 0
    assert places(answer) == [
        ("ships[1].class", "barred"),
        ("ships[2].design", "barred"),
        ("ships[2].design.systems[1]", "barred"),
    ]
    assert places(run(capsys, tmp_path, "fleet", fleet, "--barred", "x")[1]) == [
        ("barred[1]", "unknown-system")
    ]
    status, answer = run(capsys, tmp_path, "design", Q_SHIP, "--barred", "missiles,q-ships")
    assert (status, places(answer)) == (0, [("", "barred"), ("systems[1]", "barred")])
    assert places(run(capsys, tmp_path, "design", Q_SHIP, "--allowed", "core")[1]) == [
        ("systems[1]", "barred")
    ]
    status, answer = run(capsys, tmp_path, "design", Q_SHIP, "--allowed", "core,lasers")
    assert (status, places(answer)) == (2, [("allowed[1]", "unknown-system")])


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_word_has_a_title_and_bars_something(edition: str) -> None:
    rules = rules_of(edition)
    assert len(system_types(rules)) == {"second-edition": 13, "continuum": 76}[edition]
    assert set(system_groups(rules)) <= set(GROUP_TITLES)
    for word in restriction_words(rules):
        types = barred_types(Restrictions((word,)), rules)
        assert set(types) <= set(system_types(rules))
        assert bool(types) != (word in SHIP_KINDS)
        assert not set(types) & set(barred_types(Restrictions(allowed=(word,)), rules))
    for group, types in system_groups(rules).items():
        assert set(types) <= set(system_types(rules)), group


def test_hull_armour_drives_and_kinds_stay_with_a_list_of_allowed_systems() -> None:
    core = Restrictions(allowed=("core",))
    for edition, names in {
        "second-edition": ("Fleet Tug", "Q Ship", "Heavy Cruiser"),
        "continuum": ("Altai Battleship", "Picket Station"),
    }.items():
        classes = fixture_classes(edition)
        for name in names:
            assert class_fault(design_json(classes[name]), core, rules_of(edition)) is None

"""Objectives: what is reached, its points, and who wins a war by them, through scripted wars."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.objectives import judge, nearness, points_for
from campaign.rules.scenario import Judging, Objective
from campaign.rules.world import Holding, ObjectiveState
from tests.umpire.adjudication import small_sector
from tests.umpire.test_war_command import run
from umpire.adjudication.indexes import ScenarioIndex
from umpire.adjudication.yards import income

NEAR, FAR, WILD = "near", "far", "wild"

SCENARIO: dict[str, Any] = {
    "slug": "race",
    "name": "Race",
    "edition": "second-edition",
    "weeks": 4,
    "map": {"columns": 10, "rows": 8},
    "factions": [{"id": "blue", "name": "Blue League"}, {"id": "red", "name": "Red Host"}],
    "systems": [
        {"id": NEAR, "name": "Near", "hex": "0304", "owner": "blue", "settled": True},
        {"id": FAR, "name": "Far", "hex": "0604", "owner": "red", "settled": True},
        {"id": WILD, "name": "Wild", "hex": "0506", "settled": False},
    ],
    "forces": {
        faction: {"budgets": {"mobile": {"points": 3000, "ftl": "any", "deploy": "own"}}}
        for faction in ("blue", "red")
    },
    "goods": {"grain": {"kind": "cargo", "at": {NEAR: 600}}},
}
FLEETS = [
    {"id": "blue/f1", "at": NEAR, "ships": {"b1": "Destroyer", "b2": "Heavy Freighter"}},
    {"id": "blue/f2", "at": WILD, "ships": {"b3": "Destroyer"}},
    {"id": "red/f1", "at": FAR, "ships": {"r1": "Heavy Cruiser"}},
]


def scenario(**changes: Any) -> dict[str, Any]:
    return {**SCENARIO, **changes}


def war(objectives: dict[str, Any], *, judging: Any = None, **script: Any) -> dict[str, Any]:
    """Return the record of a war with these objectives, from week 2 on."""
    changes = {"objectives": objectives} | ({"judging": judging} if judging else {})
    document = {"scenario": scenario(**changes), "week": 2, "fleets": FLEETS, **script}
    status, record = run("war", document)
    assert status == 0, record
    assert isinstance(record, dict)
    return record


def reached(objective: dict[str, Any], **script: Any) -> int:
    """Return what blue has reached of an objective, by default when the script begins."""
    script = {"until": "now", **script}
    record = war({"blue": [{"id": "it", **objective}]}, **script)
    number = record["scores"]["blue"]["objectives"]["it"]["reached"]
    assert isinstance(number, int)
    return number


LOST = [{"ship": "b9", "faction": "blue", "class": "Destroyer", "week": 1, "how": "captured"}]
AFTER_WEEK_2 = {"week": 3, "stage": "orders"}


@pytest.mark.rule("camp.objective-kinds")
@pytest.mark.parametrize(
    ("objective", "script", "expected"),
    [
        ({"kind": "hold", "of": [NEAR, WILD]}, {}, 2),
        ({"kind": "hold", "of": [NEAR, WILD], "weeks": 2}, {}, 0),
        ({"kind": "hold", "of": [NEAR, WILD], "weeks": 2}, {"until": AFTER_WEEK_2}, 2),
        ({"kind": "hold", "of": "all", "at_least": 2, "including": [FAR]}, {}, 1),
        ({"kind": "hold", "of": "settled", "weeks": 3}, {"week": 4, "holdings": {NEAR: "blue"}}, 1),
        ({"kind": "bring", "ships": "merchant", "to": [NEAR, "0101"]}, {}, 1),
        ({"kind": "bring", "ships": "merchant", "to": [FAR]}, {}, 0),
        ({"kind": "save", "ships": ["b1", "b7"]}, {}, 1),
        ({"kind": "save", "ships": "escort", "at_least": 2}, {}, 2),
        ({"kind": "lose-less", "at_most": 1}, {"losses": LOST}, 1000),
        ({"kind": "lose-less", "measure": "points", "at_most": 46}, {"losses": LOST}, 500),
        (
            {"kind": "destroy", "of": "blue", "measure": "points", "at_least": 92},
            {"losses": LOST},
            92,
        ),
        ({"kind": "destroy", "of": "blue", "ships": "cruiser"}, {"losses": LOST}, 0),
    ],
)
def test_measures(objective: dict[str, Any], script: dict[str, Any], expected: int) -> None:
    assert reached(objective, **script) == expected


def test_goods_count_once_and_not_after_the_last_week() -> None:
    landed = [
        {"faction": "blue", "what": "grain", "to": FAR, "amount": 90, "week": 1},
        {"faction": "blue", "what": "grain", "to": FAR, "amount": 60, "week": 2},
    ]
    deliver = {"kind": "deliver", "what": "grain", "to": [FAR], "amount": 300}
    assert reached(deliver, delivered=landed[:1]) == 90
    assert reached({**deliver, "by": 1}, delivered=landed) == 90


def test_best_week_counts_or_the_last_one() -> None:
    """Blue leaves Wild in week 2, so that it holds one system of two after that."""
    leave = {2: {"orders": {"blue": {"moves": [{"fleet": "blue/f2", "to": "0508"}]}}}}
    hold = {"kind": "hold", "of": [NEAR, WILD], "including": [WILD]}
    script = {"orders": leave, "until": AFTER_WEEK_2}
    assert reached(hold, **script) == 2
    assert reached({**hold, "when": "end"}, **script) == 1


@pytest.mark.rule("camp.closest")
def test_points_are_whole_numbers() -> None:
    objective = Objective("a", "blue", "deliver", points=5, by=4, number=300)
    assert [nearness(objective, number) for number in (0, 100, 299, 300, 900)] == [
        *(0, 333, 996),
        *(1000, 1000),
    ]
    assert [points_for(objective, number) for number in (100, 299, 300)] == [1, 4, 5]


def verdict(blue: int, red: int, week: int = 4, **judging: Any) -> tuple[str, str | None] | None:
    """Return the result of a war of four weeks in which each side has one objective of 100."""
    objectives = tuple(
        Objective("a", faction, "deliver", points=100, by=4, number=100)
        for faction in ("blue", "red")
    )
    field = small_sector.scenario(objectives=objectives, judging=Judging(**judging))
    states = (ObjectiveState("blue/a", blue), ObjectiveState("red/a", red))
    end = judge(field, states, week + field.weeks - 4)
    return (end.result, end.winner) if end else None


@pytest.mark.rule("camp.closest")
def test_who_came_closest_wins() -> None:
    assert verdict(60, 40) == ("Blue victory", "blue")
    assert verdict(40, 40) == ("draw", None)
    assert verdict(60, 40, margin=199) == ("Blue victory", "blue")
    assert verdict(60, 40, margin=200) == ("draw", None)
    assert verdict(60, 40, week=3) is None


def test_first_side_to_reach_all_wins_at_once() -> None:
    assert verdict(100, 99, week=3) == ("Blue victory", "blue")
    assert verdict(100, 100, week=3) == ("draw", None)
    assert verdict(100, 99, week=3, first=False) is None


def test_nobody_wins_early_by_what_is_judged_at_the_end() -> None:
    record = war({"blue": [{"id": "a", "kind": "save"}]})
    assert record["result"] == {"result": "Blue League victory", "winner": "blue", "week": 4}


def test_conditions_are_judged_before_objectives() -> None:
    """Blue has 4 of 5 points, which the scenario calls enough; red has more of its own."""
    objectives = {
        "blue": [
            {"id": "a", "kind": "save", "points": 4},
            {"id": "b", "kind": "bring", "to": [FAR]},
        ],
        "red": [{"id": "c", "kind": "save"}],
    }
    for share, winner in ((800, "blue"), (801, "red")):
        rows = [{"result": "enough", "winner": "blue", "score": {"of": "blue", "share": share}}]
        document = {
            "scenario": scenario(objectives=objectives, victory=rows),
            "week": 4,
            "fleets": FLEETS,
        }
        status, record = run("war", document)
        assert status == 0, record
        assert record["scores"]["blue"]["share"] == 800
        assert record["result"]["winner"] == winner


def test_denying_is_the_rest_of_the_other_objective() -> None:
    objectives = {
        "blue": [{"id": "keep", "kind": "save", "at_least": 4}],
        "red": [{"id": "stop", "kind": "deny", "of": "blue/keep", "points": 4}],
    }
    scores = war(objectives, until="now")["scores"]
    assert scores["blue"]["objectives"]["keep"] == {"reached": 3, "wanted": 4, "points": 0}
    assert scores["red"] == {
        "points": 1,
        "of": 4,
        "share": 250,
        "objectives": {"stop": {"reached": 250, "wanted": 1000, "points": 1}},
    }


@pytest.mark.rule("camp.economy")
def test_systems_pay_who_controls_them() -> None:
    """Superiority counts before the holder, who gets nothing while the system is disputed."""
    colony = replace(small_sector.scenario().systems[0], income=30)
    index = ScenarioIndex(small_sector.scenario(systems=(colony,)))
    cases: tuple[tuple[Holding, dict[str, int]], ...] = (
        (Holding(colony.id, "red", since=0), {"red": 30}),
        (Holding(colony.id, "red", since=0, superior="blue"), {"blue": 30}),
        (Holding(colony.id, "red", since=0, state="stand-off"), {}),
        (Holding(colony.id, None, since=0, state="contested"), {}),
    )
    for holding, earned in cases:
        before = replace(small_sector.world(index.scenario), holdings=(holding,), funds=())
        assert dict(income(index, before)) == earned


FAULTS: list[tuple[list[dict[str, Any]], str, str]] = [
    ([{"id": "a", "kind": "fly"}], "[0].kind", "unknown-kind"),
    ([{"id": "a", "kind": "destroy", "of": "green"}], "[0].of", "unknown-faction"),
    ([{"id": "a", "kind": "hold", "of": ["mars"]}], "[0].of[0]", "unknown-system"),
    (
        [{"id": "a", "kind": "deliver", "what": "wine", "to": [FAR], "amount": 1}],
        "[0].what",
        "unknown-goods",
    ),
    ([{"id": "a", "kind": "save", "ships": "Rowboat"}], "[0].ships", "unknown-ships"),
    ([{"id": "a", "kind": "deny", "of": "red/x"}], "[0].of", "unknown-objective"),
    ([{"id": "a", "kind": "save"}, {"id": "a", "kind": "save"}], "[1].id", "twice"),
    ([{"id": "a", "kind": "save", "by": 0}], "[0].by", "by"),
    ([{"id": "a", "kind": "save", "by": 5}], "[0].by", "by"),
    (
        [{"id": "a", "kind": "deliver", "what": "grain", "to": [FAR], "amount": 601}],
        "[0].amount",
        "never",
    ),
    ([{"id": "a", "kind": "hold", "of": "settled", "at_least": 3}], "[0].at_least", "never"),
    (
        [{"id": "a", "kind": "save"}, {"id": "b", "kind": "deny", "of": "blue/b"}],
        "[1].of",
        "deny-deny",
    ),
    ([{"id": "a", "kind": "save", "what": "grain"}], "[0].what", "unknown-key"),
    ([{"id": "a", "kind": "save", "points": 1001}], "[0].points", "out-of-range"),
]


@pytest.mark.parametrize(("objectives", "where", "code"), FAULTS, ids=lambda value: str(value)[:20])
def test_faults(objectives: list[dict[str, Any]], where: str, code: str) -> None:
    status, violations = run("scenario", scenario(objectives={"blue": objectives}))
    assert status == 2
    found = [(fault["where"], fault["code"]) for fault in violations]
    assert found == [(f"objectives.blue{where}", code)]


def test_scenario_command_lists_objectives() -> None:
    objective = {"id": "sink", "kind": "destroy", "of": "blue", "at_least": 2, "secret": True}
    status, answer = run("scenario", scenario(objectives={"red": [objective]}))
    assert status == 0, answer
    assert answer["objectives"] == {
        "red": [
            {
                "id": "sink",
                "kind": "destroy",
                "wanted": 2,
                "points": 1,
                "by": 4,
                "secret": True,
                "text": "Destroy or take 2 ships of Blue League",
            }
        ]
    }


def test_without_objectives_and_last_word_there_is_a_fault() -> None:
    status, violations = run("scenario", SCENARIO)
    assert status == 2
    assert [(fault["where"], fault["code"]) for fault in violations] == [
        ("victory", "no-last-word")
    ]

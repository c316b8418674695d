"""Atmospheres: ships that land, crash-land, burn up or escape."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import start
from engine.core.kinds import DESTROYED, LANDED
from engine.pieces.group import Group
from engine.view.side_log import side_log
from tests.engine.battle.table import at, classes, events_of, replays
from tests.engine.guns.duels import play, ship, table

WORLD = {"kind": "planet", "at": [60, 80], "radius": 6, "atmosphere": 6}


def falling(
    streamlining: str = "none", velocity: int = 8, g: int = 1, **own: Any
) -> dict[str, Any]:
    """Return `r1` just below a planet, on its way into it, and `b1` far away."""
    entry = ship("r1", 60, 71, own.pop("systems", ""), 12, velocity=velocity, **own)
    entry["design"]["streamlining"] = streamlining
    return table([entry], [ship("b1", 60, 110, "")], terrain=[{**WORLD, "g": g}])


def circling(streamlining: str, g: int = 1, **own: Any) -> dict[str, Any]:
    document = falling(streamlining, 6, g, **own)
    document["sides"][0]["ships"][0] |= {"at": [60, 74], "course": 9, "orbit": "planet-1"}
    return document


@pytest.mark.rule("pc.atmosphere")
@pytest.mark.parametrize(
    ("streamlining", "velocity", "lost", "die", "score", "outcome"),
    [
        ("none", 6, [], 1, 5, "burnt-up"),
        ("none", 6, [], 2, 6, "lost"),
        ("none", 8, [], 1, 7, "lost"),  # 2 faster than its entry velocity
        ("partial", 6, [], 2, 2, "crashed"),
        ("partial", 6, ["drive"], 2, 3, "burnt-up"),
        ("partial", 6, ["drive", "drive"], 3, 6, "lost"),
        ("full", 6, [], 4, 2, "crashed"),
        ("full", 9, [], 1, 2, "crashed"),
        ("full", 4, [], 6, 4, "burnt-up"),  # too slow is no better
    ],
)
def test_uncontrolled_entry_rolls_a_die(
    streamlining: str, velocity: int, lost: list[str], die: int, score: int, outcome: str
) -> None:
    document = falling(streamlining, velocity, lost=lost)
    battle = play(document, [{}], atmosphere=[die])
    entered = events_of(battle, "entered-atmosphere")[0]
    assert (entered.die, entered.score, entered.outcome) == (die, score, outcome)
    down = at(battle, "r1")
    assert down.status == (LANDED if outcome == "crashed" else DESTROYED)
    if down.status == LANDED:
        assert {"drive", "ftl"} <= set(down.lost_systems())
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.atmosphere")
def test_craft_escape_a_ship_that_burns_up() -> None:
    for die, groups in ((1, 2), (2, 0)):
        document = falling(velocity=6, systems="hangar hangar launch-tube")
        document["sides"][0]["ships"].append(ship("r2", 10, 10, ""))
        for system in document["sides"][0]["ships"][0]["design"]["systems"]:
            if system["type"] == "hangar":
                system["load"] = {"standard": 6}
        battle = play(document, [{}], atmosphere=[die])
        assert len(battle.state.pieces_of(Group)) == groups
        assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.atmosphere")
@pytest.mark.parametrize(
    ("streamlining", "g", "own", "outcome"),
    [
        ("full", 9, {}, "landed"),
        ("partial", 4, {}, "landed"),
        ("partial", 5, {}, "crashed"),  # thrust 4 is not enough
        ("partial", 4, {"lost": ["drive"]}, "crashed"),
        ("none", 1, {}, "burnt-up"),
    ],
)
def test_slow_ship_in_orbit_lands(
    streamlining: str, g: int, own: dict[str, Any], outcome: str
) -> None:
    document = circling(streamlining, g, **own)
    dice = {"atmosphere": [1]} if streamlining == "none" else {}
    battle = play(document, [{"plot": {"r1": "-1"}}], **dice)
    assert events_of(battle, "entered-atmosphere")[0].outcome == outcome
    down = at(battle, "r1")
    assert ("drive" in down.lost_systems()) == (outcome == "crashed" or bool(own))
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.atmosphere")
def test_landed_ship_is_out_of_the_battle() -> None:
    document = circling("full")
    battle = play(document, [{"plot": {"r1": "-1"}}, {}])
    assert at(battle, "r1").status == LANDED
    assert battle.state.stop == "over"
    assert events_of(battle, "battle-over")[0].winner == "blue"


@pytest.mark.rule("pc.atmosphere")
def test_others_see_it_burn_but_not_its_thrust() -> None:
    document = falling("partial", 7, lost=["drive"])
    initial_battle = start(document, classes())
    battle = play(document, [{}], atmosphere=[4])
    events = events_of(battle, "entered-atmosphere")
    own, foes = (side_log(events, initial_battle.state, side)[0] for side in (0, 1))
    assert own["score"] == 6
    assert "score" not in foes
    assert (foes["die"], foes["outcome"]) == (4, "lost")

"""The moving table, and how a side escapes: over one edge, by dice, or chased."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, start
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.pieces.asteroid import Asteroid
from engine.view.side_view import observe
from tests.engine.battle.table import (
    at,
    classes,
    events_of,
    gunship,
    play,
    replays,
    scripted,
    setup,
    ship,
)

pytestmark = pytest.mark.rule("2e.moving-table")

MOVING = {"options": ["moving-table"]}


def chase(**more: Any) -> dict[str, Any]:
    """Return two frigates about to leave over the top edge, and two cruisers behind them."""
    red = [ship("r1", "Frigate", 50, 116, 12, 6), ship("r2", "Frigate", 70, 116, 12, 6)]
    blue = [ship("b1", "Heavy Cruiser", 50, 90, 12, 8), ship("b2", "Heavy Cruiser", 70, 88, 12, 8)]
    return setup(red, blue, **MOVING, **more)


def test_table_moves_if_everything_fits() -> None:
    document = chase(asteroids=[{"at": [60, 100]}, {"at": [60, 2]}])
    battle = play(document, [{}])
    moved = events_of(battle, "table-moved")[0]
    assert (moved.by_x, moved.by_y) == (0.0, -49.0), (
        "the ships from 96 to 122 are brought to the middle"
    )
    assert [at(battle, name).y for name in ("r1", "r2", "b1", "b2")] == [73, 73, 49, 47]
    assert moved.removed == ("rock-2",)
    assert [(rock.x, rock.y) for rock in battle.state.pieces_of(Asteroid)] == [(60, 51)]
    assert not events_of(battle, "left-table")
    assert replays(start(document, classes()), battle)


def test_ships_leave_if_not_everything_fits() -> None:
    document = chase()
    document["sides"][1]["ships"].append(ship("b3", "Heavy Cruiser", 60, 1, 12, 0))
    battle = play(document, [{}], re_entry=[5, 2], disengage=[6, 1])
    assert not events_of(battle, "table-moved")
    assert [event.due for event in events_of(battle, "left-table")] == [6, 0]


def test_table_stays_without_the_option() -> None:
    document = chase()
    del document["options"]
    battle = play(document, [{}], re_entry=[5, 5])
    assert not events_of(battle, "table-moved")
    assert not events_of(battle, "disengaged")


LEAVE = {"plot": {"r1": "leave", "r2": "leave"}}


def leaving(
    *turns: dict[str, Any], document: dict[str, Any] | None = None, **dice: list[int]
) -> Battle:
    document = document or chase()
    battle = play(document, list(turns), re_entry=dice.pop("re_entry", [5, 5]), **dice)
    assert replays(start(document, classes()), battle)
    return battle


@pytest.mark.parametrize(
    ("dice", "outcome"),
    [([1, 1], "away"), ([3, 6], "let-go"), ([4, 6], "away"), ([2, 5], "let-go"), ([1, 3], "away")],
)
def test_example_faster_ships_add_2_and_equal_or_higher_escapes(
    dice: list[int], outcome: str
) -> None:
    battle = leaving(LEAVE, disengage=dice)
    event = events_of(battle, "disengaged")[0]
    assert (event.side, event.edge, event.outcome) == ("red", "top", outcome)
    assert event.rolls == (("red", dice[0], dice[0] + 2), ("blue", dice[1], dice[1]))
    assert [at(battle, name).status for name in ("r1", "r2")] == ["left", "left"]
    assert battle.winner == "blue"


def test_faster_pursuer_adds_2() -> None:
    document = chase()
    document["sides"][0]["ships"] = [ship("r1", "Heavy Freighter", 60, 118, 12, 4)]
    battle = play(document, [{"plot": {"r1": "leave"}}], re_entry=[6], disengage=[3, 2])
    assert events_of(battle, "disengaged")[0].rolls == (("red", 3, 3), ("blue", 2, 4))


def test_battle_continues_until_the_last_ship_has_left() -> None:
    battle = leaving({"plot": {"r1": "leave", "r2": "S3-3"}}, document=chase(), re_entry=[5])
    assert at(battle, "r1").status == "returning"
    assert not events_of(battle, "disengaged")
    assert battle.state.stop == "plot"


def test_ship_without_thrust_is_left_behind() -> None:
    document = chase()
    document["sides"][0]["ships"].append(
        ship("r3", "Frigate", 20, 60, 12, 0, lost=["drive", "drive"])
    )
    battle = leaving(LEAVE, document=document, disengage=[6, 1])
    assert events_of(battle, "disengaged")[0].outcome == "away"
    assert at(battle, "r3").status == "fighting"
    assert battle.state.stop == "plot", "the battle goes on for who is left"


PURSUE = {**LEAVE, "pursue": ["blue"]}


def test_higher_roll_may_pursue_in_a_stern_chase() -> None:
    battle = leaving(PURSUE, {}, disengage=[1, 6])
    assert events_of(battle, "disengaged")[0].outcome == "pursued"
    places = {
        event.ship: (event.at, event.course, event.velocity)
        for event in events_of(battle, "placed")
    }
    assert places["r1"] == ((50, 36), 12, 6)
    assert places["b1"] == ((50, 12), 12, 8)
    assert [at(battle, name).y for name in ("r1", "r2", "b1", "b2")] == [42, 42, 20, 20]


def test_chased_ship_may_try_again_over_the_far_edge() -> None:
    far = [{"plot": {"r1": "+6", "r2": "+6"}} for _ in range(2)]
    last = [{"plot": {"r1": "+6; leave", "r2": "+6; leave"}, "pursue": ["blue"]} for _ in range(3)]
    battle = leaving(PURSUE, *far, *last, re_entry=[1, 1, 4, 4], disengage=[1, 6, 6, 1])
    assert [event.outcome for event in events_of(battle, "disengaged")] == ["pursued", "away"]
    assert battle.winner == "blue"


def test_ships_that_do_not_pursue_are_left_behind() -> None:
    document = chase(asteroids=[{"at": [10, 10]}])
    document["sides"][1]["ships"].append(
        ship("b3", "Frigate", 10, 60, 12, 0, lost=["drive", "drive"])
    )
    battle = leaving(PURSUE, document=document, disengage=[1, 6])
    assert at(battle, "b3").status == "left"
    assert battle.state.pieces_of(Asteroid) == []


def test_side_with_other_enemies_on_the_table_cannot_pursue() -> None:
    document = chase()
    document["sides"].append({"name": "gold", "ships": [gunship("g1", 20, 20, "C")]})
    document["hostile"] = [["red", "blue"], ["blue", "gold"]]
    battle = leaving(PURSUE, document=document, disengage=[1, 6])
    assert events_of(battle, "disengaged")[0].outcome == "let-go"


def test_scattered_ships_are_pursued_over_the_majoritys_edge() -> None:
    document = chase()
    document["sides"][0]["ships"].append(ship("r3", "Frigate", 4, 60, 9, 6))
    turn = {"plot": {"r1": "leave", "r2": "leave", "r3": "leave"}, "pursue": ["blue"]}
    battle = leaving(turn, document=document, re_entry=[5, 5, 5], disengage=[1, 6])
    assert events_of(battle, "disengaged")[0].edge == "top"
    assert [at(battle, name).status for name in ("r1", "r2", "r3")] == [
        "fighting",
        "fighting",
        "left",
    ]


def test_pursuit_is_ordered_with_fire() -> None:
    battle = start(chase(), classes())
    dice = scripted(re_entry=[5, 5], disengage=[1, 6])
    battle, _ = stops.resolve_documents(battle, {0: {"plot": LEAVE["plot"]}}, dice)
    assert [fault.where for fault in stops.read_orders(battle, 1, {"pursue": "yes"})[1]] == [
        "pursue"
    ]
    document = json.loads(json.dumps({"engage": {}, "pursue": True}))
    battle, stop = stops.resolve_documents(battle, {1: document}, dice)
    assert any(event.kind == "placed" for event in stop.events)


def test_captains_pursue_unless_hurt_or_leaving() -> None:
    view = observe(start(chase(), classes()).state, 1)
    assert Captain(Doctrine(), Dice(1)).pursues(view)
    assert not Captain(Doctrine(), Dice(1), fleeing=1).pursues(view)
    for own in view.own_ships:
        own.damage = 12
    assert not Captain(Doctrine(), Dice(1)).pursues(view)


def test_moving_table_has_no_jump_edge() -> None:
    with pytest.raises(RuleViolations, match="cannot have a jump edge"):
        start(chase(jump_edge={"red": "top"}), classes())

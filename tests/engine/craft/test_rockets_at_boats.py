"""Rockets of pods and gunboats at gunboats: each hit that is not shot down destroys a boat."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.battle import Battle, battle_from
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.pieces.marker import Marker
from engine.view.side_view import observe
from tests.engine.craft.carrier_battles import (
    F1,
    N1,
    S1,
    carriers,
    flying_groups,
    group,
    launch,
    squadrons,
    turn,
)
from tests.engine.defences.battles import log_lines, play_turns
from tests.engine.ordnance.test_missiles import FORE

RACK = "gunboat-rack-1"
POD = f"rocket-pod@{FORE}"


def out(fly: str = "to 60 28; face 12") -> dict[str, Any]:
    """Return a turn in which r1 launches a squadron."""
    return turn(launch(RACK), {S1: fly})


def pods(number: int = 1, at: str = S1, **more: Any) -> dict[str, Any]:
    return turn(
        launch={"b1": [{"weapon": f"rocket-pod-{n}", "target": at} for n in range(1, number + 1)]},
        **more,
    )


def refusals(battle: Battle) -> list[str]:
    return [line["reason_text"] for line in log_lines(battle, "shot-refused")]


@pytest.mark.rule("pc.rocket-pods", "pc.gunboats")
class TestPodsAtBoats:
    @pytest.mark.parametrize(
        ("away", "dice", "survivors"),
        [
            (6.0, [3, 2], 5),
            (6.1, [4, 3], 5),
            (12.0, [4, 4], 4),
            (12.1, [5, 4], 5),
            (18.0, [6, 5], 4),
        ],
    )
    def test_each_die_has_one_less_by_range(
        self, away: float, dice: list[int], survivors: int
    ) -> None:
        document = squadrons("beam", 12.0 + away, guard=POD)
        battle = play_turns(
            document, out("to 60 29; face 12"), turn(fighters={S1: "to 60 32"}), pods(), to_hit=dice
        )
        assert group(battle, S1).craft == survivors
        assert [line["through"] for line in log_lines(battle, "rockets-struck")] == [6 - survivors]

    def test_rockets_are_kept_beyond_18(self) -> None:
        battle = play_turns(squadrons("beam", 26.1, guard=POD), out(), pods())
        assert refusals(battle) == [
            "no such hostile ship is in its range, in its arcs and in sight"
        ]

    def test_heavy_boats_are_harder_to_hit(self) -> None:
        document = squadrons("beam", 18.0, guard=POD, mods=("heavy",))
        battle = play_turns(document, out(), pods(), to_hit=[4, 5])
        assert group(battle, S1).craft == 5

    def test_rockets_arrive_with_missiles_and_follow_boats(self) -> None:
        document = squadrons("beam", 18.0, guard=POD)
        fly = {S1: "to 70 26"}
        battle = play_turns(document, out(), pods(fighters=fly), to_hit=[6, 6])
        assert [line["group"] for line in log_lines(battle, "rockets-chased")] == [S1]
        assert (group(battle, S1).craft, battle.state.pieces_of(Marker)) == (4, [])

    def test_landed_boats_are_out_of_reach(self) -> None:
        document = squadrons("beam", 18.0, beside="boat-bay", guard=POD)
        bay = next(
            system
            for system in document["sides"][0]["ships"][0]["design"]["systems"]
            if system["type"] == "boat-bay"
        )
        bay["mass"] = 27
        battle = play_turns(
            document, out(), pods(fighters={S1: "land r1"}), to_hit=[6, 6], re_arm=[6]
        )
        assert [line["reason_text"] for line in log_lines(battle, "ordnance-removed")] == [
            "its target is gone"
        ]

    def test_point_defence_boats_shoot_rockets_down(self) -> None:
        document = squadrons("point-defence", 18.0, guard=POD)
        meet = {S1: {"weapon": "boats", "target": "marker-1"}}
        battle = play_turns(
            document,
            out(),
            pods(attack=meet),
            to_hit=[6, 6],
            fighter=[4, 4, *[1] * 10],
            damage=[1, 1],
        )
        assert group(battle, S1).craft == 6

    def test_nearby_ship_with_adfc_defends_boats(self) -> None:
        document = squadrons("beam", 18.0, beside="pds adfc", guard=POD)
        guard = {"r1": [{"weapon": "pds-1", "target": "marker-1"}]}
        orders = pods(fighters={S1: "to 60 22; face 12"}, defend=guard)
        battle = play_turns(document, out(), orders, to_hit=[6, 6], point_defence=[5])
        assert (refusals(battle), group(battle, S1).craft) == ([], 5)

    def test_fighters_and_friends_are_no_targets(self) -> None:
        document = carriers("standard", "", 18.0, guard=POD)
        battle = play_turns(document, turn(launch(), {N1: "to 60 28"}), pods(at=N1))
        assert refusals(battle) == [
            "no such hostile ship is in its range, in its arcs and in sight"
        ]
        document = squadrons("beam", 18.0, beside=POD)
        mine = turn(launch={"r1": [{"weapon": "rocket-pod-1", "target": S1}]})
        assert len(refusals(play_turns(document, out(), mine))) == 1

    def test_flying_rockets_are_stored_and_visible(self) -> None:
        battle = play_turns(squadrons("beam", 18.0, guard=POD), out(), pods(), to_hit=[6, 1])
        rockets = next(line for line in log_lines(battle, "rockets-launched"))
        assert (rockets["target"], rockets["marker"]) == (S1, "marker-1")
        again = battle_from(json.loads(json.dumps(battle.to_json())))
        assert again.to_json() == battle.to_json()


@pytest.mark.rule("pc.gunboats", "pc.rocket-pods")
class TestRocketBoatsAtBoats:
    @pytest.mark.parametrize(("y", "dice", "survivors"), [(33.0, [3, 2], 5), (28.0, [4, 3], 5)])
    def test_each_hit_kills_a_boat(self, y: float, dice: list[int], survivors: int) -> None:
        document = squadrons("rocket", 40.0, theirs="beam")
        begin = turn(
            launch(RACK) | {"b1": "launch gunboat-rack-1"}, {S1: "to 60 28", F1: "to 60 51"}
        )
        near = turn(fighters={S1: f"to 60 {y}; face 12", F1: "to 60 39"})
        fire = turn(launch={S1: [{"weapon": "rockets", "target": F1, "count": 2}]})
        battle = play_turns(document, begin, near, fire, to_hit=dice)
        assert (
            group(battle, F1).craft,
            group(battle, S1).loads,
            group(battle, S1).used_endurance,
        ) == (
            survivors,
            {"rockets": 22},
            1,
        )


@pytest.mark.rule("pc.rocket-pods")
class TestCaptainsRockets:
    def test_ships_fire_rockets_at_boats_in_range(self) -> None:
        battle = play_turns(squadrons("beam", 18.0, guard=f"{POD} {POD}"), out())
        boats = group(battle, S1).contact
        captain = Captain(Doctrine(), Dice("a"))
        captain.plots(view := observe(battle.state, 1))
        assert [launch.target for launch in captain.launches(view)["b1"]] == [boats, boats]

    def test_rocket_boats_fire_at_boats_too(self) -> None:
        document = squadrons("rocket", 40.0, theirs="beam")
        begin = turn(
            launch(RACK) | {"b1": "launch gunboat-rack-1"},
            {S1: "to 60 28; face 12", F1: "to 60 51"},
        )
        battle = play_turns(document, begin, turn(fighters={F1: "to 60 39"}))
        boats = group(battle, F1).contact
        captain = Captain(Doctrine(), Dice("a"))
        captain.plots(view := observe(battle.state, 0))
        launched = captain.launches(view)[S1]
        assert (launched[0].target, launched[0].count) == (boats, 8)
        assert flying_groups(battle) == [S1, F1]

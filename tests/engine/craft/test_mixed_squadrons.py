"""Squadrons of gunboats of several types: one group, in which each type fires its own weapons."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.battle import Battle, battle_from, fight
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.craft.mixed_squadrons import remaining_by_type
from engine.craft.registry import craft_type
from engine.view.side_view import observe
from tests.engine.craft.carrier_battles import F1, S1, carriers, group, launch, squadrons, turn
from tests.engine.defences.battles import log_lines, play_turns, ship_of, start_battle

RACK = "gunboat-rack-1"
pytestmark = pytest.mark.rule("pc.gunboats")


def mixed(
    load: dict[str, int], distance: float = 20.0, mods: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    """Return `squadrons` whose first rack holds boats of these types."""
    document = squadrons("beam", distance, **more)
    systems = document["sides"][0]["ships"][0]["design"]["systems"]
    rack = next(system for system in systems if system["type"] == "gunboat-rack")
    rack |= {"load": load} | ({"mods": list(mods)} if mods else {})
    return document


def launch_squadron(
    *weapons: str, fly: str = "to 60 28; face 12", at: str = "b1", **more: Any
) -> dict[str, Any]:
    attack = {S1: [{"weapon": weapon, "target": at} | more for weapon in weapons or ("boats",)]}
    return turn(launch(RACK), {S1: fly}, attack=attack, defend={"b1": []})


def boat_fire(battle: Battle) -> list[tuple[int, int]]:
    return [(len(line["dice"]), line["hits"]) for line in log_lines(battle, "boats-fired")]


class TestWhatIsLeft:
    @pytest.mark.parametrize(
        ("craft", "remaining"),
        [
            (6, (4, 2)),
            (5, (4, 1)),
            (4, (4, 0)),
            (3, (3, 0)),
            (1, (1, 0)),
            (0, (0, 0)),
            (12, (8, 4)),
        ],
    )
    def test_last_listed_boats_are_lost_first(self, craft: int, remaining: tuple[int, ...]) -> None:
        assert remaining_by_type((4, 2), craft) == remaining

    @given(st.lists(st.integers(1, 5), min_size=2, max_size=4), st.integers(0, 20))
    def test_number_of_boats(self, numbers: list[int], craft: int) -> None:
        remaining = remaining_by_type(numbers, min(craft, sum(numbers)))
        assert sum(remaining) == min(craft, sum(numbers))
        assert all(0 <= count <= number for count, number in zip(remaining, numbers, strict=True))


class TestFire:
    def test_each_type_fires_its_weapon(self) -> None:
        battle = play_turns(
            mixed({"beam": 3, "k-gun": 3}),
            launch_squadron(),
            beam=[4, 4, 1, 1, 1, 1],
            to_hit=[4, 3, 1],
            double=[3],
        )
        assert boat_fire(battle) == [(6, 2), (3, 2)]
        assert ship_of(battle, "b1").damage == 4
        assert (group(battle, S1).used_endurance, group(battle, S1).row.word) == (1, "gunboats")

    def test_lost_boats_do_not_fire(self) -> None:
        document = mixed({"beam": 3, "k-gun": 3}, guard="beam:3@F")
        orders = launch_squadron() | {"defend": {"b1": [{"weapon": "beam-1", "target": S1}]}}
        battle = play_turns(document, orders, beam=[4, 4, 1, 1, 1, 1, 1, 1, 1], to_hit=[1])
        assert group(battle, S1).craft == 4
        assert [dice for dice, _ in boat_fire(battle)] == [6, 1]

    def test_packs_are_an_additional_load(self) -> None:
        battle = play_turns(
            mixed({"beam": 4, "submunition": 2}),
            launch_squadron("boats", "submunition"),
            beam=[*[1] * 8, *[4] * 8],
        )
        assert boat_fire(battle) == [(8, 0), (8, 8)]
        assert group(battle, S1).loads == {"submunition": 0}

    def test_weapon_out_of_range_or_arc_is_silent(self) -> None:
        """Gatlings fire ahead only, point defence not at ships."""
        document = mixed({"gatling": 2, "beam": 2, "point-defence": 2})
        assert [
            dice
            for dice, _ in boat_fire(
                play_turns(document, launch_squadron(fly="to 60 28; face 2"), beam=[1] * 4)
            )
        ] == [4]
        assert [
            dice for dice, _ in boat_fire(play_turns(document, launch_squadron(), beam=[1] * 8))
        ] == [4, 4]

    def test_needles_are_aimed_and_beams_are_not(self) -> None:
        document = mixed({"beam": 3, "needle": 3}, guard="pds")
        battle = play_turns(
            document, launch_squadron(system="pds-1"), beam=[1] * 6, to_hit=[6, 1, 1]
        )
        assert [line["system"] for line in log_lines(battle, "boats-fired")] == ["", "pds-1"]

    def test_missiles_belong_to_the_boats_that_carry_them(self) -> None:
        document = mixed({"beam": 4, "missile": 2}, 20.0)
        shot = turn(launch={S1: [{"weapon": "missiles", "at": [60, 38]}] * 3}, defend={"b1": []})
        battle = play_turns(
            document,
            turn(launch(RACK), {S1: "to 60 29; face 12"}),
            shot,
            missiles=[1, 1],
            damage=[1, 1],
        )
        assert len(log_lines(battle, "craft-launched")) == 2
        assert group(battle, S1).loads == {"missiles": 0}

    def test_reflex_field_stops_beams_but_not_projectiles(self) -> None:
        document = mixed(
            {"beam": 3, "k-gun": 3}, guard="reflex-field", options=("science-fiction",)
        )
        orders = launch_squadron()
        orders["plot"] |= {"b1": "reflex"}
        battle = play_turns(
            document, orders, beam=[4, 4, 1, 1, 1, 1], to_hit=[4, 1, 1], double=[3], reflex=[6]
        )
        assert (ship_of(battle, "b1").damage, group(battle, S1).craft) == (2, 5)


class TestAtCraftAndOrdnance:
    def test_all_armed_boats_fight_in_a_dogfight(self) -> None:
        document = mixed({"point-defence": 3, "k-gun": 3}, 40.0, theirs="beam")
        begin = turn(
            launch(RACK) | {"b1": "launch gunboat-rack-1"}, {S1: "to 60 29", F1: "to 60 51"}
        )
        meet = turn(
            fighters={S1: "to 60 36; face 12", F1: "to 60 41"},
            attack={S1: {"weapon": "boats", "target": F1}},
        )
        battle = play_turns(
            document,
            begin,
            meet,
            dogfight=[6, 1, 1, 1, 1, 1, 4, 3, 1, *[1] * 12],
            re_roll=[1],
            to_hit=[6, 1, 1],
            double=[6],
            beam=[1] * 12,
        )
        assert (
            len([line for line in log_lines(battle, "fighters-fired") if line["group"] == S1]) == 2
        )

    def test_scatterpacks_are_used_up(self) -> None:
        document = carriers("standard", "", 40.0)
        rack = {"type": "gunboat-rack", "load": {"beam": 4, "scatterpack": 2}}
        document["sides"][1]["ships"][0]["design"]["systems"].append(rack)
        begin = turn(
            launch() | {"b1": "launch gunboat-rack-1"}, {"r1/hangar-1": "to 60 32", F1: "to 60 51"}
        )
        meet = turn(
            fighters={"r1/hangar-1": "to 60 44; face 6", F1: "to 60 48; face 6"},
            attack={F1: {"weapon": "boats", "target": "r1/hangar-1"}},
        )
        battle = play_turns(document, begin, meet, dogfight=[1] * 30, point_defence=[1] * 20)
        assert group(battle, F1).loads == {"scatterpack": 0}


class TestRows:
    def test_squadron_row_is_stored(self) -> None:
        battle = play_turns(mixed({"beam": 3, "k-gun": 3}, mods=("heavy",)), turn(launch(RACK)))
        row = group(battle, S1).row
        assert (row.id, row.type, row.modifier) == (
            "3*beam-gunboat&3*k-gun-gunboat+heavy", "beam-and-k-gun", -1
        )  # fmt: skip
        assert craft_type(row.id) is row
        again = battle_from(json.loads(json.dumps(battle.to_json())))
        assert again.to_json() == battle.to_json()
        assert group(again, S1).row is row

    def test_captains_use_mixed_squadrons(self) -> None:
        plots = Captain(Doctrine(), Dice("a")).plots(
            observe(start_battle(mixed({"beam": 3, "k-gun": 3}, 40.0)).state, 0)
        )
        assert RACK in plots["r1"].launch
        document = mixed({"beam": 2, "k-gun": 2, "submunition": 2}, 40.0, b={"boxes": 60})
        ended = fight(
            start_battle(document), {"red": Doctrine(), "blue": Doctrine()}, Dice("m"), "m"
        )
        assert [line for line in log_lines(ended, "boats-fired") if line["group"] == S1]
        assert not [line for line in log_lines(ended, "shot-refused") if line.get("ship") == S1]

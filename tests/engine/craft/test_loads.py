"""Ordnance of craft: missiles of fighters and boats, rockets, plasma bombs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.continuum.craft.loads import load_violations
from engine.core.dice import Dice
from engine.core.orders import Launch
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.craft.carrier_battles import N1, S1, carriers, group, launch, squadrons, turn
from tests.engine.defences.battles import log_lines, play_turns, ship_of, start_battle

RACK = "gunboat-rack-1"


def launch_group(name: str, fly: str, **more: Any) -> dict[str, Any]:
    """Return a turn in which a group is launched and flies somewhere."""
    return turn(launch(name.rpartition("/")[2]), {name: fly}, **more)


def shoot(name: str, *launches: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a turn in which a group launches at an undefended b1."""
    return turn(launch={name: list(launches)}, **{"defend": {"b1": []}, **more})


def missiles(*at: float, **more: Any) -> dict[str, Any]:
    return {"weapon": "missiles", "at": list(at), **more}


def refusals(battle: Battle) -> list[str]:
    return [line["reason_text"] for line in log_lines(battle, "shot-refused")]


def advised(battle: Battle) -> dict[str, list[dict[str, Any]]]:
    """Return what red's captain launches."""
    result: dict[str, Any] = dict(stops.advise(battle, 0, Doctrine(), "red"))
    return dict(result["launch"])


@pytest.mark.rule("pc.fighter-types")
def but_for_contacts(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return a view without its contacts; of equal bays only the first counts as launching."""
    (contact,) = view["contacts"]
    assert contact["notes"] == {"revealed-bays:hangar-1": 1}
    return {key: value for key, value in view.items() if key != "contacts"}


class TestMissileFighters:
    UP = launch_group(N1, "to 60 30; face 12")

    def test_full_group_launches_one_salvo_for_one_endurance(self) -> None:
        document = carriers("missile", "", 20.0, b={"boxes": 60})
        battle = play_turns(
            document, self.UP, shoot(N1, missiles(60, 40)), missiles=[4], damage=[1, 2, 3, 4]
        )
        assert (group(battle, N1).used_endurance, group(battle, N1).loads) == (1, {"missiles": 0})
        assert [
            (line["die"], line["through"]) for line in log_lines(battle, "ordnance-struck")
        ] == [(4, 4)]
        assert ship_of(battle, "b1").damage == 10

    @pytest.mark.parametrize(("craft", "die", "through"), [(4, 5, 3), (2, 6, 2), (4, 1, 1)])
    def test_each_lost_fighter_is_a_missile_less(self, craft: int, die: int, through: int) -> None:
        document = carriers("missile", "", 20.0, b={"boxes": 60})
        flying = {"hangar-1": {"at": [60, 30], "course": 12, "craft": craft}}
        document["sides"][0]["ships"][0]["groups"] = flying
        battle = play_turns(
            document, shoot(N1, missiles(60, 40)), missiles=[die], damage=[1] * through
        )
        assert [line["through"] for line in log_lines(battle, "ordnance-struck")] == [through]

    def test_spread_has_several_short_markers(self) -> None:
        document = carriers("missile", "", 20.0, b={"boxes": 60})
        spread = shoot(N1, missiles(60, 40, count=4), missiles(60, 44, count=2))
        battle = play_turns(document, self.UP, spread, missiles=[6, 6], damage=[1] * 6)
        assert [line["through"] for line in log_lines(battle, "ordnance-struck")] == [4, 2]
        assert group(battle, N1).used_endurance == 1

    @pytest.mark.parametrize(
        ("order", "wrong"),
        [
            (missiles(60, 55), "that point is 25.0 MU away; the range is 24"),
            (missiles(60, 29), "that point is behind it"),
            (missiles(60, 40, count=7), "it has 6 missiles left"),
            (missiles(60, -4), "that point is not on the table"),
            (
                {"weapon": "missiles", "target": "b1"},
                "it must be launched at a point on the table, for example [30, 24]",
            ),
        ],
    )
    def test_impossible_launches(self, order: dict[str, Any], wrong: str) -> None:
        battle = play_turns(carriers("missile", "", 20.0), self.UP, shoot(N1, order))
        assert (refusals(battle), group(battle, N1).used_endurance) == ([wrong], 0)

    @pytest.mark.parametrize(("distance", "able"), [(22.0, True), (22.1, False)])
    def test_enemy_ship_must_be_within_12(self, distance: float, able: bool) -> None:
        battle = play_turns(carriers("missile", "", distance), self.UP, shoot(N1, missiles(60, 34)))
        assert (not refusals(battle)) is able

    def test_ecm_prevents_tracking(self) -> None:
        document = carriers("missile", "", 22.0, guard="ecm")
        orders = shoot(N1, missiles(60, 34))
        orders["plot"] = {"b1": "jam"}
        assert not log_lines(play_turns(document, self.UP, orders), "ordnance-homed")

    def test_missiles_are_used_once(self) -> None:
        document = carriers("missile", "", 20.0, b={"boxes": 60})
        again = shoot(N1, missiles(60, 40))
        battle = play_turns(document, self.UP, again, again, missiles=[1], damage=[1])
        assert refusals(battle) == ["it has no missiles left"]

    def test_missiles_launch_before_craft_and_ships_move(self) -> None:
        document = carriers("missile", "", 20.0, b={"boxes": 60, "velocity": 2, "course": 12})
        battle = play_turns(
            document, self.UP, shoot(N1, missiles(60, 50), fighters={N1: "to 60 32"}), missiles=[1], damage=[1]
        )  # fmt: skip
        log = [line["event"] for line in battle.events_json if line["turn"] == 2]
        assert log.index("craft-launched") < log.index("group-moved") < log.index("moved")

    @pytest.mark.parametrize(("mods", "die", "hits"), [((), 3, 0), (("light",), 3, 1)])
    def test_light_missiles_are_easier_to_shoot_down(
        self, mods: tuple[str, ...], die: int, hits: int
    ) -> None:
        document = carriers("missile", "", 20.0, mods=mods, guard="pds", b={"boxes": 60})
        orders = shoot(
            N1, missiles(60, 40), defend={"b1": [{"weapon": "pds-1", "target": "marker-1"}]}
        )
        battle = play_turns(
            document, self.UP, orders, point_defence=[die], missiles=[5], damage=[1] * (5 - hits)
        )
        assert [line["hits"] for line in log_lines(battle, "point-defence-at-ordnance")] == [hits]
        assert [line["through"] for line in log_lines(battle, "ordnance-struck")] == [5 - hits]

    def test_marker_does_not_reveal_the_groups_carrier(self) -> None:
        document = carriers("missile", "", 20.0)
        document["sides"][0]["ships"][0]["contact"] = "c1x"
        battle = play_turns(document, self.UP)
        after, stop = stops.resolve_documents(
            battle, {0: {"plot": {}, "launch": {N1: [missiles(60, 40)]}}}, Dice("x")
        )
        flyer = group(after, N1).contact
        markers = observe(after.state, 1).to_json()["ordnance"]
        assert [marker["ship"] for marker in markers] == [flyer]
        assert "hangar-1" not in str(but_for_contacts(stop.view(1)))

    def test_late_missiles_do_not_reveal_their_craft(self) -> None:
        document = carriers("missile", "", 20.0, b={"boxes": 60})
        document["sides"][0]["ships"][0]["contact"] = "c1x"
        battle = play_turns(document, self.UP)
        battle, _ = stops.resolve_documents(
            battle, {0: {"plot": {}, "launch": {N1: [missiles(60, 40)]}}}, Dice("x")
        )
        battle, _ = stops.resolve_documents(battle, {}, Dice("x"))
        assert battle.state.stop == "defend"
        battle.state.take_off(group(battle, N1))
        battle, stop = stops.resolve_documents(battle, {}, Dice("x"))
        assert "ordnance:marker-1" in str(stop.view(1))
        text = str(side_log(stop.events, battle.state, 1)) + str(
            but_for_contacts(observe(battle.state, 1).to_json())
        )
        assert "hangar" not in text
        assert "hangar" not in str(but_for_contacts(stop.view(1)))

    def test_captain_launches_with_a_chance_to_hit(self) -> None:
        battle = play_turns(carriers("missile", "", 20.0), self.UP)
        assert sum(launch_order.get("count", 6) for launch_order in advised(battle)[N1]) >= 6
        assert (
            load_violations(battle.state, {N1: (Launch("missiles", (60.0, 40.0)),)}, "launch") == []
        )


@pytest.mark.rule("pc.gunboats")
class TestGunboats:
    UP = launch_group(S1, "to 60 28; face 12")

    def test_boat_has_a_salvo_of_four(self) -> None:
        document = squadrons("missile", 18.0, b={"boxes": 60})
        battle = play_turns(
            document, self.UP, shoot(S1, missiles(60, 38)), missiles=[6], damage=[1] * 4
        )
        assert [line["through"] for line in log_lines(battle, "ordnance-struck")] == [4]
        assert (group(battle, S1).loads, group(battle, S1).used_endurance) == ({"missiles": 20}, 1)
        two = shoot(S1, missiles(60, 38), missiles(60, 38, count=4), missiles(60, 38, count=2))
        battle = play_turns(document, self.UP, two, missiles=[6, 6, 6], damage=[1] * 10)
        assert (group(battle, S1).loads, group(battle, S1).used_endurance) == ({"missiles": 14}, 1)
        assert refusals(play_turns(document, self.UP, shoot(S1, missiles(60, 38, count=5)))) == [
            "a salvo is 4 missiles; launch more with further orders"
        ]

    @pytest.mark.parametrize(
        ("distance", "dice", "hits"), [(14.0, [2, 1, 3, 1], 2), (14.1, [2, 3, 1, 4], 2)]
    )
    def test_rockets_hit_by_launch_range(self, distance: float, dice: list[int], hits: int) -> None:
        document = squadrons("rocket", distance, b={"boxes": 60})
        order = {"weapon": "rockets", "target": "b1", "count": 4}
        battle = play_turns(document, self.UP, shoot(S1, order), to_hit=dice, damage=[1] * hits)
        assert [line["strength"] for line in log_lines(battle, "craft-launched")] == [hits]
        assert ship_of(battle, "b1").damage == hits
        assert group(battle, S1).loads == {"rockets": 20}

    def test_missed_rockets_leave_nothing_on_the_table(self) -> None:
        order = {"weapon": "rockets", "target": "b1", "count": 2}
        battle = play_turns(squadrons("rocket", 20.0), self.UP, shoot(S1, order), to_hit=[2, 2])
        assert [line["marker"] for line in log_lines(battle, "craft-launched")] == [""]
        assert refusals(play_turns(squadrons("rocket", 20.1), self.UP, shoot(S1, order))) == [
            "its target must be a hostile ship or gunboats within 12 MU, ahead of it and in sight"
        ]

    def test_bombs_explode_where_dropped(self) -> None:
        document = squadrons("plasma-bomber", 12.0, b={"boxes": 60})
        order = {"weapon": "plasma-bolts", "count": 3}
        away = shoot(S1, order, fighters={S1: "to 70 40"})
        battle = play_turns(document, self.UP, away, damage=[6, 5, 4])
        assert (ship_of(battle, "b1").damage, group(battle, S1).craft) == (15, 6)
        assert (group(battle, S1).loads, group(battle, S1).used_endurance) == (
            {"plasma-bolts": 9},
            1,
        )
        stays = play_turns(document, self.UP, shoot(S1, order), damage=[6, 5, 4, 1, 1, 1])
        assert [line["craft"] for line in log_lines(stays, "craft-burned")] == [6]

    def test_bombs_are_dropped_not_launched(self) -> None:
        order = {"weapon": "plasma-bolts", "at": [60, 30]}
        assert refusals(
            play_turns(squadrons("plasma-bomber", 18.0), self.UP, shoot(S1, order))
        ) == ["it is dropped at the position of its craft"]

    def test_ships_do_not_count_craft_missiles(self) -> None:
        document = squadrons("beam", 18.0, beside="salvo-rack@FP+F+FS")
        order = {
            "launch": {"r1": [{"weapon": "salvo-rack-1", "at": [60, 30], "count": 2}]},
            "plot": {},
        }
        _, faults = stops.read_orders(start_battle(document), 0, order)
        assert [fault.code for fault in faults] == ["count"]

    def test_captain_fires_rockets(self) -> None:
        battle = play_turns(squadrons("rocket", 18.0), self.UP)
        assert [attack["weapon"] for attack in advised(battle)[S1]] == ["rockets"]

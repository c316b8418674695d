"""Flak: aimed when ordnance is launched, it bursts at passing craft and missiles, and among ships."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from tests.engine.craft.carrier_battles import (
    E1,
    N1,
    S1,
    carriers,
    flying_groups,
    group,
    launch,
    squadrons,
    turn,
)
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of, start_battle
from tests.engine.ordnance.test_missiles import AT_B1, FORE, launched, refusals

pytestmark = pytest.mark.rule("pc.k-guns")
GUN = "k-gun:2@F/flak"


def flak(*at: tuple[float, float], by: str = "b1") -> dict[str, Any]:
    """Return launches of a ship whose guns fire flak at these points, one each."""
    return {
        "launch": {by: [{"weapon": f"k-gun-{n}", "at": [*point]} for n, point in enumerate(at, 1)]}
    }


def run(
    fly: str, *at: tuple[float, float], guns: str = GUN, distance: float = 26.0, **more: Any
) -> Battle:
    """Return a turn in which r1 launches a group, and b1, so far ahead, fires flak at points."""
    mods = more.pop("mods", ())
    document = carriers("standard", "", distance, guard=guns, mods=mods, options=("flak",))
    secondary = more.pop("secondary", {})
    orders = turn(
        launch(), {N1: fly} if fly else {}, secondary, **more.pop("orders", {}), **flak(*at)
    )
    return play_turns(document, orders, **more)


class TestAtCraft:
    @pytest.mark.parametrize(("away", "goes_off"), [(2.0, True), (2.01, False)])
    def test_barrage_explodes_at_groups_passing_within_2_mu(
        self, away: float, goes_off: bool
    ) -> None:
        """A gun of class 2 rolls two PDS dice with one less on each: 5 is one, 6 is one and a re-
        roll.
        """
        battle = run(
            "to 60 32", (60 + away, 30), point_defence=[5, 6] if goes_off else [], re_roll=[4]
        )
        assert group(battle, N1).craft == (3 if goes_off else 6)
        assert [(line["dice"], line["hits"]) for line in log_lines(battle, "flak-at-craft")] == [
            ([5, 6, 4], 3)
        ] * goes_off

    def test_group_meets_a_barrage_once_a_turn(self) -> None:
        battle = run("to 60 32", (60, 32), secondary={N1: "to 60 30"}, point_defence=[1, 1])
        assert len(log_lines(battle, "flak-at-craft")) == 1

    def test_secondary_move_and_stationary_group(self) -> None:
        later = run("to 60 26", (60, 32), secondary={N1: "to 60 36"}, point_defence=[5, 1])
        assert group(later, N1).craft == 5
        document = carriers("standard", "", 30.0, guard=GUN, options=("flak",))
        there = turn(launch(), {N1: "to 60 32"})
        battle = play_turns(document, there, turn(**flak((60, 33))), point_defence=[5, 1])
        assert (group(battle, N1).craft, log_lines(battle, "flak-at-craft")[0]["turn"]) == (5, 2)

    def test_each_barrage_explodes(self) -> None:
        battle = run("to 60 32", (60, 30), (61, 31), guns="k-gun:3@F/flak k-gun:3@F/flak",
                     point_defence=[6, 6, 6, 1, 1, 1], re_roll=[5, 5, 5])  # fmt: skip
        assert flying_groups(battle) == []
        assert len(log_lines(battle, "flak-at-craft")) == 1

    def test_own_and_landing_craft_are_hit(self) -> None:
        document = carriers("standard", "", 30.0, beside=GUN, options=("flak",))
        out = turn(launch(), {N1: "to 60 32"})
        home = turn({}, {N1: "land r1"}, **flak((60, 26), by="r1"))
        battle = play_turns(
            document, out, home, point_defence=[6, 6], re_roll=[6, 6, 4, 1], re_arm=[1]
        )
        assert ship_of(battle, "r1").stock[ship_of(battle, "r1").profile.index_of["hangar-1"]] == 0
        assert log_lines(battle, "recovered") == []

    def test_heavy_fighters_have_no_bonus_and_gunboats_do(self) -> None:
        assert (
            group(run("to 60 32", (60, 30), mods=("heavy",), point_defence=[5, 4]), N1).craft == 5
        )
        document = squadrons("beam", 26.0, guard=GUN, options=("flak",))
        orders = turn(launch("gunboat-rack-1"), {S1: "to 60 28"}, **flak((60, 28)))
        assert group(play_turns(document, orders, point_defence=[5, 6], re_roll=[4]), S1).craft == 5

    def test_screens_moving_with_their_ship_are_hit(self) -> None:
        document = carriers("standard", "", 30.0, guard=GUN, options=("flak",), r={"velocity": 10})
        document["sides"][0]["ships"][0]["velocity"] = 10
        orders = turn(launch(), {N1: "screen r1"}, **flak((60, 33)))
        battle = play_turns(
            document, orders, turn(**flak((60, 38))), point_defence=[1, 1], damage=[2]
        )
        assert [line["turn"] for line in log_lines(battle, "flak-at-craft")] == [2]


class TestAtOrdnance:
    def hits_through(
        self, at: tuple[float, float], aimed: list[float] | None = None, **dice: list[int]
    ) -> list[int]:
        document = facing(f"salvo-rack@{FORE}", GUN, 20.0, options=("flak",))
        orders = {"launch": {**launched("salvo-rack-1", at=aimed)["launch"], **flak(at)["launch"]}}
        return [
            line["through"]
            for line in log_lines(play_turns(document, orders, **dice), "ordnance-struck")
        ]

    def test_missiles_flying_to_their_aim_point_are_hit(self) -> None:
        assert self.hits_through((60, 30), point_defence=[5, 4], missiles=[3], damage=[1, 1]) == [2]
        assert self.hits_through((63, 30), missiles=[3], damage=[1] * 3) == [3]

    def test_missiles_homing_on_their_target_are_hit(self) -> None:
        assert self.hits_through(
            (61.2, 37.6), [64, 36], point_defence=[6, 1], re_roll=[1], missiles=[3], damage=[1, 1]
        ) == [2]

    def test_destroyed_missiles_do_nothing(self) -> None:
        assert self.hits_through(
            (60, 30), point_defence=[1, 6], re_roll=[1], missiles=[1], damage=[]
        ) == [0]

    def test_heavy_missiles_and_rockets_are_hit_but_not_bolts(self) -> None:
        for weapon, entry, dice, struck in (
            ("heavy-missile", {"at": AT_B1}, {"point_defence": [5, 6], "damage": []}, [0]),
            (
                "rocket-pod",
                {"target": "b1"},
                {"to_hit": [6, 6], "point_defence": [5, 1], "damage": [6]},
                [1],
            ),
            ("plasma-bolt:1", {"at": AT_B1}, {"damage": [4]}, []),
        ):
            document = facing(f"{weapon}@{FORE}", GUN, 17.0, options=("flak",))
            document["sides"][1]["ships"][0]["at"] = [60, 37]
            fired = {"weapon": f"{weapon.partition(':')[0]}-1", **entry}
            battle = play_turns(
                document, {"launch": {"r1": [fired], **flak((60, 30))["launch"]}}, **dice
            )
            assert [line["through"] for line in log_lines(battle, "ordnance-struck")] == struck

    def test_second_stage_missile_is_hit(self) -> None:
        document = facing("", GUN, 27.0, options=("flak",))
        document["sides"][0]["ships"][0]["design"]["systems"].append(
            {"type": "heavy-missile", "model": "two-stage", "arcs": FORE.split("+")}
        )
        document["sides"][1]["ships"][0]["at"] = [60, 52]
        far = launched("heavy-missile-1", at=[60, 36])
        stage = {
            "launch": {
                "marker-1": [{"weapon": "stage", "at": [60, 52]}],
                **flak((60, 44))["launch"],
            }
        }
        battle = play_turns(document, far, stage, point_defence=[6, 1])
        assert [line["through"] for line in log_lines(battle, "ordnance-struck")] == [0]


class TestWhoFiresIt:
    def faults(self, battle: Battle, orders: dict[str, Any]) -> list[str]:
        return [fault.message for fault in stops.read_orders(battle, 1, {"plot": {}, **orders})[1]]

    def test_each_barrage_takes_a_firecon_of_its_own(self) -> None:
        guns = f"{GUN} {GUN} salvo-rack@{FORE}"
        battle = start_battle(facing("", guns, 20.0, options=("flak",)))
        two = flak((60, 30), (61, 30))
        assert self.faults(battle, two) == []
        rack = {"weapon": "salvo-rack-1", "at": [60, 26]}
        both = {"launch": {"b1": [*two["launch"]["b1"], rack]}}
        assert self.faults(battle, both) == ["a launch needs a working FireCon"]
        other = {"launch": {"b1": [rack, *two["launch"]["b1"]]}}
        assert self.faults(battle, other) == ["each burst needs a FireCon"]

    def test_barrage_needs_range_arc_and_sight(self) -> None:
        battle = start_battle(facing("", GUN, 20.0, options=("flak",)))
        assert self.faults(battle, flak((60, 21))) == ["that point is outside its range or arc"]
        assert self.faults(battle, {"launch": {"b1": [{"weapon": "k-gun-1", "target": "r1"}]}}) == [
            "flak must be aimed at a point on the table"
        ]

    def test_barrage_hits_ships_after_their_move_and_ends_with_the_turn(
        self,
    ) -> None:
        document = facing("", GUN, 20.0, options=("flak",), r={"velocity": 8})
        battle = play_turns(document, flak((60, 28)), {}, damage=[1])
        assert ship_of(battle, "r1").damage == 1
        assert [line["turn"] for line in log_lines(battle, "flak")] == [1]
        assert battle.state.pieces == []

    def test_gun_fires_no_more_and_damage_is_checked_at_once(self) -> None:
        document = facing("beam:1@ALL", GUN, 12.0, options=("flak",), r={"damage": 9})
        fire = {"engage": {"b1": [{"weapon": "k-gun-1", "target": "r1"}]}}
        battle = play_turns(
            document,
            flak((60, 21)) | fire,
            damage=[1],
            threshold=[6] * 3 + [1] * 20,
            repair=[1] * 3,
        )
        assert refusals(battle) == ["it has already fired this turn"]
        assert log_lines(battle, "threshold")

    def test_battle_file_may_order_flak_with_fire_but_a_phase_refuses_it(self) -> None:
        document = facing("", GUN, 20.0, options=("flak",))
        orders = {"engage": {"b1": [{"weapon": "k-gun-1", "mode": "flak", "at": [60, 30]}]}}
        assert [
            line["barrage"] for line in log_lines(play_turns(document, orders), "flak-laid")
        ] == ["flak-1"]
        battle, _ = stops.resolve_documents(start_battle(document), {}, Dice(1))
        battle, _ = stops.resolve_documents(battle, {1: orders}, Dice(1))
        assert refusals(battle) == ["flak is ordered with the plots, like ordnance"]

    def test_barrages_are_public_and_round_trip(self) -> None:
        document = carriers("standard", "standard", 30.0, guard=GUN, options=("flak",))
        orders = {1: {"plot": launch(ship="b1"), **flak((60, 38))}, 0: {"plot": launch()}}
        battle, _ = stops.resolve_documents(start_battle(document), orders, Dice(4))
        for side in (0, 1):
            [barrage] = stops.side_view(battle, side)["flak"]  # type: ignore[typeddict-item]
            assert (barrage["x"], barrage["y"], barrage["rating"]) == (60, 38, 2)


def test_captains_fire_flak_at_incoming_ordnance() -> None:
    document = carriers("standard", "", 40.0, guard=f"{GUN} beam:2@ALL", options=("flak",))
    there = {"plot": launch(), "fighters": {N1: "to 60 32; face 12"}}
    battle, _ = stops.resolve_documents(
        start_battle(document), {0: there, 1: {"plot": {}}}, Dice(4)
    )
    while battle.state.stop != "plot":
        battle, _ = stops.resolve_documents(battle, {}, Dice(4))
    advice: dict[str, Any] = dict(stops.advise(battle, 1, Doctrine(style="straight"), "flak"))
    assert stops.read_orders(battle, 1, advice)[1] == ()
    [launched_] = advice["launch"]["b1"]
    assert (launched_["weapon"], launched_["at"]) == ("k-gun-1", [60.0, 56.0])
    assert E1 not in flying_groups(battle)


def test_captains_fire_no_flak_without_targets() -> None:
    battle = start_battle(facing("", GUN, 20.0, options=("flak",)))
    assert "launch" not in stops.advise(battle, 1, Doctrine(style="straight"), "flak")

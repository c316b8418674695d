"""Gunboats: launch and recovery, effects of each type on ships, craft and ordnance, and losses."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.continuum.craft.targets import in_front
from engine.core.dice import Dice
from engine.core.facts import FOREVER
from engine.core.ids import ShipId
from engine.craft.gunboats import CONTINUUM
from engine.craft.registry import craft_type
from engine.events.fire import NO_TARGET
from engine.pieces.group import Group
from engine.view.side_view import observe
from tests.engine.craft.carrier_battles import (
    E1,
    F1,
    S1,
    S2,
    carriers,
    flying_groups,
    group,
    launch,
    squadrons,
    turn,
)
from tests.engine.defences.battles import log_lines, play_turns, ship_of, start_battle

RACK = "gunboat-rack-1"


def launch_squadron(
    fly: str = "to 60 28; face 12", *racks: str, at: str = "b1", **more: Any
) -> dict[str, Any]:
    """Return a turn in which r1 launches a squadron that fires at an undefended ship."""
    entry = {"weapon": "boats", "target": at} | {
        key: more.pop(key) for key in ("system", "count") if key in more
    }
    attack = {S1: [entry]} if at else {}
    return turn(
        launch(*(racks or (RACK,))), {S1: fly}, attack=attack, **{"defend": {"b1": []}, **more}
    )


def refusals(battle: Battle) -> list[str]:
    return [
        line["reason_text"]
        for line in log_lines(battle, "shot-refused", "order-refused", "flight-refused")
    ]


def boat_hits(battle: Battle) -> list[int]:
    return [line["hits"] for line in log_lines(battle, "boats-fired")]


@pytest.mark.rule("pc.gunboats")
class TestRacks:
    def test_racks_launch_all_squadrons_at_once(self) -> None:
        battle = play_turns(squadrons("beam"), turn(launch(RACK, "gunboat-rack-2")))
        assert flying_groups(battle) == [S1, S2]
        assert (group(battle, S1).craft, group(battle, S1).row.word) == (6, "gunboats")

    @pytest.mark.parametrize(
        ("first", "then", "wrong"), [(29.0, 47.0, []), (29.1, 0, ["it can fly only 9 MU"])]
    )
    def test_boats_fly_18_and_half_when_launched(
        self, first: float, then: float, wrong: list[str]
    ) -> None:
        turns = [turn(launch(RACK), {S1: f"to 60 {first}"})]
        turns += [turn(fighters={S1: f"to 60 {then}"})] if then else []
        battle = play_turns(squadrons("beam", 60.0), *turns)
        assert refusals(battle) == wrong
        assert not then or group(battle, S1).y == then

    def test_second_move_of_9_takes_endurance(self) -> None:
        document = squadrons("beam", 60.0)
        battle = play_turns(document, turn(launch(RACK), {S1: "to 60 28"}, {S1: "to 60 37"}))
        assert (group(battle, S1).y, group(battle, S1).used_endurance) == (37.0, 1)
        battle = play_turns(document, turn(launch(RACK), {S1: "to 60 28"}, {S1: "to 60 37.1"}))
        assert refusals(battle) == ["it can fly only 9 MU"]

    def test_boats_do_not_evade(self) -> None:
        battle = play_turns(squadrons("beam", 60.0), turn(launch(RACK), {S1: "to 60 28; evade 1"}))
        assert refusals(battle) == ["gunboats are too large to evade fire"]


@pytest.mark.rule("pc.boat-bays")
class TestBays:
    def bay(self, mass: int, **more: Any) -> dict[str, Any]:
        document = squadrons("beam", 60.0, beside="boat-bay", **more)
        for system in document["sides"][0]["ships"][0]["design"]["systems"]:
            if system["type"] == "boat-bay":
                system["mass"] = mass
        return document

    def test_racks_recover_nobody(self) -> None:
        battle = play_turns(
            squadrons("beam", 60.0), turn(launch(RACK)), turn(fighters={S1: "land r1"})
        )
        assert refusals(battle) == [
            "gunboats can land only on ships of their own side with boat bays"
        ]

    def test_larger_bay_recovers_and_rearms_the_squadron(self) -> None:
        turns = (
            turn(launch(RACK), {S1: "to 60 25"}, {S1: "to 60 28"}),
            turn(fighters={S1: "land r1"}),
        )
        battle = play_turns(self.bay(27), *turns, re_arm=[6])
        assert (flying_groups(battle), ship_of(battle, "r1").record.ready) == ([], {RACK: 3})
        battle = play_turns(self.bay(27), *turns, turn(launch(RACK)), re_arm=[6])
        assert (group(battle, S1).craft, group(battle, S1).used_endurance) == (6, 0)

    def test_bay_too_small_for_all_takes_none(self) -> None:
        battle = play_turns(self.bay(26), turn(launch(RACK)), turn(fighters={S1: "land r1"}))
        assert refusals(battle) == ["r1 has no free boat bay with room for all of them"]

    @pytest.mark.parametrize(
        ("masses", "wrong"),
        [
            ([14, 14], ["r1 has no free boat bay with room for all of them"]),
            ([14, 27], []),
            ([26, 26], ["r1 has no free boat bay with room for all of them"]),
        ],
    )
    def test_one_bay_must_hold_the_squadron(self, masses: list[int], wrong: list[str]) -> None:
        document = squadrons("beam", 60.0, beside="boat-bay boat-bay")
        bays = [
            system
            for system in document["sides"][0]["ships"][0]["design"]["systems"]
            if system["type"] == "boat-bay"
        ]
        for bay, mass in zip(bays, masses, strict=True):
            bay["mass"] = mass
        battle = play_turns(
            document,
            turn(launch(RACK)),
            turn(fighters={S1: "land r1"}),
            re_arm=[] if wrong else [6],
        )
        assert refusals(battle) == wrong

    def test_recovered_squadron_keeps_its_bay(self) -> None:
        document = squadrons("beam", 60.0, beside="boat-bay boat-bay")
        bays = [
            system
            for system in document["sides"][0]["ships"][0]["design"]["systems"]
            if system["type"] == "boat-bay"
        ]
        bays[0]["mass"], bays[1]["mass"] = (
            40,
            27,
        )  # 26 and 18 of boats: the second fits into the second bay only
        down = turn(fighters={S1: "land r1"}), turn(fighters={S2: "land r1"})
        battle = play_turns(document, turn(launch(RACK, "gunboat-rack-2")), *down, re_arm=[1, 1])
        assert (refusals(battle), flying_groups(battle)) == ([], [])

    def test_bay_holds_one_squadron_until_it_flies(self) -> None:
        both = turn(launch(RACK, "gunboat-rack-2"))
        battle = play_turns(
            self.bay(27), both, turn(fighters={S1: "land r1"}), turn(fighters={S2: "land r1"}), re_arm=[1]
        )  # fmt: skip
        assert refusals(battle) == ["r1 has no free boat bay with room for all of them"]
        assert ship_of(battle, "r1").record.ready == {RACK: FOREVER}

    def test_each_bay_takes_one_squadron_a_turn(self) -> None:
        down = turn(fighters={S1: "land r1", S2: "land r1"})
        battle = play_turns(self.bay(54), turn(launch(RACK, "gunboat-rack-2")), down, re_arm=[3])
        assert refusals(battle) == ["r1 can recover no more groups this turn"]

    def test_bay_boats_launch_and_land(self) -> None:
        document = squadrons("beam", 60.0, beside="boat-bay")
        bay = next(
            system
            for system in document["sides"][0]["ships"][0]["design"]["systems"]
            if system["type"] == "boat-bay"
        )
        bay |= {"mass": 36, "load": {"beam": 6}, "mods": ["ftl"]}
        battle = play_turns(
            document,
            turn(launch("boat-bay-1")),
            turn(fighters={"r1/boat-bay-1": "land r1"}),
            re_arm=[2],
        )
        ship = ship_of(battle, "r1")
        assert (flying_groups(battle), ship.stock[ship.profile.index_of["boat-bay-1"]]) == ([], 6)


# Each type at 10 MU from b1: the dice of its six boats, and their points.
AT_TEN: list[tuple[str, dict[str, list[int]], int]] = [
    ("beam", {"beam": [6, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1], "re_roll": [4]}, 5),
    ("plasma", {"beam": [6, 5, 4, 1, 1, 1], "re_roll": [1]}, 4 + 3 + 2),
    ("graser", {"beam": [5, 4, 1, 1, 1, 1], "damage": [6, 1]}, 3 + 1),
    ("gatling", {"beam": [5, 4] + [1] * 10}, 2),
    ("pulse-torpedo", {"to_hit": [4, 3, 3, 3, 3, 3], "damage": [5]}, 5),
    ("submunition", {"beam": [5, 4] + [1] * 22}, 2),
    ("mkp", {"to_hit": [6, 4] + [1] * 10}, 4 * 3),
    ("k-gun", {"to_hit": [4, 4, 3, 3, 3, 3], "double": [2, 3]}, 4 + 2),
    ("needle", {"to_hit": [4, 5, 3, 3, 3, 3]}, 2),
]


@pytest.mark.rule("pc.gunboats")
class TestAtShips:
    @pytest.mark.parametrize(("type_", "dice", "points"), AT_TEN, ids=[one[0] for one in AT_TEN])
    def test_each_type_fires_its_weapon_in_the_fire_phase(
        self, type_: str, dice: dict[str, list[int]], points: int
    ) -> None:
        more = {"system": "pds-1"} if type_ == "needle" else {}
        battle = play_turns(
            squadrons(type_, 18.0, guard="pds", b={"boxes": 60}), launch_squadron(**more), **dice
        )
        assert (boat_hits(battle), ship_of(battle, "b1").damage) == ([points], points)
        assert (group(battle, S1).used_endurance, group(battle, S1).loads.get("boats", 0)) == (1, 0)

    def test_boat_range_is_12(self) -> None:
        assert boat_hits(
            play_turns(squadrons("beam", 20.0), launch_squadron(), beam=[4] + [1] * 11)
        ) == [1]
        battle = play_turns(squadrons("beam", 20.1), launch_squadron())
        assert refusals(battle) == ["no such target is in its range, ahead of it and in sight"]
        assert group(battle, S1).used_endurance == 0

    def test_gatling_rolls_six_dice_within_6_ahead(self) -> None:
        document = squadrons("gatling", 14.0)
        assert boat_hits(play_turns(document, launch_squadron(), beam=[4] + [1] * 35)) == [1]
        assert refusals(play_turns(document, launch_squadron("to 60 28; face 1"))) == [
            "no such target is in its range, ahead of it and in sight"
        ]
        battle = play_turns(
            squadrons("beam", 14.0), launch_squadron("to 60 28; face 1"), beam=[4] + [1] * 11
        )
        assert boat_hits(battle) == [1]

    def test_narrow_arc_is_fifteen_degrees_to_either_side(self) -> None:
        ahead = Group("a", 0, "", "s", "b", 6, 0.0, 0.0, 12)  # type: ignore[arg-type]
        assert in_front(ahead, 2.6, 10.0, narrow=True)
        assert not in_front(ahead, 2.8, 10.0, narrow=True)
        assert in_front(ahead, 10.0, 0.0)

    def test_packs_are_fired_singly_or_both(self) -> None:
        document = squadrons("mkp", 18.0, b={"boxes": 90})
        again = turn(
            attack={S1: {"weapon": "boats", "target": "b1", "count": 1}}, defend={"b1": []}
        )
        battle = play_turns(
            document,
            launch_squadron(count=1),
            again,
            again,
            to_hit=[4] + [1] * 5 + [4, 4] + [1] * 4,
        )
        assert (boat_hits(battle), group(battle, S1).loads) == ([4, 8], {"boats": 0})
        assert refusals(battle) == ["no such target is in its range, ahead of it and in sight"]

    def test_unlimited_weapons_are_not_counted(self) -> None:
        battle = play_turns(squadrons("beam", 18.0), launch_squadron(count=1))
        assert refusals(battle) == ["this weapon has no rounds: leave out the count"]

    def test_screens_stop_beams_but_not_packs(self) -> None:
        for type_, points in (("beam", 0), ("submunition", 1)):
            document = squadrons(type_, 18.0, guard="screen")
            assert boat_hits(
                play_turns(
                    document, launch_squadron(), beam=[4] + [1] * (11 if type_ == "beam" else 23)
                )
            ) == [points]

    def test_needle_names_and_destroys_a_system(self) -> None:
        document = squadrons("needle", 18.0, guard="pds")
        battle = play_turns(document, launch_squadron(system="pds-1"), to_hit=[6, 1, 1, 1, 1, 1])
        assert ship_of(battle, "b1").lost_systems() == ("pds-1",)
        assert refusals(play_turns(document, launch_squadron())) == [
            "a needle beam must be aimed at a system of its target"
        ]

    def test_boats_shot_down_in_the_same_fire_still_fire(self) -> None:
        document = squadrons("beam", 18.0, guard="beam:3@ALLx2")
        fires = {"b1": [{"weapon": f"beam-{n}", "target": S1} for n in (1, 2)]}
        dice = [6, 6, 4, 4, 4, 4]
        battle = play_turns(
            document, launch_squadron(engage=fires), beam=dice + [4] + [1] * 11, re_roll=[1, 1]
        )
        assert flying_groups(battle) == []
        assert (boat_hits(battle), ship_of(battle, "b1").damage) == ([1], 1)

    def test_boats_do_not_strike_in_phase_10(self) -> None:
        battle = play_turns(squadrons("beam", 14.0), launch_squadron(), beam=[4] + [1] * 11)
        assert log_lines(battle, "fighters-fired") == []

    def test_body_blocks_boat_fire(self) -> None:
        document = squadrons("beam", 18.0, asteroids=[{"at": [60, 33], "radius": 1}])
        assert refusals(play_turns(document, launch_squadron())) == [
            "no such target is in its range, ahead of it and in sight"
        ]

    def test_wrecks_are_spared_and_boats_return_after_the_battle(self) -> None:
        document = squadrons("beam", 18.0, beside="beam:3@ALLx6", b={"boxes": 20})
        fires = {"r1": [{"weapon": f"beam-{n}", "target": "b1"} for n in range(1, 7)]}
        battle = play_turns(
            document,
            launch_squadron(engage=fires),
            beam=[6] * 12,
            re_roll=[1] * 12,
            threshold=[1] * 30,
        )
        assert (refusals(battle), boat_hits(battle)) == ([NO_TARGET], [])
        ship = ship_of(battle, "r1")
        assert (flying_groups(battle), ship.stock[ship.profile.index_of[RACK]]) == ([], 6)


@pytest.mark.rule("pc.gunboats", "pc.fire-at-fighters")
class TestFireAtThem:
    def shot(self, gun: str, mods: tuple[str, ...] = (), **dice: list[int]) -> Battle:
        document = squadrons("beam", 18.0, mods=mods, guard=gun)
        fires = {"b1": [{"weapon": gun.partition("@")[0].partition(":")[0] + "-1", "target": S1}]}
        return play_turns(document, launch_squadron(at="", engage=fires), **dice)

    @pytest.mark.parametrize(
        ("gun", "mods", "dice", "lost"),
        [
            ("beam:2@ALL", (), {"beam": [4, 3]}, 1),
            ("beam:2@ALL", (), {"beam": [6, 5], "re_roll": [4]}, 4),
            ("beam:2@ALL", ("heavy",), {"beam": [4, 5]}, 1),
            ("graser:1@ALL", (), {"beam": [4], "damage": [6]}, 1),
            ("k-gun:3@F", (), {"to_hit": [5], "double": [1]}, 1),
            ("pulse-torpedo@FP+F+FS", (), {"to_hit": [3], "damage": [6]}, 1),
            ("pulse-torpedo@FP+F+FS", ("heavy",), {"to_hit": [3]}, 0),
            ("gravitic:1@ALL", (), {"beam": [5]}, 1),
            ("emp:2@ALL", (), {"beam": [4, 6], "re_roll": [1]}, 3),
            ("emp:2@ALL", ("heavy",), {"beam": [4, 5]}, 1),
            ("fusion-array@F", (), {"to_hit": [2], "beam": [6, 4], "re_roll": [6, 5]}, 1),
            ("fusion-array@F", (), {"to_hit": [2], "beam": [1, 3]}, 0),
        ],
    )
    def test_each_hit_by_a_ship_kills_a_boat(
        self, gun: str, mods: tuple[str, ...], dice: dict[str, list[int]], lost: int
    ) -> None:
        assert group(self.shot(gun, mods, **dice), S1).craft == 6 - lost

    @pytest.mark.parametrize(
        ("gun", "mods", "die", "rerolls", "lost"),
        [
            ("pds", (), 5, [], 0),
            ("pds", (), 6, [6, 1], 3),
            ("pds", ("heavy",), 6, [1], 0),
            ("scattergun", (), 4, [], 1),
            ("scattergun", (), 6, [1], 2),
        ],
    )
    def test_point_defence_has_a_penalty_of_two(
        self, gun: str, mods: tuple[str, ...], die: int, rerolls: list[int], lost: int
    ) -> None:
        document = squadrons("beam", 14.0, mods=mods, guard=gun)
        defend = {"b1": [{"weapon": f"{gun}-1", "target": S1}]}
        battle = play_turns(
            document,
            launch_squadron(defend=defend),
            point_defence=[die],
            re_roll=rerolls,
            beam=[1] * 2 * (6 - lost),
        )
        assert group(battle, S1).craft == 6 - lost

    def test_point_defence_reaches_near_boats_only(self) -> None:
        document = squadrons("beam", 18.0, guard="pds ads@ALL")
        defend = {"b1": [{"weapon": "pds-1", "target": S1}, {"weapon": "ads-1", "target": S1}]}
        battle = play_turns(
            document, launch_squadron(defend=defend), point_defence=[6], re_roll=[1], beam=[1] * 10
        )
        assert (refusals(battle), group(battle, S1).craft) == (["its target is too far away"], 5)

    def test_default_point_defence_fires_too(self) -> None:
        orders = launch_squadron()
        del orders["defend"]
        battle = play_turns(squadrons("beam", 18.0, guard="pds"), orders, beam=[1] * 12)
        assert log_lines(battle, "point-defence-at-craft") == []
        battle = play_turns(
            squadrons("beam", 14.0, guard="pds"), orders, point_defence=[1], beam=[1] * 12
        )
        assert len(log_lines(battle, "point-defence-at-craft")) == 1


@pytest.mark.rule("pc.gunboats", "pc.dogfights")
class TestAtCraft:
    def fight(self, ours: str, theirs: str, **more: Any) -> Battle:
        document = squadrons(ours, 24.0, theirs=theirs, mods=more.pop("mods", ()))
        orders = turn(
            launch(RACK) | launch(RACK, ship="b1"), {S1: "to 60 28; face 12", F1: "to 60 38; face 6"},
            attack={S1: f"boats>{F1}"},
        )  # fmt: skip
        return play_turns(document, orders, **more)

    def test_boats_fire_at_boats_as_at_ships(self) -> None:
        battle = self.fight(
            "k-gun", "beam", to_hit=[4, 4, 3, 3, 3, 3], double=[1, 6], dogfight=[5, 4] + [1] * 10
        )
        assert (group(battle, F1).craft, group(battle, S1).craft) == (4, 4)
        assert (group(battle, F1).used_endurance, group(battle, S1).used_endurance) == (1, 1)

    def test_heavy_boats_are_harder_to_hit(self) -> None:
        battle = self.fight("beam", "beam", mods=("heavy",), dogfight=[1] * 12 + [5, 4] + [1] * 10)
        assert group(battle, S1).craft == 5

    def test_beams_roll_point_defence_at_fighters_and_others_need_a_six(self) -> None:
        for type_, dice, rerolls, survivors in (
            ("beam", [6, 5, 4] + [1] * 9, [4], 4),
            ("k-gun", [6, 5, 4, 3, 3, 3], [], 5),
        ):
            document = squadrons(type_, 24.0, guard="launch-tube hangar")
            document["sides"][1]["ships"][0]["design"]["systems"][-1]["load"] = {"standard": 6}
            orders = turn(
                launch(RACK) | launch(ship="b1"), {S1: "to 60 28; face 12", E1: "to 60 38; face 6"},
                attack={S1: f"boats>{E1}"},
            )  # fmt: skip
            battle = play_turns(document, orders, dogfight=dice + [1] * 6, re_roll=rerolls)
            assert group(battle, E1).craft == survivors

    @pytest.mark.parametrize(("mods", "able"), [((), True), (("ecm-1",), False)])
    def test_ecm_reduces_the_range_of_attackers(self, mods: tuple[str, ...], able: bool) -> None:
        document = carriers("standard", "", 24.0, guard="gunboat-rack")
        document["sides"][1]["ships"][0]["design"]["systems"][-1] |= {
            "load": {"beam": 6},
            "mods": list(mods),
        }
        orders = turn(
            launch("hangar-1") | launch(RACK, ship="b1"), {"r1/hangar-1": "to 60 31.5; face 12", F1: "to 60 37"},
            attack={"r1/hangar-1": f"fighters>{F1}"},
        )  # fmt: skip
        battle = play_turns(document, orders, dogfight=[1] * 18 if able else [])
        assert bool(log_lines(battle, "fighters-fired")) is able

    def test_beam_boats_intercept_missiles_within_12(self) -> None:
        document = squadrons("beam", 40.0, guard="salvo-rack@FP+F+FS")
        salvo = {"b1": [{"weapon": "salvo-rack-1", "at": [60, 40]}]}
        orders = turn(
            launch(RACK), {S1: "to 60 28; face 12"}, launch=salvo, attack={S1: "boats>marker-1"}
        )
        document["sides"][0]["ships"].append(
            {
                **document["sides"][0]["ships"][0],
                "id": "r2",
                "at": [60, 37],
                "course": 12,
                "velocity": 0,
            }
        )
        battle = play_turns(
            document, orders, fighter=[6, 5, 4] + [1] * 9, re_roll=[1], damage=[1, 1], missiles=[2]
        )
        assert [line["hits"] for line in log_lines(battle, "craft-fired-at-ordnance")] == [2]


@pytest.mark.rule("pc.gunboats")
class TestDefenders:
    """Boats with point defence, area defence and scatterpacks: six at a group of fighters, or at a
    salvo.
    """

    def at_fighters(self, type_: str, away: float, dice: list[int], **more: Any) -> Battle:
        document = squadrons(type_, 24.0, guard="launch-tube hangar")
        document["sides"][1]["ships"][0]["design"]["systems"][-1]["load"] = {"standard": 6}
        orders = turn(
            launch(RACK) | launch(ship="b1"), {S1: "to 60 28; face 12", E1: f"to 60 {28 + away}; face 6"},
            attack={S1: {"weapon": "boats", "target": E1} | more.pop("said", {})},
        )  # fmt: skip
        return play_turns(document, orders, **{"dogfight": dice, **more})

    def at_missiles(self, type_: str, **dice: Any) -> Battle:
        document = squadrons(type_, 34.0, guard="salvo-rack@FP+F+FS")
        salvo = {"b1": [{"weapon": "salvo-rack-1", "at": [60, 34]}]}
        orders = turn(
            launch(RACK), {S1: "to 60 28; face 12"}, launch=salvo, attack={S1: "boats>marker-1"}
        )
        ship = document["sides"][0]["ships"][0]
        document["sides"][0]["ships"].append(
            {**ship, "id": "r2", "at": [60, 32], "course": 12, "velocity": 0}
        )
        return play_turns(document, orders, missiles=[6], **dice)

    def test_point_defence_boat_rolls_two_dice_within_6(self) -> None:
        battle = self.at_fighters("point-defence", 6, [6, 5, 4] + [1] * 15, re_roll=[1])
        assert (group(battle, E1).craft, group(battle, S1).used_endurance) == (2, 1)
        assert refusals(self.at_fighters("point-defence", 6.1, [])) != []

    def test_area_defence_boat_rolls_two_within_6_and_one_within_12(self) -> None:
        assert group(self.at_fighters("area-defence", 6, [5, 4] + [1] * 16), E1).craft == 4
        far = self.at_fighters("area-defence", 9, [5, 4] + [1] * 10)
        assert (group(far, E1).craft, len(log_lines(far, "fighters-fired")[0]["dice"])) == (4, 6)

    def test_scatterpack_kills_its_die_and_each_boat_has_two(self) -> None:
        battle = self.at_fighters(
            "scatterpack", 6, [1] * 6, said={"count": 1}, point_defence=[1] * 6
        )
        assert (E1 in flying_groups(battle), group(battle, S1).loads) == (False, {"boats": 6})
        battle = self.at_fighters("scatterpack", 6, [1] * 6, point_defence=[1] * 12)
        assert group(battle, S1).loads == {"boats": 0}

    def test_boats_intercept_missiles(self) -> None:
        six = {"damage": [1] * 6}
        battle = self.at_missiles(
            "point-defence", fighter=[5, 4] + [1] * 10, **{"damage": [1, 1, 1, 1, 1, 1]}
        )
        assert [line["hits"] for line in log_lines(battle, "craft-fired-at-ordnance")] == [2]
        battle = self.at_missiles("area-defence", fighter=[5, 4, 4] + [1] * 9, **six)
        assert [line["hits"] for line in log_lines(battle, "craft-fired-at-ordnance")] == [3]
        battle = self.at_missiles("scatterpack", point_defence=[1] * 12, damage=[1] * 6)
        assert [line["hits"] for line in log_lines(battle, "craft-fired-at-ordnance")] == [6]
        assert group(battle, S1).loads == {"boats": 0}

    def test_captains_keep_boats_beside_the_attacked(self) -> None:
        document = squadrons("point-defence", 30.0, guard="launch-tube hangar")
        document["sides"][1]["ships"][0]["design"]["systems"][-1]["load"] = {"standard": 6}
        battle = play_turns(document, turn(launch(RACK) | launch(ship="b1")))
        view = observe(battle.state, 0)
        captain = Captain(Doctrine(), Dice("a"))
        captain.plots(view)
        assert captain.flights(view)[S1].screen == "r1"


@pytest.mark.rule("pc.gunboats")
def test_every_type_costs_a_turn_of_endurance_of_six() -> None:
    assert {(row.endurance, row.guns.cost(at_ship=True), row.speed) for row in CONTINUUM.types} == {
        (6, 1, 18.0)
    }
    assert [craft_type(f"beam-gunboat+ecm-{level}").ecm for level in (1, 2, 3)] == [1, 2, 3]


class TestCaptains:
    def view(self, document: dict[str, Any], *turns: dict[str, Any], side: int) -> Any:
        return observe(play_turns(document, *turns).state, side)

    def test_captain_launches_armed_boats(self) -> None:
        for type_, theirs, launched in (
            ("beam", "", True), ("missile", "", True), ("scatterpack", "beam", True), ("point-defence", "beam", True),
            ("scatterpack", "", False), ("point-defence", "", False),
        ):  # fmt: skip
            view = observe(start_battle(squadrons(type_, 40.0, theirs=theirs)).state, 0)
            plots = Captain(Doctrine(), Dice("a")).plots(view)
            assert bool(plots.get("r1") and plots["r1"].launch) is launched

    def test_ships_fire_at_boats_in_range(self) -> None:
        battle = play_turns(squadrons("beam", 18.0, guard="beam:3@ALLx3"), launch_squadron(at=""))
        battle.state.stop = "engage"
        advised = stops.advise(battle, 1, Doctrine(), "blue")["engage"]
        boats = group(battle, S1).contact
        assert [fire["target"] for name, fires in advised for fire in fires][:1] == [boats]

    def test_ship_fires_its_wave_gun_alone(self) -> None:
        document = squadrons(
            "beam", 18.0, guard="beam:1@ALLx6 wave-gun", options=["science-fiction"]
        )
        battle = play_turns(document, launch_squadron(at=""))
        battle.state.stop = "engage"
        ship = battle.state.ship(ShipId("b1"))
        ship.record = ship.record.with_fact("charge", 6, "wave-gun-1")
        advised = stops.advise(battle, 1, Doctrine(), "blue")["engage"]
        assert advised == [["b1", [{"weapon": "wave-gun-1"}]]]

    def test_captain_lands_only_squadrons_that_fit(self) -> None:
        document = squadrons("beam", 60.0, beside="boat-bay boat-bay")
        systems = document["sides"][0]["ships"][0]["design"]["systems"]
        bays = [system for system in systems if system["type"] == "boat-bay"]
        bays[0]["mass"], bays[1]["mass"] = 27, 14
        view = self.view(document, turn(launch(RACK, "gunboat-rack-2")), side=0)
        for squadron in view.own_pieces_of(Group):
            squadron.used_endurance = 9
        captain = Captain(Doctrine(), Dice("a"))
        captain.plots(view)
        assert [flight.land for flight in captain.flights(view).values()].count("r1") == 1

"""Attacks of Continuum craft: runs at ships, dogfights, intercepted ordnance, and endurance."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from tests.engine.craft.carrier_battles import (
    E1,
    E2,
    N1,
    N2,
    carriers,
    flying_groups,
    group,
    launch,
    turn,
)
from tests.engine.defences.battles import log_lines, play_turns, ship_of, start_battle

AT = 14.0  # MU between the ships: craft that fly 10 of them can attack


def attack_run(
    *weapons: str, at: str = "b1", fly: str = "to 60 30; face 12", **more: Any
) -> dict[str, Any]:
    """Return a turn in which r1 launches a group that attacks with these weapons."""
    attack = {N1: [{"weapon": weapon, "target": at} for weapon in weapons or ("fighters",)]}
    return turn(launch(), {N1: fly}, attack=attack, defend={"b1": []}, **more)


def points(battle: Battle) -> int:
    return sum(line["hits"] for line in log_lines(battle, "fighters-fired"))


def refusals(battle: Battle) -> list[str]:
    return [line["reason_text"] for line in log_lines(battle, "shot-refused")]


@pytest.mark.rule("pc.fighter-attack", "pc.fighter-targets")
class TestRuns:
    @pytest.mark.parametrize(
        ("type_", "mods", "dice", "rerolls", "damage"),
        [
            ("standard", (), [6, 5, 4, 3, 2, 1], [4], 5),
            ("standard", ("cannon",), [6, 5, 4, 3, 2, 1], [], 4),
            ("interceptor", (), [6, 6, 5, 4, 3, 2], [1, 1], 2),
            ("attack", (), [6, 5, 4, 3, 2, 1], [1], 6),
            ("standard", ("light",), [4] * 8, [], 8),
            ("plasma", (), [6, 5, 4, 3, 2, 1], [1], 10),
        ],
    )
    def test_dice_of_each_type(
        self, type_: str, mods: tuple[str, ...], dice: list[int], rerolls: list[int], damage: int
    ) -> None:
        battle = play_turns(
            carriers(type_, "", AT, mods=mods), attack_run(), fighter=dice, re_roll=rerolls
        )
        assert ship_of(battle, "b1").damage == damage

    def test_screens_stop_beams_but_not_cannon(self) -> None:
        for mods, damage in (((), 2), (("cannon",), 3)):
            document = carriers("standard", "", AT, mods=mods, guard="screen")
            battle = play_turns(
                document, attack_run(), fighter=[6, 4, 1, 1, 1, 1], re_roll=[] if mods else [1]
            )
            assert ship_of(battle, "b1").damage == damage

    def test_torpedoes_are_fired_once_and_together(self) -> None:
        document = carriers("torpedo", "", AT, b={"armour": [[20, 0]]})
        again = turn(attack={N1: "torpedoes>b1"}, defend={"b1": []})
        battle = play_turns(document, attack_run("torpedoes"), again, fighter=[6, 5, 4, 3, 2, 1])
        assert points(battle) == 15
        assert group(battle, N1).loads == {"torpedoes": 0}
        assert refusals(battle) == ["no such target is in its range, ahead of it and in sight"]
        battle = play_turns(document, attack_run("torpedoes", "fighters"), fighter=[1] * 6)
        assert refusals(battle) == ["it cannot fire its fighters together with its torpedoes"]

    def test_graser_takes_two_endurance_against_ships(self) -> None:
        battle = play_turns(
            carriers("graser", "", AT), attack_run(), fighter=[4, 5, 1, 1, 1, 1], damage=[1, 6]
        )
        assert (ship_of(battle, "b1").damage, group(battle, N1).used_endurance) == (1 + 3, 2)

    @pytest.mark.parametrize(
        ("fly", "armed"),
        [
            ("to 60 28; face 12", 6),
            ("to 60 27.9; face 12", 0),
            ("to 60 28; face 3", 6),
            ("to 60 30; face 6", 0),
        ],
    )
    def test_range_and_arc(self, fly: str, armed: int) -> None:
        battle = play_turns(carriers("standard", "", AT), attack_run(fly=fly), fighter=[1] * armed)
        assert len(log_lines(battle, "fighters-fired")) == (armed > 0)

    def test_stealth_and_ecm_reduce_the_range(self) -> None:
        document = carriers("standard", "", AT, guard="ecm")
        jam = attack_run(fly="to 60 28.5; face 12")
        jam["plot"]["b1"] = "jam"
        assert refusals(play_turns(document, jam)) == [
            "no such target is in its range, ahead of it and in sight"
        ]
        battle = play_turns(document, attack_run(fly="to 60 28.5; face 12"), fighter=[1] * 6)
        assert refusals(battle) == []

    def test_thresholds_are_checked_at_once(self) -> None:
        document = carriers("attack", "", AT, guard="beam:1@ALL", b={"boxes": 20, "rows": 6})
        battle = play_turns(document, attack_run(), fighter=[5, 5, 1, 1, 1, 1], threshold=[1] * 60)
        assert [line["row"] for line in log_lines(battle, "threshold")][:1] == [1]


@pytest.mark.rule("pc.endurance")
class TestEndurance:
    def test_endurance_lasts_six_fights(self) -> None:
        document = carriers("standard", "", AT, b={"boxes": 60})
        more = [turn(attack={N1: "fighters>b1"}, defend={"b1": []})] * 6
        battle = play_turns(document, attack_run(), *more, fighter=[1] * 36)
        assert (group(battle, N1).used_endurance, refusals(battle)) == (
            6,
            ["its endurance is used up"],
        )

    def test_exhausted_craft_kill_on_a_six_without_reroll(self) -> None:
        document = carriers("standard", "standard", AT)
        tired = {"hangar-1": {"at": [60, 30], "course": 12, "craft": 6, "endurance": 0}}
        document["sides"][0]["ships"][0]["groups"] = tired
        orders = turn(launch(ship="b1"), {E1: "to 60 32; face 6"}, attack={E1: f"fighters>{N1}"})
        battle = play_turns(
            document, orders, dogfight=[6, 5, 4, 4, 1, 1, 4, 1, 1, 1, 1, 1], re_roll=[]
        )
        assert (group(battle, N1).craft, group(battle, E1).craft) == (5, 5)


@pytest.mark.rule("pc.dogfights")
class TestDogfights:
    def fight(self, ours: int, theirs: int, **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        document = carriers(
            more.pop("type_", "standard"),
            more.pop("other", "standard"),
            AT,
            mods=more.pop("mods", ()),
        )
        for side, craft in zip(document["sides"], (ours, theirs), strict=True):
            side["ships"][0]["stock"] = {"hangar-1": craft}
        orders = turn(
            launch() | launch(ship="b1"), {N1: "to 60 27; face 12", E1: "to 60 29; face 6"},
            attack={N1: f"fighters>{E1}"}, **more,
        )  # fmt: skip
        return document, orders

    def test_example_fight(self) -> None:
        """Five against four: 2, 2, 6, 4, 1 and a 3 destroy three; 3, 1, 5, 5 destroy two, all at
        once.
        """
        document, orders = self.fight(5, 4)
        battle = play_turns(document, orders, dogfight=[2, 2, 6, 4, 1, 3, 1, 5, 5], re_roll=[3])
        assert (group(battle, N1).craft, group(battle, E1).craft) == (3, 1)
        assert (group(battle, N1).used_endurance, group(battle, E1).used_endurance) == (1, 1)

    def test_heavy_fighters_are_harder_to_hit(self) -> None:
        document, orders = self.fight(6, 6, mods=("heavy",))
        battle = play_turns(document, orders, dogfight=[4, 4, 4, 5, 6, 1] + [1] * 6, re_roll=[4])
        assert group(battle, E1).craft == 6 - 1 - 1 - 1

    def test_hits_may_be_split(self) -> None:
        document = carriers("standard", "standard", AT)
        orders = turn(
            launch() | launch("hangar-1", "hangar-2", ship="b1"),
            {N1: "to 60 27; face 12", E1: "to 60 29; face 6", E2: "to 60 29; face 6"},
            attack={N1: {"weapon": "fighters", "target": [E1, E2], "split": True}},
        )  # fmt: skip
        battle = play_turns(document, orders, dogfight=[5, 5, 5, 1, 1, 1] + [1] * 12)
        assert (group(battle, E1).craft, group(battle, E2).craft) == (4, 5)

    def test_attack_run_breaks_off_against_interceptors(self) -> None:
        for press, damage in ((False, 0), (True, 6)):
            document = carriers("standard", "standard", AT)
            orders = turn(
                launch() | launch(ship="b1"), {N1: "to 60 30; face 12", E1: "to 60 31; face 6"},
                attack={N1: {"weapon": "fighters", "target": "b1", "press": press}, E1: f"fighters>{N1}"},
                defend={"b1": []},
            )  # fmt: skip
            dice = {"fighter": [4] * 6, "dogfight": [1] * 6} if press else {"dogfight": [1] * 12}
            battle = play_turns(document, orders, **dice)
            assert ship_of(battle, "b1").damage == damage

    def test_losses_follow_all_rolls(self) -> None:
        document, orders = self.fight(6, 6)
        battle = play_turns(document, orders, dogfight=[5] * 12)
        assert flying_groups(battle) == []


@pytest.mark.rule("pc.fighter-targets")
class TestOrdnance:
    def test_fighters_intercept_a_salvo(self) -> None:
        """5 and 6 destroy a missile each, 6 re-rolls; a missile destroyed by a 6 takes a fighter
        with
        it.
        """
        document = carriers("standard", "", 20.0, guard="salvo-rack@F+FS+FP")
        orders = turn(
            launch(), {N1: "to 60 21; face 12"}, attack={N1: "fighters>marker-1"},
            launch={"b1": [{"weapon": "salvo-rack-1", "at": [60, 22]}]},
        )  # fmt: skip
        battle = play_turns(
            document,
            orders,
            fighter=[6, 5, 4, 3, 2, 1],
            re_roll=[5],
            damage=[6, 1, 1, 4, 4],
            missiles=[5],
        )
        lines = log_lines(battle, "craft-fired-at-ordnance")
        assert [(line["marker"], line["hits"]) for line in lines] == [("marker-1", 3)]
        assert (group(battle, N1).craft, ship_of(battle, "r1").damage) == (5, 8)

    @pytest.mark.parametrize("type_", ["attack", "torpedo"])
    def test_anti_ship_fighters_do_not_intercept(self, type_: str) -> None:
        document = carriers(type_, "", 20.0, guard="salvo-rack@F+FS+FP")
        orders = turn(
            launch(), {N1: "to 60 21; face 12"}, attack={N1: "fighters>marker-1"},
            launch={"b1": [{"weapon": "salvo-rack-1", "at": [60, 22]}]},
        )  # fmt: skip
        assert refusals(play_turns(document, orders, missiles=[1], damage=[1])) == [
            "no such target is in its range, ahead of it and in sight"
        ]


@pytest.mark.rule("pc.fire-at-fighters")
class TestFireOfShips:
    def shot(self, number: int, evade: str = "") -> tuple[dict[str, Any], dict[str, Any]]:
        document = carriers("standard", "", AT, guard="beam:2@ALLx10")
        fires = [{"weapon": f"beam-{index}", "target": N1} for index in range(1, number + 1)]
        fly = f"to 60 25{'; ' + evade if evade else ''}"
        return document, turn(launch(), {N1: fly}, engage={"b1": fires})

    def test_each_weapon_rolls_one_die_and_kills_on_a_six(self) -> None:
        """The book's destroyer: two class 2 beams at 9 MU roll 4 and 6, and destroy one fighter."""
        document, orders = self.shot(2)
        battle = play_turns(document, orders, to_hit=[4, 6])
        assert (group(battle, N1).craft, group(battle, N1).used_endurance) == (5, 0)

    def test_ten_weapons_are_evaded_for_one_endurance(self) -> None:
        document, orders = self.shot(10, "evade 10")
        battle = play_turns(document, orders)
        assert (group(battle, N1).craft, group(battle, N1).used_endurance) == (6, 1)
        assert refusals(battle) == ["the group evades"] * 10

    def test_nine_weapons_are_not_evaded(self) -> None:
        document, orders = self.shot(9, "evade 10")
        battle = play_turns(document, orders, to_hit=[1] * 9)
        assert group(battle, N1).used_endurance == 0

    @pytest.mark.rule("pc.k-guns")
    @pytest.mark.parametrize(
        ("gun", "die", "lost"),
        [("k-gun:1", 3, 1), ("k-gun:1", 2, 0), ("k-gun:1:long", 2, 1), ("k-gun:1:short", 4, 1), ("k-gun:1:short", 3, 0),
         ("k-gun:2", 5, 0), ("k-gun:2", 6, 1)],
    )  # fmt: skip
    def test_class_1_k_gun_hits_fighters_by_range(self, gun: str, die: int, lost: int) -> None:
        """At 9 MU: the second band, for long range guns the first, for short range guns the third."""
        document = carriers("standard", "", AT, guard=f"{gun}@{'ALLx2' if ':1' in gun else 'F'}")
        orders = turn(
            launch(), {N1: "to 60 25"}, engage={"b1": [{"weapon": "k-gun-1", "target": N1}]}
        )
        assert group(play_turns(document, orders, to_hit=[die]), N1).craft == 6 - lost

    @pytest.mark.rule("pc.k-guns")
    def test_captains_fire_only_such_guns_at_fighters(self) -> None:
        document = carriers("standard", "", AT, guard="k-gun:1@ALLx2 beam:2@ALLx2")
        battle = start_battle(document)
        orders = {"plot": launch(), "fighters": {N1: "to 60 25"}}
        battle, _ = stops.resolve_documents(battle, {0: orders, 1: {"plot": {}}}, Dice(3))
        while battle.state.stop != "engage":
            battle, _ = stops.resolve_documents(battle, {}, Dice(3))
        advice = stops.advise(battle, 1, Doctrine(), "k")
        assert stops.read_orders(battle, 1, advice)[1] == ()
        at_craft = [
            shot["weapon"] for shot in dict(advice["engage"])["b1"] if shot["target"] != "r1"
        ]
        assert sorted(at_craft) == ["k-gun-1", "k-gun-2"]

    def test_attackers_are_safe_from_them(self) -> None:
        document = carriers("standard", "", AT, guard="beam:2@ALL")
        orders = attack_run(engage={"b1": [{"weapon": "beam-1", "target": N1}]})
        battle = play_turns(document, orders, fighter=[1] * 6)
        assert (
            refusals(battle) == ["no target in range, in arc and in sight"]
            or len(refusals(battle)) == 1
        )
        assert group(battle, N1).craft == 6

    def test_each_group_takes_a_firecon(self) -> None:
        document = carriers("standard", "", AT, guard="beam:2@ALLx2", b={"firecons": "x1"})
        orders = turn(
            launch("hangar-1", "hangar-2"), {N1: "to 60 25", N2: "to 60 25"},
            engage={"b1": [{"weapon": "beam-1", "target": N1}, {"weapon": "beam-2", "target": N2}]},
        )  # fmt: skip
        battle = play_turns(document, orders, to_hit=[1])
        assert len(log_lines(battle, "group-shot-at")) == 1

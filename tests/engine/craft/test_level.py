"""Craft with point defence by level: the paper's examples, and each table with scripted dice."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.continuum.craft.level_runs import band_of, can_screen_ship, lowered_band
from engine.continuum.defence_level import NO_SCREENS, NOT_BOTH
from engine.core.dice import Dice
from engine.craft.registry import craft_type
from engine.pieces.group import Group
from tests.engine.craft.carrier_battles import (
    E1,
    N1,
    N2,
    N3,
    carriers,
    flying_groups,
    group,
    turn,
)
from tests.engine.defences.battles import log_lines, play_turns, ship_of, start_battle

OPTION = {"options": ["point-defence-level"]}
N4 = "r1/hangar-4"
BEAM = "beam:1@ALL"
HEAVY = "heavy-missile@F+FS+FP"
AHEAD = {"course": 12, "at": [60.0, 28.0]}  # 6 MU from the ship they attack


def flying(
    *types: str,
    guard: str = "",
    craft: tuple[int, ...] = (),
    mods: tuple[tuple[str, ...], ...] = (),
    **more: Any,
) -> dict[str, Any]:
    """Return `r1` with a group of each type in flight near `b1`, which has the systems `guard`."""
    beside = "hangar " * (len(types) - 3)
    document = (
        carriers("standard", more.pop("theirs", ""), 14.0, guard=guard, beside=beside, **more)
        | OPTION
    )
    ship = document["sides"][0]["ships"][0]
    bays = [system for system in ship["design"]["systems"] if system["type"] == "hangar"]
    for number, (bay, type_) in enumerate(zip(bays, types, strict=False)):
        bay["load"] = {type_: 6}
        if number < len(mods) and mods[number]:
            bay["mods"] = list(mods[number])
    ship["groups"] = {
        f"hangar-{number + 1}": AHEAD | ({"craft": craft[number]} if number < len(craft) else {})
        for number in range(len(types))
    }
    return document


def at_the_attack(document: dict[str, Any]) -> Battle:
    """Return a battle in the phase in which groups attack."""
    battle = start_battle(document)
    while battle.state.stop != "attack":
        battle, _ = stops.resolve_documents(battle, {}, Dice(1))
    return battle


def captains_attacks(document: dict[str, Any]) -> Any:
    """Return the attacks of the first side's captain."""
    advice: Any = stops.advise(at_the_attack(document), 0, Doctrine(), "seed")
    return advice["attack"]


def at_it(*groups: str, **more: Any) -> dict[str, Any]:
    """Return a turn in which these groups attack `b1` with their guns, with further attacks."""
    attack = dict.fromkeys(groups, "fighters>b1") | more.pop("attack", {})
    return turn(attack=attack, **more)


def guarding(*weapons: str, ship: str = "b1") -> dict[str, Any]:
    return {ship: [{"weapon": weapon} for weapon in weapons]}


def points(battle: Battle) -> list[int]:
    return [line["hits"] for line in log_lines(battle, "fighters-fired")]


def caught_craft(battle: Battle) -> list[tuple[list[int], int]]:
    return [(line["dice"], line["craft"]) for line in log_lines(battle, "craft-caught")]


@pytest.mark.rule("pdl.fighters")
class TestAttacks:
    def test_example_dreadnought(self) -> None:
        """Level 3 from two class 1 beams and three PDS, two more by a screen: four standard groups
        do
        15 points, and only the screen affects their re-rolls.
        """
        document = flying(
            *["standard"] * 4, guard=f"{BEAM} {BEAM} pds pds pds screen", b={"armour": [[20, 0]]}
        )
        battle = play_turns(
            document,
            at_it(N1, N2, N3, N4, defend=guarding("beam-1", "beam-2", "pds-1", "pds-2", "pds-3")),
            point_defence=[4, 4, 2, 4, 6] + [1] * 4,
            re_roll=[2, 2, 2, 1, 5, 6, 5, 5],
            fighter=[1, 2, 3, 3, 6, 6, 1, 2, 3, 5, 6, 6, 3, 3, 5, 5, 5, 6, 1, 2, 3, 4, 3, 6],
        )
        assert [line["level"] for line in log_lines(battle, "defence-level")] == [3]
        assert points(battle) == [2, 4, 7, 2]
        assert caught_craft(battle) == [([1, 1, 1, 1], 0)]

    @pytest.mark.parametrize(
        ("level", "by_die"),
        [
            (0, (0, 0, 1, 1, 2, 2)), (1, (0, 0, 0, 1, 1, 2)), (3, (0, 0, 0, 0, 1, 2)), (4, (0, 0, 0, 0, 1, 1)),
            (8, (0, 0, 0, 0, 0, 1)), (11, (0, 0, 0, 0, 0, 1)),
        ],
    )  # fmt: skip
    def test_each_band(self, level: int, by_die: tuple[int, ...]) -> None:
        guard = "pds " * max(level, 1)
        battle = play_turns(
            flying("standard", guard=guard),
            at_it(N1, defend=guarding(*(f"pds-{n + 1}" for n in range(level)))),
            point_defence=[4] * level + [1] * bool(level),
            fighter=[1, 2, 3, 4, 5, 6],
            re_roll=[1] * (level < 11),
        )
        assert points(battle) == [sum(by_die)]

    def test_nothing_passes_level_16_but_endurance_is_used(self) -> None:
        battle = play_turns(
            flying("standard", guard="pds " * 8),
            at_it(N1, defend=guarding(*(f"pds-{n + 1}" for n in range(8)))),
            point_defence=[6] * 8 + [1],
            re_roll=[1] * 8,
        )
        assert points(battle) == [0]
        assert group(battle, N1).used_endurance == 1

    def test_attack_fighters_use_a_lower_band_but_never_no_defence(self) -> None:
        for level, damage in ((1, 4), (2, 4), (4, 3)):
            battle = play_turns(
                flying("attack", guard="pds " * level),
                at_it(N1, defend=guarding(*(f"pds-{n + 1}" for n in range(level)))),
                point_defence=[4] * level + [1],
                fighter=[1, 2, 3, 4, 5, 6],
                re_roll=[1],
            )
            assert points(battle) == [damage]

    def test_torpedo_hits_do_a_die_past_standard_screens(self) -> None:
        battle = play_turns(
            flying("torpedo", guard="pds screen", b={"armour": [[20, 0]]}),
            at_it(attack={N1: "torpedoes>b1"}, defend=guarding("pds-1")),
            point_defence=[4, 1],
            fighter=[1, 2, 3, 4, 5, 6],
            damage=[1, 2, 3, 4],
        )
        assert points(battle) == [10]
        assert group(battle, N1).loads == {"torpedoes": 0}

    def test_advanced_screens_count_and_reduce_torpedoes(self) -> None:
        battle = play_turns(
            flying("torpedo", guard="pds advanced-screen", b={"armour": [[20, 0]]}),
            at_it(attack={N1: "torpedoes>b1"}, defend=guarding("pds-1")),
            point_defence=[4, 1],
            fighter=[1, 2, 3, 4, 5, 6],
            damage=[4, 4, 4, 1],
        )
        assert points(battle) == [9]  # level 3, used as level 1; each die one less

    def test_standard_screens_do_not_stop_cannon(self) -> None:
        for mods, damage in (((), 3), (("cannon",), 4)):
            battle = play_turns(
                flying("standard", guard="pds screen", mods=(mods,)),
                at_it(N1, defend=guarding("pds-1")),
                point_defence=[4, 1],
                fighter=[1, 2, 3, 4, 5, 6],
                re_roll=[1],
            )
            assert points(battle) == [damage]

    def test_type_bonuses_do_not_apply(self) -> None:
        battle = play_turns(
            flying("interceptor"),
            at_it(N1, defend={"b1": []}),
            fighter=[1, 2, 3, 4, 5, 6],
            re_roll=[1],
        )
        assert points(battle) == [6]

    def test_destroyed_ship_does_not_stop_simultaneous_groups(self) -> None:
        """Its dice are rolled, and so is point defence against it."""
        battle = play_turns(
            flying("standard", "standard", guard="pds", b={"damage": 29}),
            at_it(N1, N2, defend=guarding("pds-1")),
            point_defence=[4, 5, 1],
            fighter=[4] * 12,
        )
        assert ship_of(battle, "b1").status == "destroyed"
        assert points(battle) == [6, 6]
        assert caught_craft(battle) == [([5, 1], 1)]


@pytest.mark.rule("pdl.fighters")
class TestAssistance:
    def test_example_attack_groups_helped_by_heavy_ones(self) -> None:
        """Level 17: heavy groups of 3 and 4 help two attack groups, which roll 3 and 4 dice two
        bands
        lower; then two dice for each type destroy 2 and 1.
        """
        types, mods = ("attack", "attack", "standard", "standard"), ((), (), ("heavy",), ("heavy",))
        document = flying(
            *types, guard="pds " * 9, craft=(6, 6, 3, 4), mods=mods, b={"armour": [[20, 0]]}
        )
        attack = {
            N3: {"weapon": "fighters", "target": "b1", "assist": N1},
            N4: {"weapon": "fighters", "target": "b1", "assist": N2},
        }
        document["sides"][1]["ships"][0]["design"]["systems"].append({"type": "adfc"})
        battle = play_turns(
            document,
            at_it(N1, N2, attack=attack, defend=guarding(*(f"pds-{n + 1}" for n in range(9)))),
            point_defence=[6] * 8 + [4] + [4, 6, 4, 5],
            re_roll=[1] * 8 + [1, 2] + [3],
            fighter=[6, 5, 4, 6, 5, 4, 3],
        )
        assert [(line["group"], line["level"], line["lower"]) for line in log_lines(battle, "defence-level-at-craft")] == [
            (N1, 17, 2), (N2, 17, 2),
        ]  # fmt: skip
        assert [line["dice"] for line in log_lines(battle, "fighters-fired")] == [
            [6, 5, 4, 1],
            [6, 5, 4, 3, 2],
        ]
        assert points(battle) == [1, 1]
        assert caught_craft(battle) == [([4, 6, 3], 3), ([4, 5], 1)]
        assert [group(battle, name).craft for name in (N1, N2, N3, N4)] == [4, 5, 2, 4]
        assert all(group(battle, name).used_endurance == 1 for name in (N1, N2, N3, N4))

    def test_impossible_help_is_reported_before_sealing(self) -> None:
        document = flying("standard", "interceptor", "standard")
        ready = at_attack(document)
        wrong = {
            N1: [{"weapon": "fighters", "target": "b1", "assist": N1}],
            N2: [{"weapon": "fighters", "target": "b1", "assist": N1}],
            N3: [{"weapon": "fighters", "target": "b1", "assist": "b1/hangar-9"}],
        }
        _, faults = stops.read_orders(ready, 0, {"attack": wrong})
        assert [fault.where for fault in faults] == [f"attack.{N3}[0].assist"]
        del wrong[N3]
        _, faults = stops.read_orders(ready, 0, {"attack": wrong})
        assert [(fault.where, fault.code) for fault in faults] == [
            (f"attack.{N1}[0]", "attack"), (f"attack.{N2}[0]", "attack"),
        ]  # fmt: skip

    def test_nobody_helps_without_the_option(self) -> None:
        document = flying("standard", "standard") | {"options": []}
        helping = {N2: [{"weapon": "fighters", "target": "b1", "assist": N1}]}
        _, faults = stops.read_orders(at_attack(document), 0, {"attack": helping})
        assert [fault.where for fault in faults] == [f"attack.{N2}[0]"]

    def test_helper_without_a_partner_attacks_itself(self) -> None:
        helping = {N2: {"weapon": "fighters", "target": "b1", "assist": N1}}
        battle = play_turns(
            flying("standard", "standard"),
            at_it(attack=helping, defend={"b1": []}),
            fighter=[3] * 6,
        )
        assert points(battle) == [6]

    def test_help_is_known_to_its_own_side_only(self) -> None:
        document = flying("standard", "standard")
        orders = {0: {"attack": {
            N1: [{"weapon": "fighters", "target": "b1"}],
            N2: [{"weapon": "fighters", "target": "b1", "assist": N1}],
        }}}  # fmt: skip
        battle, _ = stops.resolve_documents(at_attack(document), orders, Dice(1))
        assert battle.state.stop == "defend"
        assert battle.state.piece(Group, N2).this_turn.assists == N1
        assert "assists" in str(stops.side_view(battle, 0))
        assert "assists" not in str(stops.side_view(battle, 1))


def orders_of(turn_orders: dict[str, Any]) -> dict[int, Any]:
    """Return the orders of a turn's first phase, by side."""
    first = {key: turn_orders[key] for key in ("plot", "launch", "fighters") if key in turn_orders}
    return {
        side: {key: {name: unit_orders for name, unit_orders in entries.items() if name.startswith("rb"[side])}
               for key, entries in first.items()}
        for side in (0, 1)
    }  # fmt: skip


def at_attack(document: dict[str, Any]) -> Battle:
    """Return the battle at the phase in which craft declare attacks."""
    battle, _ = stops.resolve_documents(start_battle(document), {0: {"plot": {}}}, Dice(1))
    assert battle.state.stop == "attack"
    return battle


@pytest.mark.rule("pdl.casualties")
class TestCasualties:
    @pytest.mark.parametrize(
        ("mods", "guard", "by_die"),
        [
            ((), "pds", (0, 0, 0, 0, 1, 2)), ((), "pds adfc", (0, 0, 0, 1, 1, 2)),
            (("heavy",), "pds", (0, 0, 0, 0, 1, 1)), (("heavy",), "pds adfc", (0, 0, 0, 0, 1, 2)),
        ],
    )  # fmt: skip
    def test_losses_by_die(
        self, mods: tuple[str, ...], guard: str, by_die: tuple[int, ...]
    ) -> None:
        for die, lost in enumerate(by_die, 1):
            battle = play_turns(
                flying("standard", guard=guard, mods=(mods,)),
                at_it(N1, defend=guarding("pds-1")),
                point_defence=[4, die],
                re_roll=[1],
                fighter=[1] * 6,
            )
            assert group(battle, N1).craft == 6 - lost

    def test_scatterguns_kill_more(self) -> None:
        battle = play_turns(
            flying("standard", guard="scattergun"), at_it(N1, defend=guarding("scattergun-1")),
            point_defence=[4, 1, 1, 1, 4], fighter=[1] * 6,
        )  # fmt: skip
        assert caught_craft(battle) == [([4], 1)]

    def test_screens_alone_kill_nobody(self) -> None:
        battle = play_turns(
            flying("standard", guard="pds screen"), at_it(N1, defend=guarding("pds-1")), point_defence=[3],
            fighter=[1] * 6,
        )  # fmt: skip
        assert caught_craft(battle) == []

    def test_losses_are_spread_evenly_from_the_first(self) -> None:
        battle = play_turns(
            flying("standard", "standard", guard="pds"), at_it(N1, N2, defend=guarding("pds-1")),
            point_defence=[4, 6, 5], re_roll=[1], fighter=[1] * 12,
        )  # fmt: skip
        assert [group(battle, name).craft for name in (N1, N2)] == [4, 5]

    @pytest.mark.rule("pdl.casualty-choice")
    @pytest.mark.parametrize(
        ("places", "left"),
        [
            ((1, 2), [4, 6]),  # both against one group and none on the other
            ((2, 1), [6, 4]),
            ((0, 3), [6, 4]),  # groups without a place come last
            ((1, 1), [5, 5]),  # one per group
            ((0, 0), [5, 5]),
        ],
    )
    def test_attacker_decides_which_group_takes_losses(
        self, places: tuple[int, int], left: list[int]
    ) -> None:
        """The printed example: 4, 6 and a re-roll of 3 are two casualties of two attack groups."""
        attack = {
            name: {"weapon": "fighters", "target": "b1", **({"falls": place} if place else {})}
            for name, place in zip((N1, N2), places, strict=True)
        }
        battle = play_turns(
            flying("attack", "attack", guard="pds"),
            at_it(attack=attack, defend=guarding("pds-1")),
            point_defence=[4, 4, 6], re_roll=[3], fighter=[1] * 12,
        )  # fmt: skip
        assert caught_craft(battle) == [([4, 6, 3], 2)]
        assert [group(battle, name).craft for name in (N1, N2)] == left

    def test_captain_keeps_aces_and_full_groups(self) -> None:
        document = flying("attack", "attack", guard="pds", craft=(6, 2))
        orders = captains_attacks(document)
        assert {name: orders[name][0]["falls"] for name in (N1, N2)} == {N1: 2, N2: 1}
        document["options"] = [*document["options"], "aces"]
        document["sides"][0]["ships"][0]["pilots"] = {"hangar-1": "turkey", "hangar-2": "ace"}
        orders = captains_attacks(document)
        assert {name: orders[name][0]["falls"] for name in (N1, N2)} == {N1: 1, N2: 2}

    def test_first_group_loses_all_its_craft_before_the_next(self) -> None:
        attack = {
            N1: {"weapon": "fighters", "target": "b1", "falls": 1},
            N2: {"weapon": "fighters", "target": "b1", "falls": 2},
        }
        battle = play_turns(
            flying("standard", "standard", guard="pds", craft=(1, 6)),
            at_it(attack=attack, defend=guarding("pds-1")),
            point_defence=[4, 6, 5], re_roll=[1], fighter=[1] * 7,
        )  # fmt: skip
        assert caught_craft(battle) == [([6, 5, 1], 3)]
        assert [(name, group(battle, name).craft) for name in flying_groups(battle)] == [(N2, 4)]

    @pytest.mark.parametrize(
        "terms", [{"options": []}, {"rules": "1.0", **OPTION}], ids=["no levels", "rules 1.0"]
    )
    def test_order_of_losses_needs_levels_and_new_rules(self, terms: dict[str, Any]) -> None:
        document = flying("standard", guard="pds") | terms
        battle = start_battle(document)
        while battle.state.stop != "attack":
            battle, _ = stops.resolve_documents(battle, {}, Dice(1))
        attack = {"attack": {N1: [{"weapon": "fighters", "target": "b1", "falls": 1}]}}
        _, faults = stops.read_orders(battle, 0, attack)
        assert [(fault.where, fault.code) for fault in faults] == [(f"attack.{N1}[0]", "attack")]

    def test_gunboats_are_caught_as_heavy_before_firing(self) -> None:
        document = carriers("standard", "", 14.0, guard="pds", beside="gunboat-rack") | OPTION
        ship = document["sides"][0]["ships"][0]
        next(system for system in ship["design"]["systems"] if system["type"] == "gunboat-rack")[
            "load"
        ] = {"beam": 6}
        ship["groups"] = {"gunboat-rack-1": AHEAD}
        boats = "r1/gunboat-rack-1"
        battle = play_turns(
            document,
            turn(attack={boats: "boats>b1"}, defend=guarding("pds-1")),
            point_defence=[4, 5],
            beam=[1] * 24,
        )
        assert caught_craft(battle) == [([5], 1)]
        assert group(battle, boats).craft == 5


@pytest.mark.rule("pdl.level")
class TestScreens:
    def screened(self, type_: str, guard: str = "pds") -> dict[str, Any]:
        """Return `b1` with a group of a type beside it, and a heavy missile sent by `r1`."""
        document = carriers("standard", type_, 20.0, guard=guard, beside=HEAVY) | OPTION
        document["sides"][1]["ships"][0]["groups"] = {"hangar-1": {"at": [60.0, 40.5], "course": 6}}
        return document

    def missile(self, **more: Any) -> dict[str, Any]:
        launched = {"r1": [{"weapon": "heavy-missile-1", "at": [60, 38]}]}
        return turn(fighters={E1: "screen b1"}, launch=launched, **more)

    @pytest.mark.parametrize(("type_", "level"), [("interceptor", 7), ("standard", 4)])
    def test_craft_beside_a_ship_provide_its_level(self, type_: str, level: int) -> None:
        battle = play_turns(
            self.screened(type_), self.missile(defend=guarding("screens")), point_defence=[1, 2, 3, 5, 6, 4],
            re_roll=[6, 5], to_hit=[1],
        )  # fmt: skip
        assert [
            (line["group"], line["hits"]) for line in log_lines(battle, "screening-craft-fired")
        ] == [(E1, level)]
        assert log_lines(battle, "defence-level-rolled") == []

    def test_craft_defend_an_unarmed_ship_by_default(self) -> None:
        battle = play_turns(
            self.screened("standard", guard=""), self.missile(), point_defence=[1] * 6, to_hit=[1]
        )
        assert [line["group"] for line in log_lines(battle, "screening-craft-fired")] == [E1]
        battle = play_turns(
            self.screened("standard"), self.missile(), point_defence=[1], to_hit=[1]
        )
        assert [line["weapon"] for line in log_lines(battle, "defence-level-rolled")] == ["pds-1"]

    def test_craft_and_weapons_together_are_a_fault(self) -> None:
        battle, _ = stops.resolve_documents(
            start_battle(self.screened("standard")), orders_of(self.missile()), Dice(1)
        )
        battle, _ = stops.resolve_documents(battle, {}, Dice(1))
        assert battle.state.stop == "defend"
        _, faults = stops.read_orders(battle, 1, {"defend": guarding("screens", "pds-1")})
        assert [(fault.where, fault.message) for fault in faults] == [("defend.b1[1]", NOT_BOTH)]

    def test_engaged_craft_defend_nobody(self) -> None:
        """The screen meets the first attacker."""
        document = self.screened("standard")
        document["sides"][0]["ships"][0]["groups"] = {"hangar-1": AHEAD | {"at": [60, 35]}}
        battle = play_turns(
            document, self.missile(attack={N1: "fighters>b1"}, defend=guarding("screens")), dogfight=[1] * 12,
            to_hit=[1],
        )  # fmt: skip
        assert log_lines(battle, "screening-craft-fired") == []
        assert [line["reason_text"] for line in log_lines(battle, "shot-refused")] == [NO_SCREENS]

    def test_craft_provide_no_level_without_the_option(self) -> None:
        document = self.screened("standard") | {"options": []}
        battle, _ = stops.resolve_documents(
            start_battle(document), orders_of(self.missile()), Dice(1)
        )
        battle, _ = stops.resolve_documents(battle, {}, Dice(1))
        _, faults = stops.read_orders(battle, 1, {"defend": guarding("screens")})
        assert [fault.where for fault in faults] == ["defend.b1[0].target"]

    def test_attack_craft_do_not_screen(self) -> None:
        able = {
            name: can_screen_ship(craft_type(f"{name}-fighter"))
            for name in ("standard", "interceptor", "attack", "torpedo")
        }
        assert able == {"standard": True, "interceptor": True, "attack": False, "torpedo": False}


@pytest.mark.rule("pdl.level")
def test_lower_band_is_never_no_defence() -> None:
    assert [band_of(level) for level in (0, 1, 3, 6, 10, 15, 16)] == [0, 1, 2, 3, 4, 5, 6]
    assert [lowered_band(level, 1) for level in (0, 1, 2, 4, 7, 11, 16)] == [0, 1, 1, 2, 3, 4, 5]
    assert lowered_band(17, 9) == 1


@pytest.mark.rule("pdl.level")
class TestCaptains:
    def test_captains_use_levels_validly(self) -> None:
        ready = start_battle(carriers("attack", "interceptor", 30.0, guard="pds pds adfc") | OPTION)
        assert "launch" in str(stops.advise(ready, 0, Doctrine(), "x"))

"""Dogfight actions: who begins, the dice and damage of each action, and who leaves how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.captains.continuum.dogfight_actions import (
    expected_losses,
    face_count_chances,
    fighter_of,
)
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.pieces.group import Group
from engine.stops import advise, read_orders
from engine.view.side_log import side_log
from tests.engine.craft.carrier_battles import (
    E1,
    E2,
    N1,
    N2,
    carriers,
    flying_groups,
    group,
    launch,
    squadrons,
    turn,
)
from tests.engine.defences.battles import log_lines, play_turns, start_battle

pytestmark = pytest.mark.rule("dog.actions")
AT = 14.0
OPTION = ("dogfight-actions",)
WYVERN = {"weapons": [2, 2], "fire_control": 2, "fuel": 6, "skill": 3, "damage": 4}
PATHFINDER = {"weapons": [3], "fire_control": 1, "fuel": 6, "skill": 3, "damage": 3}


def facing_groups(
    ours: dict[str, Any] | None = None,
    theirs: dict[str, Any] | None = None,
    options: tuple[str, ...] = OPTION,
    **more: Any,
) -> dict[str, Any]:
    """Return two carriers with a group of fighters in flight each, 2 MU apart, with their figures."""
    document = carriers(more.pop("type_", "standard"), "standard", AT, options=options, **more)
    for side, at, squadron_entry in zip(
        document["sides"], ([60, 27], [60, 29]), (ours, theirs), strict=True
    ):
        ship = side["ships"][0]
        ship["groups"] = {"hangar-1": {"at": at, "course": 12 if at[1] < 28 else 6}}
        if squadron_entry:
            ship["squadrons"] = {"hangar-1": squadron_entry}
    return document


def hunt(*actions: str, answer: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """Return a turn in which b1's group intercepts r1's, with the action of each."""
    attack: dict[str, Any] = {E1: {"weapon": "fighters", "target": N1}}
    if answer:
        attack[E1]["actions"] = list(answer)
    if actions:
        attack[N1] = {"actions": list(actions)}
    return turn(attack=attack | more.pop("attack", {}), **more)


def dogfight_actions(battle: Battle) -> list[tuple[str, str, int]]:
    """Return who did what, and the damage points."""
    return [
        (line["group"], line["action"], line["points"])
        for line in log_lines(battle, "dogfight-action")
    ]


def refusals(battle: Battle) -> list[str]:
    return [line["reason_text"] for line in log_lines(battle, "shot-refused")]


def to_attack(battle: Battle, plots: Mapping[int, Any] | None = None) -> Battle:
    """Return the battle at the phase in which groups declare attacks, after these plots."""
    after, stop = stops.resolve_documents(battle, plots or {}, Dice("fights"))
    assert stop is not None
    return after


def endurance_left(battle: Battle, name: str) -> int:
    squadron = group(battle, name)
    return squadron.endurance - squadron.used_endurance


def test_example_fight() -> None:
    """The Wyvern rolls nothing and a pair, the Pathfinder a pair; then two pairs destroy the
    latter.
    """
    battle = play_turns(
        facing_groups(WYVERN, PATHFINDER), hunt(),
        dogfight=[1, 2, 4, 4, 5, 5, 1, 3, 3, 6, 6],
    )  # fmt: skip
    assert dogfight_actions(battle) == [(N1, "engage", 1), (E1, "engage", 1), (N1, "engage", 2)]
    assert flying_groups(battle) == [N1]
    assert (group(battle, N1).craft_damage, group(battle, N1).craft) == (
        1,
        5,
    )  # a quarter of it: five of six are left
    assert (endurance_left(battle, N1), group(battle, N1).this_turn.has_fired) == (6 - 2, False)


@pytest.mark.parametrize(
    ("dice", "points"),
    [([1, 2, 3, 4, 5], 0), ([3, 3, 4, 4, 1], 1), ([5, 5, 5, 2, 2], 2), ([6, 6, 6, 6, 1], 6)],
)
def test_largest_set_of_equal_dice_counts(dice: list[int], points: int) -> None:
    """One of two pairs counts; four of a kind destroy the group, whatever is left of it."""
    document = facing_groups({"weapons": [5], "fuel": 1}, {"weapons": [1], "fuel": 1})
    battle = play_turns(document, hunt(), dogfight=dice if points == 6 else [*dice, 1])
    assert dogfight_actions(battle)[0] == (N1, "engage", points)
    assert (E1 in flying_groups(battle)) is (points < 6)


def test_default_figures_use_one_die_and_point_per_craft() -> None:
    document = facing_groups()
    for side, craft in zip(document["sides"], (4, 3), strict=True):
        side["ships"][0]["groups"]["hangar-1"] |= {"craft": craft, "endurance": 1}
    battle = play_turns(document, hunt(), dogfight=[2, 2, 3, 4, 1, 1])
    assert dogfight_actions(battle) == [(N1, "engage", 1), (E1, "engage", 1)]
    assert [group(battle, name).craft for name in (N1, E1)] == [3, 2]
    assert [endurance_left(battle, name) for name in (N1, E1)] == [0, 0]


def test_group_without_endurance_is_fired_at_until_both_run_out() -> None:
    document = facing_groups({"weapons": [2], "fuel": 1}, {"weapons": [2], "fuel": 3})
    battle = play_turns(document, hunt(), dogfight=[1, 2] * 4)
    assert [actor for actor, _, _ in dogfight_actions(battle)] == [N1, E1, E1, E1]


class TestBreakingOff:
    def test_pair_ends_the_fight_and_allows_a_move(self) -> None:
        """Skill 3 against fuel 2: three dice; it fires no more this turn, and flies to its
        destination.
        """
        attack = {N1: {"actions": ["break off"], "to": [60, 5]}}
        document = facing_groups({"skill": 3, "fuel": 2}, WYVERN)
        battle = play_turns(document, hunt(attack=attack, defend={"b1": []}), dogfight=[4, 1, 4])
        assert dogfight_actions(battle) == [(N1, "break off", 0)]
        assert log_lines(battle, "dogfight-action")[0]["succeeded"]
        assert (group(battle, N1).x, group(battle, N1).y, group(battle, N1).course) == (60, 5, 6)
        assert endurance_left(battle, N1) == 1

    def test_fight_continues_without_a_pair(self) -> None:
        document = facing_groups(
            {"skill": 2, "fuel": 2, "weapons": [2]}, {"weapons": [2], "fuel": 1}
        )
        battle = play_turns(document, hunt("break off", "engage"), dogfight=[1, 2, 1, 2, 5, 5])
        assert [action for _, action, _ in dogfight_actions(battle)] == [
            "break off",
            "engage",
            "engage",
        ]
        assert group(battle, E1).craft == 5

    def test_endurance_counts_if_above_skill(self) -> None:
        battle = play_turns(
            facing_groups({"skill": 1, "fuel": 5}), hunt("break off"), dogfight=[1, 2, 3, 4, 4]
        )
        assert log_lines(battle, "dogfight-action")[0]["succeeded"]

    @pytest.mark.parametrize(("dice", "escapes"), [([1, 2, 3, 3], True), ([1, 2, 3, 4], False)])
    def test_fast_fighters_roll_one_more_and_drop_the_worst(
        self, dice: list[int], escapes: bool
    ) -> None:
        document = facing_groups(
            {"skill": 3, "fuel": 1, "traits": ["fast"]}, {"weapons": [1], "fuel": 1}
        )
        battle = play_turns(document, hunt("break off"), dogfight=dice if escapes else [*dice, 1])
        assert log_lines(battle, "dogfight-action")[0]["succeeded"] is escapes

    def test_dropping_one_of_two_dice_leaves_no_pair(self) -> None:
        document = facing_groups(
            {"skill": 1, "fuel": 1, "traits": ["fast"]}, {"weapons": [1], "fuel": 1}
        )
        battle = play_turns(document, hunt("break off"), dogfight=[6, 6, 1])
        assert not log_lines(battle, "dogfight-action")[0]["succeeded"]

    def test_survivor_may_fly_on_within_its_speed(self) -> None:
        document = facing_groups({"weapons": [4]}, {"weapons": [1]})
        for to, where in (([60, 50], (60, 50)), ([60, 52], (60, 27))):
            attack = {N1: {"weapon": "fighters", "target": E1, "to": to}}
            battle = play_turns(
                document, turn(attack=attack, defend={"b1": []}), dogfight=[1, 6, 6, 6, 6]
            )
            assert (group(battle, N1).x, group(battle, N1).y) == where
            refused = [line["reason_text"] for line in log_lines(battle, "flight-refused")]
            assert refused == ([] if where == (60, 50) else ["it can fly only 24 MU"])


class TestStayingOnTarget:
    HEAVY = {"weapons": [3, 2], "fire_control": 2, "fuel": 2, "traits": ["heavy"]}

    def test_intercepted_group_fires_one_weapon_in_vain(self) -> None:
        document = facing_groups(self.HEAVY, {"weapons": [1], "fuel": 1})
        battle = play_turns(document, hunt("stay on target"), dogfight=[2, 2, 1, 1, 3, 4, 5])
        assert dogfight_actions(battle) == [
            (N1, "stay on target", 1),
            (E1, "engage", 0),
            (N1, "stay on target", 0),
        ]
        assert endurance_left(battle, N1) == 2

    def test_interceptor_engages(self) -> None:
        attack = {N1: {"weapon": "fighters", "target": E1, "actions": ["stay on target"]}}
        document = facing_groups(self.HEAVY, {"weapons": [1], "fuel": 1})
        battle = play_turns(
            document, turn(attack=attack), dogfight=[1, 6, 6, 6, 6, 6, 1, 2, 3, 4, 5]
        )
        assert dogfight_actions(battle)[1] == (N1, "engage", 2 + 1)

    def test_only_heavy_fighters_stay_on_target(self) -> None:
        light = {"weapons": [1], "fuel": 1}
        battle = play_turns(facing_groups(light, light), hunt("stay on target"), dogfight=[1, 1])
        assert refusals(battle) == ["only heavy fighters can stay on target"]
        assert dogfight_actions(battle)[0] == (N1, "engage", 0)
        battle = play_turns(
            facing_groups(mods=("heavy",)), hunt("stay on target"), dogfight=[1, 1, 1, 1, 2, 3]
        )
        assert dogfight_actions(battle) == [(N1, "stay on target", 6)]


class TestFireControl:
    def test_crippled_group_fires_one_weapon_unless_rugged(self) -> None:
        """Two of its four points are gone; it fires the weapon with the most dice."""
        ours = {"weapons": [2, 3], "fire_control": 2, "fuel": 1, "damage": 4}
        theirs = {"weapons": [3], "fuel": 1}
        attack = {N1: {"weapon": "fighters", "target": E1}}
        for traits, weapons in (([], [3]), (["rugged"], [2, 3])):
            document = facing_groups(ours | {"traits": traits}, theirs)
            dice = [6, 6, 6, *(n for n in range(1, sum(weapons) + 1))]
            battle = play_turns(document, turn(attack=attack), dogfight=dice)
            assert group(battle, N1).craft == 3
            assert log_lines(battle, "dogfight-action")[1]["weapons"] == weapons

    def test_second_move_leaves_one_weapon_in_the_first_round(self) -> None:
        document = facing_groups(
            {"weapons": [2, 2], "fire_control": 2, "fuel": 3}, {"weapons": [1], "fuel": 1}
        )
        document["sides"][0]["ships"][0]["groups"]["hangar-1"]["at"] = [60, 20]
        attack = {N1: {"weapon": "fighters", "target": E1}}
        battle = play_turns(
            document,
            turn(secondary={N1: "to 60 27; face 12"}, attack=attack),
            dogfight=[1] + [1, 2] * 3,
        )
        mine = [
            line["weapons"] for line in log_lines(battle, "dogfight-action") if line["group"] == N1
        ]
        assert mine == [[2], [2, 2]]  # the second move used the first of its fuel

    def test_pilot_skill_changes_the_dice(self) -> None:
        for pilots, dice in (("ace", 4), ("average", 3), ("turkey", 2)):
            document = facing_groups({"fuel": 1}, {"weapons": [1], "fuel": 1}, (*OPTION, "aces"))
            for side, skill in zip(document["sides"], (pilots, "average"), strict=True):
                bays = ("hangar-1", "hangar-2", "hangar-3")
                side["ships"][0]["pilots"] = dict.fromkeys(bays, skill)
            battle = play_turns(document, hunt("break off"), dogfight=[*range(1, dice + 1), 1])
            assert len(log_lines(battle, "dogfight-action")[0]["dice"]) == dice


class TestWhoBegins:
    def test_later_of_mutual_attackers_is_met(self) -> None:
        attack = {N1: f"fighters>{E1}", E1: f"fighters>{N1}"}
        document = facing_groups({"weapons": [1], "fuel": 1}, {"weapons": [1], "fuel": 1})
        assert [
            actor
            for actor, _, _ in dogfight_actions(
                play_turns(document, turn(attack=attack), dogfight=[1, 1])
            )
        ] == [E1, N1]

    def test_screen_meets_the_raider_which_begins(self) -> None:
        document = facing_groups({"weapons": [1], "fuel": 1}, {"weapons": [1], "fuel": 1})
        document["sides"][0]["ships"][0]["groups"]["hangar-1"]["at"] = [60, 32]
        document["sides"][1]["ships"][0]["groups"]["hangar-1"]["at"] = [60, 34]
        orders = turn(fighters={E1: "screen b1"}, attack={N1: "fighters>b1"}, defend={"b1": []})
        assert [
            actor for actor, _, _ in dogfight_actions(play_turns(document, orders, dogfight=[1, 1]))
        ] == [N1, E1]

    def test_several_groups_act_in_turn(self) -> None:
        document = facing_groups({"weapons": [1], "fuel": 1}, {"weapons": [1], "fuel": 2})
        ship = document["sides"][1]["ships"][0]
        ship["groups"]["hangar-2"] = {"at": [60, 29], "course": 6}
        ship["squadrons"]["hangar-2"] = {"weapons": [2], "fuel": 1}
        attack = {E1: f"fighters>{N1}", E2: f"fighters>{N1}"}
        battle = play_turns(document, turn(attack=attack), dogfight=[1, 1, 3, 3, 1])
        assert dogfight_actions(battle) == [
            (N1, "engage", 0),
            (E1, "engage", 0),
            (E2, "engage", 1),
            (E1, "engage", 0),
        ]

    def test_scrambled_group_meets_the_raider(self) -> None:
        document = carriers("standard", "standard", AT, options=OPTION)
        document["sides"][0]["ships"][0]["groups"] = {"hangar-1": {"at": [60, 31], "course": 12}}
        attack = {N1: {"weapon": "fighters", "target": "b1", "actions": ["break off"]}}
        battle = play_turns(
            document, turn(attack=attack, defend={"b1": {"scramble": ["hangar-1"]}}),
            scramble=[6], dogfight=[5, 5, 1, 2, 3, 4],
        )  # fmt: skip
        assert dogfight_actions(battle) == [(N1, "break off", 0)]


def test_gunboats_use_the_normal_rules() -> None:
    document = squadrons("beam", 12.0, theirs="beam", options=OPTION)
    for side, at in zip(document["sides"], ([60, 24], [60, 28]), strict=True):
        side["ships"][0]["groups"] = {
            "gunboat-rack-1": {"at": at, "course": 12 if at[1] == 24 else 6}
        }
    attack = {"r1/gunboat-rack-1": "boats>b1/gunboat-rack-1"}
    battle = play_turns(document, turn(attack=attack), dogfight=[1] * 24)
    assert log_lines(battle, "dogfight-action") == []
    assert log_lines(battle, "fighters-fired")


class TestFaults:
    @pytest.mark.parametrize(
        ("orders", "words"),
        [
            ({"actions": ["dance"]}, "expected one of engage, break off, stay on target"),
            ({"actions": ["engage"] * 13}, "at most 12 actions"),
            ({"weapon": "fighters"}, "expected a ship, a group or a marker in sight"),
        ],
    )
    def test_orders(self, orders: Any, words: str) -> None:
        document = facing_groups()
        with pytest.raises(RuleViolations, match=words):
            play_turns(document, turn(attack={N1: orders}))

    @pytest.mark.parametrize(
        ("orders", "words", "options"),
        [
            ([{"actions": ["engage"]}, {"actions": ["engage"]}], "are given twice", OPTION),
            ([{"to": [60, 90]}], "it can fly only 24 MU", OPTION),
            ([{"actions": ["stay on target"]}], "only heavy fighters", OPTION),
            ([{"actions": ["engage"]}], "need the optional rule 'dogfight-actions'", ()),
            ([{"to": [60, 30]}], "need the optional rule 'dogfight-actions'", ()),
        ],
    )
    def test_orders_in_a_phase(self, orders: Any, words: str, options: tuple[str, ...]) -> None:
        battle = to_attack(start_battle(facing_groups(options=options)))
        _, faults = read_orders(battle, 0, {"attack": {N1: orders}})
        assert [words in fault.message for fault in faults] == [True]

    def test_group_leaves_from_the_end_of_its_secondary_move(self) -> None:
        """From (60, 27) it can fly 24 MU; a secondary move brings it nearer, or not near enough."""
        battle = to_attack(start_battle(facing_groups()))
        for to, move, wrong in (([60, 52], "to 60 30", []), ([60, 55], "to 60 30", [True])):
            attack = {N1: [{"actions": ["break off"], "to": to}]}
            _, faults = read_orders(battle, 0, {"attack": attack, "secondary": {N1: move}})
            assert ["it can fly only 24 MU" in fault.message for fault in faults] == wrong

    @pytest.mark.parametrize(
        ("squadron_entry", "words"),
        [
            ({"hangar-9": {}}, "no 'hangar-9' with fighters that dogfight by actions"),
            ({"hangar-1": []}, "expected values"),
            ({"hangar-1": {"skil": 2}}, "skil"),
            ({"hangar-1": {"weapons": [0]}}, "a number from 1 to 12"),
            ({"hangar-1": {"weapons": [1] * 7}}, "at most 6 weapons"),
            ({"hangar-1": {"traits": ["brave"]}}, "one of fast, heavy, rugged"),
        ],
    )
    def test_figures(self, squadron_entry: Any, words: str) -> None:
        document = facing_groups()
        document["sides"][0]["ships"][0]["squadrons"] = squadron_entry
        with pytest.raises(RuleViolations, match=words):
            start_battle(document)

    def test_figures_need_the_option(self) -> None:
        with pytest.raises(RuleViolations, match="need the optional rule 'dogfight-actions'"):
            start_battle(facing_groups({"fuel": 2}, options=()))

    def test_ace_does_not_seek_another_ace(self) -> None:
        document = facing_groups(options=(*OPTION, "aces"))
        for side in document["sides"]:
            side["ships"][0]["pilots"] = {f"hangar-{n}": "ace" for n in (1, 2, 3)}
        attack = {N1: [f"fighters>{E1}", f"ace>{E1}"]}
        light = play_turns(document, turn(attack=attack), dogfight=[1] * 6 + [1, 2, 3, 4, 5, 6])
        assert refusals(light) == ["with dogfight actions, aces do not duel"]


def test_figures_of_a_group_last_while_aboard() -> None:
    """A group is launched with the battle's own fuel figure, which the battle document shows."""
    document = carriers("standard", "", AT, options=OPTION)
    document["sides"][0]["ships"][0]["squadrons"] = {"hangar-2": {"fuel": 9}}
    battle = play_turns(document, turn(launch("hangar-2"), {N2: "to 60 25; face 12"}))
    assert group(battle, N2).endurance == 9


class TestCaptains:
    def attack_advice(self, document: dict[str, Any], side: int = 0) -> dict[str, Any]:
        battle = to_attack(start_battle(document))
        advice: Any = advise(battle, side, Doctrine(), ("red", "blue")[side])
        assert read_orders(battle, side, advice)[1] == ()
        orders: dict[str, Any] = advice.get("attack", {})
        return orders

    def test_doomed_group_breaks_off_and_returns(self) -> None:
        document = facing_groups()
        document["sides"][0]["ships"][0]["groups"]["hangar-1"]["craft"] = 1
        (order,) = self.attack_advice(document)[N1]
        assert (order["actions"], "target" in order) == (["break off"], False)
        assert order["to"] == [60, 20]

    def test_stronger_group_attacks_and_engages(self) -> None:
        document = facing_groups()
        document["sides"][0]["ships"][0]["groups"]["hangar-1"]["craft"] = 1
        assert self.attack_advice(document, 1)[E1] == [{"weapon": "fighters", "target": "flight-1"}]

    def test_heavy_craft_stay_on_their_target(self) -> None:
        assert self.attack_advice(facing_groups(mods=("heavy",)))[N1][0]["actions"] == [
            "stay on target"
        ]


@pytest.mark.parametrize("dice", range(1, 8))
def test_chances_of_equal_faces_match_all_rolls(dice: int) -> None:
    """They are counted over every possible roll of so many dice."""
    counts = [0, 0, 0, 0]
    for throw in product(range(6), repeat=dice):
        counts[min(max(Counter(throw).values()), 4) - 1] += 1
    assert face_count_chances(dice) == pytest.approx([count / 6**dice for count in counts])


def test_expected_fight_matches_simulated_fights() -> None:
    """In 400 fights of six against six the damage agrees with the captains' estimate."""
    document = facing_groups()
    kills = lost = 0
    for seed in range(400):
        orders = {"attack": {E1: [{"weapon": "fighters", "target": "flight-1"}]}}
        battle, _ = stops.resolve_documents(
            to_attack(start_battle(document)), {1: orders}, Dice(f"fights {seed}")
        )
        craft = {str(flyer.id): flyer.craft for flyer in battle.state.pieces_of(Group)}
        kills, lost = kills + 6 - craft.get(E1, 0), lost + 6 - craft.get(N1, 0)
    state = start_battle(document).state
    ours, theirs = (fighter_of(state, state.piece(Group, name)) for name in (N1, E1))
    assert (kills / 400, lost / 400) == pytest.approx(expected_losses(ours, theirs), abs=0.4)


def test_enemy_sees_results_but_not_orders_or_figures() -> None:
    document = facing_groups(WYVERN, PATHFINDER)
    battle = play_turns(
        document,
        hunt("engage", "break off"),
        dogfight=[1, 2, 4, 4, 5, 5, 1, 1, 2, 3, 4, 5] + [1, 2, 3] * 4,
    )
    start = start_battle(document).state
    read = {side: side_log(battle.events, start, side) for side in (0, 1)}
    acts = [
        (line["action"], line["points"]) for line in read[1] if line["event"] == "dogfight-action"
    ]
    assert acts[:3] == [("engage", 1), ("engage", 1), ("break off", 0)]
    heard = [{line["event"] for line in read[side] if line.get("group") == N1} for side in (0, 1)]
    assert {"actions-ordered", "squadron-hurt"} <= heard[0]
    assert not {"actions-ordered", "squadron-hurt"} & {
        line["event"] for line in read[1] if line.get("group") != E1
    }
    for flyer in stops.side_view(battle, 1)["flyers"]:
        assert not {"fuel", "hurt", "actions", "boosted", "leaves_to"} & set(flyer)

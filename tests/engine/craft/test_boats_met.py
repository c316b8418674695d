"""Weapons of ships that fire at gunboats in the point defence phase, with their own dice."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.view.side_view import observe
from tests.engine.craft.carrier_battles import N1, S1, carriers, group, launch, squadrons, turn
from tests.engine.defences.battles import log_lines, play_turns, ship_of

RACK = "gunboat-rack-1"


def meet_boats(
    guns: str,
    *weapons: Any,
    boats: str = "beam",
    at: str = "b1",
    mods: tuple[str, ...] = (),
    **dice: Any,
) -> Battle:
    """Return boats 10 MU from b1 that fire at it while it defends itself with these weapons."""
    document = squadrons(boats, 20.0, guard=guns, mods=mods)
    entries = [
        weapon if isinstance(weapon, dict) else {"weapon": weapon, "target": S1}
        for weapon in weapons
    ]
    attack = {S1: [{"weapon": "boats", "target": at}]} if at else {}
    engage = dice.pop("engage", {})
    orders = turn(
        launch(RACK),
        {S1: "to 60 28; face 12"},
        attack=attack,
        defend={"b1": entries},
        engage=engage,
    )
    return play_turns(document, orders, **dice)


def refusals(battle: Battle) -> list[str]:
    return [line["reason_text"] for line in log_lines(battle, "shot-refused")]


def shot(battle: Battle) -> list[tuple[str, str, int]]:
    return [
        (line["ship"], line["weapon"], line["hits"]) for line in log_lines(battle, "group-shot-at")
    ]


@pytest.mark.rule("pc.gunboats")
class TestShipsWeaponsAtBoats:
    def test_each_hit_kills_a_boat_before_it_fires(self) -> None:
        battle = meet_boats("beam:3@F", "beam-1", beam=[6, 4, 3, *[1] * 6], re_roll=[1])
        assert shot(battle) == [("b1", "beam-1", 3)]
        assert group(battle, S1).craft == 3
        assert (
            len(log_lines(battle, "boats-fired")[0]["dice"]) == 6
        )  # three boats are left, with two beams each

    def test_projectile_kills_one(self) -> None:
        battle = meet_boats(
            "pulse-torpedo@F", "pulse-torpedo-1", to_hit=[6], damage=[6], beam=[1] * 10
        )
        assert group(battle, S1).craft == 5

    def test_heavy_boats_are_harder_for_projectiles(self) -> None:
        battle = meet_boats("beam:3@F", "beam-1", mods=("heavy",), beam=[4, 5, 1, *[1] * 10])
        assert group(battle, S1).craft == 5

    def test_weapon_used_against_boats_is_spent_this_turn(self) -> None:
        engage = {"b1": [{"weapon": "beam-1", "target": "r1"}]}
        battle = meet_boats("beam:3@F", "beam-1", beam=[1] * 15, engage=engage)
        assert refusals(battle) == ["it was used for point defence this turn"]
        assert ship_of(battle, "r1").damage == 0

    def test_each_squadron_takes_a_firecon_which_is_free_again_for_ships(self) -> None:
        document = squadrons("beam", 20.0, guard="beam:3@F beam:3@F beam:3@F")
        design = document["sides"][1]["ships"][0]["design"]
        design["systems"] = [item for item in design["systems"] if item["type"] != "firecon"] + [
            {"type": "firecon"}
        ]
        both = turn(
            launch(RACK, "gunboat-rack-2"), {S1: "to 60 28; face 12", "r1/gunboat-rack-2": "to 61 28; face 12"},
            attack={S1: {"weapon": "boats", "target": "b1"}},
            defend={"b1": [{"weapon": "beam-1", "target": S1}, {"weapon": "beam-2", "target": "r1/gunboat-rack-2"}]},
            engage={"b1": [{"weapon": "beam-3", "target": "r1"}]},
        )  # fmt: skip
        battle = play_turns(document, both, beam=[1] * 17)
        assert refusals(battle) == ["all working FireCons already have other targets"]
        assert [item["weapon"] for item in log_lines(battle, "fire")] == ["beam-3"]

    def test_idle_boats_can_be_fired_at(self) -> None:
        document = squadrons("beam", 20.0, guard="beam:3@F")
        fly = {S1: "to 60 28; face 12", "r1/gunboat-rack-2": "to 61 28; face 12"}
        orders = turn(
            launch(RACK, "gunboat-rack-2"), fly, attack={S1: {"weapon": "boats", "target": "b1"}},
            defend={"b1": [{"weapon": "beam-1", "target": "r1/gunboat-rack-2"}]},
        )  # fmt: skip
        assert shot(play_turns(document, orders, beam=[4, 4, 1, *[1] * 12])) == [
            ("b1", "beam-1", 2)
        ]

    @pytest.mark.parametrize(
        ("guns", "weapon", "target"),
        [
            ("beam:3@A", "beam-1", S1),
            ("beam:3@F", "beam-1", "marker-1"),
            ("beam:3@F", "beam-1", N1),
        ],
    )
    def test_unable_weapons_are_reported(self, guns: str, weapon: str, target: str) -> None:
        if target == N1:
            document = carriers("standard", "", 14.0, guard=guns)
            attack = {N1: "fighters>b1"}
            orders = turn(
                launch(),
                {N1: "to 60 30; face 12"},
                attack=attack,
                defend={"b1": [{"weapon": weapon, "target": N1}]},
            )
            battle = play_turns(document, orders, fighter=[1] * 6)
        else:
            battle = meet_boats(guns, {"weapon": weapon, "target": target}, beam=[1] * 12)
        assert (len(refusals(battle)), shot(battle)) == (1, [])

    def test_weapon_without_dice_is_no_point_defence(self) -> None:
        with pytest.raises(RuleViolations, match="no point defence 'screen-1'"):
            meet_boats("screen", "screen-1")

    def test_reflex_field_and_cloak_silence_it(self) -> None:
        document = squadrons(
            "beam", 20.0, guard="beam:3@F reflex-field", options=("science-fiction",)
        )
        orders = turn(
            launch(RACK) | {"b1": "reflex"}, {S1: "to 60 28; face 12"},
            attack={S1: {"weapon": "boats", "target": "b1"}},
            defend={"b1": [{"weapon": "beam-1", "target": S1}]},
        )  # fmt: skip
        battle = play_turns(document, orders, beam=[1] * 12, reflex=[1])
        assert refusals(battle) == ["it cannot fire through its own reflex field"]

    def test_pds_keep_their_own_dice(self) -> None:
        battle = meet_boats("pds", "pds-1", at="b1", beam=[1] * 12, point_defence=[5])
        assert log_lines(battle, "point-defence-at-craft") == []  # 10 MU are beyond its range
        assert refusals(battle) == ["its target is too far away"]


@pytest.mark.rule("pc.gunboats")
class TestCaptainsMeetBoats:
    @pytest.mark.parametrize(
        ("guns", "meet"), [("beam:3@ALLx3 pds", True), ("pulse-torpedo@F pds", False)]
    )
    def test_captains_fire_first_at_boats_where_it_pays(self, guns: str, *, meet: bool) -> None:
        fly = turn(launch(RACK), {S1: "to 60 28; face 12"})
        battle = play_turns(squadrons("beam", 18.0, guard=guns), fly)
        boats = group(battle, S1)
        boats.set_turn(targets=("b1",), using=("boats",))
        defences = Captain(Doctrine(), Dice("a")).defences(observe(battle.state, 1)).get("b1", ())
        assert (
            bool([defence.weapon for defence in defences if not defence.weapon.startswith("pds")])
            is meet
        )
        assert {target for defence in defences for target in defence.targets} <= {boats.contact}

"""Craft that fire at a ship behind its reflex field, and captains who raise it against them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.continuum.defence_orders import RaiseReflexField
from engine.core.dice import Dice
from engine.view.side_view import observe
from tests.engine.craft.carrier_battles import (
    N1,
    N2,
    S1,
    carriers,
    flying_groups,
    group,
    launch,
    squadrons,
    turn,
)
from tests.engine.defences.battles import log_lines, play_turns, ship_of

SCIENCE = ("science-fiction",)
RUN = {N1: "fighters>b1"}


def attack_reflex_field(
    type_: str,
    weapon: str = "fighters",
    mods: tuple[str, ...] = (),
    guard: str = "",
    **dice: list[int],
) -> Battle:
    """Return an attack of r1's group at b1, whose reflex field is up."""
    document = carriers(type_, "", 14.0, mods=mods, guard=f"reflex-field {guard}", options=SCIENCE)
    orders = turn(
        launch() | {"b1": "reflex"}, {N1: "to 60 30; face 12"}, attack={N1: f"{weapon}>b1"}
    )
    return play_turns(document, orders, **dice)


@pytest.mark.rule("pc.reflex-field")
class TestFightersAtAReflexField:
    @pytest.mark.parametrize(
        ("die", "damage_taken", "survivors"),
        [(1, 5, 6), (2, 3, 6), (3, 0, 6), (4, 0, 6), (5, 0, 3), (6, 0, 3)],
    )
    def test_one_die_for_the_group_and_hits_burn_on_five_or_six(
        self, die: int, damage_taken: int, survivors: int
    ) -> None:
        battle = attack_reflex_field(
            "standard", fighter=[6, 5, 4, 3, 2, 1], re_roll=[5], reflex=[die]
        )
        assert (ship_of(battle, "b1").damage, group(battle, N1).craft) == (damage_taken, survivors)
        assert ship_of(battle, "r1").damage == 0
        lines = log_lines(battle, "craft-reflected")
        assert [
            (line["ship"], line["group"], line["points"], line["damage_taken"], line["burned"])
            for line in lines
        ] == [("b1", N1, 5, damage_taken, 6 - survivors)]

    def test_only_craft_that_do_damage_burn(self) -> None:
        battle = attack_reflex_field("standard", fighter=[3, 3, 2, 2, 1, 1], reflex=[6])
        assert (log_lines(battle, "craft-reflected")[0]["points"], group(battle, N1).craft) == (
            0,
            6,
        )

    def test_last_craft_may_burn(self) -> None:
        battle = attack_reflex_field("standard", fighter=[4] * 6, reflex=[5])
        assert (flying_groups(battle), ship_of(battle, "b1").damage) == ([], 0)

    @pytest.mark.parametrize(
        ("type_", "dice", "damage_taken", "burned"),
        [("graser", {"fighter": [6, 4, 1, 1, 1, 1], "damage": [6, 2, 1, 1], "re_roll": [4]}, 3, 2),
         ("plasma", {"fighter": [5, 1, 1, 1, 1, 1]}, 2, 1)],
    )  # fmt: skip
    def test_grasers_and_plasma_are_energy(
        self, type_: str, dice: dict[str, Any], damage_taken: int, burned: int
    ) -> None:
        assert ship_of(attack_reflex_field(type_, **dice, reflex=[2]), "b1").damage == damage_taken
        assert (
            log_lines(attack_reflex_field(type_, **dice, reflex=[6]), "craft-reflected")[0][
                "burned"
            ]
            == burned
        )

    @pytest.mark.parametrize(
        ("type_", "weapon", "mods", "damage"),
        [
            ("standard", "fighters", ("cannon",), 6),
            ("torpedo", "torpedoes", (), 24),
            ("mkp", "mkp", (), 24),
        ],
    )
    def test_weapons_ignoring_screens_are_not_reflected(
        self, type_: str, weapon: str, mods: tuple[str, ...], damage: int
    ) -> None:
        battle = attack_reflex_field(type_, weapon, mods, fighter=[4] * 6)
        assert sum(line["hits"] for line in log_lines(battle, "fighters-fired")) == damage
        assert log_lines(battle, "craft-reflected") == []

    def test_inactive_field_reflects_nothing(self) -> None:
        document = carriers("standard", "", 14.0, guard="reflex-field", options=SCIENCE)
        battle = play_turns(
            document, turn(launch(), {N1: "to 60 30; face 12"}, attack=RUN), fighter=[4] * 6
        )
        assert (ship_of(battle, "b1").damage, log_lines(battle, "craft-reflected")) == (6, [])

    def test_active_field_silences_point_defence(self) -> None:
        battle = attack_reflex_field("standard", guard="pds pds", fighter=[1] * 6, reflex=[1])
        assert log_lines(battle, "point-defence-at-craft") == []


@pytest.mark.rule("pc.reflex-field", "pc.gunboats")
class TestGunboatsAtAReflexField:
    def _attack_with_boats(self, boats: str, **more: Any) -> Battle:
        document = squadrons(boats, 20.0, guard="reflex-field", options=SCIENCE)
        orders = turn(launch("gunboat-rack-1") | {"b1": "reflex"}, {S1: "to 60 28; face 12"},
                      attack={S1: {"weapon": "boats", "target": "b1"}})  # fmt: skip
        return play_turns(document, orders, **more)

    def test_hitting_boat_burns(self) -> None:
        battle = self._attack_with_boats("beam", beam=[4, 4, 4, 1, *[1] * 8], reflex=[5])
        assert (group(battle, S1).craft, ship_of(battle, "b1").damage) == (4, 0)

    def test_projectiles_are_not_reflected(self) -> None:
        battle = self._attack_with_boats("k-gun", to_hit=[6] + [1] * 5, double=[3])
        assert (log_lines(battle, "craft-reflected"), ship_of(battle, "b1").damage) == ([], 2)


@pytest.mark.rule("pc.reflex-field")
class TestCaptainsAndCraft:
    @pytest.mark.parametrize(
        ("craft", "guns", "up"),
        [("attack", "", True), ("attack", "pdsx16", False), ("torpedo", "", False)],
    )
    def test_captain_raises_the_field_against_craft(
        self, craft: str, guns: str, *, up: bool
    ) -> None:
        document = carriers(craft, "", 30.0, guard=f"reflex-field {guns}", options=SCIENCE)
        battle = play_turns(
            document,
            turn(launch("hangar-1", "hangar-2"), {N1: "to 60 31; face 12", N2: "to 60 31"}),
        )
        plots = Captain(Doctrine(), Dice("a")).plots(observe(battle.state, 1))
        plot = plots.get("b1")
        assert (plot is not None and plot.find(RaiseReflexField) is not None) is up

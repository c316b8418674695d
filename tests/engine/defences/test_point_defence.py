"""Light weapons at ships. For their effect on ordnance see tests/engine/ordnance."""

from __future__ import annotations

import pytest

from engine.continuum.defences import is_unprotected
from engine.core.ship import ShipState
from tests.engine.craft.carrier_battles import N1, carriers, group, launch
from tests.engine.craft.carrier_battles import turn as carrier_turn
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of, turn
from tests.engine.defences.hulls import battle_of, hull


@pytest.mark.rule("pc.pds")
class TestPointDefenceAtShips:
    @pytest.mark.parametrize(("die", "points"), [(5, 0), (6, 1)])
    def test_six_is_a_point_without_rerolls(self, die: int, points: int) -> None:
        battle = play_turns(facing("pds", "", 6.0), turn(r1=("pds-1>b1",)), point_defence=[die])
        assert ship_of(battle, "b1").damage == points

    def test_range_is_6_mu(self) -> None:
        battle = play_turns(facing("pds", "", 6.5), turn(r1=("pds-1>b1",)))
        assert log_lines(battle, "fire") == []

    def test_no_firecon_is_needed_and_it_fires_aft_under_thrust(self) -> None:
        document = facing("pds pds", "", 5.0, r={"course": 6, "firecons": ""})
        document["sides"][0]["ships"][0]["lost"] = ["firecon-1"]
        battle = play_turns(
            document, turn({"r1": "+1"}, r1=("pds-1>b1", "pds-2>b1")), point_defence=[1, 6]
        )
        assert [(line["arc"], line["range"]) for line in log_lines(battle, "fire")] == [
            ("A", 6.0),
            ("A", 6.0),
        ]
        assert ship_of(battle, "b1").damage == 1

    @pytest.mark.parametrize(
        "defence", ["screen", "advanced-screen", "holofield", "stealth-field", "area-screen"]
    )
    def test_working_fields_protect_the_target(self, defence: str) -> None:
        ship = hull("a", defence)
        state = battle_of(ship)
        assert not is_unprotected(state, ship)
        ship.alive[1] = 0
        ship.screens = 0
        assert is_unprotected(state, ship)

    def test_armour_protects_the_target(self) -> None:
        ship = hull("a", armour=((0, 0), (1, 0)))
        state = battle_of(ship)
        assert not is_unprotected(state, ship)
        ship.armour = ((0, 0), (0, 0))
        assert is_unprotected(state, ship)

    def test_armour_redirects_it_to_the_next_target(self) -> None:
        document = facing("pds", "", 4.0, b={"armour": [[2, 0]]})
        battle = play_turns(document, turn(r1=("pds-1>b1",)))
        assert [line["reason_text"] for line in log_lines(battle, "shot-refused")] == [
            "no target in range, in its arcs and in sight"
        ]


@pytest.mark.rule("pc.ads")
class TestAreaDefenceAtShips:
    @pytest.mark.parametrize(("distance", "dice"), [(6.0, [6, 6]), (6.5, [6]), (12.0, [6])])
    def test_one_die_to_12_mu_and_two_to_6(self, distance: float, dice: list[int]) -> None:
        battle = play_turns(
            facing("ads@F+FS+FP", "", distance), turn(r1=("ads-1>b1",)), point_defence=dice
        )
        assert ship_of(battle, "b1").damage == len(dice)

    def test_dice_may_be_split_within_6_mu(self) -> None:
        split = [{"weapon": "ads-1", "target": "b1", "mode": "split"}] * 3
        battle = play_turns(facing("ads@F+FS+FP", "", 6.0), turn(r1=split), point_defence=[6, 6])
        assert (ship_of(battle, "b1").damage, len(log_lines(battle, "shot-refused"))) == (2, 1)

    def test_two_dice_at_one_ship_cannot_be_split(self) -> None:
        both = [
            {"weapon": "ads-1", "target": "b1"},
            {"weapon": "ads-1", "target": "b1", "mode": "split"},
        ]
        battle = play_turns(facing("ads@F+FS+FP", "", 6.0), turn(r1=both), point_defence=[6, 6])
        assert [line["reason_text"] for line in log_lines(battle, "shot-refused")] == [
            "it has already fired this turn"
        ]


@pytest.mark.rule("pc.scatterguns")
class TestScatterguns:
    def test_beam_die_past_screens_once_a_battle(self) -> None:
        fire = turn(r1=("scattergun-1>b1",))
        battle = play_turns(
            facing("scattergun", "screenx2", 6.0), fire, fire, beam=[6], re_roll=[4]
        )
        assert ship_of(battle, "b1").damage == 3
        assert [line["reason_text"] for line in log_lines(battle, "shot-refused")] == [
            "it has already been fired"
        ]

    def test_its_rerolls_pass_armour(self) -> None:
        document = facing("scattergun", "", 6.0, b={"armour": [[5, 0]]})
        battle = play_turns(document, turn(r1=("scattergun-1>b1",)), beam=[6], re_roll=[5])
        assert (ship_of(battle, "b1").armour, ship_of(battle, "b1").damage) == (((3, 0),), 1)

    @pytest.mark.parametrize(
        ("options", "dice", "lost"), [((), [5], 5), (("scattergun-four",), [4, 5, 6, 1], 4)]
    )
    def test_four_dice_by_an_option(
        self, options: tuple[str, ...], dice: list[int], lost: int
    ) -> None:
        document = carriers("standard", "", 14.0, guard="scattergun") | {"options": [*options]}
        orders = carrier_turn(
            launch(),
            {N1: "to 60 30; face 12"},
            attack={N1: "fighters>b1"},
            defend={"b1": [{"weapon": "scattergun-1", "target": N1}]},
        )
        rerolls = [1] if 6 in dice else []
        battle = play_turns(document, orders, point_defence=dice, re_roll=rerolls, fighter=[1] * 6)
        assert 6 - group(battle, N1).craft == lost

    def test_grapeshot_is_four_point_defence_dice(self) -> None:
        battle = play_turns(
            facing("grapeshot", "", 6.0), turn(r1=("grapeshot-1>b1",)), point_defence=[6, 5, 6, 1]
        )
        assert ship_of(battle, "b1").damage == 2
        screened = play_turns(facing("grapeshot", "screen", 6.0), turn(r1=("grapeshot-1>b1",)))
        assert log_lines(screened, "fire") == []


def test_log_reports_point_defence() -> None:
    battle = play_turns(facing("pds", "", 5.0), turn(r1=("pds-1>b1",)), point_defence=[6])
    line = log_lines(battle, "fire")[0]
    assert (line["dice"], line["hits"], line["needed"]) == ([6], 1, 0)
    assert isinstance(ship_of(battle, "b1"), ShipState)

"""Antimatter suicide charges: by order at the beginning of phase 13, or automatically at a turn's
end.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.continuum.damage import check_modifier
from engine.continuum.suicide_charges import detonate, detonate_destroyed, roll_damaged_charges
from engine.core.dice import Dice
from engine.core.kinds import DESTROYED, FIGHTING
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.event import Event
from engine.weapons.antimatter import blast_dice, roll_explosion
from tests.engine.battle.table import scripted
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of, turn
from tests.engine.defences.hulls import battle_of, hull
from tests.engine.guns.duels import ship, table

pytestmark = pytest.mark.rule("pc.suicide-charge")


def test_three_charges_are_9_6_and_3_dice() -> None:
    assert [blast_dice(distance, 3) for distance in (0.0, 1.0, 1.1, 2.0, 2.1, 3.0, 3.1)] == [
        9,
        9,
        6,
        6,
        3,
        3,
        0,
    ]


def test_each_screen_level_reduces_each_die() -> None:
    assert roll_explosion(3, 2, scripted(damage=[6, 3, 1]), "s") == ((6, 3, 1), 5)


def test_charge_is_as_protected_as_core_systems() -> None:
    assert check_modifier(hull("a", "suicide-charge"), 1) == -1


class TestByOrder:
    def test_ship_is_destroyed_and_everything_near_is_hurt(self) -> None:
        document = table(
            [ship("r1", 60, 20, "suicide-charge", armour=[[9, 0]]), ship("r2", 60, 22, "")],
            [ship("b1", 60, 23, "screen"), ship("b2", 60, 23.5, "")],
        )
        battle = play_turns(document, turn({"r1": "detonate"}), damage=[4, 5, 3])
        assert ship_of(battle, "r1").status == DESTROYED
        assert [ship_of(battle, name).damage for name in ("r2", "b1", "b2")] == [9, 2, 0]
        assert [
            (line["ship"], line["screens"], line["points"])
            for line in log_lines(battle, "explosion-damage")
        ] == [
            ("r2", 0, 9),
            ("b1", 1, 2),
        ]

    def test_others_check_thresholds_with_the_fire_of_the_turn(self) -> None:
        document = table(
            [ship("r1", 60, 20, "suicide-charge beam:1")],
            [ship("b1", 60, 20.5, "", boxes=20, rows=4)],
        )
        orders = turn({"r1": "detonate"}, r1=("beam-1>b1",))
        battle = play_turns(document, orders, beam=[5], damage=[1, 1, 2], threshold=[5] * 4)
        checks = log_lines(battle, "threshold")
        assert [(line["ship"], line["row"]) for line in checks] == [("b1", 1)]
        events = [line["event"] for line in battle.events_json]
        assert events.index("detonated") < events.index("threshold")

    def test_armour_protects_others(self) -> None:
        document = table(
            [ship("r1", 60, 20, "suicide-charge")], [ship("b1", 60, 23, "", armour=[[4, 0]])]
        )
        battle = play_turns(document, turn({"r1": "detonate"}), damage=[6])
        assert (ship_of(battle, "b1").damage, ship_of(battle, "b1").armour) == (2, ((0, 0),))

    def test_ship_destroyed_by_fire_still_explodes(self) -> None:
        first, two = hull("a", "suicide-charge"), hull("b", at=(10, 11), side=1)
        first.write_fact("detonating", 1)
        first.damage = first.sheet.boxes
        detonate(Table(battle_of(first, two), scripted(damage=[1, 2, 3]), turn=1))
        assert (first.status, two.damage) == (DESTROYED, 6)

    def test_ship_destroyed_earlier_explodes_once_at_that_phases_end(self) -> None:
        first, two = hull("a", "suicide-charge"), hull("b", at=(10, 13), side=1)
        first.write_fact("detonating", 1)
        first.status = DESTROYED
        state = battle_of(first, two)
        detonate_destroyed(Table(state, scripted(damage=[4]), turn=1))
        detonate_destroyed(Table(state, scripted(), turn=1))
        detonate(Table(state, scripted(), turn=1))
        assert two.damage == 4

    def test_ship_without_the_order_does_not_explode(self) -> None:
        first, two = hull("a", "suicide-charge"), hull("b", at=(10, 11), side=1)
        first.status = DESTROYED
        detonate_destroyed(Table(battle_of(first, two), scripted(), turn=1))
        assert two.damage == 0

    def test_order_is_secret_and_refused_without_a_charge(self) -> None:
        battle = play_turns(
            facing("suicide-charge", "", 20.0), turn({"r1": "detonate", "b1": "detonate"})
        )
        assert [line["reason_text"] for line in log_lines(battle, "order-refused")] == [
            "it has no working suicide charge"
        ]
        assert [line["note"] for line in log_lines(battle, "noted")] == ["detonating"]


def damaged(systems: str = "suicide-charge", **more: Any) -> ShipState:
    ship = hull("a", systems, **more)
    for place in ship.profile.indexes_by_type["suicide-charge"]:
        ship.knock_out(place)
    return ship


def ends(state: BattleState, dice: Dice) -> list[Event]:
    events: list[Event] = []
    roll_damaged_charges(Table(state, dice, events.append, turn=1))
    return events


class TestDamaged:
    @pytest.mark.parametrize(("die", "goes_off"), [(1, False), (4, False), (5, True), (6, True)])
    def test_charge_explodes_on_5_and_6(self, die: int, goes_off: bool) -> None:
        first, two = damaged(), hull("b", at=(10, 12), side=1)
        ends(battle_of(first, two), scripted(charge=[die], damage=[1, 2, 1, 1, 1]))
        assert (first.damage, two.damage) == ((3, 3) if goes_off else (0, 0))

    def test_charge_rolls_every_turn_until_it_explodes(self) -> None:
        ship = damaged()
        state = battle_of(ship)
        assert [event.kind for event in ends(state, scripted(charge=[2]))] == ["charge"]
        ends(state, scripted(charge=[5], damage=[1, 1, 1]))
        assert (ship.damage, ship.facts()) == (3, {"irreparable:suicide-charge-1": 1})
        assert ends(state, scripted()) == []

    def test_repaired_charge_does_not_explode(self) -> None:
        ship = damaged()
        ship.alive[ship.profile.index_of["suicide-charge-1"]] = 1
        assert ends(battle_of(ship), scripted()) == []

    def test_own_ship_takes_it_past_armour_and_screens(self) -> None:
        ship = damaged("suicide-charge screen screen", armour=((9, 0),))
        ends(battle_of(ship), scripted(charge=[6], damage=[1, 1, 2]))
        assert (ship.damage, ship.armour, ship.status) == (4, ((9, 0),), FIGHTING)

    def test_small_ship_does_not_survive(self) -> None:
        ship = damaged(rows=(4, 4))
        ends(battle_of(ship), scripted(charge=[6], damage=[3, 3, 3]))
        assert ship.status == DESTROYED

    def test_charges_of_one_ship_explode_together(self) -> None:
        first, two = (
            damaged("suicide-charge suicide-charge suicide-charge"),
            hull("b", at=(10, 13), side=1),
        )
        dice = scripted(charge=[5, 1, 6], damage=[1, 1] + [1] * 6, threshold=[1] * 20)
        ends(battle_of(first, two), dice)
        assert (first.damage, two.damage) == (6, 2)

    def test_hurt_ships_check_at_once(self) -> None:
        first, two = damaged(), hull("b", "beam", at=(10, 11), side=1)
        dice = scripted(charge=[5], damage=[2, 2, 2, 1, 1, 1], threshold=[6, 6, 1, 1])
        ends(battle_of(first, two), dice)
        assert two.lost_systems() == ("firecon-1", "beam-1")

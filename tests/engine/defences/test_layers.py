"""Armour: what penetrates it, typed and rolled damage; and regenerating armour."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.continuum.damage import absorb, regenerate, regenerate_armour
from engine.core.kinds import HULL, PIERCING, PLAIN, SEMI
from engine.core.rolls import TypedDamage
from engine.core.table import Table
from tests.engine.battle.table import scripted
from tests.engine.defences.hulls import battle_of, hull

KINDS = (PLAIN, SEMI, PIERCING, HULL)
layers = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=5).map(tuple)
damage_types = st.lists(
    st.builds(TypedDamage, st.integers(0, 30), st.sampled_from(KINDS), st.integers(0, 4)),
    max_size=8,
).map(tuple)


def boxes(armour: tuple[tuple[int, int], ...]) -> int:
    return sum(map(sum, armour))


@pytest.mark.rule("pc.damage-kinds")
class TestKindsOfDamage:
    def test_ten_armour_piercing_points_are_one_and_nine(self) -> None:
        assert absorb(((5, 0),), (TypedDamage(10, PIERCING),)) == (((4, 0),), 9)

    def test_seven_semi_armour_piercing_points_are_four_and_three(self) -> None:
        assert absorb(((5, 0),), (TypedDamage(7, SEMI),)) == (((1, 0),), 3)

    def test_rerolls_reach_the_hull_behind_one_layer(self) -> None:
        assert absorb(((5, 0),), (TypedDamage(2), TypedDamage(1, PLAIN, 1))) == (((3, 0),), 1)

    def test_excess_damage_reaches_the_hull(self) -> None:
        assert absorb(((3, 0),), (TypedDamage(5),)) == (((0, 0),), 2)

    def test_damage_past_armour_ignores_it(self) -> None:
        assert absorb(((3, 3), (4, 0)), (TypedDamage(5, HULL),)) == (((3, 3), (4, 0)), 5)


@pytest.mark.rule("pc.armour")
class TestShells:
    def test_damage_goes_from_the_outer_shell_inward(self) -> None:
        assert absorb(((4, 0), (3, 0)), (TypedDamage(5),)) == (((2, 0), (0, 0)), 0)

    def test_each_reroll_begins_a_shell_deeper(self) -> None:
        hits = (TypedDamage(2), TypedDamage(2, PLAIN, 1), TypedDamage(1, PLAIN, 2))
        assert absorb(((4, 0), (3, 0)), hits) == (((2, 0), (1, 0)), 1)

    def test_armour_piercing_takes_a_point_of_each_shell(self) -> None:
        assert absorb(((4, 0), (0, 0), (3, 0)), (TypedDamage(10, PIERCING),)) == (
            ((3, 0), (0, 0), (2, 0)),
            8,
        )

    def test_one_armour_piercing_point_stops_at_the_outer_shell(self) -> None:
        assert absorb(((4, 0), (3, 0)), (TypedDamage(1, PIERCING),)) == (((4, 0), (2, 0)), 0)

    def test_semi_armour_piercing_is_split_over_two_shells(self) -> None:
        assert absorb(((4, 0), (4, 0)), (TypedDamage(7, SEMI),)) == (((1, 0), (0, 0)), 0)

    def test_semi_armour_piercing_excess_goes_inward(self) -> None:
        assert absorb(((4, 0), (1, 0)), (TypedDamage(7, SEMI),)) == (((0, 0), (0, 0)), 2)

    def test_semi_armour_piercing_rerolls_begin_a_shell_deeper(self) -> None:
        assert absorb(((4, 0), (4, 0)), (TypedDamage(3, SEMI, 1),)) == (((2, 0), (4, 0)), 1)

    def test_standard_boxes_are_lost_before_regenerative_ones(self) -> None:
        assert absorb(((2, 3),), (TypedDamage(3),)) == (((0, 2),), 0)

    @given(layers, damage_types)
    @example(((0, 0), (1, 0)), (TypedDamage(1, SEMI),))
    def test_damage_is_conserved_and_shells_never_negative(
        self, armour: tuple[tuple[int, int], ...], hits: tuple[TypedDamage, ...]
    ) -> None:
        armour_left, hull_points = absorb(armour, hits)
        assert boxes(armour) - boxes(armour_left) + hull_points == sum(hit.points for hit in hits)
        assert all(
            0 <= now <= before
            for old, new in zip(armour, armour_left, strict=True)
            for before, now in zip(old, new, strict=True)
        )
        assert hull_points >= sum(hit.points for hit in hits if hit.kind == HULL)

    @given(layers, st.integers(0, 40))
    def test_plain_damage_reaches_the_hull_only_without_armour(
        self, armour: tuple[tuple[int, int], ...], points: int
    ) -> None:
        armour_left, hull_points = absorb(armour, (TypedDamage(points),))
        assert hull_points == max(points - boxes(armour), 0)
        hurt = [
            place
            for place, (old, new) in enumerate(zip(armour, armour_left, strict=True))
            if old != new
        ]
        filled = [
            place
            for place, (old, new) in enumerate(zip(armour, armour_left, strict=True))
            if sum(old) and not sum(new)
        ]
        assert all(
            place in filled for place in hurt[1:]
        )  # everything outside the last damaged layer is gone

    @given(layers, st.integers(1, 40))
    def test_armour_piercing_takes_at_most_one_box_per_shell(
        self, armour: tuple[tuple[int, int], ...], points: int
    ) -> None:
        armour_left, hull_points = absorb(armour, (TypedDamage(points, PIERCING),))
        losses = [sum(old) - sum(new) for old, new in zip(armour, armour_left, strict=True)]
        assert set(losses) <= {0, 1}
        standing = sum(1 for layer in armour if sum(layer))
        assert hull_points == max(points - standing, 0)

    @given(layers, damage_types, damage_types)
    def test_more_damage_never_leaves_more_boxes(
        self,
        armour: tuple[tuple[int, int], ...],
        first: tuple[TypedDamage, ...],
        more: tuple[TypedDamage, ...],
    ) -> None:
        armour_after_first, hull_first = absorb(armour, first)
        both, hull_both = absorb(armour, first + more)
        assert hull_both >= hull_first
        assert all(sum(b) <= sum(a) for a, b in zip(armour_after_first, both, strict=True))


@pytest.mark.rule("pc.armour")
class TestRegenerativeArmour:
    def test_five_and_six_repair_a_box_and_one_loses_it_for_good(self) -> None:
        assert regenerate(5, scripted(regeneration=[1, 2, 4, 5, 6]), "s") == ((1, 2, 4, 5, 6), 2, 1)

    def test_layers_are_repaired_from_the_inside_each_turn(self) -> None:
        state = battle_of(hull("a", armour=((0, 4), (2, 3))), hull("b"))
        ship = state.ship_by_name("a")
        ship.armour = ((0, 3), (0, 1))
        regenerate_armour(Table(state, scripted(regeneration=[5, 1, 6]), turn=1))
        assert ship.armour == ((0, 4), (0, 2))
        assert ship.facts() == {"scarred:1": 1}

    def test_permanently_lost_boxes_are_not_rolled(self) -> None:
        state = battle_of(hull("a", armour=((0, 2),)), hull("b"))
        ship = state.ship_by_name("a")
        ship.armour = ((0, 0),)
        regenerate_armour(Table(state, scripted(regeneration=[1, 3]), turn=1))
        regenerate_armour(Table(state, scripted(regeneration=[1]), turn=2))
        regenerate_armour(Table(state, scripted(), turn=3))
        assert (ship.armour, ship.facts()) == (((0, 0),), {"scarred:0": 2})

    def test_standard_boxes_are_never_repaired(self) -> None:
        state = battle_of(hull("a", armour=((5, 0),)), hull("b"))
        state.ship_by_name("a").armour = ((1, 0),)
        regenerate_armour(Table(state, scripted(), turn=1))
        assert state.ship_by_name("a").armour == ((1, 0),)

    def test_third_of_the_faces_repair(self) -> None:
        closed = [regenerate(1, scripted(regeneration=[die]), "s")[1] for die in range(1, 7)]
        assert closed == [0, 0, 0, 0, 1, 1]
        assert all(a <= b for a, b in pairwise(closed))

"""Screens of every kind: a ship's own, backups, advanced ones, and those of friends."""

from __future__ import annotations

import pytest

from engine.continuum.defences import protection_of
from engine.core.rolls import Shot, roll_beams, roll_damage_die
from engine.systems.defences import screen_levels
from tests.engine.battle.table import scripted
from tests.engine.defences.battles import facing, log_lines, play_turns, turn
from tests.engine.defences.hulls import battle_of, hull
from tests.engine.guns.duels import ship, table


def shot(screens: int, advanced: int = 0) -> Shot:
    return Shot("a/beam-1", 6.0, 6.0, 6, screens=screens, advanced=advanced)


@pytest.mark.rule("pc.screens")
class TestScreens:
    def test_six_dice_at_level_2_make_two_points_and_their_rerolls_three(self) -> None:
        thrown, hits = roll_beams(6, shot(2), scripted(beam=[2, 3, 3, 4, 6, 6], re_roll=[4, 6, 3]))
        assert (thrown, sum(hits)) == ((2, 3, 3, 4, 6, 4, 6, 6, 3), 5)

    @pytest.mark.parametrize(
        ("level", "points"),
        [(0, [0, 0, 0, 1, 1, 2]), (1, [0, 0, 0, 0, 1, 2]), (2, [0, 0, 0, 0, 1, 1])],
    )
    def test_damage_of_each_die_by_level(self, level: int, points: list[int]) -> None:
        results = [
            roll_beams(1, shot(level), scripted(beam=[die], re_roll=[1]))[1][0]
            for die in range(1, 7)
        ]
        assert results == points

    def test_further_generators_are_backups(self) -> None:
        state = battle_of(hull("a", "screen screen screen"))
        target = state.ship_by_name("a")
        assert (target.screens, protection_of(state, target)[:2]) == (2, (2, 0))
        target.knock_out(target.profile.index_of["screen-1"])
        target.recompute()
        assert protection_of(state, target)[:2] == (2, 0)
        target.knock_out(target.profile.index_of["screen-2"])
        target.recompute()
        assert protection_of(state, target)[:2] == (1, 0)

    def test_log_reports_the_screen_level(self) -> None:
        battle = play_turns(
            facing("beam:2@F+FS+FP", "screen"), turn(r1=("beam-1>b1",)), beam=[4, 5]
        )
        assert [(line["screens"], line["hits"]) for line in log_lines(battle, "fire")] == [(1, 1)]


@pytest.mark.rule("pc.advanced-screens")
class TestAdvancedScreens:
    def test_advanced_screens_stop_beams_like_others(self) -> None:
        battle = play_turns(
            facing("beam:2@F+FS+FP", "advanced-screen x2".replace(" ", "")),
            turn(r1=("beam-1>b1",)),
            beam=[4, 6],
            re_roll=[1],
        )
        assert [(line["screens"], line["hits"]) for line in log_lines(battle, "fire")] == [(2, 1)]

    @pytest.mark.parametrize(
        ("level", "die", "points"), [(0, 1, 1), (1, 1, 0), (1, 4, 3), (2, 1, 0), (2, 6, 4)]
    )
    def test_each_level_reduces_each_damage_die(self, level: int, die: int, points: int) -> None:
        assert roll_damage_die(shot(level, level), scripted(damage=[die])) == (die, points)

    def test_standard_screens_do_not_reduce_torpedoes(self) -> None:
        for type_, points in (("screen", 5), ("advanced-screen", 4)):
            document = facing("pulse-torpedo@F", type_, 5.0)
            battle = play_turns(document, turn(r1=("pulse-torpedo-1>b1",)), to_hit=[2], damage=[5])
            assert log_lines(battle, "fire")[0]["hits"] == points


@pytest.mark.rule("pc.area-screens")
class TestAreaScreens:
    def test_own_and_area_screens_add_up_to_three(self) -> None:
        assert screen_levels(1, 0, 2, 0) == (3, 0)
        assert screen_levels(2, 0, 4, 0) == (3, 0)
        assert screen_levels(3, 3, 0, 0) == (2, 2)
        assert screen_levels(2, 2, 2, 2) == (3, 2)

    def test_three_levels_reduce_a_six_to_one_point_without_rerolls(self) -> None:
        assert roll_beams(3, shot(3), scripted(beam=[4, 5, 6])) == ((4, 5, 6), (2,))

    def test_one_own_level_and_two_of_a_friend(self) -> None:
        document = table(
            [ship("r1", 60, 20, "beam:2@F+FS+FP")],
            [ship("b1", 60, 30, "screen"), ship("b2", 62, 32, "area-screenx2", mass=300)],
        )
        battle = play_turns(document, turn(r1=("beam-1>b1",)), beam=[6, 6])
        assert [
            (line["screens"], line["dice"], line["hits"]) for line in log_lines(battle, "fire")
        ] == [(3, [6, 6], 2)]

    @pytest.mark.parametrize(("away", "levels"), [(3.0, 1), (3.01, 0)])
    def test_area_screens_reach_3_mu(self, away: float, levels: int) -> None:
        state = battle_of(hull("a", at=(10, 10)), hull("f", "area-screen", at=(10, 10 + away)))
        assert protection_of(state, state.ship_by_name("a"))[:2] == (levels, 0)

    def test_area_screen_covers_its_own_ship(self) -> None:
        state = battle_of(hull("a", "area-screen advanced-area-screen"))
        assert protection_of(state, state.ship_by_name("a"))[:2] == (2, 1)

    def test_area_screen_covers_allies_but_no_enemies(self) -> None:
        ships = [hull("a", "area-screen"), hull("b", side=1), hull("g", side=2)]
        state = battle_of(*ships, hostile=(2, 1, 2))
        assert [protection_of(state, ship).screens for ship in ships] == [1, 0, 1]

    def test_lost_projector_covers_nobody(self) -> None:
        state = battle_of(hull("a"), hull("f", "area-screen"))
        friend = state.ship_by_name("f")
        friend.alive[friend.profile.index_of["area-screen-1"]] = 0
        assert protection_of(state, state.ship_by_name("a"))[:2] == (0, 0)

"""Stealth hulls and fields: shorter bands for attackers, shorter sight for the ships themselves."""

from __future__ import annotations

import pytest

from engine.continuum.defences import effective_distance, lock_on_radius, shot_path, stealth_of
from engine.systems.defences import aiming_range, effective_range, hull_level, shrink_range
from engine.weapons.registry import weapon_of
from tests.engine.defences.battles import facing, log_lines, play_turns, turn
from tests.engine.defences.hulls import battle_of, hull, sheet_of


@pytest.mark.rule("pc.stealth-hull")
class TestStealthHull:
    def test_class_3_beam_reaches_36_then_30_then_24(self) -> None:
        assert [round(shrink_range(36.0, level), 9) for level in (0, 1, 2)] == [36.0, 30.0, 24.0]

    @pytest.mark.parametrize(
        ("band", "one_level", "two"),
        [(12, 10, 8), (9, 7.5, 6), (6, 5, 4), (4, 10 / 3, 8 / 3), (30, 25, 20), (45, 37.5, 30)],
    )
    def test_range_bands_of_the_table(self, band: float, one_level: float, two: float) -> None:
        assert [shrink_range(band, 1), shrink_range(band, 2)] == pytest.approx([one_level, two])
        assert [effective_range(one_level, 1), effective_range(two, 2)] == pytest.approx(
            [band, band]
        )

    def test_second_row_loses_level_1(self) -> None:
        sheet = sheet_of("", stealth=1)
        assert [hull_level(sheet, damage) for damage in (0, 5, 9, 10, 19)] == [1, 1, 1, 0, 0]

    def test_first_and_third_rows_lose_a_level_each(self) -> None:
        sheet = sheet_of("", stealth=2)
        assert [hull_level(sheet, damage) for damage in (0, 4, 5, 14, 15)] == [2, 2, 1, 1, 0]

    @pytest.mark.parametrize(("distance", "dice"), [(30.0, [4]), (30.5, [])])
    def test_fire_at_the_reduced_range_limit(self, distance: float, dice: list[int]) -> None:
        document = facing("beam:3@F+FS+FP", "", distance)
        document["sides"][1]["ships"][0]["design"]["stealth"] = 1
        battle = play_turns(document, turn(r1=("beam-1>b1",)), beam=dice)
        assert [shot["dice"] for shot in log_lines(battle, "fire")] == ([dice] if dice else [])
        assert all(shot["range"] == distance for shot in log_lines(battle, "fire"))

    def test_ten_mu_is_in_the_first_band_at_level_1_and_second_at_level_2(self) -> None:
        for level, dice in ((1, [1, 1, 1]), (2, [1, 1])):
            document = facing("beam:3@F+FS+FP", "", 10.0)
            document["sides"][1]["ships"][0]["design"]["stealth"] = level
            battle = play_turns(document, turn(r1=("beam-1>b1",)), beam=dice)
            assert log_lines(battle, "fire")[0]["dice"] == dice

    @pytest.mark.parametrize(
        "weapon", ["spinal-beam", "spinal-singularity", "wave-gun", "pds", "scattergun"]
    )
    def test_spinal_mounts_and_point_defence_are_unaffected(self, weapon: str) -> None:
        ship, target = hull("a"), hull("b", at=(10.0, 16.0), side=1, stealth=2)
        way = shot_path(battle_of(ship, target), ship, target)
        assert effective_distance(weapon_of("continuum", weapon), way) == 6.0
        assert effective_distance(weapon_of("continuum", "beam"), way) == pytest.approx(9.0)

    def test_level_2_aims_to_24_mu_and_to_54_while_scanning(self) -> None:
        assert [aiming_range(level) for level in (0, 1, 2)] == [54.0, 54.0, 24.0]
        document = facing("beam:3@F+FS+FP", "beam:3@F+FS+FP", 25.0)
        document["sides"][0]["ships"][0]["design"]["stealth"] = 2
        passive, active = turn(r1=("beam-1>b1",)), turn({"r1": "stealth active"}, r1=("beam-1>b1",))
        battle = play_turns(
            document, passive, active, turn({"r1": "stealth passive"}, r1=("beam-1>b1",)), beam=[4]
        )
        assert [line["turn"] for line in log_lines(battle, "fire")] == [2]
        assert [line["turn"] for line in log_lines(battle, "shot-refused")] == [1, 3]

    def test_active_sensors_cost_a_level_until_passive(self) -> None:
        document = facing("", "beam:3@F+FS+FP", 27.0)
        document["sides"][0]["ships"][0]["design"]["stealth"] = 2
        turns = [
            turn({"r1": word}, b1=("beam-1>r1",))
            for word in ("", "stealth active", "", "stealth passive")
        ]
        battle = play_turns(document, *turns, beam=[1, 1])
        assert [line["turn"] for line in log_lines(battle, "fire")] == [2, 3]
        assert [(line["note"], line["value"]) for line in log_lines(battle, "marked")] == [
            ("stealth-active", 1),
            ("stealth-active", 0),
        ]

    def test_lock_on_range_is_reduced_alike(self) -> None:
        state = battle_of(hull("a", stealth=1), hull("b", stealth=2, side=1))
        assert lock_on_radius(state, state.ship_by_name("a"), 6.0) == 5.0
        assert lock_on_radius(state, state.ship_by_name("b"), 6.0) == 4.0


@pytest.mark.rule("pc.stealth-field")
class TestStealthFields:
    def test_fields_add_up_to_level_2(self) -> None:
        assert stealth_of(hull("a", "stealth-field")) == 1
        assert stealth_of(hull("a", "stealth-field stealth-field", stealth=1)) == 2

    def test_lost_field_hides_nothing(self) -> None:
        ship = hull("a", "stealth-field stealth-field")
        ship.alive[ship.profile.index_of["stealth-field-1"]] = 0
        assert stealth_of(ship) == 1

    def test_field_setting_is_ordered_and_lasts(self) -> None:
        document = facing("stealth-field", "beam:3@F+FS+FP", 32.0)
        turns = [
            turn({"r1": word}, b1=("beam-1>r1",)) for word in ("", "stealth off", "", "stealth on")
        ]
        battle = play_turns(document, *turns, beam=[1, 1])
        assert [line["turn"] for line in log_lines(battle, "fire")] == [2, 3]

    def test_ship_without_a_field_cannot_switch_it(self) -> None:
        battle = play_turns(facing("", ""), turn({"r1": "stealth off", "b1": "stealth active"}))
        assert [
            (line["ship"], line["reason_text"]) for line in log_lines(battle, "order-refused")
        ] == [
            ("r1", "it has no stealth field to switch"),
            ("b1", "it has no stealth"),
        ]


@pytest.mark.rule("pc.stealth-hull")
def test_level_2_limits_a_beam_to_24_mu() -> None:
    document = facing("spinal-beam:medium@F", "", 25.0)
    document["sides"][0]["ships"][0]["design"]["stealth"] = 2
    passive, active = (
        turn(r1=("spinal-beam-1>b1",)),
        turn({"r1": "stealth active"}, r1=("spinal-beam-1>b1",)),
    )
    assert log_lines(play_turns(document, passive), "fire") == []
    assert len(log_lines(play_turns(document, active, beam=[1] * 12), "fire")) == 1

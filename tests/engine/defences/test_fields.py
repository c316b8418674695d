"""Holofields, ECM and reflex fields."""

from __future__ import annotations

import pytest

from engine import stops
from engine.continuum.defences import (
    ecm_level_over,
    is_jammed,
    is_unprotected,
    lock_on_radius,
    protection_of,
    shot_at,
)
from engine.core.orders import Fire
from engine.core.ship import ShipState
from engine.core.ship_facts import AREA_SUITES, OWN_SUITES
from engine.systems.defences import reflect
from engine.systems.sensors import deblip_range, lock_on_range, scan_result
from engine.systems.sensors import ecm_level as level
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of, turn
from tests.engine.defences.hulls import battle_of, hull
from tests.engine.guns.duels import ship, table

SCIENCE = ("science-fiction",)
GUN = "beam:3@F+FS+FP"


@pytest.mark.rule("pc.holofield")
class TestHolofield:
    @pytest.mark.parametrize(("distance", "hits"), [(6.5, 2), (6.0, 5)])
    def test_beams_hit_on_five_and_six_beyond_6_mu(self, distance: float, hits: int) -> None:
        document = facing(GUN, "holofield", distance)
        battle = play_turns(document, turn(r1=("beam-1>b1",)), beam=[4, 5, 6], re_roll=[4])
        assert log_lines(battle, "fire")[0]["hits"] == hits

    def test_rerolls_are_affected_too(self) -> None:
        battle = play_turns(
            facing(GUN, "holofield", 10.0), turn(r1=("beam-1>b1",)), beam=[1, 1, 6], re_roll=[6, 4]
        )
        assert log_lines(battle, "fire")[0]["hits"] == 2

    @pytest.mark.parametrize(("die", "hits"), [(5, 0), (6, 3)])
    def test_projectiles_hit_on_six_only(self, die: int, hits: int) -> None:
        document = facing("pulse-torpedo@F", "holofield", 10.0)
        battle = play_turns(
            document, turn(r1=("pulse-torpedo-1>b1",)), to_hit=[die], damage=[3] if hits else []
        )
        assert log_lines(battle, "fire")[0]["hits"] == hits

    @pytest.mark.parametrize(
        ("weapon", "blurred"), [("beam", True), ("gravitic", False), ("spinal-plasma", False)]
    )
    def test_gravitic_guns_and_area_effects_ignore_the_field(
        self, weapon: str, blurred: bool
    ) -> None:
        state = battle_of(hull("a", weapon), hull("b", "holofield", at=(10, 20), side=1))
        shot = shot_at(
            state, state.ship_by_name("a"), 1, Fire(f"{weapon}-1", ("b",)), state.ship_by_name("b")
        )
        assert shot.holofield is blurred

    def test_field_excludes_screens_until_lost(self) -> None:
        state = battle_of(hull("a", "holofield"), hull("f", "area-screen"))
        ship = state.ship_by_name("a")
        assert protection_of(state, ship)[:2] == (0, 0)
        ship.alive[ship.profile.index_of["holofield-1"]] = 0
        assert protection_of(state, ship)[:2] == (1, 0)

    def test_three_ecm_levels_reduce_lock_on_to_2_mu(self) -> None:
        state = battle_of(hull("a", "holofield ecm ecm ecm"))
        ship = state.ship_by_name("a")
        assert lock_on_radius(state, ship, 6.0) == 5.0
        ship.write_fact("jamming", OWN_SUITES)
        assert lock_on_radius(state, ship, 6.0) == 2.0


def jamming(ship: ShipState, bits: int) -> ShipState:
    ship.write_fact("jamming", bits)
    ship.recompute()
    return ship


@pytest.mark.rule("pc.ecm")
class TestECM:
    def test_levels_add_up_to_three(self) -> None:
        assert [level(own, area) for own, area in ((0, 0), (1, 1), (2, 2), (5, 0))] == [0, 2, 3, 3]

    def test_each_level_reduces_lock_on_by_1_mu_but_not_rockets(self) -> None:
        assert [lock_on_range(6.0, levels) for levels in range(4)] == [6.0, 5.0, 4.0, 3.0]
        assert lock_on_range(6.0, 3, rocket=True) == 6.0
        assert lock_on_range(6.0, 3, holofield=True, rocket=True) == 5.0
        assert lock_on_range(2.0, 3) == 0.0

    def test_each_level_reduces_sensors_by_6_mu(self) -> None:
        assert [deblip_range(36.0, levels) for levels in range(4)] == [36.0, 30.0, 24.0, 18.0]

    @pytest.mark.parametrize(("word", "made_out"), [("", 1), ("jam", 2)])
    def test_jammed_contact_is_identified_later(self, word: str, made_out: int) -> None:
        document = facing("", "ecm", 38.0, bogeys=True, b={"velocity": 4, "contact": "c1"})
        battle = play_turns(document, turn({"b1": word}), turn({"b1": word}), turn({"b1": word}))
        turns = [
            line["turn"] for line in log_lines(battle, "contact-identified") if line["ship"] == "b1"
        ]
        assert turns == [made_out]  # at 34 MU, and within the noise at 30

    def test_active_scans_are_reduced_too(self) -> None:
        document = facing("", "ecm", 50.0, bogeys=True, b={"contact": "c1"})
        battle = play_turns(document, turn({"b1": "jam", "r1": "scan b1"}), turn({"r1": "scan b1"}))
        assert [
            (line["turn"], line["reason_text"]) for line in log_lines(battle, "scan-failed")
        ] == [(1, "ECM hides it at this range")]
        assert [
            line["turn"] for line in log_lines(battle, "contact-identified") if line["ship"] == "b1"
        ] == [2]

    def test_jamming_is_subtracted_from_a_scan(self) -> None:
        assert scan_result(6, 2, (1,)) == 7
        assert scan_result(6, 0, (3, 2)) == 1

    def test_ecm_works_only_while_active(self) -> None:
        state = battle_of(hull("a", "ecm ecm"))
        assert (
            ecm_level_over(state, state.ship_by_name("a")),
            is_jammed(state, state.ship_by_name("a")),
        ) == (0, False)
        jamming(state.ship_by_name("a"), OWN_SUITES)
        assert (
            ecm_level_over(state, state.ship_by_name("a")),
            is_jammed(state, state.ship_by_name("a")),
        ) == (2, True)

    @pytest.mark.parametrize(
        ("away", "levels", "scans"), [(6.0, 1, True), (6.5, 0, True), (12.5, 0, False)]
    )
    def test_area_ecm_covers_friends_within_6_mu_and_scans_within_12(
        self, away: float, levels: int, scans: bool
    ) -> None:
        friend = jamming(hull("f", "area-ecm", at=(10, 10 + away)), AREA_SUITES)
        foe = hull("e", side=1, at=(10, 10))
        state = battle_of(hull("a"), friend, foe)
        assert (
            ecm_level_over(state, state.ship_by_name("a")),
            is_jammed(state, state.ship_by_name("a")),
        ) == (
            levels,
            scans,
        )
        assert (ecm_level_over(state, foe), is_jammed(state, foe)) == (0, False)

    def test_area_ecm_blinds_its_own_firecons_only(self) -> None:
        noisy = jamming(hull("a", "area-ecm"), AREA_SUITES)
        assert (noisy.firecons, jamming(hull("b", "area-ecm ecm"), OWN_SUITES).firecons) == (0, 1)
        noisy.alive[noisy.profile.index_of["area-ecm-1"]] = 0
        noisy.recompute()
        assert noisy.firecons == 1

    def test_cloaking_device_silences_area_ecm(self) -> None:
        friend = jamming(hull("f", "area-ecm"), AREA_SUITES)
        state = battle_of(hull("a"), friend)
        assert ecm_level_over(state, state.ship_by_name("a")) == 1
        friend.write_fact("concealed", 1)
        assert ecm_level_over(state, state.ship_by_name("a")) == 0

    def test_order_lasts_a_turn_and_names_suites(self) -> None:
        document = facing(GUN + " area-ecm ecm", "", 10.0)
        fire = ("beam-1>b1",)
        turns = [turn({"r1": word}, r1=fire) for word in ("jam ecm", "jam", "jam area-ecm", "")]
        battle = play_turns(document, *turns, beam=[1] * 6)
        assert [(line["turn"], line["value"]) for line in log_lines(battle, "marked")] == [
            (1, 1),
            (2, 3),
            (3, 2),
        ]
        assert [line["turn"] for line in log_lines(battle, "fire")] == [1, 4]
        assert ship_of(battle, "r1").facts() == {}

    def test_ship_without_ecm_does_not_jam(self) -> None:
        battle = play_turns(facing("ecm", ""), turn({"r1": "jam area-ecm", "b1": "jam"}))
        assert [line["reason_text"] for line in log_lines(battle, "order-refused")] == [
            "it has no area-ecm in working order",
            "it has no ecm or area-ecm in working order",
        ]


@pytest.mark.rule("pc.reflex-field")
class TestReflexField:
    @pytest.mark.parametrize(
        ("die", "damage_taken", "returned"),
        [(1, 5, 0), (2, 3, 0), (3, 0, 0), (4, 0, 0), (5, 0, 3), (6, 0, 5)],
    )
    def test_die_decides_absorption_and_reflection(
        self, die: int, damage_taken: int, returned: int
    ) -> None:
        assert reflect(5, die) == (damage_taken, returned)
        document = facing(GUN, "reflex-field", 10.0, options=SCIENCE)
        battle = play_turns(
            document,
            turn({"b1": "reflex"}, r1=("beam-1>b1",)),
            beam=[4, 6, 6],
            re_roll=[1, 1],
            reflex=[die],
        )
        assert (ship_of(battle, "b1").damage, ship_of(battle, "r1").damage) == (
            damage_taken,
            returned,
        )
        assert [
            (line["ship"], line["by"], line["die"], line["points"])
            for line in log_lines(battle, "reflected")
        ] == [("b1", "r1", die, 5)]

    def test_one_die_for_all_energy_weapons_of_a_ship(self) -> None:
        document = facing("beam:1 beam:1 pulse-torpedo@F", "reflex-field", 5.0, options=SCIENCE)
        fire = ("beam-1>b1", "pulse-torpedo-1>b1", "beam-2>b1")
        battle = play_turns(
            document,
            turn({"b1": "reflex"}, r1=fire),
            beam=[5, 5],
            to_hit=[6],
            damage=[4],
            reflex=[6],
        )
        assert (ship_of(battle, "b1").damage, ship_of(battle, "r1").damage) == (4, 2)

    def test_each_firing_ship_has_its_own_die(self) -> None:
        document = table(
            [ship("r1", 60, 20, "beam:1"), ship("r2", 62, 20, "beam:1")],
            [ship("b1", 60, 26, "reflex-field", 6)],
            options=SCIENCE,
        )
        battle = play_turns(
            document,
            turn({"b1": "reflex"}, r1=("beam-1>b1",), r2=("beam-1>b1",)),
            beam=[5, 5],
            reflex=[6, 1],
        )
        assert [ship_of(battle, name).damage for name in ("r1", "r2", "b1")] == [1, 0, 1]

    def test_die_is_rolled_even_without_hits(self) -> None:
        document = facing("beam:1", "reflex-field", 5.0, options=SCIENCE)
        battle = play_turns(
            document, turn({"b1": "reflex"}, r1=("beam-1>b1",)), beam=[1], reflex=[3]
        )
        assert log_lines(battle, "reflected")[0]["points"] == 0

    def test_ship_behind_the_field_does_not_fire(self) -> None:
        document = facing("reflex-field beam:1", "", 5.0, options=SCIENCE)
        battle = play_turns(
            document,
            turn({"r1": "reflex"}, r1=("beam-1>b1",)),
            turn({}, r1=("beam-1>b1",)),
            beam=[1],
        )
        assert [line["reason_text"] for line in log_lines(battle, "shot-refused")] == [
            "it cannot fire through its own reflex field"
        ]
        assert [line["turn"] for line in log_lines(battle, "fire")] == [2]

    def test_field_is_hidden_until_fired_at(self) -> None:
        document = facing("", "reflex-field", 5.0, options=SCIENCE)
        quiet, up = (play_turns(document, turn({"b1": word})) for word in ("", "reflex"))
        assert log_lines(up, "noted")
        assert stops.side_view(quiet, 0) == stops.side_view(up, 0)

    def test_ship_without_a_field_cannot_raise_it(self) -> None:
        battle = play_turns(facing("", ""), turn({"r1": "reflex"}))
        assert [line["reason_text"] for line in log_lines(battle, "order-refused")] == [
            "it has no working reflex field"
        ]

    def test_active_field_stops_light_weapons(self) -> None:
        state = battle_of(hull("a", "reflex-field"))
        assert is_unprotected(state, state.ship_by_name("a"))
        state.ship_by_name("a").write_fact("reflex", 1)
        assert not is_unprotected(state, state.ship_by_name("a"))

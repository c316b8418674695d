"""Cloaks: devices that hinder fire control, and fields that hide everything."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.continuum.defence_orders import cloak_kind, cloaks_fail, uncover_all
from engine.continuum.defences import lock_on_radius, protection_of, shot_at, stealth_of
from engine.core.kinds import CLOAKED, FIGHTING, LEFT_TABLE
from engine.core.orders import Fire
from engine.core.table import Table
from engine.core.victory import GONE, scored_percentage, sole_side
from tests.engine.battle.table import scripted
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of, start_battle, turn
from tests.engine.defences.hulls import battle_of, hull

pytestmark = pytest.mark.rule("pc.cloaks")

GUN = "beam:3@F+FS+FP"
FIRE = ("beam-1>b1",)


def whys(battle: Any, *kind: str) -> list[str]:
    return [line["reason_text"] for line in log_lines(battle, *kind)]


class TestCloakingDevice:
    def test_cloaking_device_hides_for_n_turns(self) -> None:
        plots: tuple[dict[str, str], ...] = ({"b1": "cloak 2"}, {}, {})
        battle = play_turns(facing("", "cloaking-device"), *(turn(plot) for plot in plots))
        assert [
            (line["event"], line["turn"]) for line in log_lines(battle, "cloaked", "decloaked")
        ] == [
            ("cloaked", 1),
            ("decloaked", 3),
        ]
        assert ship_of(battle, "b1").facts() == {}

    def test_fire_at_it_doubles_the_range_and_subtracts_two(self) -> None:
        cloak = turn({"b1": "cloak 1"}, r1=FIRE)
        battle = play_turns(
            facing(GUN, "cloaking-device", 10.0), cloak, beam=[6, 5], re_roll=[6, 5]
        )
        fire = log_lines(battle, "fire")[0]
        assert (fire["range"], fire["dice"], fire["hits"]) == (
            10.0,
            [6, 6, 5, 5],
            2,
        )  # 20 MU: two dice; 4, 4, 3, 3

    @pytest.mark.parametrize(("distance", "fires"), [(18.0, 1), (18.5, 0)])
    def test_class_3_beam_reaches_18_mu(self, distance: float, fires: int) -> None:
        battle = play_turns(
            facing(GUN, "cloaking-device", distance),
            turn({"b1": "cloak 1"}, r1=FIRE),
            beam=[1] * fires,
        )
        assert len(log_lines(battle, "fire")) == fires

    def test_cloaked_ship_does_not_fire(self) -> None:
        answer = turn({}, b1=("beam-1>r1",))
        battle = play_turns(
            facing("", "cloaking-device " + GUN),
            turn({"b1": "cloak 1"}, b1=("beam-1>r1",)),
            answer,
            beam=[1, 1, 1],
        )
        assert whys(battle, "shot-refused") == ["a cloaked ship cannot fire"]
        assert [line["turn"] for line in log_lines(battle, "fire")] == [2]

    def test_its_screens_and_stealth_are_down(self) -> None:
        ship = hull("b", "cloaking-device screen screen stealth-field", stealth=1)
        state = battle_of(hull("a", "beam"), ship, hull("f", "area-screen"))
        assert (protection_of(state, ship)[:2], stealth_of(ship)) == ((3, 0), 2)
        ship.write_fact("concealed", 1)
        ship.recompute()
        assert (ship.screens, protection_of(state, ship)[:2], stealth_of(ship)) == (0, (0, 0), 0)

    def test_missiles_do_not_lock_on(self) -> None:
        state = battle_of(hull("a"))
        assert lock_on_radius(state, state.ship_by_name("a"), 6.0) == 6.0
        state.ship_by_name("a").write_fact("concealed", 1)
        assert lock_on_radius(state, state.ship_by_name("a"), 6.0) == 0.0

    def test_needle_beams_find_no_system(self) -> None:
        entry = {"weapon": "needle-1", "target": "b1", "system": "beam-1"}
        battle = play_turns(
            facing("needle:1@F+FS", "beam:1 cloaking-device", 3.0),
            turn({"b1": "cloak 1"}, r1=[entry]),
        )
        assert whys(battle, "shot-refused") == [
            "no target in range, in its arc and in sight has that system in working order"
        ]

    def test_cloak_fails_above_velocity_24(self) -> None:
        fast = facing("", "cloaking-device", 40.0, b={"velocity": 23, "thrust": 4})
        refused = play_turns(fast, turn({"b1": "+2; cloak 3"}))
        assert whys(refused, "order-refused") == [
            "its cloaking device works only up to velocity 24"
        ]
        voided = play_turns(fast, turn({"b1": "+1; cloak 3"}), turn({"b1": "P1+1"}))
        assert [(line["turn"], line["cause"]) for line in log_lines(voided, "decloaked")] == [
            (2, "speed")
        ]

    def test_damaged_cloak_ends_with_the_turn(self) -> None:
        document = facing(GUN, "cloaking-device", 5.0, b={"boxes": 20, "rows": 4})
        checks = [1, 1, 6, 1, 1]  # two FireCons, then the cloak
        hits = {"beam": [6, 6, 6], "re_roll": [6, 6, 1, 1, 1], "threshold": checks}
        battle = play_turns(document, turn({"b1": "cloak 5"}, r1=FIRE), **hits)
        assert [line["lost"] for line in log_lines(battle, "threshold")] == [["cloaking-device-1"]]
        assert [(line["turn"], line["cause"]) for line in log_lines(battle, "decloaked")] == [
            (1, "damaged")
        ]

    def test_ship_without_a_working_device_appears_at_the_turns_end(self) -> None:
        ship = hull("b", "cloaking-device")
        ship.record = ship.record.with_values(concealed=True, cloaked=5)
        state = battle_of(hull("a", side=1), ship)
        cloaks_fail(Table(state, scripted(), turn=1))
        assert ship.facts() == {"concealed": 1, "cloaked": 5}
        ship.knock_out(ship.profile.index_of["cloaking-device-1"])
        cloaks_fail(Table(state, scripted(), turn=1))
        assert ship.facts() == {}

    def test_cloak_excludes_ftl_second_cloak_and_reflex_field(self) -> None:
        document = facing("", "cloaking-device reflex-field", options=("science-fiction",))
        battle = play_turns(
            document,
            turn({"b1": "cloak 3; ftl"}),
            turn({"b1": "cloak 3; reflex"}),
            turn({"b1": "cloak 3"}),
            turn({"b1": "cloak 2"}),
            turn({"b1": "reflex"}),
        )
        assert whys(battle, "order-refused") == [
            "a ship whose FTL drive is warming up cannot cloak",
            "a cloak and a reflex field cannot be used together",
            "it is not on the table, or is already cloaked",
            "a cloaked ship cannot switch on a reflex field",
        ]

    def test_cloak_may_be_renewed_as_it_ends(self) -> None:
        battle = play_turns(
            facing("", "cloaking-device"), turn({"b1": "cloak 1"}), turn({"b1": "cloak 1"}), turn()
        )
        assert [
            (line["event"], line["turn"]) for line in log_lines(battle, "cloaked", "decloaked")
        ] == [
            ("cloaked", 1),
            ("cloaked", 2),
            ("decloaked", 3),
        ]

    def test_duration_is_known_to_its_own_side_only(self) -> None:
        battle = play_turns(facing("", "cloaking-device"), turn({"b1": "cloak 7"}))
        foe = stops.side_view(battle, 0)["contacts"][0]
        own = stops.side_view(battle, 1)["own"]["b1"]
        assert (foe["notes"], own["notes"]) == ({"concealed": 1}, {"concealed": 1, "cloaked": 8})


class TestCloakingField:
    def test_cloaking_field_removes_the_ship_until_its_orders_end(self) -> None:
        document = facing(GUN, "cloaking-field", 20.0, b={"velocity": 4, "thrust": 4})
        battle = play_turns(document, turn({"b1": "cloak 2"}, r1=FIRE), turn({"b1": "+2"}, r1=FIRE))
        ship = ship_of(battle, "b1")
        assert (ship.status, ship.x, ship.y) == (CLOAKED, 60.0, 30.0)
        assert len(log_lines(battle, "shot-refused")) == 2
        after = play_turns(
            document, turn({"b1": "cloak 2"}), turn({"b1": "+2"}), turn({}, r1=FIRE), beam=[1, 1, 1]
        )
        out = log_lines(after, "decloaked")[0]
        assert (out["turn"], out["at"], out["course"], out["cause"]) == (3, [60.0, 24.0], 6, "time")
        assert ship_of(after, "b1").status == FIGHTING
        assert log_lines(after, "fire")[0]["range"] == 4.0

    def test_ship_in_the_field_neither_fires_nor_is_hit(self) -> None:
        document = facing("beam:1", "cloaking-field beam:1", 6.0)
        battle = play_turns(document, turn({"b1": "cloak 1"}, r1=FIRE, b1=("beam-1>r1",)))
        assert log_lines(battle, "fire") == []

    def test_ship_emerging_off_the_table_is_gone(self) -> None:
        document = facing("", "cloaking-field", 15.0, b={"velocity": 20, "course": 12, "thrust": 6})
        plots: tuple[dict[str, str], ...] = ({"b1": "cloak 5"}, {}, {}, {}, {}, {})
        battle = play_turns(document, *(turn(plot) for plot in plots))
        lines = log_lines(battle, "left-table")
        assert [(line["turn"], line["edge"]) for line in lines] == [(6, "top")]
        assert ship_of(battle, "b1").status == LEFT_TABLE

    def test_well_plotted_ship_returns_to_the_table(self) -> None:
        document = facing("", "cloaking-field", 92.0, b={"velocity": 6, "course": 12, "thrust": 6})
        plots = ("cloak 5", "", "S3", "S3", "-2", "")
        heights = []
        for count in range(1, len(plots) + 1):
            battle = play_turns(document, *(turn({"b1": plot}) for plot in plots[:count]))
            heights.append(ship_of(battle, "b1").y > 120.0)
        assert heights == [False, True, True, True, False, False]
        assert (ship_of(battle, "b1").status, log_lines(battle, "left-table")) == (FIGHTING, [])

    def test_damaged_field_works_as_a_device(self) -> None:
        ship = hull("a", "cloaking-field")
        assert cloak_kind(ship) == "field"
        ship.knock_out(ship.profile.index_of["cloaking-field-1"])
        assert cloak_kind(ship) == "device"
        ship.knock_out(ship.profile.index_of["cloaking-field-1"])
        assert cloak_kind(ship) == ""

    def test_damaged_tuffley_cloak_hides_nothing(self) -> None:
        ship = hull("a", "tuffley-cloak")
        assert cloak_kind(ship) == "field"
        ship.knock_out(ship.profile.index_of["tuffley-cloak-1"])
        assert cloak_kind(ship) == ""

    def test_half_strength_cloak_leaves_the_ship_on_the_table(self) -> None:
        document = facing("", "cloaking-field", 10.0, b={"velocity": 2})
        document["sides"][1]["ships"][0]["lost"] = ["cloaking-field-1"]
        battle = play_turns(document, turn({"b1": "cloak 1"}))
        assert [(line["cloak"], line["at"]) for line in log_lines(battle, "cloaked")] == [
            ("device", [60.0, 28.0])
        ]

    def test_hidden_ship_is_in_play_without_a_contact_and_its_marker_is_public(self) -> None:
        document = facing("", "cloaking-field", 20.0, b={"velocity": 4, "thrust": 4})
        battle = play_turns(document, turn({"b1": "cloak 3"}))
        view = stops.side_view(battle, 0)
        assert (view["contacts"], view["markers"]) == ([], [{"id": "b1", "at": [60.0, 40.0]}])
        assert sole_side(battle.state) == (False, None)
        assert stops.awaited_sides(battle) == (0, 1)
        assert "unknown-target" in str(stops.read_orders(battle, 0, {"plot": {"r1": "scan b1"}})[1])

    def test_velocity_is_seen_with_the_next_move(self) -> None:
        document = facing("", "cloaking-field", 30.0, b={"velocity": 5, "thrust": 4})
        turns = [turn({"b1": "cloak 1"}), turn({}), turn({})]
        views = [
            stops.side_view(play_turns(document, *turns[:n]), 0)["contacts"] for n in (1, 2, 3)
        ]
        assert views[0] == []
        assert [contacts[0]["velocity"] for contacts in views[1:]] == [None, 5]
        assert [contacts[0]["course"] for contacts in views[1:]] == [6, 6]

    def test_ship_hidden_at_the_end_counts_as_lost(self) -> None:
        battle = play_turns(
            facing("", "cloaking-field", 20.0, b={"velocity": 4}), turn({"b1": "cloak 9"})
        )
        state = battle.state.copy()
        uncover_all(Table(state, scripted(), turn=1))
        assert (state.ship_by_name("b1").status, scored_percentage(state.ship_by_name("b1"))) == (
            FIGHTING,
            GONE,
        )

    def test_hidden_ship_cannot_act_outside(self) -> None:
        document = facing("", "cloaking-field ecm suicide-charge", 20.0)
        asked = ("jam", "detonate", "ftl", "cloak 3")
        battle = play_turns(
            document, turn({"b1": "cloak 9"}), *(turn({"b1": word}) for word in asked)
        )
        assert len(whys(battle, "order-refused")) == len(asked)


class TestShotsAtCloakedShips:
    @pytest.mark.parametrize(
        ("weapon", "modifier", "times"),
        [("beam", -2, 2.0), ("pds", -2, 2.0), ("spinal-beam", 0, 1.0)],
    )
    def test_only_partial_terrain_affects_hidden_movement(
        self, weapon: str, modifier: int, times: float
    ) -> None:
        state = battle_of(hull("a", weapon), hull("b", "cloaking-device", at=(10, 15), side=1))
        target = state.ship_by_name("b")
        target.write_fact("concealed", 1)
        shot = shot_at(state, state.ship_by_name("a"), 1, Fire(f"{weapon}-1", ("b",)), target)
        assert (shot.modifier, shot.rerolls_modified, shot.distance) == (
            modifier,
            modifier,
            5.0 * times,
        )


def test_cloak_order_needs_turns() -> None:
    for text in ("cloak", "cloak 0", "cloak two"):
        wrong = stops.read_orders(
            start_battle(facing("", "cloaking-device")), 1, {"plot": {"b1": text}}
        )[1]
        assert [fault.code for fault in wrong] == ["plot-cloak"]


def test_cloaked_ship_cannot_see_asteroids() -> None:
    document = facing(
        "", "cloaking-device", 40.0, b={"velocity": 2}, asteroids=[{"at": [60, 57], "radius": 1}]
    )
    battle = play_turns(document, turn({"b1": "cloak 2"}), turn({}))
    assert [(line["turn"], line["die"]) for line in log_lines(battle, "crashed")] == [(2, 0)]
    assert log_lines(play_turns(document, turn({}), turn({})), "avoided")

"""Point defence by level: the book's worked examples, and each table with scripted dice."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.continuum.craft.level_runs import band_of
from engine.continuum.defence_level import heavy_missile_band, missiles_through, salvo_level
from engine.core.dice import Dice
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of, start_battle
from tests.engine.ordnance.test_missiles import BEAM, FORE, RACKS, defend_with, launched, refusals

HEAVY = f"heavy-missile@{FORE}"
OPTION = {"options": ["point-defence-level"]}


def guarding(*weapons: str, ship: str = "b1", target: str = "") -> dict[str, Any]:
    """Return a ship's weapons that count for its own level, or for another's."""
    aimed = {"target": target} if target else {}
    return {"defend": {ship: [{"weapon": weapon, **aimed} for weapon in weapons]}}


def by_level(ours: str, theirs: str, **more: Any) -> dict[str, Any]:
    return facing(ours, theirs, 20.0, **more) | OPTION


def strikes(battle: Battle) -> list[tuple[int, int, int]]:
    return [
        (line["die"], line["through"], line["points"])
        for line in log_lines(battle, "ordnance-struck")
    ]


def levels(battle: Battle) -> list[tuple[str, int, int]]:
    return [
        (line["ship"], line["level"], line["at_salvoes"])
        for line in log_lines(battle, "defence-level")
    ]


@pytest.mark.rule("pdl.level")
class TestLevel:
    def test_example_level(self) -> None:
        """Two class 1 beams roll 1 and 4, two PDS 4 and 6 with a 2 after it: level 3, so heavy
        missiles need a 4.
        """
        document = by_level(f"{HEAVY} {HEAVY} {HEAVY}", f"{BEAM} {BEAM} pds pds")
        orders = launched("heavy-missile-1", "heavy-missile-2", "heavy-missile-3") | guarding(
            "beam-1", "beam-2", "pds-1", "pds-2"
        )
        battle = play_turns(
            document, orders, point_defence=[1, 4, 4, 6], re_roll=[2], to_hit=[3, 4, 6], damage=[1, 2, 3, 4, 5, 1],
            threshold=[1] * 20,
        )  # fmt: skip
        assert levels(battle) == [("b1", 3, 3)]
        assert strikes(battle) == [(3, 0, 0), (4, 1, 6), (6, 1, 10)]

    @pytest.mark.parametrize(
        ("level", "band"),
        [
            (0, 0),
            (1, 1),
            (2, 2),
            (3, 2),
            (4, 3),
            (6, 3),
            (7, 4),
            (10, 4),
            (11, 5),
            (15, 5),
            (16, 6),
        ],
    )
    def test_bands(self, level: int, band: int) -> None:
        assert band_of(level) == band

    @pytest.mark.rule("pdl.advanced-missiles")
    def test_advanced_missiles_roll_one_band_lower(self) -> None:
        """At level 3 they need a 3 instead of a 4; without point defence still a 2."""
        document = by_level(f"{HEAVY} {HEAVY}", f"{BEAM} {BEAM} pds pds")
        document["options"] = ["point-defence-level", "advanced-missiles"]
        shots = launched("heavy-missile-1", "heavy-missile-2")
        orders = shots | guarding("beam-1", "beam-2", "pds-1", "pds-2")
        battle = play_turns(
            document, orders, point_defence=[1, 4, 4, 6], re_roll=[2], to_hit=[2, 3],
            damage=[1, 2, 3], threshold=[1] * 20,
        )  # fmt: skip
        assert strikes(battle) == [(2, 0, 0), (3, 1, 6)]
        assert [heavy_missile_band(battle.state, level) for level in (0, 1, 3, 16)] == [0, 0, 1, 5]

    def test_scatterguns_roll_four_dice(self) -> None:
        document = by_level(HEAVY, "pds scattergun")
        _, faults = stops.read_orders(
            at_defence(document, launched("heavy-missile-1")), 1, guarding("pds-1", "scattergun-1")
        )
        assert [(fault.where, fault.code) for fault in faults] == [("defend.b1[1]", "defence")]
        battle = play_turns(
            document, launched("heavy-missile-1") | guarding("scattergun-1"), point_defence=[4, 5, 6, 1], re_roll=[1],
            to_hit=[5], damage=[1, 1, 1],
        )  # fmt: skip
        assert levels(battle) == [("b1", 4, 4)]
        assert [
            line["remaining"]
            for line in log_lines(battle, "weapon-used")
            if line["weapon"] == "scattergun-1"
        ] == [0]

    def test_default_level_uses_idle_weapons(self) -> None:
        battle = play_turns(
            by_level(HEAVY, f"pds {BEAM} scattergun"),
            launched("heavy-missile-1"),
            point_defence=[3],
            to_hit=[1],
        )
        assert [line["weapon"] for line in log_lines(battle, "defence-level-rolled")] == ["pds-1"]
        assert levels(battle) == [("b1", 0, 0)]

    def test_weapon_used_for_the_level_does_not_fire(self) -> None:
        document = by_level(HEAVY, BEAM)
        orders = launched("heavy-missile-1") | guarding("beam-1")
        orders |= {"engage": {"b1": [{"weapon": "beam-1", "target": "r1"}]}}
        battle = play_turns(document, orders, point_defence=[1], to_hit=[1])
        assert refusals(battle) == ["it was used for point defence this turn"]


def at_defence(document: dict[str, Any], orders: dict[str, Any]) -> Battle:
    """Return the battle in its defence phase, after a launch."""
    battle, _ = stops.resolve_documents(
        start_battle(document), {0: {"plot": {}, "launch": orders["launch"]}}, Dice(1)
    )
    assert battle.state.stop == "defend"
    return battle


@pytest.mark.rule("pdl.missiles")
class TestHeavyMissiles:
    def test_high_level_removes_damage_dice(self) -> None:
        guns = " ".join(["pds"] * 6)
        document = by_level(HEAVY, guns)
        for extra, dice in (([], 2), ([6, 6, 6], 1)):
            battle = play_turns(
                document, launched("heavy-missile-1"), point_defence=[6, 6, 6, 6, 6, 6], re_roll=[*extra, *[1] * 9],
                to_hit=[6], damage=[4] * dice, threshold=[1] * 9,
            )  # fmt: skip
            assert strikes(battle) == [(6, 1, 4 * dice)]

    def test_advanced_screens_reduce_damage_but_not_the_level(self) -> None:
        battle = play_turns(
            by_level(HEAVY, "advanced-screen"), launched("heavy-missile-1"), to_hit=[2], damage=[4, 4, 4],
            threshold=[1] * 9,
        )  # fmt: skip
        assert levels(battle) == [("b1", 0, 0)]
        assert strikes(battle) == [(2, 1, 9)]


@pytest.mark.rule("pdl.salvoes")
class TestSalvoes:
    def test_example_level(self) -> None:
        """Level 9 against six salvoes is level 4: of dice 1, 3, 4, 5, 5 and 6 eight missiles hit."""
        assert salvo_level(9, 6) == 4
        assert sum(missiles_through(4, die) for die in (1, 3, 4, 5, 5, 6)) == 8

    def test_salvoes_reduce_the_level_to_0_at_least(self) -> None:
        assert [salvo_level(level, 3) for level in (9, 2, 1, 0)] == [7, 0, 0, 0]

    def test_level_of_16_stops_all(self) -> None:
        assert [missiles_through(level, 6) for level in (0, 1, 3, 6, 10, 15, 16, 30)] == [
            6,
            5,
            4,
            3,
            2,
            1,
            0,
            0,
        ]

    def test_two_salvoes_at_a_ship_with_one_pds(self) -> None:
        battle = play_turns(
            by_level(RACKS, "pds"), launched("salvo-rack-1", "salvo-rack-2"), point_defence=[6], re_roll=[3],
            missiles=[1, 3], damage=[2, 2],
        )  # fmt: skip
        assert levels(battle) == [("b1", 2, 1)]
        assert strikes(battle) == [(1, 0, 0), (3, 2, 4)]


@pytest.mark.rule("pdl.sequence")
class TestAreaDefence:
    def two(self, escort: str) -> dict[str, Any]:
        """Return b1 under attack, and b2 4 MU from it with these systems."""
        document = by_level(RACKS, "pds")
        systems = facing(RACKS, escort, 20.0)["sides"][1]["ships"][0]
        document["sides"][1]["ships"].append({**systems, "id": "b2", "at": [64, 40]})
        return document

    def test_pds_with_adfc_counts_for_the_helped_ship(self) -> None:
        document = self.two("adfc pds")
        orders = launched("salvo-rack-1") | guarding("pds-1", ship="b2", target="b1")
        battle = play_turns(document, orders, point_defence=[4, 5], missiles=[2], damage=[])
        assert [(line["ship"], line["guarded"]) for line in log_lines(battle, "defence-level-rolled")] == [
            ("b1", "b1"), ("b2", "b1")
        ]  # fmt: skip
        assert levels(battle) == [("b1", 2, 2)]

    @pytest.mark.parametrize(
        ("escort", "weapon"),
        [("pds", "pds-1"), (f"adfc {BEAM}", "beam-1"), (f"advanced-adfc {BEAM}", "beam-1")],
    )
    def test_help_needs_an_adfc_and_excludes_beams(self, escort: str, weapon: str) -> None:
        battle = at_defence(self.two(escort), launched("salvo-rack-1"))
        _, faults = stops.read_orders(battle, 1, guarding(weapon, ship="b2", target="b1"))
        assert [fault.where for fault in faults] == ["defend.b2[0]"]

    @pytest.mark.parametrize("target", ["b2", "r1", "marker-1"])
    def test_only_an_attacked_friend_is_defended(self, target: str) -> None:
        battle = at_defence(self.two("adfc pds"), launched("salvo-rack-1"))
        _, faults = stops.read_orders(battle, 1, guarding("pds-1", target=target))
        assert [fault.where for fault in faults] == ["defend.b1[0]"]

    def test_helpers_of_another_type_do_not_count(self) -> None:
        document = self.two("adfc scattergun")
        orders = launched("salvo-rack-1") | guarding("scattergun-1", ship="b2", target="b1")
        battle = play_turns(document, orders, point_defence=[4], missiles=[1])
        assert [line["weapon"] for line in log_lines(battle, "defence-level-rolled")] == ["pds-1"]
        assert refusals(battle) == [
            "scatterguns and grapeshot cannot defend a ship together with other point defence"
        ]

    def test_marker_must_be_named_without_the_option(self) -> None:
        document = self.two("adfc pds")
        del document["options"]
        battle = at_defence(document, launched("salvo-rack-1"))
        for orders in (guarding("pds-1"), guarding("pds-1", target="b1")):
            _, faults = stops.read_orders(battle, 1, orders)
            assert [(fault.where, fault.code) for fault in faults] == [
                ("defend.b1[0].target", "unknown-target")
            ]
        assert stops.read_orders(battle, 1, defend_with(("pds-1", "marker-1")))[1] == ()

    def test_captains_defend_with_one_type_of_weapon(self) -> None:
        battle = at_defence(
            self.two("adfc pds scattergun"), launched("salvo-rack-1", "salvo-rack-2")
        )
        advice = stops.advise(battle, 1, Doctrine(), "x")
        assert stops.read_orders(battle, 1, advice)[1] == ()
        assert {**advice}["defend"] == {
            "b1": [{"weapon": "pds-1"}],
            "b2": [{"weapon": "pds-1", "target": "b1"}],
        }

    def test_destroyed_ship_makes_no_second_check(self) -> None:
        battle = play_turns(
            by_level(HEAVY, "", b={"damage": 29}),
            launched("heavy-missile-1"),
            to_hit=[2],
            damage=[6, 6, 6],
        )
        assert battle.winner == "red"
        assert ship_of(battle, "b1").status == "destroyed"

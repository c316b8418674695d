"""Guns as point defence: targets, arcs, protected ships, and what they cannot do afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from tests.engine.craft.carrier_battles import N1, carriers, group, launch, turn
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of, start_battle
from tests.engine.ordnance.test_missiles import FORE, RACKS, defend_with, launched, refusals

LIKE_PDS = ("gatling", "particle-array", "meson", "pulser", "phaser:2")


def name_of(word: str) -> str:
    return word.partition("@")[0].partition(":")[0] + "-1"


def attacked(
    helper: str, distance: float = 6.0, racks: str = RACKS, guard: str = ""
) -> dict[str, Any]:
    """Return b1 under attack with its own `guard`, and b2 with `helper` so far behind it."""
    document = facing(racks, guard, 20.0)
    other = facing(racks, helper, 20.0)["sides"][1]["ships"][0] | {
        "id": "b2",
        "at": [60, 40 + distance],
    }
    document["sides"][1]["ships"].append(other)
    return document


def guarding(weapon: str, target: str = "marker-1", **more: Any) -> dict[str, Any]:
    return {"defend": {"b2": [{"weapon": weapon, "target": target, **more}]}}


@pytest.mark.rule("pc.emp", "pc.point-defence")
class TestEmp:
    @pytest.mark.parametrize(("die", "killed"), [(4, 0), (5, 1), (6, 1)])
    def test_smallest_gun_kills_a_missile_on_a_five_without_rerolls(
        self, die: int, killed: int
    ) -> None:
        document = facing(RACKS, "emp:1@ALL", 20.0)
        orders = launched("salvo-rack-1") | defend_with(("emp-1", "marker-1"))
        battle = play_turns(document, orders, point_defence=[die], missiles=[3], damage=[1] * 3)
        assert [line["through"] for line in log_lines(battle, "ordnance-struck")] == [3 - killed]

    def test_smallest_gun_kills_any_fighter_for_its_own_ship(self) -> None:
        for mods in ((), ("heavy",)):
            document = carriers("standard", "", 14.0, guard="emp:1@ALL", mods=mods)
            orders = turn(launch(), {N1: "to 60 30; face 12"}, attack={N1: "fighters>b1"},
                          defend={"b1": [{"weapon": "emp-1", "target": N1}]})  # fmt: skip
            assert (
                group(play_turns(document, orders, point_defence=[5], fighter=[1] * 5), N1).craft
                == 5
            )
        battle = play_turns(
            attacked("emp:1@ALL adfc"),
            launched("salvo-rack-1") | guarding("emp-1"),
            missiles=[1],
            damage=[1],
        )
        assert refusals(battle) == ["it can defend only its own ship"]

    def test_larger_guns_are_excluded(self) -> None:
        orders = launched("salvo-rack-1") | defend_with(("emp-1", "marker-1"))
        battle = play_turns(facing(RACKS, "emp:2@ALL", 20.0), orders, missiles=[1], damage=[1])
        assert len(refusals(battle)) == 1
        assert log_lines(battle, "point-defence-at-ordnance") == []


@pytest.mark.rule(
    "pc.gatling",
    "pc.twin-particle-array",
    "pc.meson",
    "pc.pulsers",
    "pc.phasers",
    "pc.point-defence",
)
class TestGunsLikePds:
    @pytest.mark.parametrize("gun", LIKE_PDS)
    def test_gun_rolls_one_pds_die_in_its_arcs_even_aft(self, gun: str) -> None:
        for arcs, hit in ((FORE, True), ("A+AS+AP", False)):  # the missiles come from ahead of b1
            document = facing(RACKS, f"{gun}@{arcs}", 20.5)
            orders = launched("salvo-rack-1", at=[60, 38]) | defend_with((name_of(gun), "marker-1"))
            battle = play_turns(document, orders, point_defence=[6] if hit else [], re_roll=[4] if hit else [],
                            missiles=[3], damage=[1] * 3)  # fmt: skip
            assert [line["hits"] for line in log_lines(battle, "point-defence-at-ordnance")] == (
                [3] if hit else []
            )
            assert refusals(battle) == (
                [] if hit else ["it cannot fire toward where the attack comes from"]
            )
        behind = facing(RACKS, f"{gun}@A+AS+AP", 20.0, b={"course": 12, "velocity": 4})
        orders = (
            {"plot": {"b1": "+1"}}
            | launched("salvo-rack-1", at=[60, 43])
            | defend_with((name_of(gun), "marker-1"))
        )
        battle = play_turns(behind, orders, point_defence=[4], missiles=[1], damage=[])
        assert [line["hits"] for line in log_lines(battle, "point-defence-at-ordnance")] == [1]

    @pytest.mark.parametrize("gun", LIKE_PDS)
    def test_adfc_lets_guns_defend_a_friend(self, gun: str) -> None:
        orders = launched("salvo-rack-1") | guarding(name_of(gun))
        for systems, words in (
            (" adfc", []),
            ("", ["without a free ADFC it can defend only its own ship"]),
        ):
            document = attacked(f"{gun}@ALL{systems}")
            battle = play_turns(
                document, orders, point_defence=[] if words else [4], missiles=[1], damage=[1]
            )
            assert refusals(battle) == words
            assert [line["guarded"] for line in log_lines(battle, "point-defence-at-ordnance")] == (
                [] if words else ["b1"]
            )

    @pytest.mark.parametrize("gun", LIKE_PDS)
    def test_six_reduces_a_bolt_and_beams_are_excluded(self, gun: str) -> None:
        document = facing(f"plasma-bolt:3@{FORE}", f"{gun}@ALL beam:1@ALL emp:1@ALL", 20.0)
        bolt = launched("plasma-bolt-1")
        battle = play_turns(
            document,
            bolt | defend_with((name_of(gun), "marker-1")),
            point_defence=[6],
            damage=[1] * 2,
        )
        assert ship_of(battle, "b1").damage == 2
        for other in ("beam-1", "emp-1"):
            battle = play_turns(document, bolt | defend_with((other, "marker-1")), damage=[1] * 3)
            assert refusals(battle) == ["it cannot hit a plasma bolt"]

    def test_short_range_pulser_has_one_die(self) -> None:
        document = facing(RACKS, "pulser@ALL", 20.0, b={"settings": {"pulser-1": "short"}})
        orders = launched("salvo-rack-1") | defend_with(("pulser-1", "marker-1"))
        battle = play_turns(document, orders, point_defence=[4], missiles=[1], damage=[])
        assert [line["dice"] for line in log_lines(battle, "point-defence-at-ordnance")] == [[4]]

    @pytest.mark.parametrize("gun", LIKE_PDS)
    def test_gun_used_for_defence_fires_at_no_ship(self, gun: str) -> None:
        fire = {"engage": {"b1": [{"weapon": name_of(gun), "target": "r1"}]}}
        orders = launched("salvo-rack-1") | defend_with((name_of(gun), "marker-1")) | fire
        battle = play_turns(facing(RACKS, f"{gun}@ALL", 12.0), orders | launched("salvo-rack-1", at=[60, 32]),
                        point_defence=[4], missiles=[1], damage=[])  # fmt: skip
        assert refusals(battle) == ["it was used for point defence this turn"]


@pytest.mark.rule("pc.phasers")
class TestPhasersAsAreaDefence:
    @pytest.mark.parametrize(("distance", "dice"), [(6.0, 2), (6.5, 1), (12.0, 1)])
    def test_advanced_firecon_defends_within_12_mu_without_adfc(
        self, distance: float, dice: int
    ) -> None:
        document = attacked("phaser:2@ALL advanced-firecon", distance)
        battle = play_turns(document, launched("salvo-rack-1") | guarding("phaser-1", mode="area"),
                        point_defence=[1] * dice, missiles=[1], damage=[1])  # fmt: skip
        assert [len(line["dice"]) for line in log_lines(battle, "point-defence-at-ordnance")] == [
            dice
        ]

    def test_no_defence_beyond_12_mu_or_without_it(self) -> None:
        orders = launched("salvo-rack-1") | guarding("phaser-1", mode="area")
        far = play_turns(
            attacked("phaser:2@ALL advanced-firecon", 12.5), orders, missiles=[1], damage=[1]
        )
        assert refusals(far) == ["the ship that is attacked is too far away"]
        plain = play_turns(attacked("phaser:2@ALL", 6.0), orders, missiles=[1], damage=[1])
        assert refusals(plain) == ["it needs an advanced FireCon for that"]

    def test_one_firecon_defends_any_number_of_friends(self) -> None:
        racks = f"{RACKS} salvo-rack@{FORE}"
        document = attacked("phaser:1@ALL phaser:1@ALL phaser:1@ALL advanced-firecon", 4.0, racks)
        third = document["sides"][1]["ships"][0] | {"id": "b3", "at": [60, 50]}
        document["sides"][1]["ships"].append(third)
        orders = launched("salvo-rack-1") | {
            "defend": {
                "b2": [
                    {"weapon": f"phaser-{n}", "target": f"marker-{n}", "mode": "area"}
                    for n in (1, 2, 3)
                ]
            }
        }
        orders["launch"]["r1"] += [
            {"weapon": "salvo-rack-2", "at": [60, 44]}, {"weapon": "salvo-rack-3", "at": [60, 44]}
        ]  # fmt: skip
        document["sides"][1]["ships"][1]["at"] = [63, 46]
        battle = play_turns(
            document, orders, point_defence=[1] * 6, missiles=[1, 1, 1], damage=[1, 1, 1]
        )
        assert (refusals(battle), len(log_lines(battle, "point-defence-at-ordnance"))) == ([], 3)

    def test_two_dice_may_be_split_within_6_mu(self) -> None:
        document = attacked("phaser:2@ALL advanced-firecon", 6.0)
        both = launched("salvo-rack-1", "salvo-rack-2")
        battle = play_turns(document, both | guarding("phaser-1", ["marker-1", "marker-2"], mode="area"),  # type: ignore[arg-type]
                        point_defence=[1, 4], missiles=[1, 1], damage=[1])  # fmt: skip
        met_by = [
            (line["marker"], line["dice"])
            for line in log_lines(battle, "point-defence-at-ordnance")
        ]
        assert met_by == [("marker-1", [1]), ("marker-2", [4])]

    @pytest.mark.parametrize("gun", ["pds", "beam:1@ALL", "gatling@ALL", "meson@ALL", "pulser@ALL"])
    def test_advanced_firecon_turns_only_guns_into_area_defence(self, gun: str) -> None:
        orders = launched("salvo-rack-1") | guarding(name_of(gun), mode="area")
        battle = play_turns(
            attacked(f"{gun} advanced-firecon", 4.0), orders, missiles=[1], damage=[1]
        )
        assert refusals(battle) == ["it cannot fire as area defence"]

    def test_idle_craft_as_targets(self) -> None:
        document = carriers("standard", "", 20.0, guard="phaser:2@ALL advanced-firecon pds adfc")
        orders = turn(launch(), {N1: "to 60 32; face 6"},
                      defend={"b1": [{"weapon": "phaser-1", "target": N1, "mode": "area"}]})  # fmt: skip
        battle = play_turns(document, orders, point_defence=[4])
        assert [
            (line["group"], line["range"]) for line in log_lines(battle, "point-defence-at-craft")
        ] == [(N1, 8.0)]


@pytest.mark.rule("pc.phasers", "pc.gatling", "pc.adfc")
def test_captains_use_idle_guns_for_defence() -> None:
    far = attacked("gatling@ALL gatling@ALL adfc", 4.0)  # the foe is out of range of both
    advice = captains_defence(far, launched("salvo-rack-1"))
    assert advice == {"b2": [{"weapon": f"gatling-{n}", "target": "marker-1"} for n in (1, 2)]}
    near = facing(f"salvo-rack@{FORE}", "gatling@ALL", 10.0)
    assert captains_defence(near, launched("salvo-rack-1", at=[60, 30])) == {}
    area = captains_defence(
        attacked("phaser:1@ALL advanced-firecon", 9.0), launched("salvo-rack-1")
    )
    assert area == {"b2": [{"weapon": "phaser-1", "target": "marker-1", "mode": "area"}]}


def captains_defence(document: dict[str, Any], launch_: dict[str, Any]) -> Any:
    """Return the point defence that blue's captain orders; it is never refused."""
    battle: Battle = start_battle(document)
    battle, _ = stops.resolve_documents(
        battle, {0: {"plot": {}, **launch_}, 1: {"plot": {}}}, Dice(3)
    )
    assert battle.state.stop == "defend"
    advice = stops.advise(battle, 1, Doctrine(), "guard")
    assert stops.read_orders(battle, 1, advice)[1] == ()
    return advice.get("defend", {})

"""Plasma bolts and antimatter missiles: where they explode, what they hit, and point defence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.pieces.marker import Marker
from engine.weapons.ordnance import antimatter_blast, plasma_blast
from tests.engine.battle.table import replays
from tests.engine.craft.carrier_battles import carriers
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of, start_battle
from tests.engine.ordnance.test_missiles import FORE, defend_with, launched

RACK = f"antimatter-missile@{FORE}"
SAFE = [1] * 40  # threshold dice without losses


def bolt(size: int = 1) -> str:
    return f"plasma-bolt:{size}@F"


def add_ships(
    document: dict[str, Any], *places: tuple[str, list[float]], side: int = 1
) -> dict[str, Any]:
    """Return further ships like b1 at these places."""
    pattern = json.loads(json.dumps(document["sides"][1]["ships"][0]))
    document["sides"][side]["ships"] += [{**pattern, "id": name, "at": at} for name, at in places]
    return document


def damage(battle: Battle) -> dict[str, int]:
    return {ship.id: ship.damage for ship in battle.state.ships}


@pytest.mark.rule("pc.plasma-bolts")
class TestPlasmaBolts:
    def test_one_die_per_class_for_everything_within_6_mu(self) -> None:
        document = add_ships(facing(bolt(2), "", 20.0), ("b2", [66, 40]), ("b3", [66.2, 40]))
        add_ships(document, ("r2", [60, 46]), side=0)
        battle = play_turns(
            document, launched("plasma-bolt-1"), damage=[1, 2, 3, 4, 5, 6], threshold=SAFE
        )
        assert damage(battle) == {"r1": 0, "r2": 3, "b1": 7, "b2": 11, "b3": 0}
        assert replays(start_battle(document), battle)

    @pytest.mark.parametrize("options", [[], ["point-defence-level"]])
    def test_bolt_explodes_without_a_nearby_enemy(self, options: list[str]) -> None:
        """Beside a friend, or in empty space: nobody is asked, and it does not wait for a target."""
        document = add_ships(facing(bolt(1), "", 70.0), ("r2", [60, 46]), side=0) | {
            "options": options
        }
        dice = {"to_hit": [2]} if options else {}
        battle = play_turns(document, launched("plasma-bolt-1"), damage=[5], threshold=SAFE, **dice)
        assert damage(battle) == {"r1": 0, "r2": 5, "b1": 0}
        void = play_turns(
            facing(bolt(1), "", 70.0) | {"options": options}, launched("plasma-bolt-1"), damage=[]
        )
        assert [line["at"] for line in log_lines(void, "ordnance-burst")] == [[60.0, 40.0]]
        assert not void.state.pieces_of(Marker)

    def test_craft_alone_in_the_blast_are_destroyed(self) -> None:
        document = carriers("", "standard", 70.0, beside=bolt(1))
        document["sides"][1]["ships"][0]["groups"] = {"hangar-1": {"at": [60, 42], "course": 6}}
        battle = play_turns(document, launched("plasma-bolt-1"), damage=[4])
        assert [line["craft"] for line in log_lines(battle, "craft-burned")] == [4]

    @pytest.mark.parametrize(
        ("screens", "points"), [("screen", 5), ("screenx2", 4), ("advanced-screenx2", 4)]
    )
    def test_each_screen_level_reduces_each_die(self, screens: str, points: int) -> None:
        battle = play_turns(
            facing(bolt(2), screens, 20.0), launched("plasma-bolt-1"), damage=[1, 6], threshold=SAFE
        )
        assert ship_of(battle, "b1").damage == points

    def test_pds_hit_on_a_6_takes_a_class_without_reroll(self) -> None:
        orders = launched("plasma-bolt-1") | defend_with(
            ("pds-1", "marker-1"), ("pds-2", "marker-1")
        )
        battle = play_turns(
            facing(bolt(2), "pds pds", 20.0), orders, point_defence=[6, 5], damage=[4]
        )
        assert ship_of(battle, "b1").damage == 4
        gone = play_turns(facing(bolt(1), "pds pds", 20.0), orders, point_defence=[6, 5])
        assert ship_of(gone, "b1").damage == 0
        assert [line["reason_text"] for line in log_lines(gone, "ordnance-removed")] == [
            "shot down before it went off"
        ]

    @pytest.mark.parametrize(("die", "hits"), [(3, 3), (4, 2), (5, 2), (6, 1)])
    def test_scattergun_takes_one_or_two(self, die: int, hits: int) -> None:
        orders = launched("plasma-bolt-1") | defend_with(("scattergun-1", "marker-1"))
        battle = play_turns(
            facing(bolt(3), "scattergun", 20.0),
            orders,
            point_defence=[die],
            damage=[1] * hits,
            threshold=SAFE,
        )
        assert ship_of(battle, "b1").damage == hits

    def test_bolts_are_engaged_by_order_only_and_never_by_class_1_guns(self) -> None:
        document = facing(bolt(1), "pds beam:1@ALL k-gun:1@ALL", 20.0)
        battle = play_turns(document, launched("plasma-bolt-1"), damage=[2])
        assert log_lines(battle, "point-defence-at-ordnance") == []
        at_it = stopped(document, launched("plasma-bolt-1"))
        for gun in ("beam-1", "k-gun-1"):
            assert places(at_it, defend_with((gun, "marker-1"))) == ["defend.b1[0]"]

    def test_ships_outside_the_blast_help_only_with_adfc(self) -> None:
        for escort, able in (("pds", False), ("adfc pds", True)):
            document = facing(bolt(1), "pds", 20.0)
            other = facing(bolt(1), escort, 20.0)["sides"][1]["ships"][0]
            document["sides"][1]["ships"].append({**other, "id": "b2", "at": [66, 40]})
            battle = stopped(document, launched("plasma-bolt-1", at=[58, 40]))
            assert (places(battle, defend_with(("pds-1", "marker-1"), by="b2")) == []) == able

    def test_missiles_in_the_blast_are_destroyed(self) -> None:
        document = facing(f"{bolt(1)} heavy-missile@{FORE}", "", 20.0)
        battle = play_turns(document, launched("heavy-missile-1", "plasma-bolt-1"), damage=[2])
        assert [line["reason_text"] for line in log_lines(battle, "ordnance-removed")] == [
            "caught in a blast"
        ]
        assert ship_of(battle, "b1").damage == 2

    def test_launcher_fires_every_other_turn(self) -> None:
        turn = launched("plasma-bolt-1", at=[60, 30])
        battle = play_turns(facing(bolt(1), "", 20.0), turn, turn, turn)
        assert [line["turn"] for line in log_lines(battle, "ordnance-launched")] == [1, 3]
        assert [line["reason_text"] for line in log_lines(battle, "shot-refused")] == [
            "it can fire only every other turn"
        ]

    def test_bolt_range_is_30_mu_without_a_firecon(self) -> None:
        battle = start_battle(facing(bolt(1), "", 20.0, r={"lost": ["firecon-1", "firecon-2"]}))
        for at, good in (([60.0, 50.0], True), ([60.0, 50.1], False), ([80.0, 30.0], False)):
            _, faults = stops.read_orders(
                battle, 0, {"plot": {}, **launched("plasma-bolt-1", at=at)}
            )
            assert (faults == ()) == good, at

    def test_level_must_be_exceeded_and_removes_dice(self) -> None:
        document = facing(bolt(2), "pds pds", 20.0) | {"options": ["point-defence-level"]}
        orders = launched("plasma-bolt-1") | {
            "defend": {"b1": [{"weapon": "pds-1"}, {"weapon": "pds-2"}]}
        }
        missed = play_turns(document, orders, point_defence=[4, 4], to_hit=[3])
        assert ship_of(missed, "b1").damage == 0
        high = play_turns(
            document,
            orders,
            point_defence=[6, 6],
            re_roll=[6, 6, 6, 6, 6, 1, 1],
            to_hit=[6],
            damage=[5],
        )
        assert ship_of(high, "b1").damage == 5
        nothing = play_turns(
            document,
            orders,
            point_defence=[6, 6],
            re_roll=[6, 6, 6, 6, 6, 6, 6, 1, 1],
            to_hit=[6],
            damage=[],
        )
        assert ship_of(nothing, "b1").damage == 0

    def test_captains_keep_own_ships_out_of_the_blast(self) -> None:
        far = start_battle(facing(bolt(1), "", 28.0))
        assert stops.advise(far, 0, Doctrine(), "x").get("launch", {}) != {}
        near = start_battle(facing(bolt(1), "", 8.0))
        assert stops.advise(near, 0, Doctrine(), "x").get("launch", {}) == {}


@pytest.mark.rule("pc.antimatter-missile")
class TestAntimatter:
    @pytest.mark.parametrize(
        ("strength", "dice"),
        [(3, [3, 3, 2, 2, 1, 1, 0]), (2, [2, 2, 1, 1, 0, 0, 0]), (1, [1, 1, 0, 0, 0, 0, 0])],
    )
    def test_dice_by_distance(self, strength: int, dice: list[int]) -> None:
        assert [
            antimatter_blast(strength, away) for away in (0.0, 1.0, 1.1, 2.0, 2.1, 3.0, 3.1)
        ] == dice

    def test_missile_homes_and_hurts_ships_near_its_target(self) -> None:
        document = add_ships(facing(RACK, "screenx2", 12.0), ("b2", [62, 32]), ("b3", [64, 32]))
        battle = play_turns(
            document,
            launched("antimatter-missile-1", at=[60, 32]),
            damage=[6, 5, 4, 6, 6],
            threshold=SAFE,
        )
        assert damage(battle) == {"r1": 0, "b1": 9, "b2": 8, "b3": 0}

    def test_three_point_defence_hits_stop_it_and_each_takes_a_die_and_a_mu(self) -> None:
        document = add_ships(facing(RACK, "pds pds pds", 12.0), ("b2", [62, 32]))
        orders = launched("antimatter-missile-1", at=[60, 32])
        orders |= defend_with(("pds-1", "marker-1"), ("pds-2", "marker-1"), ("pds-3", "marker-1"))
        battle = play_turns(document, orders, point_defence=[5, 6, 1], damage=[3])
        assert damage(battle) == {"r1": 0, "b1": 3, "b2": 0}
        stopped_ = play_turns(document, orders, point_defence=[5, 6, 5])
        assert damage(stopped_) == {"r1": 0, "b1": 0, "b2": 0}

    def test_open_fuse_explodes_at_the_aim_point_and_clears_missiles(self) -> None:
        """Red's own salvo beside it is gone, too."""
        document = facing(f"{RACK} salvo-rack@{FORE}", "", 16.0)
        orders: dict[str, Any] = {"launch": {"r1": [
            {"weapon": "antimatter-missile-1", "at": [60, 34], "fuse": "open"},
            {"weapon": "salvo-rack-1", "at": [60, 36]},
        ]}}  # fmt: skip
        battle = play_turns(document, orders, damage=[4, 5], threshold=SAFE)
        assert [line["at"] for line in log_lines(battle, "ordnance-burst")] == [[60, 34]]
        assert ship_of(battle, "b1").damage == 9
        assert [line["reason_text"] for line in log_lines(battle, "ordnance-removed")] == [
            "caught in a blast"
        ]

    @pytest.mark.parametrize("options", [[], ["point-defence-level"]])
    def test_warhead_destroyed_by_an_earlier_blast_does_not_explode(
        self, options: list[str]
    ) -> None:
        document = facing(f"{bolt(1)} {RACK}", "", 16.0) | {"options": options}
        orders: dict[str, Any] = {"launch": {"r1": [
            {"weapon": "plasma-bolt-1", "at": [60, 34]},
            {"weapon": "antimatter-missile-1", "at": [60, 34], "fuse": "open"},
        ]}}  # fmt: skip
        dice = {"to_hit": [2]} if options else {}
        battle = play_turns(document, orders, damage=[3], **dice)
        assert [line["marker"] for line in log_lines(battle, "ordnance-burst")] == ["marker-1"]
        assert [line["reason_text"] for line in log_lines(battle, "ordnance-removed")] == [
            "caught in a blast"
        ]
        assert ship_of(battle, "b1").damage == 3

    def test_only_warheads_have_fuses(self) -> None:
        battle = start_battle(facing(f"heavy-missile@{FORE} {bolt(1)}", "", 20.0))
        for weapon in ("heavy-missile-1", "plasma-bolt-1"):
            _, faults = stops.read_orders(battle, 0, {"plot": {}, **launched(weapon, fuse="open")})
            assert [fault.where for fault in faults] == ["launch.r1[0]"]
        _, faults = stops.read_orders(
            battle, 0, {"plot": {}, **launched("heavy-missile-1", fuse="late")}
        )
        assert [fault.where for fault in faults] == ["launch.r1[0].fuse"]

    def test_warhead_range_is_18_mu(self) -> None:
        battle = start_battle(facing(RACK, "", 20.0))
        for at, good in (([60.0, 38.0], True), ([60.0, 38.1], False)):
            _, faults = stops.read_orders(
                battle, 0, {"plot": {}, **launched("antimatter-missile-1", at=at)}
            )
            assert (faults == ()) == good

    def test_hit_rack_explodes_past_armour_for_good(self) -> None:
        """b1's first row ends: the rack is lost on a 6, and its die hits the hull and also b2
        beside
        it.
        """
        document = facing(f"heavy-missile@{FORE}", RACK, 20.0, b={"damage": 7})
        add_ships(document, ("b2", [60.5, 40]))
        battle = play_turns(
            document,
            launched("heavy-missile-1"),
            damage=[1, 1, 1, 4, 3],
            threshold=[1, 1, 6, *SAFE],
        )
        lost = ship_of(battle, "b1")
        assert "antimatter-missile-1" in lost.lost_systems()
        assert "antimatter-missile-1" in lost.record.irreparable
        assert lost.damage == 7 + 3 + 4
        assert ship_of(battle, "b2").damage == 7 + 3


def stopped(document: dict[str, Any], orders: dict[str, Any]) -> Battle:
    """Return the battle in its defence phase, after a launch."""
    battle, _ = stops.resolve_documents(
        start_battle(document), {0: {"plot": {}, "launch": orders["launch"]}}, Dice(1)
    )
    assert battle.state.stop == "defend"
    return battle


def places(battle: Battle, orders: dict[str, Any]) -> list[str]:
    _, faults = stops.read_orders(battle, 1, orders)
    return [fault.where for fault in faults]


def test_bolt_of_six_classes_has_six_dice() -> None:
    assert (plasma_blast(6, 6.0), plasma_blast(6, 6.1)) == (6, 0)


SHAPED = ["shaped-bolts"]
SHAPE = {"plot": {"r1": "shaped plasma-bolt-1"}}


def at_ship(target: str = "b1") -> dict[str, Any]:
    return {"launch": {"r1": [{"weapon": "plasma-bolt-1", "target": target}]}}


def refusals(battle: Battle) -> list[str]:
    return [line["reason_text"] for line in log_lines(battle, "shot-refused")]


@pytest.mark.rule("pc.plasma-bolts")
class TestShapedBolts:
    def shot(self, size: int, theirs: str = "", distance: float = 12.0, **more: Any) -> Battle:
        dice = {key: more.pop(key) for key in ("to_hit", "damage", "point_defence") if key in more}
        document = facing(bolt(size), theirs, distance, options=("shaped-bolts",), **more)
        return play_turns(document, SHAPE | at_ship(), threshold=SAFE, **dice)

    @pytest.mark.parametrize(
        ("distance", "die", "hits"),
        [(6, 2, 1), (12, 2, 0), (12, 3, 1), (30, 5, 0), (30, 6, 1), (18, 4, 1)],
    )
    def test_shaped_bolt_hits_like_a_projectile(self, distance: float, die: int, hits: int) -> None:
        battle = self.shot(1, distance=distance, to_hit=[die], damage=[3])
        assert [bool(line["marker"]) for line in log_lines(battle, "shaped-bolt")] == [bool(hits)]
        assert ship_of(battle, "b1").damage == 2 * hits

    def test_each_class_of_a_hit_does_a_d3_past_standard_screens(self) -> None:
        assert (
            ship_of(self.shot(3, "screenx2", to_hit=[6], damage=[1, 3, 6]), "b1").damage
            == 1 + 2 + 3
        )
        assert (
            ship_of(self.shot(3, "advanced-screen", to_hit=[6], damage=[1, 3, 6]), "b1").damage
            == 0 + 1 + 2
        )

    def test_half_passes_armour_once_and_neighbours_are_safe(self) -> None:
        document = add_ships(
            facing(bolt(2), "", 12.0, options=("shaped-bolts",), b={"armour": [[9, 0]]}),
            ("b2", [62, 32]),
        )
        battle = play_turns(document, SHAPE | at_ship(), to_hit=[6], damage=[5, 5], threshold=SAFE)
        assert ship_of(battle, "b1").armour == ((6, 0),)
        assert damage(battle) == {"r1": 0, "b1": 3, "b2": 0}

    def test_point_defence_takes_a_class_per_hit_by_order(self) -> None:
        document = facing(bolt(2), "pds", 12.0, options=("shaped-bolts",))
        orders = SHAPE | at_ship() | defend_with(("pds-1", "marker-1"))
        battle = play_turns(
            document, orders, to_hit=[6], point_defence=[6], damage=[6], threshold=SAFE
        )
        assert ship_of(battle, "b1").damage == 3

    def test_shaped_bolt_is_plotted_and_rests_a_turn(self) -> None:
        document = facing(bolt(1), "", 12.0, options=("shaped-bolts",))
        assert refusals(play_turns(document, at_ship())) == [
            "its plot has no order to shape its bolt this turn"
        ]
        assert refusals(play_turns(document, SHAPE | launched("plasma-bolt-1"))) == [
            "its plot shapes its bolt, so it must be fired at a ship"
        ]
        again = play_turns(document, SHAPE | at_ship(), SHAPE | at_ship(), to_hit=[1])
        assert refusals(again) == ["it can fire only every other turn"]

    def test_bolts_are_not_shaped_without_the_option(self) -> None:
        document = facing(bolt(1), "", 12.0)
        battle = play_turns(document, SHAPE | at_ship())
        assert refusals(battle) == [
            "bolts can be shaped only with the optional rule for shaped bolts"
        ]
        refused = stops.read_orders(start_battle(document), 0, SHAPE | at_ship())[1]
        assert [fault.message.removeprefix("r1: ") for fault in refused] == [
            "bolts can be shaped only with the optional rule for shaped bolts"
        ] * 2

    def test_shaped_bolt_must_also_exceed_the_level(self) -> None:
        options = ("shaped-bolts", "point-defence-level")
        document = facing(bolt(2), "", 12.0, options=options)
        battle = play_turns(
            document, SHAPE | at_ship(), to_hit=[6, 2], damage=[6, 6], threshold=SAFE
        )
        assert ship_of(battle, "b1").damage == 6

    def test_captain_shapes_bolts_near_own_ships(self) -> None:
        """A friend is beside the foe."""
        document = add_ships(
            facing(bolt(3), "", 8.0, options=("shaped-bolts",)), ("r2", [64, 28]), side=0
        )
        advice: dict[str, Any] = {**stops.advise(start_battle(document), 0, Doctrine(), "seed")}
        assert "shaped plasma-bolt-1" in advice["plot"]["r1"]
        assert advice["launch"]["r1"] == [{"weapon": "plasma-bolt-1", "target": "b1"}]

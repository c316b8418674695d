"""Missiles from launch to impact, and point defence: the worked example, and scripted dice."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, battle_from
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.ship_profiles import stock_now
from tests.engine.commanding import run_in_process
from tests.engine.craft.carrier_battles import N1, carriers, launch, turn
from tests.engine.defences.battles import facing, log_lines, play_turns, ship_of, start_battle

FORE = "F+FS+FP"
BEAM = "beam:1@ALL"
RACKS = f"salvo-rack@{FORE} salvo-rack@{FORE}"
AT_B1 = [60, 40]  # position of b1 in `facing(..., 20)`


def launched(*weapons: str, at: list[float] | None = None, **more: Any) -> dict[str, Any]:
    """Return a turn in which r1 launches from these at a point."""
    return {"launch": {"r1": [{"weapon": weapon, "at": at or AT_B1, **more} for weapon in weapons]}}


def defend_with(*defences: tuple[str, str], by: str = "b1") -> dict[str, Any]:
    return {"defend": {by: [{"weapon": weapon, "target": target} for weapon, target in defences]}}


def with_magazine(load: dict[str, int], mass: int = 8, **more: Any) -> dict[str, Any]:
    document = facing(f"salvo-launcher@{FORE}", "", 20.0, **more)
    document["sides"][0]["ships"][0]["design"]["systems"].append(
        {"type": "magazine", "mass": mass, "load": load}
    )
    return document


def refusals(battle: Battle) -> list[str]:
    return [line["reason_text"] for line in log_lines(battle, "shot-refused")]


@pytest.mark.rule("pc.salvo-missiles", "pc.point-defence")
class TestSalvoes:
    def test_example_missiles(self) -> None:
        """Two salvoes: a PDS at the first, two class 1 beams at the second, of which four missiles
        do
        13 points.
        """
        document = facing(RACKS, f"pds {BEAM} {BEAM}", 20.0, b={"armour": [[4, 0]]})
        orders = launched("salvo-rack-1", "salvo-rack-2") | defend_with(
            ("pds-1", "marker-1"), ("beam-1", "marker-2"), ("beam-2", "marker-2")
        )
        battle = play_turns(
            document,
            orders,
            point_defence=[6, 4, 6],
            re_roll=[3, 2],
            missiles=[2, 5],
            damage=[3, 1, 3, 6],
        )
        struck = log_lines(battle, "ordnance-struck")
        assert [(line["die"], line["through"], line["points"]) for line in struck] == [
            (2, 0, 0),
            (5, 4, 13),
        ]
        assert (ship_of(battle, "b1").damage, ship_of(battle, "b1").armour) == (9, ((0, 0),))

    def test_default_fire_spreads_idle_weapons(self) -> None:
        document = facing(RACKS, f"pds pds pds {BEAM} scattergun", 20.0)
        battle = play_turns(
            document,
            launched("salvo-rack-1", "salvo-rack-2"),
            point_defence=[4, 4, 4],
            missiles=[1, 1],
            damage=[],
        )
        fire = [
            (line["weapon"], line["marker"])
            for line in log_lines(battle, "point-defence-at-ordnance")
        ]
        assert fire == [("pds-1", "marker-1"), ("pds-2", "marker-2"), ("pds-3", "marker-1")]

    def test_empty_list_holds_fire_and_one_missile_always_passes(self) -> None:
        document = facing(RACKS, "pds", 20.0)
        battle = play_turns(
            document, launched("salvo-rack-1") | {"defend": {"b1": []}}, missiles=[1], damage=[5]
        )
        assert log_lines(battle, "point-defence-at-ordnance") == []
        assert ship_of(battle, "b1").damage == 5

    def test_advanced_screens_reduce_each_die(self) -> None:
        launch_orders = launched("salvo-rack-1")
        plain = play_turns(
            facing(RACKS, "screenx2", 20.0), launch_orders, missiles=[2], damage=[2, 6]
        )
        better = play_turns(
            facing(RACKS, "advanced-screenx2", 20.0), launch_orders, missiles=[2], damage=[2, 6]
        )
        assert (ship_of(plain, "b1").damage, ship_of(better, "b1").damage) == (8, 4)

    def test_each_missile_hits_armour_separately(self) -> None:
        document = facing(RACKS, "", 20.0, b={"armour": [[9, 0], [2, 0]]})
        battle = play_turns(document, launched("salvo-rack-1"), missiles=[2], damage=[5, 3])
        assert (ship_of(battle, "b1").armour, ship_of(battle, "b1").damage) == (((4, 0), (0, 0)), 1)

    def test_ship_destroyed_by_missiles_does_not_fire(self) -> None:
        document = facing(RACKS, BEAM, 20.0, b={"damage": 29})
        fire = {"engage": {"b1": [{"weapon": "beam-1", "target": "r1"}]}}
        battle = play_turns(document, launched("salvo-rack-1") | fire, missiles=[1], damage=[1])
        assert log_lines(battle, "fire") == []
        assert battle.winner == "red"

    def test_finished_rows_are_checked_before_ships_fire(self) -> None:
        document = facing(f"heavy-missile@{FORE}", BEAM, 20.0)
        fire = {"engage": {"b1": [{"weapon": "beam-1", "target": "r1"}]}}
        battle = play_turns(
            document,
            launched("heavy-missile-1") | fire,
            damage=[6, 6, 1],
            threshold=[1, 1, 6, 1, 1, 1, 1],
            repair=[1],
        )
        assert "beam-1" in log_lines(battle, "threshold")[0]["lost"]
        assert log_lines(battle, "fire") == []

    def test_missiles_home_on_the_nearest_enemy_within_6_mu(self) -> None:
        document = facing(RACKS, "", 20.0)
        battle = play_turns(document, launched("salvo-rack-1", at=[60, 33.9]), {})
        assert [line["reason_text"] for line in log_lines(battle, "ordnance-removed")] == [
            "no hostile ship is near enough"
        ]
        assert stock_now(ship_of(battle, "r1"))["salvo-rack-1"] == 0

    def test_die_chooses_among_equally_near_ships(self) -> None:
        document = facing(RACKS, "", 20.0)
        other = json.loads(json.dumps(document["sides"][1]["ships"][0])) | {
            "id": "b2",
            "at": [64, 40],
        }
        document["sides"][1]["ships"].append(other)
        battle = play_turns(
            document, launched("salvo-rack-1", at=[62, 40]), missiles=[4, 1], damage=[2]
        )
        assert [(line["ship"], line["die"]) for line in log_lines(battle, "ordnance-homed")] == [
            ("b2", 4)
        ]


@pytest.mark.rule("pc.salvo-missiles", "pc.heavy-missiles")
class TestLaunching:
    def test_magazine_feeds_its_launchers(self) -> None:
        document = with_magazine({"standard": 1, "extended": 2})
        battle = play_turns(
            document, launched("salvo-launcher-1"), launched("salvo-launcher-1", at=[60, 50]),
            missiles=[1], damage=[1],
        )  # fmt: skip
        assert [line["grade"] for line in log_lines(battle, "ordnance-launched")] == [
            "standard",
            "extended",
        ]
        assert stock_now(ship_of(battle, "r1")) == {
            "magazine-1/standard": 0,
            "magazine-1/extended": 1,
        }

    def test_missing_missile_is_not_launched(self) -> None:
        empty = with_magazine({"standard": 1}, mass=2)
        battle = play_turns(
            empty,
            launched("salvo-launcher-1"),
            launched("salvo-launcher-1"),
            missiles=[1],
            damage=[1],
        )
        assert refusals(battle) == ["its magazine-1 has no load left"]
        lost = with_magazine({"standard": 2}, r={"lost": ["magazine-1"]})
        assert refusals(play_turns(lost, launched("salvo-launcher-1"))) == [
            "its magazine-1 is out of action"
        ]
        assert refusals(
            play_turns(
                with_magazine({"standard": 2}), launched("salvo-launcher-1", load="extended")
            )
        ) == ["its magazine-1 holds no extended; it holds standard"]

    @pytest.mark.parametrize(
        ("at", "words"),
        [
            ([60, 44.1], "that point is 24.1 MU away; the range is 24"),
            ([60, 10], "that point is outside its arcs"),
            ([60, -1], "that point is not on the table"),
        ],
    )
    def test_range_and_arc_limits(self, at: list[float], words: str) -> None:
        battle = play_turns(facing(RACKS, "", 27.0), launched("salvo-rack-1", at=at))
        assert refusals(battle) == [words]
        assert stock_now(ship_of(battle, "r1"))["salvo-rack-1"] == 1

    def test_extended_racks_reach_36(self) -> None:
        document = facing("", "", 27.0)
        document["sides"][0]["ships"][0]["design"]["systems"].append(
            {"type": "heavy-missile", "model": "extended", "arcs": FORE.split("+")}
        )
        battle = play_turns(document, launched("heavy-missile-1", at=[60, 47]), damage=[1, 1, 1])
        assert ship_of(battle, "b1").damage == 3

    def test_launch_takes_a_firecon(self) -> None:
        document = facing(RACKS, "", 20.0, r={"lost": ["firecon-1", "firecon-2"]})
        assert refusals(play_turns(document, launched("salvo-rack-1"))) == [
            "a launch needs a working FireCon"
        ]

    def test_rack_launches_once(self) -> None:
        document = facing(RACKS, "", 20.0)
        twice = launched("salvo-rack-1", "salvo-rack-1")
        assert refusals(play_turns(document, twice, missiles=[1], damage=[1])) == [
            "it has already fired this turn"
        ]
        again = play_turns(
            document, launched("salvo-rack-1"), launched("salvo-rack-1"), missiles=[1], damage=[1]
        )
        assert refusals(again) == ["it has already been fired"]


@pytest.mark.rule("pc.heavy-missiles", "pc.point-defence")
class TestHeavyMissiles:
    @pytest.mark.parametrize(("weapon", "die", "killed"), [
        ("pds", 4, 0), ("pds", 5, 1), ("beam:1@ALL", 5, 0), ("beam:1@ALL", 6, 1),
        ("k-gun:1@ALL", 5, 0), ("k-gun:1@ALL", 6, 1),
    ])  # fmt: skip
    def test_dice_that_kill_a_missile(self, weapon: str, die: int, killed: int) -> None:
        document = facing(f"heavy-missile@{FORE}", weapon, 20.0)
        orders = launched("heavy-missile-1") | defend_with(
            (f"{weapon.partition(':')[0]}-1", "marker-1")
        )
        battle = play_turns(
            document, orders, point_defence=[die], damage=[] if killed else [1, 1, 1]
        )
        assert [line["through"] for line in log_lines(battle, "ordnance-struck")] == [1 - killed]

    def test_three_dice_are_one_hit(self) -> None:
        document = facing(f"heavy-missile@{FORE}", "", 20.0, b={"armour": [[20, 0]]})
        battle = play_turns(document, launched("heavy-missile-1"), damage=[6, 4, 3])
        assert (ship_of(battle, "b1").armour, ship_of(battle, "b1").damage) == (((13, 0),), 6)


@pytest.mark.rule("pc.multi-stage")
class TestTwoStages:
    def staged(self) -> dict[str, Any]:
        document = facing("", "", 27.0, r={"velocity": 0})
        document["sides"][0]["ships"][0]["design"]["systems"].append(
            {"type": "salvo-rack", "model": "two-stage", "arcs": FORE.split("+")}
        )
        return document

    def test_second_stage_is_directed(self) -> None:
        battle = play_turns(
            self.staged(), launched("salvo-rack-1", at=[60, 38]), {}, missiles=[], damage=[]
        )
        assert [(line["marker"], line["at"]) for line in log_lines(battle, "ordnance-staged")] == [
            ("marker-1", [60, 62])
        ]
        near = launched("salvo-rack-1", at=[60, 37])
        document = self.staged()
        document["sides"][1]["ships"][0]["at"] = [60, 53]
        battle = play_turns(document, near, {"launch": {"marker-1": [{"weapon": "stage", "at": [60, 53]}]}},
                        missiles=[1], damage=[4])  # fmt: skip
        assert ship_of(battle, "b1").damage == 4

    def test_second_stage_flies_at_least_16_mu(self) -> None:
        battle = play_turns(self.staged(), launched("salvo-rack-1", at=[60, 35]))
        assert refusals(battle) == ["that point is 15.0 MU away; it flies at least 16"]

    def watched(
        self, systems: str, at: float = 47.0, *, weapon: str = "pds-1", **dice: list[int]
    ) -> Battle:
        """Return a missile at 38 after its first stage, which flies on at b1.

        b1, at least 6 MU from it, and b2 with these systems fire at it.
        """
        document = self.staged()
        watcher = facing("", systems, 20.0)["sides"][1]["ships"][0] | {"id": "b2", "at": [66.5, at]}
        document["sides"][1]["ships"].append(watcher)
        document["sides"][1]["ships"][0]["at"] = [60, 56]
        first = launched("salvo-rack-1", at=[60, 38]) | defend_with((weapon, "marker-1"), by="b2")
        return play_turns(
            document, first, {"launch": {"marker-1": [{"weapon": "stage", "at": [60, 56]}]}}, **dice
        )

    def test_adfc_fires_at_it_on_its_way(self) -> None:
        battle = self.watched(
            "ads@ALL adfc",
            weapon="ads-1",
            point_defence=[6],
            re_roll=[4],
            missiles=[5],
            damage=[1, 1],
        )
        [shot] = log_lines(battle, "point-defence-at-ordnance")
        assert (shot["guarded"], round(shot["range"], 1), shot["hits"]) == ("b2", 11.1, 3)
        assert [
            (line["die"], line["through"]) for line in log_lines(battle, "ordnance-struck")
        ] == [(5, 2)]

    def test_earlier_defence_may_stop_the_last_missile(self) -> None:
        battle = self.watched(
            "ads@ALL adfc", weapon="ads-1", point_defence=[5], missiles=[1], damage=[]
        )
        assert [line["through"] for line in log_lines(battle, "ordnance-struck")] == [0]

    @pytest.mark.parametrize(
        ("systems", "weapon", "words"),
        [
            ("ads@ALL", "ads-1", "without a free ADFC it can defend only its own ship"),
            ("pds adfc", "pds-1", "its target is too far away"),
            (
                "beam:1@ALL adfc",
                "beam-1",
                "nothing with that name attacks a ship that it can defend",
            ),
        ],
    )
    def test_other_ordnance_is_not_engaged_on_its_way(
        self, systems: str, weapon: str, words: str
    ) -> None:
        document_of = {"ads@ALL": "ads@ALL advanced-firecon"}.get(
            systems, systems
        )  # its design would allow it
        battle = self.watched(document_of, weapon=weapon, missiles=[1], damage=[1])
        assert refusals(battle) == [words]

    def test_phase_depends_on_designs_only(self) -> None:
        for systems, at, asked in (
            ("ads@ALL adfc", 47.0, True),
            ("ads@ALL", 47.0, False),
            ("ads@ALL adfc", 49.0, False),
        ):
            document = self.staged()
            watcher = facing("", systems, 20.0)["sides"][1]["ships"][0] | {
                "id": "b2",
                "at": [66.5, at],
            }
            document["sides"][1]["ships"].append(
                watcher | {"lost": ["adfc-1"] if "adfc" in systems else []}
            )
            battle = start_battle(document)
            orders = {0: {"plot": {}, **launched("salvo-rack-1", at=[60, 38])}, 1: {"plot": {}}}
            after, _ = stops.resolve_documents(battle, orders, Dice(3))
            assert (after.state.stop == "defend") is asked

    def test_destroyed_missile_is_removed(self) -> None:
        battle = self.watched("ads@ALL adfc", weapon="ads-1", point_defence=[6], re_roll=[6, 6, 1])
        assert [line["reason_text"] for line in log_lines(battle, "ordnance-removed")] == [
            "shot down before it went off"
        ]
        assert log_lines(battle, "ordnance-staged") == []

    def test_craft_intercept_it(self) -> None:
        document = carriers("standard", "", 40.0)
        document["sides"][1]["ships"].append(
            self.staged()["sides"][0]["ships"][0] | {"id": "b2", "at": [60, 58], "course": 6}
        )
        there = turn(
            launch(), {N1: "to 60 32; face 12"}, attack={N1: "fighters>marker-1"},
            launch={"b2": [{"weapon": "salvo-rack-1", "at": [60, 37]}]},
        )  # fmt: skip
        near = {"launch": {"marker-1": [{"weapon": "stage", "at": [60, 21]}]}}
        battle = play_turns(
            document,
            there,
            turn() | near,
            fighter=[5, 5, 1, 1, 1, 1],
            missiles=[3],
            damage=[1, 1, 1],
        )
        assert [
            (line["die"], line["through"]) for line in log_lines(battle, "ordnance-struck")
        ] == [(3, 1)]

    def test_captains_engage_it_with_adfc(self) -> None:
        document = self.staged()
        watcher = facing("", "pds ads@ALL adfc", 20.0)["sides"][1]["ships"][0] | {
            "id": "b2",
            "at": [66.5, 47],
        }
        document["sides"][1]["ships"].append(watcher)
        battle, _ = stops.resolve_documents(
            start_battle(document),
            {0: {"plot": {}, **launched("salvo-rack-1", at=[60, 38])}, 1: {"plot": {}}},
            Dice(3),
        )
        advice = stops.advise(battle, 1, Doctrine(), "on-its-way")
        assert dict(advice)["defend"] == {"b2": [{"weapon": "ads-1", "target": "marker-1"}]}
        assert stops.read_orders(battle, 1, advice)[1] == ()


@pytest.mark.rule("pc.adfc", "pc.ads", "pc.scatterguns")
class TestHelpingFriends:
    def attacked(self, helper: str, distance: float = 6.0) -> dict[str, Any]:
        """Return b1 under attack, and b2 with `helper` so far from it."""
        document = facing(RACKS, "", 20.0)
        other = facing(RACKS, helper, 20.0)["sides"][1]["ships"][0] | {
            "id": "b2",
            "at": [60, 40 + distance],
        }
        document["sides"][1]["ships"].append(other)
        return document

    @pytest.mark.parametrize(
        ("helper", "distance", "words"),
        [
            ("pds adfc", 6.0, None),
            ("pds adfc", 6.1, "the ship that is attacked is too far away"),
            ("pds", 6.0, "without a free ADFC it can defend only its own ship"),
            ("beam:1@ALL adfc", 6.0, "it can defend only its own ship"),
        ],
    )
    def test_adfc_defends_a_friend_within_6_mu(
        self, helper: str, distance: float, words: str | None
    ) -> None:
        weapon = helper.split()[0].partition(":")[0] + "-1"
        orders = launched("salvo-rack-1") | defend_with((weapon, "marker-1"), by="b2")
        battle = play_turns(
            self.attacked(helper, distance), orders, point_defence=[1], missiles=[1], damage=[1]
        )
        assert refusals(battle) == ([words] if words else [])

    @pytest.mark.parametrize(("distance", "dice"), [(6.0, 2), (6.5, 1), (12.0, 1)])
    def test_area_defence_reaches_12_mu_with_one_die_beyond_6(
        self, distance: float, dice: int
    ) -> None:
        orders = launched("salvo-rack-1") | defend_with(("ads-1", "marker-1"), by="b2")
        battle = play_turns(
            self.attacked("ads@F+FS+FP+A+AS+AP adfc", distance),
            orders,
            point_defence=[1] * dice,
            missiles=[1],
            damage=[1],
        )
        assert [len(line["dice"]) for line in log_lines(battle, "point-defence-at-ordnance")] == [
            dice
        ]

    def test_scattergun_needs_no_adfc_and_a_one_hurts_the_friend(self) -> None:
        orders = launched("salvo-rack-1") | defend_with(("scattergun-1", "marker-1"), by="b2")
        battle = play_turns(
            self.attacked("scattergun"), orders, point_defence=[1], missiles=[1], damage=[]
        )
        assert ship_of(battle, "b1").damage == 1
        assert stock_now(ship_of(battle, "b2"))["scattergun-1"] == 0

    def test_grapeshot_rolls_four_dice(self) -> None:
        document = facing(RACKS, "grapeshot", 20.0)
        orders = launched("salvo-rack-1") | defend_with(("grapeshot-1", "marker-1"))
        battle = play_turns(
            document, orders, point_defence=[4, 5, 6, 1], re_roll=[6, 3], missiles=[6], damage=[]
        )
        assert [line["hits"] for line in log_lines(battle, "point-defence-at-ordnance")] == [6]

    def test_weapon_used_for_point_defence_fires_at_no_ship(self) -> None:
        document = facing(RACKS, BEAM, 20.0)
        fire = {"engage": {"b1": [{"weapon": "beam-1", "target": "r1"}]}}
        orders = launched("salvo-rack-1") | defend_with(("beam-1", "marker-1")) | fire
        battle = play_turns(document, orders, point_defence=[1], missiles=[1], damage=[1])
        assert refusals(battle) == ["it was used for point defence this turn"]


@pytest.mark.rule("pc.mixed-movement", "pc.ecm", "pc.holofield", "pc.stealth-hull")
@pytest.mark.parametrize(
    ("theirs", "more", "distance"),
    [
        ("", {}, 5.9),
        ("", {"options": ("vector",)}, 2.9),
        ("holofield", {}, 4.9),
    ],
)
def test_what_reduces_lock_on(theirs: str, more: dict[str, Any], distance: float) -> None:
    for away, homed in ((distance, 1), (distance + 0.2, 0)):
        document = facing(RACKS, theirs, 20.0, **more)
        battle = play_turns(
            document,
            launched("salvo-rack-1", at=[60, 40 - away]),
            missiles=[1] * homed,
            damage=[1] * homed,
        )
        assert len(log_lines(battle, "ordnance-homed")) == homed, away


@pytest.mark.rule("pc.sequence")
def test_phases_of_a_turn_and_their_sides() -> None:
    battle = start_battle(facing(RACKS, "pds", 20.0))
    assert (battle.state.stop, stops.awaited_sides(battle)) == ("plot", (0, 1))
    after, _ = stops.resolve_documents(
        battle, {0: {"plot": {}} | launched("salvo-rack-1")}, Dice(3)
    )
    assert (after.state.stop, stops.awaited_sides(after)) == ("defend", (1,))
    wrong = {"defend": {"b1": [{"weapon": "pds-1", "target": "marker-9"}]}}
    assert [fault.code for fault in stops.read_orders(after, 1, wrong)[1]] == ["defence"]
    again = battle_from(json.loads(json.dumps(after.to_json())))
    fired, _ = stops.resolve_documents(
        again, {1: {"defend": {"b1": [{"weapon": "pds-1", "target": "marker-1"}]}}}, Dice(3)
    )
    quiet, _ = stops.resolve_documents(battle, {}, Dice(3))
    # Neither ship has a gun, so the fire phase is skipped.
    assert [(outcome.state.stop, outcome.state.turn) for outcome in (fired, quiet)] == [
        ("plot", 2),
        ("plot", 2),
    ]


@pytest.mark.rule("pc.salvo-missiles")
def test_launch_faults_are_reported_before_sealing() -> None:
    battle = start_battle(facing(RACKS, "pds", 20.0))
    for document, code in (
        ({"launch": {"r1": [{"weapon": "salvo-rack-9", "at": [60, 40]}]}}, "not-a-launcher"),
        ({"launch": {"r1": [{"weapon": "salvo-rack-1", "at": [60, 70]}]}}, "launch"),
        ({"launch": {"r1": [{"weapon": "salvo-rack-1"}]}}, "launch"),
        ({"launch": {"r1": {}}}, "not-a-list"),
        ({"launch": {"b1": []}}, "unknown-ship"),
        ({"launch": {"marker-4": [{"weapon": "stage", "at": [60, 30]}]}}, "launch"),
    ):
        orders, faults = stops.read_orders(battle, 0, {"plot": {}} | document)
        assert orders is None
        assert [fault.code for fault in faults] == [code], document


@pytest.mark.rule("pc.salvo-missiles")
def test_magazine_contents_are_secret() -> None:
    """In worlds that differ in the grades of a magazine the rival sees the same."""
    records = []
    for load in ({"standard": 3}, {"standard": 1, "extended": 1}):
        battle = start_battle(with_magazine(load))
        after, stop = stops.resolve_documents(
            battle, {0: {"plot": {}} | launched("salvo-launcher-1")}, Dice(3)
        )
        view = stops.side_view(after, 1)
        records.append(
            json.dumps(
                [stop.view(1), view["ordnance"], [item.get("notes") for item in view["contacts"]]]
            )
        )
        assert "extended" not in records[-1]
        assert "grade" not in json.dumps(stop.view(1)["log"])
    assert records[0] == records[1]


def test_battle_file_has_stocks_and_markers() -> None:
    document = with_magazine(
        {"standard": 2, "extended": 1}, mass=8, r={"stock": {"magazine-1": {"standard": 1}}}
    )
    document["sides"][0]["ships"][0]["design"]["systems"].append(
        {"type": "salvo-rack", "model": "two-stage", "arcs": FORE.split("+")}
    )
    turn = launched("salvo-launcher-1") | {}
    turn["launch"]["r1"].append({"weapon": "salvo-rack-1", "at": [75, 35]})
    dice = {"missiles": [1], "damage": [1], "threshold": [1] * 9}
    file = json.dumps({**document, "turns": [turn], "dice": dice})
    ended = run_in_process("battle", "-", stdin_bytes=file.encode())
    state = json.loads(ended.stdout)["state"]
    assert state["ships"]["r1"]["stock"] == {"magazine-1": {"standard": 0}, "salvo-rack-1": 0}
    assert state["markers"] == {
        "marker-2": {"at": [75, 35], "kind": "salvo", "side": "red", "missiles": 6, "stage": 1}
    }


@pytest.mark.rule("pc.debris")
@pytest.mark.parametrize(("options", "level"), [([], False), (["point-defence-level"], True)])
@pytest.mark.parametrize(("die", "has_debris"), [(4, True), (5, False)])
def test_ship_destroyed_by_missiles_may_leave_debris(
    options: list[str], level: bool, die: int, has_debris: bool
) -> None:
    """13 points at 9 boxes are 4 too many."""
    document = facing(f"heavy-missile@{FORE}", "", 20.0, b={"damage": 21}) | {
        "options": ["battle-debris", *options]
    }
    dice: dict[str, Any] = {"to_hit": [2]} if level else {}
    battle = play_turns(
        document, launched("heavy-missile-1"), damage=[4, 5, 4], debris=[die], **dice
    )
    (line,) = log_lines(battle, "broke-up")
    assert (line["ship"], line["excess"], bool(line["debris"])) == ("b1", 4, has_debris)


@pytest.mark.rule("pc.rolling", "pc.salvo-missiles")
@pytest.mark.parametrize(
    ("words", "at", "launched_"),
    [("", [66, 30], True), ("roll", [66, 30], True), ("roll", [54, 30], False)],
)
def test_ship_launches_before_it_rolls(words: str, at: list[float], launched_: bool) -> None:
    """Its rack bears to starboard; it rolls during its move, two phases later."""
    document = facing("salvo-rack@F+FS+AS", "", 20.0)
    orders = launched("salvo-rack-1", at=at) | {"plot": {"r1": words}}
    battle = play_turns(document, orders)
    assert bool(log_lines(battle, "ordnance-launched")) == launched_

"""The set-up of battles of a war: zones by situation, places in orders, ships held back in FTL."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from campaign.orders.validation import order_violations
from campaign.rules.files import fixture_scenario
from campaign.rules.orders import BattleSetUp, Orders
from campaign.rules.perception import build_view
from campaign.rules.scenario import Scenario, SetUpRules
from campaign.rules.set_up_sheets import PUBLIC_KEYS
from campaign.rules.view import SetUpSheet, View
from campaign.rules.world import Contact, Doctrine, Engagement, Fleet, Holding, Ship, World
from engine.battle import fight, start
from engine.core.dice import Dice
from engine.core.kinds import INBOUND
from engine.view.side_view import observe
from umpire.adjudication import set_ups
from umpire.adjudication.battle_zones import situation_of
from umpire.adjudication.battles import battle_doctrines, battle_result, battle_setup
from umpire.adjudication.set_ups import views_with_set_ups, with_set_ups
from umpire.cli.war import play_script
from umpire.cli.war_script import read_script

LAFAYETTE = fixture_scenario("lafayette")
HEX = "1408"
SALT = b"salt"
BATTLE = Engagement(f"{HEX}/w2/esu+nac", HEX, (("esu",), ("nac",)), (("esu", "nac"),))
LEFT = {"edge": "left", "deep": 6}
RIGHT = {"edge": "right", "deep": 6}
RIGHT_HALF = {"edge": "right", "deep": 36}
SHIPS = {"e1": "Heavy Cruiser", "e2": "Frigate", "n1": "Battleship", "n2": "Destroyer"}


def world(holder: str | None = None, *, drones: int = 0, **ships: str) -> World:
    """Return a world with a fleet of each side in the same system."""
    classes = ships or SHIPS
    owners = {"e": "esu", "n": "nac"}
    return World(
        week=2,
        stage="battles",
        fleets=(
            Fleet("esu/f1", "esu", "Esu", HEX, decoys_out=drones),
            Fleet("nac/f1", "nac", "Nac", HEX),
        ),
        ships=tuple(
            Ship(key, owners[key[0]], key, cls, f"{owners[key[0]]}/f1")
            for key, cls in sorted(classes.items())
        ),
        holdings=tuple(
            Holding(system.id, holder if system.hex == HEX else None, 0)
            for system in LAFAYETTE.systems
        ),
        engagements=(BATTLE,),
    )


def file_of(
    before: World,
    battle: Engagement = BATTLE,
    scenario: Scenario = LAFAYETTE,
    rules: str = "1.1",
) -> dict[str, Any]:
    """Return the battle file, which must be one with which a battle can begin."""
    file: Any = battle_setup(scenario, before, battle, salt=SALT, rules=rules)
    start(file)
    return dict(file)


def zones_of(before: World, battle: Engagement = BATTLE, **rules: Any) -> dict[str, Any]:
    zones: dict[str, Any] = file_of(before, battle, **rules)["deployment"]["zones"]
    return zones


def view_of(before: World, faction: str, scenario: Scenario = LAFAYETTE) -> View:
    """Return what a faction knows before the battle."""
    file = battle_setup(scenario, before, BATTLE, salt=SALT)
    view = build_view(scenario, before, faction, None, ())
    return views_with_set_ups({faction: view}, before, {BATTLE.key: file})[faction]


def contact(state: Any, inner: str = "") -> Engagement:
    return replace(BATTLE, contacts=(Contact(HEX, "esu", "nac", state, inner),))


# --- zones


@pytest.mark.rule("camp.table-set-up")
def test_newcomers_begin_at_the_edges_and_may_wait_in_ftl() -> None:
    zones = zones_of(world())
    assert zones == {"esu": [LEFT | {"ftl": True}], "nac": [RIGHT | {"ftl": True}]}


@pytest.mark.rule("camp.table-set-up")
def test_the_occupant_has_its_half_and_only_the_newcomer_ftl() -> None:
    assert zones_of(world("nac")) == {"esu": [LEFT | {"ftl": True}], "nac": [RIGHT_HALF]}
    assert zones_of(world("esu")) == {"nac": [LEFT | {"ftl": True}], "esu": [RIGHT_HALF]}


@pytest.mark.rule("camp.stand-off-set-up")
def test_after_a_stand_off_the_inner_side_has_its_half() -> None:
    flanks = [{"box": [0, 0, 24, 6]}, {"box": [0, 42, 24, 48]}]
    zones = zones_of(world("nac"), contact("stand-off", "esu"))
    assert zones == {"esu": [RIGHT_HALF], "nac": [LEFT, *flanks]}
    assert situation_of(contact("stand-off", "esu"), 1).kind == "stand-off"


@pytest.mark.rule("camp.table-set-up")
def test_sides_that_separated_in_the_system_begin_at_the_edges_without_ftl() -> None:
    assert zones_of(world(), contact("contested")) == {"esu": [LEFT], "nac": [RIGHT]}


@pytest.mark.rule("camp.table-set-up")
def test_a_side_caught_withdrawing_begins_in_the_middle() -> None:
    caught = replace(BATTLE, caught=("esu",))
    file = file_of(world("nac"), caught)
    zones = file["deployment"]["zones"]
    assert zones["esu"] == [{"box": [24, 0, 48, 48], "velocity": [0, 12]}]
    assert zones["nac"] == [RIGHT, LEFT]
    assert all(24 <= ship["at"][0] <= 48 for ship in file["sides"][0]["ships"])


@pytest.mark.rule("pc.ftl-entry")
def test_no_ftl_inside_a_hyper_limit() -> None:
    systems = [replace(system, hyper_limit=system.hex == HEX) for system in LAFAYETTE.systems]
    scenario = replace(LAFAYETTE, systems=tuple(systems))
    file = file_of(world(), scenario=scenario)
    assert file["deployment"]["zones"] == {"esu": [LEFT], "nac": [RIGHT]}
    assert "no-ftl" in file["options"]
    without = replace(LAFAYETTE, options=(*LAFAYETTE.options, "no-ftl"))
    assert zones_of(world(), scenario=without) == {"esu": [LEFT], "nac": [RIGHT]}


def test_a_scenario_limits_velocities_and_lets_the_holder_set_up_first() -> None:
    rules = SetUpRules("by-side", (2, 5), ftl=False)
    file = file_of(world("nac"), scenario=replace(LAFAYETTE, set_up=rules))
    assert file["deployment"]["manner"] == "by-side"
    assert file["deployment"]["first"] == "nac"
    assert file["deployment"]["zones"]["esu"] == [LEFT | {"velocity": [2, 5]}]
    assert {ship["velocity"] for ship in file["sides"][0]["ships"]} == {5}


def test_only_the_occupant_begins_in_orbit() -> None:
    planet = {"kind": "planet", "at": [0, 0], "radius": 4, "orbit": {"velocity": 4}}
    scenario = fixture_scenario("lafayette-continuum")
    systems = [replace(system, terrain=(planet,)) for system in scenario.systems]
    scenario = replace(scenario, systems=tuple(systems))
    cls = scenario.catalogue[0].name
    zones = zones_of(world("nac", e1=cls, n1=cls), scenario=scenario)
    assert (zones["nac"][0]["orbit"], zones["esu"][0]["orbit"]) == (True, False)


def test_wars_of_older_rules_keep_their_ranks() -> None:
    old, new = file_of(world("nac"), rules="1.0"), file_of(world("nac"))
    assert "deployment" not in old
    assert old["sides"] == new["sides"]


# --- orders


def chosen_file(before: World, orders: dict[str, Orders]) -> dict[str, Any]:
    """Return the battle file with what the orders choose."""
    file = battle_setup(LAFAYETTE, before, BATTLE, salt=SALT)
    doctrines = battle_doctrines(LAFAYETTE, before, BATTLE, orders)
    return dict(with_set_ups(file, BATTLE, orders, doctrines))


def places_of(file: dict[str, Any]) -> dict[str, Any]:
    ships = [ship for side in file["sides"] for ship in side["ships"]]
    return {ship["id"]: ship["at"] for ship in ships}


@pytest.mark.rule("camp.table-set-up")
def test_orders_place_ships_and_a_formation_places_the_others() -> None:
    choice = BattleSetUp(HEX, {"e1": {"at": [2, 10], "velocity": 4}}, "column")
    file = chosen_file(world(), {"esu": Orders(set_up=(choice,))})
    assert file["set_up"] == {"e1": {"at": [2, 10], "velocity": 4}}
    ranks = places_of(file_of(world()))
    places = places_of(file)
    assert places["e2"] != ranks["e2"]
    assert (places["n1"], places["n2"]) == (ranks["n1"], ranks["n2"])


@pytest.mark.rule("camp.ftl-ambush")
def test_a_doctrine_holds_capital_ships_back_and_sets_the_velocity() -> None:
    before = world()
    doctrine = Doctrine(speed=3, reserve=4)
    fleets = [replace(fleet, doctrine=doctrine) for fleet in before.fleets]
    file = chosen_file(replace(before, fleets=tuple(fleets)), {})
    ships = {ship["id"]: ship for side in file["sides"] for ship in side["ships"]}
    assert ships["n1"]["ftl_entry"] == 4
    assert "ftl_entry" not in ships["n2"]
    assert {ship["velocity"] for ship in ships.values()} == {3}


@pytest.mark.rule("camp.ftl-ambush")
def test_who_is_still_in_ftl_at_the_end_comes_out_unhurt() -> None:
    before = world(e1="Battleship", e2="Superdreadnought", n1="Frigate")
    choice = BattleSetUp(HEX, {"e1": {"ftl_entry": 10}})
    file: Any = chosen_file(before, {"esu": Orders(set_up=(choice,))})
    ended = fight(start(file), {"esu": {}, "nac": {}}, Dice(1), "seed", max_turns=3)
    state = ended.to_json()
    assert state["ships"]["e1"]["status"] == INBOUND
    result = battle_result(LAFAYETTE, before, BATTLE, state, ended.winner, ended.turn)
    after = {ship.ship: ship for ship in result.ships}
    assert (after["e1"].status, after["e1"].damage) == ("fighting", 0)


@pytest.mark.parametrize(
    ("choice", "where", "code"),
    [
        (BattleSetUp(HEX, {"e1": {"at": [40, 10]}}), "set_up[0].ships.e1.at", "deployment"),
        (BattleSetUp(HEX, {"e1": {"velocity": 25}}), "set_up[0].ships.e1.velocity", "velocity"),
        (BattleSetUp(HEX, {"n1": {"at": [2, 10]}}), "set_up[0].ships.n1", "unknown-ship"),
        (BattleSetUp(HEX, {"e1": {"damage": 2}}), "set_up[0].ships.e1.damage", "unknown-key"),
        (BattleSetUp(HEX, {"e1": {"ftl_entry": 12}}), "set_up[0].ships.e1.ftl_entry", "ftl-entry"),
        (BattleSetUp(HEX, {"e1": {"ftl_entry": 3}, "e2": {"ftl_entry": 3}}), "set_up[0].ships", "nobody-there"),
        (BattleSetUp("0101"), "set_up[0].hex", "not-fighting"),
    ],
)  # fmt: skip
def test_faults_are_named_at_their_place(choice: BattleSetUp, where: str, code: str) -> None:
    faults = order_violations(LAFAYETTE, view_of(world(), "esu"), Orders(set_up=(choice,)))
    assert (where, code) in {(fault.where, fault.code) for fault in faults}


def test_only_the_ship_with_a_fault_is_refused_in_a_script() -> None:
    script = {
        "scenario": "lafayette",
        "week": 2,
        "stage": "decisions",
        "fleets": [
            {"id": "esu/f1", "at": HEX, "ships": {"e1": "Heavy Cruiser", "e2": "Frigate"}},
            {"id": "nac/f1", "at": HEX, "ships": {"n1": "Frigate"}},
        ],
        "orders": {
            "2": {
                "decisions": {
                    "esu": {"decide": [{"hex": HEX, "toward": "nac", "choice": "fight"}]}
                },
                "battles": {
                    "esu": {
                        "set_up": [
                            {
                                "hex": HEX,
                                "ships": {"e1": {"at": [70, 5]}, "e2": {"at": [4, 9]}},
                            }
                        ]
                    }
                },
            }
        },
        "until": {"week": 3, "stage": "orders"},
    }
    record = play_script(read_script(script))
    (fault,) = record["refused"]["2"]["battles"]["esu"]
    assert (fault["where"], fault["code"]) == ("set_up[0].ships.e1.at", "deployment")
    (battle,) = record["battles"]
    assert battle["file"]["set_up"] == {"e2": {"at": [4, 9]}}
    assert battle["situation"] == "occupant"
    assert battle["zones"] == battle["file"]["deployment"]["zones"]


# --- secrecy: two worlds that differ only in what the other side has


def test_zones_proposal_and_faults_tell_nothing_of_the_other_side() -> None:
    one = world(e1="Heavy Cruiser", e2="Frigate", n1="Battleship", n2="Destroyer")
    other = world(e1="Heavy Cruiser", e2="Frigate", n1="Frigate", n2="Frigate")
    assert view_of(one, "esu").set_ups == view_of(other, "esu").set_ups
    assert '"n1"' not in view_of(one, "esu").set_ups[0].file
    choice = Orders(set_up=(BattleSetUp(HEX, {"n1": {"at": [68, 20]}, "e1": {"at": [9, 9]}}),))
    faults = [order_violations(LAFAYETTE, view_of(each, "esu"), choice) for each in (one, other)]
    assert faults[0] == faults[1]


def test_a_leak_of_hidden_ships_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant a leak: a sheet with the ships of all sides."""
    one = world(e1="Heavy Cruiser", e2="Frigate", n1="Battleship", n2="Destroyer")
    other = world(e1="Heavy Cruiser", e2="Frigate", n1="Frigate", n2="Frigate")

    def leak(file: Any, hex_: str, side: str, ids: object) -> SetUpSheet:
        return SetUpSheet(hex_, side, repr(file))

    monkeypatch.setattr(set_ups, "sheet_of_side", leak)
    assert view_of(one, "esu").set_ups != view_of(other, "esu").set_ups


def test_a_sheet_has_only_what_every_side_may_know() -> None:
    options = (*LAFAYETTE.options, "core-systems")
    (sheet,) = view_of(world("nac"), "esu", replace(LAFAYETTE, options=options)).set_ups
    assert set(json.loads(sheet.file)) <= {*PUBLIC_KEYS, "sides"}
    assert '"contact"' not in sheet.file


def test_both_sides_learn_of_their_set_up_even_if_nothing_can_be_chosen() -> None:
    for faction in ("esu", "nac"):
        (sheet,) = view_of(world("nac"), faction).set_ups
        assert (sheet.hex, sheet.side) == (HEX, faction)


def test_ships_held_back_are_hidden_until_they_drop_out() -> None:
    choice = BattleSetUp(HEX, {"e1": {"ftl_entry": 3}})
    file: Any = chosen_file(world(), {"esu": Orders(set_up=(choice,))})
    seen = observe(start(file).state, 1).to_json()
    assert len(seen["contacts"]) == 1

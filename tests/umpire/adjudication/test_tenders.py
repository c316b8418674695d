"""Tenders and motherships: what they carry between the stars, and riders that arrive aboard."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.belief.visibility import fleet_visibility
from campaign.orders.tow import changed_by_ended_tows
from campaign.orders.validation import order_violations
from campaign.rules.designs import ship_class
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import initial_world
from campaign.rules.orders import Orders, Tow
from campaign.rules.perception import build_view
from campaign.rules.scenario import Scenario
from campaign.rules.towing import can_tow
from campaign.rules.view import Sighting
from campaign.rules.world import Engagement, Fleet, Ship, World
from engine.battle import fight, start
from engine.core.dice import Dice, KeyedDice
from engine.core.errors import Violation
from engine.core.kinds import CARRIED
from engine.notation.designs import parse_design, sheet_of
from engine.view.side_view import observe
from umpire.adjudication.aftermath import release_tows
from umpire.adjudication.battles import battle_doctrines, battle_result, battle_setup
from umpire.adjudication.contacts import count_contacts
from umpire.adjudication.indexes import WorldIndex, index_scenario
from umpire.adjudication.week import resolve

pytestmark = pytest.mark.rule("pc.tugs")

HEX = "1408"
DUEL = Engagement(f"{HEX}/w3/esu+nac", HEX, (("esu",), ("nac",)), (("esu", "nac"),))


def design(name: str, mass: int, ftl: Any = "standard", *systems: dict[str, Any]) -> dict[str, Any]:
    fitted = [{"type": "firecon"}, {"type": "beam", "class": 1}, *systems]
    return {
        "class": name, "edition": "continuum", "kind": "warship", "mass": mass, "hull": {"boxes": mass // 6, "rows": 4},
        "thrust": 4, "ftl": ftl, "systems": fitted,
    }  # fmt: skip


WAR = fixture_scenario("lafayette-continuum")
DESIGNS = (
    design("Mother", 300, "standard", {"type": "tender-bay", "mass": 60, "count": 2}),
    design("Rider", 36, "none"),
    design("Monitor", 90, "none"),
)


def war() -> Scenario:
    classes = [ship_class(sheet_of(parse_design(design_text))) for design_text in DESIGNS]
    return replace(
        WAR, catalogue=tuple(sorted((*WAR.catalogue, *classes), key=lambda cls: cls.name))
    )


SCENARIO = war()
CLASSES = {cls.name: cls for cls in SCENARIO.catalogue}


def world(**changes: Any) -> World:
    """Return a mothership and two riders before a battle with a cruiser; `changes` apply to the
    riders.
    """
    fleets = (Fleet("esu/f1", "esu", "Red", HEX), Fleet("nac/f1", "nac", "Blue", HEX))
    riders = [
        replace(Ship(f"nac/s{n}", "nac", f"R{n}", "Rider", "nac/f1"), tug="nac/s1", **changes)
        for n in (2, 3)
    ]
    ships = (
        Ship("esu/s1", "esu", "Baikal", "Baikal Heavy Cruiser", "esu/f1"),
        Ship("nac/s1", "nac", "Mother", "Mother", "nac/f1"),
        *riders,
    )
    return World(3, "battles", fleets, ships, initial_world(WAR).holdings, engagements=(DUEL,))


def test_tender_carries_what_fits_its_bays() -> None:
    mother = CLASSES["Mother"]
    assert (
        mother.transport_capacities(),
        mother.transport_capacities(("tender-bay-1",)),
        mother.transport_capacity,
    ) == ((40, 40), (40,), 80)
    ships = {ship.key: ship for ship in world().ships if ship.faction == "nac"}
    assert can_tow(mother, ships["nac/s1"])
    assert changed_by_ended_tows(CLASSES, ships) == {}
    crippled = ships | {"nac/s1": replace(ships["nac/s1"], lost=("tender-bay-2",))}
    assert list(changed_by_ended_tows(CLASSES, crippled)) == ["nac/s3"]
    monitor = ships | {"nac/s4": Ship("nac/s4", "nac", "M", "Monitor", "nac/f1")}
    loose = tuple(replace(ship, tug="") for ship in monitor.values())
    start_of_week = replace(world(), stage="orders", ships=loose, engagements=())
    view = build_view(SCENARIO, start_of_week, "nac", None, ())

    def faults(tug: str, *towed: str) -> tuple[Violation, ...]:
        return order_violations(SCENARIO, view, Orders(tow=(Tow(tug, towed),)))

    assert faults("nac/s1", "nac/s2", "nac/s3") == ()
    [fault] = faults("nac/s1", "nac/s4")
    assert fault.code == "too-heavy"
    [fault] = faults("nac/s2", "nac/s3")
    assert "not a tug" in fault.message


def test_battleriders_begin_aboard_their_mothership() -> None:
    before = world()
    ships_after, heard = release_tows(
        index_scenario(SCENARIO, before), before.fleets, before.ships, before.engagements
    )
    assert (ships_after, heard) == (before.ships, [])
    state = start(battle_setup(SCENARIO, before, DUEL, salt=b"s")).state
    assert [state.ship_by_name(f"nac/s{n}").status for n in (2, 3)] == [CARRIED, CARRIED]
    assert [state.ship_by_name(f"nac/s{n}").dock for n in (2, 3)] == ["nac/s1", "nac/s1"]
    assert len(observe(state, 0).contacts) == 1, "nobody else sees them"


def test_ship_with_a_drive_or_too_large_is_released() -> None:
    before = world()
    large = replace(before.ships[2], cls="Monitor")
    ships_after, heard = release_tows(
        index_scenario(SCENARIO, before),
        before.fleets,
        (*before.ships[:2], large, before.ships[3]),
        before.engagements,
    )
    assert [ship.tug for ship in ships_after] == ["", "", "", "nac/s1"]
    assert len(heard) == 1


def test_riders_aboard_stay_with_their_mothership() -> None:
    before = world()
    fleets = tuple(
        replace(moved_fleet, doctrine=replace(moved_fleet.doctrine, flee=True))
        if moved_fleet.faction == "nac"
        else moved_fleet
        for moved_fleet in before.fleets
    )
    before = replace(before, fleets=fleets)
    document = battle_setup(SCENARIO, before, DUEL, salt=b"s")
    doctrines = battle_doctrines(SCENARIO, before, DUEL, {})
    ended = fight(start(document), doctrines, Dice(3), "captains", 12)
    result = battle_result(SCENARIO, before, DUEL, ended.to_json(), ended.winner, ended.turn)
    ways = {item.ship: item.status for item in result.ships}
    assert ways["nac/s1"] == ways["nac/s2"] == ways["nac/s3"] == "ftl"
    after = resolve(
        SCENARIO, before, {}, {DUEL.key: result}, KeyedDice(b"x" * 32, ("battles",))
    ).world
    own_ships = {ship.key: ship for ship in after.ships if ship.faction == "nac"}
    assert len({ship.fleet for ship in own_ships.values()}) == 1
    assert own_ships["nac/s2"].tug == own_ships["nac/s3"].tug == "nac/s1"
    assert next(fleet for fleet in after.fleets if fleet.faction == "nac").in_ftl


def test_scan_does_not_show_riders_aboard() -> None:
    before = world()
    index = index_scenario(SCENARIO, before)
    own_fleets = [fleet for fleet in before.fleets if fleet.faction == "nac"]
    assert count_contacts(index, WorldIndex(index, before), own_fleets) == (("capital", 1),)
    scan = Sighting(before.week, HEX, "esu", (("escort", 1),))
    (visibility,) = fleet_visibility(
        SCENARIO,
        replace(build_view(SCENARIO, before, "nac", None, ()), sightings=(scan,)),
        scanned_afar=False,
    )
    assert visibility.scan_counts == (("capital", 1),)  # as its owner sees it
    loose = replace(before, ships=tuple(replace(ship, tug="") for ship in before.ships))
    assert count_contacts(index, WorldIndex(index, loose), own_fleets) == (
        ("capital", 1),
        ("escort", 2),
    )

"""Stations in wars: bases that can be hit, berths, gates with hulls, and who knows their damage."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from campaign.belief.forces import Belief
from campaign.models.truth import FacilityState
from campaign.orders.preparation import prepare_week
from campaign.orders.validation import order_violations
from campaign.rules.bases import base_for
from campaign.rules.files import check_scenario, scenario_from
from campaign.rules.forces import initial_world
from campaign.rules.orders import Detachment, Dock, Move, Orders, Tow
from campaign.rules.perception import build_view
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_editing import GROUPS, rows_of, set_rows
from campaign.rules.scenario_sections import SECTIONS
from campaign.rules.starmap import reachable_hexes
from campaign.rules.stations import facility_of, mass_through, station_forces, true_stations
from campaign.rules.view import View
from campaign.rules.world import Engagement, Fleet, Holding, Ship, World
from campaign.web.scenario_forms import form_groups
from campaign.web.station_words import lines_by_system
from engine.battle import start
from engine.core.ship import BERTHED, DOCKED, FREE
from tests.umpire.test_objectives import FAR, NEAR, SCENARIO
from tests.umpire.test_war_command import run
from umpire.adjudication.aftermath import ship_after_battle
from umpire.adjudication.battles import battle_result
from umpire.adjudication.indexes import index_scenario
from umpire.adjudication.repairs import working_base
from umpire.admirals.situation import Situation
from umpire.services.projection import projection_rows

NEAR_HEX, FAR_HEX = "0304", "0604"
HIGH = "blue/high"
STARBASE: dict[str, Any] = {
    "id": "high",
    "class": "Starbase",
    "faction": "blue",
    "name": "Near High",
    "at": [6, -3],
    "base": True,
    "berths": [22, 14],
}
GATE_STATION = {"id": "door", "class": "Gate Station", "faction": "blue", "gate": "north"}
LINK = {"id": "north", "kind": "gate", "a": NEAR_HEX, "b": FAR_HEX, "cost": 1}
FACILITY = {"kind": "dockyard", "repairs": True, "replenishes": True}
VICTORY = [{"result": "draw"}]
WEEK_3 = {"week": 3, "stage": "orders"}
GUARDS = {
    "id": "blue/f1",
    "at": NEAR,
    "ships": {
        "b1": {"class": "Destroyer", "docked": True, "damage": 2},
        "b2": {"class": "Heavy Cruiser", "docked": True, "damage": 2},
        "b3": {"class": "Light Cruiser", "docked": True, "damage": 2},
    },
}
RAIDERS = {"id": "red/f1", "at": NEAR, "back": "0404", "ships": {"r1": "Battleship"}}


def document(*stations: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return the file of a small war with these stations at Near."""
    near, *others = SCENARIO["systems"]
    near = {**near, "facility": FACILITY, "stations": list(stations)}
    return {**SCENARIO, "victory": VICTORY, "systems": [near, *others], **changes}


def gate_document(**changes: Any) -> dict[str, Any]:
    """Return the file of a war with a gate from Near to Far, at a station at Near."""
    file = document({**GATE_STATION, **changes.pop("station", {})}, edition="continuum")
    return {**file, "goods": {}, "links": [{**LINK, **changes}], "hexes_per_week": 2}


def faults(file: dict[str, Any]) -> set[tuple[str, str]]:
    """Return the place and code of each fault of a scenario, without those of the budget."""
    status, answer = run("scenario", file)
    return {(fault["where"], fault["code"]) for fault in answer} if status else set()


def war(file: dict[str, Any], *fleets: dict[str, Any], **script: Any) -> dict[str, Any]:
    """Return the record of week 2."""
    status, record = run(
        "war", {"scenario": file, "week": 2, "fleets": list(fleets), "until": WEEK_3, **script}
    )
    assert status == 0, record
    assert isinstance(record, dict)
    return record


@cache
def starbase() -> Scenario:
    return scenario_from(document(STARBASE))


@cache
def gate() -> Scenario:
    return scenario_from(gate_document())


# Scenario files.


def test_station_may_leave_out_almost_everything() -> None:
    assert faults(document({"id": "high", "class": "Starbase", "faction": "blue"})) == set()
    assert faults(document(STARBASE)) == set()
    assert faults(gate_document()) == set()


@pytest.mark.parametrize(
    ("changes", "where", "code"),
    [
        ({"class": "Destroyer"}, "class", "no-station"),
        ({"class": "Nonesuch"}, "class", "unknown-class"),
        ({"faction": "green"}, "faction", "unknown-faction"),
        ({"id": "f1"}, "id", "bad-id"),
        ({"berths": [150, 51]}, "berths", "berths"),
        ({"berths": [0]}, "berths[0]", "out-of-range"),
        ({"at": [1]}, "at", "not-a-position"),
        ({"at": [37, 0]}, "at[0]", "out-of-range"),
        ({"velocity": 25}, "velocity", "out-of-range"),
        ({"course": 13}, "course", "out-of-range"),
        ({"gate": "north"}, "gate", "gate"),
        ({"depth": 1}, "depth", "unknown-key"),
    ],
)
def test_fault_of_a_station(changes: dict[str, Any], where: str, code: str) -> None:
    assert faults(document({**STARBASE, **changes})) == {(f"systems[0].stations[0].{where}", code)}


def test_faults_of_stations_together() -> None:
    twins = document(STARBASE, STARBASE)
    assert faults(twins) == {
        ("systems[0].stations[1].base", "two-bases"),
        ("systems[0].stations[1].id", "twice"),
    }
    assert ("systems[0].stations", "too-many") in faults(
        document(*[{**STARBASE, "id": f"high-{n}", "base": False} for n in range(21)])
    )
    wrong_end = gate_document(a="0405")
    assert faults(wrong_end) == {("systems[0].stations[0].gate", "gate")}
    no_gate = gate_document(station={"class": "Picket Station"})
    assert faults(no_gate) == {("systems[0].stations[0].gate", "gate")}
    assert faults(gate_document(open="friends")) == {("links[0].open", "unknown-open")}


def test_station_inside_a_planet_is_a_fault() -> None:
    file = gate_document(station={"at": [2, 0]})
    file["systems"][0]["terrain"] = [{"kind": "planet", "at": [0, 0], "radius": 3}]
    assert faults(file) == {("systems[0].stations[0].at", "in-body")}


# Battles.


@cache
def raid() -> dict[str, Any]:
    """Return the record of a raid on Near, where blue's ships are docked at the station."""
    keep = {"dock": [{"ship": key} for key in ("b1", "b2", "b3")]}
    fight = {"decide": [{"hex": NEAR_HEX, "toward": "blue", "choice": "fight"}]}
    stay = {"decide": [{"hex": NEAR_HEX, "toward": "red", "choice": "fight"}]}
    orders = {2: {"orders": {"blue": keep}, "decisions": {"red": fight, "blue": stay}}}
    return war(document(STARBASE, battles={"max_turns": 1}), GUARDS, RAIDERS, orders=orders)


@pytest.mark.rule("camp.stations-at-war")
def test_docked_ships_begin_docked_at_the_base() -> None:
    (battle,) = raid()["battles"]
    ships = {ship["id"]: ship for side in battle["file"]["sides"] for ship in side["ships"]}
    station = ships[HIGH]
    width, height = battle["file"]["table"]
    assert station["at"] == [width / 2 + 6, height / 2 - 3]
    assert (station["velocity"], station["berths"]) == (0, [22, 14])
    for key in ("b1", "b2", "b3"):
        assert (ships[key]["docked"], ships[key]["at"]) == (HIGH, station["at"])
    record = raid()["ships"]
    assert record[HIGH]["at"] == NEAR_HEX
    assert not record["b1"]["docked"], "its captain has cast off to fight"


def test_station_stays_in_its_place_if_its_side_is_caught_withdrawing() -> None:
    keep = {"dock": [{"ship": key} for key in ("b1", "b2", "b3")]}
    fight = {"decide": [{"hex": NEAR_HEX, "toward": "blue", "choice": "fight"}]}
    leave = {"decide": [{"hex": NEAR_HEX, "toward": "red", "choice": "withdraw"}]}
    orders = {2: {"orders": {"blue": keep}, "decisions": {"red": fight, "blue": leave}}}
    free = {"id": "blue/f2", "at": NEAR, "ships": {"b4": "Destroyer"}}
    file = document(STARBASE, battles={"max_turns": 1})
    record = war(file, GUARDS, free, RAIDERS, orders=orders, dice={"catch": [6]})
    (battle,) = record["battles"]
    assert battle["situation"] == "caught"
    ships = {ship["id"]: ship for side in battle["file"]["sides"] for ship in side["ships"]}
    width, height = battle["file"]["table"]
    assert ships[HIGH]["at"] == ships["b1"]["at"] == [width / 2 + 6, height / 2 - 3]
    assert ships["b4"]["at"][0] == width / 2


@pytest.mark.rule("camp.stations-at-war")
@pytest.mark.parametrize(("step", "is_docked"), [(DOCKED, True), (BERTHED, True), (FREE, False)])
def test_ship_stays_docked_unless_it_cast_off(step: int, *, is_docked: bool) -> None:
    file = starbase()
    state = world(file, blue_ship(docked=True, repair=("drive",)))
    sides = (("blue",), ("red",))
    battle = Engagement("it", NEAR_HEX, sides, (("blue", "red"),))
    end = {"status": "fighting", "damage": 1, "lost": [], "docking": step}
    ships = {"blue/s1": end, HIGH: {**end, "docking": FREE}}
    terms = {"rules": "1.0"}
    end_state = {"ships": ships, "sides": [], "terms": terms}
    result = battle_result(file, state, battle, end_state, None, 3)
    after = {item.ship: item for item in result.ships}
    ship = ship_after_battle(file.catalogue[0], state.ships[1], after["blue/s1"])
    assert (ship.damage, ship.docked, bool(ship.repair)) == (1, is_docked, is_docked)


@pytest.mark.rule("camp.stations-at-war")
def test_the_largest_ships_that_fit_are_inside() -> None:
    """Berths of 22 and 14: the Destroyer and the Light Cruiser fit, the Heavy Cruiser does not."""
    file = raid()["battles"][0]["file"]
    state = start({key: value for key, value in file.items() if key != "set_up"}).state
    classes = {cls.name: cls.mass for cls in starbase().catalogue}
    assert classes["Heavy Cruiser"] > 22 >= classes["Light Cruiser"]
    steps = {str(ship.id): ship.docking for ship in state.ships if ship.dock}
    assert steps["b1"] == steps["b3"] != steps["b2"]


@pytest.mark.rule("camp.stations-at-war")
def test_a_side_cannot_place_its_station() -> None:
    places = {"hex": NEAR_HEX, "ships": {HIGH: {"at": [60, 24]}}}
    orders = {
        2: {
            "decisions": {
                "red": {"decide": [{"hex": NEAR_HEX, "toward": "blue", "choice": "fight"}]}
            },
            "battles": {"blue": {"set_up": [places]}},
        }
    }
    record = war(document(STARBASE, battles={"max_turns": 1}), GUARDS, RAIDERS, orders=orders)
    (fault,) = record["refused"]["2"]["battles"]["blue"]
    assert (fault["where"], fault["code"]) == (f"set_up[0].ships.{HIGH}", "fixed")


# Bases.


def world(file: Scenario, *ships: Ship, **changes: Any) -> World:
    """Return a world in week 3 with blue's station and these ships in blue/f1 at Near."""
    fleets: list[Fleet] = []
    stations: list[Ship] = []
    for faction in file.factions:
        new_fleets, new_ships = station_forces(file, faction.id, ())
        fleets += new_fleets
        stations += [replace(ship, **changes) for ship in new_ships]
    if ships:
        fleets.append(Fleet("blue/f1", "blue", "First", NEAR_HEX))
    return replace(
        initial_world(file),
        week=3,
        stage="orders",
        fleets=tuple(fleets),
        ships=(*stations, *ships),
    )


def blue_ship(cls: str = "Destroyer", key: str = "blue/s1", **changes: Any) -> Ship:
    return Ship(key, "blue", "Ash", cls, "blue/f1", **changes)


def view_of(file: Scenario, state: World, faction: str = "blue") -> View:
    return build_view(file, state, faction, previous=None, notices=())


@pytest.mark.rule("camp.stations-at-war")
@pytest.mark.parametrize(("damage", "repairs"), [(0, True), (50, True), (51, False)])
def test_base_below_half_its_damage_points_repairs_nobody(damage: int, *, repairs: bool) -> None:
    file = starbase()
    state = world(file, blue_ship(damage=1), damage=damage)
    base = base_for(file, view_of(file, state), state.fleets[1])
    assert base is not None
    assert (base.repairs, base.replenishes) == (repairs, True)
    orders = Orders(dock=(Dock("blue/s1", replenish=True),))
    assert order_violations(file, view_of(file, state), orders) == ()


@pytest.mark.rule("camp.stations-at-war")
def test_no_base_without_its_station() -> None:
    file = starbase()
    full = world(file, blue_ship(damage=1))
    state = replace(full, fleets=full.fleets[1:], ships=full.ships[1:])
    assert base_for(file, view_of(file, state), state.fleets[0]) is None
    captured = replace(full, ships=(replace(full.ships[0], faction="red"), *full.ships[1:]))
    near = next(system for system in file.systems if system.id == NEAR)
    index = index_scenario(file, captured)
    stations = true_stations(file, captured)
    assert facility_of(index.classes, near, stations, ("blue",)) is None
    new_holding = Holding(NEAR, "red", since=2)
    assert working_base(index, near, new_holding, stations, week=3) is None
    assert working_base(index, near, new_holding, stations, week=4) == near.facility


@pytest.mark.rule("camp.stations-at-war")
def test_station_beside_a_working_base_is_repaired_each_week() -> None:
    station = {"id": HIGH, "at": NEAR, "ships": {"hub": {"class": "Starbase", "damage": 60}}}
    station["ships"]["hub"]["lost"] = ["pdaf-1"]  # type: ignore[index]
    record = war(document(STARBASE), station, dice={"repair": [4, 3]})
    assert (record["ships"]["hub"]["damage"], record["ships"]["hub"]["lost"]) == (56, [])
    assert HIGH not in record["ships"]


def test_station_takes_no_orders_that_move_it() -> None:
    file = starbase()
    state = world(file, blue_ship())
    orders = Orders(
        moves=(Move(HIGH, to="0305"),),
        dock=(Dock(HIGH),),
        detach=(Detachment(ships=(HIGH,), into="blue/f9"),),
        tow=(Tow("blue/s1", (HIGH,)),),
    )
    faults = {
        (item.where, item.code) for item in order_violations(file, view_of(file, state), orders)
    }
    assert {
        ("moves[0].fleet", "station"),
        ("dock[0].ship", "station"),
        ("detach[0].ships[0]", "station"),
        ("tow[0].ships[0]", "station"),
    } <= faults


# Gates.


@pytest.mark.rule("camp.stations-at-war")
@pytest.mark.parametrize(
    ("damage", "lost", "mass"),
    [(0, (), 300), (3, (), 270), (15, (), 150), (0, ("jump-gate-1",), 0)],
)
def test_gate_loses_mass_with_its_hull(damage: int, lost: tuple[str, ...], mass: int) -> None:
    file = gate()
    state = world(file, damage=damage, lost=lost)
    (station,) = true_stations(file, state).values()
    cls = next(cls for cls in file.catalogue if cls.name == "Gate Station")
    assert mass_through(cls, station) == mass


def reaches_far(file: Scenario, state: World, view: View | None = None) -> bool:
    """Return whether blue's first fleet may go from Near to Far, three hexes apart, this week."""
    hexes = dict(reachable_hexes(file, view or view_of(file, state), "blue/f1"))
    return FAR_HEX in hexes


@pytest.mark.rule("camp.stations-at-war")
def test_destroyed_or_broken_gate_is_shut() -> None:
    file = gate()
    ship = blue_ship("Harrier Destroyer")
    assert reaches_far(file, world(file, ship))
    assert not reaches_far(file, world(file, ship, lost=("jump-gate-1",)))
    assert not reaches_far(file, world(file, ship, damage=29))
    full = world(file, ship)
    assert not reaches_far(file, replace(full, ships=full.ships[1:]))


@pytest.mark.rule("camp.stations-at-war")
@pytest.mark.parametrize(("who", "passes"), [("all", True), ("holder", False)])
def test_who_holds_the_station_decides_link_access(who: str, *, passes: bool) -> None:
    file = scenario_from(gate_document(open=who, station={"faction": "red"}))
    state = world(file, blue_ship("Harrier Destroyer"))
    assert reaches_far(file, state) is passes


def test_gates_are_judged_only_when_fleets_move() -> None:
    """What a faction learned in earlier weeks cannot be asked for again when orders take effect."""
    file = scenario_from(gate_document(open="holder", station={"faction": "red"}))
    state = world(file, blue_ship("Harrier Destroyer"))
    orders = {"blue": Orders(moves=(Move("blue/f1", path=(FAR_HEX,)),))}
    assert prepare_week(file, state, orders).dropped == ()


@pytest.mark.rule("camp.stations-at-war")
def test_fleet_that_does_not_know_finds_the_gate_shut() -> None:
    """Red last saw the station whole; its move is valid, and fails."""
    station = {"id": "blue/door", "at": NEAR, "ships": {"door": "Gate Station"}}
    broken = {**station, "ships": {"door": {"class": "Gate Station", "lost": ["jump-gate-1"]}}}
    fleet = {"id": "red/f1", "at": FAR, "ships": {"r1": "Groza Destroyer"}}
    orders = {2: {"orders": {"red": {"moves": [{"fleet": "red/f1", "to": NEAR_HEX}]}}}}
    until = {"week": 2, "stage": "decisions"}
    file = gate_document()
    passed = war(file, station, fleet, orders=orders, until=until)
    assert passed["ships"]["r1"]["at"] == NEAR_HEX
    stopped = war(file, broken, fleet, orders=orders, until=until)
    assert stopped["refused"] == {}
    assert stopped["ships"]["r1"]["at"] == FAR_HEX
    (notice,) = [item for item in stopped["told"]["red"] if item["code"] == "order-dropped"]
    assert notice["facts"]["code"] == "gate-closed"


@pytest.mark.rule("camp.stations-at-war")
def test_gate_of_a_station_is_with_it_in_battle() -> None:
    file = gate_document(station={"at": [4, 2]})
    file["battles"] = {"max_turns": 1}
    fleet = {"id": "red/f1", "at": NEAR, "back": "0404", "ships": {"r1": "Groza Destroyer"}}
    fight = {"decide": [{"hex": NEAR_HEX, "toward": "blue", "choice": "fight"}]}
    record = war(file, fleet, orders={2: {"decisions": {"red": fight}}})
    (battle,) = record["battles"]
    assert battle["file"]["gates"] == [{"id": f"gate-{FAR_HEX}", "ship": "blue/door"}]


# Secrecy.


@pytest.mark.rule("camp.stations-at-war")
def test_damage_of_a_station_is_known_to_its_owner_alone() -> None:
    file = starbase()
    whole = world(file)
    hurt = world(file, damage=40, lost=("pdaf-1",))
    assert view_of(file, whole, "red") == view_of(file, hurt, "red")
    (station,) = view_of(file, hurt).stations
    assert (station.faction, station.damage) == ("blue", 40)
    planted = replace(view_of(file, hurt, "red"), stations=view_of(file, hurt).stations)
    assert planted != view_of(file, whole, "red")


@pytest.mark.rule("camp.stations-at-war")
def test_a_visitor_sees_who_has_a_station_but_not_its_damage() -> None:
    file = starbase()
    state = world(file, damage=40)
    state = replace(
        state,
        fleets=(*state.fleets, Fleet("red/f1", "red", "Raid", NEAR_HEX)),
        ships=(*state.ships, Ship("red/s1", "red", "Elk", "Destroyer", "red/f1")),
    )
    (station,) = view_of(file, state, "red").stations
    assert (station.faction, station.damage, station.week) == ("blue", 0, 0)
    gone = replace(state, ships=tuple(ship for ship in state.ships if not ship.station))
    (station,) = view_of(file, gone, "red").stations
    assert (station.faction, station.damage, station.week) == ("", None, 3)


@pytest.mark.rule("camp.stations-at-war")
def test_who_hit_a_station_in_battle_knows_its_damage() -> None:
    record = raid()
    damage = record["ships"][HIGH]["damage"]
    notices = [item for item in record["told"]["red"] if item["code"] == "station-seen"]
    assert bool(notices) is bool(damage)
    heavy = {**RAIDERS, "ships": {f"r{n}": "Battleship" for n in range(8)}}
    fight = {"decide": [{"hex": NEAR_HEX, "toward": "blue", "choice": "fight"}]}
    orders = {2: {"decisions": {"red": fight}}}
    record = war(document(STARBASE), heavy, orders=orders, until=WEEK_3)
    (notice,) = [item for item in record["told"]["red"] if item["code"] == "station-seen"]
    assert notice["facts"]["damage"] > 0
    assert notice["facts"]["points"] == 100


@pytest.mark.rule("camp.stations-at-war")
def test_what_others_believe_of_a_station_follows_from_the_public_scenario() -> None:
    file = starbase()
    whole = world(file)
    hurt = world(file, damage=40)
    garrisons = [
        Belief(file, view_of(file, state, "red")).garrison(NEAR_HEX, "blue")
        for state in (whole, hurt)
    ]
    assert garrisons == [{"installation": 1}, {"installation": 1}]
    known_gone = replace(
        view_of(file, whole, "red"),
        stations=(replace(view_of(file, whole).stations[0], faction="", damage=None),),
    )
    assert not Belief(file, known_gone).garrison(NEAR_HEX, "blue")


# Pages and computer players.


def test_map_tells_the_state_of_stations_and_gates() -> None:
    file = starbase()
    state = world(file, blue_ship(docked=True), damage=3)
    assert lines_by_system(file, view_of(file, state)) == {
        NEAR: [
            "Near High (Starbase), Blue League: 3 of 100 damage points lost",
            "Docked at Near High: Ash",
        ]
    }
    (line,) = lines_by_system(file, view_of(file, state, "red"))[NEAR]
    assert line.endswith("no damage at the start of the war")
    private = scenario_from(gate_document(open="holder"))
    broken = world(private, lost=("jump-gate-1",))
    blue_lines = lines_by_system(private, view_of(private, broken))[NEAR]
    assert blue_lines[1] == "Gate to Far (0604): closed"
    told_red = lines_by_system(private, view_of(private, broken, "red"))
    assert told_red[FAR] == ["Gate to Near (0304): only for Blue League"]


def test_editor_shows_each_station_as_a_row_of_its_system() -> None:
    file = gate_document(station={"berths": [80]})
    del file["links"][0]["id"]
    section = next(section for section in SECTIONS if section.slug == "map")
    (placed,) = rows_of(file, GROUPS["stations"])
    assert placed.row["system"] == NEAR
    row = {**placed.row, "gate": "link-1"}
    set_rows(file, GROUPS["stations"], [row])
    assert file["links"][0]["id"] == "link-1"
    assert "stations" not in file
    _, faults_found = check_scenario(file)
    groups, _ = form_groups(file, section, faults_found, {})
    rows = {group.group.key: group.rows for group in groups}
    assert [bool(row.faults) for row in rows["systems"]] == [False, False, False]
    fields = {field.field.key: field for field in rows["stations"][0].fields}
    assert len(fields["berths"].faults) == 1
    assert ("Gate Station", "Gate Station, MASS 100") in fields["class"].options
    assert ("link-1", f"gate, {NEAR_HEX} to {FAR_HEX}") in fields["gate"].options


@pytest.mark.rule("camp.stations-at-war")
def test_admirals_dock_at_a_base_and_leave_the_station_where_it_is() -> None:
    hurt = {"class": "Destroyer", "damage": 4}
    hub = {"class": "Starbase", "damage": 30}
    station = {"id": HIGH, "at": NEAR, "ships": {"hub": hub}}
    fleet = {"id": "blue/f1", "at": NEAR, "ships": {"b1": hurt}}
    until = {"week": 2, "stage": "decisions"}
    file = document(STARBASE)
    record = war(file, station, fleet, admirals=["blue", "red"], until=until)
    assert record["refused"] == {}
    assert record["ships"]["b1"]["docked"]
    assert not record["ships"]["hub"]["docked"]
    hub["damage"] = 60
    record = war(file, station, fleet, admirals=["blue", "red"], until=until)
    assert not record["ships"]["b1"]["docked"]


@pytest.mark.rule("camp.stations-at-war")
def test_admirals_count_the_stations_of_others() -> None:
    file = starbase()
    view = view_of(file, world(file), "red")
    near = next(system for system in file.systems if system.id == NEAR)
    points = next(cls.points for cls in file.catalogue if cls.name == "Starbase")
    assert Situation(file, view).fixed_points(near) == points
    gone = (replace(view.stations[0], faction="", damage=None),)
    poorer = Situation(file, replace(view, stations=gone))
    assert poorer.fixed_points(near) == 0
    assert poorer.aims.want[NEAR] < Situation(file, view).aims.want[NEAR]


def test_umpire_lists_no_facility_whose_station_is_gone() -> None:
    file = starbase()
    state = world(file)
    rows = projection_rows(file, state)[FacilityState]
    assert rows[NEAR]["facility"] == "dockyard"
    gone = replace(state, fleets=(), ships=())
    assert projection_rows(file, gone)[FacilityState][NEAR]["facility"] == ""

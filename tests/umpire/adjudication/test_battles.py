"""From an engagement to the engine's battle and back: positions, labels, codes, doctrines,
statuses.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest

from campaign.rules.files import fixture_scenario
from campaign.rules.orders import FleetSetting, Orders
from campaign.rules.starting_positions import place_ships
from campaign.rules.world import Doctrine, Engagement, World
from engine.battle import fight, start
from engine.core.dice import Dice
from engine.core.versions import NEWEST
from engine.notation.battle_file import BattleFileDocument, ShipEntry
from tests.umpire.adjudication.small_sector import PORT, ROCK, fleet, resolve, scenario, world
from umpire.adjudication.battles import battle_doctrines, battle_result, battle_setup

FIELD = scenario()
DUEL = Engagement(f"{PORT}/w3/blue+red", PORT, (("blue",), ("red",)), (("blue", "red"),))


def duel(**changes: Any) -> World:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Battleship", "Cruiser", "Destroyer"),
        fleet("blue/f1", PORT, "Cruiser", "Weasel", decoys_out=2),
        stage="battles",
        ships={
            "red/f1/3": {"docked": True},
            "red/f1/2": {"damage": 4, "lost": ("firecon-1",), "stock": (("pack-1", 0),)},
            "blue/f1/2": {"weasel_on": True},
        },
        engagements=(DUEL,),
    )
    return replace(before, **changes)


def setup(salt: bytes = b"salt") -> BattleFileDocument:
    return battle_setup(FIELD, duel(), DUEL, salt=salt)


def by_id(document: BattleFileDocument) -> dict[str, ShipEntry]:
    return {ship["id"]: ship for side in document["sides"] for ship in side["ships"]}


@pytest.mark.rule("camp.battle")
def test_undocked_ships_fight_as_bogeys() -> None:
    document = setup()
    ships = by_id(document)
    assert document["bogeys"] is True
    assert [side["name"] for side in document["sides"]] == ["blue", "red"]
    assert sorted(ships) == [
        "blue/f1/1",
        "blue/f1/2",
        "blue/f1/d1",
        "blue/f1/d2",
        "red/f1/1",
        "red/f1/2",
    ]
    assert (ships["red/f1/2"]["damage"], ships["red/f1/2"]["lost"]) == (4, ["firecon-1"])
    assert (ships["red/f1/2"]["stock"], "stock" in ships["red/f1/1"]) == ({"pack-1": 0}, False)
    assert document["hostile"] == [["blue", "red"]]


@pytest.mark.rule("camp.decoys")
def test_bogey_labels_match_the_scan() -> None:
    ships = by_id(setup())
    labels = {key: ship["label"] for key, ship in ships.items()}
    assert labels == {
        "blue/f1/1": "cruiser",
        "blue/f1/2": "capital",
        "blue/f1/d1": "escort",
        "blue/f1/d2": "escort",
        "red/f1/1": "capital",
        "red/f1/2": "cruiser",
    }
    assert [key for key, ship in sorted(ships.items()) if ship.get("dummy")] == [
        "blue/f1/d1",
        "blue/f1/d2",
    ]


@pytest.mark.rule("pc.sensors")
def test_continuum_drones_fly_like_the_ships_they_imitate() -> None:
    here = replace(FIELD, edition="continuum")
    file = battle_setup(here, duel(), DUEL, salt=b"salt")
    drones = [ship for ship in by_id(file).values() if ship.get("dummy")]
    assert [drone["design"]["thrust"] for drone in drones] == [6, 6]


@pytest.mark.rule("pc.sensors")
def test_drones_stay_away_from_known_contacts() -> None:
    here = replace(FIELD, edition="continuum", options=("known-contacts",))
    file = battle_setup(here, duel(), DUEL, salt=b"salt")
    assert file["bogeys"] is False
    assert not any(ship.get("dummy") for ship in by_id(file).values())
    ships = {key: {"status": "fighting", "damage": 0, "lost": []} for key in by_id(file)}
    state = {"ships": ships, "terms": {"rules": NEWEST}, "sides": ["blue", "red"]}
    assert battle_result(here, duel(), DUEL, state, "red", 3).decoys_lost == ()


@pytest.mark.rule("camp.battle")
def test_newcomers_and_occupant_start_at_opposite_ends() -> None:
    for ship in by_id(setup()).values():
        newcomer = ship["id"].startswith("blue")
        assert (ship["at"][0] < 18, ship["at"][0] > 54) == (newcomer, not newcomer)
        assert (ship["course"], ship["velocity"]) == ((3 if newcomer else 9), 8)


@pytest.mark.rule("camp.battle")
def test_contact_codes_and_places_do_not_identify_ships() -> None:
    first, other = by_id(setup()), by_id(setup(b"another"))
    codes = [ship["contact"] for ship in first.values()]
    assert len(set(codes)) == len(codes)
    assert {ship["contact"] for ship in other.values()} & set(codes) == set()
    assert by_id(setup()) == first
    for document in (setup(), setup(b"another")):
        for side in document["sides"]:
            contacts = [ship["contact"] for ship in side["ships"]]
            assert contacts == sorted(contacts)
    orders = {
        tuple(
            key for key in sorted(ships, key=lambda key: ships[key]["at"]) if key.startswith("blue")
        )
        for ships in (by_id(setup(bytes([n]))) for n in range(12))
    }
    assert len(orders) > 4


@pytest.mark.rule("camp.battle")
def test_contact_code_changes_with_the_battle() -> None:
    later = battle_setup(FIELD, duel(week=4), DUEL, salt=b"salt")
    assert {ship["contact"] for ship in by_id(later).values()}.isdisjoint(
        ship["contact"] for ship in by_id(setup()).values()
    )


@pytest.mark.rule("camp.battle")
def test_three_or_more_sides_use_all_edges() -> None:
    three = scenario(("red", "blue", "green"))
    before = world(
        three,
        *(fleet(f"{name}/f1", ROCK, "Cruiser", "Cruiser") for name in ("red", "blue", "green")),
    )
    sides = (("blue",), ("green",), ("red",))
    engagement = Engagement("k", ROCK, sides, (("blue", "green"), ("green", "red")))
    document = battle_setup(three, before, engagement, salt=b"")
    courses = {
        side["name"]: {ship["course"] for ship in side["ships"]} for side in document["sides"]
    }
    assert courses == {"blue": {3}, "green": {9}, "red": {12}}
    assert document["hostile"] == [["blue", "green"], ["green", "red"]]


@pytest.mark.rule("camp.battle")
@pytest.mark.parametrize("sides", [2, 3, 4, 5, 6, 9])
@pytest.mark.parametrize("sizes", [[1], [3, 1, 7], [30] * 8, [400]])
def test_formations_fit_the_table_without_overlaps(sides: int, sizes: list[int]) -> None:
    (width, height), posts = place_ships((72, 48), [sizes] * sides)
    places = [post.at for side in posts for group in side for post in group]
    assert [[len(group) for group in side] for side in posts] == [sizes] * sides
    assert len(set(places)) == len(places)
    assert all(0 <= x <= width and 0 <= y <= height for x, y in places)


@pytest.mark.rule("camp.battle")
def test_standard_table_suits_usual_fleets() -> None:
    assert place_ships((72, 48), [[44], [20, 20]])[0] == (72, 48)


# --- doctrines


@pytest.mark.rule("camp.battle")
def test_strongest_fleet_decides_the_doctrine() -> None:
    careful, bold = Doctrine(range=30, break_off=20), Doctrine(targets="nearest", break_off=100)
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Destroyer", "Destroyer", doctrine=bold),
        fleet("red/f2", PORT, "Battleship", doctrine=careful),
        fleet("blue/f1", PORT, "Cruiser", doctrine=Doctrine(range=120)),
    )
    doctrines = battle_doctrines(FIELD, before, DUEL, {})
    assert doctrines["red"] == asdict(careful)
    assert doctrines["blue"]["range"] == 54
    sealed = {"red": Orders(settings=(FleetSetting("red/f2", doctrine=bold),))}
    assert battle_doctrines(FIELD, before, DUEL, sealed)["red"]["targets"] == "nearest"


@pytest.mark.rule("camp.battle")
def test_side_caught_withdrawing_flees() -> None:
    doctrines = battle_doctrines(FIELD, duel(), replace(DUEL, caught=("blue",)), {})
    assert (doctrines["blue"]["flee"], doctrines["red"]["flee"]) == (True, False)


# --- the result


def ended_battle_document(**statuses: str) -> dict[str, Any]:
    ids = {"blue_1": "blue/f1/1", "blue_2": "blue/f1/2", "d1": "blue/f1/d1", "d2": "blue/f1/d2"}
    ids |= {"red_1": "red/f1/1", "red_2": "red/f1/2"}
    ships: dict[str, dict[str, Any]]
    ships = {
        key: {"damage": 4, "lost": [], "status": statuses.get(name, "fighting")}
        for name, key in ids.items()
    }
    ships["red/f1/2"] |= {"lost": ["firecon-1"], "stock": {"pack-1": 0}}
    return {"ships": ships, "terms": {"rules": NEWEST}}


@pytest.mark.rule("camp.battle")
@pytest.mark.parametrize(
    ("status", "means", "captor"),
    [
        ("fighting", "fighting", ""),
        ("left", "left", ""),
        ("returning", "left", ""),
        ("ftl", "ftl", ""),
        ("destroyed", "destroyed", ""),
        ("hulk", "hulk", ""),
        ("struck", "struck", "blue"),
        ("captured", "captured", "blue"),
    ],
)
def test_meaning_of_engine_statuses(status: str, means: str, captor: str) -> None:
    result = battle_result(FIELD, duel(), DUEL, ended_battle_document(red_1=status), "blue", 7)
    results_by_ship = {item.ship: item for item in result.ships}
    assert (results_by_ship["red/f1/1"].status, results_by_ship["red/f1/1"].captor) == (
        means,
        captor,
    )
    assert (results_by_ship["red/f1/2"].lost, results_by_ship["red/f1/2"].stock) == (
        ("firecon-1",),
        (("pack-1", 0),),
    )
    assert sorted(results_by_ship) == ["blue/f1/1", "blue/f1/2", "red/f1/1", "red/f1/2"]
    assert (result.engagement, result.turns, result.winner) == (DUEL.key, 7, "blue")


@pytest.mark.rule("camp.prizes")
@pytest.mark.parametrize(
    ("status", "means", "captor"),
    [
        ("fighting", "captured", "blue"),
        ("ftl", "carried-off", "blue"),
        ("left", "carried-off", "blue"),
        ("struck", "struck", "blue"),
        ("hulk", "hulk", ""),
        ("destroyed", "destroyed", ""),
    ],
)
def test_captured_ship_is_lost_to_its_owner(status: str, means: str, captor: str) -> None:
    state = ended_battle_document(red_1=status) | {"sides": ["blue", "red"]}
    state["ships"]["red/f1/1"] |= {"side": 1, "commander": 0}
    result = battle_result(FIELD, duel(), DUEL, state, "blue", 7)
    ends = {item.ship: (item.status, item.captor) for item in result.ships}
    assert ends["red/f1/1"] == (means, captor)
    assert ends["red/f1/2"] == ("fighting", "")
    after = resolve(FIELD, duel(), results=[result]).world
    flags = [ship.faction for ship in after.ships if ship.cls == "Battleship"]
    assert flags == ([] if status == "destroyed" else ["blue"]), (
        "the field is blue's, and so is the prize"
    )
    result_lost = battle_result(FIELD, duel(), DUEL, state, "red", 7)
    world_after = resolve(FIELD, duel(), results=[result_lost]).world
    found_again = [ship.faction for ship in world_after.ships if ship.cls == "Battleship"]
    assert found_again == ([] if means in ("destroyed", "carried-off") else ["red"]), (
        "what still lies on red's field"
    )


@pytest.mark.rule("camp.decoys")
def test_identified_drones_are_gone_and_others_stay() -> None:
    result = battle_result(
        FIELD, duel(), DUEL, ended_battle_document(d1="scanned", d2="left"), None, 3
    )
    assert result.decoys_lost == (("blue/f1", 1),)
    world_after = resolve(FIELD, duel(), results=[result]).world
    assert [item.decoys_out for item in world_after.fleets] == [1, 0]


@pytest.mark.rule("camp.battle")
def test_lafayette_battle_is_fought_and_returned() -> None:
    lafayette = fixture_scenario("lafayette")
    start_world = resolve(
        lafayette, resolve(lafayette, world(lafayette, stage="deploy", at_week=0)).world
    ).world
    esu = next(item for item in start_world.fleets if item.faction == "esu")
    home = next(system.hex for system in lafayette.systems if system.id == "hudson")
    fleets = tuple(
        replace(item, hex=home) if item.key == esu.key else item for item in start_world.fleets
    )
    engagement = Engagement("k", home, (("esu",), ("nac",)), (("esu", "nac"),))
    before = replace(start_world, fleets=fleets, stage="battles", engagements=(engagement,))
    document = battle_setup(lafayette, before, engagement, salt=b"secret")
    doctrines = battle_doctrines(lafayette, before, engagement, {})
    last = fight(start(document), doctrines, Dice(7), "captains", 12, log=False)
    result = battle_result(lafayette, before, engagement, last.to_json(), last.winner, last.turn)
    fighting_ships = {
        ship.key
        for ship in before.ships
        if next(f for f in fleets if f.key == ship.fleet).hex == home
    }
    assert {item.ship for item in result.ships} == fighting_ships
    after = resolve(lafayette, before, results=[result]).world
    surviving, lost_ships = (
        {ship.key for ship in after.ships},
        {loss.ship.key for loss in after.losses},
    )
    assert (surviving | lost_ships, surviving & lost_ships) == (
        {ship.key for ship in before.ships},
        set(),
    )


@pytest.mark.rule("pc.planets")
def test_terrain_is_on_the_table_of_its_system_only() -> None:
    body = {"kind": "planet", "at": [2, -1], "radius": 3, "gravity": [6]}
    systems = tuple(
        replace(system, terrain=(body,)) if system.hex == PORT else system
        for system in FIELD.systems
    )
    here = replace(FIELD, edition="continuum", systems=systems)
    document = battle_setup(here, duel(), DUEL, salt=b"salt")
    width, height = document["table"]
    assert document["terrain"] == [body | {"at": [width / 2 + 2, height / 2 - 1]}]
    elsewhere = Engagement(f"{ROCK}/w3/blue+red", ROCK, DUEL.sides, DUEL.hostile)
    before = world(
        here,
        fleet("red/f1", ROCK, "Cruiser"),
        fleet("blue/f1", ROCK, "Cruiser"),
        engagements=(elsewhere,),
    )
    assert "terrain" not in battle_setup(here, before, elsewhere, salt=b"salt")


@pytest.mark.rule("pc.atmosphere")
def test_landed_ship_returns_as_landed() -> None:
    result = battle_result(FIELD, duel(), DUEL, ended_battle_document(red_1="landed"), "blue", 3)
    assert "landed" in {item.status for item in result.ships}
    assert all(item.captor == "" for item in result.ships)


def test_battle_over_a_planet_is_fought_around_it() -> None:
    """No captain steers into the planet between the fleets or launches fighters towards it."""
    knot = fixture_scenario("knot-of-gates")
    (prime,) = (system for system in knot.systems if system.id == "tarn-prime")
    meeting = Engagement(
        f"{prime.hex}/w1/ostrava+tarn", prime.hex, (("ostrava",), ("tarn",)), (("ostrava", "tarn"),)
    )
    carriers = (
        ("Zarya Fleet Carrier", "Sayan Battlecruiser", "Groza Destroyer"),
        ("Aerie Light Carrier", "Warden Heavy Cruiser"),
    )
    kinds: list[str] = []
    for seed in range(6):
        before = world(
            knot, fleet("ostrava/f1", prime.hex, *carriers[0]), fleet("tarn/f1", prime.hex, *carriers[1]),
            stage="battles", engagements=(meeting,),
        )  # fmt: skip
        document = battle_setup(knot, before, meeting, salt=b"%d" % seed)
        ended = fight(start(document), {}, Dice(seed), f"captains {seed}")
        kinds += [event.kind for event in ended.events]
    assert "launched" in kinds
    assert "course-bent-by-gravity" in kinds
    assert "ran-into-planet" not in kinds


def test_station_is_stationary_and_holds_its_place() -> None:
    knot = fixture_scenario("knot-of-gates")
    hex_ = next(system.hex for system in knot.systems if system.id == "umbel")
    meeting = Engagement(
        f"{hex_}/w1/ostrava+tarn", hex_, (("ostrava",), ("tarn",)), (("ostrava", "tarn"),)
    )
    before = world(
        knot, fleet("ostrava/f1", hex_, "Groza Destroyer"), fleet("tarn/f1", hex_, "Picket Station", "Gannet Frigate"),
        stage="battles", engagements=(meeting,),
    )  # fmt: skip
    document = battle_setup(knot, before, meeting, salt=b"salt")
    ships = by_id(document)
    assert [ships[key]["velocity"] for key in ("tarn/f1/1", "tarn/f1/2", "ostrava/f1/1")] == [
        0,
        8,
        8,
    ]
    ended = fight(start(document), {}, Dice(1), "captains 1")
    moves = [event.to_json() for event in ended.events if event.kind == "moved"]
    assert {move["velocity"] for move in moves if move["ship"] == "tarn/f1/1"} <= {0}
    assert any(move["velocity"] for move in moves)

"""Set-up in battle files: zones, what a side chooses, and every fault with its place."""

from __future__ import annotations

from math import dist
from typing import Any

import pytest

from engine.battle import start
from engine.captains.line_up import choose_formation
from engine.core.errors import RuleViolations
from engine.core.kinds import INBOUND
from engine.core.ship import ShipState
from engine.core.zones import FROM_ENTRIES
from engine.notation.battles import read_battle
from engine.notation.files import classes_for
from engine.weapons.point_defence import AREA_RANGE

SCOUT = {
    "class": "Scout",
    "edition": "second-edition",
    "kind": "warship",
    "mass": 4,
    "thrust": 8,
    "ftl": "standard",
    "systems": [],
}
GUARD = {**SCOUT, "class": "Guard", "ftl": "none"}
STATION = {
    **SCOUT,
    "class": "Station",
    "kind": "installation",
    "mass": 40,
    "thrust": 0,
    "ftl": "none",
}
pytestmark = pytest.mark.rule("pc.deployment")


def battle(
    deployment: object,
    set_up: object = None,
    first: list[dict[str, Any]] | None = None,
    second: list[dict[str, Any]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return a battle file: three scouts of `nac` and two of `esu`, without places."""

    def ships(letter: str, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {"id": f"{letter}{number}", "design": SCOUT, **ship}
            for number, ship in enumerate(entries, 1)
        ]

    document = {
        "edition": "second-edition",
        "deployment": deployment,
        "sides": [
            {"name": "nac", "ships": ships("n", first or [{}, {}, {}])},
            {"name": "esu", "ships": ships("e", second or [{}, {}])},
        ],
        **more,
    }
    if set_up is not None:
        document["set_up"] = set_up
    return document


def read(*args: Any, **more: Any) -> dict[str, tuple[float, float, int, int]]:
    """Return the place, course and velocity of each ship of a battle, by id."""
    state = read_battle(battle(*args, **more), {}).state
    return {str(ship.id): (ship.x, ship.y, ship.course, ship.velocity) for ship in state.ships}


def faults(*args: Any, **more: Any) -> list[tuple[str, str]]:
    with pytest.raises(RuleViolations) as caught:
        read_battle(battle(*args, **more), {})
    return sorted((fault.where, fault.code) for fault in caught.value.violations)


def test_table_of_a_kind_equals_the_word() -> None:
    """Ships may leave out velocity and course: 8 MU straight ahead."""
    velocities = {"first": [{"velocity": 8}] * 3, "second": [{"velocity": 8}] * 2}
    by_word = read("meeting", **velocities)
    assert read({"kind": "meeting"}) == by_word
    assert by_word["n1"] == (3.0, 12.0, 3, 8)
    assert by_word["e2"] == (69.0, 32.0, 9, 8)


def test_set_up_replaces_place_course_and_velocity() -> None:
    placed = read({"kind": "meeting"}, {"n2": {"at": [5, 40], "course": 4, "velocity": 12}})
    assert placed["n2"] == (5.0, 40.0, 4, 12)
    assert placed["n1"] == (3.0, 16.0, 3, 8)  # the line of the others closes up


def test_set_up_without_a_deployment_is_free() -> None:
    document = battle("meeting", {"n1": {"at": [30, 30], "course": 1, "velocity": 0}})
    del document["deployment"]
    for side in document["sides"]:
        for number, ship in enumerate(side["ships"]):
            if ship["id"] != "n1":
                ship.update({"at": [10 + number, 10], "course": 3, "velocity": 8})
    ship = read_battle(document, {}).state.ships[0]
    assert (ship.x, ship.y, ship.course, ship.velocity) == (30.0, 30.0, 1, 0)


@pytest.mark.parametrize(
    ("zone", "inside", "outside"),
    [
        ({"edge": "top"}, [30, 42], [30, 41.9]),
        ({"edge": "left", "deep": 10, "half": True}, [10, 24], [10, 24.1]),
        ({"corner": "top-right"}, [60, 36], [59.9, 36]),
        ({"corner": "bottom-left", "deep": 5}, [5, 5], [5.1, 5]),
        ({"box": [20, 10, 40, 30]}, [20, 30], [20, 30.1]),
        ({"near": {"of": "e1", "mu": 12}}, [58, 24], [57.9, 24]),
        ({"anywhere": True, "apart": {"edges": 5}}, [5, 43], [5, 43.1]),
        ({"anywhere": True, "apart": {"enemies": 10}}, [60, 24], [60.1, 24]),
        ([{"edge": "left"}, {"edge": "bottom"}], [40, 6], [40, 6.1]),
    ],
)
def test_zone_shapes(zone: object, inside: list[float], outside: list[float]) -> None:
    """A place on the border of a zone is inside."""
    deployment = {"kind": "meeting", "zones": {"nac": zone}}
    more = {"second": [{"at": [70, 24]}], "first": [{}]}
    assert read(deployment, {"n1": {"at": inside}}, **more)["n1"][:2] == tuple(map(float, inside))
    assert faults(deployment, {"n1": {"at": outside}}, **more) == [("set_up.n1.at", "deployment")]


@pytest.mark.parametrize(
    ("kind", "side", "inside", "outside"),
    [
        ("defence", "n1", [36, 3], [36.1, 3]),
        ("stand-off", "n1", [36, 3], [36.1, 3]),
        ("stand-off", "e1", [48, 6], [47.9, 6]),
        ("stand-off", "e1", [48, 42], [50, 24]),
        ("caught", "n1", [24, 3], [23.9, 3]),
        ("caught", "e1", [6, 3], [6.1, 3]),
        ("ambush", "n1", [18, 12], [17.9, 12]),
        ("ambush", "e1", [36, 42], [36, 41.9]),
    ],
)
def test_kinds_have_their_zones(
    kind: str, side: str, inside: list[float], outside: list[float]
) -> None:
    """On a table of 72 by 48 MU; the enemy is at the middle of its zone, or far away."""
    other = {"n1": {"at": [36, 24]}} if kind == "ambush" and side == "e1" else {}
    more: dict[str, Any] = {"first": [{}], "second": [{}]}
    assert read({"kind": kind}, {**other, side: {"at": inside, "velocity": 8}}, **more)
    assert (f"set_up.{side}.at", "deployment") in faults(
        {"kind": kind}, {**other, side: {"at": outside, "velocity": 8}}, **more
    )


def test_courses_and_velocities_of_a_zone() -> None:
    zone = {"edge": "left", "courses": [3, 4], "velocity": [4, 6]}
    deployment = {"kind": "meeting", "zones": {"nac": zone}}
    assert read(deployment)["n1"][2:] == (3, 6)
    assert faults(deployment, {"n1": {"at": [3, 3], "course": 5, "velocity": 7}}) == [
        ("set_up.n1.course", "deployment"),
        ("set_up.n1.velocity", "velocity"),
    ]
    exact = {"kind": "meeting", "zones": {"nac": {"edge": "left", "velocity": 6}}}
    assert read(exact)["n1"][3] == 6


def test_movement_in_the_file_must_fit_a_table() -> None:
    """A course and a velocity count also where the ship has no place."""
    zone = {"edge": "left", "courses": [4], "velocity": 6}
    deployment = {"kind": "meeting", "zones": {"nac": zone}}
    assert read(deployment)["n1"][2:] == (4, 6)
    assert faults(deployment, first=[{"course": 3, "velocity": 7}]) == [
        ("sides[0].ships[0].course", "deployment"),
        ("sides[0].ships[0].velocity", "velocity"),
    ]


def test_doctrine_sets_the_usual_speed() -> None:
    """Within the limits of the zone; installations are at rest."""
    document = battle({"kind": "meeting"}, first=[{}, {"design": STATION}])
    document["sides"][0]["doctrine"] = {"speed": 20}
    ships = read_battle(document, {}).state.ships
    assert [ship.velocity for ship in ships][:2] == [20, 0]
    catalogue = battle({"kind": "meeting"}, first=[{}, {"class": "Starbase"}])
    del catalogue["sides"][0]["ships"][1]["design"]
    ships = read_battle(catalogue, classes_for(catalogue)).state.ships
    assert [ship.velocity for ship in ships][:2] == [8, 0]
    zone = {"edge": "left", "velocity": [0, 12]}
    document["deployment"] = {"kind": "meeting", "zones": {"nac": zone}}
    assert read_battle(document, {}).state.ships[0].velocity == 12
    document["sides"][0]["doctrine"] = {"formation": "square", "speed": 25, "reserve": 1}
    with pytest.raises(RuleViolations) as caught:
        read_battle(document, {})
    assert [(fault.where, fault.code) for fault in caught.value.violations] == [
        ("sides[0].doctrine.formation", "doctrine-formation"),
        ("sides[0].doctrine.speed", "doctrine-speed"),
        ("sides[0].doctrine.reserve", "doctrine-reserve"),
    ]


def test_ships_are_held_back_in_ftl_space() -> None:
    """Where the zone lets them, in turns 2 to 10, with a working drive."""
    deployment = {"kind": "meeting", "zones": {"nac": {"edge": "left", "ftl": True}}}
    entry = {"ftl_entry": 3, "at": [30, 24], "course": 9, "velocity": 6}
    ship = read_battle(battle(deployment, {"n2": entry}), {}).state.ships[1]
    assert (ship.due, ship.x, ship.y) == (3, 30.0, 24.0)
    assert faults({"kind": "meeting"}, {"n2": entry}) == [("set_up.n2.ftl_entry", "ftl-entry")]
    for turn in (1, 11):
        late = {"n2": {**entry, "ftl_entry": turn}}
        assert faults(deployment, late) == [("set_up.n2.ftl_entry", "ftl-entry")]
    guards = [{}, {"design": GUARD}]
    assert faults(deployment, {"n2": entry}, first=guards) == [("set_up.n2.ftl_entry", "ftl-entry")]
    assert faults(deployment, {"n2": entry}, options=["no-ftl"]) == [
        ("set_up.n2.ftl_entry", "no-ftl")
    ]


def test_one_ship_must_be_on_the_table() -> None:
    deployment = {"kind": "meeting", "zones": {"nac": {"edge": "left", "ftl": True}}}
    entry = {"ftl_entry": 3, "at": [30, 24], "course": 9, "velocity": 6}
    assert faults(deployment, {"n1": entry}, first=[{}]) == [("sides[0]", "nobody-there")]


def test_no_ship_begins_inside_a_body() -> None:
    """Open ships avoid it; a chosen place in it is a fault."""
    rocks = [{"at": [3, 24], "radius": 5}]
    placed = read({"kind": "meeting"}, first=[{}], asteroids=rocks)
    x, y = placed["n1"][:2]
    assert (x - 3) ** 2 + (y - 24) ** 2 >= 25
    assert 0 <= x <= 6
    assert faults({"kind": "meeting"}, {"n1": {"at": [3, 20]}}, first=[{}], asteroids=rocks) == [
        ("set_up.n1.at", "in-body")
    ]


def test_ships_are_placed_in_turn() -> None:
    """One of each side in turn, or up to four; classifications in their order."""
    deployment = {"kind": "meeting", "manner": "by-ship", "first": "esu"}

    def place(*ids: str) -> list[list[object]]:
        return [
            [ship, {"at": [3 if ship[0] == "n" else 69, 4 + 5 * n]}] for n, ship in enumerate(ids)
        ]

    assert read(deployment, place("e1", "n1", "e2", "n2", "n3"))
    assert faults(deployment, place("n1", "e1", "e2", "n2", "n3")) == [("set_up[0]", "out-of-turn")]
    assert read({**deployment, "step": 2}, place("e1", "e2", "n1", "n2", "n3"))
    assert faults({**deployment, "step": 2}, place("e1", "n1", "e2", "n2", "n3")) == [
        ("set_up[1]", "out-of-turn")
    ]
    cruiser = {"label": "cruiser"}
    ordered = {**deployment, "order": ["cruiser", "escort"]}
    more = {"second": [{}, cruiser]}
    assert read(ordered, place("e2", "n1", "e1", "n2", "n3"), **more)
    assert faults(ordered, place("e1", "n1", "e2", "n2", "n3"), **more) == [
        ("set_up[0]", "out-of-turn")
    ]


def test_faults_of_the_deployment() -> None:
    assert faults({}) == [("deployment.zones", "zone"), ("deployment.zones", "zone")]
    zones: dict[str, object] = {"nac": {"edge": "left", "box": [0, 0, 3, 3]}, "esu": {"deep": 3}}
    assert faults({"zones": zones}) == [
        ("deployment.zones.esu", "zone"),
        ("deployment.zones.nac", "zone"),
    ]
    assert faults({"kind": "meeting", "step": 5}) == [("deployment.step", "step")]
    assert faults({"kind": "meeting", "colour": "red"}) == [("deployment.colour", "unknown-key")]
    assert faults({"kind": "meeting", "manner": "loud"}) == [
        ("deployment.manner", "unknown-manner")
    ]
    assert faults({"kind": "meeting", "first": "fse"}) == [("deployment.first", "unknown-first")]
    assert faults({"kind": "meeting", "zones": {"fse": {"edge": "left"}}}) == [
        ("deployment.zones.fse", "unknown-key")
    ]


def test_faults_of_a_set_up() -> None:
    assert faults({"kind": "meeting"}, {"n9": {"at": [3, 3]}}) == [("set_up.n9", "unknown-ship")]
    assert faults({"kind": "meeting"}, {"n1": {"at": [3, 3], "speed": 3}}) == [
        ("set_up.n1.speed", "unknown-key")
    ]
    assert faults({"kind": "meeting"}, [["n1", {"at": [3, 3]}]]) == [("set_up", "not-a-mapping")]


def test_craft_begin_in_flight_where_the_zone_allows_it() -> None:
    carrier = {
        **SCOUT,
        "class": "Carrier",
        "mass": 60,
        "thrust": 4,
        "systems": [{"type": "fighter-bay"}],
    }
    ships = {"first": [{"design": carrier}]}
    zones = {"nac": {"edge": "left", "aloft": True}, "esu": {"edge": "right"}}
    place = {"n1": {"at": [3, 20], "aloft": ["fighter-bay-1"]}}
    state = read_battle(battle({"zones": zones}, place, **ships), {}).state
    assert [(piece.x, piece.y) for piece in state.pieces] == [(3, 20)]
    assert faults({"kind": "meeting"}, place, **ships) == [("set_up.n1.aloft", "aloft")]
    unknown = {"n1": {"at": [3, 20], "aloft": ["fighter-bay-9"]}}
    assert faults({"zones": zones}, unknown, **ships) == [("set_up.n1.aloft", "aloft")]


def test_zones_can_forbid_orbits_and_docks() -> None:
    zones = {"nac": {"edge": "left", "docked": False}, "esu": {"edge": "right"}}
    ships = {"first": [{"design": STATION, "velocity": 0, "at": [3, 20]}, {}]}
    place = {"n2": {"docked": "n1", "at": [3, 20], "velocity": 0}}
    assert ("set_up.n2.docked", "docked") in faults({"zones": zones}, place, **ships)
    zones = {"nac": {"edge": "left", "orbit": False}, "esu": {"edge": "right"}}
    assert ("set_up.n1.orbit", "orbit") in faults({"zones": zones}, {"n1": {"orbit": "planet-1"}})


def test_three_sides_need_zones() -> None:
    zones = {
        name: {"edge": edge} for name, edge in zip("abc", ("left", "right", "top"), strict=True)
    }
    document = battle({"zones": zones})
    document["sides"] = [
        {"name": name, "ships": [{"id": f"{name}1", "design": SCOUT}]} for name in "abc"
    ]
    ships = read_battle(document, {}).state.ships
    assert [(ship.x, ship.y, ship.course) for ship in ships] == [
        (3.0, 24.0, 3),
        (69.0, 24.0, 9),
        (36.0, 45.0, 6),
    ]
    document["deployment"] = {"kind": "meeting", "zones": zones}
    with pytest.raises(RuleViolations) as caught:
        read_battle(document, {})
    assert [fault.code for fault in caught.value.violations] == ["deployment-sides"]


def test_dice_decide_who_sets_up_first() -> None:
    """The lowest die begins; equal dice are rolled again."""
    document = battle({"kind": "meeting", "manner": "by-side"}, dice={"set-up": [4, 4, 5, 2]})
    battle_begun = start(document)
    (event,) = [line for line in battle_begun.events_json if line["event"] == "set-up"]
    assert event["rolls"] == [["nac", 4], ["esu", 4], ["nac", 5], ["esu", 2]]
    assert event["order"] == ["esu", "nac"]
    for deployment in (
        {"kind": "meeting"},
        {"kind": "meeting", "manner": "by-side", "first": "esu"},
    ):
        events = start(battle(deployment)).events_json
        assert [line for line in events if line["event"] == "set-up"] == []


def test_ships_out_of_turn_after_the_dice() -> None:
    document = battle(
        {"kind": "meeting", "manner": "by-ship"},
        [["n1", {"at": [3, 4]}], ["e1", {"at": [69, 4]}]],
        dice={"set-up": [5, 2]},
    )
    with pytest.raises(RuleViolations) as caught:
        start(document)
    assert [(fault.where, fault.code) for fault in caught.value.violations] == [
        ("set_up[0]", "out-of-turn")
    ]


@pytest.mark.parametrize("formation", ["ranks", "line", "column", "wedge", "screen"])
def test_formations_fit_their_zone(formation: str) -> None:
    """Every ship is in the zone, 2 MU from the others and out of bodies."""
    labels = ["capital", "escort", "merchant", "escort", "cruiser", "escort", "capital"]
    document = battle(
        {"kind": "meeting"},
        first=[{"label": label} for label in labels],
        asteroids=[{"at": [3, 24], "radius": 3}],
    )
    document["sides"][0]["doctrine"] = {"formation": formation}
    ships = start(document).state.ships[:7]
    places = [(ship.x, ship.y) for ship in ships]
    for number, (x, y) in enumerate(places):
        assert 0 <= x <= 6
        assert (x - 3) ** 2 + (y - 24) ** 2 >= 9 - 1e-6
        for other_x, other_y in places[number + 1 :]:
            assert (x - other_x) ** 2 + (y - other_y) ** 2 >= 4 - 1e-6
    if formation == "screen":
        rear = [ship.x for ship in ships if ship.label != "escort"]
        assert min(ship.x for ship in ships if ship.label == "escort") >= max(rear)


def test_formation_leaves_chosen_places() -> None:
    document = battle({"kind": "meeting"}, {"n2": {"at": [5, 40]}})
    document["sides"][0]["doctrine"] = {"formation": "wedge"}
    ships = start(document).state.ships
    assert (ships[1].x, ships[1].y) == (5.0, 40.0)
    assert (ships[0].x, ships[0].y) == (5.0, 24.0)


def test_reserve_holds_capital_ships_back() -> None:
    """They drop out of FTL in the doctrine's turn, if the zone allows it; one ship stays."""
    capitals = [{"label": "capital"}, {"label": "capital"}]
    zone = {"edge": "left", "ftl": True}
    for allowed in (True, False):
        deployment = {"kind": "meeting", "zones": {"nac": {**zone, "ftl": allowed}}}
        document = battle(deployment, first=capitals)
        document["sides"][0]["doctrine"] = {"reserve": 3}
        ships = start(document).state.ships[:2]
        assert sum(ship.status == "inbound" for ship in ships) == (1 if allowed else 0)


BATTERY = {"type": "battery", "battery": "C", "arcs": ["F"]}
ARMED = {**SCOUT, "mass": 30, "thrust": 4, "systems": [BATTERY]}
UMBRELLA = {**ARMED, "class": "Umbrella", "systems": [BATTERY, {"type": "adaf"}]}


def line_up_of(labels: list[dict[str, Any]], formation: str, **zone: Any) -> list[ShipState]:
    """Return the ships of a side that its captain places in a formation on a wide table."""
    zones = {"nac": {"edge": "left", **zone}, "esu": {"edge": "right"}}
    document = battle({"zones": zones}, first=labels, table=[96, 96], bogeys=True)
    document["sides"][0]["doctrine"] = {"formation": formation, "reserve": 3}
    return start(document).state.ships[: len(labels)]


def test_escorts_are_6_mu_ahead_in_a_screen() -> None:
    labels = [{"label": label} for label in ("capital", "escort", "capital", "escort")]
    ships = line_up_of(labels, "screen", deep=12)
    assert {(ship.label, ship.x) for ship in ships} == {("capital", 3), ("escort", 9)}


@pytest.mark.parametrize(("rules", "merchant"), [("1.0", 3), ("1.1", 1)])
def test_rear_ships_are_behind_the_ranks(rules: str, merchant: int) -> None:
    """By the rules of 1.0 they are the last of the ranks."""
    labels = ("merchant", "capital", "escort")
    first = [{"label": label, "design": ARMED} for label in labels]
    document = battle({"kind": "meeting"}, first=first, rules=rules)
    document["sides"][0]["doctrine"] = {"formation": "ranks"}
    assert [ship.x for ship in start(document).state.ships[:3]] == [merchant, 3, 3]


def test_drones_are_neither_first_nor_last_of_what_they_show() -> None:
    drone: dict[str, Any] = {"dummy": True, "label": "escort"}
    escort: dict[str, Any] = {"label": "escort"}
    labels = [drone, escort, drone, escort, {"label": "cruiser"}, {"label": "capital"}]
    ships = line_up_of(labels, "line")
    escorts = sorted((ship for ship in ships if ship.label == "escort"), key=lambda ship: ship.y)
    assert [ship.dummy for ship in escorts] == [False, True, True, False]


def test_area_defence_begins_beside_a_capital_ship() -> None:
    umbrella: dict[str, Any] = {"label": "cruiser", "design": UMBRELLA}
    labels = [{"label": "capital"}, {"label": "cruiser"}, umbrella]
    ships = line_up_of(labels, "line")
    assert dist((ships[0].x, ships[0].y), (ships[2].x, ships[2].y)) <= AREA_RANGE
    assert dist((ships[0].x, ships[0].y), (ships[1].x, ships[1].y)) > AREA_RANGE


def test_no_ship_begins_within_6_mu_of_an_own_ftl_entry() -> None:
    labels = [{"label": label} for label in ("capital", "capital", "escort", "cruiser", "escort")]
    ships = line_up_of(labels, "ranks", ftl=True)
    entries = [ship for ship in ships if ship.status == INBOUND]
    assert [ship.id for ship in entries] == ["n1", "n2"]
    for entry in entries:
        for other in ships:
            if other is not entry:
                assert dist((entry.x, entry.y), (other.x, other.y)) >= FROM_ENTRIES


def test_ships_keep_away_from_an_entry_that_their_side_chose() -> None:
    """Without a formation too."""
    document = battle(
        {"kind": "defence"}, {"e1": {"ftl_entry": 2, "at": [69, 24]}}, second=[{}, {}, {}]
    )
    ships = start(document).state.ships[4:]
    assert all(dist((ship.x, ship.y), (69, 24)) >= FROM_ENTRIES for ship in ships)


@pytest.mark.parametrize(
    ("labels", "formation"),
    [
        (["capital", "cruiser", "escort"], ""),
        (["cruiser", "merchant", "escort"], "ranks"),
        (["capital", "guard", "escort"], ""),
    ],
)
def test_formation_follows_from_the_composition(labels: list[str], formation: str) -> None:
    first = []
    for label in labels:
        is_guard = label == "guard"
        first.append(
            {"label": "cruiser", "design": UMBRELLA}
            if is_guard
            else {"label": label, "design": ARMED}
        )
    ships = start(battle({"kind": "meeting"}, first=first)).state.ships
    assert choose_formation(ships[: len(labels)]) == formation

"""Orbits: entering, moving in, leaving, firing from, and falling out of them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle, start
from engine.captains.common.doctrine import Doctrine
from engine.cli.battle import battle_file
from engine.core.errors import RuleViolations
from engine.core.kinds import DESTROYED, FIGHTING
from engine.notation.terrain import terrain_of
from engine.stops import advise
from tests.engine.battle.table import at, classes, events_of, replays
from tests.engine.guns.duels import play, ship, table, volley

PLANET = {"kind": "planet", "at": [60, 80], "radius": 6, "atmosphere": 6, "orbit": {"points": 2}}
ORBIT = {"plot": {"r1": "orbit"}}


def table_with_planet(
    planet: dict[str, Any] = PLANET, x: float = 60, velocity: int = 6, **more: Any
) -> dict[str, Any]:
    """Return `r1` on course 12, 6 MU below a planet with an orbit, and `b1` far away."""
    own = ship("r1", x, 68, more.pop("systems", ""), 12, velocity=velocity, **more.pop("ours", {}))
    foe = more.pop("foe", ship("b1", 60, 110, ""))
    return table([own], [foe], terrain=[planet], **more)


def orbit_of(battle: Battle, name: str = "r1") -> dict[str, int]:
    return dict(at(battle, name).record.orbit)


@pytest.mark.rule("pc.planets")
def test_ship_meeting_the_track_at_its_velocity_is_in_orbit() -> None:
    document = table_with_planet()
    battle = play(document, [ORBIT])
    flown = at(battle, "r1")
    assert (flown.status, orbit_of(battle), flown.x, flown.y, flown.course) == (
        FIGHTING,
        {"planet-1": 6},
        60,
        74,
        9,
    )
    assert replays(start(document, classes()), battle)
    nearer = {**PLANET, "at": [60, 78]}
    port = play(table_with_planet(nearer, x=63), [ORBIT])
    assert orbit_of(port) == {"planet-1": -5}  # it passes with the planet to port
    starboard = play(table_with_planet(nearer, x=57), [ORBIT])
    assert orbit_of(starboard) == {"planet-1": 7}


@pytest.mark.rule("pc.planets")
def test_orbiting_ship_needs_no_orders_and_leaves_by_velocity() -> None:
    turns = [ORBIT, {}, {"plot": {"r1": "orbit"}}, {"plot": {"r1": "+2"}}]
    round_ = play(table_with_planet(), turns[:3])
    assert (orbit_of(round_), at(round_, "r1").course, at(round_, "r1").velocity) == (
        {"planet-1": 10},
        1,
        6,
    )
    battle = play(table_with_planet(), turns)
    flown = at(battle, "r1")
    assert (orbit_of(battle), flown.course, flown.velocity) == ({}, 1, 8)
    before = at(round_, "r1")
    assert (round(flown.x - before.x, 3), round(flown.y - before.y, 3)) == (
        4,
        6.928,
    )  # straight along the tangent
    refused = play(table_with_planet(), [ORBIT, {"plot": {"r1": "P1"}}])
    assert "can change only its velocity" in events_of(refused, "order-refused")[0].reason
    assert orbit_of(refused) == {"planet-1": 8}


@pytest.mark.rule("pc.planets")
@pytest.mark.parametrize(("velocity", "score"), [(8, 12), (4, 10)])
def test_wrong_velocity_descends_out_of_control(velocity: int, score: int) -> None:
    document = table_with_planet(x=60, velocity=velocity) | {
        "terrain": [{**PLANET, "at": [60, 76]}]
    }
    battle = play(document, [ORBIT], atmosphere=[6])
    assert events_of(battle, "entered-atmosphere")[0].score == score
    assert at(battle, "r1").status == DESTROYED
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.planets")
def test_orbit_needs_the_order() -> None:
    assert events_of(
        play(table_with_planet(velocity=8), [{}], atmosphere=[1]), "entered-atmosphere"
    )
    grazing = play(table_with_planet(x=66, velocity=12), [{}])
    assert orbit_of(grazing) == {}
    missed = play(table_with_planet(x=75), [ORBIT])
    assert events_of(missed, "missed-orbit")[0].ship == "r1"
    airless = play(table_with_planet({"kind": "planet", "at": [60, 80], "radius": 6}), [ORBIT])
    assert "no planet" in events_of(airless, "order-refused")[0].reason


@pytest.mark.rule("pc.planets")
def test_airless_planet_has_its_own_velocity_and_destroys_falling_ships() -> None:
    moon = {"kind": "planet", "at": [60, 80], "radius": 6, "orbit": {"velocity": 4}}
    assert orbit_of(
        play(
            table_with_planet(moon, velocity=8),
            [{"plot": {"r1": "orbit; -4"}}, {"plot": {"r1": "orbit"}}],
        )
    ) == {"planet-1": 6}
    fallen = play(
        table_with_planet(moon),
        [{"plot": {"r1": "orbit; -2"}}, {"plot": {"r1": "orbit"}}, {"plot": {"r1": "-1"}}],
    )
    assert at(fallen, "r1").status == DESTROYED


@pytest.mark.rule("pc.planets")
@pytest.mark.parametrize(("x", "velocity", "ends"), [(63, 12, FIGHTING), (61, 7, DESTROYED)])
def test_simple_scale_uses_velocity_and_distance(x: float, velocity: int, ends: str) -> None:
    simple = {"kind": "planet", "at": [60, 76], "simple": True}
    ship_ = table_with_planet(simple, x=x, velocity=velocity)
    battle = play(ship_, [ORBIT, ORBIT])
    assert (at(battle, "r1").status, orbit_of(battle)) == (ends, {})
    rounding = play(table_with_planet(simple, x=62.5, velocity=7), [ORBIT])
    assert orbit_of(rounding)
    assert terrain_of(start(ship_, classes()).state) == [{**simple, "radius": 2}]
    past = play(table_with_planet(simple, x=64, velocity=7), [ORBIT])
    assert (at(past, "r1").status, orbit_of(past)) == (FIGHTING, {})


@pytest.mark.rule("pc.planets")
def test_orbiting_ships_fire_at_neighbours_and_outward() -> None:
    systems = "k-gun:1@ALL"
    near = ship(
        "b1", 63, 74.8, "", 8, velocity=6, orbit="planet-1"
    )  # two points along the orbit, beside `r1`
    assert events_of(
        play(table_with_planet(systems=systems, foe=near), [ORBIT | volley("k-gun-1")], to_hit=[1]),
        "fire",
    )
    behind = ship("b1", 60, 87, "", 12)
    assert not events_of(
        play(table_with_planet(systems=systems, foe=behind), [ORBIT | volley("k-gun-1")]), "fire"
    )


@pytest.mark.rule("pc.planets")
@pytest.mark.parametrize(("options", "point"), [((), 7), (("shared-orbits",), 6)])
def test_orbit_point_of_another_side_is_taken_unless_shared(
    options: tuple[str, ...], point: int
) -> None:
    foe = ship("b1", 60, 74, "", 9, velocity=6, orbit="planet-1", boxes=200, mass=400)
    slow = {**PLANET, "orbit": {"points": 11}}  # a full circle except one point
    document = table_with_planet(
        slow, systems="k-gun:1@ALL", foe={**foe, "at": [57, 74.8]}, options=options
    )
    fires = volley("k-gun-1") if options else {}
    battle = play(document, [ORBIT | fires], **({"to_hit": [1]} if options else {}))
    assert orbit_of(battle, "b1") == {"planet-1": 6}
    assert orbit_of(battle) == {"planet-1": point}
    assert bool(events_of(battle, "fire")) is bool(options)  # through its stern, as at 1 MU
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.planets")
@pytest.mark.parametrize(("rules", "fires"), [("1.0", False), ("1.1", True)])
def test_guns_of_any_arc_fire_at_the_own_point_of_an_orbit(rules: str, fires: bool) -> None:
    orbit = {"velocity": 6, "orbit": "planet-1"}
    document = table(
        [ship("r1", 60, 74, "beam:3@AS", 9, **orbit)],
        [ship("b1", 60, 74, "", 9, **orbit)],
        terrain=[PLANET],
        options=("shared-orbits",),
        rules=rules,
    )
    battle = play(document, [volley("beam-1")], **({"beam": [1] * 3} if fires else {}))
    assert bool(events_of(battle, "fire")) is fires
    battle.state.stop = "engage"
    assert bool(advise(battle, 0, Doctrine(), "captain")["engage"]) is fires


@pytest.mark.rule("pc.planets")
def test_drive_hit_may_end_an_orbit() -> None:
    document = table_with_planet(
        foe=ship("b1", 60, 62, "k-gun:5@F", 12), ours={"boxes": 20, "rows": 4}
    )
    fire = {"engage": {"b1": [{"weapon": "k-gun-1", "target": "r1"}]}}
    dice = {"to_hit": [6], "double": [6], "threshold": [1, 1, 6, 1, 6], "atmosphere": [1]}
    battle = play(document, [ORBIT | fire], **dice)
    assert events_of(battle, "threshold")[0].lost == ("drive",)
    tested = events_of(battle, "orbit-tested")[0]
    assert (tested.die, tested.needs) == (6, events_of(battle, "threshold")[0].loses_on)
    assert events_of(battle, "entered-atmosphere")[0].score == 1 + 4 + 1


@pytest.mark.rule("pc.planets")
def test_bases_orbit_and_face_away() -> None:
    base = ship("b1", 60, 87, "", 12, kind="installation", thrust=0, ftl="none", orbit="planet-1")
    document = table_with_planet(foe=base, velocity=0)
    battle = play(document, [{}, {}])
    assert (orbit_of(battle, "b1"), at(battle, "b1").course) == ({"planet-1": 4}, 4)
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.planets")
def test_unused_thrust_changes_the_deflection() -> None:
    zones = {"kind": "planet", "at": [66, 78], "radius": 2, "gravity": [9, 7, 5]}
    document = table_with_planet(zones, velocity=20)
    plain = at(play(document, [{}]), "r1").course
    for swing, course in (("+2", plain + 2), ("-1", plain - 1), ("-2", plain - 2)):
        assert at(play(document, [{"plot": {"r1": f"swing {swing}"}}]), "r1").course == (
            course or 12
        )
    refused = play(document, [{"plot": {"r1": "P1; swing +2"}}])
    assert "thrust" in events_of(refused, "order-refused")[0].reason
    assert (
        "nothing here whose gravity turns"
        in events_of(play(table_with_planet(), [{"plot": {"r1": "swing +1"}}]), "order-refused")[
            0
        ].reason
    )


@pytest.mark.rule("pc.planets")
def test_planet_faults_are_reported() -> None:
    for wrong, words in (
        ({"atmosphere": 0}, "whole number"),
        ({"atmosphere": 6, "orbit": {"velocity": 5}}, "unknown key"),
        ({"orbit": {"points": 2}}, "velocity of the orbit"),
        ({"orbit": 3}, "an object"),
        ({"simple": True, "radius": 4}, "radius of 2"),
        ({"simple": True, "atmosphere": 6}, "unknown key"),
        ({"g": 1.5, "atmosphere": 6}, "whole number"),
    ):
        entry = {"kind": "planet", "at": [60, 80], "radius": 6} | wrong
        with pytest.raises(RuleViolations, match=words):
            battle_file(table_with_planet(entry))
    whole = [
        {**PLANET, "g": 2, "gravity": [12, 9]},
        {"kind": "planet", "at": [9, 9], "radius": 2, "orbit": {"velocity": 3}},
    ]
    assert terrain_of(start(table_with_planet() | {"terrain": whole}, classes()).state) == whole

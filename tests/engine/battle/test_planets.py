"""Planets: collisions, blocked lines of fire, and gravity zones that bend courses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.battle import fight, start
from engine.captains.common.objectives import path_loss_odds
from engine.cli.battle import battle_file
from engine.core.dice import Dice
from engine.core.edition import Edition
from engine.core.errors import RuleViolations
from engine.core.kinds import DESTROYED, FIGHTING
from engine.core.terms import Terms
from engine.notation.terrain import terrain_of
from engine.pieces.planet import Planet
from tests.engine.battle.table import at, classes, events_of, replays
from tests.engine.guns.duels import play, ship, table, volley

GRAVITY = [9, 7, 5]


def table_with_planet(
    x: float, y: float, velocity: int = 0, gravity: Sequence[object] = (), **more: Any
) -> dict[str, Any]:
    """Return `r1` at (60, 60) on course 12, `b1` 30 MU ahead of it, and a planet of radius 4."""
    planet = {"kind": "planet", "at": [x, y], "radius": 4} | (
        {"gravity": [*gravity]} if gravity else {}
    )
    own = ship("r1", 60, 60, more.pop("systems", ""), velocity=velocity)
    return table([own], [ship("b1", 60, 90, "", 12)], terrain=[planet], **more)


@pytest.mark.rule("pc.planets")
def test_ship_running_into_a_planet_is_lost() -> None:
    document = table_with_planet(60, 70, 20)
    battle = play(document, [{}])
    assert at(battle, "r1").status == DESTROYED
    assert events_of(battle, "ran-into-planet")[0].planet == "planet-1"
    assert replays(start(document, classes()), battle)
    assert (
        at(play(table_with_planet(64, 70, 20), [{}]), "r1").status == FIGHTING
    )  # it grazes the rim


@pytest.mark.rule("pc.planets")
@pytest.mark.parametrize(("x", "fires"), [(60, False), (63.5, False), (64, True)])
def test_planet_blocks_fire(x: float, fires: bool) -> None:
    battle = play(
        table_with_planet(x, 75, systems="pulse-torpedo@F"),
        [volley("pulse-torpedo-1")],
        to_hit=[1] if fires else [],
    )
    assert bool(events_of(battle, "fire")) is fires


@pytest.mark.rule("pc.planets")
@pytest.mark.parametrize(
    ("where", "velocity", "course", "faster"),
    [
        (
            (60, 75),
            40,
            12,
            4,
        ),  # the centre is ahead: it flies through the innermost zone, past the planet
        ((66, 70), 30, 2, 1),  # it enters the zone of strength 2 with the centre to starboard
        ((54, 70), 30, 10, 1),  # and to port
        ((68, 70), 30, 1, 1),  # of strength 1: half of it counts as 1
        ((70, 70), 30, 12, 0),  # beyond the zones
    ],
)
def test_innermost_zone_on_the_path_bends_it(
    where: tuple[float, float], velocity: int, course: int, faster: int
) -> None:
    document = table_with_planet(*where, velocity, GRAVITY)
    battle = play(document, [{}])
    flown = at(battle, "r1")
    assert (flown.status, flown.course, flown.velocity) == (FIGHTING, course, velocity + faster)
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.planets")
def test_zone_at_the_end_of_a_move_acts_on_the_next() -> None:
    battle = play(table_with_planet(60, 70, 4, GRAVITY), [{}])
    assert (at(battle, "r1").y, at(battle, "r1").velocity) == (64, 4)
    again = play(table_with_planet(60, 68, 4, GRAVITY), [{}])  # it begins in the outermost
    assert (at(again, "r1").y, at(again, "r1").velocity) == (65, 5)
    behind = play(table_with_planet(60, 52, 4, GRAVITY), [{}])
    assert (at(behind, "r1").y, at(behind, "r1").velocity) == (63, 3)


@pytest.mark.rule("pc.planets")
def test_captains_avoid_planets() -> None:
    terms, planet = Terms(edition=Edition.CONTINUUM), Planet("planet-1", 0, 10, 4)
    assert path_loss_odds(terms, [planet], ((0, 0), (0, 20)), 20, 4, 1) > 0.9
    assert path_loss_odds(terms, [planet], ((9, 0), (9, 20)), 20, 4, 1) == 0


@pytest.mark.rule("pc.planets")
def test_battle_file_round_trips_planets() -> None:
    document = table_with_planet(60, 70, gravity=GRAVITY)
    assert terrain_of(start(document, classes()).state) == document["terrain"]
    for wrong in ([5, 7], [9, 8.5], [4], ["far"], [9, 8, 7, 6, 5], [200]):
        with pytest.raises(RuleViolations, match="zones"):
            battle_file(table_with_planet(60, 70, gravity=wrong))


@pytest.mark.rule("pc.planets")
@pytest.mark.parametrize(
    ("where", "course", "velocity", "end"),
    [
        ((60, 66), 12, 2, (60, 62)),  # ahead, in the zone of strength 2
        ((60, 54), 12, 0, (60, 60)),  # astern: a velocity of 0 cannot be reduced
        ((66, 60), 2, 1, (60.87, 60.5)),  # to starboard: it turns and begins to move
        ((54, 60), 10, 1, (59.13, 60.5)),
        ((60, 70), 12, 0, (60, 60)),  # beyond the zones
    ],
)
def test_stationary_ship_in_a_zone_is_pulled(
    where: tuple[float, float], course: int, velocity: int, end: tuple[float, float]
) -> None:
    document = table_with_planet(*where, gravity=GRAVITY)
    battle = play(document, [{}])
    flown = at(battle, "r1")
    assert (flown.course, flown.velocity) == (course, velocity)
    assert (flown.x, flown.y) == pytest.approx(end, abs=0.01)
    assert bool(events_of(battle, "course-bent-by-gravity")) is (velocity > 0)
    assert replays(start(document, classes()), battle)


@pytest.mark.rule("pc.planets")
def test_unmoved_stationary_ship_falls_into_the_planet() -> None:
    assert at(play(table_with_planet(60, 66, gravity=GRAVITY), [{}, {}]), "r1").status == DESTROYED


@pytest.mark.rule("pc.planets")
def test_unused_thrust_holds_a_stationary_ship() -> None:
    battle = play(table_with_planet(66, 60, gravity=GRAVITY), [{"plot": {"r1": "swing -2"}}])
    flown = at(battle, "r1")
    assert (flown.x, flown.y, flown.course, flown.velocity) == (60, 61, 12, 1)


@pytest.mark.rule("pc.planets")
def test_stationary_vector_ship_falls_to_the_centre() -> None:
    battle = play(table_with_planet(66, 60, gravity=GRAVITY, options=("vector",)), [{}])
    flown = at(battle, "r1")
    assert (flown.x, flown.y, flown.course, flown.velocity, flown.drift) == (62, 60, 12, 2, (2, 0))


@pytest.mark.rule("pc.planets")
def test_stationary_installation_holds_its_place() -> None:
    document = table_with_planet(60, 66, gravity=GRAVITY)
    base = ship("r2", 60, 62, "", kind="installation", thrust=0)
    document["sides"][0]["ships"].append(base)
    battle = play(document, [{}])
    assert (at(battle, "r2").x, at(battle, "r2").y) == (60, 62)


@pytest.mark.rule("pc.planets")
def test_captain_does_not_stop_in_a_gravity_zone() -> None:
    battle = start(table_with_planet(60, 66, gravity=GRAVITY), classes())
    assert at(fight(battle, {}, Dice(1), "1", 3), "r1").status == FIGHTING

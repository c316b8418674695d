"""A body added by one file: it bends and slows the movement of ships, and hides them in its haze.

Movement of both editions uses it in one place, which captains may also call; fire in another.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from math import hypot
from typing import Any

import pytest

from engine import stops
from engine.battle import Battle, battle_from, start
from engine.combat.line_of_sight import chance_hidden, screens_through
from engine.continuum.defences import shot_at
from engine.core.dice import Dice
from engine.core.geometry import path_length
from engine.core.orders import Fire
from engine.documents import replay
from engine.movement.paths import bend_path
from engine.pieces.registry import temporary_kinds
from engine.view.side_log import side_log
from engine.view.worded_log import worded_line
from tests.engine.battle.table import scripted, setup, vessel
from tests.engine.extension.toy_world import World
from tests.engine.guns.duels import ship
from tests.engine.guns.duels import table as later_table

EDITIONS = ("second-edition", "continuum", "vector")
EACH_EDITION = pytest.mark.parametrize("edition", EDITIONS)
ROOT_3 = 3**0.5


@pytest.fixture(autouse=True)
def toys() -> Iterator[None]:
    with temporary_kinds(World):
        yield


def pulling(x: float = 63.0, y: float = 24.0) -> World:
    return World("world-1", x, y, 3.5, strength=2)


def duel(edition: str, *worlds: World) -> Battle:
    """Return `r1` flying straight up at velocity 8 from (60, 20), and `b1` far ahead, red's
    contact-7.
    """
    if edition == "second-edition":
        red = vessel("r1", 60, 20, "battery:A battery:A", velocity=8)
        battle = start(setup([red], [vessel("b1", 60, 50, "battery:A", 6)]), {})
    else:
        red = ship("r1", 60, 20, "beam:2@F+FS+FP beam:2@F+FS+FP", velocity=8)
        options = ("vector",) if edition == "vector" else ()
        battle = start(
            later_table([red], [ship("b1", 60, 42, "beam:2@F+FS+FP", course=6)], options=options),
            {},
        )
    battle.state.ship_by_name("b1").contact = "contact-7"
    battle.state.ship_by_name("b1").bogey = False
    battle.state.stop = "plot"
    battle.state.pieces.extend(worlds)
    return battle


def fly_straight(battle: Battle) -> tuple[Battle, Any]:
    plots: dict[int, object] = {side: {"plot": {}} for side in (0, 1)}
    return stops.resolve_documents(battle, plots, Dice("drawn"))


def test_path_bends_at_the_zone_without_changing_orders() -> None:
    path = ((60.0, 20.0), (60.0, 24.0), (60.0, 28.0))
    assert bend_path([], path) == (path, [])
    assert bend_path([pulling(80.0)], path) == (path, [])
    way, ((body, pull),) = bend_path([pulling()], path)
    enters = 4.0 - (3.5**2 - 3.0**2) ** 0.5
    assert (body.id, pull.turn, pull.velocity) == ("world-1", 2, 1)
    assert pull.far == pytest.approx(enters)
    assert way[0] == (60.0, 20.0)
    assert way[1] == pytest.approx((60.0, 20.0 + enters))
    rest = 8.0 - enters + 1.0
    assert way[-1] == pytest.approx((60.0 + rest * ROOT_3 / 2, 20.0 + enters + rest / 2))
    assert path_length(way) == pytest.approx(9.0)


def test_zone_acts_at_the_start_of_the_next_move() -> None:
    world = pulling(60.0, 30.0)
    assert bend_path([world], ((60.0, 20.0), (60.0, 28.0))) == (((60.0, 20.0), (60.0, 28.0)), [])
    way, ((_, pull),) = bend_path([world], ((60.0, 28.0), (60.0, 36.0)))
    assert (pull.far, pull.velocity, way) == (0.0, 2, ((60.0, 28.0), (60.0, 38.0)))
    slow, ((_, pull),) = bend_path(
        [replace(world, strength=0, thick=20)], ((60.0, 28.0), (60.0, 36.0))
    )
    assert (pull.velocity, slow) == (-20, ((60.0, 28.0), (60.0, 28.0))), "never backwards"


def test_several_bodies_bend_a_path_in_sequence() -> None:
    first, second = pulling(60.0, 25.0), World("world-2", 60.0, 31.0, 2.0, thick=3)
    path = ((60.0, 20.0), (60.0, 40.0))
    way, pulls = bend_path([second, first], path)
    assert [body.id for body, _ in pulls] == ["world-1", "world-2"]
    assert way[-1] == pytest.approx((60.0, 39.0)), (
        "two more from the first, three less from the second"
    )


@EACH_EDITION
def test_ships_of_every_edition_follow_the_bent_path(edition: str) -> None:
    battle = duel(edition, pulling())
    straight, _ = fly_straight(duel(edition))
    after, stop = fly_straight(battle)
    red = after.state.ship_by_name("r1")
    way, _ = bend_path([pulling()], ((60.0, 20.0), (60.0, 28.0)))
    assert (red.x, red.y) == pytest.approx(way[-1])
    assert straight.state.ship_by_name("r1").y == pytest.approx(28.0)
    if edition == "vector":
        assert red.drift is not None
        assert hypot(*red.drift) == pytest.approx(red.velocity)
        assert red.drift[0] / red.drift[1] == pytest.approx((red.x - 60.0) / (red.y - 20.0))
    else:
        assert (red.course, red.velocity) == (2, 9)
    again = replay(battle.state, stop.events).ship_by_name("r1")
    assert (again.x, again.y, again.course, again.velocity) == (
        red.x,
        red.y,
        red.course,
        red.velocity,
    )
    assert again.drift == red.drift
    assert battle_from(json.loads(json.dumps(after.to_json()))).state.pieces == after.state.pieces
    for side in (0, 1):
        (line,) = (
            line for line in side_log(stop.events, battle.state, side) if line["event"] == "drawn"
        )
        assert (line["world"], line["turn_by"], line["faster"]) == ("world-1", 2, 1)


@EACH_EDITION
def test_haze_slows_ships(edition: str) -> None:
    after, _ = fly_straight(duel(edition, World("world-1", 60.0, 24.0, 2.0, thick=3)))
    red = after.state.ship_by_name("r1")
    assert (red.x, red.y) == pytest.approx((60.0, 25.0))
    assert red.velocity == 5


@EACH_EDITION
def test_firing_ship_must_find_its_target_once(edition: str) -> None:
    haze = World("world-1", 60.0, 50.0 if edition == "second-edition" else 42.0, 3.0)
    weapon = "battery" if edition == "second-edition" else "beam"
    order = {"engage": {"r1": [{"weapon": f"{weapon}-{n}", "target": "contact-7"} for n in (1, 2)]}}
    battle, _ = fly_straight(duel(edition, haze))
    _, stop = stops.resolve_documents(battle, {0: order}, scripted(damage=[3]))
    lines = [
        worded_line(event.to_json())
        for event in stop.events
        if event.kind in ("sought", "shot-refused")
    ]
    assert [line["event"] for line in lines] == ["sought", "shot-refused", "shot-refused"]
    assert lines[1]["reason_text"] == "it does not find its target"
    kinds: dict[bool, list[str]] = {}
    for seed in range(20):
        _, stop = stops.resolve_documents(battle, {0: order}, Dice(f"seek-{seed}"))
        (search,) = (event.to_json() for event in stop.events if event.kind == "sought")
        kinds[search["die"] >= 4] = [
            e.kind for e in stop.events if e.kind in ("shot", "fire", "shot-refused")
        ]
    assert kinds[False] == ["shot-refused"] * 2
    assert kinds[True] in (["shot"] * 2, ["fire"] * 2)


@pytest.mark.rule("pc.clouds")
@pytest.mark.parametrize(
    ("own", "dust", "expected"), [(0, 1, 1), (1, 1, 2), (2, 1, 2), (3, 1, 3), (0, 0, 0)]
)
def test_dust_adds_up_to_two_screen_levels(own: int, dust: int, expected: int) -> None:
    haze = [World("world-1", 60.0, 42.0, 3.0, dust=dust)]
    assert screens_through(haze, (60.0, 20.0), (60.0, 42.0), own) == expected
    assert screens_through(haze, (60.0, 20.0), (90.0, 42.0), own) == own, "what it does not lie on"
    assert screens_through(haze * 2, (60.0, 20.0), (60.0, 42.0), own) == expected, (
        "several are one level"
    )


@pytest.mark.rule("pc.clouds")
@pytest.mark.parametrize(
    ("weapon", "expected"), [("beam:2@F+FS+FP", 1), ("graser:2@F+FS+FP", 1), ("pulser:0@F", 0)]
)
def test_dust_weakens_only_beams_and_grasers(weapon: str, expected: int) -> None:
    red = ship("r1", 60, 20, weapon)
    state = start(later_table([red], [ship("b1", 60, 30, "")]), {}).state
    mine, foe = state.ship_by_name("r1"), state.ship_by_name("b1")
    (gun,) = (n for n, fit in enumerate(mine.sheet.fits) if fit.type == weapon.partition(":")[0])
    clear = shot_at(state, mine, gun, Fire(mine.sheet.fits[gun].id, ("b1",)), foe)
    state.pieces.append(World("world-1", 60.0, 30.0, 3.0, dust=1))
    dusty = shot_at(state, mine, gun, Fire(mine.sheet.fits[gun].id, ("b1",)), foe)
    assert (clear.screens, dusty.screens) == (0, expected)


def test_captains_query_concealment() -> None:
    worlds = [World("world-1", 60.0, 50.0, 3.0), World("world-2", 60.0, 51.0, 3.0)]
    assert chance_hidden(worlds[:1], (60.0, 20.0), (60.0, 50.0)) == 0.5
    assert chance_hidden(worlds, (60.0, 20.0), (60.0, 50.0)) == 0.5  # one die for each kind
    assert chance_hidden(worlds, (60.0, 20.0), (90.0, 50.0)) == 0.0

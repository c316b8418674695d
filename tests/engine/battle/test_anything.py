"""Random battles with every system, kind of ship, body and option, fought by captains."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engine.battle import Battle, ResolvedStop, battle_from, begin, fight
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.kinds import BASED
from engine.notation.battles import read_battle
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.table import classes, replays, setup
from tests.engine.battle.variations import varied

LARGE = 37
# Type, further keys, MASS.
FITS: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("battery", {"battery": "A"}, 3),
    ("battery", {"battery": "B"}, 2),
    ("battery", {"battery": "C"}, 1),
    ("pulse-torpedo", {}, 5),
    ("needle", {"arcs": ["F"]}, 2),
    ("submunition", {}, 1),
    ("screen", {}, 3),
    ("firecon", {}, 3),
    ("pdaf", {}, 1),
    ("adaf", {}, 3),
    ("minelayer", {}, 3),
    ("minesweeper", {}, 5),
    ("fighter-bay", {}, 6),
    ("nova-cannon", {}, 16),
)
CAPITAL = ("adaf", "fighter-bay", "nova-cannon")
MOST = {"screen": 3, "nova-cannon": 1}
CORNERS = ((15.0, 20.0, 3), (75.0, 70.0, 9), (20.0, 75.0, 5))
OPTIONS = ("asteroid-destruction", "ftl-scatter", "moving-table")


def ship(luck: Random, id_: str, x: float, y: float, course: int) -> dict[str, Any]:
    """Return a legal ship or base of any kind and MASS, full of random systems."""
    kind = luck.choice(["warship"] * 6 + ["q-ship", "merchant", "installation"])
    still = kind == "installation"
    mass = luck.choice([80, 200] if still else [6, 12, 18, 30, 40, 60, 96])
    room = max(mass // 10, 1) if kind == "merchant" else mass // 2
    fitted: list[dict[str, Any]] = []
    for _ in range(luck.randint(1, 14)):
        type_, more, size = luck.choice(FITS)
        many = sum(item["type"] == type_ for item in fitted)
        civil = kind != "merchant" or type_ in ("submunition", "pdaf")
        fits = (
            size <= room and many < MOST.get(type_, 99) and (type_ not in CAPITAL or mass >= LARGE)
        )
        if civil and fits and (type_ != "nova-cannon" or kind == "warship"):
            arcs = (
                {"arcs": luck.choice([["P", "F", "S"], ["F"], ["F", "S"]])}
                if type_ == "battery"
                else {}
            )
            fitted.append({"type": type_, **more, **arcs})
            room -= size
    ftl = "none" if still else luck.choice(["none", "standard"])
    design = {
        "class": f"{kind} {luck.randint(1, 999)}",
        "edition": "second-edition",
        "kind": kind,
        "mass": mass,
        "thrust": 0 if still else luck.randint(1, 4 if kind == "merchant" else 8),
        "ftl": ftl,
        "systems": fitted,
    }
    entry = {"ftl_entry": luck.randint(1, 4)} if ftl == "standard" and luck.random() < 0.1 else {}
    velocity = 0 if still else luck.randint(0, 14)
    result = {"id": id_, "design": design, "at": [x, y], "course": course, "velocity": velocity}
    return result | {"contact": f"c{id_[::-1]}x"} | entry


def battle(luck: Random) -> dict[str, Any]:
    """Return two or three sides of one to five ships, with or without bogeys, asteroids and
    options.
    """
    sides = [
        [
            ship(
                luck,
                f"{'rbg'[n]}{k}Q",
                x + luck.randint(-6, 6),
                y - 4 * k + luck.randint(-4, 4),
                course,
            )
            for k in range(luck.randint(1, 5))
        ]
        for n, (x, y, course) in enumerate(CORNERS[: luck.randint(2, 3)])
    ]
    document = setup(
        *sides, table=[96, 90], bogeys=luck.random() < 0.5, seed=luck.randint(0, 10**6)
    )
    if luck.random() < 0.5:
        laid = [{"at": [40, 40], "radius": 3, "boxes": 20}, {"at": [60, 30], "radius": 2}]
        document["asteroids"] = luck.choice([{"roll": True, "radius": 1.5, "apart": 10}, laid])
        document |= {"drift": "roll"} if luck.random() < 0.5 else {}
    return document | {"options": [option for option in OPTIONS if luck.random() < 0.4]}


def check_random_battle(seed: int, *, varies: bool = True) -> None:
    """Fight the battle of a seed, and check every phase: JSON, side views and logs, and the whole
    log.
    """
    luck = Random(seed)
    document = battle(luck)
    if varies:
        document = varied(Random(f"variations/{seed}"), document)
    file = read_battle(document, classes())
    stops: list[ResolvedStop] = []
    doctrines = {"blue": Doctrine(break_off=30), "red": Doctrine(flee=luck.random() < 0.1)}
    ended = fight(begin(file), doctrines, Dice(seed), str(seed), 15, stops.append)
    assert not [event for event in ended.events if event.kind == "order-refused"]
    for stop in stops:
        text = json.dumps(Battle(ended.edition, ended.options, stop.after, None, []).to_json())
        assert json.dumps(battle_from(json.loads(text)).to_json()) == text
        for side in range(len(stop.after.sides)):
            documents = json.dumps(
                [observe(stop.after, side).to_json(), side_log(stop.events, stop.before, side)]
            )
            assert [
                ship.id
                for ship in stop.after.ships
                if ship.owner != side and ship.status != BASED and ship.id in documents
            ] == []
    assert replays(begin(read_battle(document, classes())), ended)


@pytest.mark.parametrize(
    "seed", [67]
)  # a ship that warms up its drive and hits a drifting asteroid
def test_battles_that_once_failed(seed: int) -> None:
    check_random_battle(seed, varies=False)


@settings(max_examples=6, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(st.integers(0, 1_000_000))
def test_random_battles_resume_replay_and_leak_nothing(seed: int) -> None:
    check_random_battle(seed)

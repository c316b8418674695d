"""Captains near planets: they avoid the planet, leave orbits without enemies, land if they must."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import fight, start
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.kinds import LANDED
from engine.stops import advise, read_orders
from tests.engine.battle.table import at, classes
from tests.engine.guns.duels import ship, table

WORLD = {"kind": "planet", "at": [60, 80], "radius": 6, "atmosphere": 6}


def plots(document: dict[str, Any], doctrine: Doctrine | None = None) -> dict[str, str]:
    battle = start(document, classes())
    orders = advise(battle, 0, doctrine or Doctrine(), "captains")
    assert read_orders(battle, 0, dict(orders))[1] == ()
    return dict(orders["plot"])


def circling(foe: dict[str, Any], **own: Any) -> dict[str, Any]:
    full = own.pop("streamlining", "none")
    mine = ship("r1", 60, 74, "beam:2@ALL", 9, velocity=6, orbit="planet-1", **own)
    mine["design"]["streamlining"] = full
    return table([mine], [foe], terrain=[WORLD])


@pytest.mark.rule("pc.planets")
def test_captain_flies_around_a_planet() -> None:
    fallen = ship("r1", 60, 72, "", 12, velocity=6, thrust=1, ftl="none")
    assert (
        "orbit" in plots(table([fallen], [ship("b1", 60, 20, "beam:2@ALL")], terrain=[WORLD]))["r1"]
    )


@pytest.mark.rule("pc.planets")
@pytest.mark.parametrize(("far", "leaves"), [(20, False), (60, True)])
def test_captain_stays_in_orbit_only_near_an_enemy(far: float, leaves: bool) -> None:
    ordered = plots(circling(ship("b1", 60, 74 - far, "beam:2@ALL", 12)))
    assert ("+" in ordered.get("r1", "")) is leaves


@pytest.mark.rule("pc.atmosphere")
@pytest.mark.parametrize(
    ("thrust", "streamlining", "lands"), [(8, "full", True), (2, "full", False), (8, "none", False)]
)
def test_captain_fleeing_from_faster_enemies_lands_if_possible(
    thrust: int, streamlining: str, lands: bool
) -> None:
    foe = ship("b1", 60, 60, "beam:2@ALL", 12, thrust=thrust)
    document = circling(foe, ftl="none", streamlining=streamlining)
    assert (plots(document, Doctrine(flee=True))["r1"] == "-1") is lands


@pytest.mark.rule("pc.atmosphere")
def test_battle_around_a_planet_is_fought_to_its_end() -> None:
    foe = ship("b1", 60, 60, "beam:3@ALL beam:3@ALL", 12, thrust=8)
    document = circling(foe, ftl="none", streamlining="full")
    ended = fight(start(document, classes()), {"red": {"flee": True}}, Dice(3), "captains", 12)
    assert at(ended, "r1").status == LANDED

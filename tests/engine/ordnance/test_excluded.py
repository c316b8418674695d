"""Options that exclude two-stage missiles, light K-guns or decoys; and the lock-on range of
missiles.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import play_orders, start
from engine.captains.continuum.ordnance_tactics import _aims
from engine.continuum.defences import acquisition_radius
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.design.offers import offer_of, offers_of
from engine.notation.battles import read_battle
from engine.notation.designs import read_design
from engine.ruleset import ruleset

ALL = ["F", "FS", "AS", "A", "AP", "FP"]
FORE = ["FP", "F", "FS"]


def design(*systems: dict[str, Any]) -> dict[str, Any]:
    return {
        "class": "Test ship", "edition": "continuum", "kind": "warship", "mass": 80, "hull": {"boxes": 16, "rows": 4},
        "thrust": 4, "ftl": "none", "systems": [{"type": "firecon"}, *systems],
    }  # fmt: skip


def faults(document: dict[str, Any], *options: str) -> list[tuple[str, str]]:
    reading = read_design(document, options=options)
    return [(fault.where, fault.code) for fault in (*reading.malformed, *reading.illegal)]


FED = {"type": "salvo-launcher", "arcs": FORE}
EXCLUDED = (
    (
        "no-multi-stage",
        ({"type": "heavy-missile", "model": "two-stage", "arcs": FORE},),
        "systems[1]",
    ),
    ("no-multi-stage", ({"type": "salvo-rack", "model": "two-stage", "arcs": FORE},), "systems[1]"),
    (
        "no-multi-stage",
        (FED, {"type": "magazine", "mass": 4, "load": {"two-stage": 1}}),
        "systems[2].load",
    ),
    ("no-decoys", ({"type": "weasel", "model": "cruiser"},), "systems[1]"),
    (
        "no-short-k-guns",
        ({"type": "k-gun", "class": 1, "model": "short", "arcs": ALL, "count": 2},),
        "systems[1]",
    ),
)


@pytest.mark.rule("pc.multi-stage", "pc.k-guns", "pc.sensors")
@pytest.mark.parametrize(("option", "systems", "where"), EXCLUDED)
def test_excluded_system_is_a_fault_and_otherwise_sold(
    option: str, systems: tuple[dict[str, Any], ...], where: str
) -> None:
    document = design(*systems)
    assert faults(document) == []
    assert faults(document, option) == [(where, "excluded")]
    sides = [
        {
            "name": name,
            "ships": [
                {"id": name[0], "design": document, "at": [x, 9], "course": 3, "velocity": 0}
            ],
        }
        for name, x in (("red", 9), ("blue", 40))
    ]
    file = {"edition": "continuum", "sides": sides}
    assert start(file).state.ships
    with pytest.raises(RuleViolations) as caught:
        start({**file, "options": [option]})
    assert {fault.code for fault in caught.value.violations} == {"excluded"}


@pytest.mark.rule("pc.multi-stage", "pc.k-guns")
def test_excluded_system_is_not_offered() -> None:
    def models(type_: str, *options: str) -> set[tuple[int, str]]:
        offers = {offer.type: offer for offer in offers_of(ruleset("continuum", options))}
        return {(model.size, model.variant) for model in offers[type_].models}

    assert models("heavy-missile") - models("heavy-missile", "no-multi-stage") == {(0, "two-stage")}
    assert models("k-gun") - models("k-gun", "no-short-k-guns") == {(1, "short")}
    magazine = next(
        system
        for system in offers_of(ruleset("continuum", ["no-multi-stage"]))
        if system.type == "magazine"
    )
    whole = offer_of(ruleset("continuum"), "magazine")
    assert whole is not None
    assert set(whole.holds) - set(magazine.holds) == {"two-stage"}


@pytest.mark.rule("pc.sensors")
def test_battle_without_decoys_has_no_drones() -> None:
    drone = {
        "id": "d",
        "dummy": True,
        "design": design(),
        "at": [9, 20],
        "course": 3,
        "velocity": 0,
    }
    ship = {"id": "r", "design": design(), "at": [9, 9], "course": 3, "velocity": 0}
    sides = [
        {"name": "red", "ships": [ship, drone]},
        {"name": "blue", "ships": [{**ship, "id": "b", "at": [40, 9]}]},
    ]
    file = {"edition": "continuum", "bogeys": True, "sides": sides}
    assert any(hull.dummy for hull in start(file).state.ships)
    with pytest.raises(RuleViolations) as caught:
        start({**file, "options": ["no-decoys"]})
    assert [(fault.where, fault.code) for fault in caught.value.violations] == [
        ("sides[0].ships[1].dummy", "no-decoys")
    ]


@pytest.mark.rule("pc.salvo-missiles", "pc.mixed-movement")
@pytest.mark.parametrize(
    ("options", "radius"), [(["vector"], 3.0), (["vector", "wide-lock-on"], 6.0), ([], 6.0)]
)
def test_vector_ships_are_found_from_3_or_by_option_6_mu(options: list[str], radius: float) -> None:
    """Six MU are for course movement; the book has three for vector movement.

    Captains aim by it.
    """
    launcher = design({"type": "heavy-missile", "arcs": FORE})
    sides = [
        {
            "name": name,
            "ships": [
                {"id": name[0], "design": launcher, "at": at, "course": course, "velocity": 0}
            ],
        }
        for name, at, course in (("red", [10, 20], 3), ("blue", [34, 20], 9))
    ]
    file = {
        "edition": "continuum",
        "table": [72, 48],
        "options": options,
        "sides": sides,
        "seed": 1,
    }
    state = start(file).state
    blue = state.ship_by_name("b")
    assert acquisition_radius(state, blue) == radius
    aims = list(_aims(state, blue))
    assert aims
    for away in (radius - 0.1, radius + 0.1):
        shot = {"launch": {"r": [{"weapon": "heavy-missile-1", "at": [34 - away, 20]}]}}
        read = read_battle({**file, "turns": [shot]}, {})
        kinds = [event.kind for event in play_orders(start(file), Dice(1), read.turns).events]
        assert ("ordnance-homed" in kinds) == (away < radius)

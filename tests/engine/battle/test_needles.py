"""Needle beams: one system, one arc, 9 MU, a six; a FireCon for every target system."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import battle_from, resolve_stop, start
from engine.core.errors import RuleViolations
from engine.core.orders import Fire
from engine.order_requests.base import TurnOrders
from engine.order_requests.engage import FireAndPursuit
from tests.engine.battle.table import (
    at,
    classes,
    events_of,
    fire,
    gunship,
    play,
    scripted,
    setup,
    vessel,
)

NEEDLES = ("needle-1", "needle-2", "needle-3")


def aim(*shots: tuple[str, str]) -> list[dict[str, Any]]:
    """Return needles aimed at one system of `b1` each."""
    return [{"weapon": weapon, "target": "b1", "system": system} for weapon, system in shots]


def duel(systems: str, distance: float = 9.0, **target: Any) -> dict[str, Any]:
    return setup(
        [vessel("r1", 60, 20, systems)], [gunship("b1", 60, 20 + distance, "AB", **target)]
    )


@pytest.mark.rule("2e.needle-beams")
@pytest.mark.parametrize(("distance", "shots"), [(1, 1), (9, 1), (9.01, 0)])
def test_needle_range_is_9(distance: float, shots: int) -> None:
    battle = play(
        duel("needle", distance),
        [{"engage": {"r1": aim(("needle-1", "drive"))}}],
        to_hit=[1] * shots,
    )
    assert len(events_of(battle, "needle")) == shots


@pytest.mark.rule("2e.needle-beams")
@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("system", ["battery-1", "screen-2", "firecon-1", "ftl"])
def test_six_destroys_the_system_only(die: int, system: str) -> None:
    battle = play(
        duel("needle", screens=2), [{"engage": {"r1": aim(("needle-1", system))}}], to_hit=[die]
    )
    target = at(battle, "b1")
    assert target.lost_systems() == ((system,) if die == 6 else ())
    assert target.damage == 0
    assert target.screens == (1 if target.lost_systems() == ("screen-2",) else 2)
    assert [lost.system for lost in events_of(battle, "system-lost")] == list(target.lost_systems())


@pytest.mark.rule("2e.needle-beams")
def test_first_hit_halves_a_drive_and_the_second_destroys_it() -> None:
    turn = {"engage": {"r1": aim(("needle-1", "drive"), ("needle-2", "drive"))}}
    battle = play(duel("needle needle", thrust=5), [turn], to_hit=[6, 3])
    assert (at(battle, "b1").thrust, at(battle, "b1").lost_systems()) == (2, ("drive",))
    battle = play(duel("needle needle", thrust=5), [turn, turn], to_hit=[6, 2, 2, 6])
    assert (at(battle, "b1").thrust, at(battle, "b1").lost_systems()) == (0, ("drive", "drive"))
    battle = play(
        duel("needle needle needle"),
        [{"engage": {"r1": aim(*((n, "drive") for n in NEEDLES))}}],
        to_hit=[6] * 3,
    )
    assert at(battle, "b1").lost_systems() == ("drive", "drive")
    assert len(events_of(battle, "system-lost")) == 2


@pytest.mark.rule("2e.fire-control", "2e.needle-beams")
def test_example_three_needles_at_two_systems_take_two_firecons() -> None:
    document = setup(
        [vessel("r1", 60, 20, "needle needle needle battery:A", mass=30)],
        [gunship("b1", 60, 28, "AB")],
    )
    shots = aim(("needle-1", "drive"), ("needle-2", "drive"), ("needle-3", "battery-1"))
    battle = play(
        document, [{"engage": {"r1": shots + fire(("battery-1", "b1"))}}], to_hit=[1, 6, 6]
    )
    assert at(battle, "r1").firecons == 2
    assert at(battle, "b1").lost_systems() == ("battery-1", "drive")
    assert [refused.weapon for refused in events_of(battle, "shot-refused")] == ["battery-1"]
    assert events_of(battle, "shot-refused")[0].reason == "no FireCon is free for its target"


@pytest.mark.rule("2e.fire-control", "2e.needle-beams")
@pytest.mark.parametrize(("firecons", "shots"), [(0, 0), (1, 1), (2, 2), (3, 3)])
def test_every_target_system_takes_a_firecon(firecons: int, shots: int) -> None:
    lost = [f"firecon-{n + 1}" for n in range(3 - firecons)]
    document = setup(
        [vessel("r1", 60, 20, "needle needle needle", lost=lost)], [gunship("b1", 60, 28, "ABC")]
    )
    orders = aim(("needle-1", "battery-1"), ("needle-2", "battery-2"), ("needle-3", "battery-3"))
    battle = play(document, [{"engage": {"r1": orders}}], to_hit=[1] * shots)
    assert (len(events_of(battle, "needle")), len(events_of(battle, "shot-refused"))) == (
        shots,
        3 - shots,
    )


@pytest.mark.rule("2e.needle-beams")
@pytest.mark.parametrize(
    ("arc", "x", "y", "shots"),
    [("F", 60, 28, 1), ("S", 60, 28, 0), ("S", 68, 20, 1), ("P", 52, 20, 1)],
)
def test_needle_fires_through_its_one_arc(arc: str, x: float, y: float, shots: int) -> None:
    document = setup([vessel("r1", 60, 20, f"needle:{arc}")], [gunship("b1", x, y, "A")])
    battle = play(
        document, [{"engage": {"r1": aim(("needle-1", "battery-1"))}}], to_hit=[1] * shots
    )
    assert len(events_of(battle, "needle")) == shots


@pytest.mark.rule("2e.needle-beams", "2e.thresholds")
def test_needles_resolve_before_damage_of_the_same_fire() -> None:
    document = duel("needle battery:A", 9, damage=4)
    orders = aim(("needle-1", "battery-1")) + fire(("battery-1", "b1"))
    checks = {
        "threshold": [1] * 6
    }  # battery-2, three FireCons, drive, ftl: battery-1 is already gone
    battle = play(document, [{"engage": {"r1": orders}}], to_hit=[6], beam=[6, 1, 1], **checks)
    assert next(name for name, _ in events_of(battle, "threshold")[0].rolls) == "battery-2"
    kinds = [
        event.kind
        for event in battle.events
        if event.kind in ("needle", "shot", "system-lost", "damaged")
    ]
    assert kinds == ["needle", "shot", "system-lost", "damaged"]


@pytest.mark.rule("2e.needle-beams", "2e.fighters")
def test_needled_bay_loses_its_craft() -> None:
    document = setup(
        [vessel("r1", 60, 20, "needle")], [vessel("b1", 60, 26, "fighter-bay fighter-bay")]
    )
    battle = play(document, [{"engage": {"r1": aim(("needle-1", "fighter-bay-2"))}}], to_hit=[6])
    assert at(battle, "b1").stock[:2] == [6, 0]
    again = battle_from(battle.to_json())
    assert again.state.ship_by_name("b1").stock[:2] == [6, 0]


@pytest.mark.rule("2e.needle-beams")
def test_lost_system_is_no_target() -> None:
    document = duel("needle", lost=["battery-1"])
    battle = play(document, [{"engage": {"r1": aim(("needle-1", "battery-1"))}}])
    assert events_of(battle, "shot-refused")[0].reason.endswith("has that system in working order")


@pytest.mark.rule("2e.needle-beams")
@pytest.mark.parametrize(
    ("shot", "where", "code"),
    [
        (
            {"weapon": "needle-1", "target": "b1", "system": "screen-1"},
            "engage.r1[0].system",
            "unknown-system",
        ),
        ({"weapon": "needle-1", "target": "b1"}, "engage.r1[0].system", "needle-system"),
        (
            {"weapon": "battery-1", "target": "b1", "system": "drive"},
            "engage.r1[0].system",
            "needle-system",
        ),
        ({"weapon": "needle-1", "target": "b1", "system": 3}, "engage.r1[0].system", "not-a-text"),
    ],
)
def test_only_needles_name_a_system(shot: dict[str, Any], where: str, code: str) -> None:
    document = duel("needle battery:C")
    with pytest.raises(RuleViolations) as caught:
        play(document, [{"engage": {"r1": [shot]}}])
    assert (f"turns[0].{where}", code) in [
        (fault.where, fault.code) for fault in caught.value.violations
    ]
    battle = start(document, classes())
    battle.state.stop = "engage"
    _, faults = stops.read_orders(battle, 0, {"engage": {"r1": [shot]}})
    assert (where, code) in [(fault.where, fault.code) for fault in faults]


@pytest.mark.rule("2e.needle-beams", "2e.q-ships")
@pytest.mark.parametrize(
    ("system", "is_accepted"), [("battery-1", False), ("screen-1", True), ("drive", True)]
)
def test_disguised_ship_has_the_systems_of_its_cover(system: str, is_accepted: bool) -> None:
    hidden = vessel("b1", 60, 26, "battery:A screen", mass=30)
    document = setup(
        [vessel("r1", 60, 20, "needle")], [hidden, vessel("b2", 90, 90, "screen", mass=30)]
    )
    battle = start(document, classes())
    battle.state.ship_by_name("b1").cover = battle.state.ship_by_name("b2").sheet
    battle.state.stop = "engage"
    order = {"engage": {"r1": [{"weapon": "needle-1", "target": "b1", "system": system}]}}
    orders, faults = stops.read_orders(battle, 0, order)
    assert ([fault.code for fault in faults], orders is not None) == (
        [] if is_accepted else ["unknown-system"],
        is_accepted,
    )
    if is_accepted:
        after, _ = stops.resolve_documents(battle, {0: order}, scripted(to_hit=[6]))
        assert after.state.ship_by_name("b1").lost_systems() == (system,)


@pytest.mark.rule("2e.needle-beams", "2e.q-ships")
def test_order_at_an_unknown_system_is_refused() -> None:
    document = setup(
        [vessel("r1", 60, 20, "needle")],
        [vessel("b1", 60, 26, "battery:A"), vessel("b2", 9, 9, "")],
    )
    battle = start(document, classes())
    battle.state.ship_by_name("b1").cover = battle.state.ship_by_name("b2").sheet
    battle.state.stop = "engage"
    orders = TurnOrders(
        {"engage": FireAndPursuit({0: [("r1", (Fire("needle-1", ("b1",), "battery-1"),))]})}
    )
    after, stop = resolve_stop(battle, orders, scripted())
    assert (after.state.ship_by_name("b1").lost_systems(), stop.events[0].kind) == (
        (),
        "shot-refused",
    )

"""Battles at a hex with gates: the gates are on the table, and ships without FTL escape through
them.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.orders.validation import order_violations
from campaign.rules.files import fixture_scenario
from campaign.rules.forces import initial_world
from campaign.rules.orders import Move, Orders
from campaign.rules.perception import build_view
from campaign.rules.scenario import Link
from campaign.rules.world import Doctrine, Engagement, Fleet, Ship, World
from engine.battle import fight, start
from engine.core.dice import Dice, KeyedDice
from engine.pieces.gate import CLOSED, Gate
from umpire.adjudication.battles import battle_doctrines, battle_result, battle_setup
from umpire.adjudication.week import resolve

pytestmark = pytest.mark.rule("pc.gates")

KNOT = fixture_scenario("knot-of-gates")
LINK = next(link for link in KNOT.links if any(system.hex == link.a for system in KNOT.systems))
HEX = LINK.a
SIDES = (("ostrava",), ("tarn",))
MEETING = Engagement(f"{HEX}/w3/ostrava+tarn", HEX, SIDES, (("ostrava", "tarn"),))


def meeting(**changes: object) -> World:
    """Return two fleets about to fight at a hex with a gate; `changes` apply to Ostrava's."""
    holdings = tuple(
        replace(holding, holder="tarn") if holding.system == _system() else holding
        for holding in initial_world(KNOT).holdings
    )
    fleets = (
        replace(Fleet("ostrava/f1", "ostrava", "Red", HEX), **changes),  # type: ignore[arg-type]
        Fleet("tarn/f1", "tarn", "Blue", HEX),
    )
    ships = (
        Ship("ostrava/s1", "ostrava", "Sayan", "Sayan Battlecruiser", "ostrava/f1"),
        Ship("tarn/s1", "tarn", "Warden", "Warden Heavy Cruiser", "tarn/f1"),
    )
    return World(3, "battles", fleets, ships, holdings, engagements=(MEETING,))


def _system() -> str:
    return next(system.id for system in KNOT.systems if system.hex == HEX)


def test_gates_are_on_the_table_under_the_holders_control() -> None:
    document = battle_setup(KNOT, meeting(), MEETING, salt=b"salt")
    here = [link for link in KNOT.links if HEX in (link.a, link.b)]
    assert [gate["kind"] for gate in document["gates"]] == [link.kind for link in here]
    assert [gate.get("mass") for gate in document["gates"]] == [link.mass for link in here]
    assert {gate["side"] for gate in document["gates"] if "mass" in gate} <= {"tarn"}
    width, height = document["table"]
    assert all(
        0 <= gate["at"][0] <= width and 0 <= gate["at"][1] <= height for gate in document["gates"]
    )
    state = start(document).state
    assert [gate.opens == CLOSED for gate in state.pieces_of(Gate)] == [
        link.mass is not None for link in here
    ]


def test_several_gates_have_separate_names_and_places() -> None:
    links = tuple(
        Link("gate", HEX, other, 1, 90) for other in ("0101", "0101", "0102", "0103", "0104")
    )
    gates = battle_setup(replace(KNOT, links=links), meeting(), MEETING, salt=b"salt")["gates"]
    assert len({gate["id"] for gate in gates}) == len({tuple(gate["at"]) for gate in gates}) == 5


def test_other_hexes_have_no_gates() -> None:
    before = meeting()
    others = replace(KNOT, links=tuple(link for link in KNOT.links if HEX not in (link.a, link.b)))
    assert "gates" not in battle_setup(others, before, MEETING, salt=b"salt")


def test_fleet_without_drives_flees_through_the_gate() -> None:
    before = meeting(doctrine=Doctrine(flee=True))
    crippled = replace(before.ships[0], lost=("ftl",))
    before = replace(before, ships=(crippled, *before.ships[1:]))
    document = battle_setup(KNOT, before, MEETING, salt=b"salt")
    doctrines = battle_doctrines(KNOT, before, MEETING, {})
    for seed in range(8):
        ended = fight(start(document), doctrines, Dice(seed), f"captains {seed}")
        if any(event.kind == "gate-passed" for event in ended.events):
            break
    else:
        raise AssertionError("it never went through")
    result = battle_result(KNOT, before, MEETING, ended.to_json(), ended.winner, ended.turn)
    assert next(item.status for item in result.ships if item.ship == "ostrava/s1") == "ftl"
    after = resolve(
        KNOT, before, {}, {MEETING.key: result}, KeyedDice(b"x" * 32, ("battles",))
    ).world
    [fleet] = [candidate for candidate in after.fleets if candidate.faction == "ostrava"]
    assert fleet.in_ftl
    assert fleet.must_leave
    end = LINK.b
    orders = Orders(moves=(Move(fleet.key, to=end),))
    assert order_violations(KNOT, build_view(KNOT, after, "ostrava", None, ()), orders) == ()

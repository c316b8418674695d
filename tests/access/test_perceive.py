"""Noninterference of a faction's view: hidden things change no byte of it, and no fault of its
orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from campaign.orders.validation import order_violations
from campaign.rules.orders import Orders
from campaign.rules.perception import build_view
from campaign.rules.scenario import Scenario
from campaign.rules.view import (
    BATTLE,
    HostileContact,
    KnownGoods,
    KnownSystem,
    LostShip,
    Notice,
    Sighting,
    View,
)
from campaign.rules.world import Cargo, World
from engine.core.errors import Violation
from tests.access.two_worlds import Judge, Perceive, differences, two_worlds

PAIRS = 900
PLANTED = 120  # pairs in which an inserted leak must show


def judge(scenario: Scenario, world: World, view: View, orders: Orders) -> tuple[Violation, ...]:
    return order_violations(scenario, view, orders)


@pytest.mark.rule("camp.hidden")
def test_hidden_things_change_no_byte_of_a_view_and_no_verdict() -> None:
    failures = {
        seed: difference
        for seed in range(PAIRS)
        if (difference := differences(two_worlds(seed, build_view), build_view, judge))
    }
    assert failures == {}


@pytest.mark.rule("camp.hidden")
def test_pairs_differ_in_hidden_things() -> None:
    """Check the harness: its worlds differ, and the faction sees something."""
    kinds = {
        "fleets": 0,
        "ships": 0,
        "holdings": 0,
        "scans": 0,
        "pairs": 0,
        "contacts": 0,
        "engagements": 0,
        "losses": 0,
        "goods": 0,
        "deliveries": 0,
        "late": 0,
    }
    visible_parts = {
        "fleets": 0,
        "systems": 0,
        "sightings": 0,
        "open_decisions": 0,
        "in_contact": 0,
        "fighting": 0,
        "losses": 0,
        "goods": 0,
        "deliveries": 0,
        "late": 0,
        "objectives": 0,
    }
    refused = 0
    secrets = 0
    for seed in range(PLANTED):
        two = two_worlds(seed, build_view)
        view = build_view(two.scenario, two.a, two.viewer, two.previous, two.notices)
        for kind in kinds:
            kinds[kind] += {repr(x) for x in getattr(two.a, kind)} != {
                repr(x) for x in getattr(two.b, kind)
            }
        for part in visible_parts:
            visible_parts[part] += bool(getattr(view, part))
        refused += bool(order_violations(two.scenario, view, two.orders))
        secrets += two.scenario != two.scenario_b
    assert min(kinds.values()) > PLANTED / 10, kinds
    assert min(visible_parts.values()) > PLANTED / 10, visible_parts
    assert refused > PLANTED / 10
    assert secrets > PLANTED / 2


# --- inserted leaks: each is a view (or a check of orders) with a fault of a hurried change


def _leak_counter(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Number fleets as they are in the world."""
    numbers = {fleet.key: number for number, fleet in enumerate(w.fleets)}
    view = build_view(s, w, f, p, n)
    return replace(
        view, fleets=tuple(replace(fleet, name=str(numbers[fleet.key])) for fleet in view.fleets)
    )


def _leak_sorted_counter(
    s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]
) -> View:
    """Number ships in the order of all keys."""
    numbers = {key: number for number, key in enumerate(sorted(ship.key for ship in w.ships))}
    view = build_view(s, w, f, p, n)
    return replace(
        view, ships=tuple(replace(ship, key=str(numbers[ship.key])) for ship in view.ships)
    )


def _leak_count(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Add a report that counts the meetings of the week."""
    return build_view(
        s, w, f, p, (*n, Notice(w.week, w.stage, "meetings", "", (("pairs", len(w.pairs)),)))
    )


def _leak_order(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Sort own ships as the world has them."""
    return replace(
        build_view(s, w, f, p, n), ships=tuple(ship for ship in w.ships if ship.faction == f)
    )


def _leak_peek(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Show a foreign fleet at an own one."""
    view = build_view(s, w, f, p, n)
    here = {fleet.hex for fleet in view.fleets}
    return replace(
        view, fleets=tuple(sorted((x for x in w.fleets if x.hex in here), key=lambda x: x.key))
    )


def _leak_audience(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Notify a scanned faction."""
    view = build_view(s, w, f, p, n)
    wrong = (
        Sighting(w.week, scan.hex, scan.viewer, scan.counts) for scan in w.scans if scan.target == f
    )
    return replace(
        view, sightings=(*view.sightings, *sorted(wrong, key=lambda x: (x.hex, x.faction)))
    )


def _leak_holdings(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Tell absent factions who holds a system."""
    holdings = sorted(w.holdings, key=lambda x: x.system)
    view = build_view(s, w, f, p, n)
    return replace(
        view,
        systems=tuple(
            KnownSystem(x.system, w.week, x.holder, x.state, None, True) for x in holdings
        ),
    )


def _leak_choice(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Show the other's choice instead of the own one."""
    choices = {
        (pair.hex, pair.b if pair.a == f else pair.a): pair.choice_a or pair.choice_b
        for pair in w.pairs
    }
    view = build_view(s, w, f, p, n)
    return replace(
        view,
        open_decisions=tuple(
            replace(x, fixed=choices[x.hex, x.toward]) for x in view.open_decisions
        ),
    )


def _leak_fighting(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """List every battle of the week."""
    return replace(
        build_view(s, w, f, p, n), fighting=tuple(sorted(item.hex for item in w.engagements))
    )


def _leak_contact(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Show stand-offs of others."""
    contacts = sorted({(contact.hex, contact.a, contact.state) for contact in w.contacts})
    return replace(
        build_view(s, w, f, p, n), in_contact=tuple(HostileContact(*item) for item in contacts)
    )


def _leak_losses(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """List everybody's losses."""
    losses = sorted((x.ship.name, x.ship.cls, x.week, x.hex, x.cause) for x in w.losses)
    return replace(build_view(s, w, f, p, n), losses=tuple(LostShip(*item) for item in losses))


def _leak_prize(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Name a lost ship as its captor does now."""
    names = {
        ship.cls: ship.name
        for ship in w.ships
        if ship.laid_up and ship.faction != f and "prize" in ship.name
    }
    view = build_view(s, w, f, p, n)
    return replace(
        view, losses=tuple(replace(x, name=names.get(x.cls, x.name)) for x in view.losses)
    )


def _leak_stores(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Let a scan show how many foes lack stores."""
    short = sum(bool(ship.stock) for ship in w.ships if ship.faction != f)
    return build_view(s, w, f, p, (*n, Notice(w.week, w.stage, "short", "", (("ships", short),))))


def _leak_tow(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Add to own fleets every tow in their hex."""
    hexes = {fleet.key: fleet.hex for fleet in w.fleets}
    towed = {hexes[ship.fleet] for ship in w.ships if ship.tug}
    view = build_view(s, w, f, p, n)
    return replace(
        view, fleets=tuple(replace(x, name=f"{x.name}{x.hex in towed}") for x in view.fleets)
    )


def _leak_cargo(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """List the cargo of others as lost."""
    carried = sum(ship.cargo.remaining for ship in w.ships if ship.cargo is not None)
    view = build_view(s, w, f, p, n)
    return replace(
        view, losses=tuple(replace(x, cargo=Cargo("all", carried, carried)) for x in view.losses)
    )


def _leak_ftl_observers(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Let a fleet in FTL space see its hex."""
    awake = tuple(
        replace(fleet, in_ftl=False) if fleet.faction == f else fleet for fleet in w.fleets
    )
    return replace(
        build_view(s, w, f, p, n), systems=build_view(s, replace(w, fleets=awake), f, p, n).systems
    )


def _leak_works(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Number the yard's queue among everybody's."""
    return replace(build_view(s, w, f, p, n), works=w.works[: len(build_view(s, w, f, p, n).works)])


def _leak_funds(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Show all building points."""
    return replace(build_view(s, w, f, p, n), funds=sum(points for _, points in w.funds))


def _leak_ally_sight(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Share allies' sight although the scenario does not."""
    return replace(
        build_view(s, w, f, p, n),
        systems=build_view(replace(s, shared_sight=True), w, f, p, n).systems,
    )


def _leak_survivors(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Count surviving foes from the ships, not from the log."""
    view = build_view(s, w, f, p, n)
    hex_of = {fleet.key: fleet.hex for fleet in w.fleets}
    sightings = [
        replace(item, counts=(("contacts", _ships_at(w, hex_of, item)),))
        if item.source == BATTLE
        else item
        for item in view.sightings
    ]
    return replace(view, sightings=tuple(sightings))


def _leak_goods(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Show the goods of systems that the faction does not see."""
    goods = [KnownGoods(item.system, item.what, item.amount, w.week) for item in w.goods]
    goods.sort(key=lambda item: item.system)
    return replace(build_view(s, w, f, p, n), goods=tuple(goods))


def _leak_landings(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Count what others have landed."""
    total = sum(item.amount for item in w.deliveries)
    return build_view(s, w, f, p, (*n, Notice(w.week, w.stage, "landed", "", (("all", total),))))


def _leak_landing_orders(
    s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]
) -> View:
    """Count the ships of others that are about to land goods."""
    count = sum(ship.landing is not None for ship in w.ships)
    return build_view(s, w, f, p, (*n, Notice(w.week, w.stage, "lands", "", (("ships", count),))))


def _leak_late(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Show what will arrive for others."""
    late = sorted(w.late, key=lambda item: (item.fleet.faction, item.week, repr(item.ships)))
    return replace(build_view(s, w, f, p, n), late=tuple(late))


def _leak_progress(s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]) -> View:
    """Show the true progress of all objectives."""
    states = sorted(w.objectives, key=lambda item: item.key)
    return replace(build_view(s, w, f, p, n), objectives=tuple(states))


def _leak_secret_objectives(
    s: Scenario, w: World, f: str, p: View | None, n: Sequence[Notice]
) -> View:
    """Add up the points of all objectives, secret ones too."""
    points = sum(item.points for item in s.objectives)
    return build_view(s, w, f, p, (*n, Notice(w.week, w.stage, "points", "", (("all", points),))))


def _ships_at(world: World, hex_of: Mapping[str, str], item: Sighting) -> int:
    here = [ship for ship in world.ships if hex_of.get(ship.fleet) == item.hex]
    return sum(ship.faction == item.faction for ship in here)


def _leak_error_text(
    scenario: Scenario, world: World, view: View, orders: Orders
) -> tuple[Violation, ...]:
    """Refuse a foreign fleet differently from a missing one."""
    keys = {fleet.key for fleet in world.fleets}
    return tuple(
        replace(fault, message="that fleet is not yours")
        if getattr(move, "fleet", "") in keys
        else fault
        for move in orders.moves
        for fault in order_violations(scenario, view, orders)
        if fault.code == "unknown-fleet"
    )


def _leak_tug(
    scenario: Scenario, world: World, view: View, orders: Orders
) -> tuple[Violation, ...]:
    """Refuse a tow of a foreign ship differently from a missing one."""
    keys = {ship.key for ship in world.ships}
    return tuple(
        replace(fault, message="that ship is not yours")
        if {item.tug for item in orders.tow} <= keys
        else fault
        for fault in order_violations(scenario, view, orders)
        if fault.where.startswith("tow") and fault.code == "unknown-ship"
    )


def _leak_legality(
    scenario: Scenario, world: World, view: View, orders: Orders
) -> tuple[Violation, ...]:
    """Refuse a move into a hex with a hidden fleet."""
    enemy_hexes = {fleet.hex for fleet in world.fleets if fleet.faction != view.faction}
    extra_violations = [
        Violation(f"moves[{n}]", "held", "no route")
        for n, move in enumerate(orders.moves)
        if move.to in enemy_hexes
    ]
    return (*order_violations(scenario, view, orders), *extra_violations)


LEAKY_VIEWS: tuple[Perceive, ...] = (
    *(
        _leak_counter,
        _leak_sorted_counter,
        _leak_count,
        _leak_order,
        _leak_peek,
        _leak_audience,
        _leak_holdings,
    ),
    *(
        _leak_choice,
        _leak_fighting,
        _leak_contact,
        _leak_losses,
        _leak_ftl_observers,
        _leak_ally_sight,
    ),
    *(_leak_prize, _leak_stores, _leak_tow, _leak_cargo, _leak_works, _leak_funds, _leak_survivors),
    *(_leak_goods, _leak_landings, _leak_landing_orders, _leak_late),
    *(_leak_progress, _leak_secret_objectives),
)
LEAKY_JUDGES: tuple[Judge, ...] = (_leak_error_text, _leak_legality, _leak_tug)


@pytest.mark.rule("camp.hidden")
@pytest.mark.parametrize("leaky", LEAKY_VIEWS, ids=lambda leak: leak.__name__)
def test_planted_view_leak_is_caught(leaky: Perceive) -> None:
    assert any(
        "view" in differences(two_worlds(seed, build_view), leaky, judge) for seed in range(PLANTED)
    )


@pytest.mark.rule("camp.hidden")
@pytest.mark.parametrize("leaky", LEAKY_JUDGES, ids=lambda leak: leak.__name__)
def test_planted_verdict_leak_is_caught(leaky: Judge) -> None:
    assert any(
        "violations" in differences(two_worlds(seed, build_view), build_view, leaky)
        for seed in range(PLANTED)
    )

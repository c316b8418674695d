"""Patrols: what they scan, who is notified, and how players, clients and admirals order them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from blindjump import notation
from django.http import QueryDict
from django.test import Client

from campaign.belief.visibility import Visibility, fleet_visibility
from campaign.events.event import WeekEvent
from campaign.forms.faults import Faults, faults_of
from campaign.forms.week.fleet_lines import week_lines
from campaign.forms.week.order_form import week_form
from campaign.forms.week.orders_words import orders_words
from campaign.forms.week.week_payload import week_payload
from campaign.orders.codec import canonical_orders, orders_payload, parse_orders
from campaign.orders.patrol import Patrol
from campaign.orders.preparation import valid_orders
from campaign.orders.registry import can_be_scanned_afar
from campaign.orders.validation import order_violations
from campaign.pages.ships.ship_history import orders_about
from campaign.rules.codec import encode
from campaign.rules.orders import Decision, Detachment, Move, Orders
from campaign.rules.perception import build_view
from campaign.rules.view import Notice, View
from campaign.rules.world import World
from engine.core.dice import KeyedDice
from tests.campaign.api.calls import json_of, war_at
from tests.campaign.pages.war.browsing import player
from tests.umpire.adjudication.small_sector import (
    COLONY,
    DEEP,
    PORT,
    fleet,
    scenario,
    stand_off,
    world,
)
from tests.umpire.admirals.sector import Sector, lafayette
from umpire.adjudication import week
from umpire.adjudication.outcome import StageOutcome
from umpire.admirals.admiral import orders_for

BESIDE = "0405"  # a neighbour of DEEP and of nothing else here
AFAR = "0808"
WAR = scenario(patrols=True)
NOTHING = Orders()
PATROL = Orders(other_kinds=(Patrol("red/f1"),))


def lone_world(*extra: Any, **changes: Any) -> World:
    """Return red's fleet between the stars, with given additions."""
    return world(WAR, fleet("red/f1", DEEP, "Cruiser", "Destroyer"), *extra, **changes)


def resolve_week(
    before: World, orders: Orders = PATROL, blue: Orders = NOTHING, setting: Any = WAR
) -> StageOutcome:
    return week.resolve(
        setting, before, {"red": orders, "blue": blue}, {}, KeyedDice(b"seed", ("patrol",))
    )


def scans(outcome: StageOutcome) -> set[tuple[str, str, str]]:
    return {(scan.viewer, scan.hex, scan.target) for scan in outcome.world.scans}


def scanned_by(outcome: StageOutcome, faction: str) -> View:
    heard = [item for item in outcome.week_events if faction in item.audience]
    return build_view(WAR, outcome.world, faction, None, [notice(item) for item in heard])


def notice(item: WeekEvent) -> Notice:
    return Notice(3, "orders", item.code, item.hex, item.facts)


def faults(orders: Orders, view: View, setting: Any = WAR) -> set[tuple[str, str]]:
    return {(fault.where, fault.code) for fault in order_violations(setting, view, orders)}


# --- what it scans


@pytest.mark.parametrize("hex_", ["0304", "0305", "0403", "0405", "0504", "0505"])
def test_patrol_scans_the_six_neighbouring_hexes(hex_: str) -> None:
    outcome = resolve_week(lone_world(fleet("blue/f1", hex_, "Battleship", "Destroyer")))
    assert [(s.hex, s.viewer, s.target, s.counts) for s in outcome.world.scans] == [
        (hex_, "red", "blue", (("capital", 1), ("escort", 1)))
    ]


def test_patrol_scans_its_own_hex_but_nothing_two_hexes_away() -> None:
    near, far = fleet("blue/f1", DEEP, "Cruiser"), fleet("blue/f2", "0406", "Cruiser")
    assert scans(resolve_week(lone_world(near, far))) == {("red", DEEP, "blue")}


def test_nothing_is_scanned_without_the_order_or_the_scenario_rule() -> None:
    before = lone_world(fleet("blue/f1", BESIDE, "Cruiser"))
    assert scans(resolve_week(before, Orders())) == set()
    refused = resolve_week(before, setting=scenario())
    assert scans(refused) == set()
    assert any(
        item.code == "order-dropped" and item.audience == ("red",) for item in refused.week_events
    )


def test_patrol_sees_decoys_and_weasels() -> None:
    foe, foe_ships = fleet("blue/f1", BESIDE, "Weasel", "Destroyer", decoys_out=1)
    outcome = resolve_week(
        lone_world((foe, foe_ships), ships={"blue/f1/1": {"weasel_on": True}}),
        blue=Orders(weasels=("blue/f1/1",)),
    )
    assert outcome.world.scans[0].counts == (("capital", 1), ("escort", 2))


def test_patrol_finds_arrivals_but_not_ftl_space_or_own_side() -> None:
    foe = fleet("blue/f1", AFAR, "Cruiser")
    assert scans(
        resolve_week(lone_world(foe), blue=Orders(moves=(Move("blue/f1", to=BESIDE),)))
    ) == {("red", BESIDE, "blue")}
    allied = scenario(("red", "blue", "green"), {"red": "pact", "green": "pact"}, patrols=True)
    before = world(allied, fleet("red/f1", DEEP, "Cruiser"), fleet("green/f1", BESIDE, "Cruiser"))
    assert resolve_week(before, setting=allied).world.scans == ()


def test_allies_with_shared_sight_see_a_patrols_scan() -> None:
    for shared, viewers in ((True, {"red", "green"}), (False, {"red"})):
        pact = scenario(
            ("red", "blue", "green"),
            {"red": "pact", "green": "pact"},
            patrols=True,
            shared_sight=shared,
        )
        before = world(pact, fleet("red/f1", DEEP, "Cruiser"), fleet("blue/f1", BESIDE, "Cruiser"))
        assert {viewer for viewer, _, _ in scans(resolve_week(before, setting=pact))} == viewers


def test_withdrawing_fleet_does_not_patrol() -> None:
    before = world(
        WAR,
        fleet("red/f1", COLONY, "Cruiser"),
        fleet("blue/f1", COLONY, "Cruiser"),
        fleet("blue/f2", "0607", "Cruiser"),
        contacts=(stand_off(COLONY, "blue", "red"),),
    )
    leaves = replace(PATROL, decide=(Decision(COLONY, "blue", "withdraw"),))
    scan_results = scans(
        resolve_week(before, leaves, Orders(decide=(Decision(COLONY, "red", "withdraw"),)))
    )
    assert ("red", "0607", "blue") not in scan_results


# --- who is notified


def test_scanned_faction_learns_nothing() -> None:
    before = lone_world(fleet("blue/f1", BESIDE, "Cruiser"))
    with_patrol, without = resolve_week(before), resolve_week(before, Orders())
    assert encode(scanned_by(with_patrol, "blue")) == encode(scanned_by(without, "blue"))
    assert encode(scanned_by(with_patrol, "red")) != encode(scanned_by(without, "red"))
    for item in with_patrol.week_events:
        if item not in without.week_events:
            assert item.audience == ("red",)


@pytest.mark.parametrize(
    "hidden",
    [
        {"name": "Other"},
        {"standing": "fight"},
        {"decoys": 2},
        {"back": "0505"},
    ],
)
def test_patrol_scan_is_equal_in_two_worlds_with_equal_contacts(hidden: dict[str, Any]) -> None:
    plain, ships = fleet("blue/f1", BESIDE, "Cruiser", "Destroyer")
    other_ships = [replace(ship, name=f"X {ship.name}", damage=1) for ship in ships]
    other_group = replace(plain, **hidden), other_ships
    elsewhere = fleet("blue/f2", AFAR, "Battleship")
    a, b = (
        resolve_week(lone_world((plain, ships))),
        resolve_week(lone_world(other_group, elsewhere)),
    )
    assert encode(scanned_by(a, "red")) == encode(scanned_by(b, "red"))


def test_validity_reveals_nothing_near_a_patrol() -> None:
    empty, full = lone_world(), lone_world(fleet("blue/f1", BESIDE, "Cruiser"))
    views = [build_view(WAR, each_world, "red", None, ()) for each_world in (empty, full)]
    assert encode(views[0]) == encode(views[1])
    assert faults(PATROL, views[0]) == faults(PATROL, views[1]) == set()


def test_visibility_counts_possible_patrols() -> None:
    before = lone_world(fleet("blue/f1", BESIDE, "Cruiser"))
    view = build_view(WAR, before, "blue", None, ())
    visibilities = fleet_visibility(WAR, view, scanned_afar=can_be_scanned_afar(WAR))
    assert [
        (visibility.visibility, visibility.by, visibility.reason) for visibility in visibilities
    ] == [(Visibility.POSSIBLY, ("red",), "afar")]
    without = scenario()
    assert not can_be_scanned_afar(without)
    assert fleet_visibility(without, view, scanned_afar=False)[0].visibility == Visibility.NOT


# --- its faults, its form


def test_patrol_faults() -> None:
    before = lone_world(
        fleet("red/f2", PORT, "Cruiser", must_leave=True), fleet("red/f3", DEEP, "Cruiser")
    )
    view = build_view(WAR, before, "red", None, ())
    patrols = tuple(map(Patrol, ("red/f1", "red/f1", "red/f2", "blue/f1", "red/f3")))
    moves = (Move("red/f1", to=BESIDE), Move("red/f2", to="0304"))
    assert faults(Orders(other_kinds=patrols, moves=moves), view) == {
        ("patrol[0].fleet", "moves"),
        ("patrol[1].fleet", "moves"),
        ("patrol[1].fleet", "twice"),
        ("patrol[2].fleet", "moves"),
        ("patrol[2].fleet", "must-move"),
        ("patrol[3].fleet", "unknown-fleet"),
    }
    merged = Orders(other_kinds=(Patrol("red/f3"),), detach=(Detachment(("red/f3/1",), "red/f1"),))
    assert ("patrol[0].fleet", "unknown-fleet") in faults(merged, view)
    assert faults(PATROL, view, scenario()) >= {("patrol", "no-patrols")}


def test_move_is_kept_and_the_patrol_dropped() -> None:
    view = build_view(WAR, lone_world(), "red", None, ())
    valid, dropped = valid_orders(WAR, view, replace(PATROL, moves=(Move("red/f1", to=BESIDE),)))
    assert (valid.moves, valid.other_kinds) == ((Move("red/f1", to=BESIDE),), ())
    assert [(item.order, item.fault.code) for item in dropped] == [("patrol[0].fleet", "moves")]


def test_patrols_are_stored_in_order_and_read_back() -> None:
    orders = Orders(other_kinds=(Patrol("red/f2"), Patrol("red/f1")))
    payload = {"schema": 1, "patrol": [{"fleet": "red/f1"}, {"fleet": "red/f2"}]}
    assert orders_payload(orders) == payload
    assert parse_orders(payload) == (canonical_orders(orders), ())
    wrong = {"patrol": [{"ship": "red/s1"}, "red/f1"]}
    assert [(fault.where, fault.code) for fault in parse_orders(wrong)[1]] == [
        ("patrol[0].fleet", "missing"),
        ("patrol[0].ship", "unknown-key"),
        ("patrol[1]", "not-a-table"),
    ]


# --- input and display


def test_patrol_is_ticked_on_the_orders_page() -> None:
    view = build_view(WAR, lone_world(), "red", None, ())
    query = QueryDict("control-patrol-red/f1=on&control-patrol-blue/f1=on")
    payload = week_payload(view, query)
    assert payload["patrol"] == [{"fleet": "red/f1"}]
    for draft, ticked in ((payload, "on"), ({"schema": 1}, "")):
        (place,) = week_form(WAR, view, draft, Faults())
        (control,) = place.fleets[0].controls
        assert (control.kind, control.value) == ("flag", ticked)
    (bare,) = week_form(scenario(), view, {"schema": 1}, Faults())
    assert bare.fleets[0].controls == ()
    fault = faults_of({**payload, "moves": []}, order_violations(scenario(), view, PATROL))
    assert fault.general[0].code == "no-patrols"


def test_patrol_is_in_receipt_fleet_line_and_ship_history() -> None:
    view = build_view(WAR, lone_world(), "red", None, ())
    payload = orders_payload(PATROL)
    assert orders_words(WAR, view, payload) == ("red/f1 patrols",)
    assert orders_about(WAR, view, "red/f1/1", payload) == ("red/f1 patrols",)
    lines = week_lines(WAR, view, payload, Faults(), {})
    assert lines.fleets[0].words.startswith("Stays at hex 0404; patrols")


def test_patrol_is_typed() -> None:
    orders, _ = notation.parse_orders("patrol red/f1\npatrol red/f2")
    assert orders["patrol"] == [{"fleet": "red/f1"}, {"fleet": "red/f2"}]
    assert notation.format_orders(orders) == "patrol red/f1\npatrol red/f2"


def test_api_and_help_describe_patrols(client: Client) -> None:
    described = client.get("/api/schema/").json()["components"]["schemas"]
    assert "patrol" in described["OrderSet"]["properties"]
    assert b"six neighbouring hexes" in client.get("/help/orders/").content


def test_admiral_patrols_at_systems_and_borders() -> None:
    plain = lafayette()
    sector = Sector()
    faction, home = "nac", "0713"
    sector.fleet(f"{faction}/f1", home, {"Heavy Cruiser": 1}, hurt={"lost": ("ftl",)})
    view = sector.view(faction)
    for setting, patrols in ((replace(plain, patrols=True), {f"{faction}/f1"}), (plain, set())):
        orders = orders_for(setting, view, "", KeyedDice(b"seed", ("patrol",)))
        assert order_violations(setting, view, orders) == ()
        assert {item.fleet for item in orders.other_kinds if isinstance(item, Patrol)} == patrols


@pytest.mark.django_db
@pytest.mark.any_database
def test_patrol_is_ordered_on_the_page() -> None:
    war = war_at("orders", patrols=True)
    ember = player(war.campaign, "ember")
    fleet_key = json_of(war.ember.get("fleets/"))["fleets"][0]["key"]
    control = f"control-patrol-{fleet_key}"
    assert b"control-patrol" in ember.client.get(ember.url("orders/")).content
    assert ember.fill("orders/", **{control: "on"}).status_code == 302
    ordered = json_of(war.ember.get("orders/"))["orders"]["patrol"]
    assert ordered == [{"fleet": fleet_key}]


@pytest.mark.django_db
def test_page_offers_no_patrols_without_the_scenario_rule() -> None:
    war = war_at("orders")
    ember = player(war.campaign, "ember")
    assert b"control-patrol" not in ember.client.get(ember.url("orders/")).content

"""The orders page predicts exactly what the resolution does, for every kind of order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from campaign.forms.faults import faults_of
from campaign.forms.week.fleet_lines import LineState, WeekLines, week_lines
from campaign.kinds import StageKind
from campaign.orders.codec import canonical_orders, orders_payload
from campaign.orders.effects import WeekPreview, preview_week
from campaign.orders.preparation import valid_orders
from campaign.orders.registry import ORDERS
from campaign.orders.validation import order_violations
from campaign.rules.orders import (
    Build,
    Decision,
    Detachment,
    Dock,
    Dummy,
    FleetSetting,
    Move,
    Orders,
    Rearming,
    Tow,
)
from campaign.rules.perception import build_view
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Answer, Doctrine, Fleet, Ship, World
from engine.core.dice import KeyedDice
from tests.campaign.rules import test_markers, yards
from tests.campaign.rules.space import OUTPOST
from tests.campaign.rules.test_rearming import WORLD as AT_THE_YARDS
from tests.umpire.adjudication.small_sector import DEEP, MINELAYER
from tests.umpire.adjudication.wars import CHOICES, FACTIONS, PLACES, WAR, any_world
from umpire.adjudication import week

SEEDS = range(60)  # in this many weeks each kind of order occurs
YARD = yards.scenario(
    systems=tuple(
        replace(system, facility=replace(system.facility, yard=40))
        if system.id == "home" and system.facility
        else system
        for system in yards.scenario().systems
    )
)


def weeks() -> Iterator[tuple[Scenario, World, str, Orders]]:
    """Return random weeks of one faction, with open markers, and with shipyards."""
    for seed in SEEDS:
        chance = Random(seed)
        world = any_world(chance)
        for faction in FACTIONS:
            yield WAR, world, faction, some_orders(chance, world, faction)
    moves = (Move("red/d1", to="0505"), Move("red/d3", to="0404"), Move("red/f2", to="0404"))
    markers = (Dummy("red/d2", remove=True), Dummy("red/d3", hex="0303"))
    yield test_markers.OPEN, test_markers.WORLD, "red", Orders(dummies=markers, moves=moves)
    at_work = replace(AT_THE_YARDS, funds=(("blue", 0), ("red", 900)))
    refits = (
        Rearming("red/s1", "pulser-1", "short"),
        Rearming("red/s2", "hangar-1", "interceptor"),
    )
    builds = (
        Build("0303", "Patrol", "Anvil"),
        Build("0303", "Patrol", "Bellows"),
        Build("0303", "red/Hunter", "Tongs"),
    )
    docks = (Dock("red/s1", replenish=True), Dock("red/s2", replenish=True))
    hunter = yards.design("Hunter", yards.PULSER)
    building = Orders(dock=docks, refit=refits, build=builds, designs=(hunter,))
    yield YARD, at_work, "red", building
    busy = week.resolve(YARD, at_work, {"red": building}, {}, KeyedDice(b"", [0])).world
    busy = replace(busy, stage="orders")
    refit = Rearming("red/s1", "pulser-1", "long")
    yield YARD, busy, "red", Orders(cancel=("red/w1",), refit=(refit,))


def some_orders(chance: Random, world: World, faction: str) -> Orders:
    """Return orders of every kind that the small war knows, legal or not."""
    fleets = [fleet for fleet in world.fleets if fleet.faction == faction]
    ships = [ship for ship in world.ships if ship.faction == faction]
    return Orders(
        settings=tuple(some_setting(chance, fleet) for fleet in fleets if chance.random() < 0.4),
        detach=tuple(some_detachments(chance, faction, fleets, ships)),
        dock=tuple(
            Dock(
                ship.key,
                ship.lost[: chance.randint(0, 3)],
                replenish=chance.random() < 0.5,
                scuttle=chance.random() < 0.3,
            )
            for ship in ships
            if chance.random() < 0.5
        ),
        weasels=tuple(ship.key for ship in ships if ship.cls == "Weasel" and chance.random() < 0.6),
        decide=tuple(
            Decision(contact.hex, other, chance.choice(CHOICES))
            for contact in world.contacts
            for other in (contact.a, contact.b)
            if faction in (contact.a, contact.b) and other != faction and chance.random() < 0.5
        ),
        moves=tuple(some_move(chance, fleet) for fleet in fleets if chance.random() < 0.6),
        sweep=tuple(ship.key for ship in ships if ship.cls == MINELAYER.name),
        tow=tuple(
            Tow(tug.key, others(ships, tug)[: chance.randint(0, 2)])
            for tug in ships
            if tug.cls == "Tug" and chance.random() < 0.8
        ),
    )


def others(ships: list[Ship], tug: Ship) -> tuple[str, ...]:
    """Return the other ships of a tug's fleet."""
    return tuple(ship.key for ship in ships if ship.fleet == tug.fleet and ship is not tug)


def some_setting(chance: Random, fleet: Fleet) -> FleetSetting:
    answer = Answer(choice=chance.choice(CHOICES), of="", least=2, most=None)
    return FleetSetting(
        fleet.key,
        name=chance.choice((None, f"Renamed {fleet.name.partition('/')[2]}")),
        standing=chance.choice((None, *CHOICES)),
        doctrine=chance.choice((None, Doctrine(range=12))),
        decoys_on=chance.choice((None, 1)),
        answers=chance.choice((None, (answer,))),
    )


def some_detachments(
    chance: Random,
    faction: str,
    fleets: list[Fleet],
    ships: list[Ship],
) -> Iterator[Detachment]:
    if not ships:
        return
    if chance.random() < 0.3:
        name = chance.choice(("", "Sally"))
        yield Detachment((ships[0].key,), f"{faction}/f9", name, decoys=chance.randint(0, 1))
    elif chance.random() < 0.5:
        into = chance.choice(fleets)
        near = [ship.key for ship in ships if ship.fleet != into.key]
        there = {fleet.key for fleet in fleets if fleet.hex == into.hex}
        yield Detachment(tuple(key for key in near if home(ships, key) in there), into.key)


def home(ships: list[Ship], key: str) -> str:
    return next(ship.fleet for ship in ships if ship.key == key)


def some_move(chance: Random, fleet: Fleet) -> Move:
    if chance.random() < 0.3:
        return Move(fleet.key, path=("0304", DEEP))
    return Move(fleet.key, to=chance.choice(PLACES))


def view_after_orders(scenario: Scenario, world: World, faction: str, orders: Orders) -> View:
    """Return what the faction sees of its own fleets after the orders."""
    next_world = week.resolve(scenario, world, {faction: orders}, {}, KeyedDice(b"", [7])).world
    return build_view(scenario, next_world, faction, None, ())


def lines_of(scenario: Scenario, view: View, orders: Orders) -> WeekLines:
    payload = orders_payload(orders)
    violations = order_violations(scenario, view, canonical_orders(orders))
    return week_lines(scenario, view, payload, faults_of(payload, violations), {})


@pytest.mark.rule("camp.fleets", "camp.ftl-move", "camp.must-leave")
def test_preview_equals_the_resolution() -> None:
    order_kinds: Counter[str] = Counter()
    for scenario, world, faction, sent_orders in weeks():
        view = build_view(scenario, world, faction, None, ())
        orders = canonical_orders(sent_orders)
        valid, _ = valid_orders(scenario, view, orders)
        order_kinds.update(order.key for order in ORDERS if order.items(valid))
        week_preview = preview_week(scenario, view, valid)
        after = view_after_orders(scenario, world, faction, orders)
        touched = {touch.hex for touch in view.in_contact}
        _same_fleets(week_preview, after, touched)
        assert list(week_preview.works) == [replace(work, faction=faction) for work in after.works]
        _same_words(scenario, view, lines_of(scenario, view, orders), after, touched)
    # Kinds without a field of their own are options of scenarios; their own tests cover them.
    assert set(order_kinds) >= {
        order.key for order in ORDERS if StageKind.ORDERS in order.stages and order.has_own_field
    }


def _same_fleets(week_preview: WeekPreview, after: View, touched: set[str]) -> None:
    """Check every fleet and ship against the preview.

    Dice decide whether a fleet in contact gets away, so it may be in one of two places.
    """
    ships_of: dict[str, list[Ship]] = {}
    for ship in after.ships:
        ships_of.setdefault(ship.fleet, []).append(ship)
    for fleet in after.fleets:
        preview_fleet = week_preview.fleets.get(fleet.key)
        if preview_fleet is None or preview_fleet.start in touched:
            torn = fleet.key.rpartition(".")[0] or fleet.key
            assert fleet.hex in {
                week_preview.fleets[torn].start,
                week_preview.fleets[torn].fleet.hex,
            }
            continue
        assert fleet == preview_fleet.fleet
        assert tuple(ships_of[fleet.key]) == preview_fleet.ships
    manned = {key for key, previewed in week_preview.fleets.items() if previewed.ships}
    assert {fleet.key for fleet in after.fleets} >= manned
    ends = {dummy.key: dummy.hex for dummy in after.dummies}
    for key, preview_fleet in week_preview.fleets.items():
        if not preview_fleet.ships and key in ends:
            assert ends[key] == preview_fleet.fleet.hex


def _same_words(
    scenario: Scenario,
    view: View,
    lines: WeekLines,
    after: View,
    touched: set[str],
) -> None:
    """Check that a line says where its fleet ends and what happens to its ships, and nothing else."""
    line_of = {line.key: line for line in lines.fleets}
    names = {system.hex: system.name for system in scenario.systems}
    was = {fleet.key: fleet for fleet in view.fleets}
    ships = {ship.key: ship for ship in view.ships}
    for fleet in after.fleets:
        ships_of_fleet = [ship for ship in after.ships if ship.fleet == fleet.key]
        before = was.get(fleet.key) or was.get(ships[ships_of_fleet[0].key].fleet)
        line = line_of.get(fleet.key)
        if before is None or line is None or before.hex in touched:
            continue
        assert line.name == fleet.name
        assert line.words.startswith("→ ") == (fleet.hex != before.hex)
        assert names.get(fleet.hex, f"hex {fleet.hex}") in line.words
        for words, happens in _happens(ships_of_fleet, ships, fleet, before):
            assert (words in line.words) == happens, (line, words)
        manned = [
            replace(ships[ship.key], fleet=fleet.key, sweeps=ship.sweeps) for ship in ships_of_fleet
        ]
        assert ships_of_fleet == manned or line.state != LineState.UNORDERED
    gone_fleets = set(was) - {fleet.key for fleet in after.fleets}
    assert all("Merged into" in line_of[key].words for key in gone_fleets)


def _happens(
    ships_of_fleet: list[Ship],
    ships: dict[str, Ship],
    fleet: Fleet,
    before: Fleet,
) -> Iterator[tuple[str, bool]]:
    """Return the words of a line, and whether they come true."""
    yield "in dock", any(ship.docked for ship in ships_of_fleet)
    yield "under repair", any(ship.repair for ship in ships_of_fleet)
    yield "takes on stores", any(ship.replenish for ship in ships_of_fleet)
    yield "scuttled if captured", any(ship.scuttle for ship in ships_of_fleet)
    yield (
        "leaves its dock",
        any(ships[ship.key].docked and not ship.docked for ship in ships_of_fleet),
    )
    yield "takes over", any(ships[ship.key].fleet != fleet.key for ship in ships_of_fleet)
    yield " tows ", any(ship.tug and ship.tug != ships[ship.key].tug for ship in ships_of_fleet)
    yield (
        "weasel on",
        any(ship.weasel_on and not ships[ship.key].weasel_on for ship in ships_of_fleet),
    )
    yield "new doctrine", fleet.doctrine != before.doctrine
    has_moved = fleet.hex != before.hex
    yield "decoy", fleet.decoys_out > 0 and (has_moved or fleet.decoys_out != before.decoys_out)
    yield "conditions first", bool(fleet.answers)
    reset = [ship for ship in ships_of_fleet if ship.settings != ships[ship.key].settings]
    yield " set to ", any(ship.settings for ship in reset)
    yield " loaded with ", any(ship.refit for ship in ships_of_fleet)


def test_readable_part_of_a_draft_is_previewed() -> None:
    view = build_view(YARD, AT_THE_YARDS, "red", None, ())
    payload = {
        "schema": 1,
        "settings": [{"fleet": "red/f1", "decoys_on": "many"}],
        "moves": [{"fleet": "red/f1", "to": OUTPOST}],
        "nonsense": [],
    }
    lines = week_lines(YARD, view, payload, faults_of(payload, ()), {})
    line = next(line for line in lines.fleets if line.key == "red/f1")
    assert line.words == "→ Outpost, 2 hexes, week 2; standing order: stand off"

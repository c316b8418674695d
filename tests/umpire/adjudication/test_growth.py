"""A week with twice the systems and fleets takes about twice the work."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import pytest

from campaign.rules.orders import Decision, Move, Orders
from campaign.rules.perception import build_view, index_scans
from campaign.rules.scenario import Choice, Scenario, StarSystem
from campaign.rules.view import View
from campaign.rules.world import Contact, Fleet, Scan, Ship, World
from engine.core.dice import KeyedDice
from tests.growth import Work, check_growth, work_of
from tests.umpire.adjudication.small_sector import fleet, scenario, world
from umpire.adjudication import contacts, week
from umpire.adjudication.decisions import standing_choice
from umpire.adjudication.indexes import WorldIndex
from umpire.adjudication.outcome import BattleResult, ShipAfter

FACTIONS = ("blue", "green", "red")
DICE = KeyedDice(b"growth", ["growth"])
SYSTEMS = 100
STATUS_OF = {"blue": "struck"}  # states of ships after battles
ROWS = 99


def theatre(systems: int) -> Scenario:
    """Return a map with so many systems of blue's, all settled, in every second column."""
    hexes = [f"{n // ROWS * 2 + 1:02d}{n % ROWS + 1:02d}" for n in range(systems)]
    places = tuple(StarSystem(f"s{hex_}", f"S {hex_}", hex_, "blue", True) for hex_ in hexes)
    return scenario(FACTIONS, columns=2 * (systems // ROWS) + 2, rows=ROWS, systems=places)


def crowded_world(setting: Scenario) -> World:
    """Return a world with a fleet of every faction in every system, in contact since last week."""
    forces = [
        fleet(f"{faction}/f{system.hex}", system.hex, "Cruiser", "Destroyer")
        for system in setting.systems
        for faction in FACTIONS
    ]
    contacts = tuple(
        Contact(system.hex, a, b, "stand-off", "")
        for system in setting.systems
        for a, b in (("blue", "green"), ("blue", "red"), ("green", "red"))
    )
    return world(setting, *forces, contacts=contacts)


def meeting_world(setting: Scenario) -> World:
    """Return a world with a fleet of every faction in every system; red and blue will fight."""
    return replace(crowded_world(setting), contacts=())


def helpless_world(setting: Scenario) -> World:
    """Return a world with a fleet of red's in every system, and a prize of blue's that it captures."""
    forces = [
        fleet(f"{faction}/f{system.hex}", system.hex, "Cruiser", "Destroyer")
        for system in setting.systems
        for faction in ("blue", "red")
    ]
    base_world = world(setting, *forces)
    ships = tuple(replace(ship, laid_up=ship.faction == "blue") for ship in base_world.ships)
    return replace(base_world, ships=ships)


def with_markers(setting: Scenario) -> World:
    """Return the world with open markers: a dummy of red's in every system beside blue's fleets."""
    forces = [fleet(f"blue/f{system.hex}", system.hex, "Cruiser") for system in setting.systems]
    dummies = tuple(
        Fleet(f"red/d{system.hex}", "red", f"Dummy {system.hex}", system.hex)
        for system in setting.systems
    )
    return world(setting, *forces, dummies=dummies)


def orders_of(before: World) -> dict[str, Orders]:
    """Return orders by which green's fleets leave for the next hex and the others stay."""
    leaving = [fleet for fleet in before.fleets if fleet.faction == "green"]
    moves = [
        Move(fleet.key, to=f"{int(fleet.hex[:2]) + 1:02d}{fleet.hex[2:]}") for fleet in leaving
    ]
    return {"green": Orders(moves=tuple(moves))}


WORLDS = {
    "crowded": crowded_world,
    "meeting": meeting_world,
    "helpless": helpless_world,
    "marked": with_markers,
}


def work_of_a_week(kind: str, systems: int) -> dict[str, Work]:
    """Return the work of each stage of a week, and of every faction's view after it."""
    setting = replace(theatre(systems), open_play=kind == "marked")
    now = WORLDS[kind](setting)
    orders = orders_of(now)
    work: dict[str, Work] = {}
    for stage in ("orders", "decisions", "battles"):
        assert now.stage == stage
        results = results_of(now)
        work[stage] = work_of(partial(week.resolve, setting, now, orders, results, DICE))
        now = work[stage].answer.world
        orders = decisions_of(kind, setting) if stage == "orders" else {}
        before = {faction: build_view(setting, now, faction, None, ()) for faction in FACTIONS}
        work[f"views after {stage}"] = work_of(partial(views_of, setting, now, before))
    return work


def decisions_of(kind: str, setting: Scenario) -> dict[str, Orders]:
    """Return decisions by which red attacks blue; where all meet, blue relies on standing orders."""
    if kind not in ("helpless", "meeting"):
        return {}
    attacks = Orders(
        decide=tuple(Decision(system.hex, "blue", "fight") for system in setting.systems)
    )
    return {"red": attacks} if kind == "helpless" else {"red": attacks, "blue": Orders()}


def results_of(now: World) -> dict[str, BattleResult]:
    """Return a result for every battle of the week: red wins and takes blue's ships."""
    ships_at: dict[str, list[Ship]] = {}
    hex_of = {fleet.key: fleet.hex for fleet in now.fleets}
    for ship in now.ships:
        ships_at.setdefault(hex_of[ship.fleet], []).append(ship)
    results = {}
    for fight in now.engagements:
        fighting_factions = {faction for side in fight.sides for faction in side}
        ships = tuple(
            ShipAfter(ship.key, 0, (), ship.stock, STATUS_OF.get(ship.faction, "fighting"))
            for ship in ships_at[fight.hex]
            if ship.faction in fighting_factions
        )
        results[fight.key] = BattleResult(fight.key, ships, (), 5, "red")
    return results


def views_of(setting: Scenario, now: World, before: dict[str, View]) -> list[View]:
    return [build_view(setting, now, faction, view, ()) for faction, view in before.items()]


@pytest.mark.parametrize("kind", WORLDS)
def test_week_cost_grows_linearly_with_systems_and_fleets(kind: str) -> None:
    few, many = work_of_a_week(kind, SYSTEMS), work_of_a_week(kind, 2 * SYSTEMS)
    for stage in few:
        check_growth(f"{kind}, {stage}", few[stage], many[stage])


def test_quadratic_scan_reading_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Insert a quadratic loop that an earlier version had, and check that the test notices it."""

    def read_all(index: WorldIndex, scans: Iterable[Scan], *pair: str) -> Choice:
        return standing_choice(index, index_scans(scans), *pair)

    monkeypatch.setattr(contacts, "index_scans", tuple)
    monkeypatch.setattr(contacts, "standing_choice", read_all)
    with pytest.raises(pytest.fail.Exception, match=r"(?s)index_scans.*by .*read_all"):
        test_week_cost_grows_linearly_with_systems_and_fleets("meeting")

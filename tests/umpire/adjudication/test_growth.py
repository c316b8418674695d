"""A week with twice the fleets takes about twice the work: counted in steps, never timed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from campaign.rules.orders import Decide, Move, Orders
from campaign.rules.perceive import perceive
from campaign.rules.scenario import Scenario, StarSystem
from campaign.rules.view import View
from campaign.rules.world import Contact, Fleet, World
from engine.core.dice import KeyedDice
from tests.steps import MOST_GROWTH, count_steps
from tests.umpire.adjudication.field import fleet, scenario, world
from umpire.adjudication import week

FACTIONS = ("blue", "green", "red")
DICE = KeyedDice(b"growth", ["growth"])
SYSTEMS = 100
ROWS = 99


def theatre(systems: int) -> Scenario:
    """A map with so many systems of blue's, all settled, in every second column."""
    hexes = [f"{n // ROWS * 2 + 1:02d}{n % ROWS + 1:02d}" for n in range(systems)]
    places = tuple(StarSystem(f"s{hex_}", f"S {hex_}", hex_, "blue", True) for hex_ in hexes)
    return scenario(FACTIONS, columns=2 * (systems // ROWS) + 2, rows=ROWS, systems=places)


def crowded(setting: Scenario) -> World:
    """A fleet of every faction in every system, in contact since last week."""
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


def helpless(setting: Scenario) -> World:
    """A fleet of red's in every system, and a prize of blue's that lies there and falls to it."""
    forces = [
        fleet(f"{faction}/f{system.hex}", system.hex, "Cruiser", "Destroyer")
        for system in setting.systems
        for faction in ("blue", "red")
    ]
    made = world(setting, *forces)
    ships = tuple(replace(ship, laid_up=ship.faction == "blue") for ship in made.ships)
    return replace(made, ships=ships)


def marked(setting: Scenario) -> World:
    """Open markers: a dummy counter of red's in every system, and blue's fleets beside them."""
    forces = [fleet(f"blue/f{system.hex}", system.hex, "Cruiser") for system in setting.systems]
    dummies = tuple(Fleet(f"red/d{system.hex}", "red", f"Dummy {system.hex}", system.hex) for system in setting.systems)
    return world(setting, *forces, dummies=dummies)


def orders_of(before: World) -> dict[str, Orders]:
    """Green's fleets leave for the next hex, the others stay."""
    leaving = [one for one in before.fleets if one.faction == "green"]
    moves = [Move(one.key, to=f"{int(one.hex[:2]) + 1:02d}{one.hex[2:]}") for one in leaving]
    return {"green": Orders(moves=tuple(moves))}


WORLDS = {"crowded": crowded, "helpless": helpless, "marked": marked}


def steps_of_a_week(kind: str, systems: int) -> dict[str, int]:
    """The steps of each stage of a week, and of every faction's view after it."""
    setting = replace(theatre(systems), open_play=kind == "marked")
    now = WORLDS[kind](setting)
    orders = orders_of(now)
    attacks = Orders()
    if kind == "helpless":
        attacks = Orders(decide=tuple(Decide(one.hex, "blue", "fight") for one in setting.systems))
    found: dict[str, int] = {}
    for stage in ("orders", "decisions", "battles"):
        assert now.stage == stage
        found[stage], outcome = count_steps(partial(week.resolve, setting, now, orders, {}, DICE))
        now = outcome.world
        orders = {"red": attacks} if stage == "orders" else {}
        before = {faction: perceive(setting, now, faction, None, ()) for faction in FACTIONS}
        found[f"views after {stage}"], _ = count_steps(partial(views_of, setting, now, before))
    return found


def views_of(setting: Scenario, now: World, before: dict[str, View]) -> list[View]:
    return [perceive(setting, now, faction, view, ()) for faction, view in before.items()]


@pytest.mark.parametrize("kind", WORLDS)
def test_a_week_and_its_views_grow_with_the_fleets(kind: str) -> None:
    few, many = steps_of_a_week(kind, SYSTEMS), steps_of_a_week(kind, 2 * SYSTEMS)
    grown = {stage: round(many[stage] / few[stage], 2) for stage in few}
    assert all(times <= MOST_GROWTH for times in grown.values()), grown

"""Measure the CPU time of a week: six factions of 30 fleets, then 1,000, 3,000 and 10,000 fleets.

`python -m tools.bench.week [--repeat N]` prints a table, then one line of JSON. A week has three
stages (orders, decisions, battles); every fleet has four ships and a move, half of them into
systems. Hostile fleets stand off, so no battle is fought.
"""

from __future__ import annotations

import argparse
import json
import statistics
from random import Random
from time import process_time

from campaign.rules.orders import Move, Orders
from campaign.rules.scenario import Condition, Faction, Scenario, ShipClass, StarSystem
from campaign.rules.starmap import star_map
from campaign.rules.world import Fleet, Ship, World
from engine.core.dice import KeyedDice
from umpire.adjudication import week

SIZES = (180, 1000, 3000, 10000)  # numbers of fleets; the first is 6 x 30
FACTIONS = tuple(f"power-{letter}" for letter in "abcdef")
SHIPS = 4  # ships in a fleet
TARGETS_MS = {180: 20.0, 10000: 1500.0}
SYSTEMS = ("battery-1", "battery-2", "firecon-1", "drive", "ftl")
CATALOGUE = tuple(
    ShipClass(name, kind, 20, 6, True, 100, 10, SYSTEMS, SYSTEMS[:2], ("firecon-1",), (), "")
    for name, kind in (("Cruiser", "cruiser"), ("Destroyer", "escort"), ("Battleship", "capital"))
)


def make_scenario(fleets: int) -> Scenario:
    """Return a map with a system for about every ten fleets."""
    side = min(99, max(20, int((fleets * 2) ** 0.5)))
    chance = Random(fleets)
    labels = [
        f"{column:02d}{row:02d}" for column in range(1, side + 1) for row in range(1, side + 1)
    ]
    places = sorted(chance.sample(labels, max(9, fleets // 10)))
    systems = tuple(
        StarSystem(f"s{n:04d}", f"System {n}", hex_, chance.choice(FACTIONS), chance.random() < 0.5)
        for n, hex_ in enumerate(places)
    )
    return Scenario(
        slug="bench",
        version=1,
        name="Bench",
        edition="second-edition",
        options=(),
        weeks=99,
        hexes_per_week=6,
        columns=side,
        rows=side,
        table=(72, 48),
        factions=tuple(Faction(name, name) for name in FACTIONS),
        systems=systems,
        links=(),
        closed=(),
        entries=(),
        budgets=(),
        defaults=(),
        reinforcements=(),
        victory=(Condition("draw"),),
        catalogue=CATALOGUE,
    )


def make_world(scenario: Scenario, fleets: int) -> tuple[World, dict[str, Orders]]:
    """Return fleets all over the map with a legal move each, half of them to a system in reach."""
    chance = Random(fleets + 1)
    chart = star_map(scenario)
    systems = {system.hex for system in scenario.systems}
    fleet_list: list[Fleet] = []
    ships: list[Ship] = []
    moves: dict[str, list[Move]] = {name: [] for name in FACTIONS}
    for number in range(fleets):
        faction = FACTIONS[number % len(FACTIONS)]
        key = f"{faction}/f{number}"
        hex_ = f"{chance.randint(1, scenario.columns):02d}{chance.randint(1, scenario.rows):02d}"
        fleet_list.append(Fleet(key, faction, key, hex_))
        ships.extend(
            Ship(
                f"{faction}/s{number * SHIPS + n}",
                faction,
                "ship",
                chance.choice(CATALOGUE).name,
                key,
            )
            for n in range(SHIPS)
        )
        near = [label for label, far in chart.reach(hex_, scenario.hexes_per_week) if far]
        targets = [label for label in near if label in systems] if number % 2 else near
        moves[faction].append(Move(key, to=chance.choice(targets or near)))
    start_world = week.create_world(scenario)
    world = World(1, "orders", tuple(fleet_list), tuple(ships), start_world.holdings)
    return world, {name: Orders(moves=tuple(items)) for name, items in moves.items()}


def one_week(scenario: Scenario, world: World, orders: dict[str, Orders]) -> tuple[float, int]:
    """Return the CPU milliseconds of a week's three stages, and the pairs that met."""
    dice = KeyedDice(b"bench", ["bench"])
    started = process_time()
    met_world = week.resolve(scenario, world, orders, {}, dice).world
    ready = week.resolve(scenario, met_world, {name: Orders() for name in FACTIONS}, {}, dice).world
    week.resolve(scenario, ready, {}, {}, dice)
    return (process_time() - started) * 1000, len(met_world.pairs)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--repeat", type=int, default=5, help="weeks measured for each size (default 5)"
    )
    repeat = parser.parse_args().repeat
    figures = []
    print(f"{'fleets':>7} {'pairs':>6} {'CPU ms':>10} {'ms a 1,000 fleets':>18} {'target ms':>10}")
    for fleets in SIZES:
        scenario = make_scenario(fleets)
        world, orders = make_world(scenario, fleets)
        runs = [one_week(scenario, world, orders) for _ in range(repeat)]
        median = statistics.median(ms for ms, _ in runs)
        target = TARGETS_MS.get(fleets)
        figures.append(
            {
                "fleets": fleets,
                "pairs": runs[0][1],
                "median_ms": round(median, 2),
                "target_ms": target,
            }
        )
        target_text = "" if target is None else f"{target:.0f}"
        print(
            f"{fleets:>7} {runs[0][1]:>6} {median:>10.1f} {median * 1000 / fleets:>18.1f} {target_text:>10}"
        )
    print(json.dumps({"bench": "week", "repeat": repeat, "figures": figures}))


if __name__ == "__main__":
    main()

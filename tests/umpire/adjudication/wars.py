"""Random wars for property tests: any world, any orders, any end of every battle."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from campaign.orders.lay import Lay
from campaign.rules.codec import to_document
from campaign.rules.orders import Decision, Detachment, Dock, FleetSetting, Move, Orders, Tow
from campaign.rules.scenario import Choice, Condition, Scenario, ShipClass, Station
from campaign.rules.system_mines import sorted_mines
from campaign.rules.world import Cargo, Contact, Engagement, Fleet, Mine, Ship, World
from engine.core.canonical import digest
from engine.core.dice import Dice, KeyedDice
from tests.umpire.adjudication.small_sector import (
    CATALOGUE,
    COLONY,
    DEEP,
    MINELAYER,
    PORT,
    ROCK,
    scenario,
    ship_class,
)
from umpire.adjudication import week
from umpire.adjudication.outcome import BattleResult, ShipAfter, StageOutcome

FACTIONS = ("amber", "blue", "green", "red")
PLACES = (PORT, COLONY, ROCK, DEEP)
CHOICES: tuple[Choice, ...] = ("fight", "stand-off", "withdraw")
STATUSES = ("fighting", "fighting", "left", "ftl", "destroyed", "captured", "struck", "hulk")
DOCK = ship_class("Dock", "installation", 60, 300, ftl=False)
STATION = Station("high", DOCK.name, "red", "High", base=True, berths=(20,))


def _war() -> Scenario:
    """Return the scenario, in which the base of Port is a station."""
    plain = scenario(FACTIONS, {"red": "pact", "green": "pact"}, victory=(Condition("draw"),))
    systems = []
    for system in plain.systems:
        systems.append(replace(system, stations=(STATION,)) if system.hex == PORT else system)
    return replace(plain, catalogue=(*CATALOGUE, DOCK), systems=tuple(systems))


WAR = _war()


def any_world(chance: Random) -> World:
    """Return fleets of four factions in few places: damaged, docked, in FTL space, in contact."""
    fleets: list[Fleet] = []
    ships: list[Ship] = []
    for faction in FACTIONS:
        for number in range(1, chance.randint(1, 4)):
            key = f"{faction}/f{number}"
            away = chance.random() < 0.1
            fleets.append(
                Fleet(
                    key,
                    faction,
                    key,
                    chance.choice(PLACES),
                    in_ftl=away,
                    must_leave=away,
                    decoys=chance.randint(0, 2),
                    standing=chance.choice((None, *CHOICES)),
                )
            )
            for _ in range(chance.randint(1, 3)):
                ships.append(any_ship(chance, f"{faction}/s{len(ships)}", faction, fleets[-1]))
    if chance.random() < 0.8:
        fleets.append(Fleet(STATION.key, "red", "High", PORT))
        station = any_ship(chance, STATION.key, "red", fleets[-1], DOCK)
        ships.append(replace(station, docked=False, station=STATION.key))
    there = sorted({(fleet.hex, fleet.faction) for fleet in fleets if not fleet.in_ftl})
    contacts = tuple(
        Contact(hex_, a, b, chance.choice(("stand-off", "contested")), "")
        for hex_, a in there
        for other, b in there
        if hex_ == other
        and hex_ != DEEP
        and a < b
        and {a, b} != {"green", "red"}
        and chance.random() < 0.4
    )
    mines = [
        Mine(chance.choice(("port", "colony", "rock")), chance.choice(FACTIONS), n * 1000, 500)
        for n in range(chance.randint(0, 6))
    ]
    return replace(
        week.create_world(WAR),
        mines=sorted_mines(mines),
        week=3,
        stage="orders",
        fleets=tuple(fleets),
        ships=tuple(ships),
        contacts=contacts,
    )


def any_ship(
    chance: Random, key: str, faction: str, fleet: Fleet, cls: ShipClass | None = None
) -> Ship:
    cls = cls or chance.choice(CATALOGUE)
    lost_systems = tuple(name for name in cls.systems if chance.random() < 0.2)
    docked = (
        fleet.hex == PORT
        and faction in ("red", "green")
        and not fleet.in_ftl
        and chance.random() < 0.3
    )
    stock = tuple(
        (name, chance.randrange(full)) for name, full in cls.stock if chance.random() < 0.3
    )
    return Ship(
        key,
        faction,
        key,
        cls.name,
        fleet.key,
        damage=chance.randint(0, cls.damage_points - 1),
        lost=lost_systems,
        docked=docked,
        stock=stock,
        laid_up=chance.random() < 0.1,
        cargo=Cargo("colonists", 100, chance.randint(0, 100)) if cls.name == "Tanker" else None,
    )


def any_orders(chance: Random, world: World) -> dict[str, Orders]:
    """Return orders of the factions for the stage, legal or not; now and then a faction has none."""
    orders_of = {}
    for faction in FACTIONS:
        fleets = [fleet for fleet in world.fleets if fleet.faction == faction]
        ships = [ship for ship in world.ships if ship.faction == faction]
        decide = tuple(
            Decision(hex_, toward, chance.choice(CHOICES))
            for hex_ in PLACES
            for toward in FACTIONS
            if toward != faction and chance.random() < 0.6
        )
        moves = tuple(
            Move(fleet.key, to=chance.choice(PLACES)) for fleet in fleets if chance.random() < 0.5
        )
        dock = tuple(
            Dock(ship.key, ship.lost[:3], True, chance.random() < 0.5)
            for ship in ships
            if chance.random() < 0.4
        )
        detach = tuple(
            Detachment((ship.key,), f"{faction}/f9") for ship in ships[:1] if chance.random() < 0.3
        )
        tugs = [ship for ship in ships if ship.cls == "Tug"]
        tow = tuple(
            Tow(
                tug.key,
                tuple(s.key for s in ships if s.fleet == tug.fleet and s is not tug)[
                    : chance.randint(0, 2)
                ],
            )
            for tug in tugs
            if chance.random() < 0.7
        )
        settings = tuple(
            FleetSetting(fleet.key, decoys_on=1) for fleet in fleets if chance.random() < 0.3
        )
        if chance.random() < 0.9:
            if world.stage == "orders":
                orders_of[faction] = Orders(
                    settings=settings,
                    detach=detach,
                    dock=dock,
                    decide=decide,
                    moves=moves,
                    tow=tow,
                    sweep=tuple(ship.key for ship in ships if ship.cls == MINELAYER.name),
                    other_kinds=any_lays(chance, ships),
                )
            elif world.stage == "decisions":
                orders_of[faction] = Orders(decide=decide)
    return orders_of


def any_lays(chance: Random, ships: list[Ship]) -> tuple[Lay, ...]:
    """Return orders of ships to lay up to four mines, legal or not."""
    lays = []
    for ship in ships:
        if ship.cls == MINELAYER.name or chance.random() < 0.1:
            places = [(chance.randint(-20, 20), 3) for _ in range(chance.randint(0, 4))]
            lays.append(Lay(ship.key, tuple(places)))
    return tuple(lays)


def any_result(chance: Random, world: World, engagement: Engagement) -> BattleResult:
    """Return a random end of a battle: each ship fights on, is destroyed or has left."""
    fighting_factions = {name for side in engagement.sides for name in side}
    here = {fleet.key for fleet in world.fleets if fleet.hex == engagement.hex and not fleet.in_ftl}
    ships = tuple(
        ShipAfter(ship.key, ship.damage, ship.lost, ship.stock, chance.choice(STATUSES))
        for ship in world.ships
        if ship.faction in fighting_factions and ship.fleet in here and not ship.is_helpless
    )
    winner = chance.choice((None, *("+".join(side) for side in engagement.sides)))
    places = [(chance.choice(FACTIONS), 1500, n) for n in range(chance.randint(0, 3))]
    mines = chance.choice((None, tuple(sorted(places))))
    return BattleResult(engagement.key, ships, (), 4, winner, mines=mines)


def stage(
    chance: Random, world: World, dice: Dice
) -> tuple[dict[str, Orders], dict[str, BattleResult], StageOutcome]:
    """Resolve one stage with random orders and results."""
    orders = any_orders(chance, world)
    results = {item.key: any_result(chance, world, item) for item in world.engagements}
    return orders, results, week.resolve(WAR, world, orders, results, dice)


def shuffled(chance: Random, world: World) -> World:
    """Return the same world with every list in another order."""
    names = ("fleets", "ships", "holdings", "contacts", "scans", "pairs", "engagements", "losses")
    mixed: dict[str, Any] = {
        name: tuple(chance.sample(getattr(world, name), len(getattr(world, name))))
        for name in names
    }
    return replace(world, **mixed)


def shuffled_scenario(chance: Random) -> Scenario:
    """Return the same scenario with factions, systems and classes in another order."""
    return replace(
        WAR,
        factions=tuple(chance.sample(WAR.factions, len(WAR.factions))),
        systems=tuple(chance.sample(WAR.systems, len(WAR.systems))),
        catalogue=tuple(chance.sample(WAR.catalogue, len(WAR.catalogue))),
    )


def war_digest(seed: int) -> str:
    """Return the digest of all worlds and events of a war of three weeks."""
    chance = Random(seed)
    world = any_world(chance)
    documents: list[object] = []
    for number in range(9):
        _, _, outcome = stage(chance, world, KeyedDice(b"seed", [number]))
        world = outcome.world
        documents.append(to_document(world))
        documents.append(
            [
                [item.code, list(item.audience), item.hex, repr(item.facts)]
                for item in outcome.week_events
            ]
        )
    return digest(documents)

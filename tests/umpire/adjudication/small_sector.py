"""A small sector for tests of a week: few classes, few systems, and the factions a test needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.rules.designs import ship_class as campaign_class
from campaign.rules.orders import Decision, Move, Orders
from campaign.rules.scenario import (
    Condition,
    Facility,
    Faction,
    Scenario,
    ShipClass,
    StarSystem,
)
from campaign.rules.world import Contact, Fleet, Holding, Ship, World
from engine.core.dice import Dice, ScriptedDice
from engine.notation.designs import parse_design, sheet_of
from umpire.adjudication import week
from umpire.adjudication.outcome import BattleResult, ShipAfter, StageOutcome

PORT, COLONY, ROCK, DEEP = "0303", "0606", "0307", "0404"


def ship_class(
    name: str,
    classification: str,
    mass: int,
    points: int,
    *,
    ftl: bool = True,
    weasel: str = "",
    armed: bool = True,
    bays: int = 0,
    tug: bool = False,
) -> ShipClass:
    carried = tuple((f"fighter-bay-{n}", 6) for n in range(1, bays + 1))
    weapons = ("battery-1", "pack-1") if armed else ()
    systems = (
        *weapons,
        *(("weasel-1",) if weasel else ()),
        "firecon-1",
        "drive",
        *(("ftl",) if ftl else ()),
    )
    stock = (*carried, *((("pack-1", 1),) if armed else ()))
    systems = (*(bay for bay, _ in carried), *systems)
    return ShipClass(
        name,
        classification,
        mass,
        6,
        ftl,
        points,
        mass // 2,
        systems,
        weapons,
        ("firecon-1",),
        stock,
        weasel,
        tug=tug,
    )


MINELAYER = campaign_class(
    sheet_of(
        parse_design(
            {
                "class": "Minelayer",
                "edition": "second-edition",
                "kind": "warship",
                "mass": 20,
                "thrust": 6,
                "ftl": "standard",
                "systems": [
                    {"type": "battery", "battery": "C", "arcs": ["P", "F", "S"]},
                    {"type": "minelayer"},
                    {"type": "minesweeper"},
                ],
            }
        )
    )
)
CATALOGUE = (
    ship_class("Battleship", "capital", 48, 447),
    ship_class("Cruiser", "cruiser", 22, 190),
    ship_class("Destroyer", "escort", 14, 92),
    ship_class("Guard", "cruiser", 20, 100, ftl=False),
    ship_class("Tanker", "merchant", 30, 80, armed=False),
    ship_class("Weasel", "escort", 4, 60, weasel="capital"),
    ship_class("Carrier", "capital", 60, 500, bays=2),
    ship_class("Tug", "merchant", 50, 300, armed=False, tug=True),
    MINELAYER,
)
BASE = Facility("naval-base", repairs=True, replenishes=True)


def scenario(
    factions: Sequence[str] = ("red", "blue"),
    alliances: Mapping[str, str] | None = None,
    base: Facility | None = BASE,
    **changes: Any,
) -> Scenario:
    """Return a scenario with Port (red's, settled, with a base), Colony (blue's, settled) and Rock."""
    powers = tuple(
        Faction(name, name.title(), (alliances or {}).get(name)) for name in sorted(factions)
    )
    result = Scenario(
        slug="field",
        version=1,
        name="Field",
        edition="second-edition",
        options=(),
        weeks=9,
        hexes_per_week=6,
        columns=12,
        rows=12,
        table=(72, 48),
        factions=powers,
        systems=(
            StarSystem("colony", "Colony", COLONY, "blue", True),
            StarSystem("port", "Port", PORT, "red", True, base),
            StarSystem("rock", "Rock", ROCK, None, False),
        ),
        links=(),
        closed=(),
        entries=(),
        budgets=(),
        defaults=(),
        reinforcements=(),
        victory=(Condition("draw"),),
        catalogue=CATALOGUE,
    )
    return replace(result, **changes)


def fleet(key: str, hex_: str, *classes: str, **changes: Any) -> tuple[Fleet, list[Ship]]:
    """Return a fleet and its ships, with keys `<fleet>/1`, `<fleet>/2` and so on."""
    faction = key.partition("/")[0]
    ships = [
        Ship(f"{key}/{n}", faction, f"{cls} {n}", cls, key)
        for n, cls in enumerate(classes, start=1)
    ]
    return Fleet(key, faction, key, hex_, **changes), ships


def world(
    setting: Scenario,
    *forces: tuple[Fleet, list[Ship]],
    stage: Any = "orders",
    at_week: int = 3,
    ships: Mapping[str, Mapping[str, Any]] | None = None,
    holdings: Iterable[Holding] = (),
    **changes: Any,
) -> World:
    """Return a world with these fleets.

    Args:
        ships: Changes of single ships, by key.
        holdings: Changes of single holdings.
    """
    all_ships = [
        replace(ship, **(ships or {}).get(ship.key, {}))
        for _, all_ships in forces
        for ship in all_ships
    ]
    holding_of = {system.id: Holding(system.id, system.owner, 0) for system in setting.systems}
    holding_of.update({holding.system: holding for holding in holdings})
    result = World(
        at_week,
        stage,
        tuple(fleet for fleet, _ in forces),
        tuple(all_ships),
        tuple(holding_of[key] for key in sorted(holding_of)),
    )
    return replace(result, **changes)


def stand_off(hex_: str, a: str, b: str, inner: str = "") -> Contact:
    first, second = sorted((a, b))
    return Contact(hex_, first, second, "stand-off", inner)


def decide(**choices: Any) -> dict[str, Orders]:
    """Return orders by faction: `decide(red=(PORT, "blue", "fight"))`, or a list of such tuples."""
    orders = {}
    for faction, choice in choices.items():
        items = choice if isinstance(choice, list) else [choice]
        orders[faction] = Orders(decide=tuple(Decision(*item) for item in items))
    return orders


def move(**moves: Mapping[str, str]) -> dict[str, Orders]:
    """Return orders by faction: `move(red={"red/f1": PORT})`."""
    return {
        faction: Orders(moves=tuple(Move(key, to=to) for key, to in targets.items()))
        for faction, targets in moves.items()
    }


def resolve(
    setting: Scenario,
    before: World,
    orders: Mapping[str, Orders] | None = None,
    dice: Dice | Mapping[str, Sequence[int]] | None = None,
    results: Iterable[BattleResult] = (),
) -> StageOutcome:
    """Resolve one stage with scripted dice by purpose; without dice unless given."""
    dice_to_use = dice if isinstance(dice, Dice) else ScriptedDice(dice or {})
    return week.resolve(
        setting,
        before,
        orders or {},
        {result.engagement: result for result in results},
        dice_to_use,
    )


def choose(
    setting: Scenario,
    before: World,
    orders: Mapping[str, Orders],
    dice: Mapping[str, Sequence[int]] | None = None,
) -> StageOutcome:
    """Resolve an orders stage without moves, then the decisions."""
    contact_world = resolve(setting, before).world
    return resolve(setting, contact_world, orders, dice)


def battle(before: World, winner: str | None = None, **statuses: str) -> BattleResult:
    """Return a result of the only battle: every ship of a faction ends with its status, else
    fighting.

    A single ship is named by its key with `/` as `_`.

    Args:
        winner: The side left alone on the field.
    """
    (engagement,) = before.engagements
    fighting_factions = {name for side in engagement.sides for name in side}
    here = {
        fleet.key for fleet in before.fleets if fleet.hex == engagement.hex and not fleet.in_ftl
    }
    ended = []
    for ship in before.ships:
        if ship.faction in fighting_factions and ship.fleet in here and not ship.is_helpless:
            status = statuses.get(
                ship.key.replace("/", "_"), statuses.get(ship.faction, "fighting")
            )
            ended.append(ShipAfter(ship.key, ship.damage, ship.lost, ship.stock, status))
    return BattleResult(engagement.key, tuple(ended), (), 5, winner)


def week_through(
    setting: Scenario,
    before: World,
    *,
    orders: Mapping[str, Orders] | None = None,
    decisions: Mapping[str, Orders] | None = None,
    dice: Mapping[str, Sequence[int]] | None = None,
    winner: str | None = None,
    **statuses: str,
) -> StageOutcome:
    """Resolve a whole week with at most one battle, which ends with the given statuses."""
    scripted = ScriptedDice(dice or {})
    contact_world = resolve(setting, before, orders, scripted).world
    ready = resolve(setting, contact_world, decisions, scripted).world
    results = [battle(ready, winner, **statuses)] if ready.engagements else []
    return resolve(setting, ready, {}, scripted, results)


def holding(world: World, system: str) -> Holding:
    return next(item for item in world.holdings if item.system == system)


def fleet_of(world: World, key: str) -> Fleet:
    return next(item for item in world.fleets if item.key == key)


def ship_of(world: World, key: str) -> Ship:
    return next(item for item in world.ships if item.key == key)


def codes(outcome: StageOutcome, faction: str) -> list[str]:
    """Return the codes of a faction's notices."""
    return [event.code for event in outcome.week_events if faction in event.audience]

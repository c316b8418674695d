"""Two worlds that red cannot tell apart: one battle twice, differing only in what red may not see.

Blue's ships have the same contact codes in both worlds and obey the same random orders; the dice
are the same for the same contact code. `differences` fights both and names the first thing that red
sees differently, until the moment when red may rightly learn the difference.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from engine import stops
from engine.battle import Battle, ResolvedStop, resolve_stop, start
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.kinds import FIGHTING
from engine.core.orders import Fire, FireOrders, Flight, Plot
from engine.core.state import OVER, BattleState
from engine.notation.orders import parse_plot
from engine.order_requests.base import TurnOrders
from engine.order_requests.engage import FireAndPursuit
from engine.order_requests.flights import parse_flight
from engine.pieces.group import Group
from engine.sequences import asks_at
from tests.engine.battle.table import classes
from tests.engine.field.ships import ARCS, fitted_cruiser

RED, BLUE = 0, 1
TURNS = 7
REVEALS = ("contact-identified", "dummy-identified")
# Lines that end the comparison if they concern the difference: red may know it then.
BY_RIGHT = (*REVEALS, "uncovered", "launched", "mine-detonated", "mine-swept", "destroyed")
PLOTS = ("", "", "+1", "-1", "S1", "P1", "+2", "S1+1")
GUN_C = {"type": "battery", "battery": "C", "arcs": ARCS}
PACKET: dict[str, Any] = {
    "class": "Packet", "edition": "second-edition", "kind": "merchant", "mass": 40, "thrust": 2, "ftl": "standard",
    "systems": [GUN_C, {"type": "screen"}],
}  # fmt: skip
RAIDER = PACKET | {
    "class": "Raider", "kind": "q-ship", "thrust": 4,
    "systems": [GUN_C, {"type": "screen", "count": 2}, {"type": "battery", "battery": "A", "arcs": ARCS, "count": 3}],
}  # fmt: skip

Tweak = Callable[[BattleState], None]


@dataclass
class World:
    """A battle file, additions on the table, and blue's orders beyond the common ones.

    Attributes:
        plots: Plots by turn and contact.
        quiet: Red has no minelayer.
    """

    blue: list[dict[str, Any]]
    tweak: Tweak = lambda state: None
    plots: dict[tuple[int, str], str] = field(default_factory=dict)
    quiet: bool = False


@dataclass
class Pair:
    """Two worlds, the contacts (or `mine`) that differ, and the log lines that reveal it to red."""

    first: World
    second: World
    secret: tuple[str, ...]
    expected_reveals: tuple[str, ...] = BY_RIGHT


class ContactDice(Dice):
    """Dice that depend on the contact code, not on the id or place in a roster."""

    def __init__(self, seed: str, state: BattleState) -> None:
        self.seed, self.place, self.used = seed, "", {}
        self.contact_codes: dict[str, str] = {ship.id: ship.contact for ship in state.ships}
        self.counts: dict[tuple[str, str, str], int] = {}

    def at(self, place: str) -> Dice:
        self.place = place
        return self

    def roll(self, purpose: str, subject: str, sides: int = 6) -> int:
        subject = re.sub(
            r"[^/<>:]+", lambda match: self.contact_codes.get(match[0], match[0]), subject
        )
        key = (self.place, purpose, subject)
        self.counts[key] = self.counts.get(key, 0) + 1
        text = json.dumps([self.seed, *key, self.counts[key]])
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % sides + 1


class Chance:
    """Random choices from a seed."""

    def __init__(self, seed: str) -> None:
        self.dice = Dice(seed)

    def number(self, sides: int) -> int:
        return self.dice.roll("choice", "", sides) - 1

    def of(self, options: Any) -> Any:
        return options[self.number(len(options))]


def red_fleet() -> list[dict[str, Any]]:
    return [
        {
            "id": "r1",
            "class": "Battleship",
            "at": [70, 30],
            "course": 12,
            "velocity": 6,
            "contact": "R1",
        },
        {
            "id": "r2",
            "class": "Frigate",
            "at": [80, 30],
            "course": 12,
            "velocity": 8,
            "contact": "R2",
        },
        fitted_cruiser("r3", 60, 30, "minelayer", "minesweeper", course=12, velocity=8)
        | {"contact": "R3"},
        {
            "id": "r4",
            "class": "Weasel Scout",
            "at": [90, 28],
            "course": 12,
            "velocity": 8,
            "contact": "R4",
        },
    ]


def blue_fleet(chance: Chance, away: float) -> list[dict[str, Any]]:
    """Return blue's open part, `away` MU from red: a destroyer, a carrier, a frigate and a
    minelayer.
    """
    y = 30 + away
    return [
        {
            "id": "d",
            "class": "Destroyer",
            "at": [72, y],
            "course": 6,
            "velocity": 6,
            "contact": "D1",
        },
        {
            "id": "c",
            "class": "Light Carrier",
            "at": [95, y + 4],
            "course": 6,
            "velocity": 4,
            "contact": "C1",
        },
        {
            "id": "f",
            "class": "Frigate",
            "at": [60 + chance.number(6), y],
            "course": 6,
            "velocity": 6,
            "contact": "F1",
        },
        fitted_cruiser("l", 84, y, "minelayer", course=6, velocity=8) | {"contact": "L1"},
    ]


def battle_of(world: World, *, gold: bool) -> Battle:
    """Return the world's battle at its first phase.

    Args:
        gold: Add a third side with one neutral ship and a drone.
    """
    sides = [
        {"name": "red", "ships": red_fleet()[: 2 if world.quiet else 4]},
        {"name": "blue", "ships": world.blue},
    ]
    document: dict[str, Any] = {
        "edition": "second-edition",
        "table": [160, 160],
        "sides": sides,
        "bogeys": True,
    }
    if gold:
        third = [
            {
                "id": "g",
                "class": "Courier",
                "at": [150, 80],
                "course": 12,
                "velocity": 2,
                "contact": "G1",
            }
        ]
        sides.append({"name": "gold", "ships": third})
        document["hostile"] = [["red", "blue"]]
    battle = start(document, classes())
    world.tweak(battle.state)
    return battle


def blue_orders(battle: Battle, world: World, seed: str, secret: tuple[str, ...]) -> TurnOrders:
    """Return blue's orders, chosen by contact codes alone; ships that differ hold their fire."""
    state = battle.state
    ships = sorted((s for s in state.ships if s.owner == BLUE), key=lambda ship: ship.contact)
    reds = [ship.id for ship in state.ships if ship.owner == RED]
    plots: dict[str, Plot] = {}
    flights: dict[str, Flight] = {}
    fire: FireOrders = []
    for ship in ships:
        chance = Chance(f"{seed}/{state.turn}/{state.stop}/{ship.contact}")
        words = chance.of(PLOTS)
        if ship.contact == "L1" and chance.number(2):
            words = f"{words}; mine"
        if ship.contact == "C1" and chance.number(3) == 0:
            words = f"{words}; launch fighter-bay-1"
        target = chance.of(reds)
        if ship.status != FIGHTING:
            continue
        plot, _ = parse_plot(world.plots.get((state.turn, ship.contact), words), "")
        assert plot is not None
        plots[ship.id] = plot
        if ship.contact not in secret and not ship.bogey:
            guns = [fit.id for fit in ship.sheet.fits if fit.type == "battery"]
            fire.append((ship.id, tuple(Fire(gun, (target, *reds)) for gun in guns)))
    for group in sorted(
        (g for g in state.pieces_of(Group) if g.side == BLUE), key=lambda group: group.contact
    ):
        chance = Chance(f"{seed}/{state.turn}/{state.stop}/{group.contact}")
        x, y = group.x + chance.number(9) - 4, group.y - chance.number(8)
        flights[group.id] = parse_flight(f"to {x:g} {y:g}", "")[0] or Flight()
    return TurnOrders({"plot": plots, "engage": FireAndPursuit({BLUE: fire}), "fighters": flights})


def reads(battle: Battle) -> list[str]:
    """Return everything red sees in a phase: view, who is waited for, its captain's advice, faults."""
    view = stops.side_view(battle, RED)
    names = [contact["id"] for contact in view["contacts"]] + [
        flyer["id"] for flyer in view["flyers"]
    ]
    records: list[Any] = [
        view,
        stops.awaited_sides(battle),
        stops.advise(battle, RED, Doctrine(), "seed"),
    ]
    probes: list[dict[str, Any]] = []
    for name in [*names, "zz"]:
        probes += [{"plot": {"r2": f"{word} {name}"}} for word in ("scan", "ram", "dock")]
        probes += [
            {"engage": {"r2": [{"weapon": "battery-1", "target": name, "system": "battery-4"}]}}
        ]
        probes += [{"plot": {name: "+1"}}, {"fighters": {name: "to 1 1"}}]
    records += [
        [fault.to_json() for fault in stops.read_orders(battle, RED, probe)[1]] for probe in probes
    ]
    return [json.dumps(item) for item in records]


def played(
    battle: Battle, world: World, seed: str, secret: tuple[str, ...]
) -> Iterator[tuple[Battle, ResolvedStop]]:
    """Play the battle phase by phase: red by its captain's advice, blue at random."""
    dice = ContactDice(seed, battle.state)
    while battle.state.stop != OVER and battle.turn <= TURNS:
        orders = blue_orders(battle, world, seed, secret)
        advice = stops.advise(battle, RED, Doctrine(), seed)
        mine, faults = stops.read_orders(battle, RED, advice)
        assert mine is not None, faults
        asked = asks_at(battle.state)
        orders = TurnOrders({ask.key: ask.merge(mine.of(ask), orders.of(ask)) for ask in asked})
        before = battle
        battle, stop = resolve_stop(battle, orders, dice)
        yield before, stop


def log_of(stop: ResolvedStop) -> list[dict[str, Any]]:
    log: list[dict[str, Any]] = stop.view(RED)["log"]
    return log


def by_right(line: dict[str, Any], pair: Pair) -> bool:
    """Return whether a line of red's log rightly reveals the difference."""
    if line["event"] not in pair.expected_reveals:
        return False
    return (
        ("mine" in pair.secret)
        if line["event"].startswith("mine-")
        else line["ship"] in pair.secret
    )


def until(log: list[dict[str, Any]], pair: Pair) -> tuple[list[dict[str, Any]], bool]:
    """Return the log up to that line, and whether there is one; all scans happen at one moment.

    A Q ship reveals itself by a move or shot of its own, which is in the log before and after that
    line.
    """
    for number, line in enumerate(log):
        if by_right(line, pair):
            if line["event"] == "uncovered":
                return [], True
            first = next((n for n, other in enumerate(log) if other["event"] in REVEALS), number)
            return log[: first if line["event"] in REVEALS else number], True
    return log, False


def differences(pair: Pair, seed: str, *, gold: bool = False) -> str:
    """Return what red could tell the worlds apart by, and where, or nothing."""
    battles = [battle_of(world, gold=gold) for world in (pair.first, pair.second)]
    first = [until(_opening(battle), pair) for battle in battles]
    if first[0][1] or first[1][1]:
        return ""
    runs = [
        played(battle, world, seed, pair.secret)
        for battle, world in zip(battles, (pair.first, pair.second), strict=True)
    ]
    for (first_battle, first_stop), (other, stop_other) in zip(*runs, strict=False):
        where = f"turn {first_battle.turn}, {first_battle.state.stop}"
        for a, b in zip(reads(first_battle), reads(other), strict=False):
            if a != b:
                return f"{where}: {_unlike(a, b)}"
        (first_log, first_reveals), (log_other, second_reveals) = (
            until(log_of(s), pair) for s in (first_stop, stop_other)
        )
        if first_reveals or second_reveals:
            first_log, log_other = (
                log[: min(len(first_log), len(log_other))] for log in (first_log, log_other)
            )
        a, b = json.dumps(first_log), json.dumps(log_other)
        if a != b:
            return f"{where}, log: {_unlike(a, b)}"
        if first_reveals or second_reveals:
            return ""
    return ""


def untold(pair: Pair, seed: str) -> list[tuple[ResolvedStop, ResolvedStop]]:
    """Return the phases of both worlds before the one that rightly reveals the difference."""
    battles = [battle_of(world, gold=False) for world in (pair.first, pair.second)]
    if any(until(_opening(battle), pair)[1] for battle in battles):
        return []
    runs = [
        played(battle, world, seed, pair.secret)
        for battle, world in zip(battles, (pair.first, pair.second), strict=True)
    ]
    pairs: list[tuple[ResolvedStop, ResolvedStop]] = []
    for (_, first), (_, second) in zip(*runs, strict=False):
        if until(log_of(first), pair)[1] or until(log_of(second), pair)[1]:
            break
        pairs.append((first, second))
    return pairs


def _opening(battle: Battle) -> list[dict[str, Any]]:
    contacts = {ship.id: ship.contact for ship in battle.state.ships}
    return [
        line | ({"ship": contacts[line["ship"]]} if "ship" in line else {})
        for line in battle.events_json
    ]


def _unlike(a: str, b: str) -> str:
    at = next(
        (n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    return f"...{a[max(at - 60, 0) : at + 60]}... against ...{b[max(at - 60, 0) : at + 60]}..."

"""A week in the shipyards: ships are built and modified as far as room and points go; a faction's
income of points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from campaign.events.bases import Launched, Modified, WorkDropped
from campaign.events.event import WeekEvent
from campaign.rules.fleet_names import names_taken, unique_name
from campaign.rules.forces import last_number, loaded
from campaign.rules.queries import class_name
from campaign.rules.world import Fleet, Ship, Work, World
from campaign.rules.yards import price, taken_in, yards_at
from engine.core.phrase import phrase
from umpire.adjudication.muster import Book
from umpire.adjudication.repairs import base_works

LETTERS = 40  # of a fleet's name


def income(book: Book, funds: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """What each faction has to build with once a new week's construction is added.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    have = dict(funds)
    paid = [power for power in book.scenario.factions if power.construction or have.get(power.id)]
    return tuple((power.id, have.get(power.id, 0) + power.construction) for power in paid)


def at_the_yards(book: Book, world: World) -> tuple[World, list[WeekEvent]]:
    """The world after the week's building, and what the owners hear: what is built is nobody else's
    to know.

    Each faction's work is done in its order. Where the first for a place finds no room, no points,
    or its ship not at dock there, it waits, and what stands behind it too.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    if not world.works:
        return world, []
    week = _Week(book, world)
    for work in world.works:
        week.do(work)
    return week.after(), week.heard


class _Week:
    """The yards' week: what has been built so far, and what is left of room and points."""

    def __init__(self, book: Book, world: World) -> None:
        self.book, self.world = book, world
        self.fleets = {fleet.key: fleet for fleet in world.fleets}
        self.ships = {ship.key: ship for ship in world.ships}
        self.holdings = {holding.system: holding for holding in world.holdings}
        self.funds = dict(world.funds)
        self.room: dict[tuple[str, str], tuple[int, ...]] = {}
        self.stopped: set[tuple[str, str]] = set()
        self.launched: dict[tuple[str, str], str] = {}
        self.waiting: list[Work] = []
        self.heard: list[WeekEvent] = []

    def do(self, work: Work) -> None:
        there = work.faction, work.hex
        ship = self.ships.get(work.ship)
        if work.ship and (ship is None or ship.faction != work.faction):
            self.heard.append(WorkDropped((work.faction,), work.hex, work.name, self._called(work)))
        elif there in self.stopped or not self._done(work, ship):
            self.stopped.add(there)
            self.waiting.append(work)

    def _done(self, work: Work, ship: Ship | None) -> bool:
        """Whether a piece of work was done this week."""
        there, cls = (work.faction, work.hex), self.book.classes[work.cls]
        before = None
        if ship is not None:
            if (
                not ship.docked
                or self.fleets[ship.fleet].hex != work.hex
                or ship.damage
                or ship.lost
                or ship.laid_up
            ):
                return False
            before = self.book.classes[ship.cls]
        if there not in self.room:
            self.room[there] = self._room(*there)
        left, cost = taken_in(self.room[there], cls.mass), price(cls, before)
        if left is None or cost > self.funds.get(work.faction, 0):
            return False
        self.room[there] = left
        self.funds[work.faction] -= cost
        if ship is None:
            self._launch(work)
        else:
            self.ships[ship.key] = replace(ship, cls=work.cls, stock=(), settings=(), notes=())
        owner, called = (work.faction,), self._called(work)
        if ship is None:
            self.heard.append(Launched(owner, work.hex, work.name, called, cost))
        else:
            self.heard.append(Modified(owner, work.hex, ship.name, called, cost))
        return True

    def _room(self, faction: str, label: str) -> tuple[int, ...]:
        system = self.book.system_at.get(label)
        holding = None if system is None else self.holdings[system.id]
        if holding is not None and holding.state == "contested":
            return ()
        holds = (
            system is not None
            and holding is not None
            and holding.holder == faction
            and base_works(self.book, system, holding, self.world.week)
        )
        here = {
            key for key, fleet in self.fleets.items() if fleet.hex == label and not fleet.in_ftl
        }
        own = [ship for ship in self.world.ships if ship.fleet in here and ship.faction == faction]
        return yards_at(self.book.classes, system, holds, own)

    def _launch(self, work: Work) -> None:
        """A new ship, in one new fleet with all that the place launches this week."""
        faction = work.faction
        gone = [loss.ship.key for loss in self.world.losses]
        number = (
            last_number(key for key in (*self.ships, *gone) if key.startswith(f"{faction}/s")) + 1
        )
        fleet = self.launched.get((faction, work.hex))
        if fleet is None:
            last = last_number(key for key in self.fleets if key.startswith(f"{faction}/f"))
            fleet = self.launched[faction, work.hex] = f"{faction}/f{last + 1}"
            system = self.book.system_at.get(work.hex)
            place = work.hex if system is None else system.name
            wanted = phrase("{} yard {}", place, self.world.week)[-LETTERS:].strip()
            name = unique_name(wanted, names_taken(self.fleets.values(), faction))
            self.fleets[fleet] = Fleet(key=fleet, faction=faction, name=name, hex=work.hex)
        key = f"{faction}/s{number}"
        cargo = loaded(self.book.scenario, faction, work.cls)
        self.ships[key] = Ship(key, faction, work.name, work.cls, fleet, cargo=cargo)

    def _called(self, work: Work) -> str:
        """The name of the class that the yard builds."""
        return class_name(self.book.scenario, work.faction, work.cls)

    def after(self) -> World:
        return replace(
            self.world,
            fleets=tuple(self.fleets[key] for key in sorted(self.fleets)),
            ships=tuple(self.ships[key] for key in sorted(self.ships)),
            works=tuple(self.waiting),
            funds=tuple((faction, self.funds[faction]) for faction, _ in self.world.funds),
        )

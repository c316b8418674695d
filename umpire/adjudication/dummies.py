"""Open markers through a week: numbers drawn by lot, dummy counters that move, and those that are
found out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from campaign.events.contacts import DummyFound, DummyLost
from campaign.events.event import WeekEvent
from campaign.orders.dummies import DUMMIES
from campaign.orders.preparation import lawful_orders
from campaign.rules.markers import dummies_allowed, fleets_at_start
from campaign.rules.movement import Dropped, move_fleets
from campaign.rules.orders import Move, Orders
from campaign.rules.perceive import initial_view
from campaign.rules.queries import may_not_enter
from campaign.rules.world import Fleet, Mark, World
from engine.core.dice import Dice
from umpire.adjudication.muster import Book, Muster
from umpire.adjudication.outcome import StageOutcome

LOT = "marker"  # the die by which markers get their numbers


def set_up(book: Book, world: World, orders: Mapping[str, Orders]) -> tuple[World, list[Dropped]]:
    """The world of the deployment with the dummy counters put down, the rest in reserve, and what
    was dropped.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    if not book.scenario.open_play:
        return world, []
    lawful: dict[str, Orders] = {}
    dropped: list[Dropped] = []
    reserve = []
    for faction in book.factions:
        sheet = orders.get(faction, Orders())
        lawful[faction], faults = lawful_orders(
            book.scenario, initial_view(book.scenario, faction), sheet
        )
        dropped += [item for item in faults if item.order.startswith(DUMMIES.key)]
        fleets = fleets_at_start(book.scenario, faction, sheet)
        reserve.append((faction, dummies_allowed(book.scenario, fleets)))
    world = replace(world, reserve=tuple(reserve))
    return DUMMIES.carry_out_in_world(book.scenario, world, lawful), dropped


def moved(book: Book, world: World, moves: Mapping[str, Move]) -> tuple[World, tuple[Dropped, ...]]:
    """The world with its dummy counters moved, as fleets are, and the moves that were dropped."""
    if not (world.dummies or moves):
        return world, ()
    done = move_fleets(book.scenario, replace(world, fleets=world.dummies, ships=()), moves)
    return replace(world, dummies=done.fleets), done.dropped


def found_out(book: Book, muster: Muster, world: World) -> tuple[World, list[WeekEvent]]:
    """The world without the dummy counters that met somebody, and what is told of it.

    In a system one is taken off by a hostile fleet, by a hostile settlement, and by a hostile
    dummy, which goes as well: who meets a marker learns whether there is anything behind it. Its
    owner is told, and those it met.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    if not world.dummies:
        return world, []
    standing = [
        item for item in world.dummies if may_not_enter(book.scenario, item, world.week) is None
    ]
    marks = {mark.key: mark.code for mark in world.marks}
    dummies_at: dict[str, set[str]] = {}
    for item in standing:
        dummies_at.setdefault(item.hex, set()).add(item.faction)
    gone: set[str] = set()
    heard: list[WeekEvent] = []
    for item in standing:
        met = _met(book, muster, item, dummies_at[item.hex])
        if not met:
            continue
        gone.add(item.key)
        heard.append(DummyLost((item.faction,), item.hex, item.name))
        heard.append(DummyFound(met, item.hex, item.faction, marks[item.key]))
    return replace(
        world, dummies=tuple(item for item in world.dummies if item.key not in gone)
    ), heard


def _met(book: Book, muster: Muster, item: Fleet, dummies: Collection[str]) -> tuple[str, ...]:
    """Return the hostile factions that a dummy meets, sorted; between the stars there are none.

    Args:
        dummies: The factions with dummies in this hex.
    """
    system = book.system_at.get(item.hex)
    if system is None:
        return ()
    there = {*muster.present(item.hex), *dummies}
    if system.settled and system.owner is not None:
        there.add(system.owner)
    return tuple(sorted(faction for faction in there if book.hostile(faction, item.faction)))


def numbered(book: Book, world: World, dice: Dice) -> World:
    """The world with a number for every fleet and dummy that has none yet, drawn by lot within its
    faction.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    if not book.scenario.open_play:
        return world
    marks = list(world.marks)
    known = {mark.key for mark in marks}
    for faction in book.factions:
        given = [mark.code for mark in marks if mark.key.partition("/")[0] == faction]
        keys = sorted(
            item.key for item in (*world.fleets, *world.dummies) if item.faction == faction
        )
        new = [key for key in keys if key not in known]
        first = max(given, default=0) + 1
        marks += [
            Mark(key, code) for code, key in enumerate(_by_lot(new, faction, dice), start=first)
        ]
    return replace(world, marks=tuple(sorted(marks, key=lambda mark: mark.key)))


def _by_lot(keys: Sequence[str], faction: str, dice: Dice) -> list[str]:
    left, drawn = list(keys), []
    while left:
        drawn.append(left.pop(dice.roll(LOT, faction, len(left)) - 1 if len(left) > 1 else 0))
    return drawn


def standing_before(world: World) -> dict[str, str]:
    """The hexes in which fleets and dummies stand, by key."""
    return {item.key: item.hex for item in (*world.fleets, *world.dummies)}


def remembered(world: World, before: Mapping[str, str]) -> World:
    """The world with every marker's hex before this week's move."""
    if not world.marks:
        return world
    return replace(
        world, marks=tuple(replace(mark, was=before.get(mark.key, "")) for mark in world.marks)
    )


def outcome_numbered(book: Book, outcome: StageOutcome, dice: Dice) -> StageOutcome:
    """The outcome with numbers for the fleets that the stage has formed."""
    if not book.scenario.open_play:
        return outcome
    return replace(outcome, world=numbered(book, outcome.world, dice))

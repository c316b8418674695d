"""Open-play markers during a week: numbers drawn by lot, and dummies that move or are revealed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from campaign.events.contacts import DummyFound, DummyLost
from campaign.events.event import WeekEvent
from campaign.orders.dummies import DUMMIES
from campaign.orders.preparation import valid_orders
from campaign.rules.markers import dummies_allowed, fleets_at_start
from campaign.rules.movement import DroppedOrder, move_fleets
from campaign.rules.orders import Move, Orders
from campaign.rules.perception import initial_view
from campaign.rules.queries import pending_entry_week
from campaign.rules.world import Fleet, Mark, World
from engine.core.dice import Dice
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex
from umpire.adjudication.outcome import StageOutcome

MARKER_DIE = "marker"  # key of the dice that draw marker numbers


def set_up_dummies(
    index: ScenarioIndex, world: World, orders: Mapping[str, Orders]
) -> tuple[World, list[DroppedOrder]]:
    """Place the dummy counters of the deployment and put the rest in reserve.

    Returns:
        The world, and the orders that were dropped.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    if not index.scenario.open_play:
        return world, []
    valid: dict[str, Orders] = {}
    dropped: list[DroppedOrder] = []
    reserve = []
    for faction in index.factions:
        sheet = orders.get(faction, Orders())
        valid[faction], faults = valid_orders(
            index.scenario, initial_view(index.scenario, faction), sheet
        )
        dropped += [item for item in faults if item.order.startswith(DUMMIES.key)]
        fleets = fleets_at_start(index.scenario, faction, sheet)
        reserve.append((faction, dummies_allowed(index.scenario, fleets)))
    world = replace(world, reserve=tuple(reserve))
    return DUMMIES.carry_out_in_world(index.scenario, world, valid), dropped


def move_dummies(
    index: ScenarioIndex, world: World, moves: Mapping[str, Move]
) -> tuple[World, tuple[DroppedOrder, ...]]:
    """Move the dummy counters like fleets, and return the world and the moves that were dropped."""
    if not (world.dummies or moves):
        return world, ()
    movement = move_fleets(index.scenario, replace(world, fleets=world.dummies, ships=()), moves)
    return replace(world, dummies=movement.fleets), movement.dropped


def reveal_dummies(
    index: ScenarioIndex, world_index: WorldIndex, world: World
) -> tuple[World, list[WeekEvent]]:
    """Remove the dummy counters that met an enemy, and return the world and the notices.

    In a system, a hostile fleet, settlement or dummy removes a dummy; a hostile dummy is removed as
    well. A faction that meets a marker learns whether ships are behind it. The dummy's owner and
    the factions that met it are notified.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    if not world.dummies:
        return world, []
    standing = []
    for item in world.dummies:
        if pending_entry_week(index.scenario, item, world.week) is None:
            standing.append(item)
    code_of = {mark.key: mark.code for mark in world.marks}
    dummies_at: dict[str, set[str]] = {}
    for item in standing:
        dummies_at.setdefault(item.hex, set()).add(item.faction)
    revealed: set[str] = set()
    events: list[WeekEvent] = []
    for item in standing:
        finders = _finders(index, world_index, item, dummies_at[item.hex])
        if not finders:
            continue
        revealed.add(item.key)
        events.append(DummyLost((item.faction,), item.hex, item.name))
        events.append(DummyFound(finders, item.hex, item.faction, code_of[item.key]))
    remaining = [item for item in world.dummies if item.key not in revealed]
    return replace(world, dummies=tuple(remaining)), events


def _finders(
    index: ScenarioIndex, world_index: WorldIndex, item: Fleet, dummies: Collection[str]
) -> tuple[str, ...]:
    """Return the hostile factions that a dummy meets, sorted; between the stars there are none.

    Args:
        dummies: The factions with dummies in this hex.
    """
    system = index.system_at.get(item.hex)
    if system is None:
        return ()
    factions = {*world_index.present(item.hex), *dummies}
    if system.settled and system.owner is not None:
        factions.add(system.owner)
    hostile = [faction for faction in factions if index.are_hostile(faction, item.faction)]
    return tuple(sorted(hostile))


def assign_marker_numbers(index: ScenarioIndex, world: World, dice: Dice) -> World:
    """Give each fleet and dummy without a marker number one, drawn by lot within its faction.

    Rules: 2E "Use of an umpire" [camp.open-play]
    """
    if not index.scenario.open_play:
        return world
    marks = list(world.marks)
    numbered_keys = {mark.key for mark in marks}
    for faction in index.factions:
        used_codes = [mark.code for mark in marks if mark.key.partition("/")[0] == faction]
        new_keys = []
        for item in (*world.fleets, *world.dummies):
            if item.faction == faction and item.key not in numbered_keys:
                new_keys.append(item.key)
        first_code = max(used_codes, default=0) + 1
        drawn_keys = _draw_lots(sorted(new_keys), faction, dice)
        for code, key in enumerate(drawn_keys, start=first_code):
            marks.append(Mark(key, code))
    return replace(world, marks=tuple(sorted(marks, key=lambda mark: mark.key)))


def _draw_lots(keys: Sequence[str], faction: str, dice: Dice) -> list[str]:
    """Return keys in an order drawn by a faction's dice."""
    remaining = list(keys)
    drawn = []
    while len(remaining) > 1:
        die = dice.roll(MARKER_DIE, faction, len(remaining))
        drawn.append(remaining.pop(die - 1))
    return drawn + remaining


def hexes_before_move(world: World) -> dict[str, str]:
    """Return the hexes of all fleets and dummies, by key."""
    return {item.key: item.hex for item in (*world.fleets, *world.dummies)}


def record_start_hexes(world: World, before: Mapping[str, str]) -> World:
    """Record in each marker the hex where it was before this week's move."""
    if not world.marks:
        return world
    marks = [replace(mark, previous_hex=before.get(mark.key, "")) for mark in world.marks]
    return replace(world, marks=tuple(marks))


def number_new_fleets(index: ScenarioIndex, outcome: StageOutcome, dice: Dice) -> StageOutcome:
    """Give marker numbers to the fleets that the stage has formed."""
    if not index.scenario.open_play:
        return outcome
    return replace(outcome, world=assign_marker_numbers(index, outcome.world, dice))

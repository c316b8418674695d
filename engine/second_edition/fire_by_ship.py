"""The fire phase in steps: a side names one ship, all its fire is resolved, then the next side.

If fighters fly, all sides name the targets of their fighters first.

Rules: 2E "Sequence of play" [2e.fire-by-ship]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.firing import FiringStage
from engine.core.kinds import FIGHTING
from engine.core.orders import FireOrders
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import FIRE_BY_SHIP
from engine.events.event import require_value
from engine.events.fire import (
    FiringBegan,
    FiringEnded,
    FiringPassed,
    FiringTurnBegan,
    PursuitOrdered,
    ShipChosen,
)
from engine.fighters.strikes import Attack, declare_attacks, dogfight_round, resolve_remaining
from engine.order_requests.engage import FireAndPursuit
from engine.order_requests.out_of_reach import nobody_can_fire
from engine.pieces.craft_events import AttackDeclared
from engine.pieces.group import Group
from engine.pieces.registry import before_fire
from engine.second_edition.fire_phase import side_order, take_firing_turns


def open_fire_phase(table: Table) -> None:
    """Begin the fire phase in steps if that is agreed and anything is in reach."""
    state = table.state
    if FIRE_BY_SHIP not in state.terms.options or nobody_can_fire(state):
        return
    if state.pieces:
        before_fire(table)
    firing = [side for side in range(len(state.sides)) if _ships_left(state, side, fired=())]
    order = side_order(table, firing)
    if not order:
        return
    table.carry_out(FiringBegan(table.turn, tuple(state.sides[side] for side in order)))
    if not state.has(Group):
        _call_side(table, order[0])


def take_step(table: Table, engagement: FireAndPursuit) -> tuple[int, ...]:
    """Resolve one step of the fire phase, and go on to the next side or end the phase.

    Returns:
        The sides that pursue, by their latest answers.
    """
    state = table.state
    stage = require_value(state.firing)
    orders = state.by_commander(engagement.fire)
    _set_pursuit(table, stage, engagement)
    pursue = require_value(state.firing).pursue
    if stage.side is None:
        _declare_attacks(table, orders)
        _call_next(table, stage.order)
    else:
        _take_turn(table, stage.side, orders.get(stage.side, []))
        place = stage.order.index(stage.side) + 1
        _call_next(table, (*stage.order[place:], *stage.order[:place]))
    return pursue


def _set_pursuit(table: Table, stage: FiringStage, engagement: FireAndPursuit) -> None:
    """Store whether the sides that are asked pursue; the latest answer counts."""
    state = table.state
    for side, name in enumerate(state.sides):
        pursues = side in engagement.pursue
        if stage.is_asked(side) and pursues != (side in stage.pursue):
            table.carry_out(PursuitOrdered(table.turn, name, pursues))


def _declare_attacks(table: Table, orders: Mapping[int, FireOrders]) -> None:
    """Resolve the dogfights, and show all sides what the other groups attack."""
    dogfight_round(table, orders)
    for attack in declare_attacks(table, orders):
        target = attack.ship or attack.prey
        assert target is not None
        table.carry_out(
            AttackDeclared(
                table.turn,
                attack.group.id,
                targets=(target.id,),
                engaged_markers=(),
                using=tuple(armament.name for armament in attack.armaments),
                presses=False,
                splits=False,
                count=0,
                system="",
                marines=0,
                parties=0,
            )
        )


def _declared_attacks(state: BattleState) -> list[Attack]:
    """Return the declared attacks of the groups that have not fired yet."""
    ships = {str(ship.id): ship for ship in state.ships}
    groups = {str(group.id): group for group in state.pieces_of(Group)}
    attacks = []
    for group in groups.values():
        turn = group.this_turn
        if not turn.targets or turn.has_fired:
            continue
        (target,) = turn.targets
        armament_of = {armament.name: armament for armament in group.row.armaments}
        armaments = tuple(armament_of[name] for name in turn.using if name in armament_of)
        if target in ships or target in groups:
            attacks.append(Attack(group, ships.get(target), groups.get(target), armaments))
    return attacks


def _take_turn(table: Table, side: int, orders: FireOrders) -> None:
    """Resolve the fire of the first ship in a side's orders that has not fired, or let it pass."""
    state = table.state
    waiting_ids = [ship.id for ship in _ships_left(state, side, require_value(state.firing).fired)]
    for name, fires in orders:
        if name in waiting_ids:
            table.carry_out(ShipChosen(table.turn, state.ship_by_name(name).id))
            chosen = {side: [(name, fires)]}
            take_firing_turns(table, chosen, _declared_attacks(state), [side], only=(name,))
            return
    table.carry_out(FiringPassed(table.turn, state.sides[side]))


def _call_next(table: Table, order: tuple[int, ...]) -> None:
    """Call the next side in the order that has not passed and has a ship left, or end the phase."""
    stage = require_value(table.state.firing)
    for side in order:
        if side not in stage.passed and _ships_left(table.state, side, stage.fired):
            _call_side(table, side)
            return
    _end_fire_phase(table, stage)


def _call_side(table: Table, side: int) -> None:
    """Let a side name its next ship."""
    table.carry_out(FiringTurnBegan(table.turn, table.state.sides[side]))


def _end_fire_phase(table: Table, stage: FiringStage) -> None:
    """Let ships under attack that took no turn defend themselves, then resolve all other attacks.

    Point defence fires even if its side has passed.
    """
    state = table.state
    table.carry_out(FiringEnded(table.turn))
    attacks = _declared_attacks(state)
    if attacks:
        attacked_ids = []
        for attack in attacks:
            if attack.ship is not None and attack.ship.id not in stage.fired:
                attacked_ids.append(attack.ship.id)
        take_firing_turns(table, {}, attacks, list(stage.order), only=tuple(attacked_ids))
        resolve_remaining(table, attacks)


def _ships_left(state: BattleState, side: int, fired: tuple[str, ...]) -> list[ShipState]:
    """Return the ships of a side that have not fired.

    Decoys count, so that a missing turn does not give them away.
    """
    ships = []
    for ship in state.ships:
        if ship.commander == side and ship.status == FIGHTING and ship.id not in fired:
            ships.append(ship)
    return ships

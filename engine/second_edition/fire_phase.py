"""The fire part of a turn from end to end: dogfights, ships in turn about, fighters after the ship they attack.

What one ship does in its firing turn stands in `engine.second_edition.firing`.
Rules: 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from engine.core.initiative import Rolls, ranked
from engine.core.orders import Fire, FireOrders
from engine.core.ship import FIGHTING, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import ASTEROID_DESTRUCTION
from engine.events.fire import Initiative, ShotRefused
from engine.fighters.anti_fighter_fire import ANTI_FIGHTER, NO_GROUP, aimed_at, defend, may_defend
from engine.fighters.dogfights import dogfight_round
from engine.fighters.strikes import Attack, declare, remaining, strike
from engine.pieces.asteroid import Rock
from engine.pieces.group import Group
from engine.second_edition.firing import fire_ship, may_fire, refuse

NOT_AT_FIGHTERS = "only anti-fighter weapons can fire at fighters"

Fires = tuple[Fire, ...]
Turn = tuple[ShipState, Fires, Fires]  # a ship, its fire, its anti-fighter fire


def fire_phase(table: Table, orders: Mapping[int, FireOrders]) -> None:
    """Resolve a turn's fire in place. `orders`: each side's ships in the order they take their firing turns.

    Dogfights come first. Then sides alternate one ship each, the side with more real ships in play first (equal: a die
    each); a ship without orders, destroyed, or with nothing legal left to fire at is passed over, but one under attack
    takes a turn for its anti-fighter weapons. Fighters strike when the ship they attack has had its turn, else last.
    Rules: 2E "Sequence of play" [2e.sequence]
    """
    state = table.state
    ships = {ship.id: ship for ship in state.ships}
    arcs: dict[tuple[str, str], int] = {}
    docked = any(ship.docking for ship in state.ships)
    attacks: list[Attack] = []
    if state.of(Group):
        dogfight_round(table, orders)
        attacks = declare(table, orders)
    waiting: dict[int, list[Turn]] = {}
    for side in range(len(state.sides)):
        turns = _turns(table, ships, orders.get(side, ()), side, attacks)
        if any(_takes_turn(state, ships, one, attacks) for one in turns):
            turns.reverse()
            waiting[side] = turns
        else:
            for one in turns:
                _pass_over(table, one)
    order = _side_order(table, list(waiting))
    while waiting:
        for side in order:
            turns = waiting.get(side, [])
            while turns:
                one = turns.pop()
                if not _takes_turn(state, ships, one, attacks):
                    _pass_over(table, one)
                else:
                    fired = _firing_turn(table, ships, one, attacks, arcs)
                    if docked:
                        state.shelter()
                    if fired:
                        break
            if not turns:
                waiting.pop(side, None)
    if attacks:
        remaining(table, attacks)


def _turns(
    table: Table, ships: dict[str, ShipState], listed: FireOrders | tuple[()], side: int, attacks: list[Attack]
) -> list[Turn]:
    """A side's ships in the order of their firing turns: as ordered, then those under attack that have no orders."""
    state = table.state
    aims: Container[str] = ships
    if ASTEROID_DESTRUCTION in state.terms.options:
        aims = {**ships, **{rock.id: rock for rock in state.of(Rock)}}
    turns = [_sorted_out(table, aims, ships[name], fires) for name, fires in listed if fires and name in ships]
    if attacks:
        named = [ship for ship, _, _ in turns]
        turns += [
            (ship, (), ())
            for ship in state.ships
            if ship.side == side and ship not in named and any(attack.ship is ship for attack in attacks)
        ]
    return turns


def _sorted_out(table: Table, aims: Container[str], ship: ShipState, fires: Fires) -> Turn:
    """A ship's fire at ships (and asteroids) and its fire at fighters; what would fire at fighters and cannot is
    refused. `aims`: what guns may be aimed at.
    """
    against = ship.rig.having.get(ANTI_FIGHTER)
    flak = [fire for fire in fires if ship.rig.index_of.get(fire.weapon) in against] if against else []
    guns: list[Fire] = []
    last: tuple[str, ...] = ()
    for fire in fires:
        if flak and fire in flak:
            continue
        if fire.targets is not last and not all(name in aims for name in fire.targets):
            left = tuple(name for name in fire.targets if name in aims)
            if not left:
                table.tell(ShotRefused, ship.id, fire.weapon, fire.targets, NOT_AT_FIGHTERS)
                continue
            fire = replace(fire, targets=left)
        last = fire.targets
        guns.append(fire)
    return ship, tuple(guns), tuple(flak)


def _takes_turn(state: BattleState, ships: dict[str, ShipState], one: Turn, attacks: list[Attack]) -> bool:
    ship, guns, flak = one
    return may_fire(state, ships, ship, guns) or (bool(state.of(Group)) and may_defend(state, ship, flak, attacks))


def _pass_over(table: Table, one: Turn) -> None:
    """Say why a ship with orders takes no firing turn."""
    ship, guns, flak = one
    refuse(table, ship, guns)
    if table.listens and ship.status == FIGHTING:
        for fire in flak:
            table.tell(ShotRefused, ship.id, fire.weapon, fire.targets, NO_GROUP)


def _firing_turn(
    table: Table, ships: dict[str, ShipState], one: Turn, attacks: list[Attack], arcs: dict[tuple[str, str], int]
) -> bool:
    """One ship's firing turn, then the strikes of the fighters that attack it; True where anything was fired.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    state = table.state
    ship, guns, flak = one
    shots = aimed_at(table, ship, flak, attacks) if state.of(Group) or flak else []
    if not (attacks or flak) or may_fire(state, ships, ship, guns):  # without fighters it takes its turn for its guns
        fired = fire_ship(table, ships, ship, guns, arcs)
    else:
        refuse(table, ship, guns)
        fired = False
    defend(table, ship, shots)
    if not (fired or shots):
        return False
    if attacks:
        strike(table, attacks, ship)
    return True


def _side_order(table: Table, firing: list[int]) -> list[int]:
    """Who fires first: more real ships in play, equal numbers by a die each in file order, ties again.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    state = table.state
    if len(firing) < 2:
        return firing
    numbers = dict.fromkeys(firing, 0)
    for ship in state.ships:
        if ship.status == FIGHTING and not ship.dummy and ship.side in numbers:
            numbers[ship.side] += 1
    rolls: Rolls = []
    order = ranked(numbers, state.sides, table.dice, rolls)
    if rolls and table.listens:
        table.tell(Initiative, tuple(rolls), tuple(state.sides[side] for side in order))
    return order

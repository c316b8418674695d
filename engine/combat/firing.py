"""The fire part of a turn: sides alternate, one ship at a time.

Rules: 2E "Sequence of play" [2e.sequence]; 2E "Fire control systems" [2e.fire-control]; 2E "Fire arcs" [2e.arcs]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.damage import mark_damage
from engine.combat.detection import give_away
from engine.dice import Dice
from engine.events import ArcRolled, Initiative, Shot, ShotRefused, Sink
from engine.geometry import ARC_NAMES, NEAR, arcs_of
from engine.orders import Fire, FireOrders
from engine.state import FIGHTING, BattleState, ShipState
from engine.systems.beams import BANDS, volley
from engine.systems.screens import BEAM_POINTS

_BAND_SQUARED = tuple((limit + NEAR) ** 2 for limit in BANDS)
_LONGEST = _BAND_SQUARED[2]

NO_TARGET = "no target in range, in its arcs and in sight"
OUT_OF_ACTION = "it is out of action"

Turns = list[tuple[ShipState, tuple[Fire, ...]]]


def fire_phase(state: BattleState, orders: Mapping[int, FireOrders], turn: int, dice: Dice, sink: Sink | None) -> None:
    """Resolve a turn's fire in place. `orders`: each side's ships in the order they take their firing turns.

    Sides alternate one ship each, the side with more real ships in play first (equal: a die each); a ship
    without orders, destroyed, or with nothing legal left to fire at is passed over.
    Rules: 2E "Sequence of play" [2e.sequence]
    """
    ships = {ship.id: ship for ship in state.ships}
    arcs: dict[tuple[str, str], int] = {}
    waiting: dict[int, Turns] = {}
    for side in range(len(state.sides)):
        turns = [(ships[name], fires) for name, fires in orders.get(side, ()) if fires]
        if any(_may_fire(state, ships, ship, fires) for ship, fires in turns):
            turns.reverse()
            waiting[side] = turns
        else:
            for ship, fires in turns:
                _refuse(ship, fires, turn, sink)
    order = _side_order(state, list(waiting), turn, dice, sink)
    while waiting:
        for side in order:
            turns = waiting.get(side, [])
            while turns:
                ship, fires = turns.pop()
                if not _may_fire(state, ships, ship, fires):
                    _refuse(ship, fires, turn, sink)
                elif _fire_ship(state, ships, ship, fires, arcs, turn, dice, sink):
                    break
            if not turns:
                waiting.pop(side, None)


def _side_order(state: BattleState, firing: list[int], turn: int, dice: Dice, sink: Sink | None) -> list[int]:
    """Who fires first: more real ships in play, equal numbers by a die each in file order, ties again.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    if len(firing) < 2:
        return firing
    numbers = dict.fromkeys(firing, 0)
    for ship in state.ships:
        if ship.status == FIGHTING and not ship.dummy and ship.side in numbers:
            numbers[ship.side] += 1
    order: list[int] = []
    rolls: list[tuple[str, int]] = []
    for number in sorted(dict.fromkeys(numbers.values()), reverse=True):
        order += _dice_off([side for side in firing if numbers[side] == number], state.sides, dice, rolls)
    if rolls and sink is not None:
        sink(Initiative(turn, tuple(rolls), tuple(state.sides[side] for side in order)))
    return order


def _dice_off(sides: list[int], names: tuple[str, ...], dice: Dice, rolls: list[tuple[str, int]]) -> list[int]:
    """Sides by a die each, high first, ties among themselves again."""
    if len(sides) == 1:
        return sides
    thrown = {side: dice.roll("initiative", names[side]) for side in sides}
    rolls += [(names[side], die) for side, die in thrown.items()]
    order: list[int] = []
    for die in range(6, 0, -1):
        tied = [side for side in sides if thrown[side] == die]
        if tied:
            order += _dice_off(tied, names, dice, rolls)
    return order


def _may_fire(state: BattleState, ships: dict[str, ShipState], ship: ShipState, fires: tuple[Fire, ...]) -> bool:
    """Whether any of a ship's fire could be legal now; no die is thrown for it."""
    if ship.status != FIGHTING or ship.holds_fire or not ship.firecons:
        return False
    index_of = ship.rig.index_of
    for fire in fires:
        index = index_of[fire.weapon]
        if ship.alive[index]:
            for index_, bits, numbers in ship.rig.batteries:
                if index_ == index:
                    for name in fire.targets:
                        target = ships[name]
                        band = _band(state, ship, target)
                        if (
                            band >= 0
                            and numbers[band]
                            and bits & arcs_of(target.x - ship.x, target.y - ship.y, ship.course)
                        ):
                            return True
    return False


def _refuse(ship: ShipState, fires: tuple[Fire, ...], turn: int, sink: Sink | None) -> None:
    """Say why a ship still on the table does not fire at all."""
    if sink is None or ship.status != FIGHTING:
        return
    if ship.holds_fire:
        why = "its FTL drive is warming up"
    else:
        why = NO_TARGET if ship.firecons else "it has no working FireCon"
    for fire in fires:
        out = "" if ship.alive[ship.rig.index_of[fire.weapon]] else OUT_OF_ACTION
        sink(ShotRefused(turn, ship.id, fire.weapon, fire.targets, out or why))


def _band(state: BattleState, ship: ShipState, target: ShipState) -> int:
    """The range band (0, 1, 2) of a target that may be fired at, else -1."""
    if target.status != FIGHTING or target.bogey or not state.hostile[ship.side] >> target.side & 1:
        return -1
    dx, dy = target.x - ship.x, target.y - ship.y
    squared = dx * dx + dy * dy
    if squared > _LONGEST:
        return -1
    return 0 if squared <= _BAND_SQUARED[0] else (1 if squared <= _BAND_SQUARED[1] else 2)


def _arc(
    ship: ShipState,
    target: ShipState,
    arcs: dict[tuple[str, str], int],
    turn: int,
    dice: Dice,
    sink: Sink | None,
) -> int:
    """The one arc a target is in for this ship this turn; on a line a die decides, odd the arc first in the list.

    Rules: 2E "Fire arcs" [2e.arcs]
    """
    bits = arcs_of(target.x - ship.x, target.y - ship.y, ship.course)
    if not bits & (bits - 1):
        return bits
    key = (ship.id, target.id)
    if key not in arcs:
        die = dice.roll("arc", f"{ship.id}>{target.id}")
        first = bits & -bits
        arcs[key] = first if die % 2 else bits ^ first
        if sink is not None:
            sink(ArcRolled(turn, ship.id, target.id, die, ARC_NAMES[arcs[key]]))
    return arcs[key]


def _fire_ship(
    state: BattleState,
    ships: dict[str, ShipState],
    ship: ShipState,
    fires: tuple[Fire, ...],
    arcs: dict[tuple[str, str], int],
    turn: int,
    dice: Dice,
    sink: Sink | None,
) -> bool:
    """One ship's firing turn: all its dice, then the damage, then the threshold checks; True where anything fired.

    Every target takes a FireCon; a battery fires once, all its dice at one target.
    Rules: 2E "Fire control systems" [2e.fire-control]; 2E "Beam weapon batteries" [2e.beams]
    """
    batteries = {index: (bits, numbers) for index, bits, numbers in ship.rig.batteries}
    hits: dict[str, int] = {}
    fired: set[int] = set()
    for fire in fires:
        index = ship.rig.index_of[fire.weapon]
        why = "" if ship.alive[index] else OUT_OF_ACTION
        if index in fired:
            why = "it has fired this turn"
        if not why:
            bits, numbers = batteries[index]
            why = NO_TARGET
            for name in fire.targets:
                target = ships[name]
                band = _band(state, ship, target)
                if band < 0 or not numbers[band]:
                    continue
                if not bits & arcs_of(target.x - ship.x, target.y - ship.y, ship.course):
                    continue
                if name not in hits and len(hits) >= ship.firecons:
                    why = "no FireCon is free for its target"
                    continue
                arc = _arc(ship, target, arcs, turn, dice, sink)
                if not bits & arc:
                    continue
                give_away(ship, turn, sink)
                thrown, points = volley(numbers[band], BEAM_POINTS[target.screens], dice, f"{ship.id}/{fire.weapon}")
                hits[name] = hits.get(name, 0) + points
                fired.add(index)
                why = ""
                if sink is not None:
                    distance = ((target.x - ship.x) ** 2 + (target.y - ship.y) ** 2) ** 0.5
                    sink(
                        Shot(turn, ship.id, fire.weapon, name, distance, ARC_NAMES[arc], target.screens, thrown, points)
                    )
                break
        if why and sink is not None:
            sink(ShotRefused(turn, ship.id, fire.weapon, fire.targets, why))
    for name, points in hits.items():
        mark_damage(ships[name], points, f"fire:{ship.id}", 0, turn, dice, sink)
    return bool(hits)

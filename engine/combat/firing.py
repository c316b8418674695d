"""The fire part of a turn: sides alternate, one ship at a time.

Rules: 2E "Sequence of play" [2e.sequence]; 2E "Fire control systems" [2e.fire-control]; 2E "Fire arcs" [2e.arcs]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.damage import mark_damage
from engine.combat.detection import give_away
from engine.combat.lines import blocked
from engine.combat.nova import ALL_POWER, CANNON, fire_nova, may_shoot
from engine.combat.weapons import WEAPONS, Aim, Salvo
from engine.dice import Dice
from engine.events import ArcRolled, Initiative, ShotRefused, Sink
from engine.events_weapons import SystemLost
from engine.geometry import ARC_NAMES, arcs_of
from engine.orders import Fire, FireOrders
from engine.rigging import knock_out, refit
from engine.state import FIGHTING, BattleState, ShipState

NO_TARGET = "no target in range, in its arcs and in sight"
NO_SYSTEM = "no target in range, in its arc and in sight has that system in working order"
OUT_OF_ACTION = "it is out of action"
SPENT = "it has been fired"
UNARMED = "its nova cannon was not armed this turn"

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
    if ship.status != FIGHTING or ship.holds_fire:
        return False
    if ship.armed:
        return any(may_shoot(ship, fire) for fire in fires)
    if not ship.firecons:
        return False
    for fire in fires:
        index = ship.rig.index_of[fire.weapon]
        if not _unable(ship, index) and any(_in_reach(state, ship, index, fire, ships[name]) for name in fire.targets):
            return True
    return False


def _unable(ship: ShipState, index: int) -> str:
    """Why a weapon fires at nothing at all, or nothing where it may."""
    fit = ship.sheet.fits[index]
    if fit.type == CANNON:
        return UNARMED
    if not ship.alive[index]:
        return OUT_OF_ACTION
    return SPENT if WEAPONS[fit.type].stocked and not ship.stock[index] else ""


def _refuse(ship: ShipState, fires: tuple[Fire, ...], turn: int, sink: Sink | None) -> None:
    """Say why a ship still on the table does not fire at all."""
    if sink is None or ship.status != FIGHTING:
        return
    why = ""
    if ship.holds_fire:
        why = "its FTL drive is warming up"
    elif ship.armed:
        why = ALL_POWER
    elif not ship.firecons:
        why = "it has no working FireCon"
    for fire in fires:
        out = _unable(ship, ship.rig.index_of[fire.weapon]) if not ship.armed else ""
        sink(ShotRefused(turn, ship.id, fire.weapon, fire.targets, out or why or _nothing_for(fire)))


def _nothing_for(fire: Fire) -> str:
    return NO_SYSTEM if fire.system else NO_TARGET


def _in_reach(state: BattleState, ship: ShipState, index: int, fire: Fire, target: ShipState) -> bool:
    """Whether a weapon may fire at a target: hostile, identified, in its range and arcs, and nothing in between.

    A needle beam asks for the system it is aimed at too.
    """
    if target.status != FIGHTING or target.bogey or not state.hostile[ship.side] >> target.side & 1:
        return False
    fit = ship.sheet.fits[index]
    dx, dy = target.x - ship.x, target.y - ship.y
    if not WEAPONS[fit.type].reaches(fit.variant, dx * dx + dy * dy):
        return False
    if not ship.rig.bears[index] & arcs_of(dx, dy, ship.course):
        return False
    if fire.system and not _shows(target, fire.system):
        return False
    return not (state.rocks and blocked(state.rocks, (ship.x, ship.y), (target.x, target.y)))


def _shows(target: ShipState, system: str) -> bool:
    """Whether a ship is known to have a system in working order; one that passes for another shows that one's.

    Rules: 2E "Needle beams" [2e.needle-beams]
    """
    place = target.rig.index_of.get(system, -1)
    if target.cover is not None:
        return any(fit.id == system for fit in target.cover.fits) and (place < 0 or target.alive[place] > 0)
    return place >= 0 and target.alive[place] > 0


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

    Every target takes a FireCon; a weapon fires once, all its dice at one target.
    Rules: 2E "Fire control systems" [2e.fire-control]; 2E "Beam weapon batteries" [2e.beams]
    """
    if ship.armed:
        fire_nova(state, ship, fires, turn, dice, sink)
        return True
    salvo = Salvo()
    for fire in fires:
        why = _fire_one(state, ships, ship, fire, salvo, arcs, turn, dice, sink)
        if why and sink is not None:
            sink(ShotRefused(turn, ship.id, fire.weapon, fire.targets, why))
    for name, system in salvo.needled:
        _needled(ships[name], system, ship, turn, sink)
    for name, points in salvo.hits.items():
        mark_damage(ships[name], points, f"fire:{ship.id}", 0, turn, dice, sink)
    return bool(salvo.fired)


def _needled(target: ShipState, system: str, by: ShipState, turn: int, sink: Sink | None) -> None:
    """A needle's hit counts: the system fails as on a threshold, unless another needle took it first.

    Rules: 2E "Needle beams" [2e.needle-beams]
    """
    if not _shows(target, system):
        return
    place = target.rig.index_of.get(system, -1)
    if place >= 0:
        knock_out(target, place)
        refit(target)
    if sink is not None:
        sink(SystemLost(turn, target.id, system, f"fire:{by.id}"))


def _fire_one(
    state: BattleState,
    ships: dict[str, ShipState],
    ship: ShipState,
    fire: Fire,
    salvo: Salvo,
    arcs: dict[tuple[str, str], int],
    turn: int,
    dice: Dice,
    sink: Sink | None,
) -> str:
    """Fire one weapon at the first of its targets that is legal; why it does not, or nothing where it did."""
    index = ship.rig.index_of[fire.weapon]
    if index in salvo.fired:
        return "it has fired this turn"
    if why := _unable(ship, index):
        return why
    weapon = WEAPONS[ship.sheet.fits[index].type]
    why = _nothing_for(fire)
    for name in fire.targets:
        target = ships[name]
        if not _in_reach(state, ship, index, fire, target):
            continue
        control = (weapon.control, name, fire.system)
        if control not in salvo.controls and len(salvo.controls) >= ship.firecons:
            why = "no FireCon is free for its target"
            continue
        arc = _arc(ship, target, arcs, turn, dice, sink)
        if not ship.rig.bears[index] & arc:
            continue
        give_away(ship, turn, sink)
        if control not in salvo.controls:
            salvo.controls.append(control)
        salvo.fired.append(index)
        distance = ((target.x - ship.x) ** 2 + (target.y - ship.y) ** 2) ** 0.5
        weapon.shoot(Aim(ship, index, fire, target, distance, arc, turn), salvo, dice, sink)
        return ""
    return why

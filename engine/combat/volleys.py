"""The ships' fire of Continuum: sides alternate ship by ship, all fire counts as simultaneous.

Rules: Continuum "Sequence of play" 2.6 [pc.sequence]; Continuum "Fire control systems" 4.4 [pc.fire-control]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.combat.aiming import arc_of, bearing, in_reach
from engine.combat.cores import uncommanded
from engine.combat.detection import give_away
from engine.combat.guns import GUNS
from engine.combat.shields import shot_at
from engine.combat.wounds import wound
from engine.dice import Dice
from engine.events import Initiative, ShotRefused, Sink
from engine.events_hull import GunFired, Spent
from engine.geometry import SIX_ARC_NAMES
from engine.initiative import Rolls, dice_off
from engine.orders import Fire, FireOrders
from engine.rolls import Effect
from engine.state import DOCKED, FIGHTING, BattleState, ShipState

NO_TARGET = "no target in range, in its arcs and in sight"
NO_SYSTEM = "no target in range, in its arc and in sight has that system in working order"
OUT_OF_ACTION = "it is out of action"
SPENT = "it has been fired"
NO_WEAPONS = "a drone has no weapons"
MADE_FAST = "a docked ship fires nothing"
NO_FIRECON = "all working FireCons are set to other targets"
FIRED = "it has fired this turn"
HOLDS = "its ship may not fire this turn"


@dataclass(slots=True)
class Aftermath:
    """What the fire of a turn has done and its later phases settle.

    `before`: damage points of every ship when the firing began. `needled`: (target, system, by) of systems shot out.
    `emp`: (target, hits, systems they are laid on, by). `landed`: (target, units, by) beamed aboard.
    """

    before: dict[str, int] = field(default_factory=dict)
    needled: list[tuple[str, str, str]] = field(default_factory=list)
    emp: list[tuple[str, int, tuple[str, ...], str]] = field(default_factory=list)
    landed: list[tuple[str, int, str]] = field(default_factory=list)


@dataclass(slots=True)
class Bridge:
    """A ship's fire control in its firing turn: targets and systems its FireCons are set to, and weapons used up."""

    targets: dict[str, list[str]] = field(default_factory=dict)
    fired: list[int] = field(default_factory=list)

    def needs(self, target: str, system: str) -> int:
        """How many more FireCons this fire takes: one a target, one a needled system, shared with other fire there."""
        systems = self.targets.get(target)
        if systems is None:
            return 1
        return 1 if system and system not in systems and systems else 0

    def set_to(self, target: str, system: str) -> None:
        systems = self.targets.setdefault(target, [])
        if system and system not in systems:
            systems.append(system)

    def used(self) -> int:
        return sum(max(len(systems), 1) for systems in self.targets.values())


def fire_phase(
    state: BattleState, orders: Mapping[int, FireOrders], turn: int, dice: Dice, sink: Sink | None
) -> Aftermath:
    """Resolve the ships' fire in place: armour and hulls are marked at once, systems are checked later.

    The side that wins the initiative fires a ship first, then sides alternate. A ship shot to pieces in this phase
    still has its turn. Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    aftermath = Aftermath({ship.id: ship.damage for ship in state.ships})
    ships = {ship.id: ship for ship in state.ships}
    waiting: dict[int, list[tuple[ShipState, tuple[Fire, ...]]]] = {}
    for side in range(len(state.sides)):
        turns = [
            (ships[name], fires)
            for name, fires in orders.get(side, ())
            if fires and name in ships and ships[name].status == FIGHTING
        ]
        if turns:
            waiting[side] = turns
    order = side_order(state, list(waiting), turn, dice, sink)
    arcs: dict[tuple[str, str], int] = {}
    while waiting:
        for side in order:
            turns = waiting.get(side, [])
            if turns:
                ship, fires = turns.pop(0)
                fire_ship(state, ships, ship, fires, aftermath, arcs, turn, dice, sink)
                if not turns:
                    del waiting[side]
    return aftermath


def side_order(state: BattleState, firing: list[int], turn: int, dice: Dice, sink: Sink | None) -> list[int]:
    """Who has the initiative: a die each among the sides with fire, ties again. Rules: Continuum 2.6 [pc.sequence]"""
    if len(firing) < 2:
        return firing
    rolls: Rolls = []
    order = dice_off(firing, state.sides, dice, rolls)
    if sink is not None:
        sink(Initiative(turn, tuple(rolls), tuple(state.sides[side] for side in order)))
    return order


def fire_ship(
    state: BattleState,
    ships: dict[str, ShipState],
    ship: ShipState,
    fires: tuple[Fire, ...],
    aftermath: Aftermath,
    arcs: dict[tuple[str, str], int],
    turn: int,
    dice: Dice,
    sink: Sink | None,
) -> None:
    """One ship's firing turn: all its dice at each target, then the damage. Rules: Continuum 2.6 [pc.sequence]"""
    bridge = Bridge()
    hits: list[tuple[ShipState, Effect]] = []
    for fire in fires:
        why = unable(ship, fire, bridge)
        if not why:
            why = _fire_one(state, ships, ship, fire, bridge, hits, aftermath, arcs, turn, dice, sink)
        if why and sink is not None:
            sink(ShotRefused(turn, ship.id, fire.weapon, fire.targets, why))
    for target in dict.fromkeys(target.id for target, _ in hits):
        wounds = tuple(one for other, effect in hits if other.id == target for one in effect.wounds)
        if wounds:
            wound(ships[target], wounds, f"fire:{ship.id}", turn, sink)


def unable(ship: ShipState, fire: Fire, bridge: Bridge) -> str:
    """Why a weapon fires at nothing at all this turn, nothing where it may."""
    index = ship.rig.index_of[fire.weapon]
    fit = ship.sheet.fits[index]
    gun = GUNS[fit.type]
    if ship.dummy:
        return NO_WEAPONS
    if ship.docking >= DOCKED:
        return MADE_FAST
    if why := uncommanded(ship):
        return why
    if ship.holds_fire and gun.controlled:
        return HOLDS
    if not ship.alive[index]:
        return OUT_OF_ACTION
    if index in bridge.fired:
        return FIRED
    if fire.mode not in gun.modes:
        return f"it cannot fire in the mode '{fire.mode}'"
    return SPENT if gun.once and not ship.stock[index] else ""


def _fire_one(
    state: BattleState,
    ships: dict[str, ShipState],
    ship: ShipState,
    fire: Fire,
    bridge: Bridge,
    hits: list[tuple[ShipState, Effect]],
    aftermath: Aftermath,
    arcs: dict[tuple[str, str], int],
    turn: int,
    dice: Dice,
    sink: Sink | None,
) -> str:
    """Fire one weapon at the first of its targets that is legal; why it does not, or nothing where it did."""
    index = ship.rig.index_of[fire.weapon]
    gun = GUNS[ship.sheet.fits[index].type]
    why = NO_SYSTEM if fire.system else NO_TARGET
    for name in fire.targets:
        target = ships.get(name)
        if target is None or not in_reach(state, ship, index, fire, target):
            continue
        if gun.controlled and bridge.used() + bridge.needs(name, fire.system) > ship.firecons:
            why = NO_FIRECON
            continue
        arc = arc_of(ship, target, arcs, turn, dice, sink)
        if not bearing(state, ship, index) & arc:
            continue
        give_away(ship, turn, sink, fire.weapon)
        if gun.controlled:
            bridge.set_to(name, fire.system)
        bridge.fired.append(index)
        if gun.once:
            ship.stock[index] -= 1
            if sink is not None:
                sink(Spent(turn, ship.id, fire.weapon, ship.stock[index]))
        shot = shot_at(state, ship, index, fire, target)
        effect = gun.fire(shot, dice)
        hits.append((target, effect))
        _note_effect(aftermath, ship, target, fire, effect)
        if sink is not None:
            points = sum(one.points for one in effect.wounds) or effect.emp or effect.landed
            sink(
                GunFired(
                    turn, ship.id, fire.weapon, name, shot.true_distance, SIX_ARC_NAMES[arc], shot.screens,
                    fire.mode, effect.needed, effect.dice, effect.damage, points,
                )
            )  # fmt: skip
        return ""
    return why


def _note_effect(aftermath: Aftermath, ship: ShipState, target: ShipState, fire: Fire, effect: Effect) -> None:
    """What later phases of the turn settle."""
    if effect.needled:
        aftermath.needled.append((target.id, fire.system, ship.id))
    if effect.emp:
        aftermath.emp.append((target.id, effect.emp, fire.spread, ship.id))
    if effect.landed:
        aftermath.landed.append((target.id, effect.landed, ship.id))

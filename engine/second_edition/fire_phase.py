"""The fire phase: dogfights, ships in alternating turns, and fighters after the ship they attack.

First one ship's firing turn: its targets, FireCons, arcs, shots and damage. Then the sequence of
turns.
Rules: 2E "Sequence of play" [2e.sequence]; 2E "Fire control systems" [2e.fire-control]; 2E "Fire
arcs" [2e.arcs]
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from dataclasses import replace

from engine.combat.detection import reveal_ship
from engine.combat.line_of_sight import NOT_FOUND, arc_by_die, finds_target, is_blocked
from engine.combat.nova import ALL_POWER, fire_nova, may_shoot
from engine.core.geometry import ARC_NAMES, arcs_of, length_of
from engine.core.kinds import FIGHTING
from engine.core.orders import Fire, FireOrders
from engine.core.reason import reason
from engine.core.rolls import Rolls, Shot, rank_sides
from engine.core.sheet import Fit
from engine.core.ship import BERTHED, DOCKED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import ASTEROID_DESTRUCTION
from engine.events.damage import SystemLost
from engine.events.fire import (
    ALREADY_USED,
    MADE_FAST,
    NO_SYSTEM,
    NO_TARGET,
    NO_WEAPONS,
    OUT_OF_ACTION,
    SWEEPING,
    Initiative,
    ShotRefused,
)
from engine.fighters.anti_fighter_fire import (
    ANTI_FIGHTER,
    NO_GROUP,
    assign_shots,
    defend,
    may_defend,
)
from engine.fighters.strikes import (
    Attack,
    declare_attacks,
    dogfight_round,
    resolve_remaining,
    strike,
)
from engine.pieces.asteroid import find_asteroid_target, find_breakable, shoot_asteroid
from engine.pieces.group import Group
from engine.second_edition.damage import mark_damage
from engine.weapons.weapon import BOW

UNARMED = reason("nova-cannon-not-armed", "its nova cannon was not armed this turn")

NOT_AT_FIGHTERS = reason("not-at-fighters", "only anti-fighter weapons can fire at fighters")

Fires = tuple[Fire, ...]
# A ship, its fire at ships and asteroids, and its anti-fighter fire.
FiringTurn = tuple[ShipState, Fires, Fires]
ArcsRolled = dict[tuple[str, str], int]  # the arcs decided by a die, by ship and target


class Salvo:
    """The state of one ship's firing turn.

    Attributes:
        controls: The uses of FireCons: kind of weapon, target and system aimed at.
        detection: Which hidden targets were found or not, by id.
        fired: The indexes of the systems used.
        hits: Damage points by target so far.
        needled: Targets and systems that needle beams hit.
    """

    __slots__ = ("controls", "detection", "fired", "hits", "needled")

    def __init__(self) -> None:
        self.hits: dict[str, int] = {}
        self.needled: list[tuple[str, str]] = []
        self.controls: list[tuple[str, str, str]] = []
        self.fired: list[int] = []
        self.detection: dict[str, bool] = {}

    def use_firecon(self, control: tuple[str, str, str]) -> None:
        """Set a FireCon to a use, unless one is set to it already."""
        if control not in self.controls:
            self.controls.append(control)

    def add_points(self, target: str, points: int) -> None:
        """Add damage points that a target takes at the end of the firing turn."""
        self.hits[target] = self.hits.get(target, 0) + points


def may_fire(
    state: BattleState, ships: dict[str, ShipState], ship: ShipState, fires: tuple[Fire, ...]
) -> bool:
    """Return whether any of a ship's fire could be legal now, without rolling a die."""
    if ship.status != FIGHTING or ship.holds_fire:
        return False
    if ship.armed:
        return any(may_shoot(ship, fire) for fire in fires)
    if not ship.firecons:
        return False
    for fire in fires:
        index = ship.profile.index_of[fire.weapon]
        if _weapon_fault(ship, index):
            continue
        for name in fire.targets:
            if _is_legal(state, ships, ship=ship, index=index, fire=fire, name=name):
                return True
    return False


def _is_legal(
    state: BattleState,
    ships: dict[str, ShipState],
    ship: ShipState,
    index: int,
    fire: Fire,
    name: str,
) -> bool:
    """Return whether a weapon may fire at a ship or asteroid by its name."""
    target = ships.get(name)
    if target is None:
        return find_asteroid_target(state, ship, index, name) is not None
    return _is_in_reach(state, ship, index=index, fire=fire, target=target)


def _weapon_fault(ship: ShipState, index: int) -> str:
    """Return why a weapon cannot fire at anything, or "" if it can."""
    fit = ship.sheet.fits[index]
    if ship.docking >= DOCKED:
        return MADE_FAST
    weapon = ship.profile.weapons[index]
    if weapon.along == BOW:
        return UNARMED
    if not ship.alive[index]:
        return OUT_OF_ACTION
    if ship.dummy:
        return NO_WEAPONS
    if ship.sweeping and fit.offensive:
        return SWEEPING
    if weapon.once and not ship.stock[index]:
        return ALREADY_USED
    return ""


def tell_refusals(table: Table, ship: ShipState, fires: tuple[Fire, ...]) -> None:
    """Report why a ship still on the table does not fire at all."""
    if not table.listens or ship.status != FIGHTING:
        return
    fault = ""  # of all weapons of the ship
    if ship.holds_fire:
        fault = reason("ftl-drive-warming-up", "its FTL drive is warming up")
    elif ship.armed:
        fault = ALL_POWER
    elif not ship.firecons:
        fault = reason("no-working-firecon", "it has no working FireCon")
    for fire in fires:
        if not ship.armed:
            weapon_fault = _weapon_fault(ship, ship.profile.index_of[fire.weapon])
        else:
            weapon_fault = ""
        table.tell(
            ShotRefused,
            ship=ship.id,
            weapon=fire.weapon,
            targets=fire.targets,
            reason=weapon_fault or fault or _no_target_fault(fire),
        )


def _no_target_fault(fire: Fire) -> str:
    """Return the fault that no target of an order is legal."""
    if fire.system:
        return NO_SYSTEM
    return NO_TARGET


def _is_in_reach(
    state: BattleState, ship: ShipState, index: int, fire: Fire, target: ShipState
) -> bool:
    """Return whether a weapon may fire at a target.

    It must be hostile, identified, in range, in arc and in sight. A needle beam also needs the
    system it is aimed at.
    """
    if (
        target.status != FIGHTING
        or target.bogey
        or target.docking == BERTHED
        or not state.hostile[ship.commander] >> target.commander & 1
    ):
        return False
    dx, dy = target.x - ship.x, target.y - ship.y
    if dx * dx + dy * dy > ship.profile.reaches[index]:
        return False
    if not ship.profile.bears[index] & arcs_of(dx, dy, ship.course):
        return False
    if fire.system and not _is_known_to_have(target, fire.system):
        return False
    return not (state.pieces and is_blocked(state.pieces, (ship.x, ship.y), (target.x, target.y)))


def _is_known_to_have(target: ShipState, system: str) -> bool:
    """Return whether a ship shows a working system; a covered ship shows its cover's systems.

    Rules: 2E "Needle beams" [2e.needle-beams]
    """
    place = target.profile.index_of.get(system, -1)
    is_shown = any(fit.id == system for fit in (target.cover or target.sheet).fits)
    return is_shown and place >= 0 and target.alive[place] > 0


def _arc(table: Table, ship: ShipState, target: ShipState, arcs: ArcsRolled) -> int:
    """Return the arc a target is in this turn; on a line a die decides, odd the first arc.

    Rules: 2E "Fire arcs" [2e.arcs]
    """
    bits = arcs_of(target.x - ship.x, target.y - ship.y, ship.course)
    if not bits & (bits - 1):
        return bits
    key = (ship.id, target.id)
    if key not in arcs:
        arcs[key] = arc_by_die(table, bits, of=ship.id, at=target.id, names=ARC_NAMES)
    return arcs[key]


def fire_ship(
    table: Table,
    ships: dict[str, ShipState],
    ship: ShipState,
    fires: tuple[Fire, ...],
    arcs: ArcsRolled,
) -> bool:
    """Take one ship's firing turn: all dice, then damage and threshold checks.

    Every target takes a FireCon; a weapon fires once, with all its dice at one target.

    Returns:
        Whether anything fired.

    Rules: 2E "Fire control systems" [2e.fire-control]; 2E "Beam weapon batteries" [2e.beams]
    """
    if ship.armed:
        fire_nova(table, ship, fires)
        return True
    salvo = Salvo()
    for fire in fires:
        fault = _fire_weapon(table, ships, ship=ship, fire=fire, salvo=salvo, arcs=arcs)
        if fault and table.listens:
            table.tell(
                ShotRefused, ship=ship.id, weapon=fire.weapon, targets=fire.targets, reason=fault
            )
    for name, system in salvo.needled:
        _destroy_system(table, ships[name], system, ship)
    for name, points in salvo.hits.items():
        if name in ships:
            mark_damage(table, ships[name], points=points, cause=f"fire:{ship.id}", die=0)
        else:
            rock = find_breakable(table.state, name)
            if rock is not None:
                rock.take_damage(table, points, f"fire:{ship.id}")
    return bool(salvo.fired)


def _shot_of(ship: ShipState, fit: Fit, fire: Fire, target: ShipState) -> Shot:
    """Return the shot of a weapon at a target, with its distance and screens."""
    distance = length_of(target.x - ship.x, target.y - ship.y)
    return Shot(
        subject=f"{ship.id}/{fire.weapon}",
        distance=distance,
        true_distance=distance,
        size=fit.size,
        variant=fit.variant,
        flags=fit.flags,
        mode=fire.mode,
        screens=target.screens,
        mass=target.sheet.mass,
        velocity=target.velocity,
    )


def shot_at(state: BattleState, ship: ShipState, index: int, target: ShipState) -> Shot | None:
    """Return the shot of a weapon (its index in `fits`) at a ship, or None if it may not fire now.

    Rules: 2E "Fire arcs" [2e.arcs]; 2E "Beam weapon batteries" [2e.beams]
    """
    fit = ship.sheet.fits[index]
    fire = Fire(fit.id, (target.id,))
    if _weapon_fault(ship, index):
        return None
    if not _is_in_reach(state, ship, index=index, fire=fire, target=target):
        return None
    return _shot_of(ship, fit, fire, target)


def _destroy_system(table: Table, target: ShipState, system: str, by: ShipState) -> None:
    """Destroy a system that a needle beam hit, unless another one destroyed it first.

    Rules: 2E "Needle beams" [2e.needle-beams]
    """
    if not _is_known_to_have(target, system):
        return
    target.lose_systems((system,))
    if table.listens:
        table.tell(SystemLost, ship=target.id, system=system, cause=f"fire:{by.id}")


def _fire_weapon(
    table: Table,
    ships: dict[str, ShipState],
    ship: ShipState,
    fire: Fire,
    salvo: Salvo,
    arcs: ArcsRolled,
) -> str:
    """Fire one weapon at the first legal target; return why it does not fire, or ""."""
    state = table.state
    index = ship.profile.index_of[fire.weapon]
    if index in salvo.fired:
        return reason("has-fired", "it has already fired this turn")
    if fault := _weapon_fault(ship, index):
        return fault
    weapon = ship.profile.weapons[index]
    fault = _no_target_fault(fire)
    for name in fire.targets:
        if not _is_legal(state, ships, ship=ship, index=index, fire=fire, name=name):
            continue
        control = (weapon.control, name, fire.system)
        if control not in salvo.controls and len(salvo.controls) >= ship.firecons:
            fault = reason("no-firecon-free-target", "no FireCon is free for its target")
            continue
        target = ships.get(name)
        arc = 0
        if target is not None:
            arc = _arc(table, ship, target, arcs)
            if not ship.profile.bears[index] & arc:
                continue
            if state.pieces and not finds_target(table, ship, target, salvo.detection):
                fault = NOT_FOUND
                continue
        reveal_ship(table, ship, fire.weapon)
        salvo.use_firecon(control)
        salvo.fired.append(index)
        if target is None:
            salvo.add_points(name, shoot_asteroid(table, ship, index, name))
        else:
            _roll_fire(table, ship, index=index, fire=fire, target=target, arc=arc, salvo=salvo)
        return ""
    return fault


def _roll_fire(
    table: Table, ship: ShipState, index: int, fire: Fire, target: ShipState, arc: int, salvo: Salvo
) -> None:
    """Roll a weapon's dice at a target, and add the results to the salvo.

    Rules: 2E "Fire arcs" [2e.arcs]
    """
    weapon = ship.profile.weapons[index]
    fit = ship.sheet.fits[index]
    shot = _shot_of(ship, fit, fire, target)
    assert weapon.fire is not None
    effect = weapon.fire(shot, table.dice)
    points = 0
    for typed in effect.damage_types:
        points += typed.points
    if points or not fire.system:
        salvo.add_points(target.id, points)
    if effect.needled:
        salvo.needled.append((target.id, fire.system))
    if weapon.once:
        ship.stock[index] = 0
    if table.listens:
        table.tell(weapon.make_event, ship.id, fire, target.id, ARC_NAMES[arc], shot, effect)


def fire_phase(table: Table, orders: Mapping[int, FireOrders]) -> None:
    """Resolve a turn's fire.

    Dogfights come first. Then sides alternate ship by ship; the side with more real ships in play
    starts, and equal numbers are decided by dice. A ship without orders, destroyed, or without a
    legal target is skipped, but one under attack takes a turn for its anti-fighter weapons.
    Fighters strike after the firing turn of the ship they attack, or last if it takes none.

    Args:
        orders: Each side's fire in the order of its ships' firing turns.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    attacks: list[Attack] = []
    if table.state.has(Group):
        dogfight_round(table, orders)
        attacks = declare_attacks(table, orders)
    take_firing_turns(table, orders, attacks)
    if attacks:
        resolve_remaining(table, attacks)


def take_firing_turns(
    table: Table,
    orders: Mapping[int, FireOrders],
    attacks: list[Attack],
    order: list[int] | None = None,
    only: Collection[str] | None = None,
) -> None:
    """Let sides alternate ship by ship until no ordered fire is left.

    Args:
        attacks: The attacks of fighters that are still to come.
        order: The order of the sides; None: by ships and dice.
        only: The ids of the ships that may take a turn; None: all.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    state = table.state
    ships: dict[str, ShipState] = {ship.id: ship for ship in state.ships}
    arcs: ArcsRolled = {}
    docked = any(ship.docking for ship in state.ships)
    waiting = _waiting_turns(table, ships, orders, attacks, only)
    if order is None:
        order = side_order(table, list(waiting))
    while waiting:
        for side in order:
            turns = waiting.get(side, [])
            _take_next_turn(table, ships, turns=turns, attacks=attacks, arcs=arcs, docked=docked)
            if not turns:
                waiting.pop(side, None)


def _waiting_turns(
    table: Table,
    ships: dict[str, ShipState],
    orders: Mapping[int, FireOrders],
    attacks: list[Attack],
    only: Collection[str] | None,
) -> dict[int, list[FiringTurn]]:
    """Return the firing turns of sides that can fire, last turn first; refuse the others' fire."""
    state = table.state
    waiting: dict[int, list[FiringTurn]] = {}
    for side in range(len(state.sides)):
        turns = _firing_turns(
            table, ships, fire_orders=orders.get(side, ()), side=side, attacks=attacks
        )
        if only is not None:
            turns = [turn for turn in turns if turn[0].id in only]
        if any(_can_take_turn(state, ships, turn, attacks) for turn in turns):
            turns.reverse()
            waiting[side] = turns
        else:
            for turn in turns:
                _refuse_turn(table, turn)
    return waiting


def _take_next_turn(
    table: Table,
    ships: dict[str, ShipState],
    turns: list[FiringTurn],
    attacks: list[Attack],
    arcs: ArcsRolled,
    *,
    docked: bool,
) -> None:
    """Take a side's turns from the end of the list until a ship has fired."""
    state = table.state
    while turns:
        turn = turns.pop()
        if not _can_take_turn(state, ships, turn, attacks):
            _refuse_turn(table, turn)
            continue
        has_fired = _take_firing_turn(table, ships, turn=turn, attacks=attacks, arcs=arcs)
        if docked:
            state.share_screens()
        if has_fired:
            return


def _firing_turns(
    table: Table,
    ships: dict[str, ShipState],
    fire_orders: FireOrders | tuple[()],
    side: int,
    attacks: list[Attack],
) -> list[FiringTurn]:
    """Return a side's firing turns: as ordered, then ships under attack without orders."""
    state = table.state
    gun_targets: Container[str] = ships
    if ASTEROID_DESTRUCTION in state.terms.options:
        asteroid_ids = {piece.id for piece in state.pieces if piece.body}
        gun_targets = asteroid_ids.union(ships)
    turns: list[FiringTurn] = []
    for name, fires in fire_orders:
        if fires and name in ships:
            turns.append(_sort_fire(table, gun_targets, ships[name], fires))
    ordered_ships = [ship for ship, _, _ in turns]
    for ship in _attacked_ships(state, side, attacks):
        if ship not in ordered_ships:
            turns.append((ship, (), ()))
    return turns


def _attacked_ships(state: BattleState, side: int, attacks: list[Attack]) -> list[ShipState]:
    """Return a side's ships that fighters attack, in file order."""
    if not attacks:
        return []
    attacked_ids = {attack.ship.id for attack in attacks if attack.ship is not None}
    own_ships = [ship for ship in state.ships if ship.commander == side]
    return [ship for ship in own_ships if ship.id in attacked_ids]


def _sort_fire(
    table: Table, gun_targets: Container[str], ship: ShipState, fires: Fires
) -> FiringTurn:
    """Split a ship's fire into fire at ships or asteroids and anti-fighter fire; refuse the rest.

    Args:
        gun_targets: The ids that guns may be aimed at.
    """
    anti_fighter_weapons = ship.profile.having.get(ANTI_FIGHTER, ())
    anti_fighter_fire: list[Fire] = []
    guns: list[Fire] = []
    last: tuple[str, ...] = ()  # orders often share one tuple of targets, which is checked once
    for fire in fires:
        if anti_fighter_weapons and ship.profile.index_of.get(fire.weapon) in anti_fighter_weapons:
            anti_fighter_fire.append(fire)
            continue
        if fire.targets is not last and not all(name in gun_targets for name in fire.targets):
            targets = tuple(name for name in fire.targets if name in gun_targets)
            if not targets:
                table.tell(
                    ShotRefused,
                    ship=ship.id,
                    weapon=fire.weapon,
                    targets=fire.targets,
                    reason=NOT_AT_FIGHTERS,
                )
                continue
            fire = replace(fire, targets=targets)
        last = fire.targets
        guns.append(fire)
    return ship, tuple(guns), tuple(anti_fighter_fire)


def _can_take_turn(
    state: BattleState, ships: dict[str, ShipState], turn: FiringTurn, attacks: list[Attack]
) -> bool:
    """Return whether any weapon of a ship has a legal target now."""
    ship, guns, anti_fighter_fire = turn
    if may_fire(state, ships, ship, guns):
        return True
    return state.has(Group) and may_defend(state, ship, anti_fighter_fire, attacks)


def _refuse_turn(table: Table, turn: FiringTurn) -> None:
    """Report why a ship with orders takes no firing turn."""
    ship, guns, anti_fighter_fire = turn
    tell_refusals(table, ship, guns)
    if table.listens and ship.status == FIGHTING:
        for fire in anti_fighter_fire:
            table.tell(
                ShotRefused, ship=ship.id, weapon=fire.weapon, targets=fire.targets, reason=NO_GROUP
            )


def _take_firing_turn(
    table: Table,
    ships: dict[str, ShipState],
    turn: FiringTurn,
    attacks: list[Attack],
    arcs: ArcsRolled,
) -> bool:
    """Take one ship's firing turn, then the strikes of the fighters that attack it.

    Returns:
        Whether anything was fired.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    state = table.state
    ship, guns, anti_fighter_fire = turn
    shots = []
    if anti_fighter_fire or state.has(Group):
        shots = assign_shots(table, ship, anti_fighter_fire, attacks)
    # Without fighters the ship takes its turn only because its guns can fire.
    if not (attacks or anti_fighter_fire) or may_fire(state, ships, ship, guns):
        has_fired = fire_ship(table, ships, ship=ship, fires=guns, arcs=arcs)
    else:
        tell_refusals(table, ship, guns)
        has_fired = False
    defend(table, ship, shots)
    if not (has_fired or shots):
        return False
    if attacks:
        strike(table, attacks, ship)
    return True


def side_order(table: Table, firing: list[int]) -> list[int]:
    """Return the order in which sides fire: more real ships in play first, dice for equal numbers.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    state = table.state
    if len(firing) < 2:
        return firing
    numbers = dict.fromkeys(firing, 0)
    for ship in state.ships:
        if ship.status == FIGHTING and not ship.dummy and ship.commander in numbers:
            numbers[ship.commander] += 1
    rolls: Rolls = []
    order = rank_sides(numbers, state.sides, table.dice, rolls)
    if rolls and table.listens:
        table.tell(Initiative, tuple(rolls), tuple(state.sides[side] for side in order))
    return order

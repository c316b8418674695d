"""The ships' fire of Continuum: sides alternate ship by ship, and all fire is simultaneous.

Rules: Continuum "Sequence of play" 2.6 [pc.sequence]; Continuum "Fire control systems" 4.4
[pc.fire-control]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from engine.combat.detection import reveal_ship
from engine.combat.line_of_sight import NOT_FOUND, finds_target
from engine.combat.nova import ALL_POWER, CANNON, fire_nova
from engine.continuum.aiming import (
    ALL_ROUND,
    aim,
    apply_rear_attack,
    apply_stern_sensors,
    arc_of,
    arcs_for_fire,
    drop_bow_screens,
    firing_arcs,
)
from engine.continuum.area_fire import fire_line, fire_wave, refuse_flak
from engine.continuum.cores import no_command_reason
from engine.continuum.craft.gunboat_fire import fire_boats, planned_runs
from engine.continuum.damage import excess_of, mark_damage
from engine.continuum.defences import (
    can_be_reflected,
    damage_shooter,
    roll_reflex_fields,
    silence_reason,
)
from engine.continuum.fire_at_bodies import aim_at_rock, fire_at_rock
from engine.continuum.fire_at_craft import aim_at_group, fire_at_group, resolve_evasion
from engine.continuum.fire_control import (
    NO_FIRECON,
    OTHER_TARGET,
    Aftermath,
    FireControl,
    FirePhase,
    fire_mode_of,
    spend_shot,
    working_count_of,
)
from engine.continuum.fleet_morale import idle_fault
from engine.continuum.readings import knows_systems
from engine.core.geometry import AFT_6, SIX_ARC_NAMES
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING, HULL
from engine.core.orders import Fire, FireOrders
from engine.core.reason import reason
from engine.core.rolls import Effect, Rolls, Shot, TypedDamage, roll_off
from engine.core.sheet import Fit
from engine.core.ship import FREE, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import BOARDING, FLAK
from engine.core.versions import RANDOM_MOUNTS
from engine.events.boarding import LandingNotAgreed
from engine.events.fire import (
    ALREADY_FIRED,
    ALREADY_USED,
    NO_SYSTEM,
    NO_TARGET,
    NO_WEAPONS,
    OUT_OF_ACTION,
    SWEEPING,
    Initiative,
    ShotRefused,
)
from engine.movement.docking import docked_fire_fault
from engine.order_requests.order_of_others import OthersOrders, chosen_order
from engine.pieces.group import Group
from engine.pieces.piece import Harm
from engine.pieces.registry import before_fire
from engine.systems.outfit import marines_of, parties_of
from engine.weapons.registry import weapon_of
from engine.weapons.transporters import NO_MARINES
from engine.weapons.weapon import LINE, NO_WEAPON, Trait, Weapon

HOLDS = reason("ship-not-fire-turn", "its ship cannot fire this turn")
ALL_IN_WAVE = reason("all-in-wave", "its ship fires its wave gun, so nothing else can fire")
DEFENDED = reason("fired-point-defence-turn", "it was used for point defence this turn")
NO_ADVANCED = reason("no-advanced", "it needs an advanced FireCon for that")


NO_CHOICE = OthersOrders()

# The ships of each side that have yet to fire, with their fire.
WaitingShips = dict[int, list[tuple[ShipState, tuple[Fire, ...]]]]


def fire_phase(
    table: Table, orders: Mapping[int, FireOrders], others: OthersOrders = NO_CHOICE
) -> Aftermath:
    """Resolve the ships' fire: armour and hulls are marked at once, systems are checked later.

    Flak and nova templates of earlier turns come first. The side that wins the initiative fires
    with one ship first, then sides alternate; gunboats come last. Ships destroyed in this phase
    still fire.

    Args:
        others: In which order sides let the others act if they win.

    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    state = table.state
    ships: dict[str, ShipState] = {ship.id: ship for ship in state.ships}
    aftermath = Aftermath({ship.id: ship.damage for ship in state.ships})
    phase = FirePhase(table, ships, aftermath)
    refuse_flak(phase, orders)
    if state.pieces:
        before_fire(table, nova_damage(phase))
    gunboat_runs = planned_runs(state) if state.has(Group) else []
    waiting = _waiting_ships(phase, orders)
    order = _order_of_fire(phase, waiting, others)
    while waiting:
        for side in order:
            turns = waiting.get(side, [])
            if turns:
                ship, fires = turns.pop(0)
                fire_ship(phase, ship, fires)
                if not turns:
                    del waiting[side]
    if gunboat_runs:
        fire_boats(phase, gunboat_runs)
    return aftermath


def _order_of_fire(phase: FirePhase, waiting: WaitingShips, others: OthersOrders) -> list[int]:
    """Return the sides in the order in which they fire, those that cannot hit anything last."""
    table = phase.table
    firing_sides = []
    for side, ships in waiting.items():
        for ship, fires in ships:
            if can_fire(table.state, phase.ships, ship, fires=fires):
                firing_sides.append(side)
                break
    idle_sides = [side for side in waiting if side not in firing_sides]
    return [*side_order(table, firing_sides, others), *idle_sides]


def _waiting_ships(phase: FirePhase, orders: Mapping[int, FireOrders]) -> WaitingShips:
    """Return each side's ships with their fire in the order in which they fire, without flak.

    Ships that fire a wave gun are recorded in the phase, because their bow screens are down.
    """
    waiting: WaitingShips = {}
    for side in range(len(phase.table.state.sides)):
        for name, fires in orders.get(side, ()):
            ship = phase.ships.get(name)
            if ship is None or ship.status != FIGHTING:
                continue
            guns = tuple(fire for fire in fires if fire.mode != FLAK)
            if not guns:
                continue
            waiting.setdefault(side, []).append((ship, guns))
            if wave_gun_fire(phase.table.state, ship, guns) is not None:
                phase.bare.append(ship.id)
    return waiting


def nova_damage(phase: FirePhase) -> Harm:
    """Return the function that applies a nova template's damage to a ship.

    The damage ignores screens and armour; systems are checked with the rest of the turn's fire.

    Rules: Continuum "Nova cannon" 7.23 [pc.nova-cannon]
    """

    def mark(ship: ShipState, points: int, cause: str) -> None:
        mark_damage(phase.table, ship, (TypedDamage(points, HULL),), cause)

    return mark


def can_fire(
    state: BattleState,
    ships: Mapping[str, ShipState],
    ship: ShipState,
    fires: tuple[Fire, ...],
) -> bool:
    """Return whether a ship could fire any of its orders now; rolls no dice."""
    for fire in fires:
        if weapon_fault(state, ship, fire, FireControl()):
            continue
        if ship.profile.weapons[ship.profile.index_of[fire.weapon]].along:
            return True
        if _has_legal_target(state, ships, ship, fire):
            return True
    return False


def _has_legal_target(
    state: BattleState, ships: Mapping[str, ShipState], ship: ShipState, fire: Fire
) -> bool:
    """Return whether an order names anything that its weapon may fire at."""
    index = ship.profile.index_of[fire.weapon]
    if state.pieces:
        for name in fire.targets:
            if aim_at_rock(state, ship, index=index, fire=fire, name=name):
                return True
            if aim_at_group(state, ship, index=index, fire=fire, name=name):
                return True
    mode = fire_mode_of(ship, index, fire.mode)
    for name in fire.targets:
        target = ships.get(name)
        if target is None:
            continue
        if aim(state, ship, index=index, fire=fire, mode=mode, target=target) is not None:
            return True
    return False


def side_order(table: Table, firing: list[int], others: OthersOrders = NO_CHOICE) -> list[int]:
    """Return the sides in order of initiative, by a die for each side with fire to resolve.

    Ties roll again; a single side does not roll. If the winner chose the order of the others, only
    a tie for the highest die rolls again.

    Rules: Continuum "Sequence of play" 2.6 [pc.sequence] [pc.initiative-order]
    """
    state = table.state
    if len(firing) < 2:
        return firing
    rolls: Rolls = []
    order = roll_off(
        firing, state.sides, table.dice, rolls, partial(_chosen_order, state, others, firing)
    )
    if table.listens:
        table.tell(Initiative, tuple(rolls), tuple(state.sides[side] for side in order))
    return order


def _chosen_order(
    state: BattleState, others: OthersOrders, firing: Sequence[int], winner: int
) -> list[int] | None:
    """Return the other firing sides in the order that the winner chose; None for the dice."""
    order = chosen_order(state, others, winner)
    if order is None:
        return None
    return [side for side in order if side in firing]


def fire_ship(
    phase: FirePhase, ship: ShipState, fires: tuple[Fire, ...], used: list[int] | tuple[()] = ()
) -> None:
    """Resolve one ship's fire: all its dice at each target, then the damage.

    Args:
        used: The guns that have fired already, as places in `fits`.

    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    if ship.armed and not (no_command_reason(ship) or silence_reason(ship)):
        fire_nova(phase.table, ship, fires, nova_damage(phase))
        return
    control = FireControl(fired=list(used))
    if phase.table.state.pieces:
        resolve_evasion(phase, ship, fires)
    wave = wave_gun_fire(phase.table.state, ship, fires)
    for fire in fires:
        fault = _resolve_order(phase, ship, fire=fire, control=control, wave=wave)
        if fault and phase.table.listens:
            phase.table.tell(
                ShotRefused, ship=ship.id, weapon=fire.weapon, targets=fire.targets, reason=fault
            )
    returned_damage = roll_reflex_fields(phase.table, ship, control.hits)
    _mark_hits(phase, ship, control)
    damage_shooter(phase.table, ship, returned_damage)


def _resolve_order(
    phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl, wave: Fire | None
) -> str:
    """Fire one weapon as ordered and return the fault, or "".

    Args:
        wave: The order of a wave gun, which no other weapon may fire beside.
    """
    if wave is not None and fire is not wave:
        return ALL_IN_WAVE
    if fault := weapon_fault(phase.table.state, ship, fire, control):
        return fault
    if wave is not None:
        fire_wave(phase, ship, fire, control)
        return ""
    if ship.profile.weapons[ship.profile.index_of[fire.weapon]].along == LINE:
        return fire_line(phase, ship, fire, control)
    return _fire_weapon(phase, ship, fire, control)


def _mark_hits(phase: FirePhase, ship: ShipState, control: FireControl) -> None:
    """Mark the damage of a ship's fire, target by target."""
    damage_by_target: dict[ShipId, list[TypedDamage]] = {}
    for target, effect in control.hits:
        damage_by_target.setdefault(target.id, []).extend(effect.damage_types)
    for name, damage in damage_by_target.items():
        if damage:
            target = phase.ships[name]
            _note_excess(phase, target, tuple(damage))
            mark_damage(phase.table, target, tuple(damage), f"fire:{ship.id}")


def _note_excess(
    phase: FirePhase, target: ShipState, damage_types: tuple[TypedDamage, ...]
) -> None:
    """Record a volley's points beyond the target's last box, which may make it blow up."""
    excess = excess_of(phase.table.state, target, damage_types)
    if excess is not None:
        phase.aftermath.excess[target.id] = excess


def wave_gun_fire(state: BattleState, ship: ShipState, fires: tuple[Fire, ...]) -> Fire | None:
    """Return the order of a wave gun that fires this turn, or None.

    Rules: Continuum 7.24 [pc.wave-gun]
    """
    for place in ship.profile.having.get(Trait.CAPACITORS, ()):
        for fire in fires:
            if ship.profile.index_of[fire.weapon] == place and not weapon_fault(
                state, ship, fire, FireControl()
            ):
                return fire
    return None


def weapon_fault(state: BattleState, ship: ShipState, fire: Fire, control: FireControl) -> str:
    """Return the reason why a weapon cannot fire at any target this turn, or ""."""
    index = ship.profile.index_of[fire.weapon]
    fit = ship.sheet.fits[index]
    gun = ship.profile.weapons[index]
    if fault := _ship_fault(state, ship, fit, gun):
        return fault
    if not ship.alive[index]:
        return OUT_OF_ACTION
    if fault := _used_fault(ship, index, fire, control):
        return fault
    if fire.mode not in gun.modes:
        return reason("cannot-fire-mode", "it cannot fire in the mode '{}'", fire.mode)
    if fire.mode in gun.advanced and not working_count_of(ship, "advanced-firecon"):
        return NO_ADVANCED
    if gun.once and not ship.stock[index]:
        return ALREADY_USED
    if sends_marines(gun, fire.mode) and len(marines_of(ship)) <= control.away:
        return NO_MARINES
    return gun.unready_fault(ship, fit, fire.mode, state.turn)


def _used_fault(ship: ShipState, index: int, fire: Fire, control: FireControl) -> str:
    """Return the reason why a weapon has no shot left this turn, or ""."""
    if fire.weapon in ship.this_turn.point_defence_weapons:
        return DEFENDED
    if fire.weapon in ship.this_turn.flak_guns:
        return ALREADY_FIRED
    # A weapon that may fire twice is listed once for its first shot, any other weapon twice.
    shots_before_last = 1 if fire.mode in ship.profile.weapons[index].twice else 0
    if control.fired.count(index) > shots_before_last:
        return ALREADY_FIRED
    return ""


def _ship_fault(state: BattleState, ship: ShipState, fit: Fit, gun: Weapon) -> str:
    """Return the reason why the state of a ship keeps a weapon from firing, or ""."""
    if ship.dummy:
        return NO_WEAPONS
    if ship.docking != FREE and (fault := docked_fire_fault(state, ship)):
        return fault
    if fault := no_command_reason(ship) or silence_reason(ship):
        return fault
    if ship.record.withdrawing and (fault := idle_fault(ship)):
        return fault
    if ship.holds_fire and (gun.controlled or gun.along):
        return HOLDS
    if ship.armed and CANNON not in gun.traits:
        return ALL_POWER
    if ship.sweeping and fit.offensive:
        return SWEEPING
    return ""


def sends_marines(weapon: Weapon, mode: str) -> bool:
    """Return whether a shot sends marines.

    Rules: Continuum "Transporter beams" 5.9 [pc.transporters]
    """
    return bool(mode) and mode in weapon.at_system and Trait.CREWED_SHOTS in weapon.traits


def _fire_weapon(phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl) -> str:
    """Fire one weapon at the first legal target of its order; return the fault, or ""."""
    fault = NO_SYSTEM if fire.system else NO_TARGET
    for name in fire.targets:
        target = phase.ships.get(name)
        if target is not None:
            refusal = _fire_at_ship(phase, ship, fire=fire, control=control, target=target)
        elif phase.table.state.pieces:
            refusal = _fire_at_piece(phase, ship, fire=fire, control=control, name=name)
        else:
            continue
        if refusal == "":
            return ""
        fault = refusal or fault
    return fault


def _fire_at_piece(
    phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl, name: str
) -> str | None:
    """Fire a weapon at the named asteroid or group of craft.

    Returns:
        The fault, "" if it fired, or None if there is no such legal target.
    """
    state = phase.table.state
    index = ship.profile.index_of[fire.weapon]
    refusal: str | None = None
    at_rock = aim_at_rock(state, ship, index=index, fire=fire, name=name)
    if at_rock is not None:
        refusal = fire_at_rock(phase, ship, fire, control, *at_rock)
        if not refusal:
            return ""
    at_group = aim_at_group(state, ship, index=index, fire=fire, name=name)
    if at_group is not None:
        refusal = fire_at_group(phase, ship, fire, control, *at_group)
    return refusal


def _fire_at_ship(
    phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl, target: ShipState
) -> str | None:
    """Fire a weapon at a ship.

    Needle beams cannot pick out a system that the sensors do not find, but they still hit the ship.

    Returns:
        The fault, "" if it fired, or None if the ship is no legal target.
    """
    state = phase.table.state
    index = ship.profile.index_of[fire.weapon]
    fit = ship.sheet.fits[index]
    gun = ship.profile.weapons[index]
    mode = fire_mode_of(ship, index, fire.mode)
    shot = aim(state, ship, index=index, fire=fire, mode=mode, target=target)
    if shot is None:
        return None
    if fit.turret and control.turrets.get(fit.turret, target.id) != target.id:
        return OTHER_TARGET
    sniped = ""
    if mode in gun.snipes:
        if _finds_system(phase, ship, control, target=target, fire=fire, distance=shot.distance):
            sniped = fire.system
        else:
            shot.no_sensors = True
    firecons_needed = control.set_firecons() + control.needs(target.id, sniped)
    if gun.controlled and firecons_needed > ship.firecons:
        return NO_FIRECON
    arc = arc_of(phase.table, ship, target, phase.arcs)
    is_at_one_point = arcs_for_fire(state, ship, target.x, target.y) == ALL_ROUND
    if not (is_at_one_point or firing_arcs(state, ship, index, shot.distance) & arc):
        return None
    if state.pieces and not finds_target(phase.table, ship, target, control.detection):
        return NOT_FOUND
    reveal_ship(phase.table, ship, fire.weapon)
    control.commit(ship, index, fire=fire, target=target.id, sniped=sniped, distance=shot.distance)
    _roll_fire(phase, ship, fire=fire, control=control, target=target, shot=shot, arc=arc)
    return ""


def _finds_system(
    phase: FirePhase,
    ship: ShipState,
    control: FireControl,
    target: ShipState,
    fire: Fire,
    distance: float,
) -> bool:
    """Return whether a ship's sensors find the system, or on a closed sheet the type of weapon."""
    state = phase.table.state
    if not knows_systems(state, ship.commander, target) and not _is_type_of_weapon(state, fire):
        return False
    return control.can_find_system(ship, target.id, fire.system, distance)


def _is_type_of_weapon(state: BattleState, fire: Fire) -> bool:
    """Return whether a needle beam is aimed at any weapon of a type.

    Rules: Continuum "Needle beams" 5.13 [pc.random-mount]
    """
    if not state.terms.follows(RANDOM_MOUNTS):
        return False
    return weapon_of(state.terms.edition, fire.system) is not NO_WEAPON


def _roll_fire(
    phase: FirePhase,
    ship: ShipState,
    fire: Fire,
    control: FireControl,
    target: ShipState,
    shot: Shot,
    arc: int,
) -> None:
    """Roll a weapon's dice at a target and record the effects."""
    index = ship.profile.index_of[fire.weapon]
    gun = ship.profile.weapons[index]
    if arc == AFT_6:
        apply_stern_sensors(phase.table.state, ship, gun, shot)
    drop_bow_screens(phase, ship, target, shot)
    assert gun.fire is not None
    effect = gun.fire(shot, phase.table.dice)
    effect.energy = can_be_reflected(gun, shot.mode)
    apply_rear_attack(phase, ship, target, effect)
    control.hits.append((target, effect))
    boarding = BOARDING in phase.table.state.terms.options
    _note_effect(phase.aftermath, ship, target=target, fire=fire, effect=effect, boarding=boarding)
    if sends_marines(gun, shot.mode) and effect.damage and not effect.units_lost:
        control.away += 1
    if phase.table.listens:
        phase.table.tell(gun.make_event, ship.id, fire, target.id, SIX_ARC_NAMES[arc], shot, effect)
        if (effect.marines_landed or effect.units_landed) and not boarding:
            phase.table.tell(LandingNotAgreed, ship.id, fire.weapon)
    spend_shot(phase.table, ship, index=index, mode=shot.mode, effect=effect)


def _note_effect(
    aftermath: Aftermath,
    ship: ShipState,
    target: ShipState,
    fire: Fire,
    effect: Effect,
    boarding: bool,
) -> None:
    """Record the effects that later phases of the turn resolve."""
    if effect.needled:
        aftermath.needled.append((target.id, fire.system, ship.id))
    if effect.emp:
        aftermath.emp.append((target.id, effect.emp, fire.spread, ship.id))
    if effect.marines_landed and boarding:
        aftermath.brought.append((target.id, effect.marines_landed, ship.commander))
    if effect.units_landed and boarding:
        _send_boarders(aftermath, ship, target=target, fire=fire, hits=effect.units_landed)


def _send_boarders(
    aftermath: Aftermath, ship: ShipState, target: ShipState, fire: Fire, hits: int
) -> None:
    """Record the boarders sent by a transporter, one for each hit, marines first.

    No more go than were ordered and are left.

    Rules: Continuum "Transporter beams" 5.9 [pc.transporters]
    """
    marines_left = len(marines_of(ship))
    parties_left = parties_of(ship)
    for _, marines_sent, parties_sent, sender in aftermath.landed:
        if sender == ship.id:
            marines_left -= marines_sent
            parties_left -= parties_sent
    ordered_marines, ordered_parties = fire.boarders or (hits, 0)
    marines = min(hits, ordered_marines, marines_left)
    parties = min(hits - marines, ordered_parties, parties_left)
    if marines + parties > 0:
        aftermath.landed.append((target.id, max(marines, 0), max(parties, 0), ship.id))

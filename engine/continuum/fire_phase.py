"""The ships' fire of Continuum: sides alternate ship by ship, all fire counts as simultaneous.

Rules: Continuum "Sequence of play" 2.6 [pc.sequence]; Continuum "Fire control systems" 4.4
[pc.fire-control]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.detection import give_away
from engine.combat.lines import NOT_FOUND, found
from engine.combat.nova import ALL_POWER, CANNON, fire_nova
from engine.continuum.aiming import aim, arc_of, bare_bow, bearing, past_armour, through_stern
from engine.continuum.cores import uncommanded
from engine.continuum.craft.boats import fire_boats, runs_to_come
from engine.continuum.damage import excess_of, mark_damage
from engine.continuum.defences import gives_back, reflexes, silenced, strike_back
from engine.continuum.fire_at_bodies import aim_at_rock, fire_at_rock
from engine.continuum.fire_at_craft import aim_at_group, evades, fire_at_group
from engine.continuum.fire_control import (
    NO_FIRECON,
    OTHER_TARGET,
    Aftermath,
    FireControl,
    FirePhase,
    pay,
    way_of,
    working,
)
from engine.continuum.fleet_morale import lies_to
from engine.continuum.readings import systems_known
from engine.continuum.swept_fire import burst_flak, fire_line, fire_wave
from engine.core.geometry import AFT_6, SIX_ARC_NAMES
from engine.core.kinds import FIGHTING, HULL
from engine.core.orders import Fire, FireOrders
from engine.core.reason import reason
from engine.core.rolls import Effect, Rolls, Shot, TypedDamage, dice_off
from engine.core.ship import DOCKED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import BOARDING, FLAK
from engine.core.versions import NEEDLES_BEYOND_SENSORS
from engine.events.boarding import LandingNotAgreed
from engine.events.fire import (
    FIRED,
    MADE_FAST,
    NO_SYSTEM,
    NO_TARGET,
    NO_WEAPONS,
    OUT_OF_ACTION,
    SPENT,
    SWEEPING,
    Initiative,
    ShotRefused,
)
from engine.pieces.group import Group
from engine.pieces.piece import Harm
from engine.pieces.registry import before_fire
from engine.systems.outfit import marines_of, parties_of
from engine.weapons.transporters import NO_MARINES
from engine.weapons.weapon import LINE, Trait, Weapon

NO_SENSORS = reason(
    "no-sensors-ship-find", "no sensors of its ship find that system at such a range"
)
HOLDS = reason("ship-not-fire-turn", "its ship may not fire this turn")
ALL_IN_WAVE = reason("all-in-wave", "its ship fires its wave gun and nothing else")
DEFENDED = reason("fired-point-defence-turn", "it fired as point defence this turn")
NO_ADVANCED = reason("no-advanced", "it needs an advanced FireCon for that")


def fire_phase(table: Table, orders: Mapping[int, FireOrders]) -> Aftermath:
    """Resolve the ships' fire in place: armour and hulls are marked at once, systems are checked
    later.

    Flak and nova templates of earlier turns come first. The side that wins the initiative fires a
    ship first, then sides alternate; gunboats come last. Who is shot to pieces in this phase still
    has its turn.
    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    state = table.state
    ships: dict[str, ShipState] = {ship.id: ship for ship in state.ships}
    aftermath = Aftermath({ship.id: ship.damage for ship in state.ships})
    phase = FirePhase(table, ships, aftermath)
    used = burst_flak(phase, orders)
    if state.pieces:
        before_fire(table, harm(phase))
    boats = runs_to_come(state) if state.has(Group) else []
    waiting: dict[int, list[tuple[ShipState, tuple[Fire, ...]]]] = {}
    for side in range(len(state.sides)):
        turns = [
            (ships[name], _but_flak(fires, used.get(name)))
            for name, fires in orders.get(side, ())
            if name in ships
        ]
        turns = [(ship, fires) for ship, fires in turns if fires and ship.status == FIGHTING]
        phase.bare += [
            ship.id for ship, fires in turns if wave_fire(ship, fires, table.turn) is not None
        ]
        if turns:
            waiting[side] = turns
    able = [
        side
        for side, turns in waiting.items()
        if any(has_fire(state, ships, *one, table.turn) for one in turns)
    ]
    order = [*side_order(table, able), *(side for side in waiting if side not in able)]
    while waiting:
        for side in order:
            turns = waiting.get(side, [])
            if turns:
                ship, fires = turns.pop(0)
                fire_ship(phase, ship, fires, used.get(ship.id, ()))
                if not turns:
                    del waiting[side]
    if boats:
        fire_boats(phase, boats)
    return aftermath


def _but_flak(fires: tuple[Fire, ...], used: list[int] | None) -> tuple[Fire, ...]:
    return fires if used is None else tuple(fire for fire in fires if fire.mode != FLAK)


def harm(phase: FirePhase) -> Harm:
    """Mark what a nova template does to a ship: past screens and armour, checked with the rest of
    the turn's fire.

    Rules: Continuum "Nova cannon" 7.23 [pc.nova-cannon]
    """

    def mark(ship: ShipState, points: int, cause: str) -> None:
        mark_damage(phase.table, ship, (TypedDamage(points, HULL),), cause)

    return mark


def has_fire(
    state: BattleState,
    ships: Mapping[str, ShipState],
    ship: ShipState,
    fires: tuple[Fire, ...],
    turn: int,
) -> bool:
    """Whether anything a ship was told to fire could be fired now; no die is thrown for it."""
    for fire in fires:
        if why_not(ship, fire, FireControl(), turn):
            continue
        index = ship.profile.index_of[fire.weapon]
        if ship.profile.weapons[index].along:
            return True
        mode = way_of(ship, index, fire.mode)
        if state.pieces and any(
            aim_at_rock(state, ship, index, fire, name)
            or aim_at_group(state, ship, index, fire, name)
            for name in fire.targets
        ):
            return True
        found = (ships[name] for name in fire.targets if name in ships)
        if any(aim(state, ship, index, fire, mode, target) is not None for target in found):
            return True
    return False


def side_order(table: Table, firing: list[int]) -> list[int]:
    """The sides in their order of initiative: a die each among those with fire to resolve, ties
    again; one alone throws none.

    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    state = table.state
    if len(firing) < 2:
        return firing
    rolls: Rolls = []
    order = dice_off(firing, state.sides, table.dice, rolls)
    if table.listens:
        table.tell(Initiative, tuple(rolls), tuple(state.sides[side] for side in order))
    return order


def fire_ship(
    phase: FirePhase, ship: ShipState, fires: tuple[Fire, ...], used: list[int] | tuple[()] = ()
) -> None:
    """One ship's firing turn: all its dice at each target, then the damage.

    `used`: places of guns that have fired.

    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    if ship.armed and not (uncommanded(ship) or silenced(ship)):
        fire_nova(phase.table, ship, fires, harm(phase))
        return
    control = FireControl(fired=list(used))
    if phase.table.state.pieces:
        evades(phase, ship, fires)
    wave = wave_fire(ship, fires, phase.table.turn)
    for fire in fires:
        if wave is not None and fire is not wave:
            why = ALL_IN_WAVE
        elif why := why_not(ship, fire, control, phase.table.turn):
            pass
        elif wave is not None:
            fire_wave(phase, ship, fire, control)
        elif ship.profile.weapons[ship.profile.index_of[fire.weapon]].along == LINE:
            why = fire_line(phase, ship, fire, control)
        else:
            why = _fire_one(phase, ship, fire, control)
        if why and phase.table.listens:
            phase.table.tell(ShotRefused, ship.id, fire.weapon, fire.targets, why)
    back = reflexes(phase.table, ship, control.hits)
    for target in dict.fromkeys(target.id for target, _ in control.hits):
        damage_types = tuple(
            one
            for other, effect in control.hits
            if other.id == target
            for one in effect.damage_types
        )
        if damage_types:
            _note_excess(phase, phase.ships[target], damage_types)
            mark_damage(phase.table, phase.ships[target], damage_types, f"fire:{ship.id}")
    strike_back(phase.table, ship, back)


def _note_excess(
    phase: FirePhase, target: ShipState, damage_types: tuple[TypedDamage, ...]
) -> None:
    """The points of a volley beyond what is left of its target, where it may blow up by them."""
    excess = excess_of(phase.table.state, target, damage_types)
    if excess is not None:
        phase.aftermath.excess[target.id] = excess


def wave_fire(ship: ShipState, fires: tuple[Fire, ...], turn: int) -> Fire | None:
    """The fire of a wave gun that goes off this turn, None where none does.

    Rules: Continuum 7.24 [pc.wave-gun]
    """
    for place in ship.profile.having.get(Trait.CAPACITORS, ()):
        for fire in fires:
            if ship.profile.index_of[fire.weapon] == place and not why_not(
                ship, fire, FireControl(), turn
            ):
                return fire
    return None


def why_not(ship: ShipState, fire: Fire, control: FireControl, turn: int) -> str:
    """The reason why a weapon fires at nothing at all this turn, "" where it may."""
    index = ship.profile.index_of[fire.weapon]
    fit = ship.sheet.fits[index]
    gun = ship.profile.weapons[index]
    if ship.dummy:
        return NO_WEAPONS
    if ship.docking >= DOCKED:
        return MADE_FAST
    if why := uncommanded(ship) or silenced(ship):
        return why
    if ship.record.withdrawing and (why := lies_to(ship)):
        return why
    if ship.holds_fire and (gun.controlled or gun.along):
        return HOLDS
    if ship.armed and CANNON not in gun.traits:
        return ALL_POWER
    if ship.sweeping and fit.offensive:
        return SWEEPING
    if not ship.alive[index]:
        return OUT_OF_ACTION
    if fire.weapon in ship.this_turn.defended:
        return DEFENDED
    if fire.weapon in ship.this_turn.burst:
        return FIRED
    if control.fired.count(index) > (1 if fire.mode in gun.twice else 0):
        return FIRED
    if fire.mode not in gun.modes:
        return reason("cannot-fire-mode", "it cannot fire in the mode '{}'", fire.mode)
    if fire.mode in gun.advanced and not working(ship, "advanced-firecon"):
        return NO_ADVANCED
    if gun.once and not ship.stock[index]:
        return SPENT
    if sends_marines(gun, fire.mode) and len(marines_of(ship)) <= control.away:
        return NO_MARINES
    return gun.unready(ship, fit, fire.mode, turn)


def sends_marines(weapon: Weapon, mode: str) -> bool:
    """Whether a shot sends marines. Rules: Continuum "Transporter beams" 5.9 [pc.transporters]"""
    return bool(mode) and mode in weapon.at_system and Trait.CREWED_SHOTS in weapon.traits


def _fire_one(phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl) -> str:
    """Fire one weapon at the first of its targets that is legal; why it does not, or nothing where
    it did.

    A system its ship's sensors do not find is safe from a needle beam; the target itself is not.
    """
    index = ship.profile.index_of[fire.weapon]
    fit = ship.sheet.fits[index]
    gun = ship.profile.weapons[index]
    mode = way_of(ship, index, fire.mode)
    why = NO_SYSTEM if fire.system else NO_TARGET
    for name in fire.targets:
        target = phase.ships.get(name)
        if target is None and phase.table.state.pieces:
            at_rock = aim_at_rock(phase.table.state, ship, index, fire, name)
            if at_rock is not None:
                why = fire_at_rock(phase, ship, fire, control, *at_rock)
                if not why:
                    return ""
            at_group = aim_at_group(phase.table.state, ship, index, fire, name)
            if at_group is not None:
                why = fire_at_group(phase, ship, fire, control, *at_group)
                if not why:
                    return ""
            continue
        shot = None if target is None else aim(phase.table.state, ship, index, fire, mode, target)
        if target is None or shot is None:
            continue
        if fit.turret and control.turrets.get(fit.turret, name) != name:
            why = OTHER_TARGET
            continue
        snipes = mode in gun.snipes
        shot.no_sensors = snipes and not (
            systems_known(phase.table.state, ship.commander, target)
            and control.finds(ship, name, fire.system, shot.distance)
        )
        sniped = fire.system if snipes and not shot.no_sensors else ""
        if gun.controlled and control.used() + control.needs(name, sniped) > ship.firecons:
            why = NO_FIRECON
            continue
        if snipes and fire.system and not phase.table.state.terms.follows(NEEDLES_BEYOND_SENSORS):
            if shot.no_sensors:
                why = NO_SENSORS
                continue
            control.focus_on(name, sniped, shot.distance)
        arc = arc_of(phase.table, ship, target, phase.arcs)
        if not bearing(phase.table.state, ship, index, shot.distance) & arc:
            continue
        if phase.table.state.pieces and not found(phase.table, ship, target, control.sought):
            why = NOT_FOUND
            continue
        give_away(phase.table, ship, fire.weapon)
        if gun.controlled:
            control.set_to(name, sniped)
        if sniped:
            control.focus_on(name, sniped, shot.distance)
        control.fired += [index] if fire.mode in gun.twice else [index, index]
        if fit.turret:
            control.turrets[fit.turret] = name
        _shoot(phase, ship, fire, control, target, shot, arc)
        return ""
    return why


def _shoot(
    phase: FirePhase,
    ship: ShipState,
    fire: Fire,
    control: FireControl,
    target: ShipState,
    shot: Shot,
    arc: int,
) -> None:
    """Throw a weapon's dice at a target, and note what they did."""
    index = ship.profile.index_of[fire.weapon]
    gun = ship.profile.weapons[index]
    if arc == AFT_6:
        through_stern(phase.table.state, ship, gun, shot)
    bare_bow(phase, ship, target, shot)
    assert gun.fire is not None
    effect = gun.fire(shot, phase.table.dice)
    effect.energy = gives_back(gun, shot.mode)
    past_armour(phase, ship, target, effect)
    control.hits.append((target, effect))
    boarding = BOARDING in phase.table.state.terms.options
    _note_effect(phase.aftermath, ship, target, fire, effect, boarding)
    if sends_marines(gun, shot.mode) and effect.damage and not effect.lost:
        control.away += 1
    if phase.table.listens:
        phase.table.tell(gun.tells, ship.id, fire, target.id, SIX_ARC_NAMES[arc], shot, effect)
        if (effect.brought or effect.landed) and not boarding:
            phase.table.tell(LandingNotAgreed, ship.id, fire.weapon)
    pay(phase.table, ship, index, shot.mode, effect)


def _note_effect(
    aftermath: Aftermath,
    ship: ShipState,
    target: ShipState,
    fire: Fire,
    effect: Effect,
    boarding: bool,
) -> None:
    """What later phases of the turn settle."""
    if effect.needled:
        aftermath.needled.append((target.id, fire.system, ship.id))
    if effect.emp:
        aftermath.emp.append((target.id, effect.emp, fire.spread, ship.id))
    if effect.brought and boarding:
        aftermath.brought.append((target.id, effect.brought, ship.id))
    if effect.landed and boarding:
        _send(aftermath, ship, target, fire, effect.landed)


def _send(aftermath: Aftermath, ship: ShipState, target: ShipState, fire: Fire, hits: int) -> None:
    """Who goes aboard, one a hit, marines first: as many as were told to and are left.

    Rules: Continuum "Transporter beams" 5.9 [pc.transporters]
    """
    gone = [(marines, parties) for _, marines, parties, by in aftermath.landed if by == ship.id]
    wanted = fire.boarders or (hits, 0)
    marines = min(hits, wanted[0], len(marines_of(ship)) - sum(one for one, _ in gone))
    parties = min(hits - marines, wanted[1], parties_of(ship) - sum(one for _, one in gone))
    if marines + parties > 0:
        aftermath.landed.append((target.id, max(marines, 0), max(parties, 0), ship.id))

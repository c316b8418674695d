"""Decide whether a Continuum weapon may fire at a ship: range, arcs, turrets and line of sight.

Rules: Continuum "Fire arcs" 4.2 [pc.arcs]
"""

from __future__ import annotations

from dataclasses import replace

from engine.combat.line_of_sight import arc_by_die, is_blocked
from engine.continuum.damage import is_wrecked
from engine.continuum.defences import (
    ShotPath,
    defences_forbid,
    effective_distance,
    shot_over,
    shot_path,
)
from engine.continuum.fire_control import FirePhase, fire_mode_of
from engine.continuum.readings import is_sheet_closed, knowledge_of, knows_systems
from engine.core.geometry import (
    AFT_6,
    COURSES,
    FORE_6,
    NEAR,
    SIX_ARC_BITS,
    SIX_ARC_NAMES,
    is_within,
    six_arcs_of,
)
from engine.core.kinds import CAPTURED, FIGHTING, HULL, INSTALLATION, SHIP_SURRENDERED, ScanDetail
from engine.core.orders import Fire
from engine.core.rolls import Effect, Shot
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import AFT_FIRE, BOARDING, REAR_ATTACK
from engine.core.versions import ANY_ARC_AT_ONE_POINT
from engine.systems.sensors import suites_in_use
from engine.weapons.weapon import Trait, Weapon

ASTERN = Trait.ASTERN  # a constant, because looking up an enum member takes longer
ALL_ROUND = sum(SIX_ARC_BITS.values())  # the arcs of a weapon with no arcs on its sheet
# Range in MU of fire through the stern under thrust, by the kind of sensors.
STERN_REACH = {"superior-sensors": 36.0, "enhanced-sensors": 24.0}
SUPERIOR_STERN_MODIFIER = -1
# Crewed ships; hulks are not fired at.
FIRED_AT = (
    FIGHTING,
    CAPTURED,
    SHIP_SURRENDERED,
)
CORE = ("bridge", "life-support", "power-core")


def aim(
    state: BattleState,
    ship: ShipState,
    index: int,
    fire: Fire,
    mode: str,
    target: ShipState,
    bits: int = 0,
    path: ShotPath | None = None,
) -> Shot | None:
    """Return the shot of a weapon at a target, before any die; None if it may not fire.

    The target must be hostile, identified, not yet wrecked, in range, in arc and in sight.

    Args:
        index: The weapon's place in `fits`.
        mode: How the weapon fires.
        bits: The arcs that the target is in, if already known.
        path: The path of the shot, if already known; no body may block it.

    Rules: Continuum "Fire arcs" 4.2 [pc.arcs]; Continuum "Range bands" 4.3 [pc.beams]
    """
    weapon = ship.profile.weapons[index]
    if not may_be_shot(state, ship, target) and not _is_reinforcement(
        state, ship, weapon=weapon, mode=mode, target=target
    ):
        return None
    is_known_clear = path is not None
    path = path or shot_path(state, ship, target)
    counted_distance = effective_distance(weapon, path)
    if counted_distance > weapon.reach(ship.sheet.fits[index], mode) + NEAR:
        return None
    if defences_forbid(state, weapon, fire=fire, target=target, path=path):
        return None
    target_arcs = bits or arcs_to(ship, target.x, target.y)
    if not firing_arcs(state, ship, index, counted_distance) & target_arcs:
        return None
    if mode in weapon.at_system and not _may_pick_system(
        state, ship, weapon=weapon, mode=mode, fire=fire, target=target
    ):
        return None
    if (
        state.pieces
        and not is_known_clear
        and is_blocked(state.pieces, (ship.x, ship.y), (target.x, target.y))
    ):
        return None
    shot = shot_over(
        state, ship, index=index, fire=fire, target=target, path=path, distance=counted_distance
    )
    shot.mode = mode
    return shot


def _may_pick_system(
    state: BattleState, ship: ShipState, weapon: Weapon, mode: str, fire: Fire, target: ShipState
) -> bool:
    """Return whether a weapon may fire at the system that its order names."""
    snipes = mode in weapon.snipes
    if knows_systems(state, ship.commander, target):
        return may_have_system(state, ship.commander, target, fire.system, by_commandos=not snipes)
    # Any name will do here, so that no refusal reveals which systems the target has.
    return snipes and bool(fire.system)


def shot_at(state: BattleState, ship: ShipState, index: int, target: ShipState) -> Shot | None:
    """Return the shot of a weapon, as it is set or loaded, at a ship; None if it may not fire now.

    Weapons aimed at single systems give None.

    Args:
        index: The weapon's place in `fits`.

    Rules: Continuum "Fire arcs" 4.2 [pc.arcs]
    """
    fit = ship.sheet.fits[index]
    mode = fire_mode_of(ship, index, ordered_mode="")
    weapon = ship.profile.weapons[index]
    if (
        weapon.unready_fault(ship, fit, mode, state.turn)
        or fit.id in ship.this_turn.point_defence_weapons
    ):
        return None
    if mode in weapon.at_system:
        return None
    return aim(state, ship, index=index, fire=Fire(fit.id, (target.id,)), mode=mode, target=target)


def may_be_shot(state: BattleState, ship: ShipState, target: ShipState) -> bool:
    """Return whether a ship may fire at another, wherever both are.

    The target must be hostile, identified and not yet wrecked; a prize may be fired at.
    """
    if target.status not in FIRED_AT or target.bogey or target.docking == BERTHED:
        return False
    if is_wrecked(target) and target.status != CAPTURED:
        return False
    return bool(state.hostile[ship.commander] >> target.commander & 1)


def _is_reinforcement(
    state: BattleState, ship: ShipState, weapon: Weapon, mode: str, target: ShipState
) -> bool:
    """Return whether a transporter sends defenders or a prize crew to a friendly ship.

    Rules: Continuum "Transporter beams" 5.9 [pc.transporters]
    """
    return (
        Trait.CREWED_SHOTS in weapon.traits
        and not mode
        and target is not ship
        and BOARDING in state.terms.options
        and target.status in FIRED_AT
        and target.docking != BERTHED
        and not state.hostile[ship.commander] >> target.commander & 1
    )


def has_system(target: ShipState, system: str, *, by_commandos: bool = False) -> bool:
    """Return whether a ship has a working system that fire may pick out.

    Args:
        by_commandos: Whether commandos attack it, who reach no system buried like a core system.

    Rules: Continuum "Needle beams" 5.13 [pc.needle-beams]; Continuum "Transporter beams" 5.9
    [pc.transporters]
    """
    place = target.profile.index_of.get(system, -1)
    return (
        place >= 0
        and target.alive[place] > 0
        and _can_be_picked_out(target, place, by_commandos=by_commandos)
    )


def may_have_system(
    state: BattleState, side: int, target: ShipState, system: str, *, by_commandos: bool = False
) -> bool:
    """Return whether, as far as a side knows, a ship has a working system that fire may pick out.

    If the record sheet is closed, only the side's scans count, so that no refusal reveals which
    systems are lost.

    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]; "Needle beams" 5.13 [pc.needle-beams]
    """
    if not is_sheet_closed(state, side, target):
        return has_system(target, system, by_commandos=by_commandos)
    place = target.profile.index_of.get(system, -1)
    if place < 0 or not _can_be_picked_out(target, place, by_commandos=by_commandos):
        return False
    known_losses = 0
    if knowledge_of(state, side, target) is ScanDetail.EVERYTHING:
        known_losses = target.record.scanned_losses.get(f"{side}/{system}", 0)
    return target.profile.undamaged[place] > known_losses


def _can_be_picked_out(target: ShipState, place: int, *, by_commandos: bool) -> bool:
    """Return whether fire may pick out the system at a place of the sheet."""
    if target.sheet.fits[place].type in CORE:
        return False
    return not (by_commandos and Trait.BURIED in target.profile.weapons[place].traits)


def arcs_to(ship: ShipState, x: float, y: float) -> int:
    """Return the arcs (bits) of a ship that contain a point: two if it is on the line between them.

    A rolled ship has port and starboard exchanged. A point at the ship's own place in an orbit is
    in all arcs, and counts as in the fore arc.

    Rules: Continuum "Fire arcs" 4.2 [pc.arcs]; Continuum "Rolling ships" 16.2 [pc.rolling];
    Continuum "Medium scale" 17.8 [pc.planets]
    """
    dx, dy = x - ship.x, y - ship.y
    if ship.record.orbit and is_within(dx * dx + dy * dy, 0.0):
        return ALL_ROUND
    if ship.record.rolled:
        ux, uy = COURSES[ship.course]
        right = dx * uy - dy * ux
        dx, dy = dx - 2 * right * uy, dy + 2 * right * ux
    return six_arcs_of(dx, dy, ship.course, ship.sheet.beta)


def arcs_for_fire(state: BattleState, ship: ShipState, x: float, y: float) -> int:
    """Return the arcs (bits) through which a ship may fire at a point.

    By the rules before 1.1, it fires at its own place in an orbit only through the fore arc.

    Rules: Continuum "Medium scale" 17.8 [pc.planets]
    """
    bits = arcs_to(ship, x, y)
    if bits == ALL_ROUND and not state.terms.follows(ANY_ARC_AT_ONE_POINT):
        return FORE_6
    return bits


def mounted_arcs(ship: ShipState, index: int) -> int:
    """Return the arcs (bits) that a weapon is mounted for; in a turret, the arc the turret faces.

    Rules: Continuum "Turrets" 5.22 [pc.turrets]
    """
    fit = ship.sheet.fits[index]
    if not fit.turret:
        return ship.profile.bears[index] or ALL_ROUND
    turret = ship.sheet.fits[ship.profile.index_of[fit.turret]]
    return SIX_ARC_BITS[turret.arcs[ship.record.facing.get(turret.id, 0)]]


def firing_arcs(state: BattleState, ship: ShipState, index: int, distance: float) -> int:
    """Return the arcs (bits) that a weapon may fire through now at this range.

    A weapon in a turret fires through the arc the turret faces. Offensive weapons fire through the
    stern only on a base, or if the option is agreed and the ship used no thrust this turn, or as
    far as its sensors allow.

    Rules: Continuum "Fire arcs" 4.2 [pc.arcs]; Continuum "Turrets" 5.22 [pc.turrets]
    """
    bits = mounted_arcs(ship, index)
    if not bits & AFT_6 or fires_through_stern(state, ship, ship.profile.weapons[index]):
        return bits
    sensors = stern_sensors(ship)
    if sensors and distance <= STERN_REACH[sensors] + NEAR:
        return bits
    return bits & ~AFT_6


def fires_through_stern(state: BattleState, ship: ShipState, weapon: Weapon) -> bool:
    """Return whether a weapon fires through the stern as through any other arc.

    Rules: Continuum 4.2 [pc.arcs]
    """
    if ASTERN in weapon.traits or ship.sheet.kind == INSTALLATION or ship.record.section:
        return True
    return AFT_FIRE in state.terms.options and not ship.this_turn.thrust_used


def stern_sensors(ship: ShipState) -> str:
    """Return the best working sensors that help fire through the stern, or "".

    Rules: Continuum "Enhanced sensors", "Superior sensors" 13.13 [pc.arcs]
    """
    for type_ in STERN_REACH:
        if suites_in_use(ship, type_):
            return type_
    return ""


def apply_stern_sensors(state: BattleState, ship: ShipState, weapon: Weapon, shot: Shot) -> None:
    """Weaken a shot through the stern according to the ship's sensors.

    With enhanced sensors only sixes hit; with superior ones each die is one lower.

    Rules: Continuum "Enhanced sensors", "Superior sensors" 13.13 [pc.arcs]
    """
    if fires_through_stern(state, ship, weapon):
        return
    if stern_sensors(ship) == "superior-sensors":
        shot.modifier += SUPERIOR_STERN_MODIFIER
    else:
        shot.stern = True


def arc_of(
    table: Table, ship: ShipState, target: ShipState, arcs: dict[tuple[str, str], int]
) -> int:
    """Return the one arc of a ship that contains a target this turn.

    On the line between two arcs a die decides: odd means the first arc in the list.

    Rules: Continuum "Fire arcs" 4.2 [pc.arcs]
    """
    bits = arcs_to(ship, target.x, target.y)
    if bits == ALL_ROUND:
        return FORE_6
    if not bits & (bits - 1):
        return bits
    key = (ship.id, target.id)
    if key not in arcs:
        arcs[key] = arc_by_die(table, bits, of=ship.id, at=target.id, names=SIX_ARC_NAMES)
    return arcs[key]


def _arc_hit(phase: FirePhase, target: ShipState, ship: ShipState) -> int:
    """Return the arc of a target through which a ship fires at it."""
    return arc_of(phase.table, target, ship, phase.arcs)


def drop_bow_screens(phase: FirePhase, ship: ShipState, target: ShipState, shot: Shot) -> None:
    """Ignore the screens of a ship firing its wave gun, for a shot through its fore arc.

    Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
    """
    if target.id in phase.bare and _arc_hit(phase, target, ship) == FORE_6:
        shot.screens = shot.advanced = 0


def apply_rear_attack(phase: FirePhase, ship: ShipState, target: ShipState, effect: Effect) -> None:
    """Let fire through a ship's stern bypass its armour, if the option is agreed.

    Starbases and sections have no rear.

    Rules: Continuum "Rear arc attacks" 4.10 [pc.rear-attack]
    """
    if REAR_ATTACK not in phase.table.state.terms.options:
        return
    if target.sheet.kind == INSTALLATION or target.record.section:
        return
    if effect.damage_types and target.armour and _arc_hit(phase, target, ship) == AFT_6:
        effect.damage_types = tuple(replace(typed, kind=HULL) for typed in effect.damage_types)

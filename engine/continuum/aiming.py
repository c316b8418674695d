"""Whether a weapon of Continuum may fire at a ship: range, arcs, turrets, the stern, and what lies
between.

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
from engine.core.versions import TORPEDOES_ABOARD
from engine.systems.sensors import suites_in_use
from engine.weapons.weapon import Trait, Weapon

ASTERN = Trait.ASTERN  # by itself: looking a trait up takes longer than asking a row for it
ALL_ROUND = sum(SIX_ARC_BITS.values())  # what has no arcs on its sheet bears through them all
# Through the stern under thrust: MU up to which each kind of sensors lets weapons fire.
STERN_REACH = {"superior-sensors": 36.0, "enhanced-sensors": 24.0}
SUPERIOR_STERN_MODIFIER = -1
FIRED_AT = (
    FIGHTING,
    CAPTURED,
    SHIP_SURRENDERED,
)  # ships with somebody aboard; a hulk is left alone
CORE = ("bridge", "life-support", "power-core")


def is_weapon_allowed(state: BattleState, weapon: Weapon) -> bool:
    """Whether a weapon is fired at all by the rules that a battle is fought by."""
    return not weapon.fed or state.terms.follows(TORPEDOES_ABOARD)


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
    """The shot of a weapon (its place in `fits`) at a target it may fire at, before any die; None
    where it may not.

    The target is hostile, identified, whole enough, in range, arcs and sight. `mode`: how the
    weapon fires. `bits`: the arcs that the target lies in, where they are known already; `way`:
    what lies between, where that is known already, and that no body does.
    Rules: Continuum "Fire arcs" 4.2 [pc.arcs]; Continuum "Range bands" 4.3 [pc.beams]
    """
    weapon = ship.profile.weapons[index]
    if not is_weapon_allowed(state, weapon):
        return None
    if not may_be_shot(state, ship, target) and not _is_reinforcement(
        state, ship, weapon, mode, target
    ):
        return None
    clear = path is not None
    path = path or shot_path(state, ship, target)
    counted_distance = effective_distance(weapon, path)
    if counted_distance > weapon.reach(ship.sheet.fits[index], mode) + NEAR:
        return None
    if defences_forbid(state, weapon, fire, target, path):
        return None
    if not firing_arcs(state, ship, index, counted_distance) & (
        bits or arcs_to(ship, target.x, target.y)
    ):
        return None
    if mode in weapon.at_system:
        if not knows_systems(
            state, ship.commander, target
        ):  # whatever is named, no refusal tells what it has
            if mode not in weapon.snipes or not fire.system:
                return None
        elif not may_have_system(
            state, ship.commander, target, fire.system, guarded=mode not in weapon.snipes
        ):
            return None
    if (
        state.pieces
        and not clear
        and is_blocked(state.pieces, (ship.x, ship.y), (target.x, target.y))
    ):
        return None
    shot = shot_over(state, ship, index, fire, target, path, counted_distance)
    shot.mode = mode
    return shot


def shot_at(state: BattleState, ship: ShipState, index: int, target: ShipState) -> Shot | None:
    """The shot of a weapon (its place in `fits`) as it is set or loaded at a ship, before any die.

    None where it may not fire at it now. One that is aimed at systems fires at none.

    Rules: Continuum "Fire arcs" 4.2 [pc.arcs]
    """
    fit, mode = ship.sheet.fits[index], fire_mode_of(ship, index, "")
    weapon = ship.profile.weapons[index]
    if weapon.unready_fault(ship, fit, mode, state.turn) or fit.id in ship.this_turn.defended:
        return None
    return (
        None
        if mode in weapon.at_system
        else aim(state, ship, index, Fire(fit.id, (target.id,)), mode, target)
    )


def may_be_shot(state: BattleState, ship: ShipState, target: ShipState) -> bool:
    """Whether a ship may be fired at wherever it is: hostile, identified, and not a wreck already;
    a prize may be.
    """
    return not (
        target.status not in FIRED_AT
        or target.bogey
        or target.docking == BERTHED
        or (is_wrecked(target) and target.status != CAPTURED)
        or not state.hostile[ship.commander] >> target.commander & 1
    )


def _is_reinforcement(
    state: BattleState, ship: ShipState, weapon: Weapon, mode: str, target: ShipState
) -> bool:
    """Whether a transporter sends people to a ship of its own side or an ally's: those who defend
    it, or a prize crew.

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


def has_system(target: ShipState, system: str, *, guarded: bool = False) -> bool:
    """Whether a ship has a system in working order that may be picked out; `guarded`: by commandos.

    Rules: Continuum "Needle beams" 5.13 [pc.needle-beams]; Continuum "Transporter beams" 5.9
    [pc.transporters]
    """
    place = target.profile.index_of.get(system, -1)
    return (
        place >= 0
        and target.alive[place] > 0
        and _can_be_picked_out(target, place, guarded=guarded)
    )


def may_have_system(
    state: BattleState, side: int, target: ShipState, system: str, *, guarded: bool = False
) -> bool:
    """Whether for all that a side knows a ship has that system in working order, and it may be
    picked out.

    Where its record sheet lies closed, that is what the side was told and no more: no refusal tells
    what is lost.
    Rules: Continuum "Advanced sensors" 12.2 [pc.sensors]; "Needle beams" 5.13 [pc.needle-beams]
    """
    if not is_sheet_closed(state, side, target):
        return has_system(target, system, guarded=guarded)
    place = target.profile.index_of.get(system, -1)
    if place < 0 or not _can_be_picked_out(target, place, guarded=guarded):
        return False
    is_well_known = knowledge_of(state, side, target) is ScanDetail.EVERYTHING
    return target.profile.undamaged[place] > (
        target.record.seen_lost.get(f"{side}/{system}", 0) if is_well_known else 0
    )


def _can_be_picked_out(target: ShipState, place: int, *, guarded: bool) -> bool:
    """Whether the system at a place of the sheet is one that may be picked out."""
    if target.sheet.fits[place].type in CORE:
        return False
    return not (guarded and Trait.BURIED in target.profile.weapons[place].traits)


def arcs_to(ship: ShipState, x: float, y: float) -> int:
    """The arc (bit) of a ship a point lies in, two on the line between two; upside down, port is
    where starboard was.

    What shares its point of an orbit is in all of them, and counts as in its fore arc. Rules:
    Continuum "Fire arcs" 4.2 [pc.arcs]; Continuum "Rolling ships" 16.2 [pc.rolling]; Continuum
    "Medium scale" 17.8 [pc.planets]
    """
    dx, dy = x - ship.x, y - ship.y
    if ship.record.orbit and is_within(dx * dx + dy * dy, 0.0):
        return ALL_ROUND
    if ship.record.rolled:
        ux, uy = COURSES[ship.course]
        right = dx * uy - dy * ux
        dx, dy = dx - 2 * right * uy, dy + 2 * right * ux
    return six_arcs_of(dx, dy, ship.course, ship.sheet.beta)


def mounted_arcs(ship: ShipState, index: int) -> int:
    """The arcs (bits) that a weapon is mounted for: what stands in a turret, the one that this
    faces.

    Rules: Continuum "Turrets" 5.22 [pc.turrets]
    """
    fit = ship.sheet.fits[index]
    if not fit.turret:
        return ship.profile.bears[index] or ALL_ROUND
    turret = ship.sheet.fits[ship.profile.index_of[fit.turret]]
    return SIX_ARC_BITS[turret.arcs[ship.record.facing.get(turret.id, 0)]]


def firing_arcs(state: BattleState, ship: ShipState, index: int, distance: float) -> int:
    """The arcs (bits) a weapon may fire through now at this range: what stands in a turret through
    the arc that faces.

    Never offensive weapons through the stern, but at a base, or where that is agreed and the ship
    used no thrust this turn, or as far as its sensors help.
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
    """Whether a kind of weapon fires through the stern as through any other arc.

    Rules: Continuum 4.2 [pc.arcs]
    """
    if ASTERN in weapon.traits or ship.sheet.kind == INSTALLATION or ship.record.section:
        return True
    return AFT_FIRE in state.terms.options and not ship.this_turn.thrust_used


def stern_sensors(ship: ShipState) -> str:
    """The best working sensors that help fire through the stern, "" where there are none.

    Rules: Continuum "Enhanced sensors", "Superior sensors" 13.13 [pc.arcs]
    """
    for type_ in STERN_REACH:
        if suites_in_use(ship, type_):
            return type_
    return ""


def apply_stern_sensors(state: BattleState, ship: ShipState, weapon: Weapon, shot: Shot) -> None:
    """The effect of a shot through the stern by sensors: by enhanced ones sixes alone hit, by
    superior ones one less.

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
    """The one arc a target is in for this ship this turn; on a line a die decides, odd the arc
    first in the list.

    Rules: Continuum "Fire arcs" 4.2 [pc.arcs]
    """
    bits = arcs_to(ship, target.x, target.y)
    if bits == ALL_ROUND:
        return FORE_6
    if not bits & (bits - 1):
        return bits
    key = (ship.id, target.id)
    if key not in arcs:
        arcs[key] = arc_by_die(table, bits, ship.id, target.id, SIX_ARC_NAMES)
    return arcs[key]


def _arc_hit(phase: FirePhase, target: ShipState, ship: ShipState) -> int:
    """The arc of a target from which it is fired at."""
    return arc_of(phase.table, target, ship, phase.arcs)


def drop_bow_screens(phase: FirePhase, ship: ShipState, target: ShipState, shot: Shot) -> None:
    """A shot from the fore arc of a ship that fires its wave gun meets no screens.

    Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
    """
    if target.id in phase.bare and _arc_hit(phase, target, ship) == FORE_6:
        shot.screens = shot.advanced = 0


def apply_rear_attack(phase: FirePhase, ship: ShipState, target: ShipState, effect: Effect) -> None:
    """Fire from a ship's stern passes its armour, where that was agreed.

    Starbases and sections have no rear.

    Rules: Continuum "Rear arc attacks" 4.10 [pc.rear-attack]
    """
    if REAR_ATTACK not in phase.table.state.terms.options:
        return
    if target.sheet.kind == INSTALLATION or target.record.section:
        return
    if effect.damage_types and target.armour and _arc_hit(phase, target, ship) == AFT_6:
        effect.damage_types = tuple(replace(typed, kind=HULL) for typed in effect.damage_types)

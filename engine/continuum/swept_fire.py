"""Weapons that hit all they touch: spinal mounts along a line, wave guns before the bow.

Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]; Continuum "Wave gun" 7.24 [pc.wave-gun]
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.combat.detection import give_away
from engine.combat.lines import blocked
from engine.continuum.aiming import bare_bow, may_be_shot, past_armour
from engine.continuum.damage import wrecked
from engine.continuum.defences import gives_back, shot_at, stealth_of
from engine.continuum.fire_control import FireControl, FirePhase
from engine.core.geometry import COURSES, NEAR, Point, distance_to_path
from engine.core.noting import note
from engine.core.orders import Fire
from engine.core.rolls import HULL, Effect, Shot, TypedDamage
from engine.core.ship import BERTHED, FIGHTING, HULK, ShipState
from engine.events.fire import GunFired, Struck, Swept
from engine.systems.defences import aims_to
from engine.weapons.spinal import BEAMS, ahead_of_bow
from engine.weapons.wave import WAVE

NO_LINE = "nothing it is aimed at lies within 15 degrees of the bow, in range and in sight"
NO_FIRECON = "all working FireCons are set to other targets"
FORE = "F"


def fire_line(phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl) -> str:
    """A spinal mount's shot, at a point or the first legal one of its targets; why there is none, or nothing.

    Everything in the beam is hit, friend or foe, each by dice of its own. It rests in the next turn, and so does the
    ship. Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    index = ship.profile.index_of[fire.weapon]
    fit = ship.sheet.fits[index]
    reach, width = BEAMS[fit.variant]
    why = NO_LINE
    sight = min(reach, aims_to(stealth_of(ship)))
    for name, x, y in _aims(phase, ship, fire):
        ahead, right = _from_bow(ship, x, y)
        if not ahead_of_bow(ahead, right) or (name in phase.ships and (ahead**2 + right**2) ** 0.5 > sight + NEAR):
            continue
        if control.used() + control.needs(name, "") > ship.firecons:
            why = NO_FIRECON
            continue
        control.set_to(name, "")
        control.fired.append(index)
        give_away(phase.table, ship, fire.weapon)
        length = ((x - ship.x) ** 2 + (y - ship.y) ** 2) ** 0.5
        share = reach / length
        end = (ship.x + (x - ship.x) * share, ship.y + (y - ship.y) * share)
        note(phase.table, ship, "fired", phase.table.turn, fit.id)
        _sweep(phase, ship, index, fire, control, ((ship.x, ship.y), end), (width / 2,))
        return ""
    return why


def _aims(phase: FirePhase, ship: ShipState, fire: Fire) -> Iterator[tuple[str, float, float]]:
    """What a line may be laid through: the point, else each legal target, as (what the FireCon is set to, x, y)."""
    if fire.at is not None:
        yield f"{fire.at[0]:g} {fire.at[1]:g}", *fire.at
    for name in fire.targets:
        target = phase.ships.get(name)
        if target is not None and may_be_shot(phase.table.state, ship, target) and _in_sight(phase, ship, target):
            yield name, target.x, target.y


def _from_bow(ship: ShipState, x: float, y: float) -> Point:
    """How far ahead of a ship's bow and to starboard a point lies, in MU."""
    ux, uy = COURSES[ship.course]
    dx, dy = x - ship.x, y - ship.y
    return dx * ux + dy * uy, dx * uy - dy * ux


def fire_wave(phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl) -> None:
    """A wave gun's shot straight ahead: its template grows from stage to stage; its capacitors are empty then.

    Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
    """
    index = ship.profile.index_of[fire.weapon]
    control.fired.append(index)
    give_away(phase.table, ship, fire.weapon)
    ux, uy = COURSES[ship.course]
    ends = tuple((ship.x + ux * end, ship.y + uy * end) for end, _, _ in WAVE)
    note(phase.table, ship, "charge", 0, fire.weapon)
    _sweep(phase, ship, index, fire, control, ((ship.x, ship.y), *ends), tuple(radius for _, radius, _ in WAVE))


def _sweep(
    phase: FirePhase,
    ship: ShipState,
    index: int,
    fire: Fire,
    control: FireControl,
    path: tuple[Point, ...],
    radii: tuple[float, ...],
) -> None:
    """All ships the stages touch, in file order, each once and by the first stage that touches it."""
    phase.table.tell(Swept, ship.id, fire.weapon, path, radii)
    for target in phase.table.state.ships:
        if target is ship or target.status not in (FIGHTING, HULK) or target.docking == BERTHED or wrecked(target):
            continue
        stage = _touched(target, path, radii)
        if stage < 0 or not _in_sight(phase, ship, target):
            continue
        shot = shot_at(phase.table.state, ship, index, fire, target)
        shot.distance, shot.holofield, shot.mode, shot.size = shot.true_distance, False, "", stage
        bare_bow(phase, ship, target, shot)
        effect = _burnt(target, phase, ship, index, shot)
        past_armour(phase, ship, target, effect)
        control.hits.append((target, effect))
        tell_struck(phase, ship, fire.weapon, target, shot, effect)


def tell_struck(
    phase: FirePhase, ship: ShipState, weapon: str, target: ShipState, shot: Shot, effect: Effect, mode: str = ""
) -> None:
    """Say what a weapon that is not aimed at a ship did to it; of a bogey only to its own side."""
    if not phase.table.listens:
        return
    points = sum(one.points for one in effect.damage_types)
    if target.bogey:
        phase.table.tell(
            Struck, target.id, ship.id, weapon, shot.true_distance, shot.screens, effect.dice, effect.damage, points
        )
    else:
        arc = "" if mode else FORE
        phase.table.tell(
            GunFired,
            ship.id,
            weapon,
            target.id,
            shot.true_distance,
            arc,
            shot.screens,
            mode,
            0,
            effect.dice,
            effect.damage,
            points,
        )


def _burnt(target: ShipState, phase: FirePhase, ship: ShipState, index: int, shot: Shot) -> Effect:
    """What a ship in the way takes; of a drone nothing is left."""
    weapon = ship.profile.weapons[index]
    assert weapon.fire is not None
    effect = weapon.fire(shot, phase.table.dice)
    effect.energy = gives_back(weapon, "")
    if target.dummy:
        effect.damage_types = (TypedDamage(target.sheet.boxes, HULL),)
    return effect


def _touched(target: ShipState, path: tuple[Point, ...], radii: tuple[float, ...]) -> int:
    """The first stage that touches a ship, -1 where none does."""
    for stage, radius in enumerate(radii):
        if distance_to_path(target.x, target.y, path[stage], path[stage + 1]) <= radius + NEAR:
            return stage
    return -1


def _in_sight(phase: FirePhase, ship: ShipState, target: ShipState) -> bool:
    pieces = phase.table.state.pieces
    return not (pieces and blocked(pieces, (ship.x, ship.y), (target.x, target.y)))

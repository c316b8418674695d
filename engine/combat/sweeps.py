"""Weapons that hit all they touch: spinal mounts along a line, wave guns before the bow.

Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]; Continuum "Wave gun" 7.24 [pc.wave-gun]
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.combat.aiming import bare_bow, may_be_shot, past_armour
from engine.combat.detection import give_away
from engine.combat.gunnery import Battery, Bridge
from engine.combat.guns import GUNS
from engine.combat.lines import Point, blocked, distance_to_path
from engine.combat.reflex import gives_back
from engine.combat.shields import shot_at, stealth_of
from engine.combat.wounds import wrecked
from engine.events.fire import GunFired, Struck, Swept
from engine.geometry import COURSES, NEAR
from engine.notes import CHARGE, FIRED, note
from engine.orders import Fire
from engine.pencil import pencil
from engine.rolls import HULL, Effect, Shot, Wound
from engine.ship import BERTHED, FIGHTING, HULK, ShipState
from engine.systems.spinal import BEAMS, WAVE, ahead_of_bow
from engine.systems.stealth import aims_to

NO_LINE = "nothing it is aimed at lies within 15 degrees of the bow, in range and in sight"
NO_FIRECON = "all working FireCons are set to other targets"
FORE = "F"


def fire_line(battery: Battery, ship: ShipState, fire: Fire, bridge: Bridge) -> str:
    """A spinal mount's shot, at a point or the first legal one of its targets; why there is none, or nothing.

    Everything in the beam is hit, friend or foe, each by dice of its own. It rests in the next turn, and so does the
    ship. Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    index = ship.rig.index_of[fire.weapon]
    fit = ship.sheet.fits[index]
    reach, width = BEAMS[fit.variant]
    why = NO_LINE
    sight = min(reach, aims_to(stealth_of(ship)))
    for name, x, y in _aims(battery, ship, fire):
        ahead, right = _from_bow(ship, x, y)
        if not ahead_of_bow(ahead, right) or (name in battery.ships and (ahead**2 + right**2) ** 0.5 > sight + NEAR):
            continue
        if bridge.used() + bridge.needs(name, "") > ship.firecons:
            why = NO_FIRECON
            continue
        bridge.set_to(name, "")
        bridge.fired.append(index)
        give_away(ship, battery.turn, battery.sink, fire.weapon)
        length = ((x - ship.x) ** 2 + (y - ship.y) ** 2) ** 0.5
        share = reach / length
        end = (ship.x + (x - ship.x) * share, ship.y + (y - ship.y) * share)
        pencil(ship, note(FIRED, fit.id), battery.turn, battery.turn, battery.sink)
        _sweep(battery, ship, index, fire, bridge, ((ship.x, ship.y), end), (width / 2,))
        return ""
    return why


def _aims(battery: Battery, ship: ShipState, fire: Fire) -> Iterator[tuple[str, float, float]]:
    """What a line may be laid through: the point, else each legal target, as (what the FireCon is set to, x, y)."""
    if fire.at is not None:
        yield f"{fire.at[0]:g} {fire.at[1]:g}", *fire.at
    for name in fire.targets:
        target = battery.ships.get(name)
        if target is not None and may_be_shot(battery.state, ship, target) and _in_sight(battery, ship, target):
            yield name, target.x, target.y


def _from_bow(ship: ShipState, x: float, y: float) -> Point:
    """How far ahead of a ship's bow and to starboard a point lies, in MU."""
    ux, uy = COURSES[ship.course]
    dx, dy = x - ship.x, y - ship.y
    return dx * ux + dy * uy, dx * uy - dy * ux


def fire_wave(battery: Battery, ship: ShipState, fire: Fire, bridge: Bridge) -> None:
    """A wave gun's shot straight ahead: its template grows from stage to stage; its capacitors are empty then.

    Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
    """
    index = ship.rig.index_of[fire.weapon]
    bridge.fired.append(index)
    give_away(ship, battery.turn, battery.sink, fire.weapon)
    ux, uy = COURSES[ship.course]
    ends = tuple((ship.x + ux * end, ship.y + uy * end) for end, _, _ in WAVE)
    pencil(ship, note(CHARGE, fire.weapon), 0, battery.turn, battery.sink)
    _sweep(battery, ship, index, fire, bridge, ((ship.x, ship.y), *ends), tuple(radius for _, radius, _ in WAVE))


def _sweep(
    battery: Battery,
    ship: ShipState,
    index: int,
    fire: Fire,
    bridge: Bridge,
    path: tuple[Point, ...],
    radii: tuple[float, ...],
) -> None:
    """All ships the stages touch, in file order, each once and by the first stage that touches it."""
    if battery.sink is not None:
        battery.sink(Swept(battery.turn, ship.id, fire.weapon, path, radii))
    for target in battery.state.ships:
        if target is ship or target.status not in (FIGHTING, HULK) or target.docking == BERTHED or wrecked(target):
            continue
        stage = _touched(target, path, radii)
        if stage < 0 or not _in_sight(battery, ship, target):
            continue
        shot = shot_at(battery.state, ship, index, fire, target)
        shot.distance, shot.holofield, shot.mode, shot.size = shot.true_distance, False, "", stage
        bare_bow(battery, ship, target, shot)
        effect = _burnt(target, battery, ship, index, shot)
        past_armour(battery, ship, target, effect)
        bridge.hits.append((target, effect))
        tell_struck(battery, ship, fire.weapon, target, shot, effect)


def tell_struck(
    battery: Battery, ship: ShipState, weapon: str, target: ShipState, shot: Shot, effect: Effect, mode: str = ""
) -> None:
    """Say what a weapon that is not aimed at a ship did to it; of a bogey only to its own side."""
    if battery.sink is None:
        return
    points = sum(one.points for one in effect.wounds)
    if target.bogey:
        battery.sink(
            Struck(
                battery.turn, target.id, ship.id, weapon, shot.true_distance, shot.screens,
                effect.dice, effect.damage, points,
            )
        )  # fmt: skip
    else:
        arc = "" if mode else FORE
        battery.sink(
            GunFired(
                battery.turn, ship.id, weapon, target.id, shot.true_distance, arc, shot.screens,
                mode, 0, effect.dice, effect.damage, points,
            )
        )  # fmt: skip


def _burnt(target: ShipState, battery: Battery, ship: ShipState, index: int, shot: Shot) -> Effect:
    """What a ship in the way takes; of a drone nothing is left."""
    type_ = ship.sheet.fits[index].type
    effect = GUNS[type_].fire(shot, battery.dice)
    effect.energy = gives_back(type_, "")
    if target.dummy:
        effect.wounds = (Wound(target.sheet.boxes, HULL),)
    return effect


def _touched(target: ShipState, path: tuple[Point, ...], radii: tuple[float, ...]) -> int:
    """The first stage that touches a ship, -1 where none does."""
    for stage, radius in enumerate(radii):
        if distance_to_path(target.x, target.y, path[stage], path[stage + 1]) <= radius + NEAR:
            return stage
    return -1


def _in_sight(battery: Battery, ship: ShipState, target: ShipState) -> bool:
    rocks = battery.state.rocks
    return not (rocks and blocked(rocks, (ship.x, ship.y), (target.x, target.y)))

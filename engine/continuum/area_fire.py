"""Fire that hits an area: spinal mounts and wave guns.

Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]; Continuum "Wave gun" 7.24 [pc.wave-gun];
Continuum "K-guns" 5.16 [pc.k-guns]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.combat.detection import reveal_ship
from engine.combat.line_of_sight import is_blocked
from engine.continuum.aiming import (
    apply_rear_attack,
    drop_bow_screens,
    may_be_shot,
)
from engine.continuum.damage import is_wrecked
from engine.continuum.defences import (
    can_be_reflected,
    craft_cover,
    shot_at,
    stealth_of,
    tell_cover,
)
from engine.continuum.fire_control import NO_FIRECON, FireControl, FirePhase
from engine.core.geometry import COURSES, NEAR, Point, dist, distance_to_path, length_of
from engine.core.ids import ShipId
from engine.core.kinds import CAPTURED, HULL, ON_TABLE
from engine.core.notes import write_fact
from engine.core.orders import Fire, FireOrders
from engine.core.reason import reason
from engine.core.rolls import Effect, Shot, TypedDamage
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import FLAK
from engine.craft.fire import boats_destroyed
from engine.events.fire import (
    AreaFireHit,
    AreaFireSwept,
    GunFired,
    ShotRefused,
)
from engine.pieces.craft_events import GroupShotAt
from engine.pieces.group import Group
from engine.pieces.marker import Marker, OrdnanceSwept
from engine.pieces.mine import Mine
from engine.pieces.piece import Piece, by_kind
from engine.systems.defences import aiming_range
from engine.weapons.spinal import BEAMS, is_ahead_of_bow
from engine.weapons.wave import WAVE
from engine.weapons.weapon import LINE, Trait, points_of

NO_LINE = reason("no-line", "no target is within 15 degrees of the bow, in range and in sight")
FORE = "F"

DESTROYED_BY_AREA_FIRE = reason("swept-away-beam-wave", "destroyed by a beam or a wave")
WITH_ORDNANCE = reason("with-ordnance", "flak is ordered with the plots, like ordnance")


def fire_line(phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl) -> str:
    """Fire a spinal mount at a point or at the first legal target; return the fault, or "".

    Everything in the beam is hit, friend or foe, each with its own dice. The weapon and the ship
    rest in the next turn.

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    index = ship.profile.index_of[fire.weapon]
    fit = ship.sheet.fits[index]
    reach = ship.profile.weapons[index].reach(fit, "")
    width = BEAMS[fit.variant][1]
    fault = NO_LINE
    for name, x, y in _aims(phase, ship, fire, reach):
        if control.set_firecons() + control.needs(name, "") > ship.firecons:
            fault = NO_FIRECON
            continue
        control.set_to(name, "")
        control.fired.append(index)
        reveal_ship(phase.table, ship, fire.weapon)
        length = length_of(x - ship.x, y - ship.y)
        share = reach / length
        end = (ship.x + (x - ship.x) * share, ship.y + (y - ship.y) * share)
        write_fact(phase.table, ship, "last-fired", phase.table.turn, key=fit.id)
        _hit_area(
            phase,
            ship,
            index=index,
            fire=fire,
            control=control,
            path=((ship.x, ship.y), end),
            radii=(width / 2,),
        )
        return ""
    return fault


def _aims(
    phase: FirePhase, ship: ShipState, fire: Fire, reach: float
) -> Iterator[tuple[str, float, float]]:
    """Yield the points a beam may be aimed at: the ordered point, then each legal target.

    Yields:
        What the FireCon is set to, and the x and y of the point.
    """
    if fire.at is not None and is_ahead_of_bow(*_from_bow(ship, *fire.at)):
        yield f"{fire.at[0]:g} {fire.at[1]:g}", *fire.at
    for name in fire.targets:
        target = phase.ships.get(name)
        if target is not None and in_line(phase.table.state, ship, reach, target):
            yield name, target.x, target.y


def in_line(state: BattleState, ship: ShipState, reach: float, target: ShipState) -> bool:
    """Return whether a beam may be aimed at a target.

    The target must be a legal one, ahead of the bow, in sight, and near enough for its stealth.

    Args:
        reach: The length of the beam in MU.

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]
    """
    ahead, right = _from_bow(ship, target.x, target.y)
    range_mu = min(reach, aiming_range(stealth_of(ship)))
    if not is_ahead_of_bow(ahead, right) or length_of(ahead, right) > range_mu + NEAR:
        return False
    if not may_be_shot(state, ship, target):
        return False
    return not is_blocked(state.pieces, (ship.x, ship.y), (target.x, target.y))


def _from_bow(ship: ShipState, x: float, y: float) -> Point:
    """Return how far a point is ahead of a ship's bow and to starboard, in MU."""
    ux, uy = COURSES[ship.course]
    dx, dy = x - ship.x, y - ship.y
    return dx * ux + dy * uy, dx * uy - dy * ux


def fire_wave(phase: FirePhase, ship: ShipState, fire: Fire, control: FireControl) -> None:
    """Fire a wave gun straight ahead and empty its capacitors.

    Its template grows from stage to stage.

    Rules: Continuum "Wave gun" 7.24 [pc.wave-gun]
    """
    index = ship.profile.index_of[fire.weapon]
    control.fired.append(index)
    reveal_ship(phase.table, ship, fire.weapon)
    ux, uy = COURSES[ship.course]
    ends = tuple((ship.x + ux * end, ship.y + uy * end) for end, _, _ in WAVE)
    write_fact(phase.table, ship, "charge", 0, key=fire.weapon)
    _hit_area(
        phase,
        ship,
        index=index,
        fire=fire,
        control=control,
        path=((ship.x, ship.y), *ends),
        radii=tuple(radius for _, radius, _ in WAVE),
    )


def _hit_area(
    phase: FirePhase,
    ship: ShipState,
    index: int,
    fire: Fire,
    control: FireControl,
    path: tuple[Point, ...],
    radii: tuple[float, ...],
) -> None:
    """Hit everything in the area: ships in file order, then craft, missiles in flight and mines.

    Each unit is hit once, by the first stage that touches it.
    """
    phase.table.tell(AreaFireSwept, ship=ship.id, weapon=fire.weapon, path=path, radii=radii)
    for target in phase.table.state.ships:
        if target is ship or not can_be_hit(target):
            continue
        stage = _first_stage(target, path, radii)
        if stage < 0 or not _in_sight(phase, ship, target):
            continue
        shot = shot_at(phase.table.state, ship, index=index, fire=fire, target=target)
        # Neither stealth nor a holofield helps against a beam or wave.
        shot.distance = shot.true_distance
        shot.holofield = False
        shot.mode = ""
        shot.size = stage
        drop_bow_screens(phase, ship, target, shot)
        effect = _effect_on_ship(target, phase, ship=ship, index=index, shot=shot)
        apply_rear_attack(phase, ship, target, effect)
        control.hits.append((target, effect))
        tell_hit(
            phase.table, by=ship.id, weapon=fire.weapon, target=target, shot=shot, effect=effect
        )
    _hit_craft_and_pieces(phase.table, ship, index=index, path=path, radii=radii)


def _hit_craft_and_pieces(
    table: Table, ship: ShipState, index: int, path: tuple[Point, ...], radii: tuple[float, ...]
) -> None:
    """Roll the weapon's dice against the craft and missiles in the area, and destroy its mines.

    Small targets are no harder to hit and cannot evade. Area screens protect craft.

    Rules: Continuum "Spinal mounts" 5.23 [pc.spinal-mounts]; Continuum "Wave gun" 7.24
    [pc.wave-gun]
    """
    fit = ship.sheet.fits[index]
    weapon = ship.profile.weapons[index]
    assert weapon.fire is not None
    for piece in by_kind(table.state.pieces):
        if not isinstance(piece, (Group, Marker, Mine)):
            continue
        stage = _first_stage(piece, path, radii)
        if stage < 0 or is_blocked(table.state.pieces, (ship.x, ship.y), (piece.x, piece.y)):
            continue
        if isinstance(piece, Mine):
            piece.destroy(table, DESTROYED_BY_AREA_FIRE)
            continue
        distance = dist((ship.x, ship.y), (piece.x, piece.y))
        shot = Shot(
            subject=f"{ship.id}/{fit.id}>{piece.id}",
            distance=distance,
            true_distance=distance,
            size=stage,
            variant=fit.variant,
            flags=fit.flags,
            small=True,
        )
        if isinstance(piece, Group):
            tell_cover(table, piece)
            energy = Trait.ENERGY in weapon.traits
            cover = craft_cover(table.state, piece, energy=energy)
            shot.screens, shot.advanced, shot.covered = cover
        effect = weapon.fire(shot, table.dice)
        if weapon.along == LINE:
            hits = boats_destroyed(effect)
        else:
            hits = points_of(effect)
        dice = (*effect.dice, *effect.damage)
        if isinstance(piece, Group):
            table.tell(
                GroupShotAt,
                ship=ship.id,
                weapon=fit.id,
                group=piece.id,
                range=distance,
                dice=dice,
                hits=hits,
            )
            piece.take_damage(table, hits, f"fire:{ship.id}")
        else:
            table.carry_out(
                OrdnanceSwept(
                    table.turn,
                    ship.id,
                    weapon=fit.id,
                    marker=piece.id,
                    range=distance,
                    dice=dice,
                    hits=hits,
                )
            )
            if piece.destroyed >= piece.strength:
                piece.destroy(table, DESTROYED_BY_AREA_FIRE)


def tell_hit(
    table: Table,
    by: ShipId,
    weapon: str,
    target: ShipState,
    shot: Shot,
    effect: Effect,
    mode: str = "",
) -> None:
    """Report a hit on a ship the weapon was not aimed at; a bogey's only to its own side."""
    if not table.listens:
        return
    points = sum(typed.points for typed in effect.damage_types)
    if target.bogey:
        table.tell(
            AreaFireHit,
            ship=target.id,
            by=by,
            weapon=weapon,
            range=shot.true_distance,
            screens=shot.screens,
            dice=effect.dice,
            damage=effect.damage,
            hits=points,
        )
    else:
        arc = "" if mode else FORE
        table.tell(
            GunFired,
            ship=by,
            weapon=weapon,
            target=target.id,
            range=shot.true_distance,
            arc=arc,
            screens=shot.screens,
            mode=mode,
            needed=0,
            dice=effect.dice,
            damage=effect.damage,
            hits=points,
        )


def _effect_on_ship(
    target: ShipState, phase: FirePhase, ship: ShipState, index: int, shot: Shot
) -> Effect:
    """Roll the weapon's effect on a ship in the area; a decoy is destroyed."""
    weapon = ship.profile.weapons[index]
    assert weapon.fire is not None
    effect = weapon.fire(shot, phase.table.dice)
    effect.energy = can_be_reflected(weapon, "")
    if target.dummy:
        effect.damage_types = (TypedDamage(target.sheet.boxes, HULL),)
    return effect


def _first_stage(
    target: ShipState | Piece, path: tuple[Point, ...], radii: tuple[float, ...]
) -> int:
    """Return the first stage that touches a unit, or -1."""
    for stage, radius in enumerate(radii):
        if distance_to_path(target.x, target.y, path[stage], path[stage + 1]) <= radius + NEAR:
            return stage
    return -1


def _in_sight(phase: FirePhase, ship: ShipState, target: ShipState) -> bool:
    """Return whether no body blocks the line from a ship to a target."""
    pieces = phase.table.state.pieces
    return not (pieces and is_blocked(pieces, (ship.x, ship.y), (target.x, target.y)))


def refuse_flak(phase: FirePhase, orders: Mapping[int, FireOrders]) -> None:
    """Report the flak among orders to fire, by side and ship: it is fired with the plots.

    `engine.continuum.flak` fires it.

    Rules: Continuum "K-guns" 5.16 [pc.k-guns]
    """
    for side in sorted(orders):
        for name, fires in orders[side]:
            for fire in fires:
                if fire.mode == FLAK and name in phase.ships:
                    ship = phase.ships[name]
                    phase.table.tell(
                        ShotRefused,
                        ship=ship.id,
                        weapon=fire.weapon,
                        targets=fire.targets,
                        reason=WITH_ORDNANCE,
                    )


def can_be_hit(target: ShipState) -> bool:
    """Return whether area fire can hit a ship: it is on the table and not wrecked."""
    if target.status not in ON_TABLE or target.docking == BERTHED:
        return False
    return target.status == CAPTURED or not is_wrecked(target)

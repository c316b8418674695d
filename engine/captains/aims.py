"""What the weapons of a ship of Continuum may fire at, and what that is worth.

Rules: Continuum "Fire control systems" 4.4 [pc.fire-control]; Continuum "Fire arcs" 4.2 [pc.arcs]
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from engine.captains.expected import Ward
from engine.captains.gunnery import Aim, fire_at
from engine.captains.marks import SPEEDS, Mark
from engine.captains.range_tables import Mount, mounts_of, step_of, usable, worths_of
from engine.captains.snipers import finds, prize
from engine.combat.lines import unseen
from engine.continuum.aiming import aim, arcs_to, bearing, stern_sensors
from engine.continuum.cores import uncommanded
from engine.continuum.defences import silenced
from engine.continuum.fire_control import way_of, working
from engine.continuum.fleet_morale import lies_to
from engine.core.kinds import FIGHTING
from engine.core.rolls import Shot
from engine.core.ship import DOCKED, ShipState
from engine.core.state import BattleState
from engine.core.terms import BOARDING

SAVED = 0.6  # of the most a weapon of one shot does: below that it waits for a better one
LAST_BOXES = 0.4  # of its hull left: a ship waits no longer


def fires_at_all(ship: ShipState) -> bool:
    """Whether a ship may fire anything this turn."""
    barred = ship.dummy or ship.holds_fire or ship.docking >= DOCKED
    return ship.status == FIGHTING and not (barred or silenced(ship) or uncommanded(ship) or lies_to(ship))


def aims_of(state: BattleState, ship: ShipState, marks: list[Mark], never: tuple[str, ...]) -> list[Aim]:
    """What each working weapon of a ship may fire at, and what that is worth.

    A weapon of one shot waits for a target worth it. What may not be found, in a cloud, is worth so much less.
    """
    aims: list[Aim] = []
    if ship.armed:
        return aims
    last = (ship.sheet.boxes - ship.damage) < ship.sheet.boxes * LAST_BOXES
    sensors = stern_sensors(ship)
    loaded = [
        (mount, way_of(ship, mount.place, ""), _arcs_at_any_range(state, ship, mount.place, sensors))
        for mount in mounts_of(ship.profile, ship.sheet)
        if not mount.kind.along
        and ship.sheet.fits[mount.place].id not in ship.this_turn.defended
        and ship.sheet.fits[mount.place].id not in ship.this_turn.burst
        and usable(ship, mount.place, mount.fit.type, never)
    ]
    if any(mount.kind.fed for mount, _, _ in loaded):
        fed = _fed(ship, [mount for mount, _, _ in loaded])
        loaded = [one for one in loaded if not one[0].kind.fed or one[0].place in fed]
    for place, mark in enumerate(marks):
        bits = arcs_to(ship, mark.x, mark.y)
        distance = ((mark.x - ship.x) ** 2 + (mark.y - ship.y) ** 2) ** 0.5
        alike: dict[tuple[int, str], Aim | None] = {}
        hidden = unseen(state.pieces, (ship.x, ship.y), (mark.x, mark.y)) if state.pieces else 0.0
        for mount, way, arcs in loaded:
            if distance * mark.stretch > mount.farthest:
                continue
            if not (bearing(state, ship, mount.place, distance) if arcs is None else arcs) & bits:
                continue
            key = (mount.number, way)  # weapons of a kind that bear on it do the same there
            if key not in alike:
                alike[key] = _aim(state, ship, mount, way, place, mark, bits)
            found = alike[key]
            if found is None:
                continue
            worth = found.worth * (1.0 - hidden)
            if last or not mount.kind.scarce or worth >= SAVED * _most(mount, mark):
                aims.append(Aim((mount.place,), place, worth, found.mode, found.system))
    return aims


def _fed(ship: ShipState, mounts: Sequence[Mount]) -> list[int]:
    """The places of the launchers for which there is a load in their magazine, the first of each magazine first."""
    left: dict[str, int] = {}
    found = []
    for mount in mounts:
        magazine = ship.sheet.fits[mount.place].magazine
        if mount.kind.fed:
            there = left.setdefault(magazine, ship.stock[ship.profile.index_of[magazine]])
            left[magazine] -= 1
            found += [mount.place] if there > 0 else []
    return found


def _arcs_at_any_range(state: BattleState, ship: ShipState, place: int, sensors: str) -> int | None:
    """The arcs (bits) a weapon may fire through at every range; None where they depend on the range, as those through
    the stern do with the ship's `sensors`.
    """
    arcs = bearing(state, ship, place, inf)
    return arcs if not sensors or arcs == bearing(state, ship, place, 0.0) else None


def _most(mount: Mount, mark: Mark) -> float:
    return max(worths_of(mount, "", mark.ward, mark.shell))


def _aim(state: BattleState, ship: ShipState, mount: Mount, way: str, place: int, mark: Mark, bits: int) -> Aim | None:
    """The best a weapon does to a target in any way it may fire now; None where it may not."""
    gun = mount.kind
    fit = ship.sheet.fits[mount.place]
    fixed = bool(gun.settings.get(fit.variant)) or way not in gun.modes
    modes = ("",) if fixed else tuple(dict.fromkeys((*mount.modes, *gun.at_system))) if gun.at_system else mount.modes
    best: Aim | None = None
    for mode in modes:
        told = way if fixed else mode
        if gun.unready(ship, fit, mode, state.turn) or (mode in gun.advanced and not working(ship, "advanced-firecon")):
            continue
        system = prize(mark.ship, guarded=mode not in gun.snipes) if told in gun.at_system else ""
        shot = aim(state, ship, mount.place, fire_at(fit.id, (), system), told, mark.ship, bits)
        if shot is None or (told in gun.snipes and not finds(ship, shot.distance)):
            continue
        worth = _worth(mount, told, shot, mark.shell, boarded=BOARDING in state.terms.options)
        if worth and (best is None or worth > best.worth):
            best = Aim((mount.place,), place, worth, mode, system)
    return best


def _worth(mount: Mount, mode: str, shot: Shot, shell: float, *, boarded: bool) -> float:
    """What a shot is worth on average."""
    ward = Ward(
        shot.screens, shot.advanced, shot.modifier, shot.rerolls_modified, shot.holofield, shot.mass,
        shot.velocity // SPEEDS * SPEEDS, boarded,
    )  # fmt: skip
    row = worths_of(mount, mode, ward, shell)
    step = step_of(shot.distance)
    return row[step] if step < len(row) else (row[-1] if row else 0.0)

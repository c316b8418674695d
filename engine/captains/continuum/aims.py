"""What the weapons of a ship of Continuum may fire at, and what that is worth.

Rules: Continuum "Fire control systems" 4.4 [pc.fire-control]; Continuum "Fire arcs" 4.2 [pc.arcs]
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from engine.captains.common.expected import Ward
from engine.captains.common.gunnery import Aim, fire_at
from engine.captains.common.range_tables import Mount, mounts_of, step_of, usable, worths_of
from engine.captains.continuum.marks import SPEEDS, Mark
from engine.captains.continuum.snipers import finds, prize
from engine.combat.lines import blocked, unseen
from engine.continuum.aiming import aim, arcs_to, bearing, stern_sensors
from engine.continuum.cores import uncommanded
from engine.continuum.defences import Between, between, silenced
from engine.continuum.fire_control import way_of, working
from engine.continuum.fleet_morale import lies_to
from engine.core.kinds import FIGHTING
from engine.core.rolls import Shot
from engine.core.ship import DOCKED, ShipState
from engine.core.state import BattleState
from engine.core.terms import BOARDING

SAVED = 0.6  # of the most a weapon of one shot does: below that it waits for a better one
LAST_BOXES = 0.4  # of its hull left: a ship waits no longer

# A weapon that may be fired: its mount, the number of its kind and way among the ship's, that way,
# the arcs (bits) it bears through at every range (None where that depends on the range), and
# whether its shots are few.
Loaded = tuple[Mount, int, str, int | None, bool]


def fires_at_all(ship: ShipState) -> bool:
    """Whether a ship may fire anything this turn."""
    barred = ship.dummy or ship.holds_fire or ship.docking >= DOCKED
    return ship.status == FIGHTING and not (
        barred or silenced(ship) or uncommanded(ship) or lies_to(ship)
    )


def aims_of(
    state: BattleState, ship: ShipState, marks: list[Mark], never: tuple[str, ...]
) -> list[Aim]:
    """What each working weapon of a ship may fire at, and what that is worth.

    A weapon of one shot waits for a target worth it. What may not be found, in a cloud, is worth so
    much less.
    """
    aims: list[Aim] = []
    if ship.armed:
        return aims
    last = (ship.sheet.boxes - ship.damage) < ship.sheet.boxes * LAST_BOXES
    loaded = _loaded(state, ship, never)
    farthest = max((mount.farthest for mount, _, _, _, _ in loaded), default=-1.0)
    x, y, pieces = ship.x, ship.y, state.pieces
    for place, mark in enumerate(marks):
        distance = ((mark.x - x) ** 2 + (mark.y - y) ** 2) ** 0.5
        counted = distance * mark.stretch
        if counted > farthest:
            continue
        bits = arcs_to(ship, mark.x, mark.y)
        alike: dict[int, Aim | None] = {}  # weapons of a kind that bear on it do the same there
        hidden = -1.0  # until something bears on it
        way: Between | None = None
        for mount, kind, told, arcs, scarce in loaded:
            if counted > mount.farthest:
                continue
            if not (bearing(state, ship, mount.place, distance) if arcs is None else arcs) & bits:
                continue
            if hidden < 0.0:
                if pieces and blocked(pieces, (x, y), (mark.x, mark.y)):
                    break
                hidden = unseen(pieces, (x, y), (mark.x, mark.y)) if pieces else 0.0
                way = between(state, ship, mark.ship)
            if kind in alike:
                found = alike[kind]
                if found is None:
                    continue
                _, _, worth, mode, system, _ = found
                found = Aim((mount.place,), place, worth, mode, system)
            else:
                found = alike[kind] = _aim(state, ship, mount, told, place, mark, bits, way)
                if found is None:
                    continue
            if hidden:
                found = found._replace(worth=found.worth * (1.0 - hidden))
            if last or not scarce or found.worth >= SAVED * _most(mount, mark):
                aims.append(found)
    return aims


def _loaded(state: BattleState, ship: ShipState, never: tuple[str, ...]) -> list[Loaded]:
    """The weapons that a ship may fire this turn."""
    sensors, fits, now = stern_sensors(ship), ship.sheet.fits, ship.this_turn
    kinds: dict[tuple[int, str], int] = {}
    found: list[Loaded] = []
    for mount in mounts_of(ship.profile, ship.sheet):
        id_ = fits[mount.place].id
        if mount.kind.along or id_ in now.defended or id_ in now.burst:
            continue
        if usable(ship, mount.place, mount.fit.type, never):
            way = way_of(ship, mount.place, "")
            kind = kinds.setdefault((mount.number, way), len(kinds))
            arcs = _arcs_at_any_range(state, ship, mount.place, sensors)
            found.append((mount, kind, way, arcs, mount.kind.scarce))
    if any(mount.kind.fed for mount, _, _, _, _ in found):
        fed = _fed(ship, [mount for mount, _, _, _, _ in found])
        found = [one for one in found if not one[0].kind.fed or one[0].place in fed]
    return found


def _fed(ship: ShipState, mounts: Sequence[Mount]) -> list[int]:
    """The places of the launchers for which there is a load in their magazine, the first of each
    magazine first.
    """
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
    """The arcs (bits) a weapon may fire through at every range; None where they depend on the
    range, as those through the stern do with the ship's `sensors`.
    """
    arcs = bearing(state, ship, place, inf)
    return arcs if not sensors or arcs == bearing(state, ship, place, 0.0) else None


def _most(mount: Mount, mark: Mark) -> float:
    return max(worths_of(mount, "", mark.ward, mark.shell))


def _aim(
    state: BattleState,
    ship: ShipState,
    mount: Mount,
    way: str,
    place: int,
    mark: Mark,
    bits: int,
    between_them: Between | None,
) -> Aim | None:
    """The best a weapon does to a target that no body hides in any way it may fire now; None where
    it may not.
    """
    gun = mount.kind
    fit = ship.sheet.fits[mount.place]
    fixed = bool(gun.settings.get(fit.variant)) or way not in gun.modes
    modes = (
        ("",)
        if fixed
        else tuple(dict.fromkeys((*mount.modes, *gun.at_system)))
        if gun.at_system
        else mount.modes
    )
    best: Aim | None = None
    for mode in modes:
        told = way if fixed else mode
        if gun.unready(ship, fit, mode, state.turn) or (
            mode in gun.advanced and not working(ship, "advanced-firecon")
        ):
            continue
        system = prize(mark.ship, guarded=mode not in gun.snipes) if told in gun.at_system else ""
        shot = aim(
            state,
            ship,
            mount.place,
            fire_at(fit.id, (), system),
            told,
            mark.ship,
            bits,
            between_them,
        )
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

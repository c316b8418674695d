"""A captain's range tables: what all a ship's working weapons do by arc and range to a target behind its defences.

Sheets repeat and ships lose systems rarely, so a table is kept for as long as it is asked for.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from engine.captains.expected import STEP, STEPS, Ward, means
from engine.core.geometry import AFT_6, NEAR, SIX_ARC_BITS
from engine.core.kinds import INSTALLATION
from engine.core.sheet import Fit, Sheet, ShipProfile
from engine.weapons.registry import forget_with
from engine.weapons.weapon import BOW, LINE, Trait, Weapon

ARCS = tuple(SIX_ARC_BITS.values())
# What a ship that flies upside down bears with instead.
MIRRORED = {"FS": "FP", "AS": "AP", "FP": "FS", "AP": "AS"}
ROLLED_OVER = {bit: SIX_ARC_BITS[MIRRORED.get(arc, arc)] for arc, bit in SIX_ARC_BITS.items()}
BY_MASS, BY_VELOCITY = Trait.BY_MASS, Trait.BY_VELOCITY
ALONG = {LINE: 0.4, BOW: 0.2}  # of its arc a weapon covers that fires along a line, about
Table = tuple[float, ...]


class Mount(NamedTuple):
    """A weapon of a sheet: its row, its place in `fits`, the fit as its dice see it, the arcs it may bear to, and the
    ways it fires at a ship as a whole, or at one system where it knows no other.

    `farthest`: MU beyond which it does nothing in any way it may fire; `number`: of its kind, which hashes sooner.
    """

    kind: Weapon
    place: int
    fit: Fit
    bits: int
    modes: tuple[str, ...]
    farthest: float
    number: int


class Bearer(NamedTuple):
    """Who fires: a sheet, what of it is out or left unused (places in `fits`), how weapons are set (place, mode), and
    whether it is upside down.
    """

    profile: ShipProfile
    out: tuple[int, ...]
    ways: tuple[tuple[int, str], ...] = ()
    rolled: bool = False


_NUMBERS: dict[tuple[Weapon, Fit], int] = {}
_WORTHS: dict[tuple[int, str, Ward, float], tuple[float, ...]] = {}
_MOUNTS: dict[ShipProfile, tuple[Mount, ...]] = {}
_TABLES: dict[tuple[Bearer, Ward, float], Table] = {}
MOST_SHEETS, MOST_TABLES, MOST_WORTHS = 4096, 65536, 65536
forget_with(_NUMBERS.clear)
forget_with(_WORTHS.clear)
forget_with(_MOUNTS.clear)
forget_with(_TABLES.clear)


def weapons_of(profile: ShipProfile, sheet: Sheet) -> tuple[Mount, ...]:
    """The weapons of a sheet, in its order. Those in a turret bear where the turret may turn to."""
    found = _MOUNTS.get(profile)
    if found is None:
        if len(_MOUNTS) >= MOST_SHEETS:
            _MOUNTS.clear()
        stern = AFT_6 if sheet.kind != INSTALLATION else 0
        found = _MOUNTS[profile] = tuple(
            Mount(
                weapon,
                place,
                _as_dice_see_it(fit),
                _bits(profile, place, fit) & ~(0 if Trait.ASTERN in weapon.traits else stern),
                modes_of(weapon, fit),
                farthest(weapon, _as_dice_see_it(fit)),
                _NUMBERS.setdefault((weapon, _as_dice_see_it(fit)), len(_NUMBERS)),
            )
            for place, (fit, weapon) in enumerate(zip(sheet.fits, profile.weapons, strict=True))
            if weapon.aimed
        )
    return found


def modes_of(weapon: Weapon, fit: Fit) -> tuple[str, ...]:
    """The ways a weapon may fire at a ship: its settings, else its modes but those at one system and at a point."""
    settings = weapon.settings.get(fit.variant)
    if settings:
        return settings
    others = (mode for mode in weapon.modes[1:] if mode not in weapon.at_system and mode not in weapon.at_point)
    return (*weapon.modes[:1], *others)


@lru_cache(maxsize=4096)
def farthest(weapon: Weapon, fit: Fit) -> float:
    """MU beyond which a weapon does nothing in any way it may fire."""
    return max(weapon.reach(fit, mode) for mode in dict.fromkeys((*modes_of(weapon, fit), *weapon.at_system))) + NEAR


def _bits(profile: ShipProfile, place: int, fit: Fit) -> int:
    return profile.bears[profile.index_of[fit.turret]] if fit.turret else profile.bears[place]


def _as_dice_see_it(fit: Fit) -> Fit:
    return replace(fit, id="", arcs=(), turret="", mass=0, load=(), magazine="")


def ward_for(weapon: Weapon, ward: Ward) -> Ward:
    """What of a target's defences matters to a weapon's dice."""
    mass = ward.mass if BY_MASS in weapon.traits else 0
    velocity = ward.velocity if BY_VELOCITY in weapon.traits else 0
    return ward if (mass, velocity) == (ward.mass, ward.velocity) else ward._replace(mass=mass, velocity=velocity)


@lru_cache(maxsize=65536)
def worths(weapon: Weapon, fit: Fit, mode: str, ward: Ward, shell: float) -> tuple[float, ...]:
    """What a shot is worth at each step of range, nearest first, as far as it reaches."""
    return tuple(mean.worth(shell) for mean in means(weapon, fit, mode, ward_for(weapon, ward)))


def worths_of(mount: Mount, mode: str, ward: Ward, shell: float) -> tuple[float, ...]:
    """The same of a mount, found by the number of its kind."""
    key = (mount.number, mode, ward, shell)
    found = _WORTHS.get(key)
    if found is None:
        if len(_WORTHS) >= MOST_WORTHS:
            _WORTHS.clear()
        found = _WORTHS[key] = worths(mount.kind, mount.fit, mode, ward, shell)
    return found


def best(mount: Mount, way: str | None, ward: Ward, shell: float) -> list[float]:
    """The most a weapon is worth at each step of range: as it is set (`way`), else in whatever way is best."""
    modes = mount.modes if way is None else (way,)
    rows = [worths_of(mount, mode, ward, shell) for mode in modes]
    return [max(row[step] for row in rows if step < len(row)) for step in range(max(map(len, rows)))]


def range_table(bearer: Bearer, sheet: Sheet, ward: Ward, shell: float) -> Table:
    """What a ship's fire is worth: STEPS numbers for each arc, in the order of the arcs, the nearest range first."""
    key = (bearer, ward, shell)
    found = _TABLES.get(key)
    if found is None:
        if len(_TABLES) >= MOST_TABLES:
            _TABLES.clear()
        found = _TABLES[key] = _table(bearer, weapons_of(bearer.profile, sheet), ward, shell)
    return found


def _table(bearer: Bearer, mounts: tuple[Mount, ...], ward: Ward, shell: float) -> Table:
    table = [0.0] * len(ARCS) * STEPS
    ways = dict(bearer.ways)
    for mount in mounts:
        if mount.place in bearer.out:
            continue
        share = ALONG.get(mount.kind.along, 1.0)
        row = best(mount, ways.get(mount.place), ward, shell)
        for place, arc in enumerate(ARCS):
            if mount.bits & (ROLLED_OVER[arc] if bearer.rolled else arc):
                for step, worth in enumerate(row):
                    table[place * STEPS + step] += worth * share
    return tuple(table)


def step_of(distance: float) -> int:
    """The step of range a distance falls into, one exactly on a limit into the nearer."""
    return int((distance - 1e-6) / STEP) if distance > STEP else 0


def arc_place(dx: float, dy: float, ux: float, uy: float) -> int:
    """The place in ARCS of the arc a point `dx`, `dy` MU away lies in, for a ship that faces along `ux`, `uy`."""
    ahead = dx * ux + dy * uy
    right = dx * uy - dy * ux
    wide = right if right > 0 else -right
    if wide * 1.7320508 <= (ahead if ahead > 0 else -ahead):
        return 0 if ahead > 0 else 3
    if right > 0:
        return 1 if ahead > 0 else 2
    return 5 if ahead > 0 else 4

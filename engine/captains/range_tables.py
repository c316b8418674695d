"""A captain's range tables: what all a ship's working weapons do by arc and range to a target behind its defences.

Sheets repeat and ships lose systems rarely, so a table is kept for as long as it is asked for.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from engine.captains.expected import STEP, STEPS, Ward, means
from engine.combat.guns import BOW, GUNS, LINE
from engine.combat.readiness import SETTINGS
from engine.geometry import AFT_6, NEAR, SIX_ARC_BITS
from engine.sheet import INSTALLATION, Fit, Rig, Sheet
from engine.systems.kinetics import FLAK

ARCS = tuple(SIX_ARC_BITS.values())
# What a ship that flies upside down bears with instead.
MIRRORED = {"FS": "FP", "AS": "AP", "FP": "FS", "AP": "AS"}
ROLLED_OVER = {bit: SIX_ARC_BITS[MIRRORED.get(arc, arc)] for arc, bit in SIX_ARC_BITS.items()}
# Whose dice ask for the target's mass, and for its velocity.
BY_MASS, BY_VELOCITY = ("spinal-singularity",), ("gravitic",)
ALONG = {LINE: 0.4, BOW: 0.2}  # of its arc a weapon covers that fires along a line, about
Table = tuple[float, ...]


class Weapon(NamedTuple):
    """A weapon of a sheet: its place in `fits`, the fit as its dice see it, the arcs it may bear to, and the ways it
    fires at a ship as a whole, or at one system where it knows no other.
    """

    place: int
    fit: Fit
    bits: int
    modes: tuple[str, ...]


class Bearer(NamedTuple):
    """Who fires: a sheet, what of it is out or left unused (places in `fits`), how weapons are set (place, mode), and
    whether it is upside down.
    """

    rig: Rig
    out: tuple[int, ...]
    ways: tuple[tuple[int, str], ...] = ()
    rolled: bool = False


_WEAPONS: dict[Rig, tuple[Weapon, ...]] = {}
_TABLES: dict[tuple[Bearer, Ward, float], Table] = {}
MOST_SHEETS, MOST_TABLES = 4096, 65536


def weapons_of(rig: Rig, sheet: Sheet) -> tuple[Weapon, ...]:
    """The weapons of a sheet, in its order. Those in a turret bear where the turret may turn to."""
    found = _WEAPONS.get(rig)
    if found is None:
        if len(_WEAPONS) >= MOST_SHEETS:
            _WEAPONS.clear()
        stern = AFT_6 if sheet.kind != INSTALLATION else 0
        found = _WEAPONS[rig] = tuple(
            Weapon(
                place,
                _as_dice_see_it(fit),
                _bits(rig, place, fit) & ~(0 if GUNS[fit.type].astern else stern),
                modes_of(fit),
            )
            for place, fit in enumerate(sheet.fits)
            if fit.type in GUNS
        )
    return found


def modes_of(fit: Fit) -> tuple[str, ...]:
    """The ways a weapon may fire at a ship: its settings, else its modes but those at one system and at a point."""
    settings = SETTINGS.get((fit.type, fit.variant))
    if settings:
        return settings
    gun = GUNS[fit.type]
    return gun.modes[:1] + tuple(mode for mode in gun.modes[1:] if mode not in gun.at_system and mode != FLAK)


@lru_cache(maxsize=4096)
def farthest(fit: Fit) -> float:
    """MU beyond which a weapon does nothing in any way it may fire."""
    gun = GUNS[fit.type]
    return max(gun.reach(fit, mode) for mode in dict.fromkeys((*modes_of(fit), *gun.at_system))) + NEAR


def _bits(rig: Rig, place: int, fit: Fit) -> int:
    return rig.bears[rig.index_of[fit.turret]] if fit.turret else rig.bears[place]


def _as_dice_see_it(fit: Fit) -> Fit:
    return replace(fit, id="", arcs=(), turret="", mass=0, load=(), magazine="")


def ward_for(fit: Fit, ward: Ward) -> Ward:
    """What of a target's defences matters to a weapon's dice."""
    mass = ward.mass if fit.type in BY_MASS else 0
    velocity = ward.velocity if fit.type in BY_VELOCITY else 0
    return ward if (mass, velocity) == (ward.mass, ward.velocity) else ward._replace(mass=mass, velocity=velocity)


@lru_cache(maxsize=65536)
def worths(fit: Fit, mode: str, ward: Ward, shell: float) -> tuple[float, ...]:
    """What a shot is worth at each step of range, nearest first, as far as it reaches."""
    return tuple(mean.worth(shell) for mean in means(fit, mode, ward_for(fit, ward)))


def best(weapon: Weapon, way: str | None, ward: Ward, shell: float) -> list[float]:
    """The most a weapon is worth at each step of range: as it is set (`way`), else in whatever way is best."""
    modes = weapon.modes if way is None else (way,)
    rows = [worths(weapon.fit, mode, ward, shell) for mode in modes]
    return [max(row[step] for row in rows if step < len(row)) for step in range(max(map(len, rows)))]


def range_table(bearer: Bearer, sheet: Sheet, ward: Ward, shell: float) -> Table:
    """What a ship's fire is worth: STEPS numbers for each arc, in the order of the arcs, the nearest range first."""
    key = (bearer, ward, shell)
    found = _TABLES.get(key)
    if found is None:
        if len(_TABLES) >= MOST_TABLES:
            _TABLES.clear()
        found = _TABLES[key] = _table(bearer, weapons_of(bearer.rig, sheet), ward, shell)
    return found


def _table(bearer: Bearer, weapons: tuple[Weapon, ...], ward: Ward, shell: float) -> Table:
    table = [0.0] * len(ARCS) * STEPS
    ways = dict(bearer.ways)
    for weapon in weapons:
        if weapon.place in bearer.out:
            continue
        share = ALONG.get(GUNS[weapon.fit.type].along, 1.0)
        row = best(weapon, ways.get(weapon.place), ward, shell)
        for place, arc in enumerate(ARCS):
            if weapon.bits & (ROLLED_OVER[arc] if bearer.rolled else arc):
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

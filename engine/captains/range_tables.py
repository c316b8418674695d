"""A captain's range tables: what all a ship's working weapons do by arc and range to a target behind its defences.

Sheets repeat and ships lose systems rarely, so a table is kept for as long as it is asked for.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from engine.captains.expected import STEP, STEPS, Ward, means
from engine.combat.guns import GUNS
from engine.geometry import AFT_6, SIX_ARC_BITS
from engine.sheet import INSTALLATION, Fit, Rig, Sheet

ARCS = tuple(SIX_ARC_BITS.values())
# What a ship that flies upside down bears with instead.
ROLLED_OVER = {bit: SIX_ARC_BITS[{"FS": "FP", "AS": "AP", "FP": "FS", "AP": "AS"}.get(arc, arc)]
               for arc, bit in SIX_ARC_BITS.items()}  # fmt: skip
# Whose dice ask for the target's mass, and for its velocity.
BY_MASS, BY_VELOCITY = ("spinal-singularity",), ("gravitic",)
SPEEDS = 6  # MU of velocity that count as alike
Table = tuple[float, ...]


class Weapon(NamedTuple):
    """A weapon of a sheet: its place in `fits`, the fit as its dice see it, the arcs it may bear to."""

    place: int
    fit: Fit
    bits: int


class Bearer(NamedTuple):
    """Who fires: a sheet, what of it is out or left unused (places in `fits`), whether it is upside down."""

    rig: Rig
    out: tuple[int, ...]
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
            Weapon(index, _as_dice_see_it(fit), _bits(rig, index, fit) & ~(0 if GUNS[fit.type].astern else stern))
            for index, fit in enumerate(sheet.fits)
            if fit.type in GUNS
        )
    return found


def _bits(rig: Rig, index: int, fit: Fit) -> int:
    return rig.bears[rig.index_of[fit.turret]] if fit.turret in rig.index_of else rig.bears[index]


def _as_dice_see_it(fit: Fit) -> Fit:
    return replace(fit, id="", arcs=(), turret="", mass=0, load=(), magazine="")


def ward_for(fit: Fit, ward: Ward) -> Ward:
    """What of a target's defences matters to a weapon's dice."""
    mass = ward.mass if fit.type in BY_MASS else 0
    velocity = ward.velocity if fit.type in BY_VELOCITY else 0
    return ward if (mass, velocity) == (ward.mass, ward.velocity) else ward._replace(mass=mass, velocity=velocity)


@lru_cache(maxsize=65536)
def best(fit: Fit, ward: Ward, shell: float) -> tuple[tuple[float, str], ...]:
    """The most a weapon is worth at each step of range, and the mode it fires in for that."""
    modes = [mode for mode in GUNS[fit.type].modes if not GUNS[fit.type].at_system or mode]
    rows = [(mode, [mean.worth(shell) for mean in means(fit, mode, ward)]) for mode in modes or [""]]
    return tuple(
        max((row[step], -place, mode) for place, (mode, row) in enumerate(rows) if step < len(row))[::2]
        for step in range(max(len(row) for _, row in rows))
    )


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
    for weapon in weapons:
        if weapon.place in bearer.out:
            continue
        row = best(weapon.fit, ward_for(weapon.fit, ward), shell)
        for place, arc in enumerate(ARCS):
            if weapon.bits & (ROLLED_OVER[arc] if bearer.rolled else arc):
                for step, (worth, _) in enumerate(row):
                    table[place * STEPS + step] += worth
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

"""Range tables: the expected effect of all of a ship's working weapons, by arc and range.

Many ships have the same sheet and ships rarely lose systems, so tables are cached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, count
from typing import NamedTuple

from engine.captains.common.expected_damage import STEP, STEPS, DefenceProfile, mean_effects
from engine.core.cache import Cache, rules_cache
from engine.core.geometry import AFT, AFT_6, FORE, NEAR, PORT, SIX_ARC_BITS, STARBOARD
from engine.core.kinds import INSTALLATION
from engine.core.sheet import Fit, Sheet, ShipProfile
from engine.core.ship import ShipState
from engine.ruleset import rules_of
from engine.weapons.weapon import BOW, LINE, Trait, Weapon

# The arcs with which a ship that has rolled over bears instead.
MIRRORED = {"FS": "FP", "AS": "AP", "FP": "FS", "AP": "AS"}
ROLLED_OVER = {bit: SIX_ARC_BITS[MIRRORED.get(arc, arc)] for arc, bit in SIX_ARC_BITS.items()}
BY_MASS = Trait.BY_MASS
BY_VELOCITY = Trait.BY_VELOCITY
# Share of its arc that a weapon covers that fires along a line, approximately.
LINE_FACTOR = {LINE: 0.4, BOW: 0.2}
ONE_SHOT_FACTOR = 0.6  # share of its worth at which a one-shot weapon counts in the move search


class Compass(NamedTuple):
    """The arcs of an edition for range tables: six sectors round a ship, the bow's first.

    Attributes:
        bits: The arc bit of each sector.
        slope: How many times farther ahead than aside the fore arc reaches.
        stern: The bit of the blind arc.
    """

    bits: tuple[int, ...]
    slope: float
    stern: int


# By the number of arcs; with four arcs the sides fill two sectors each.
COMPASSES = {
    4: Compass((FORE, STARBOARD, STARBOARD, AFT, PORT, PORT), 1.0, AFT),
    6: Compass(tuple(SIX_ARC_BITS.values()), 1.7320508, AFT_6),
}
PLACES = 6  # sectors in a table
CLOSE = 3  # the step of range at which threats are compared
ASTERN = 3  # the index of the aft sector


def compass_of(edition: str) -> Compass:
    """Return the arcs of an edition."""
    return COMPASSES[len(rules_of(edition).arcs)]


class Mount(NamedTuple):
    """A weapon on a sheet.

    Attributes:
        kind: Its type.
        place: Its index in `fits`.
        fit: The system, without anything that does not affect its dice.
        bits: The arcs it may bear to.
        modes: The ways it can fire at a ship as a whole, or at a system if it has no other way.
        farthest: MU beyond which it has no effect in any mode.
        number: The number of its kind, used as a cache key.
    """

    kind: Weapon
    place: int
    fit: Fit
    bits: int
    modes: tuple[str, ...]
    farthest: float
    number: int


class RangeTable:
    """The worth of fire by arc and range.

    Attributes:
        rows: STEPS numbers for each sector in turn, nearest range first.
        reach: The number of steps at which anything has an effect.
        most: The highest worth from each step on.
        preferred_range: MU just inside the farthest range at which the best arc has half of its
            best effect.
        broadsides: The total worth to starboard, and to port.
        close_by: The highest worth at CLOSE.
    """

    __slots__ = ("broadsides", "close_by", "most", "preferred_range", "reach", "rows")

    def __init__(self, rows: tuple[float, ...]) -> None:
        self.rows = rows
        arcs = [rows[start : start + STEPS] for start in range(0, len(rows), STEPS)]
        best_at_step = [max(worths) for worths in zip(*arcs, strict=True)]
        farthest_first = best_at_step[::-1]
        self.reach = next((STEPS - place for place, worth in enumerate(farthest_first) if worth), 0)
        self.most = tuple(accumulate(farthest_first, max))[::-1]
        self.broadsides = sum(arcs[1] + arcs[2]), sum(arcs[5] + arcs[4])
        self.close_by = max(rows[CLOSE::STEPS])
        best_arc = max(arcs, key=sum)
        most = max(best_arc)
        last_good_step = max(step for step in range(STEPS) if best_arc[step] * 2 >= most)
        if most:
            self.preferred_range = max((last_good_step + 1) * STEP - 1.0, STEP)
        else:
            self.preferred_range = STEP


class Armament:
    """A ship's working weapons, their settings, and whether the ship has rolled over.

    Attributes:
        groups: The first of each set of equivalent weapons, with the indexes of the whole set.
        farthest: MU beyond which nothing has an effect.
        needs: Whether any dice depend on the target's mass, and on its velocity.
        settings: The modes of weapons that are set, by index.
    """

    __slots__ = ("compass", "farthest", "groups", "mounts", "needs", "rolled", "settings", "tables")

    def __init__(
        self, compass: Compass, mounts: tuple[Mount, ...], settings: dict[int, str], rolled: bool
    ) -> None:
        self.compass = compass
        self.mounts = mounts
        self.settings = settings
        self.rolled = rolled
        self.tables: dict[tuple[DefenceProfile, float], RangeTable] = {}
        equal_mounts: dict[tuple[int, int], list[Mount]] = {}
        for mount in mounts:
            equal_mounts.setdefault((mount.number, mount.bits), []).append(mount)
        groups = []
        for group in equal_mounts.values():
            groups.append((group[0], tuple(mount.place for mount in group)))
        self.groups = tuple(groups)
        self.farthest = max((mount.farthest for mount in mounts), default=0.0)
        self.needs = (
            any(BY_MASS in mount.kind.traits for mount in mounts),
            any(BY_VELOCITY in mount.kind.traits for mount in mounts),
        )

    def table(self, defence: DefenceProfile, armour_ratio: float) -> RangeTable:
        """Return its range table at a target behind such defences.

        Defences that are alike to its weapons share a table.
        """
        result = self.tables.get((defence, armour_ratio))
        if result is None:
            if len(self.tables) >= MAX_TABLES:
                self.tables.clear()
            key = self._matters(defence), armour_ratio
            result = self.tables.get(key)
            if result is None:
                result = self.tables[key] = RangeTable(self._rows(*key))
            self.tables[defence, armour_ratio] = result
        return result

    def _matters(self, defence: DefenceProfile) -> DefenceProfile:
        """Return the part of a target's defences that affects the dice of any of its weapons."""
        by_mass, by_velocity = self.needs
        return defence._replace(
            mass=defence.mass if by_mass else 0, velocity=defence.velocity if by_velocity else 0
        )

    def _rows(self, defence: DefenceProfile, armour_ratio: float) -> tuple[float, ...]:
        """Return the worths of a range table: STEPS numbers for each sector in turn."""
        rows = [0.0] * PLACES * STEPS
        arcs = [ROLLED_OVER[arc] if self.rolled else arc for arc in self.compass.bits]
        for mount in self.mounts:
            share = LINE_FACTOR.get(mount.kind.along, 1.0)
            if mount.kind.is_scarce:
                share *= ONE_SHOT_FACTOR
            row = best_worths(mount, self.settings.get(mount.place), defence, armour_ratio)
            if share != 1.0:
                row = [worth * share for worth in row]
            for sector, arc in enumerate(arcs):
                if mount.bits & arc:
                    for index, worth in enumerate(row, sector * STEPS):
                        rows[index] += worth
        return tuple(rows)


MAX_SHEETS = 4096
MAX_SHIPS = 16384
MAX_TABLES = 256
MAX_WORTHS = 65536
_MOUNTS: Cache[ShipProfile, tuple[Mount, ...]] = Cache(MAX_SHEETS)
_WORTHS: Cache[tuple[int, str, DefenceProfile, float], tuple[float, ...]] = Cache(MAX_WORTHS)
_UNUSED: Cache[tuple[object, ...], tuple[int, ...]] = Cache(MAX_SHIPS)
_ARMAMENTS: Cache[
    tuple[ShipProfile, tuple[int, ...], tuple[tuple[int, str], ...], bool], Armament
] = Cache(MAX_SHIPS)


def mounts_of(profile: ShipProfile, sheet: Sheet) -> tuple[Mount, ...]:
    """Return the weapons of a sheet in order; those in a turret bear where the turret can turn."""
    mounts = _MOUNTS.get(profile)
    if mounts is None:
        mounts = _MOUNTS.keep(profile, _mounts(profile, sheet))
    return mounts


def _mounts(profile: ShipProfile, sheet: Sheet) -> tuple[Mount, ...]:
    """Return the aimed weapons of a sheet; without the blind arc, except on installations."""
    stern = 0 if sheet.kind == INSTALLATION else compass_of(sheet.edition).stern
    mounts: list[Mount] = []
    for place, (fit, weapon) in enumerate(zip(sheet.fits, profile.weapons, strict=True)):
        is_for_craft = Trait.ANTI_FIGHTER in weapon.traits and Trait.BARE_ONLY not in weapon.traits
        if not weapon.is_aimed or is_for_craft:
            continue
        bits = profile.bears[profile.index_of[fit.turret] if fit.turret else place]
        blind_arc = 0 if Trait.ASTERN in weapon.traits else stern
        mounts.append(_mount(weapon, place, _as_dice_see_it(fit), bits & ~blind_arc))
    return tuple(mounts)


def _mount(weapon: Weapon, place: int, fit: Fit, bits: int) -> Mount:
    """Return a weapon as the range tables use it."""
    return Mount(
        kind=weapon,
        place=place,
        fit=fit,
        bits=bits,
        modes=modes_of(weapon, fit),
        farthest=_farthest(weapon, fit),
        number=_number_of(weapon, fit),
    )


@rules_cache
def _number_of(_weapon: Weapon, _fit: Fit) -> int:
    """Return a unique number for each kind of weapon: a number hashes faster than a fit."""
    return next(_numbers)


_numbers = count()


def modes_of(weapon: Weapon, fit: Fit) -> tuple[str, ...]:
    """Return the ways a weapon can fire at a ship: its settings, or its modes against ships."""
    settings = weapon.settings.get(fit.variant)
    if settings:
        return settings
    modes = list(weapon.modes[:1])
    for mode in weapon.modes[1:]:
        if mode not in weapon.at_system and mode not in weapon.at_point:
            modes.append(mode)
    return tuple(modes)


def _farthest(weapon: Weapon, fit: Fit) -> float:
    """Return the MU beyond which a weapon has no effect in any mode."""
    modes = dict.fromkeys((*modes_of(weapon, fit), *weapon.at_system))
    return max(weapon.reach(fit, mode) for mode in modes) + NEAR


def _as_dice_see_it(fit: Fit) -> Fit:
    """Return a system without anything that does not affect its dice."""
    return replace(fit, id="", arcs=(), turret="", mass=0, load=(), magazine="")


def relevant_defence(weapon: Weapon, defence: DefenceProfile) -> DefenceProfile:
    """Return the part of a target's defences that affects a weapon's dice."""
    mass = defence.mass if BY_MASS in weapon.traits else 0
    velocity = defence.velocity if BY_VELOCITY in weapon.traits else 0
    if (mass, velocity) == (defence.mass, defence.velocity):
        return defence
    return defence._replace(mass=mass, velocity=velocity)


def shot_worths(
    weapon: Weapon, fit: Fit, mode: str, defence: DefenceProfile, armour_ratio: float
) -> tuple[float, ...]:
    """Return the worth of a shot at each step of range within reach, nearest first."""
    worths: list[float] = []
    for mean in mean_effects(weapon, fit, mode, relevant_defence(weapon, defence)):
        worths.append(mean.points_worth(armour_ratio))
    return tuple(worths)


def mount_worths(
    mount: Mount, mode: str, defence: DefenceProfile, armour_ratio: float
) -> tuple[float, ...]:
    """Return the worth of a mount's shot at each step of range, cached by its number."""
    key = (mount.number, mode, defence, armour_ratio)
    row = _WORTHS.get(key)
    if row is None:
        row = _WORTHS.keep(
            key,
            shot_worths(
                mount.kind,
                mount.fit,
                mode,
                defence=relevant_defence(mount.kind, defence),
                armour_ratio=armour_ratio,
            ),
        )
    return row


def best_worths(
    mount: Mount, setting: str | None, defence: DefenceProfile, armour_ratio: float
) -> Sequence[float]:
    """Return the highest worth of a weapon at each step of range.

    Args:
        setting: The mode it is set to; None for whatever mode is best.
    """
    modes = mount.modes if setting is None else (setting,)
    if len(modes) == 1:
        return mount_worths(mount, modes[0], defence, armour_ratio)
    rows = [mount_worths(mount, mode, defence, armour_ratio) for mode in modes]
    worths: list[float] = []
    for step in range(max(map(len, rows))):
        worths.append(max(row[step] for row in rows if step < len(row)))
    return worths


def armament(
    profile: ShipProfile,
    sheet: Sheet,
    unused: tuple[int, ...],
    settings: tuple[tuple[int, str], ...] = (),
    *,
    rolled: bool = False,
) -> Armament:
    """Return a ship's armament, cached.

    Args:
        unused: The indexes in `fits` of weapons that are lost or unused.
        settings: The settings of the others, by index.
        rolled: Whether the ship has rolled over.
    """
    key = (profile, unused, settings, rolled)
    result = _ARMAMENTS.get(key)
    if result is None:
        mounts = tuple(mount for mount in mounts_of(profile, sheet) if mount.place not in unused)
        result = _ARMAMENTS.keep(
            key, Armament(compass_of(sheet.edition), mounts, dict(settings), rolled)
        )
    return result


def unused_weapons(ship: ShipState, never: tuple[str, ...]) -> tuple[int, ...]:
    """Return the indexes of weapons that are lost, used up, without FireCon or forbidden."""
    key = (
        ship.profile,
        tuple(ship.alive),
        tuple(ship.stock),
        ship.firecons > 0,
        ship.sweeping,
        never,
    )
    result = _UNUSED.get(key)
    if result is None:
        places = []
        for mount in mounts_of(ship.profile, ship.sheet):
            if not is_usable(ship, mount.place, mount.fit.type, never):
                places.append(mount.place)
        result = _UNUSED.keep(key, tuple(places))
    return result


def is_usable(ship: ShipState, place: int, type_: str, never: tuple[str, ...]) -> bool:
    """Return whether a weapon can be used.

    It must work, be loaded, have a FireCon if it needs one, and not be forbidden to the captain.
    Active minesweepers keep offensive weapons silent.
    """
    if not ship.alive[place] or type_ in never:
        return False
    fit = ship.sheet.fits[place]
    if ship.sweeping and fit.offensive:
        return False
    weapon = ship.profile.weapons[place]
    if weapon.controlled and not ship.firecons:
        return False
    if weapon.once and not ship.stock[place]:
        return False
    return not weapon.has_no_magazine(ship, fit)


def step_of(distance: float) -> int:
    """Return the step of range of a distance; a limit belongs to the nearer step."""
    if distance > STEP:
        return int((distance - NEAR) / STEP)
    return 0


def arc_place(dx: float, dy: float, ux: float, uy: float, slope: float) -> int:
    """Return the sector of a point `dx`, `dy` MU from a ship that faces along `ux`, `uy`."""
    ahead = dx * ux + dy * uy
    right = dx * uy - dy * ux
    wide = right if right > 0 else -right
    if wide * slope <= (ahead if ahead > 0 else -ahead):
        if ahead > 0:
            return 0
        return ASTERN
    if right > 0:
        if ahead > 0:
            return 1
        return 2
    if ahead > 0:
        return 5
    return 4

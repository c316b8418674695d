"""A captain's range tables: what all a ship's working weapons do by arc and range to a target
behind its defences.

Sheets repeat and ships lose systems rarely, so a table is kept for as long as it is asked for.
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

# What a ship that flies upside down bears with instead.
MIRRORED = {"FS": "FP", "AS": "AP", "FP": "FS", "AP": "AS"}
ROLLED_OVER = {bit: SIX_ARC_BITS[MIRRORED.get(arc, arc)] for arc, bit in SIX_ARC_BITS.items()}
BY_MASS, BY_VELOCITY = Trait.BY_MASS, Trait.BY_VELOCITY
LINE_FACTOR = {LINE: 0.4, BOW: 0.2}  # of its arc a weapon covers that fires along a line, about
ONE_SHOT_FACTOR = (
    0.6  # of its worth a weapon of one shot counts when a place is looked for: it is there but once
)


class Compass(NamedTuple):
    """The arcs of an edition as tables have them: six places round a ship, the bow's first, each
    with its bit.

    `slope`: how many times as far ahead as aside the fore arc reaches; `stern`: the bit of the arc
    that is blind.
    """

    bits: tuple[int, ...]
    slope: float
    stern: int


# By the number of arcs: quarters have their sides twice.
COMPASSES = {
    4: Compass((FORE, STARBOARD, STARBOARD, AFT, PORT, PORT), 1.0, AFT),
    6: Compass(tuple(SIX_ARC_BITS.values()), 1.7320508, AFT_6),
}
PLACES = 6  # of arcs in a table
CLOSE = 3  # the step of range at which threats are compared
ASTERN = 3  # the place of the aft arc


def compass_of(edition: str) -> Compass:
    """The arcs of an edition."""
    return COMPASSES[len(rules_of(edition).arcs)]


class Mount(NamedTuple):
    """A weapon of a sheet: its row, its place in `fits`, the fit as its dice see it, the arcs it
    may bear to, and the ways it fires at a ship as a whole, or at one system where it knows no
    other.

    `farthest`: MU beyond which it does nothing in any way; `number`: of its kind, by which its
    means are found.
    """

    kind: Weapon
    place: int
    fit: Fit
    bits: int
    modes: tuple[str, ...]
    farthest: float
    number: int


class RangeTable:
    """What fire is worth: STEPS numbers for each arc in `rows`, in the order of the arcs, the
    nearest range first.

    `reach`: the steps at which anything is worth anything; `most`: the most it is worth from each
    step on; `liked`: MU just inside the farthest range at which the best arc still does half of
    what it does at best. `broadsides`: all that it is worth to starboard, and to port. `close_by`:
    the most it is worth at CLOSE.
    """

    __slots__ = ("broadsides", "close_by", "most", "preferred_range", "reach", "rows")

    def __init__(self, rows: tuple[float, ...]) -> None:
        self.rows = rows
        arcs = [rows[at : at + STEPS] for at in range(0, len(rows), STEPS)]
        farthest_first = [max(worths) for worths in zip(*(arc[::-1] for arc in arcs), strict=True)]
        self.reach = next((STEPS - place for place, worth in enumerate(farthest_first) if worth), 0)
        self.most = tuple(accumulate(farthest_first, max))[::-1]
        self.broadsides = sum(arcs[1] + arcs[2]), sum(arcs[5] + arcs[4])
        self.close_by = max(rows[CLOSE::STEPS])
        fore = max(arcs, key=sum)
        most = max(fore)
        steps = [step for step in range(STEPS) if fore[step] * 2 >= most]
        self.preferred_range = max((steps[-1] + 1) * STEP - 1.0, STEP) if most else STEP


class Armament:
    """A ship as it fires: its working weapons, how they are set (place, mode), whether it is upside
    down.

    `alike`: the first of each lot of weapons that do the same, with the places of the whole lot;
    `farthest`: MU beyond which nothing does anything; `asks`: whether dice of any ask for their
    target's mass, and for its velocity.
    """

    __slots__ = ("compass", "farthest", "groups", "mounts", "needs", "rolled", "tables", "ways")

    def __init__(
        self, compass: Compass, mounts: tuple[Mount, ...], ways: dict[int, str], rolled: bool
    ) -> None:
        self.compass = compass
        self.mounts = mounts
        self.ways = ways
        self.rolled = rolled
        self.tables: dict[tuple[DefenceProfile, float], RangeTable] = {}
        lots: dict[tuple[int, int], list[Mount]] = {}
        for mount in mounts:
            lots.setdefault((mount.number, mount.bits), []).append(mount)
        self.groups = tuple((lot[0], tuple(mount.place for mount in lot)) for lot in lots.values())
        self.farthest = max((mount.farthest for mount in mounts), default=0.0)
        asks = [
            trait
            for mount in mounts
            for trait in mount.kind.traits
            if trait in (BY_MASS, BY_VELOCITY)
        ]
        self.needs = BY_MASS in asks, BY_VELOCITY in asks

    def table(self, defence: DefenceProfile, shell: float) -> RangeTable:
        """What it is worth at a target behind such defences; one table for all that are alike to
        its weapons.
        """
        result = self.tables.get((defence, shell))
        if result is None:
            if len(self.tables) >= MOST_TABLES:
                self.tables.clear()
            key = self._matters(defence), shell
            result = self.tables.get(key)
            if result is None:
                result = self.tables[key] = RangeTable(self._rows(*key))
            self.tables[defence, shell] = result
        return result

    def _matters(self, defence: DefenceProfile) -> DefenceProfile:
        """What of a target's defences matters to the dice of any of its weapons."""
        by_mass, by_velocity = self.needs
        return defence._replace(
            mass=defence.mass if by_mass else 0, velocity=defence.velocity if by_velocity else 0
        )

    def _rows(self, defence: DefenceProfile, shell: float) -> tuple[float, ...]:
        rows = [0.0] * PLACES * STEPS
        arcs = [ROLLED_OVER[arc] if self.rolled else arc for arc in self.compass.bits]
        for mount in self.mounts:
            share = LINE_FACTOR.get(mount.kind.along, 1.0) * (
                ONE_SHOT_FACTOR if mount.kind.is_scarce else 1.0
            )
            row = best_worths(mount, self.ways.get(mount.place), defence, shell)
            if share != 1.0:
                row = [worth * share for worth in row]
            for place, arc in enumerate(arcs):
                if mount.bits & arc:
                    for step, worth in enumerate(row, place * STEPS):
                        rows[step] += worth
        return tuple(rows)


MOST_SHEETS, MOST_SHIPS, MOST_TABLES, MOST_WORTHS = 4096, 16384, 256, 65536
_MOUNTS: Cache[ShipProfile, tuple[Mount, ...]] = Cache(MOST_SHEETS)
_WORTHS: Cache[tuple[int, str, DefenceProfile, float], tuple[float, ...]] = Cache(MOST_WORTHS)
_UNUSED: Cache[tuple[object, ...], tuple[int, ...]] = Cache(MOST_SHIPS)
_ARMAMENTS: Cache[
    tuple[ShipProfile, tuple[int, ...], tuple[tuple[int, str], ...], bool], Armament
] = Cache(MOST_SHIPS)


def mounts_of(profile: ShipProfile, sheet: Sheet) -> tuple[Mount, ...]:
    """The weapons of a sheet, in its order. Those in a turret bear where the turret may turn to."""
    mounts = _MOUNTS.get(profile)
    if mounts is None:
        mounts = _MOUNTS.keep(profile, _mounts(profile, sheet))
    return mounts


def _mounts(profile: ShipProfile, sheet: Sheet) -> tuple[Mount, ...]:
    stern = compass_of(sheet.edition).stern if sheet.kind != INSTALLATION else 0
    return tuple(
        _mount(
            profile,
            place,
            _as_dice_see_it(fit),
            fit.turret,
            weapon,
            0 if Trait.ASTERN in weapon.traits else stern,
        )
        for place, (fit, weapon) in enumerate(zip(sheet.fits, profile.weapons, strict=True))
        if weapon.is_aimed
        and (Trait.ANTI_FIGHTER not in weapon.traits or Trait.BARE_ONLY in weapon.traits)
    )


def _mount(
    profile: ShipProfile, place: int, fit: Fit, turret: str, weapon: Weapon, blind: int
) -> Mount:
    bits = profile.bears[profile.index_of[turret]] if turret else profile.bears[place]
    return Mount(
        weapon,
        place,
        fit,
        bits & ~blind,
        modes_of(weapon, fit),
        _farthest(weapon, fit),
        _number_of(weapon, fit),
    )


@rules_cache
def _number_of(_weapon: Weapon, _fit: Fit) -> int:
    """A number of its own for each kind of weapon, never given twice: a number hashes sooner than a
    fit.
    """
    return next(_numbers)


_numbers = count()


def modes_of(weapon: Weapon, fit: Fit) -> tuple[str, ...]:
    """The ways a weapon may fire at a ship: its settings, else its modes but those at one system
    and at a point.
    """
    settings = weapon.settings.get(fit.variant)
    if settings:
        return settings
    other_modes = (
        mode
        for mode in weapon.modes[1:]
        if mode not in weapon.at_system and mode not in weapon.at_point
    )
    return (*weapon.modes[:1], *other_modes)


def _farthest(weapon: Weapon, fit: Fit) -> float:
    """MU beyond which a weapon does nothing in any way it may fire."""
    return (
        max(
            weapon.reach(fit, mode)
            for mode in dict.fromkeys((*modes_of(weapon, fit), *weapon.at_system))
        )
        + NEAR
    )


def _as_dice_see_it(fit: Fit) -> Fit:
    return replace(fit, id="", arcs=(), turret="", mass=0, load=(), magazine="")


def relevant_defence(weapon: Weapon, defence: DefenceProfile) -> DefenceProfile:
    """What of a target's defences matters to a weapon's dice."""
    mass = defence.mass if BY_MASS in weapon.traits else 0
    velocity = defence.velocity if BY_VELOCITY in weapon.traits else 0
    return (
        defence
        if (mass, velocity) == (defence.mass, defence.velocity)
        else defence._replace(mass=mass, velocity=velocity)
    )


def shot_worths(
    weapon: Weapon, fit: Fit, mode: str, defence: DefenceProfile, shell: float
) -> tuple[float, ...]:
    """What a shot is worth at each step of range, nearest first, as far as it reaches."""
    return tuple(
        [
            mean.points_worth(shell)
            for mean in mean_effects(weapon, fit, mode, relevant_defence(weapon, defence))
        ]
    )


def mount_worths(
    mount: Mount, mode: str, defence: DefenceProfile, shell: float
) -> tuple[float, ...]:
    """The same for a mount, found by the number of its kind: a number hashes sooner than a fit."""
    key = (mount.number, mode, defence, shell)
    row = _WORTHS.get(key)
    if row is None:
        row = _WORTHS.keep(
            key,
            shot_worths(mount.kind, mount.fit, mode, relevant_defence(mount.kind, defence), shell),
        )
    return row


def best_worths(
    mount: Mount, way: str | None, defence: DefenceProfile, shell: float
) -> Sequence[float]:
    """The most a weapon is worth at each step of range: as it is set (`way`), else in whatever way
    is best.
    """
    modes = mount.modes if way is None else (way,)
    if len(modes) == 1:
        return mount_worths(mount, modes[0], defence, shell)
    rows = [mount_worths(mount, mode, defence, shell) for mode in modes]
    return [
        max(row[step] for row in rows if step < len(row)) for step in range(max(map(len, rows)))
    ]


def armament(
    profile: ShipProfile,
    sheet: Sheet,
    out: tuple[int, ...],
    ways: tuple[tuple[int, str], ...] = (),
    *,
    rolled: bool = False,
) -> Armament:
    """Who fires: a sheet, what of it is out or left unused (places in `fits`), and how the rest is
    set.
    """
    key = (profile, out, ways, rolled)
    result = _ARMAMENTS.get(key)
    if result is None:
        mounts = tuple(mount for mount in mounts_of(profile, sheet) if mount.place not in out)
        result = _ARMAMENTS.keep(
            key, Armament(compass_of(sheet.edition), mounts, dict(ways), rolled)
        )
    return result


def unused_weapons(ship: ShipState, never: tuple[str, ...]) -> tuple[int, ...]:
    """The places of a ship's weapons that are out, fired off, without a FireCon, or left unused."""
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
        places = [
            mount.place
            for mount in mounts_of(ship.profile, ship.sheet)
            if not is_usable(ship, mount.place, mount.fit.type, never)
        ]
        result = _UNUSED.keep(key, tuple(places))
    return result


def is_usable(ship: ShipState, place: int, type_: str, never: tuple[str, ...]) -> bool:
    """Whether a weapon works, is loaded, has a FireCon where it asks for one, and its captain uses
    it; minesweepers at work keep it silent.
    """
    weapon = ship.profile.weapons[place]
    return bool(
        ship.alive[place]
        and type_ not in never
        and not (ship.sweeping and ship.sheet.fits[place].offensive)
        and (ship.firecons or not weapon.controlled)
        and (ship.stock[place] or not weapon.once)
        and not weapon.has_no_magazine(ship, ship.sheet.fits[place])
    )


def step_of(distance: float) -> int:
    """The step of range a distance falls into, one exactly on a limit into the nearer."""
    return int((distance - NEAR) / STEP) if distance > STEP else 0


def arc_place(dx: float, dy: float, ux: float, uy: float, slope: float) -> int:
    """The place of the arc a point `dx`, `dy` MU away lies in, for a ship that faces along `ux`,
    `uy`.
    """
    ahead = dx * ux + dy * uy
    right = dx * uy - dy * ux
    wide = right if right > 0 else -right
    if wide * slope <= (ahead if ahead > 0 else -ahead):
        return 0 if ahead > 0 else ASTERN
    if right > 0:
        return 1 if ahead > 0 else 2
    return 5 if ahead > 0 else 4

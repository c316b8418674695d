"""What a captain does with torpedoes, needle beams and submunition packs, and with whatever else is no battery of
beams: when they fire, at whom, by which FireCon.

What they may be expected to do is found by firing them by their own rules (`engine.captains.expected`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from engine.captains.estimate import Foe
from engine.captains.expected import at_range, by_range
from engine.core.geometry import AFT, FORE, NEAR, PORT, STARBOARD, arcs_of
from engine.core.orders import Fire
from engine.core.sheet import Fit, Sheet, ShipProfile
from engine.core.ship import ShipState
from engine.weapons.registry import forget_with
from engine.weapons.weapon import BOW, Trait, Weapon

PACK_FROM = 12.0  # MU at which a pack is worth its one salvo
THRIFT = 0.6  # of a pack's worth when a place to fire it from is looked for: it is there but once
BOW_ON = 15.0  # MU a ship with tubes would like to be off while nothing bears
# What a hit on a system is worth in damage points, beside the fire power that goes with it.
DRIVE, JUMP, LAST_FIRECON, FIRECON, SCREEN = 1.5, 8.0, 2.5, 0.4, 2.0

Reach = tuple[float, int, float]  # mean damage points, place among the foes, squared range


class Mount(NamedTuple):
    """A weapon of a sheet: its place and its id, its row, the fit as its dice see it, the arcs (bits) it bears through,
    and MU it reaches.
    """

    place: int
    name: str
    kind: Weapon
    fit: Fit
    bears: int
    reach: float


class Stand(NamedTuple):
    """A sheet's weapons that are no batteries: tubes, those fired at systems, and those that fire but once."""

    tubes: tuple[Mount, ...]
    needles: tuple[Mount, ...]
    packs: tuple[Mount, ...]


class Kit:
    """A ship's ordnance that works and that its captain uses: each tube, needle and pack left."""

    __slots__ = ("needles", "packs", "tubes")

    def __init__(self, tubes: list[Mount], needles: list[Mount], packs: list[Mount]) -> None:
        self.tubes = tubes
        self.needles = needles
        self.packs = packs


_STANDS: dict[ShipProfile, Stand] = {}
MOST_SHEETS = 4096
forget_with(_STANDS.clear)


def stand_of(profile: ShipProfile, sheet: Sheet) -> Stand:
    """What a sheet has beside batteries, in its order."""
    found = _STANDS.get(profile)
    if found is None:
        if len(_STANDS) >= MOST_SHEETS:
            _STANDS.clear()
        mounts = [
            Mount(place, fit.id, kind, _as_dice_see_it(fit), profile.bears[place], kind.reach(fit, ""))
            for place, (fit, kind) in enumerate(zip(sheet.fits, profile.weapons, strict=True))
            if kind.aimed and kind.along != BOW and not kind.beam_dice and Trait.ANTI_FIGHTER not in kind.traits
        ]
        found = _STANDS[profile] = Stand(
            tuple(one for one in mounts if not one.kind.once and not one.kind.at_system),
            tuple(one for one in mounts if not one.kind.once and one.kind.at_system),
            tuple(one for one in mounts if one.kind.once),
        )
    return found


def _as_dice_see_it(fit: Fit) -> Fit:
    return replace(fit, id="", arcs=())


def mean_points(mount: Mount, screens: int, distance: float) -> float:
    """Mean damage points of a shot at a range in MU, past a level of screens; nothing beyond its reach."""
    return at_range(by_range(mount.kind, mount.fit, screens).points, distance)


def chance(mount: Mount) -> float:
    """How likely a shot knocks out the system it is aimed at, at short range."""
    return by_range(mount.kind, mount.fit, 0).needled[0]


def total_points(mounts: Iterable[Mount], screens: int, distance: float) -> float:
    """Mean damage points of weapons together: those of a kind are counted, and then told by their kinds."""
    numbers: dict[tuple[Weapon, Fit], int] = {}
    rows: dict[tuple[Weapon, Fit], Mount] = {}
    for mount in mounts:
        key = (mount.kind, mount.fit)
        numbers[key] = numbers.get(key, 0) + 1
        rows[key] = mount
    return sum(number * mean_points(rows[key], screens, distance) for key, number in numbers.items())


def kit_of(ship: ShipState, never: tuple[str, ...]) -> Kit | None:
    """A ship's ordnance, None where it has none in working order."""
    stand = stand_of(ship.profile, ship.sheet)
    if not (stand.tubes or stand.needles or stand.packs):
        return None
    alive, stock = ship.alive, ship.stock

    def working(mounts: tuple[Mount, ...]) -> list[Mount]:
        return [one for one in mounts if alive[one.place] and one.kind.type not in never]

    kit = Kit(working(stand.tubes), working(stand.needles), [o for o in working(stand.packs) if stock[o.place]])
    return kit if kit.tubes or kit.needles or kit.packs else None


def pull(kit: Kit, near: list[Foe]) -> Callable[[float, float, float, float], float]:
    """What a kit adds to the worth of a place: mean damage points at the foe it does most to, by x, y and the course.

    `near`: the foes, where they will be.
    """
    farthest = max(one.reach for one in (*kit.tubes, *kit.needles, *kit.packs))
    bits = (FORE, STARBOARD, AFT, PORT)
    tubes = _by_kind(kit.tubes)
    packs = _by_kind(kit.packs)
    counts = {bit: tuple(sum(one.bears & bit > 0 for one in group) for group in tubes) for bit in bits}
    shots = {bit: sum(one.bears & bit > 0 for one in kit.needles) for bit in bits}
    needle_reach = max((one.reach for one in kit.needles), default=0.0)
    hits = chance(kit.needles[0]) if kit.needles else 0.0
    aims = [
        (
            foe,
            prize(foe)[0] * hits if kit.needles else 0.0,
            [by_range(group[0].kind, group[0].fit, foe.screens).points for group in tubes],
            [(len(group) * THRIFT, by_range(group[0].kind, group[0].fit, foe.screens).points) for group in packs],
        )
        for foe in near
    ]

    def worth(x: float, y: float, ux: float, uy: float) -> float:
        best = 0.0
        for foe, gain, rows, salvoes in aims:
            dx, dy = foe.x - x, foe.y - y
            distance = (dx * dx + dy * dy) ** 0.5
            if distance > farthest:
                continue
            ahead, right = dx * ux + dy * uy, dx * uy - dy * ux
            wide = abs(right)
            bit = FORE if ahead >= wide else (AFT if -ahead > wide else (STARBOARD if right > 0 else PORT))
            value = 0.0
            for number, row in zip(counts[bit], rows, strict=True):
                if number:
                    value += number * at_range(row, distance) * foe.weight
            if bit != AFT:
                for many, row in salvoes:
                    value += many * at_range(row, distance) * foe.weight
            if shots[bit] and distance <= needle_reach:
                value += shots[bit] * gain
            best = max(best, value)
        return best

    return worth


def _by_kind(mounts: list[Mount]) -> list[list[Mount]]:
    """Weapons of a kind together."""
    groups: dict[tuple[Weapon, Fit], list[Mount]] = {}
    for one in mounts:
        groups.setdefault((one.kind, one.fit), []).append(one)
    return list(groups.values())


def with_packs(kit: Kit, ship: ShipState, bearing: list[Reach], foes: list[Foe]) -> list[Reach]:
    """What a ship's guns can do to each foe, with the packs that are worth firing now."""
    if not kit.packs:
        return bearing
    guns = {index: expected for expected, index, _ in bearing}
    rows = []
    for index, foe in enumerate(foes):
        dx, dy = foe.x - ship.x, foe.y - ship.y
        squared = dx * dx + dy * dy
        points = guns.get(index, 0.0)
        if arcs_of(dx, dy, ship.course) != AFT:
            fired = [pack for pack in kit.packs if pack_fires(pack, ship, foe, squared**0.5)]
            points += total_points(fired, foe.screens, squared**0.5)
        if points:
            rows.append((points, index, squared))
    return rows


def pack_fires(pack: Mount, ship: ShipState, foe: Foe, distance: float) -> bool:
    """Whether a pack is worth it at that range: near, or later would be too late for the ship or for the foe."""
    last_chance = 2 * ship.damage >= ship.sheet.boxes or foe.left <= 1
    return distance <= (pack.reach if last_chance else PACK_FROM) + NEAR


def fires_of(
    kit: Kit, ship: ShipState, targets: list[Foe], guns: tuple[Fire, ...], worth: float, foes: list[Foe]
) -> tuple[Fire, ...]:
    """A ship's whole fire: its FireCons go to the guns with the packs, to the torpedoes and to a needled system.

    `guns`: its batteries' orders at `targets`, the best first, and what they are `worth`, packs included; `foes`: all.
    """
    uses: list[tuple[float, int, tuple[Fire, ...]]] = []
    if targets:
        uses.append((worth, 2, guns + _packs(kit, ship, targets)))
    tubes = (_torpedoes(group, ship, foes) for group in _by_control(kit.tubes))
    uses += [(aimed[0], 0, aimed[1]) for aimed in tubes if aimed]
    needles = (_needles(group, ship, foes) for group in _by_control(kit.needles))
    uses += [(aimed[0], 1, aimed[1]) for aimed in needles if aimed]
    uses.sort(key=lambda use: -use[0])
    chosen = sorted(uses[: ship.firecons], key=lambda use: use[1])
    return tuple(fire for _, _, fires in chosen for fire in fires)


def _by_control(mounts: list[Mount]) -> list[list[Mount]]:
    """Weapons whose FireCons are set to the same, together."""
    groups: dict[str, list[Mount]] = {}
    for one in mounts:
        groups.setdefault(one.kind.control, []).append(one)
    return list(groups.values())


def _packs(kit: Kit, ship: ShipState, targets: list[Foe]) -> tuple[Fire, ...]:
    """The packs at the best of the guns' targets that are worth one."""
    fires = []
    for pack in kit.packs:
        names = []
        for foe in targets[:3]:
            dx, dy = foe.x - ship.x, foe.y - ship.y
            if arcs_of(dx, dy, ship.course) != AFT and pack_fires(pack, ship, foe, (dx * dx + dy * dy) ** 0.5):
                names.append(foe.contact.id)
        if names:
            fires.append(Fire(pack.name, tuple(names)))
    return tuple(fires)


def _torpedoes(mounts: list[Mount], ship: ShipState, foes: list[Foe]) -> tuple[float, tuple[Fire, ...]] | None:
    """All tubes that bear at the foe they do most to, as far as it can take it; what that is worth."""
    best: tuple[float, tuple[Fire, ...]] | None = None
    farthest = max(one.reach for one in mounts) + NEAR
    for foe in foes:
        dx, dy = foe.x - ship.x, foe.y - ship.y
        distance = (dx * dx + dy * dy) ** 0.5
        if distance > farthest:
            continue
        bits = arcs_of(dx, dy, ship.course)
        tubes = [one for one in mounts if one.bears & bits and distance <= one.reach + NEAR]
        worth = min(total_points(tubes, foe.screens, distance), foe.left + 1.0) * foe.weight
        if tubes and (best is None or worth > best[0]):
            best = worth, tuple(Fire(tube.name, (foe.contact.id,)) for tube in tubes)
    return best


def _needles(mounts: list[Mount], ship: ShipState, foes: list[Foe]) -> tuple[float, tuple[Fire, ...]] | None:
    """All needles that bear at the one system whose loss would count most; what that is worth."""
    best: tuple[float, tuple[Fire, ...]] | None = None
    for foe in foes:
        dx, dy = foe.x - ship.x, foe.y - ship.y
        shots = [one for one in mounts if dx * dx + dy * dy <= (one.reach + NEAR) ** 2]
        if not shots:
            continue
        bits = arcs_of(dx, dy, ship.course)
        shots = [one for one in shots if one.bears & bits]
        gain, system = prize(foe)
        worth = len(shots) * chance(mounts[0]) * gain
        if shots and system and (best is None or worth > best[0]):
            best = worth, tuple(Fire(needle.name, (foe.contact.id,), system) for needle in shots)
    return best


def prize(foe: Foe) -> tuple[float, str]:
    """The system of a foe most worth a needle, and what its loss is worth in damage points.

    The drive of a ship that fights, the FTL drive of one that is leaving, the FireCon of one that has no other.
    """
    contact = foe.contact
    if contact.sheet is None or contact.lost is None:
        return 0.0, ""
    lost = contact.lost()
    left = [fit for fit in contact.sheet.fits if lost.count(fit.id) < (2 if fit.type == "drive" else 1)]
    firecon = LAST_FIRECON if contact.firecons == 1 else FIRECON
    worth = {
        "firecon": firecon * foe.threat,
        "drive": DRIVE + 0.25 * foe.threat,
        "ftl": JUMP if contact.warm else 0.0,
        "screen": SCREEN,
    }
    found = max(left, key=lambda fit: worth.get(fit.type, 0.5), default=None)
    return (worth.get(found.type, 0.5) * foe.weight, found.id) if found is not None else (0.0, "")

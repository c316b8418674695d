"""What a captain does with torpedoes, needle beams and submunition packs: when they fire, at whom, by which FireCon."""

from __future__ import annotations

from collections.abc import Callable

from engine.captains.estimate import MEAN_POINTS, Foe
from engine.combat.weapons import band_of
from engine.geometry import AFT, FORE, NEAR, PORT, STARBOARD, arcs_of
from engine.orders import Fire
from engine.ship import ShipState
from engine.systems import missiles, needles, torpedoes

TUBE, NEEDLE, PACK = "pulse-torpedo", "needle", "submunition"
TYPES = (TUBE, NEEDLE, PACK)

# Mean damage points of a torpedo and of a pack in each of their bands.
TORPEDO_POINTS = tuple((7 - needed) / 6 * 3.5 for needed in torpedoes.HITS_ON)
PACK_POINTS = tuple(dice * MEAN_POINTS[0] for dice in missiles.DICE)
NEEDLE_HITS = (7 - needles.KILLS_ON) / 6

PACK_FROM = 12.0  # MU at which a pack is worth its one salvo
THRIFT = 0.6  # of a pack's worth when a place to fire it from is looked for: it is there but once
BOW_ON = 15.0  # MU a ship with tubes would like to be off while nothing bears
# What a hit on a system is worth in damage points, beside the fire power that goes with it.
DRIVE, JUMP, LAST_FIRECON, FIRECON, SCREEN = 1.5, 8.0, 2.5, 0.4, 2.0

Reach = tuple[float, int, float]  # mean damage points, place among the foes, squared range


class Kit:
    """A ship's ordnance that works and that its captain uses: (name, arc bits) of each tube, needle and pack left."""

    __slots__ = ("needles", "packs", "tubes")

    def __init__(self, tubes: list[tuple[str, int]], needles: list[tuple[str, int]], packs: list[str]) -> None:
        self.tubes = tubes
        self.needles = needles
        self.packs = packs


def kit_of(ship: ShipState, never: tuple[str, ...]) -> Kit | None:
    """A ship's ordnance, None where it has none in working order."""
    places = ship.rig.places
    if not (TUBE in places or NEEDLE in places or PACK in places):
        return None
    fits, alive, bears = ship.sheet.fits, ship.alive, ship.rig.bears

    def working(type_: str) -> list[int]:
        return [place for place in places.get(type_, ()) if alive[place]] if type_ not in never else []

    kit = Kit(
        [(fits[place].id, bears[place]) for place in working(TUBE)],
        [(fits[place].id, bears[place]) for place in working(NEEDLE)],
        [fits[place].id for place in working(PACK) if ship.stock[place]],
    )
    return kit if kit.tubes or kit.needles or kit.packs else None


def pull(kit: Kit, near: list[Foe]) -> Callable[[float, float, float, float], float]:
    """What a kit adds to the worth of a place: mean damage points at the foe it does most to, by x, y and the course.

    `near`: the foes, where they will be.
    """
    counts = {
        bit: (sum(bears & bit > 0 for _, bears in kit.tubes), sum(bears & bit > 0 for _, bears in kit.needles))
        for bit in (FORE, STARBOARD, AFT, PORT)
    }
    packs = len(kit.packs) * THRIFT
    aims = [(foe, prize(foe)[0] * NEEDLE_HITS if kit.needles else 0.0) for foe in near]

    def worth(x: float, y: float, ux: float, uy: float) -> float:
        best = 0.0
        for foe, gain in aims:
            dx, dy = foe.x - x, foe.y - y
            distance = (dx * dx + dy * dy) ** 0.5
            if distance > torpedoes.BANDS[-1]:
                continue
            ahead, right = dx * ux + dy * uy, dx * uy - dy * ux
            wide = abs(right)
            bit = FORE if ahead >= wide else (AFT if -ahead > wide else (STARBOARD if right > 0 else PORT))
            tubes, shots = counts[bit]
            value = tubes * TORPEDO_POINTS[band_of(distance, torpedoes.BANDS)] * foe.weight
            if packs and bit != AFT and distance <= missiles.BANDS[-1]:
                value += packs * PACK_POINTS[band_of(distance, missiles.BANDS)] * foe.weight
            if shots and distance <= needles.REACH:
                value += shots * gain
            best = max(best, value)
        return best

    return worth


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
        if pack_fires(ship, foe, squared**0.5) and arcs_of(dx, dy, ship.course) != AFT:
            points += len(kit.packs) * PACK_POINTS[band_of(squared**0.5, missiles.BANDS)]
        if points:
            rows.append((points, index, squared))
    return rows


def pack_fires(ship: ShipState, foe: Foe, distance: float) -> bool:
    """Whether packs are worth it at that range: near, or later would be too late for the ship or for the foe."""
    last_chance = 2 * ship.damage >= ship.sheet.boxes or foe.left <= 1
    return distance <= (missiles.BANDS[-1] if last_chance else PACK_FROM) + NEAR


def fires_of(
    kit: Kit, ship: ShipState, targets: list[Foe], guns: tuple[Fire, ...], worth: float, foes: list[Foe]
) -> tuple[Fire, ...]:
    """A ship's whole fire: its FireCons go to the guns with the packs, to the torpedoes and to a needled system.

    `guns`: its batteries' orders at `targets`, the best first, and what they are `worth`, packs included; `foes`: all.
    """
    uses: list[tuple[float, int, tuple[Fire, ...]]] = []
    if targets:
        uses.append((worth, 2, guns + _packs(kit, ship, targets)))
    if kit.tubes and (aimed := _torpedoes(kit, ship, foes)):
        uses.append((aimed[0], 0, aimed[1]))
    if kit.needles and (aimed := _needles(kit, ship, foes)):
        uses.append((aimed[0], 1, aimed[1]))
    uses.sort(key=lambda use: -use[0])
    chosen = sorted(uses[: ship.firecons], key=lambda use: use[1])
    return tuple(fire for _, _, fires in chosen for fire in fires)


def _packs(kit: Kit, ship: ShipState, targets: list[Foe]) -> tuple[Fire, ...]:
    """The packs at the best of the guns' targets that are worth one."""
    names = []
    for foe in targets[:3]:
        dx, dy = foe.x - ship.x, foe.y - ship.y
        if arcs_of(dx, dy, ship.course) != AFT and pack_fires(ship, foe, (dx * dx + dy * dy) ** 0.5):
            names.append(foe.contact.id)
    return tuple(Fire(pack, tuple(names)) for pack in kit.packs) if names else ()


def _torpedoes(kit: Kit, ship: ShipState, foes: list[Foe]) -> tuple[float, tuple[Fire, ...]] | None:
    """All tubes that bear at the foe they do most to, as far as it can take it; what that is worth."""
    best: tuple[float, tuple[Fire, ...]] | None = None
    for foe in foes:
        dx, dy = foe.x - ship.x, foe.y - ship.y
        band = band_of((dx * dx + dy * dy) ** 0.5, torpedoes.BANDS)
        if band < 0:
            continue
        bits = arcs_of(dx, dy, ship.course)
        tubes = [name for name, bears in kit.tubes if bears & bits]
        worth = min(len(tubes) * TORPEDO_POINTS[band], foe.left + 1.0) * foe.weight
        if tubes and (best is None or worth > best[0]):
            best = worth, tuple(Fire(tube, (foe.contact.id,)) for tube in tubes)
    return best


def _needles(kit: Kit, ship: ShipState, foes: list[Foe]) -> tuple[float, tuple[Fire, ...]] | None:
    """All needles that bear at the one system whose loss would count most; what that is worth."""
    best: tuple[float, tuple[Fire, ...]] | None = None
    for foe in foes:
        dx, dy = foe.x - ship.x, foe.y - ship.y
        if dx * dx + dy * dy > (needles.REACH + NEAR) ** 2:
            continue
        bits = arcs_of(dx, dy, ship.course)
        shots = [name for name, bears in kit.needles if bears & bits]
        gain, system = prize(foe)
        worth = len(shots) * NEEDLE_HITS * gain
        if shots and system and (best is None or worth > best[0]):
            best = worth, tuple(Fire(needle, (foe.contact.id,), system) for needle in shots)
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

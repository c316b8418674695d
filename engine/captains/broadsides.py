"""A captain's fire by Continuum: which ship fires first, at whom its FireCons are set, and which weapon at whom."""

from __future__ import annotations

from typing import NamedTuple

from engine.captains.doctrine import Doctrine
from engine.captains.estimate import weigh
from engine.captains.expected import STEP
from engine.captains.hazards import prefer, prey_of
from engine.captains.marks import Mark, bearer_of
from engine.captains.range_tables import ROLLED_OVER, Bearer, Weapon, best, ward_for, weapons_of
from engine.combat.guns import GUNS
from engine.geometry import AFT_6, six_arcs_of
from engine.notes import THRUST_USED
from engine.orders import Fire, FireOrders
from engine.state import DOCKED, FIGHTING, ShipState
from engine.terms import AFT_FIRE
from engine.view import SideView

LISTED = 6  # targets named for a weapon, in order of preference
SAVED = 0.6  # of the most a weapon of one shot does: below that it waits for a better one
LAST_BOXES = 0.4  # of its hull left: a ship waits no longer


class Aim(NamedTuple):
    """What a weapon may fire at: its expected worth there and the mode it fires in. `mark`: place among the marks."""

    weapon: Weapon
    mark: int
    worth: float
    mode: str


def fire_orders(view: SideView, doctrine: Doctrine) -> FireOrders:
    """Fire for a side, the heaviest fire first.

    A target's rank grows with what a ship can do to it, its weight in the doctrine and the chance that its side kills
    it this turn; the lists let later ships pass on once it is dead.
    """
    marks = [Mark(contact, ahead=False) for contact in view.contacts if contact.hostile and contact.sheet is not None]
    if not marks:
        return []
    weigh([*marks], doctrine.targets)
    if view.terms.victory:
        prefer([*marks], prey_of(view, [*marks]))
    aims: list[tuple[ShipState, list[Aim]]] = []
    total = [0.0] * len(marks)
    for ship in view.own:
        if not able(ship):
            continue
        found = aims_of(ship, marks, doctrine, aft=AFT_FIRE in view.terms.options)
        for aim in found:
            total[aim.mark] += aim.worth
        if found:
            aims.append((ship, found))
    if doctrine.style == "straight":
        return [(ship.id, _at_nearest(ship, found, marks)) for ship, found in aims]
    urgency = [min(total[place] / max(mark.left, 1), 1.0) * 1.5 + 0.5 for place, mark in enumerate(marks)]
    aims.sort(key=_heaviest)
    liking = [mark.weight * urgent for mark, urgent in zip(marks, urgency, strict=True)]
    if doctrine.targets == "nearest":
        return [(ship.id, fires_of(ship, found, marks, _nearness(ship, marks))) for ship, found in aims]
    return [(ship.id, fires_of(ship, found, marks, liking)) for ship, found in aims]


def able(ship: ShipState) -> bool:
    """Whether a ship fires at all this turn."""
    return ship.status == FIGHTING and not (ship.dummy or ship.holds_fire or ship.armed or ship.docking >= DOCKED)


def _heaviest(plan: tuple[ShipState, list[Aim]]) -> float:
    most: dict[int, float] = {}
    for aim in plan[1]:
        most[aim.mark] = most.get(aim.mark, 0.0) + aim.worth
    return -max(most.values())


def _nearness(ship: ShipState, marks: list[Mark]) -> list[float]:
    return [10.0 / (1.0 + ((m.x - ship.x) ** 2 + (m.y - ship.y) ** 2)) ** 0.5 for m in marks]


def aims_of(ship: ShipState, marks: list[Mark], doctrine: Doctrine, *, aft: bool) -> list[Aim]:
    """What each working weapon of a ship may fire at, and what that is worth. `aft`: fire through the stern is agreed.

    A weapon of one shot waits for a target worth it.
    """
    bearer = bearer_of(ship, doctrine)
    weapons = [weapon for weapon in weapons_of(ship.rig, ship.sheet) if weapon.place not in bearer.out]
    aims: list[Aim] = []
    if not weapons:
        return aims
    last = (ship.sheet.boxes - ship.damage) < ship.sheet.boxes * LAST_BOXES
    stern = AFT_6 if aft and not ship.notes.get(THRUST_USED) else 0
    for place, mark in enumerate(marks):
        dx, dy = mark.x - ship.x, mark.y - ship.y
        step = int((dx * dx + dy * dy) ** 0.5 * mark.stretch / STEP - 1e-6)
        bits = six_arcs_of(dx, dy, ship.course, ship.sheet.beta)
        for weapon in weapons:
            row = best(weapon.fit, ward_for(weapon.fit, mark.ward), mark.shell)
            if step >= len(row) or not _bearing(ship, weapon, bearer, stern) & bits:
                continue
            worth, mode = row[step]
            if worth and (last or not GUNS[weapon.fit.type].once or worth >= SAVED * max(row)[0]):
                aims.append(Aim(weapon, place, worth, mode))
    return aims


def _bearing(ship: ShipState, weapon: Weapon, bearer: Bearer, stern: int) -> int:
    bits = weapon.bits | (ship.rig.bears[weapon.place] & stern)
    return sum(ROLLED_OVER[arc] for arc in ROLLED_OVER if bits & arc) if bearer.rolled else bits


def fires_of(ship: ShipState, aims: list[Aim], marks: list[Mark], liking: list[float]) -> tuple[Fire, ...]:
    """A ship's fire: its FireCons set to the targets that together are worth most, every weapon at the best of those.

    Behind them a weapon names others it bears on, for when those are wrecks before its turn comes.
    """
    ranked = _ranked(ship, aims, liking)
    fires: list[Fire] = []
    for weapon in dict.fromkeys(aim.weapon for aim in aims):
        mine = {aim.mark: aim for aim in aims if aim.weapon is weapon}
        names = [place for place in ranked if place in mine]
        if not names:
            continue
        mode = mine[names[0]].mode
        targets = tuple(marks[place].contact.id for place in names if mine[place].mode == mode)
        fires.append(Fire(ship.sheet.fits[weapon.place].id, targets[:LISTED], mode=mode))
    return tuple(fires)


def _ranked(ship: ShipState, aims: list[Aim], liking: list[float]) -> list[int]:
    """Targets in the order FireCons are set to them: each next one the best for weapons the earlier leave idle."""
    left = {aim.mark for aim in aims}
    best_yet: dict[Weapon, float] = {}
    ranked: list[int] = []
    while left:
        gain = dict.fromkeys(sorted(left), 0.0)
        for aim in aims:
            if aim.mark in left and (aim.weapon not in best_yet or len(ranked) >= ship.firecons):
                gain[aim.mark] += aim.worth * liking[aim.mark]
        found = max(gain, key=lambda place: (gain[place], -place))
        ranked.append(found)
        left.remove(found)
        best_yet |= {aim.weapon: aim.worth for aim in aims if aim.mark == found and aim.weapon not in best_yet}
    return ranked


def _at_nearest(ship: ShipState, aims: list[Aim], marks: list[Mark]) -> tuple[Fire, ...]:
    """The yardstick's fire: everything at the nearest foe it bears on."""
    near = _nearness(ship, marks)
    place = max({aim.mark for aim in aims}, key=lambda place: (near[place], marks[place].contact.id))
    return fires_of(ship, [aim for aim in aims if aim.mark == place], marks, near)

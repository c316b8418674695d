"""A captain's fire: which ship fires first and at whom, so that fire concentrates without being wasted."""

from __future__ import annotations

from engine.captains.doctrine import Doctrine
from engine.captains.estimate import ARC_AT, MEAN_POINTS, Foe, weigh
from engine.captains.hazards import prefer, prey_of
from engine.captains.novas import shot
from engine.captains.ordnance import Kit, Reach, fires_of, kit_of, with_packs
from engine.core.geometry import NEAR, arcs_of
from engine.core.kinds import FIGHTING, INSTALLATION
from engine.core.orders import Fire, FireOrders
from engine.core.ship import ShipState
from engine.view.side_view import SideView

_NEAR_BAND = (12.0 + NEAR) ** 2
_MIDDLE_BAND = (24.0 + NEAR) ** 2
_FAR_BAND = (36.0 + NEAR) ** 2


def fire_orders(view: SideView, doctrine: Doctrine) -> FireOrders:
    """Fire for a side: each ship's batteries at a ranked list of targets, the heaviest fire first.

    A target's rank grows with what this ship can do to it, its weight in the doctrine and the chance that its side
    kills it this turn; the list lets later ships pass on once it is dead.
    """
    foes = [Foe(contact, ahead=False) for contact in view.contacts if contact.hostile and contact.sheet is not None]
    if not foes:
        return []
    if doctrine.style == "straight":
        return _nearest_only(view, foes)
    weigh(foes, doctrine.targets)
    if view.terms.victory:
        prefer(foes, prey_of(view, foes))
    total = [0.0] * len(foes)
    orders: FireOrders = []
    plans: list[tuple[float, ShipState, list[Reach], Kit | None]] = []
    for ship in view.own:
        if ship.armed and ship.status == FIGHTING:
            orders.append((ship.id, shot(ship, foes, view.own)))
        if ship.status != FIGHTING or ship.holds_fire or not ship.firecons or ship.dummy or ship.armed:
            continue
        bearing = _bearing(ship, foes)
        kit = kit_of(ship, doctrine.never)
        if kit is not None:
            bearing = with_packs(kit, ship, bearing, foes)
        if bearing or kit is not None:
            for expected, index, _ in bearing:
                total[index] += expected
            plans.append((max((row[0] for row in bearing), default=0.0), ship, bearing, kit))
    nearest = doctrine.targets == "nearest"
    urgency = [min(total[i] / max(foe.left, 1), 1.0) * 1.5 + 0.5 for i, foe in enumerate(foes)]
    plans.sort(key=_heaviest)
    for _, ship, bearing, kit in plans:
        worth = sorted((-expected * foes[index].weight * urgency[index], index) for expected, index, _ in bearing)
        ranked = worth
        if nearest:
            ranked = sorted((squared / 100.0 - expected, index) for expected, index, squared in bearing)
        names = tuple(foes[index].contact.id for _, index in ranked[:6])
        fires = _salvo(ship, names) if names else ()
        if kit is not None:
            fires = fires_of(
                kit, ship, [foes[index] for _, index in ranked], fires, -worth[0][0] if worth else 0.0, foes
            )
        orders.append((ship.id, fires))
    return orders


def _heaviest(plan: tuple[float, ShipState, list[Reach], Kit | None]) -> float:
    return -plan[0]


def _bearing(ship: ShipState, foes: list[Foe]) -> list[Reach]:
    """What a ship can fire at with its batteries."""
    rows: list[Reach] = []
    x, y, course, power = ship.x, ship.y, ship.course, ship.power
    for index, foe in enumerate(foes):
        dx, dy = foe.x - x, foe.y - y
        squared = dx * dx + dy * dy
        if squared <= _FAR_BAND:
            at = ARC_AT[arcs_of(dx, dy, course)]
            if at < 0 and ship.sheet.kind == INSTALLATION:
                at = 0  # it has no stern
            if at >= 0:
                band = 0 if squared <= _NEAR_BAND else (1 if squared <= _MIDDLE_BAND else 2)
                numbers = power[at + band]
                if numbers:
                    rows.append((numbers * MEAN_POINTS[foe.screens], index, squared))
    return rows


def _salvo(ship: ShipState, targets: tuple[str, ...]) -> tuple[Fire, ...]:
    fits, alive = ship.sheet.fits, ship.alive
    return tuple(Fire(fits[index].id, targets) for index, _, _ in ship.profile.batteries if alive[index])


def _nearest_only(view: SideView, foes: list[Foe]) -> FireOrders:
    """The yardstick's fire: every ship, in file order, at the nearest it can see."""
    orders: FireOrders = []
    for ship in view.own:
        if ship.status == FIGHTING and not ship.dummy:
            near = min(foes, key=lambda foe: ((foe.x - ship.x) ** 2 + (foe.y - ship.y) ** 2, foe.contact.id))
            orders.append((ship.id, _salvo(ship, (near.contact.id,))))
    return orders

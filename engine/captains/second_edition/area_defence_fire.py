"""A captain's area defence: fire at fighters that approach its ships, before they strike.

Rules: 2E "Anti-fighter defences" [2e.anti-fighter]
"""

from __future__ import annotations

from engine.captains.common.fighter_tactics import groups_in_dogfights, is_near
from engine.combat.line_of_sight import is_blocked
from engine.core.geometry import FORE, arcs_of
from engine.core.kinds import FIGHTING
from engine.core.orders import Fire, FireOrders
from engine.core.ship import ShipState
from engine.pieces.group import Group
from engine.view.side_view import SideView
from engine.weapons.point_defence import AREA_RANGE
from engine.weapons.weapon import Trait

AREA = Trait.AREA_DEFENCE


def with_area_defence(view: SideView, orders: FireOrders, never: tuple[str, ...]) -> FireOrders:
    """Return a side's fire with area defence added, whose ships fire first."""
    in_dogfight = groups_in_dogfights(view)
    flyers = []
    for flyer in view.foreign_pieces_of(Group):
        if view.is_hostile(flyer) and flyer.id not in in_dogfight:
            flyers.append(flyer)
    prey = {}
    for flyer in flyers:
        prey[flyer.id] = [s for s in view.own_ships if s.status == FIGHTING and _attacks(flyer, s)]
    fires_by_unit = dict(orders)
    first: FireOrders = []
    for ship in view.own_ships:
        fits = ship.sheet.fits
        places = []
        for place in ship.profile.having.get(AREA, ()):
            if fits[place].type not in never:
                places.append(place)
        if not places or ship.status != FIGHTING or ship.armed:
            continue
        names = [
            flyer.id
            for flyer in sorted(
                flyers, key=lambda unit: (-unit.craft * bool(prey[unit.id]), unit.id)
            )
            if (
                is_near(ship, flyer, AREA_RANGE)
                or any(is_near(ship, unit, AREA_RANGE) for unit in prey[flyer.id])
            )
            and not is_blocked(view.pieces, (ship.x, ship.y), (flyer.x, flyer.y))
        ]
        if names:
            flak = tuple(
                Fire(
                    ship.sheet.fits[index].id,
                    tuple(names[n % len(names) :] + names[: n % len(names)]),
                )
                for n, index in enumerate(index for index in places if ship.alive[index])
            )
            first.append((ship.id, fires_by_unit.pop(ship.id, ()) + flak))
    return first + [(name, fires_by_unit[name]) for name, _ in orders if name in fires_by_unit]


def _attacks(flyer: Group, ship: ShipState) -> bool:
    """Return whether a hostile group may be about to attack a ship."""
    if not is_near(flyer, ship, flyer.row.reach):
        return False
    return bool(arcs_of(ship.x - flyer.x, ship.y - flyer.y, flyer.course) & FORE)

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
    prey = _prey_of_flyers(view)
    other_fires = dict(orders)
    first: FireOrders = []
    for ship in view.own_ships:
        if ship.status != FIGHTING or ship.armed:
            continue
        weapons = _area_weapons(ship, never)
        targets = _targets_of(ship, view, prey) if weapons else []
        if targets:
            area_fire = _spread_over(weapons, targets, ship)
            first.append((ship.id, other_fires.pop(ship.id, ()) + area_fire))
    return first + [(name, other_fires[name]) for name, _ in orders if name in other_fires]


def _prey_of_flyers(view: SideView) -> list[tuple[Group, list[ShipState]]]:
    """Return the hostile groups outside dogfights, each with the ships that it may attack."""
    in_dogfight = groups_in_dogfights(view)
    own_ships = [ship for ship in view.own_ships if ship.status == FIGHTING]
    result = []
    for flyer in view.foreign_pieces_of(Group):
        if view.is_hostile(flyer) and flyer.id not in in_dogfight:
            result.append((flyer, [ship for ship in own_ships if _attacks(flyer, ship)]))
    return result


def _area_weapons(ship: ShipState, never: tuple[str, ...]) -> list[int]:
    """Return the indexes of a ship's area defence weapons, also of lost ones."""
    fits = ship.sheet.fits
    return [place for place in ship.profile.having.get(AREA, ()) if fits[place].type not in never]


def _targets_of(
    ship: ShipState, view: SideView, prey: list[tuple[Group, list[ShipState]]]
) -> list[str]:
    """Return the groups that a ship's area defence can fire at, largest attackers first.

    It reaches groups near the ship, and those that attack a ship near it.
    """
    ranked = sorted(prey, key=lambda item: (-item[0].craft * bool(item[1]), item[0].id))
    names: list[str] = []
    for flyer, attacked in ranked:
        is_in_reach = is_near(ship, flyer, AREA_RANGE) or any(
            is_near(ship, other, AREA_RANGE) for other in attacked
        )
        if is_in_reach and not is_blocked(view.pieces, (ship.x, ship.y), (flyer.x, flyer.y)):
            names.append(flyer.id)
    return names


def _spread_over(weapons: list[int], targets: list[str], ship: ShipState) -> tuple[Fire, ...]:
    """Return the fire of the working weapons, each beginning with another target."""
    working = [index for index in weapons if ship.alive[index]]
    fires = []
    for number, index in enumerate(working):
        start = number % len(targets)
        fires.append(Fire(ship.sheet.fits[index].id, tuple(targets[start:] + targets[:start])))
    return tuple(fires)


def _attacks(flyer: Group, ship: ShipState) -> bool:
    """Return whether a hostile group may be about to attack a ship."""
    if not is_near(flyer, ship, flyer.row.reach):
        return False
    return bool(arcs_of(ship.x - flyer.x, ship.y - flyer.y, flyer.course) & FORE)

"""A captain's mines, minesweepers and active scans, and how long a Q ship keeps its cover.

Rules: 2E "Mines" [2e.mines]; 2E "Sensors and target identification" [2e.sensors]; 2E "Q ships"
[2e.q-ships]; Continuum "Sensors and ECM" 12.1, "Advanced sensors" 12.2 [pc.sensors]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import sqrt

from engine.captains.common.doctrine import Doctrine
from engine.captains.common.foes import Foe, knows_systems
from engine.combat.detection import PASSIVE_RANGE, active_range
from engine.combat.q_ships import may_be_known, visible_ship
from engine.core.geometry import Point, distance_to_path, is_within, length_of, squared_length
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, FireOrders, Plot
from engine.core.ship import DOCKED, ShipState
from engine.pieces.mine import LAYER, Mine, point_along, ready_minelayers
from engine.second_edition.movement import advance
from engine.systems.outfit import SWEEPER
from engine.systems.sensors import active_scans_of
from engine.view.side_view import Contact, SideView
from engine.weapons.mines import REACH
from engine.weapons.registry import types_with

Path = tuple[Point, ...]

PLACES_TRIED = 6  # places along a path that are tried for a mine
CERTAIN = 1.0  # chance that a foe passes that needs only to fly on
LIKELY = 0.5  # the same for a foe that has to turn after the minelayer
MIN_PROMISE = 0.5  # the least total chance for which mines are laid
REVEAL_RANGE = 24.0  # MU to its prey at which a Q ship reveals itself: most of its guns reach
REVEAL_RANGE_WHEN_HIT = 36.0  # the same once it has been hit


def add_field_orders(
    view: SideView,
    plots: dict[str, Plot],
    foes: list[Foe],
    doctrine: Doctrine,
    *,
    scans: bool = True,
) -> dict[str, Plot]:
    """Return the plots with mines, sweeping and, if `scans`, active scans where useful."""
    add_mine_orders(
        view, ships=view.own_ships, plots=plots, foes=foes, doctrine=doctrine, path_of=_path
    )
    if view.bogeys and scans:
        add_scans(
            view,
            plots,
            foes=[Foe(c, ahead=True) for c in view.contacts if c.hostile],
            end_of=_end_of,
            scans=_scans_by_mass,
            readers={},
        )
    return plots


def add_mine_orders(
    view: SideView,
    ships: Sequence[ShipState],
    plots: dict[str, Plot],
    foes: Sequence[Foe],
    doctrine: Doctrine,
    path_of: Callable[[ShipState, Plot], Path],
) -> None:
    """Add mines and sweeping to the plots of ships, in place, where useful.

    Args:
        path_of: Returns a ship's path by a plot.

    Rules: 2E "Mines" [2e.mines]; Continuum "Minelaying" 6.10, "Minesweeping" 12.5 [pc.mines]
    """
    for ship in ships:
        has_gear = LAYER in ship.profile.having or SWEEPER in ship.profile.indexes_by_type
        if not has_gear or ship.status != FIGHTING or not _may_lay_or_sweep(ship):
            continue
        plot = plots.get(ship.id, HOLD)
        path = path_of(ship, plot)
        layer_types = types_with(ship.sheet.edition, LAYER)
        if not any(type_ in doctrine.never for type_ in layer_types):
            plot = replace(plot, mines=_mines(ship, path, foes))
        if SWEEPER not in doctrine.never:
            plot = replace(plot, sweep=_sweeps(ship, path, view))
        if plot != HOLD:
            plots[ship.id] = plot


def _may_lay_or_sweep(ship: ShipState) -> bool:
    """Return whether a ship may lay or sweep mines: not docked, not entering FTL, no dummy."""
    return not ship.warm and ship.docking < DOCKED and not ship.dummy


def _path(ship: ShipState, plot: Plot) -> tuple[Point, Point, Point]:
    """Return the points of a ship's path by a plot."""
    moving = ship.copy()
    start = (ship.x, ship.y)
    if ship.velocity == 0 and plot.thrust == 0:
        return start, start, start
    mid = advance(moving, plot.turn, plot.thrust)
    return start, mid, (moving.x, moving.y)


def _mines(ship: ShipState, path: Path, foes: Sequence[Foe]) -> tuple[float, ...]:
    """Return where along its path a ship lays its mines, in MU.

    The best place is where foes that fly on, or follow the ship, will be next turn.
    """
    layer_count = len(ready_minelayers(ship))
    if not layer_count or not foes:
        return ()
    length = 0.0
    for start, end in pairwise(path):
        length += length_of(end[0] - start[0], end[1] - start[1])
    best_worth = 0.0
    best_along = 0.0
    for step in range(PLACES_TRIED + 1):
        along = length * step / PLACES_TRIED
        point = point_along(path, along)
        worth = sum(_mine_worth(point, path[-1], foe) for foe in foes)
        if worth > best_worth:
            best_worth = worth
            best_along = along
    if best_worth < MIN_PROMISE:
        return ()
    whole_mu = int(best_along)  # so that the order is easy to read
    return (float(whole_mu),) * layer_count


def _mine_worth(point: Point, layer: Point, foe: Foe) -> float:
    """Return the chance that a foe passes within 3 MU of a point in the turn after this one."""
    speed = foe.contact.velocity
    start = (foe.x, foe.y)
    straight = (foe.x + foe.ux * speed, foe.y + foe.uy * speed)
    if distance_to_path(*point, start, straight) <= REACH:
        return CERTAIN
    dx, dy = layer[0] - foe.x, layer[1] - foe.y
    away = sqrt(dx * dx + dy * dy)
    if away == 0 or dx * foe.ux + dy * foe.uy < away * 0.5:  # the minelayer is not ahead of the foe
        return 0.0
    share = min(speed / away, 1.0)
    if distance_to_path(*point, start, (foe.x + dx * share, foe.y + dy * share)) <= REACH:
        return LIKELY
    return 0.0


def _sweeps(ship: ShipState, path: Path, view: SideView) -> bool:
    """Return whether a minesweeper works this turn.

    It does if a known mine is in its path, or if minelayers are about and it has no target. A Q
    ship under cover does not sweep.
    """
    if ship.cover is not None or not _has_working_sweeper(ship):
        return False
    if any(mine.side != view.side and _passes(path, mine) for mine in view.pieces_of(Mine)):
        return True
    identified = _identified_foes(view)
    reach = PASSIVE_RANGE if ship.power[2] else 24.0
    if any(_is_near(ship, contact, reach) for contact in identified):
        return False
    return any(_lays_mines(contact) for contact in identified)


def _has_working_sweeper(ship: ShipState) -> bool:
    """Return whether a ship has a minesweeper that works."""
    sweepers = ship.profile.indexes_by_type.get(SWEEPER, ())
    return any(ship.alive[index] for index in sweepers)


def _identified_foes(view: SideView) -> list[Contact]:
    """Return the hostile contacts whose ship is identified."""
    result = []
    for contact in view.contacts:
        if contact.hostile and contact.sheet is not None:
            result.append(contact)
    return result


def _is_near(ship: ShipState, contact: Contact, reach: float) -> bool:
    """Return whether a contact is within `reach` MU of a ship."""
    return is_within(squared_length(contact.x - ship.x, contact.y - ship.y), reach)


def _passes(path: Path, mine: Mine) -> bool:
    """Return whether a path leads past a mine near enough to set it off."""
    return any(distance_to_path(mine.x, mine.y, a, b) <= REACH for a, b in pairwise(path))


def _lays_mines(contact: Contact) -> bool:
    """Return whether a contact is known to have a minelayer."""
    return contact.profile is not None and LAYER in contact.profile.having


def _scans_by_mass(ship: ShipState) -> int:
    """Return how many contacts a ship may scan, which depends on its mass."""
    return active_scans_of(ship.sheet)


def _end_of(ship: ShipState, plot: Plot) -> Point:
    """Return where a ship's move by a plot ends."""
    return _path(ship, plot)[-1]


def as_disguised(ship: ShipState) -> ShipState:
    """Return a ship with the thrust it may show: a Q ship moves like its cover."""
    if ship.cover is None:
        return ship
    acting = ship.copy()
    acting.thrust = min(ship.thrust, visible_ship(ship).thrust)
    return acting


def keep_cover(view: SideView, orders: FireOrders) -> FireOrders:
    """Return fire orders without those that would reveal a Q ship too early.

    It waits until its prey is near or it is hit. Weapons that its cover has fire anyway.
    """
    disguised: dict[str, ShipState] = {}
    for ship in view.own_ships:
        if ship.cover is not None and not _reveals_itself(ship, view):
            disguised[ship.id] = ship
    if not disguised:
        return orders
    result = []
    for name, fires in orders:
        if name in disguised:
            fires = tuple(fire for fire in fires if may_be_known(disguised[name], fire.weapon))
        result.append((name, fires))
    return result


def _reveals_itself(ship: ShipState, view: SideView) -> bool:
    """Return whether a Q ship is near enough to a foe to drop its cover and fire."""
    reach = REVEAL_RANGE_WHEN_HIT if ship.damage else REVEAL_RANGE
    return any(_is_near(ship, contact, reach) for contact in _identified_foes(view))


ESCORT_SCAN_RANGE = 46.0  # MU to a contact at which a hidden escort reveals itself to scan


def add_scans(
    view: SideView,
    plots: dict[str, Plot],
    foes: Sequence[Foe],
    end_of: Callable[[ShipState, Plot], Point],
    scans: Callable[[ShipState], int],
    readers: Mapping[str, int],
) -> None:
    """Add active scans to plots, in place, of contacts beyond passive range and of unread sheets.

    Ships that the enemy has identified scan whatever is there; a hidden fleet sends its cheapest
    escort, and only once a contact is near. Decoys and ships that appear as another class do not
    scan.

    Args:
        foes: Hostile contacts where they will be.
        end_of: Returns where a ship's move by a plot ends.
        scans: Returns how many contacts a ship may scan.
        readers: How many record sheets each ship may read, by id.
    """
    unknown = [foe for foe in foes if foe.contact.sheet is None]
    unread = [foe for foe in foes if readers and not knows_systems(foe.contact)]
    if not (unknown or unread):
        return
    scanned: list[str] = []
    for ship, reach in _scanners(view, scans):
        plot = plots.get(ship.id, HOLD)
        end = end_of(ship, plot)
        names = _not_in(_about(unread, end, 0.0, reach), scanned)[: readers.get(ship.id, 0)]
        names += _not_in(_about(unknown, end, PASSIVE_RANGE, reach), [*scanned, *names])
        names = names[: scans(ship)]
        if names:
            scanned += names
            plots[ship.id] = replace(plot, scan=tuple(names))


def _scanners(view: SideView, scans: Callable[[ShipState], int]) -> list[tuple[ShipState, float]]:
    """Return the ships that scan, each with the range in MU at which it does."""
    able = [ship for ship in view.own_ships if _may_scan(ship) and scans(ship)]
    identified = [ship for ship in able if not ship.bogey]
    if identified:
        return [(ship, active_range(view.terms, ship)) for ship in identified]
    escorts = [ship for ship in able if ship.label == ship.sheet.classification == "escort"]
    cheapest = sorted(escorts, key=_points_and_id)[:1]
    return [(ship, ESCORT_SCAN_RANGE) for ship in cheapest]


def _not_in(names: list[str], excluded: Sequence[str]) -> list[str]:
    """Return the names that are not among the excluded ones."""
    return [name for name in names if name not in excluded]


def _may_scan(ship: ShipState) -> bool:
    """Return whether a ship is free to scan and gives nothing away by it."""
    if ship.dummy or ship.cover is not None:
        return False
    return ship.status == FIGHTING and not ship.warm and ship.docking < DOCKED


def _points_and_id(ship: ShipState) -> tuple[int, str]:
    """Return the key that sorts ships by their points; the id decides between equals."""
    return ship.sheet.points, ship.id


def _about(foes: Sequence[Foe], at: Point, min_range: float, reach: float) -> list[str]:
    """Return the contacts between `min_range` and `reach` MU from a point, nearest first."""
    far = sorted((squared_length(foe.x - at[0], foe.y - at[1]), foe.contact.id) for foe in foes)
    result: list[str] = []
    for squared, name in far:
        if is_within(squared, reach) and (squared > min_range * min_range or not min_range):
            result.append(name)
    return result

"""Phase 7: ordnance finds its target, and rockets stay with theirs.

Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]; "Rocket pods" 6.7 [pc.rocket-pods]
"""

from __future__ import annotations

from engine.continuum.defences import acquisition_radius, is_cloaked_ship, is_detectable
from engine.continuum.fly_by import resolve_fly_by
from engine.continuum.launching import STAGES
from engine.core.geometry import NEAR, length_of
from engine.core.kinds import FIGHTING
from engine.core.reason import reason
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.pieces.group import Group
from engine.pieces.marker import (
    Marker,
    OrdnanceHomed,
    OrdnanceRemoved,
    RocketsChased,
    RocketsFollowed,
    place_beside,
)
from engine.weapons.ordnance import OPEN

TARGET_GONE = reason("target-gone", "its target is gone")
NOTHING_THERE = reason("nothing-there", "no hostile ship is near enough")


def home_ordnance(table: Table) -> None:
    """Let each marker find the nearest hostile ship it can detect, in phase 7.

    Markers that find no target are removed, unless they have another stage.

    Rules: Continuum "Launching missiles" 6.3, "Multi-stage missiles" 6.6 [pc.salvo-missiles]
    """
    state = table.state
    for marker in state.pieces_of(Marker):
        if marker.target:
            _follow(table, marker)
            continue
        if marker.target_boats:
            _chase(table, marker)
            continue
        if marker.fuse == OPEN or marker.row(state).explodes_where_aimed:
            continue
        nearest_ships = _nearest_ships(state, marker)
        if nearest_ships:
            if len(nearest_ships) > 1:
                die = table.dice.roll("missiles", marker.id)
            else:
                die = 0
            ship = nearest_ships[(die - 1) % len(nearest_ships)] if die else nearest_ships[0]
            marker.target = ship.id
            table.tell(
                OrdnanceHomed,
                marker=marker.id,
                ship=ship.id,
                range=_distance(marker, ship),
                die=die,
            )
            resolve_fly_by(table, marker, (marker.x, marker.y), (ship.x, ship.y))
        elif marker.stage >= STAGES.get(marker.grade, 1):
            state.take_off(marker)
            table.tell(OrdnanceRemoved, marker.id, NOTHING_THERE)


def _follow(table: Table, marker: Marker) -> None:
    """Keep rockets that hit with their target, in the arc of the launch.

    They are removed if the target is out of reach of any fire.

    Rules: Continuum "Rocket pods" 6.7 [pc.rocket-pods]
    """
    ship = table.state.ship(marker.target)
    if ship.status != FIGHTING or ship.docking == BERTHED or is_cloaked_ship(ship):
        table.state.take_off(marker)
        table.tell(OrdnanceRemoved, marker.id, TARGET_GONE)
        return
    marker.x, marker.y = place_beside(ship, marker.course)
    table.tell(RocketsFollowed, marker=marker.id, ship=ship.id, at=(marker.x, marker.y))


def has_chasing_rockets(state: BattleState) -> bool:
    """Return whether rockets are about to hit gunboats.

    Rules: Continuum "Rocket pods" 6.7 [pc.rocket-pods]
    """
    return any(marker.target_boats for marker in state.pieces_of(Marker))


def _chase(table: Table, marker: Marker) -> None:
    """Keep rockets that hit gunboats with them, or remove the rockets if the boats have landed.

    Rules: Continuum "Rocket pods" 6.7 [pc.rocket-pods]
    """
    group = table.state.find(Group, marker.target_boats)
    if group is None:
        table.state.take_off(marker)
        table.tell(OrdnanceRemoved, marker.id, TARGET_GONE)
        return
    marker.x, marker.y = place_beside(group, marker.course)
    table.tell(RocketsChased, marker=marker.id, group=group.id, at=(marker.x, marker.y))


def _nearest_ships(state: BattleState, marker: Marker) -> list[ShipState]:
    """Return the nearest hostile ships that a marker can detect, several if equally near."""
    in_range: list[tuple[float, ShipState]] = []
    for ship in state.ships:
        if not is_detectable(ship):
            continue
        if not state.hostile[marker.side] >> ship.commander & 1:
            continue
        distance = _distance(marker, ship)
        if distance <= acquisition_radius(state, ship) + NEAR:
            in_range.append((distance, ship))
    nearest = min((distance for distance, _ in in_range), default=0.0)
    return [ship for distance, ship in in_range if distance <= nearest + NEAR]


def _distance(marker: Marker, ship: ShipState) -> float:
    """Return the MU from a marker to a ship."""
    return length_of(marker.x - ship.x, marker.y - ship.y)

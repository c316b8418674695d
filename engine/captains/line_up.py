"""Where a captain places the ships of a side before a battle, in the formation of its doctrine.

The places follow from the side's own ships and its zone alone, so they tell nothing of the enemy.

Rules: Continuum "Deployment" 18.1 [pc.deployment]
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from engine.captains.common.doctrine import Doctrine
from engine.core.deployment import BY_SHIP, Zones, adapt_movement, settle_ship
from engine.core.geometry import COURSES, Point
from engine.core.kinds import INBOUND, INSTALLATION
from engine.core.ship import FREE, ShipState
from engine.core.victory import can_jump
from engine.core.zones import SPACING, Surroundings, Zone, parts_at
from engine.notation.placing import Place
from engine.notation.set_up import settle_unlawful_ships, surroundings_of
from engine.view.side_view import SideView

FROM_EDGE = 3.0  # MU from the edge behind the ships to the rearmost of them
SCREEN_AHEAD = 6.0  # MU of escorts ahead of what they guard
FIRST_SHIPS, MIDDLE_SHIPS, REAR_SHIPS = 0, 1, 2

Offset = tuple[float, float]  # MU ahead of the rear and to starboard of the middle


def propose(view: SideView, doctrine: Doctrine) -> dict[str, Place]:
    """Return where a captain would place the ships that its side has to place now.

    Without a formation they stay where the battle file lines them up.
    """
    stage = view.set_up
    if stage is None or not stage.is_asked(view.side):
        return {}
    ships = [ship.copy() for ship in view.own_ships]
    due = stage.ships_of(view.side, ships)
    zones = stage.plan.zones[view.side]
    enemies = [contact for contact in view.contacts if contact.hostile]
    around = surroundings_of(view.table, view.pieces, [*view.contacts, *ships], enemies)
    if doctrine.formation or doctrine.reserve:
        line_up(
            ships,
            zones,
            around,
            formation=doctrine.formation or "line",
            reserve=doctrine.reserve,
            open_ids=stage.open_ids,
        )
    else:
        settle_unlawful_ships(due, ships, zones, around)
    if stage.plan.manner == BY_SHIP:
        due = due[: stage.plan.step]
    places: dict[str, Place] = {}
    for ship in due:
        if doctrine.speed is not None and ship.sheet.kind != INSTALLATION:
            ship.velocity = doctrine.speed
        adapt_movement(ship, parts_at(_place(ship), zones, around) or zones[:1])
        places[ship.id] = _proposed_place(ship)
    return places


def _proposed_place(ship: ShipState) -> Place:
    """Return the place of a ship as it is written in an order."""
    at = [round(ship.x, 2), round(ship.y, 2)]
    place: dict[str, Any] = {"at": at, "course": ship.course, "velocity": ship.velocity}
    if ship.status == INBOUND:
        place["ftl_entry"] = ship.due
    return place


def line_up(
    side_ships: Sequence[ShipState],
    zones: Zones,
    around: Surroundings,
    *,
    formation: str,
    reserve: int,
    open_ids: Sequence[str],
) -> None:
    """Place the ships of a side for which nothing was chosen, in place.

    Args:
        side_ships: All ships of the side.
        formation: One of the formations of a doctrine.
        reserve: The turn in which capital ships drop out of FTL, if a zone allows it; 0: none.
        open_ids: The ships to place.
    """
    anchors = [zone.near for zone in zones]
    own = [ship for ship in side_ships if ship.id in open_ids and ship.id not in anchors]
    own = [ship for ship in own if ship.status != INBOUND and ship.docking == FREE]
    if reserve and any(zone.ftl for zone in zones):
        own = _hold_back(side_ships, own, reserve)
    zone = zones[0]
    ships = sorted(own, key=lambda ship: (_post(ship), own.index(ship)))
    offsets = _offsets(formation, ships, zone)
    taken = [_place(ship) for ship in side_ships if ship not in ships]
    for ship, offset in zip(ships, offsets, strict=True):
        settle_ship(ship, zones, around, wanted=_on_table(zone, offset), taken=taken)
        taken.append(_place(ship))


def _hold_back(
    side_ships: Sequence[ShipState], ships: list[ShipState], turn: int
) -> list[ShipState]:
    """Hold the capital ships back in FTL space, and return the others.

    At least one ship that is no drone stays on the table.
    """
    on_table = [ship for ship in side_ships if ship.status != INBOUND and not ship.dummy]
    held_back = [ship for ship in ships if ship.label == "capital" and can_jump(ship)]
    if len(held_back) >= len(on_table):
        held_back = held_back[1:]
    for ship in held_back:
        ship.status = INBOUND
        ship.due = turn
    return [ship for ship in ships if ship not in held_back]


def _post(ship: ShipState) -> int:
    """Return whether a ship belongs to the front, the middle or the rear of a formation.

    A drone is posted like the ship that it shows.
    """
    carries_craft = len(ship.profile.bays) >= 2 and not ship.dummy
    if ship.label in ("merchant", "installation") or carries_craft:
        return REAR_SHIPS
    return FIRST_SHIPS if ship.label == "escort" else MIDDLE_SHIPS


def _offsets(formation: str, ships: Sequence[ShipState], zone: Zone) -> list[Offset]:
    """Return the place of each ship in a formation."""
    depth, width = _extent(zone)
    count = len(ships)
    if formation == "line":
        step = width / (count + 1)
        return [(0.0, step * (n + 1) - width / 2) for n in range(count)]
    if formation == "column":
        return _column(count, depth)
    if formation == "wedge":
        return [(-SPACING * ceil(n / 2), _either_side(n)) for n in range(count)]
    if formation == "screen":
        return _screen(ships)
    return _ranks(count, width)


def _column(count: int, depth: float) -> list[Offset]:
    """Return places one behind the other; what does not fit forms further columns."""
    length = max(1, min(count, int(depth // SPACING)))
    return [
        (SPACING * (length - 1 - n % length), 2 * _either_side(n // length)) for n in range(count)
    ]


def _ranks(count: int, width: float) -> list[Offset]:
    """Return places in as few ranks as the zone is wide enough for."""
    most = max(1, int(width // SPACING))
    ranks = ceil(count / most)
    places = []
    for n in range(count):
        rank, row = n % ranks, n // ranks
        rows = ceil(count / ranks)
        places.append((SPACING * (ranks - 1 - rank), SPACING * (row - (rows - 1) / 2)))
    return places


def _screen(ships: Sequence[ShipState]) -> list[Offset]:
    """Return a rank of escorts, and 6 MU behind it a rank of what they guard."""
    posts = [_post(ship) for ship in ships]
    numbers = [0, 0]
    places = []
    for post in posts:
        is_rear = post != FIRST_SHIPS
        places.append((0.0 if is_rear else SCREEN_AHEAD, _either_side(numbers[is_rear])))
        numbers[is_rear] += 1
    return places


def _either_side(number: int) -> float:
    """Return the distance from the middle of the n-th ship: the middle, starboard, port, ..."""
    distance = SPACING * ceil(number / 2)
    return distance if number % 2 else -distance


def _extent(zone: Zone) -> tuple[float, float]:
    """Return the depth of a zone along its course and its width across it, in MU."""
    box = zone.box
    along_x, along_y = box.right - box.left, box.top - box.bottom
    is_along_x = abs(COURSES[zone.ahead][0]) > abs(COURSES[zone.ahead][1])
    return (along_x, along_y) if is_along_x else (along_y, along_x)


def _on_table(zone: Zone, offset: Offset) -> Point:
    """Return the point of the table at an offset from the middle of a zone's rear."""
    ahead, starboard = offset
    depth, _ = _extent(zone)
    ux, uy = COURSES[zone.ahead]
    x, y = zone.box.centre
    forward = min(FROM_EDGE, depth / 2) - depth / 2 + ahead
    return x + ux * forward + uy * starboard, y + uy * forward - ux * starboard


def _place(ship: ShipState) -> Point:
    return ship.x, ship.y

"""Where a captain places the ships of a side before a battle, in the formation of its doctrine.

The places follow from the side's own ships and its zone alone, so they tell nothing of the enemy.

Rules: Continuum "Deployment" 18.1 [pc.deployment]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import ceil
from typing import Any, Literal

from engine.captains.common.doctrine import Doctrine
from engine.core.deployment import (
    BY_SHIP,
    Zones,
    adapt_movement,
    entry_places,
    settle_ship,
)
from engine.core.geometry import COURSES, Point, dist
from engine.core.kinds import AWAY_AT_START, INBOUND, INSTALLATION
from engine.core.ship import FREE, ShipState
from engine.core.terms import Terms
from engine.core.versions import SET_UP
from engine.core.victory import can_jump
from engine.core.zones import (
    FROM_ENTRIES,
    SPACING,
    Box,
    Surroundings,
    Zone,
    nearest_place,
    parts_at,
)
from engine.notation.body_places import propose_bodies
from engine.notation.placing import Place
from engine.notation.set_up import Unit, settle_invalid_ships, surroundings_of
from engine.systems.defences import SCREEN_REACH
from engine.view.side_view import SideView
from engine.weapons.point_defence import AREA_RANGE
from engine.weapons.weapon import Trait

FROM_EDGE = 3.0  # MU from the edge behind the ships to the rearmost of them
MARGIN = 1.0  # MU that a formation keeps from front and rear of a zone that is too shallow for it
SCREEN_AHEAD = 6.0  # MU of escorts ahead of what they guard
ENTRIES_AHEAD = 12.0  # MU ahead of a zone within which ships drop out of FTL
FIRST_SHIPS, MIDDLE_SHIPS, REAR_SHIPS = 0, 1, 2
RANKS_WITH_REAR = "ranks-with-rear"  # ranks, with the rear ships behind all others

Offset = tuple[float, float]  # MU ahead of the rear and to starboard of the middle


def propose(view: SideView, doctrine: Doctrine) -> dict[str, Place]:
    """Return where a captain would place the bodies or ships that its side has to place now.

    Without a formation they stay where the battle file lines them up.
    """
    stage = view.set_up
    if stage is None or not stage.is_asked(view.side):
        return {}
    if stage.bodies:
        units: list[Unit] = [*view.contacts, *view.own_ships]
        bodies = propose_bodies(stage, view.side, view.table, view.pieces, units)
        return {name: {"at": [round(x, 2), round(y, 2)]} for name, (x, y) in bodies.items()}
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
            terms=view.terms,
        )
    else:
        settle_invalid_ships(due, ships, zones, around)
    if stage.plan.manner == BY_SHIP:
        due = due[: stage.plan.step]
    places: dict[str, Place] = {}
    for ship in due:
        if doctrine.speed is not None and ship.sheet.kind != INSTALLATION:
            ship.velocity = doctrine.speed
        adapt_movement(ship, parts_at(_place(ship), zones, around) or zones[:1])
        places[ship.id] = proposed_place(ship)
    return places


def proposed_place(ship: ShipState) -> Place:
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
    terms: Terms,
) -> None:
    """Place the ships of a side for which nothing was chosen, in place.

    Ships whose defences cover others begin beside a capital ship, and no ship within 6 MU of where
    others drop out of FTL, as far as there is room.

    Args:
        side_ships: All ships of the side.
        formation: One of the formations of a doctrine.
        reserve: The turn in which capital ships drop out of FTL, if a zone allows it; 0: none.
        open_ids: The ships to place.
        terms: By the rules of 1.0 rear ships are the last of the ranks, not behind them.
    """
    anchors = [zone.near for zone in zones]
    own = [ship for ship in side_ships if ship.id in open_ids and ship.id not in anchors]
    own = [ship for ship in own if ship.status != INBOUND and ship.docking == FREE]
    held_back: list[ShipState] = []
    if reserve and any(zone.ftl for zone in zones):
        held_back = _ships_to_hold_back(side_ships, own)
    ships = in_order([ship for ship in own if ship not in held_back])
    zone = zones[0].around(around.table, around.centres)
    if formation == "ranks" and terms.follows(SET_UP):
        formation = RANKS_WITH_REAR
    offsets = _offsets(formation, ships, zone)
    wanted: dict[str, Point] = {}
    for ship, offset in zip(ships, offsets, strict=True):
        wanted[ship.id] = _on_table(zone, offset)
    placing = _Placing([ship for ship in side_ships if ship not in own], zones, around)
    for ship in sorted(ships, key=lambda ship: (not _is_capital(ship), cover_reach(ship))):
        placing.settle(ship, wanted[ship.id])
    for ship in held_back:
        placing.hold_back(ship, reserve)


class _Placing:
    """The placing of a side's ships, one after the other, each beside those placed before.

    Attributes:
        placed: The ships of the side that have their places.
    """

    def __init__(self, placed: list[ShipState], zones: Zones, around: Surroundings) -> None:
        self.placed = placed
        self._zones = zones
        self._around = around

    def settle(self, ship: ShipState, wanted: Point) -> None:
        """Put a ship at the valid place nearest to a point."""
        occupied = [_place(other) for other in self.placed]
        entries = entry_places(self.placed)
        for zones, around in (*self._beside_capital(ship, wanted), (self._zones, self._around)):
            if settle_ship(ship, zones, around, wanted=wanted, taken=occupied, entries=entries):
                break
        else:
            settle_ship(ship, self._zones, self._around, wanted=wanted, taken=occupied)
        self.placed.append(ship)

    def _beside_capital(
        self, ship: ShipState, wanted: Point
    ) -> Iterator[tuple[Zones, Surroundings]]:
        """Yield the part of the zone in which the defences of a ship cover a capital ship."""
        reach = cover_reach(ship)
        capitals = [other for other in self.placed if _is_capital(other)]
        if not reach or not capitals or _is_capital(ship):
            return
        nearest = min(capitals, key=lambda capital: dist(_place(capital), wanted))
        centres = {**self._around.centres, nearest.id: _place(nearest)}
        zones = []
        for zone in self._zones:
            if not zone.near:
                zones.append(replace(zone, near=nearest.id, near_mu=reach))
        yield tuple(zones), replace(self._around, centres=centres)

    def hold_back(self, ship: ShipState, turn: int) -> None:
        """Hold a ship back in FTL, to drop out 6 MU from all others; without room, place it."""
        zone = self._zones[0]
        ux, uy = COURSES[zone.ahead]
        box = zone.box
        reach = Box(
            min(box.left, box.left + ux * ENTRIES_AHEAD),
            max(box.right, box.right + ux * ENTRIES_AHEAD),
            min(box.bottom, box.bottom + uy * ENTRIES_AHEAD),
            max(box.top, box.top + uy * ENTRIES_AHEAD),
        )
        around = replace(self._around, enemies=())
        place = nearest_place(
            _place(ship),
            [Zone(reach, zone.ahead, from_bodies=FROM_ENTRIES)],
            around,
            [_place(other) for other in self.placed],
            spacing=FROM_ENTRIES,
        )
        if place is None:
            self.settle(ship, _place(ship))
            return
        ship.x, ship.y = place
        ship.status = INBOUND
        ship.due = turn
        self.placed.append(ship)


def _ships_to_hold_back(
    side_ships: Sequence[ShipState], ships: Sequence[ShipState]
) -> list[ShipState]:
    """Return the capital ships that drop out of FTL later.

    At least one ship that is no decoy stays on the table.
    """
    on_table = [ship for ship in side_ships if ship.status not in AWAY_AT_START and not ship.dummy]
    held_back = [ship for ship in ships if _is_capital(ship) and can_jump(ship)]
    return held_back[1:] if len(held_back) >= len(on_table) else held_back


def _is_capital(ship: ShipState) -> bool:
    """Return whether a ship on the table is a capital ship, and no decoy that shows one."""
    return ship.label == "capital" and not ship.dummy and ship.status != INBOUND


def cover_reach(ship: ShipState) -> float:
    """Return how far, in MU, the defences of a ship cover others; 0: they do not.

    Rules: 2E "Anti-fighter defences" [2e.anti-fighter]; Continuum "Area defence system" 7.13
    [pc.ads]; Continuum "Area screens" 7.16 [pc.area-screens]
    """
    if ship.profile.area:
        return SCREEN_REACH
    guards = [weapon.guard for weapon in ship.profile.weapons if weapon.guard is not None]
    has_area_guns = any(guard.is_area_defence for guard in guards)
    if has_area_guns or ship.profile.having.get(Trait.AREA_DEFENCE):
        return AREA_RANGE
    return 0.0


def choose_formation(ships: Iterable[ShipState]) -> Literal["", "ranks"]:
    """Return the formation in which a captain sets up a fleet if no doctrine names one.

    Ranks with the rear ships behind the others win clearly more mirrored battles
    (`tools.bench.formations`). No formation is clearly better than the usual ranks for a fleet
    without rear ships.
    """
    on_table = [ship for ship in ships if ship.status not in AWAY_AT_START]
    has_rear = any(_post(ship) == REAR_SHIPS for ship in on_table)
    return "ranks" if has_rear else ""


def in_order(ships: Sequence[ShipState]) -> list[ShipState]:
    """Return ships in the order of a formation: by their posts, and decoys between others.

    A decoy is neither the first nor the last ship of the classification that it shows, unless
    there are too few others.
    """
    classes: dict[tuple[int, str], list[ShipState]] = {}
    for ship in ships:
        classes.setdefault((_post(ship), ship.label), []).append(ship)
    ordered: list[ShipState] = []
    for key in sorted(classes, key=lambda key: key[0]):
        own_class = classes[key]
        real_ships = [ship for ship in own_class if not ship.dummy]
        if len(real_ships) >= 2:
            inner = [ship for ship in own_class if ship not in (real_ships[0], real_ships[-1])]
            own_class = [real_ships[0], *inner, real_ships[-1]]
        ordered += own_class
    return ordered


def _post(ship: ShipState) -> int:
    """Return whether a ship belongs to the front, the middle or the rear of a formation.

    Carriers, merchants, installations and unarmed auxiliaries are at the rear. A decoy is posted
    like the ship that it shows.
    """
    is_carrier = len(ship.profile.bays) >= 2 and not ship.dummy
    if ship.label in ("merchant", "installation") or is_carrier:
        return REAR_SHIPS
    if ship.label == "escort":
        return FIRST_SHIPS
    return REAR_SHIPS if _is_unarmed(ship) and not ship.dummy else MIDDLE_SHIPS


def _is_unarmed(ship: ShipState) -> bool:
    """Return whether a ship has neither weapons nor craft."""
    return not ship.profile.bays and not any(fit.offensive for fit in ship.sheet.fits)


def _offsets(formation: str, ships: Sequence[ShipState], zone: Zone) -> list[Offset]:
    """Return the place of each ship in a formation that fits into a zone.

    A formation moves to the rear as far as it needs the depth, and what is still too deep is
    pushed together.
    """
    depth, _ = _extent(zone)
    offsets = _ideal_offsets(formation, ships, zone)
    rearmost = min((ahead for ahead, _ in offsets), default=0.0)
    length = max((ahead for ahead, _ in offsets), default=0.0) - rearmost
    margin = min(MARGIN, depth / 4)
    part = min(1.0, (depth - 2 * margin) / length) if length else 1.0
    rear = min(FROM_EDGE, depth / 2) + rearmost
    back = max(0.0, min(rear - margin, rear + length * part + margin - depth))
    return [
        (rearmost + (ahead - rearmost) * part - back, starboard) for ahead, starboard in offsets
    ]


def _ideal_offsets(formation: str, ships: Sequence[ShipState], zone: Zone) -> list[Offset]:
    """Return the place of each ship in a formation in a zone that is deep enough."""
    depth, width = _extent(zone)
    count = len(ships)
    if formation == "line":
        step = width / (count + 1)
        return [(0.0, step * (n + 1) - width / 2) for n in range(count)]
    if formation == "column":
        return _column(count, depth)
    if formation == "wedge":
        rows = ceil((count - 1) / 2)
        return [(SPACING * (rows - ceil(n / 2)), _either_side(n)) for n in range(count)]
    if formation == "screen":
        return _screen(ships)
    if formation == RANKS_WITH_REAR:
        return _ranks_with_rear(ships, width)
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


def _ranks_with_rear(ships: Sequence[ShipState], width: float) -> list[Offset]:
    """Return places in ranks, and the rear ships in ranks of their own behind the others."""
    rear_count = sum(_post(ship) == REAR_SHIPS for ship in ships)
    front = _ranks(len(ships) - rear_count, width)
    rear = _ranks(rear_count, width)
    if not front or not rear:
        return front or rear
    foremost = max(ahead for ahead, _ in rear)
    return front + [(ahead - foremost - SPACING, starboard) for ahead, starboard in rear]


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

"""A captain's active sensors: which contacts his ships scan, and who keeps quiet.

Rules: 2E "Sensors and target identification" [2e.sensors]; Continuum "Sensors and ECM" 12.1, "Advanced sensors" 12.2
[pc.sensors]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engine.captains.common.foes import Foe, systems_told
from engine.combat.detection import ACTIVE_RANGE, PASSIVE_RANGE
from engine.core.geometry import Point, within
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Plot
from engine.core.ship import DOCKED, ShipState
from engine.view.side_view import SideView

CLOSING = 46.0  # MU to a contact at which a hidden escort gives itself away to find out what comes


def scan(
    view: SideView,
    plots: dict[str, Plot],
    foes: Sequence[Foe],
    end_of: Callable[[ShipState, Plot], Point],
    scans: Callable[[ShipState], int],
    readers: Mapping[str, int],
) -> None:
    """Add active scans to plots, in place: of contacts that the next move leaves between 36 and 54 MU away, and of what
    better sensors may read.

    Ships the enemy knows already scan whatever is there; a hidden fleet sends its least escort, and only as contact is
    near. Q ships, weasels and whatever else passes for something else keep quiet. `foes`: hostile contacts where they
    will be; `end_of`: where a ship's move by a plot ends; `scans`: contacts it may scan; `readers`: how many record
    sheets each ship may read, none for one that is not there.
    """
    unknown = [foe for foe in foes if foe.contact.sheet is None]
    unread = [foe for foe in foes if not systems_told(foe.contact)] if readers else []
    if not (unknown or unread):
        return
    able = [ship for ship in view.own if _may_scan(ship) and scans(ship)]
    scanners = [ship for ship in able if not ship.bogey]
    reach = ACTIVE_RANGE
    if not scanners:
        small = [ship for ship in able if ship.label == ship.sheet.classification == "escort"]
        scanners, reach = sorted(small, key=_worth)[:1], CLOSING
    taken: list[str] = []
    for ship in scanners:
        at = end_of(ship, plots.get(ship.id, HOLD))
        names = [name for name in _about(unread, at, 0.0, reach) if name not in taken][: readers.get(ship.id, 0)]
        far = _about(unknown, at, PASSIVE_RANGE, reach)
        names += [name for name in far if name not in taken and name not in names]
        names = names[: scans(ship)]
        if names:
            taken += names
            plots[ship.id] = replace(plots.get(ship.id, HOLD), scan=tuple(names))


def _may_scan(ship: ShipState) -> bool:
    return ship.status == FIGHTING and not ship.warm and ship.docking < DOCKED and not ship.dummy and ship.cover is None


def _about(foes: Sequence[Foe], at: Point, beyond: float, reach: float) -> list[str]:
    """The contacts that lie so far from a point, the nearest first."""
    far = sorted(((foe.x - at[0]) ** 2 + (foe.y - at[1]) ** 2, foe.contact.id) for foe in foes)
    return [name for squared, name in far if within(squared, reach) and (squared > beyond**2 or not beyond)]


def _worth(ship: ShipState) -> tuple[int, str]:
    return ship.sheet.points, ship.id

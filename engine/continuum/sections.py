"""Sections: parts of a structure too large for one ship, each of which fights as a ship.

A starbase consists of installations. A monster ship has its drives in one section, and the others
keep their places around it. A number on the sheets tells which sections belong together.

Rules: Continuum "Starbases", "Monster ships" 13.15 [pc.starbases]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.continuum.drives import ADVANCED, Roll
from engine.continuum.legs import leg_of, tell_move
from engine.continuum.towing import can_link, in_tow, is_in_tow, is_tug
from engine.core.geometry import (
    NEAR,
    Point,
    is_within,
    rotate_offset,
    squared_length,
    turn_course,
    velocity_and_drift,
)
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING, FTL, INSTALLATION, LEFT_TABLE, ON_TABLE, RETURNING
from engine.core.orders import HOLD, Plot
from engine.core.reason import reason
from engine.core.ship import FAST, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.transport import TENDER_BAY, without_room
from engine.events.damage import ShipDestroyed
from engine.events.movement import LeftTable, ShipCarriedOff, ShipEscaped, ShipMoved
from engine.movement.other_movement import MovementProgress
from engine.pieces.registry import meet_bodies, meet_pieces
from engine.pieces.section import ADJACENT
from engine.systems.carried_ships import ships_aboard


def same_structure(a: ShipState, b: ShipState) -> bool:
    """Return whether two ships are sections of the same starbase or monster ship."""
    return a.record.section == b.record.section != 0 and a.owner == b.owner


def other_sections(state: BattleState, ship: ShipState) -> list[ShipState]:
    """Return the other sections of a ship's structure, in file order; none for a normal ship."""
    if not ship.record.section:
        return []
    sections: list[ShipState] = []
    for other in state.ships:
        if other is not ship and same_structure(ship, other):
            sections.append(other)
    return sections


def adjacent_sections(state: BattleState, ship: ShipState) -> list[ShipState]:
    """Return the surviving sections next to a section of the same structure."""
    sections: list[ShipState] = []
    for other in other_sections(state, ship):
        if other.status in ON_TABLE and is_within(
            squared_length(other.x - ship.x, other.y - ship.y), ADJACENT
        ):
            sections.append(other)
    return sections


def section_fault(_state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a section cannot fly its plot, or ""; normal ships have none.

    Rules: Continuum "Monster ships" 13.15 [pc.starbases]
    """
    if not ship.record.section:
        return ""
    if plot.dock:
        return reason("section-something-larger-not", "a section of a larger unit cannot dock")
    if plot.find(Roll) is not None:
        return reason("section-something-larger-not-roll", "a section of a larger unit cannot roll")
    return ""


def ships_carried(state: BattleState, ship: ShipState, lent: int = 0) -> list[ShipState]:
    """Return the ships that go along when a ship jumps.

    These are the other sections of its structure, ships docked at any of them, and those in tow.

    Args:
        lent: The mass that other tugs transfer for it.

    Rules: Continuum "Movement and starbases" 13.15 [pc.starbases]
    """
    carried_ids = {ship.id, *(other.id for other in other_sections(state, ship))}
    takes_docked_ships = ship.sheet.kind == INSTALLATION
    if ship.record.towing and can_transfer(state, ship, lent):
        carried_ids |= {other.id for other in in_tow(state, ship)}
    result: list[ShipState] = []
    for other in state.ships:
        if other is ship or other.status not in ON_TABLE:
            continue
        is_docked = other.docking in FAST and other.dock in carried_ids
        if other.id in carried_ids or (takes_docked_ships and is_docked):
            result.append(other)
    return result


def can_transfer(state: BattleState, tug: ShipState, lent: int = 0) -> bool:
    """Return whether a ship's FTL drive can take along all that it tows.

    Ships aboard without room in its bays count too.

    Rules: Continuum 11.6 [pc.tugs]
    """
    mass = sum(ship.sheet.mass for ship in in_tow(state, tug))
    masses_aboard = [ship.sheet.mass for ship in ships_aboard(state, tug)]
    if masses_aboard:
        bays = [fit.size for fit in tug.sheet.fits if fit.type == TENDER_BAY]
        mass += sum(masses_aboard[place] for place in without_room(masses_aboard, bays))
    return mass <= _tug_capacity(tug) + lent


def _tug_capacity(tug: ShipState) -> int:
    """Return the mass that a ship's FTL drive transfers."""
    if is_tug(tug):
        return tug.sheet.fits[tug.profile.ftl].size
    return 0


def mass_lent_to(state: BattleState, jumping: Sequence[ShipState]) -> dict[ShipId, int]:
    """Return the mass that tugs transfer for other tugs they jump with, by the other's id.

    A tug with nothing in tow lends its drive to the first tug beside it whose own drive does not
    suffice. Both need working advanced drives.

    Rules: Continuum "FTL tugs and tenders" 11.6 [pc.tugs]
    """
    lent: dict[ShipId, int] = {}
    tugs = [ship for ship in jumping if _is_advanced_tug(ship)]
    for lender in tugs:
        if lender.record.towing or lender.record.tug:
            continue
        for tug in tugs:
            if not tug.record.towing or tug.commander != lender.commander:
                continue
            if can_link(tug, lender) and not can_transfer(state, tug, lent.get(tug.id, 0)):
                lent[tug.id] = lent.get(tug.id, 0) + _tug_capacity(lender)
                break
    return lent


def _is_advanced_tug(ship: ShipState) -> bool:
    """Return whether a ship is a tug with a working advanced FTL drive."""
    if not is_tug(ship) or not ship.alive[ship.profile.ftl]:
        return False
    return ship.sheet.fits[ship.profile.ftl].variant == ADVANCED


def carry_along(
    table: Table, ship: ShipState, carried: list[ShipState], offset: Point, *, exploded: bool
) -> None:
    """Take ships into FTL with the ship that jumps, or destroy them with it.

    Args:
        offset: The x and y in MU to the jump point.

    Rules: Continuum "FTL exit" 11.4 [pc.ftl-exit]; Continuum "Movement and starbases" 13.15
    [pc.starbases]
    """
    for carried_ship in carried:
        at = carried_ship.x + offset[0], carried_ship.y + offset[1]
        carried_ship.jump(at, exploded=exploded)
        table.tell(ShipCarriedOff, ship=carried_ship.id, by=ship.id, at=at, exploded=exploded)
        if exploded and table.listens:
            table.tell(ShipDestroyed, carried_ship.id, "ftl")


class Leader(NamedTuple):
    """A ship that others follow: a drive section or a tug.

    Attributes:
        start: Its place before its move.
        course: Its course before its move.
    """

    ship: ShipState
    start: Point
    course: int


class Formations:
    """The ships that follow others in this turn's movement, by id, with their leaders."""

    def __init__(self, state: BattleState) -> None:
        self.leads: dict[ShipId, Leader] = {}
        for ship in state.ships:
            if ship.record.section and ship.sheet.thrust and ship.status == FIGHTING:
                self._add_sections(state, ship)
        for ship in state.ships:
            if ship.record.tug and ship.status in ON_TABLE and is_in_tow(state, ship):
                tug = state.ship(ship.record.tug)
                if tug.status == FIGHTING:
                    self.leads[ship.id] = Leader(tug, (tug.x, tug.y), tug.course)

    def _add_sections(self, state: BattleState, drive_section: ShipState) -> None:
        """Let the other sections of a structure follow the one with its drives."""
        leader = Leader(drive_section, (drive_section.x, drive_section.y), drive_section.course)
        for other in other_sections(state, drive_section):
            if other.status in ON_TABLE:
                self.leads[other.id] = leader

    def follow(self, table: Table, progress: MovementProgress) -> None:
        """Move sections without drives and ships in tow to their places around their leader.

        If the leader has left the table, they leave too.
        """
        for ship in table.state.ships:
            if ship.id not in self.leads or ship.status not in ON_TABLE:
                continue
            leader = self.leads[ship.id]
            if leader.ship.status == FTL and not leader.ship.edge:
                # The leader jumped and could not take the ship along.
                path = tell_move(table, ship, leg_of(ship, HOLD))
            else:
                path = _follow(table, ship, leader)
            meet_pieces(table, ship, path, progress.encounters)
            meet_bodies(table, ship, path, progress.encounters)
        self.leave(table)

    def leave(self, table: Table) -> None:
        """Let ships leave the table with their leader, in the same way."""
        for ship in table.state.ships:
            if ship.id not in self.leads or ship.status not in ON_TABLE:
                continue
            lead = self.leads[ship.id].ship
            if lead.edge and lead.status in (LEFT_TABLE, FTL, RETURNING):
                at = ship.x, ship.y
                is_taken_along = ship.record.section > 0 or can_transfer(table.state, lead)
                escapes = lead.status == FTL and is_taken_along
                ship.leave(lead.edge, at, FTL if escapes else LEFT_TABLE)
                if escapes:
                    table.tell(ShipEscaped, ship=ship.id, edge=lead.edge, at=at)
                else:
                    table.tell(LeftTable, ship=ship.id, edge=lead.edge, at=at, die=0, due=0)


def _follow(table: Table, ship: ShipState, leader: Leader) -> tuple[Point, ...]:
    """Move a ship to its place around its leader and return the path."""
    lead = leader.ship
    points_turned = lead.course - leader.course
    start = ship.x, ship.y
    offset = (start[0] - leader.start[0], start[1] - leader.start[1])
    ship.x, ship.y = rotate_offset((lead.x, lead.y), offset, points_turned)
    ship.course = turn_course(ship.course, points_turned)
    ship.velocity = lead.velocity
    path = (start, ((start[0] + ship.x) / 2, (start[1] + ship.y) / 2), (ship.x, ship.y))
    if ship.drift is not None:
        ship.drift = velocity_and_drift(start, path[-1])[1]
    table.tell(ShipMoved, ship=ship.id, path=path, course=ship.course, velocity=ship.velocity)
    return path


def are_connected(places: list[Point]) -> bool:
    """Return whether all places are connected by steps between adjacent sections."""
    reached = places[:1]
    unreached = places[1:]
    for at in reached:
        adjacent = []
        for place in unreached:
            if is_within(squared_length(place[0] - at[0], place[1] - at[1]), ADJACENT + NEAR):
                adjacent.append(place)
        unreached = [place for place in unreached if place not in adjacent]
        reached += adjacent
    return not unreached

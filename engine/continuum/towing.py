"""Towing: a ship links to one beside it and moves both with its own drive.

Rules: Continuum "Towing ships" 16.3 [pc.towing]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.continuum.drives import Roll
from engine.continuum.legs import motion
from engine.continuum.squadrons import FallIn
from engine.core.geometry import NEAR, is_within, squared_length
from engine.core.ids import NO_SHIP, ShipId
from engine.core.kinds import FIGHTING, INSTALLATION, ON_TABLE, FtlDrive
from engine.core.notes import write_fact
from engine.core.orders import HOLD, FurtherOrder, Plot
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import FREE, ShipState
from engine.core.slots import OneOf, Slot, SomeOf, WordDescription
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.movement import TowLinked
from engine.notation.orders import read_names

REACH = 3.0  # MU between two ships for a link
TURNS, TURNS_OF_A_TUG = 2, 1  # of work that a link takes
MAX_IN_TOW = 20  # ships that one order may name


def is_tug(ship: ShipState) -> bool:
    """Return whether a ship has the FTL drive of a tug.

    Rules: Continuum "Towing ships" 16.3 [pc.towing]
    """
    return ship.sheet.ftl == FtlDrive.TUG


def is_in_tow(state: BattleState, ship: ShipState) -> bool:
    """Return whether a ship is in tow, with its link complete."""
    if not ship.record.tug:
        return False
    # A side that does not see the tug has no ship of that id.
    tug = next((other for other in state.ships if other.id == ship.record.tug), None)
    return tug is not None and ship.record.link >= (TURNS_OF_A_TUG if is_tug(tug) else TURNS)


def in_tow(state: BattleState, tug: ShipState) -> list[ShipState]:
    """Return the ships that a ship has in tow, in file order."""
    result: list[ShipState] = []
    for ship in state.ships:
        if ship.record.tug == tug.id and is_in_tow(state, ship):
            result.append(ship)
    return result


def can_link(a: ShipState, b: ShipState) -> bool:
    """Return whether two ships are close, and at rest or on the same course and velocity.

    Rules: Continuum "Towing ships" 16.3 [pc.towing]
    """
    if not is_within(squared_length(a.x - b.x, a.y - b.y), REACH) or a.velocity != b.velocity:
        return False
    if a.drift is None and b.drift is None:
        return not a.velocity or a.course == b.course
    dx_a, dy_a = motion(a)
    dx_b, dy_b = motion(b)
    return abs(dx_a - dx_b) <= NEAR and abs(dy_a - dy_b) <= NEAR


@dataclass(frozen=True, slots=True)
class Tow(FurtherOrder):
    """An order to make links to ships, or to keep them.

    Rules: Continuum "Towing ships" 16.3 [pc.towing]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            "Tow",
            phrase(
                "takes a ship next to it in tow, or keeps it in tow; ships that you do not "
                "name are released"
            ),
        )

    ships: tuple[str, ...]

    @staticmethod
    def word() -> str:
        return "tow"

    @staticmethod
    def parse(words: list[str]) -> Tow:
        names = read_names(
            words,
            least=1,
            most=MAX_IN_TOW,
            expected=reason("ships-tow", "the ships to tow"),
        )
        return Tow(tuple(dict.fromkeys(names)))

    @staticmethod
    def slots(state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        own_ids: list[str] = []
        for other in state.ships:
            if other.commander == ship.commander and other is not ship:
                own_ids.append(other.id)
        if is_tug(ship):
            return (SomeOf("Ships", tuple(own_ids), MAX_IN_TOW),)
        return (OneOf("Ship", tuple(own_ids)),)

    def arguments(self) -> tuple[str, ...]:
        return self.ships

    def unit_names(self) -> tuple[str, ...]:
        return self.ships

    def with_ids(self, ids: Mapping[str, str]) -> Tow:
        return Tow(tuple(ids.get(name, name) for name in self.ships))

    def fault(self, state: BattleState, ship: ShipState, _plot: Plot) -> str:
        """Return the reason why the ship cannot tow the named ships, or ""."""
        if ship.sheet.thrust == 0 or ship.docking != FREE or ship.record.section or ship.record.tug:
            return reason(
                "only-ship-moves-freely-drive",
                "only a ship that moves freely with its own drive can tow",
            )
        if len(self.ships) > 1 and not is_tug(ship):
            return reason(
                "only-ship-drive-tug",
                "only a tug can tow several ships",
            )
        for ship_id in self.ships:
            target = next((candidate for candidate in state.ships if candidate.id == ship_id), None)
            fault = _tow_target_fault(state, ship, target)
            if fault:
                return reason("named", "{}: {}", ship_id, fault)
        return ""

    def before_moves(self, table: Table, ship: ShipState) -> None:
        """Start the work on new links; links already made hold."""
        for name in self.ships:
            other = table.state.ship_by_name(name)
            if not other.record.tug:
                _set_link(table, other, ship.id, turns=0)


def _tow_target_fault(state: BattleState, ship: ShipState, target: ShipState | None) -> str:
    """Return the reason why a ship cannot tow another, or "".

    Rules: Continuum "Towing ships" 16.3 [pc.towing]
    """
    is_own = target is not None and target is not ship and target.commander == ship.commander
    if target is None or not is_own or target.status not in ON_TABLE:
        return reason(
            "another-ship-side-hulk",
            "it can tow only another ship of its side, one of its side's hulks or a prize",
        )
    return _towed_ship_fault(state, target) or _link_fault(ship, target)


def _towed_ship_fault(state: BattleState, target: ShipState) -> str:
    """Return the reason why a ship cannot be in tow at all now, or ""."""
    if target.sheet.kind == INSTALLATION or target.record.section:
        return reason("nobody-tow-so-much", "no ship can tow that much mass")
    if target.docking != FREE or target.warm or target.orbits:
        return reason("docked-orbit-about-jump", "it is docked, in orbit, or about to jump")
    leaders = [other.record.squadron for other in state.ships]
    if target.record.squadron or target.id in leaders:
        return reason("flies-squadron", "it flies in a squadron")
    tugs = [other.record.tug for other in state.ships]
    if target.id in tugs:
        return reason("tows-others-itself", "it already tows other ships")
    return ""


def _link_fault(ship: ShipState, target: ShipState) -> str:
    """Return the reason why a ship cannot make or keep a link to another, or ""."""
    if target.record.tug and target.record.tug != ship.id:
        return reason("another-ship-tow", "it is already in tow of another ship")
    if target.record.tug != ship.id and not can_link(ship, target):
        return reason(
            "not-within-mu-same",
            "it must be within {:g} MU on the same course and at the same velocity",
            REACH,
        )
    return ""


def tow_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a ship in tow cannot fly its plot, or "".

    Rules: Continuum "Towing ships" 16.3 [pc.towing]
    """
    if not is_in_tow(state, ship):
        return ""
    has_order = plot.find(Roll) is not None or plot.find(FallIn) is not None
    if has_order or plot.steers() or plot.ftl or plot.dock:
        return reason("in-tow-of", "it is in tow of {}", ship.record.tug)
    return ""


def release_ships(table: Table, plots: Mapping[str, Plot]) -> None:
    """Release ships that their tug no longer names or can no longer tow, as orders are opened.

    Rules: Continuum "Towing ships" 16.3 [pc.towing]
    """
    state = table.state
    for ship in state.ships:
        if not ship.record.tug:
            continue
        tug = state.ship(ship.record.tug)
        order = plots.get(tug.id, HOLD).find(Tow)
        can_tow = (
            tug.status == FIGHTING and ship.status in ON_TABLE and tug.commander == ship.commander
        )
        if not can_tow or order is None or ship.id not in order.ships:
            release_ship(table, ship)


def release_ship(table: Table, ship: ShipState) -> None:
    """Break the link to a ship, or stop the work on it."""
    tug = table.state.ship(ship.record.tug)
    _set_link(table, ship, NO_SHIP, turns=0)
    _record_towed_mass(table, tug)


def make_links(table: Table, plots: Mapping[str, Plot]) -> None:
    """Count another turn of work on each tug's first incomplete link, after all movement.

    The work starts again if the two ships did not move together.

    Rules: Continuum "Towing ships" 16.3 [pc.towing]
    """
    state = table.state
    for tug in state.ships:
        order = plots[tug.id].find(Tow) if tug.id in plots else None
        if order is None:
            continue
        target = _first_unlinked(state, tug, order)
        if target is None:
            continue
        moved_together = (
            tug.status == FIGHTING and target.status in ON_TABLE and can_link(tug, target)
        )
        turns = target.record.link + 1 if moved_together else 0
        if turns != target.record.link:
            _set_link(table, target, tug.id, turns)
            _record_towed_mass(table, tug)


def _first_unlinked(state: BattleState, tug: ShipState, order: Tow) -> ShipState | None:
    """Return the first ship of an order whose link to the tug is not complete, or None."""
    for name in order.ships:
        ship = state.ship_by_name(name)
        if ship.record.tug == tug.id and not is_in_tow(state, ship):
            return ship
    return None


def _set_link(table: Table, ship: ShipState, tug: ShipId, turns: int) -> None:
    """Set the tug of a ship and the turns of work on its link, and report it."""
    table.state.take_in_tow(ship, tug, turns)
    table.tell(TowLinked, ship=ship.id, by=tug, turns=turns)


def _record_towed_mass(table: Table, tug: ShipState) -> None:
    """Record the mass a ship has in tow, which reduces its thrust.

    The thrust falls to the ship's share of the total mass, rounded down.

    Rules: Continuum "Towing ships" 16.3 [pc.towing]
    """
    write_fact(table, tug, "towing", sum(ship.sheet.mass for ship in in_tow(table.state, tug)))

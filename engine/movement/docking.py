"""Ships at installations: coming alongside, docked inside or out, casting off.

A ship is docked in the turn after it ended a move alongside and lay still. Docked it goes where the installation goes,
fires nothing and is covered by the installation's screens instead of its own; in a bay inside nothing reaches it.
Rules: 2E "Starbases and other installations" [2e.installations]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.continuum.legs import motion
from engine.core.geometry import NEAR, vector, within
from engine.core.ids import ShipId
from engine.core.kinds import DESTROYED, FIGHTING, INSTALLATION
from engine.core.orders import HOLD, Plot
from engine.core.ship import ALONGSIDE, BERTHED, CASTING_OFF, DOCKED, FREE, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.damage import Destroyed
from engine.events.movement import Docking, DockingMissed, Moved

REACH = 2.0  # MU
STEPS = {FREE: "free", ALONGSIDE: "alongside", DOCKED: "docked", CASTING_OFF: "casting-off", BERTHED: "berthed"}
FAST = (DOCKED, CASTING_OFF, BERTHED)  # what holds a ship to its installation
DOCKED_FIRE = "a docked ship cannot fire"


def installation_fault(ship: ShipState, plot: Plot) -> str:
    """The reason why an installation has no orders to move, "" of a ship. Rules: 2E "Starbases and other installations"
    [2e.installations]
    """
    if ship.sheet.kind == INSTALLATION and (plot.steers() or plot.dock):
        return "an installation has no drive: it drifts or stays"
    return ""


def docking_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """The reason why a ship cannot dock or cast off as ordered, "" where it can; a docked ship makes no other move.

    Rules: 2E "Starbases and other installations" [2e.installations]
    """
    if plot.undock and ship.docking not in (DOCKED, BERTHED):
        return "only a docked ship can cast off"
    if ship.docking in FAST and (plot.steers() or plot.ftl or plot.ram or plot.nova):
        return "a docked ship has to cast off first, which takes a turn"
    if not plot.dock:
        return ""
    base = next((other for other in state.ships if other.id == plot.dock), None)
    known = base is not None and base.sheet.kind == INSTALLATION and base.status == FIGHTING and not base.bogey
    if base is None or not known or state.hostile[ship.commander] >> base.commander & 1:
        return "it can dock only at an identified installation that is not hostile"
    return ""


def make_fast(table: Table, plots: Mapping[str, Plot]) -> None:
    """Before ships move: who lay alongside and gives no other orders is docked now; who is told to casts off.

    Inside where a free bay takes its MASS, the smallest that does, else outside.
    Rules: 2E "Starbases and other installations" [2e.installations]
    """
    state = table.state
    for ship in state.ships:
        if ship.docking == FREE or ship.status != FIGHTING:
            continue
        plot = plots.get(ship.id, HOLD)
        if ship.docking == ALONGSIDE:
            goes = bool(plot.steers() or plot.ftl or plot.ram) or state.ship(ship.dock).status != FIGHTING
            step = FREE if goes else (BERTHED if _bay_free(state, ship) else DOCKED)
            step_to(table, ship, ship.dock, step)
        elif plot.undock and ship.docking in (DOCKED, BERTHED):
            step_to(table, ship, ship.dock, CASTING_OFF)


def _bay_free(state: BattleState, ship: ShipState) -> bool:
    inside = [other.sheet.mass for other in state.ships if other.dock == ship.dock and other.docking == BERTHED]
    return fits([*inside, ship.sheet.mass], state.terms.berths_of(ship.dock))


def fits(masses: Sequence[int], berths: Sequence[int]) -> bool:
    """Whether ships of these MASSes all find a bay: one ship a bay, no bay below its ship's MASS."""
    largest = sorted(berths, reverse=True)
    ranked = sorted(masses, reverse=True)
    return len(ranked) <= len(largest) and all(mass <= berth for mass, berth in zip(ranked, largest, strict=False))


def step_to(table: Table, ship: ShipState, base: ShipId, step: int) -> None:
    """Put a ship at a step of docking, and say so."""
    table.state.dock(ship, base, step)
    table.tell(Docking, ship.id, base, STEPS[step])


def follow(table: Table, started: Mapping[str, tuple[float, float]]) -> None:
    """Docked ships go where their installation went; `started`: where each installation stood before its move."""
    state = table.state
    for ship in state.ships:
        if ship.docking in FAST and ship.status == FIGHTING and ship.dock in started:
            base, (x, y) = state.ship(ship.dock), started[ship.dock]
            dx, dy = base.x - x, base.y - y
            ship.course, ship.velocity = base.course, base.velocity
            if dx or dy:
                start = (ship.x, ship.y)
                ship.x, ship.y = start[0] + dx, start[1] + dy
                if ship.drift is not None:
                    ship.drift = vector(start, (ship.x, ship.y))[1]
                if table.listens:
                    path = (start, (start[0] + dx / 2, start[1] + dy / 2), (ship.x, ship.y))
                    table.tell(Moved, ship.id, path, ship.course, ship.velocity)


def come_alongside(table: Table, plots: Mapping[str, Plot]) -> None:
    """After ships moved: who was to dock is alongside where it ends within 2 MU at the installation's own motion.

    Rules: 2E "Starbases and other installations" [2e.installations]
    """
    state = table.state
    for ship in state.ships:
        plot = plots.get(ship.id)
        if plot is None or not plot.dock or ship.docking != FREE or ship.status != FIGHTING:
            continue
        base = state.named(plot.dock)
        why = _missed(ship, base)
        if not why:
            step_to(table, ship, base.id, ALONGSIDE)
        else:
            table.tell(DockingMissed, ship.id, base.id, why)


def _missed(ship: ShipState, base: ShipState) -> str:
    if base.status != FIGHTING:
        return "the installation is gone"
    if not within((ship.x - base.x) ** 2 + (ship.y - base.y) ** 2, REACH):
        return f"it did not end its move within {REACH:g} MU"
    if ship.drift is not None:
        matched = all(abs(a - b) <= NEAR for a, b in zip(ship.drift, motion(base), strict=True))
    else:
        matched = ship.velocity == base.velocity and (not base.velocity or ship.course == base.course)
    if not matched:
        return "it did not match the installation's course and velocity" if base.velocity else "it is not at rest"
    return ""


def cast_off(table: Table) -> None:
    """At a turn's end: who cast off is free; an installation that is gone holds nobody, and takes along who is inside.

    Rules: 2E "Starbases and other installations" [2e.installations]
    """
    state = table.state
    for ship in state.ships:
        if ship.docking == FREE or ship.status != FIGHTING:
            continue
        base = state.ship(ship.dock)
        if base.status == DESTROYED and ship.docking == BERTHED:
            ship.destroy()
            if table.listens:
                table.tell(Destroyed, ship.id, f"dock:{base.id}")
        elif ship.docking == CASTING_OFF or base.status != FIGHTING:
            step_to(table, ship, base.id, FREE)
    state.shelter()

"""Docking at installations, and in Continuum also at ships: coming alongside, docking, casting off.

A ship docks in the turn after it came alongside and stayed there. A docked ship goes where its
installation goes, cannot fire, and is covered by the installation's screens instead of its own.
Inside a bay nothing can reach it. A ship that others are docked at keeps its course and velocity
until they have cast off.
Rules: 2E "Starbases and other installations" [2e.installations]; Continuum "Docking" 16.6
[pc.docking]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.continuum.legs import motion
from engine.core.geometry import NEAR, is_within, squared_length, velocity_and_drift
from engine.core.ids import ShipId
from engine.core.kinds import CARRIED, DESTROYED, FIGHTING, INSTALLATION, ShipStatus
from engine.core.orders import HOLD, Plot
from engine.core.reason import reason
from engine.core.ship import ALONGSIDE, BERTHED, CASTING_OFF, DOCKED, FREE, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import DOCKED_FIRE
from engine.events.damage import ShipDestroyed
from engine.events.fire import MADE_FAST
from engine.events.movement import Docking, DockingMissed, ShipMoved, ShipTakenAboard
from engine.ruleset import DockingRules, rules_of
from engine.systems.carried_ships import has_room

STEPS = {
    FREE: "free",
    ALONGSIDE: "alongside",
    DOCKED: "docked",
    CASTING_OFF: "casting-off",
    BERTHED: "berthed",
}
ATTACHED = (DOCKED, CASTING_OFF, BERTHED)  # steps at which a ship is fixed to its installation
NO_BASE = reason("no-base", "it can dock only at an identified installation that is not hostile")
NO_BASE_OR_SHIP = reason(
    "no-base-or-ship",
    "it can dock only at an identified installation that is not hostile, "
    "or at an identified ship of its side",
)


def docked_fire_fault(state: BattleState, ship: ShipState) -> str:
    """Return the reason why docking keeps a ship from firing, or "".

    Players may agree that ships docked outside fire.

    Rules: Continuum "Starbases" 13.15 [pc.docked-fire]
    """
    if ship.docking < DOCKED:
        return ""
    if ship.docking != BERTHED and DOCKED_FIRE in state.terms.options:
        return ""
    return MADE_FAST


def docking_rules(state: BattleState) -> DockingRules:
    """Return how ships dock in this battle.

    Rules: Continuum "Docking" 16.6 [pc.docking]
    """
    return rules_of(state.terms.edition).docking


def has_docked_ships(state: BattleState, ship: ShipState) -> bool:
    """Return whether ships are alongside or docked at a ship; always False for installations."""
    if ship.sheet.kind != INSTALLATION:
        for other in state.ships:
            if other.dock == ship.id and other.status == FIGHTING:
                return True
    return False


def is_base(state: BattleState, ship: ShipState, base: ShipState) -> bool:
    """Return whether a ship may dock at a base at all.

    It may at an installation that is not hostile, and in Continuum at a ship of its own side.

    Rules: 2E "Starbases and other installations" [2e.installations]; Continuum "Docking" 16.6
    [pc.docking]
    """
    if (
        base is ship
        or base.status != FIGHTING
        or base.bogey
        or state.hostile[ship.commander] >> base.commander & 1
    ):
        return False
    if base.sheet.kind == INSTALLATION:
        return True
    if ship.record.section or base.record.section:
        return False
    return docking_rules(state).at_ships and base.commander == ship.commander and not base.dummy


def installation_fault(ship: ShipState, plot: Plot) -> str:
    """Return why an installation cannot follow movement orders; "" for a ship.

    Rules: 2E "Starbases and other installations" [2e.installations]
    """
    if ship.sheet.kind == INSTALLATION and (plot.steers() or plot.dock):
        return reason(
            "installation-no-drive-drifts", "an installation has no drive: it cannot manoeuvre"
        )
    return ""


def docking_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return why a ship cannot dock, cast off or move as ordered while docked, or "" if it can.

    Rules: 2E "Starbases and other installations" [2e.installations]
    """
    moves_off = _moves_off(plot)
    if plot.undock and ship.docking not in (DOCKED, BERTHED):
        return reason("only-docked-ship-cast", "only a docked ship can cast off")
    if ship.docking in ATTACHED and (moves_off or plot.nova):
        return reason(
            "docked-ship-cast-off", "a docked ship must cast off first, which takes a turn"
        )
    at_ships = docking_rules(state).at_ships
    if at_ships and (moves_off or plot.dock) and has_docked_ships(state, ship):
        return reason(
            "holds-course-velocity-while",
            "it must keep its course and velocity while others are docked at it",
        )
    if not plot.dock or _find_base(state, ship, plot.dock) is not None:
        return ""
    return NO_BASE_OR_SHIP if at_ships else NO_BASE


def _moves_off(plot: Plot) -> bool:
    """Return whether a plot takes a ship away from the one it is alongside or docked at."""
    return bool(plot.steers() or plot.ftl or plot.ram)


def _find_base(state: BattleState, ship: ShipState, name: str) -> ShipState | None:
    """Return the named installation or ship if a ship may dock there, else None."""
    for other in state.ships:
        if other.id == name:
            return other if is_base(state, ship, other) else None
    return None


def dock_ships(table: Table, plots: Mapping[str, Plot]) -> None:
    """Dock ships that lie alongside and do not move off, and start casting off, before ships move.

    A ship goes into the smallest free bay that takes its MASS, otherwise it docks outside. A tender
    or mothership with room takes it aboard.
    Rules: 2E "Starbases and other installations" [2e.installations]; Continuum "FTL tugs and
    tenders" 11.6 [pc.tugs]
    """
    state = table.state
    for ship in state.ships:
        if ship.docking == FREE or ship.status != FIGHTING:
            continue
        plot = plots.get(ship.id, HOLD)
        if ship.docking == ALONGSIDE:
            _dock_ship_alongside(table, ship, plot)
        elif plot.undock and ship.docking in (DOCKED, BERTHED):
            set_docking_step(table, ship, ship.dock, CASTING_OFF)


def _dock_ship_alongside(table: Table, ship: ShipState, plot: Plot) -> None:
    """Dock a ship that lies alongside or take it aboard, or free it if it or its base leaves."""
    state = table.state
    base = ship.dock
    if _moves_off(plot) or state.ship(base).status != FIGHTING:
        set_docking_step(table, ship, base, FREE)
    elif _is_taken_aboard(state, ship):
        state.take_aboard(ship, base)
        table.tell(ShipTakenAboard, ship.id, base)
    elif _has_free_berth(state, ship):
        set_docking_step(table, ship, base, BERTHED)
    else:
        set_docking_step(table, ship, base, DOCKED)


def _is_taken_aboard(state: BattleState, ship: ShipState) -> bool:
    """Return whether a ship alongside is taken aboard: into a tender bay, or the field of a tug.

    Rules: Continuum "FTL tugs and tenders" 11.6 [pc.tugs]
    """
    return (
        docking_rules(state).at_ships
        and not ship.record.towing
        and not any(other.status == CARRIED and other.dock == ship.id for other in state.ships)
        and has_room(state, state.ship(ship.dock), ship)
    )


def _has_free_berth(state: BattleState, ship: ShipState) -> bool:
    """Return whether the bays of a ship's base have room for it beside the ships in them."""
    masses_inside = []
    for other in state.ships:
        if other.dock == ship.dock and other.docking == BERTHED:
            masses_inside.append(other.sheet.mass)
    return fit_in_berths([*masses_inside, ship.sheet.mass], state.terms.berths_of(ship.dock))


def fit_in_berths(masses: Sequence[int], berths: Sequence[int]) -> bool:
    """Return whether ships of these MASSes each find a bay of at least their MASS."""
    largest = sorted(berths, reverse=True)
    ranked = sorted(masses, reverse=True)
    return len(ranked) <= len(largest) and all(
        mass <= berth for mass, berth in zip(ranked, largest, strict=False)
    )


def set_docking_step(table: Table, ship: ShipState, base: ShipId, step: int) -> None:
    """Set a ship's docking step and report it."""
    table.state.dock(ship, base, step)
    table.tell(Docking, ship=ship.id, near=base, step=STEPS[step])


def move_docked_ships(table: Table, started: Mapping[str, tuple[float, float]]) -> None:
    """Move docked ships along with their installation.

    Args:
        started: The position of each installation before its move, by id.
    """
    for ship in table.state.ships:
        if ship.docking not in ATTACHED or ship.status != FIGHTING or ship.dock not in started:
            continue
        base = table.state.ship(ship.dock)
        if base.status != FIGHTING and base.sheet.kind != INSTALLATION:
            continue  # the base has left the table without its docked ships
        x, y = started[ship.dock]
        ship.course, ship.velocity = base.course, base.velocity
        if base.x != x or base.y != y:
            _shift_docked_ship(table, ship, base.x - x, base.y - y)


def _shift_docked_ship(table: Table, ship: ShipState, dx: float, dy: float) -> None:
    """Move a docked ship by as much as its base has moved."""
    start = (ship.x, ship.y)
    ship.x, ship.y = start[0] + dx, start[1] + dy
    if ship.drift is not None:
        ship.drift = velocity_and_drift(start, (ship.x, ship.y))[1]
    if table.listens:
        path = (start, (start[0] + dx / 2, start[1] + dy / 2), (ship.x, ship.y))
        table.tell(ShipMoved, ship=ship.id, path=path, course=ship.course, velocity=ship.velocity)


def come_alongside(table: Table, plots: Mapping[str, Plot]) -> None:
    """Put ships alongside that end their move within 2 MU of the base and match its motion.

    Rules: 2E "Starbases and other installations" [2e.installations]
    """
    state = table.state
    for ship in state.ships:
        plot = plots.get(ship.id)
        if plot is None or not plot.dock or ship.docking != FREE or ship.status != FIGHTING:
            continue
        base = state.ship_by_name(plot.dock)
        fault = _miss_fault(state, ship, base)
        if not fault:
            set_docking_step(table, ship, base.id, ALONGSIDE)
        else:
            table.tell(DockingMissed, ship=ship.id, near=base.id, reason=fault)


def _miss_fault(state: BattleState, ship: ShipState, base: ShipState) -> str:
    """Return why a ship does not come alongside its base at the end of the move, or ""."""
    if base.sheet.kind == INSTALLATION:
        return alongside_fault(ship, base, docking_rules(state).reach)
    if base.docking != FREE or has_docked_ships(state, ship):
        return reason("two-docking-already", "one of the two is already docking")
    if base.warm or any(
        unit.record.cloaked > state.turn or _in_squadron(state, unit) for unit in (ship, base)
    ):
        return reason(
            "neither-cloaked-about-jump",
            "neither ship may be cloaked, about to jump or in a squadron",
        )
    return alongside_fault(ship, base, docking_rules(state).reach)


def _in_squadron(state: BattleState, ship: ShipState) -> bool:
    """Return whether a ship leads a squadron or follows a leader."""
    return bool(ship.record.squadron) or any(
        other.record.squadron == ship.id for other in state.ships
    )


def alongside_fault(
    ship: ShipState, other: ShipState, reach: float, statuses: Collection[ShipStatus] = (FIGHTING,)
) -> str:
    """Return why a ship is not alongside another one, or "" if it is.

    Args:
        reach: The greatest distance in MU.
        statuses: The statuses that the other ship may have.

    Rules: 2E "Starbases and other installations" [2e.installations]; Continuum "Docking" 16.6
    [pc.docking]
    """
    if other.sheet.kind == INSTALLATION:
        label = reason("an-installation", "installation")
    else:
        label = reason("other-ship", "other ship")
    if other.status not in statuses:
        return reason("other-gone", "the {} is gone", label)
    if not is_within(squared_length(ship.x - other.x, ship.y - other.y), reach):
        return reason("did-not-end-move", "it did not end its move within {:g} MU", reach)
    if ship.drift is not None:
        matched = all(abs(a - b) <= NEAR for a, b in zip(ship.drift, motion(other), strict=True))
    else:
        matched = ship.velocity == other.velocity and (
            not other.velocity or ship.course == other.course
        )
    if not matched:
        if other.velocity:
            return reason(
                "did-not-match-course", "it did not match the {}'s course and velocity", label
            )
        return reason("not-rest", "it is not at rest")
    return ""


def cast_off(table: Table) -> None:
    """Release ships that cast off, or whose installation is gone, at the end of a turn.

    An installation that is destroyed takes the ships in its bays with it.

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
                table.tell(ShipDestroyed, ship.id, f"dock:{base.id}")
        elif ship.docking == CASTING_OFF or base.status != FIGHTING:
            set_docking_step(table, ship, base.id, FREE)
    state.share_screens()

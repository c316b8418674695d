"""Hangars, boat bays and launch tubes: launching, recovering and re-arming craft.

A boat bay holds the boats bought with it. An empty one can recover squadrons launched from the
ship's racks.

Rules: Continuum "Launch and recovery" 8.1, "Launch tubes" 8.2, "Combat landings" 8.4
[pc.fighter-launch]; Continuum "Re-arming" 8.16 [pc.rearming]; Continuum "Gunboat rules" 9.1, "Boat
bay" 13.12 [pc.boat-bays]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.detection import reveal_ship
from engine.continuum.craft.criticals import can_hangars_explode
from engine.continuum.defences import working_count
from engine.core.facts import FOREVER
from engine.core.kinds import FIGHTING, HANGARS, RACKS
from engine.core.notes import write_fact
from engine.core.orders import HOLD, Plot
from engine.core.phrase import counted_noun
from engine.core.reason import reason
from engine.core.ship import FREE, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.craft.registry import craft_type
from engine.fighters.hangars import bay_fault, free_name
from engine.pieces.group import Group, group_id
from engine.pieces.group_events import CraftRecovered, GroupLaunched
from engine.pieces.hangar_events import GroupRearmed

HANGAR, COMBINED, TUBE = "hangar", "combined-hangar", "launch-tube"
BOAT_BAY = "boat-bay"
FIGHTERS_LAND = reason(
    "fighters-land", "fighters can land only on ships of their own side with hangars"
)
BOATS_LAND = reason(
    "boats-land", "gunboats can land only on ships of their own side with boat bays"
)
CATAPULT = "catapult"

# The turns until a recovered group may fly again, by its die; 0 at place 1 means never.
READY_IN: tuple[int, ...] = (0, 0, 2, 2, 2, 2, 1)


def launch_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a ship cannot launch as its plot says, or "".

    A tube launches one group; combined hangars and racks launch their own. Ships with catapults may
    launch under thrust. Craft that arrive in flight by drives of their own need neither a tube nor
    a steady course.

    Rules: Continuum "Launch and recovery" 8.1, "Launch tubes" 8.2 [pc.fighter-launch]; Continuum
    "Fighter racks" 13.12 [pc.fighter-racks]
    """
    if not plot.launch:
        return ""
    launched = [bay for bay in plot.launch if not _came_in_flight(state, ship, bay)]
    if fault := _launch_ban(ship) or _course_fault(ship, plot, steady=bool(launched)):
        return fault
    for bay in plot.launch:
        if fault := _bay_fault(state, ship, bay):
            return fault
        if plot.launch.count(bay) > 1:
            return reason("launches-once", "{} can launch only once", bay)
    through_tubes = [bay for bay in launched if _type_of(ship, bay) == HANGAR]
    tubes = working_count(ship, TUBE)
    if len(through_tubes) > tubes:
        return tube_limit_fault(tubes, len(through_tubes))
    return ""


def tube_limit_fault(tubes: int, ordered: int) -> str:
    """Return the fault that a ship's tubes launch fewer groups a turn than ordered."""
    limit = counted_noun(tubes, "group")
    return reason(
        "launch-tubes-launch-turn", "its launch tubes can launch {} a turn, not {}", limit, ordered
    )


def _launch_ban(ship: ShipState) -> str:
    """Return the reason why a ship can launch nothing at all, or ""."""
    if ship.status != FIGHTING or ship.dummy:
        return reason("cannot-launch-fighters", "it cannot launch fighters")
    return ""


def _came_in_flight(state: BattleState, ship: ShipState, bay: str) -> bool:
    """Return whether the craft of a bay arrive in flight."""
    index = ship.profile.index_of.get(bay, -1)
    return index in ship.profile.bays and craft_type(ship.profile.craft[index]).arrives_in_flight(
        state.turn
    )


def _course_fault(ship: ShipState, plot: Plot, *, steady: bool = True) -> str:
    """Return the reason why the ship's other orders prevent a launch, or "".

    Args:
        steady: Whether the launch needs a steady course and velocity.
    """
    if steady and plot.steers() and not _has_catapults(ship):
        return reason(
            "ship-launches-fighters-keeps",
            "a ship that launches fighters must keep its course and velocity",
        )
    if plot.ftl or ship.warm:
        return reason(
            "ship-ftl-drive-warming", "a ship whose FTL drive is warming up cannot launch fighters"
        )
    if ship.record.concealed:
        return reason("cloaked-ship-cannot-launch", "a cloaked ship cannot launch fighters")
    if ship.docking != FREE or plot.dock or plot.undock:
        return reason("docked-ship-cannot-launch", "a docked ship cannot launch fighters")
    return ""


def _has_catapults(ship: ShipState) -> bool:
    """Return whether all launch tubes have catapults; the rules allow all or none."""
    tubes = ship.profile.indexes_by_type.get(TUBE, ())
    return bool(tubes) and all(CATAPULT in ship.sheet.fits[place].flags for place in tubes)


def scramble_launch_fault(state: BattleState, ship: ShipState, bay: str) -> str:
    """Return the reason why the fighters of a bay cannot scramble, or ""; they need not be ready.

    Rules: Continuum "Scrambling fighter groups" 8.3 [pc.scramble]
    """
    plot = Plot(launch=(bay,))
    if (
        fault := _launch_ban(ship)
        or _course_fault(ship, plot)
        or _bay_fault(state, ship, bay, hastily=True)
    ):
        return fault
    row = craft_type(ship.profile.craft[ship.profile.index_of[bay]])
    if row.berth:
        return reason("only-fighters-scramble", "only fighters can scramble")
    return ""


def _bay_fault(state: BattleState, ship: ShipState, bay: str, *, hastily: bool = False) -> str:
    """Return the reason why the group of a bay cannot launch, or "".

    Args:
        hastily: Whether it scrambles, which it can do before it is re-armed.
    """
    index = ship.profile.index_of.get(bay, -1)
    if index not in ship.profile.bays:
        return reason("no-craft-own", "it has no '{}' with its own craft", bay)
    if fault := bay_fault(state, ship, bay):
        return fault
    ready = ship.record.ready.get(bay, 0)
    if ready and ship.sheet.fits[index].type in RACKS and not working_count(ship, BOAT_BAY):
        return reason(
            "squadron-boat-bay-out",
            "the squadron of {} is in a boat bay that is out of action",
            bay,
        )
    if ready >= FOREVER:
        return reason("group-not-fly-again", "the group of {} cannot fly again in this battle", bay)
    if ready > state.turn and not hastily:
        return reason(
            "group-not-ready-before", "the group of {} is not ready before turn {}", bay, ready
        )
    return ""


def _type_of(ship: ShipState, bay: str) -> str:
    """Return the system type of a bay."""
    return ship.sheet.fits[ship.profile.index_of[bay]].type


def is_boats(group: Group) -> bool:
    """Return whether a group is a squadron of gunboats."""
    return group.row.berth > 0


def landings_per_turn(ship: ShipState, *, boats: bool = False) -> int:
    """Return how many groups a ship can recover in a turn.

    Each tube takes one group, and each pair of combined hangars one, rounded up. Each boat bay
    takes one squadron of gunboats.

    Rules: Continuum "Launch and recovery" 8.1, "Hangar bays" 13.12 [pc.fighter-launch]
    """
    if boats:
        return working_count(ship, BOAT_BAY)
    return working_count(ship, TUBE) + (working_count(ship, COMBINED) + 1) // 2


def free_berths(ship: ShipState, group: Group) -> int:
    """Return how many craft of a group a ship has room for.

    Fighters use all bays for their type. A squadron needs one bay with enough room; the ship's own
    squadrons also fit into boat bays bought empty. Racks take no craft.

    Rules: Continuum "Gunboat rules" 9.1, "Fighter racks" 13.12 [pc.boat-bays]
    """
    profile = ship.profile
    fits = ship.sheet.fits
    free_by_bay: list[int] = []
    for index in profile.bays:
        if fits[index].type in RACKS or not ship.alive[index]:
            continue
        if profile.craft[index] == group.type:
            free_by_bay.append(profile.full[index] - ship.stock[index])
    if not is_boats(group):
        return sum(free_by_bay)
    if _came_from_working_rack(ship, group):
        free_by_bay += [mass // group.row.berth for mass in _free_boat_mass(ship)]
    return max(free_by_bay, default=0)


def _came_from_working_rack(ship: ShipState, group: Group) -> bool:
    """Return whether a squadron was launched from a rack of this ship that still works."""
    if ship.id != group.ship:
        return False
    rack = ship.profile.index_of.get(group.bay, -1)
    return rack >= 0 and ship.sheet.fits[rack].type in RACKS and bool(ship.alive[rack])


def _free_boat_mass(ship: ShipState) -> list[int]:
    """Return the mass of boats that each working boat bay bought empty can still take.

    A bay holds two thirds of its own mass. Squadrons that came back use the first bay with room for
    the whole squadron, in the order of their racks.

    Rules: Continuum "Gunboat rules" 9.1, "Boat bay" 13.12 [pc.boat-bays]
    """
    fits = ship.sheet.fits
    free_mass: list[int] = []
    for bay in ship.profile.indexes_by_type.get(BOAT_BAY, ()):
        if ship.alive[bay] and not fits[bay].load:
            free_mass.append(2 * fits[bay].mass // 3)
    for squadron_mass in _recovered_squadron_masses(ship):
        for number, mass in enumerate(free_mass):
            if mass >= squadron_mass:
                free_mass[number] -= squadron_mass
                break
    return free_mass


def _recovered_squadron_masses(ship: ShipState) -> list[int]:
    """Return the mass of each squadron launched from a rack that has come back."""
    masses: list[int] = []
    for rack in ship.profile.bays:
        fit = ship.sheet.fits[rack]
        if fit.type in RACKS and ship.record.ready.get(fit.id) and ship.stock[rack]:
            masses.append(ship.stock[rack] * craft_type(ship.profile.craft[rack]).berth)
    return masses


def landing_fault(group: Group, ship: ShipState, plot: Plot, *, at_once: bool = False) -> str:
    """Return the reason why a group cannot land on a ship that flies by a plot, or "".

    Racks take no craft.

    Args:
        at_once: Whether this is a combat landing.

    Rules: Continuum "Launch and recovery" 8.1, "Combat landings" 8.4 [pc.fighter-launch]
    """
    boats = is_boats(group)
    if boats:
        has_bays = BOAT_BAY in ship.profile.indexes_by_type
    else:
        has_bays = any(ship.sheet.fits[index].type in HANGARS for index in ship.profile.bays)
    if ship.commander != group.commander or not has_bays or ship.dummy:
        return BOATS_LAND if boats else FIGHTERS_LAND
    if fault := _approach_fault(ship, plot, at_once=at_once):
        return fault
    if not landings_per_turn(ship, boats=boats):
        holds = reason("boat-bay", "boat bay") if boats else reason("launch-tube", "launch tube")
        return reason("no-works", "{} has no {} that works", ship.id, holds)
    return _room_fault(ship, group)


def _room_fault(ship: ShipState, group: Group) -> str:
    """Return the reason why a ship has no room for a group, or ""."""
    if is_boats(group):
        if free_berths(ship, group) >= group.craft:
            return ""
        return reason(
            "no-boat-bay-free", "{} has no free boat bay with room for all of them", ship.id
        )
    if free_berths(ship, group):
        return ""
    return reason("no-hangar-free-them", "{} has no free hangar for them", ship.id)


def _approach_fault(ship: ShipState, plot: Plot, *, at_once: bool) -> str:
    """Return the reason why a ship's place or movement prevents landings on it, or "".

    Args:
        at_once: Whether this is a combat landing, which needs a steady ship even with catapults.
    """
    if ship.status != FIGHTING or ship.docking != FREE or ship.record.concealed:
        return reason("not-there-land", "{} is not there to land on", ship.id)
    if (at_once or not _has_catapults(ship)) and plot.steers():
        return reason("not-keep-course-velocity", "{} changes its course or velocity", ship.id)
    if plot.ftl or ship.warm:
        return reason("ftl-drive-of-warming-up", "the FTL drive of {} is warming up", ship.id)
    return ""


def launch_groups(table: Table, orders: Mapping[str, Plot]) -> None:
    """Launch groups from their bays, ship by ship, onto their ship's position and course (phase 3).

    Rules: Continuum "Launch and recovery" 8.1 [pc.fighter-launch]
    """
    state = table.state
    for ship in state.ships:
        for bay in orders.get(ship.id, HOLD).launch:
            reveal_ship(table, ship)
            contact = free_name(state)
            at = (ship.x, ship.y)
            craft = ship.stock[ship.profile.index_of[bay]]
            table.tell(
                GroupLaunched,
                ship=ship.id,
                group=group_id(ship, bay),
                contact=contact,
                at=at,
                course=ship.course,
                craft=craft,
            )
            Group.launch(
                state, ship, bay=bay, contact=contact, at=at, course=ship.course, turn=table.turn
            )


def recover(table: Table, group: Group, ship: ShipState, *, at_once: bool = False) -> None:
    """Take aboard as many craft as there is room for, and roll for when they may fly again.

    The worst die of all groups in a bay counts. After a combat landing (`at_once`) they do not fly
    again in this battle.

    Rules: Continuum "Combat landings" 8.4 [pc.fighter-launch]; Continuum "Re-arming" 8.16
    [pc.rearming]
    """
    reveal_ship(table, ship)
    before = list(ship.stock)
    craft = min(free_berths(ship, group), group.craft)
    name = group.id
    table.tell(CraftRecovered, ship=ship.id, group=name, craft=craft)
    group.come_aboard(table.state, ship, craft)
    write_fact(table, ship, "recovered-craft", 1)
    if at_once and can_hangars_explode(table.state):
        write_fact(table, ship, "fouled", 1)
    die = 0 if at_once else table.dice.roll("re-arm", name)
    if READY_IN[die]:
        ready = table.turn + READY_IN[die]
    else:
        ready = FOREVER
    table.tell(
        GroupRearmed, ship=ship.id, group=name, die=die, ready=0 if ready == FOREVER else ready
    )
    for index in ship.profile.bays:
        if ship.stock[index] > before[index]:
            bay = ship.sheet.fits[index].id
            write_fact(table, ship, "ready", max(ready, ship.record.ready.get(bay, 0)), key=bay)


def are_decks_busy(state: BattleState, ship: ShipState) -> bool:
    """Return whether a ship launched or recovered craft this turn, which disables its ADFC.

    ADFC is its area defence fire control.

    Rules: Continuum "Combat landings" 8.4 [pc.fighter-launch]
    """
    if not ship.profile.bays:
        return False
    if ship.this_turn.recovered_craft:
        return True
    own_craft = [group for group in state.pieces_of(Group) if group.ship == ship.id]
    return any(group.launched_turn == state.turn for group in own_craft)

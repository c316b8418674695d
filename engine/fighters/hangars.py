"""Fighter bays: launching at the mid-point of a move, landing, and recovery after a battle.

Rules: 2E "Fighters" [2e.fighters]
"""

from __future__ import annotations

from engine.combat.detection import reveal_ship
from engine.core.geometry import Point
from engine.core.kinds import BASED, FIGHTING, FTL, LEFT_TABLE
from engine.core.orders import Plot
from engine.core.reason import reason
from engine.core.ship import FREE, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.craft.craft_type import CraftTrait
from engine.events.movement import OrderRefused
from engine.pieces.group import Group, group_id
from engine.pieces.group_events import CraftRecovered, GroupLaunched
from engine.systems.outfit import bay_name, launches_per_turn


def launch_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return why a ship cannot launch as plotted, or "" if it can.

    It must keep its course and velocity, and each bay must work and hold craft. Carriers launch two
    groups a turn, other ships one.

    Rules: 2E "Fighters" [2e.fighters]
    """
    if not plot.launch:
        return ""
    return _launch_ban(ship, plot) or _bays_fault(state, ship, plot)


def _launch_ban(ship: ShipState, plot: Plot) -> str:
    """Return why a ship in its state and with its other orders can launch nothing, or ""."""
    if ship.status != FIGHTING or ship.dummy:
        return reason("cannot-launch-fighters", "it cannot launch fighters")
    if plot.turn or plot.thrust:
        return reason(
            "ship-launches-fighters-keeps",
            "a ship that launches fighters must keep its course and velocity",
        )
    if plot.ftl or ship.warm:
        return reason(
            "ship-ftl-drive-warming", "a ship whose FTL drive is warming up cannot launch fighters"
        )
    if ship.docking != FREE or plot.dock or plot.undock:
        return reason("docked-ship-cannot-launch", "a docked ship cannot launch fighters")
    return ""


def _bays_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return why a ship cannot launch the groups of the plotted bays, or ""."""
    bays = [bay_name(word) for word in plot.launch]
    for bay in bays:
        index = ship.profile.index_of.get(bay, -1)
        if index not in ship.profile.bays:
            return reason("no-fighter-bay", "it has no fighter bay '{}'", bay)
        if fault := bay_fault(state, ship, bay):
            return fault
        if bays.count(bay) > 1:
            return reason("launches-once", "{} can launch only once", bay)
    most = launches_per_turn(len(ship.profile.bays))
    if len(bays) > most:
        return reason("launches-turn-not", "it can launch {} a turn, not {}", most, len(bays))
    return ""


def bay_fault(state: BattleState, ship: ShipState, bay: str) -> str:
    """Return why a bay has no craft to launch, or "" if it has."""
    index = ship.profile.index_of[bay]
    if not ship.alive[index]:
        return reason("bay-out-of-action", "{} is out of action", bay)
    if state.find(Group, group_id(ship, bay)) is not None:
        return reason("group-flight", "the group of {} is in flight", bay)
    if ship.stock[index]:
        return ""
    return reason("bay-empty", "{} is empty", bay)


def launch(table: Table, ship: ShipState, plot: Plot, mid: Point) -> None:
    """Put a ship's groups on the table at the mid-point of its move; they fly this turn.

    Launching identifies a bogey. If the mid-point is off the table, nothing is launched.

    Rules: 2E "Fighters" [2e.fighters]; 2E "Sensors and target identification" [2e.sensors]
    """
    state = table.state
    if not (0.0 <= mid[0] <= state.table[0] and 0.0 <= mid[1] <= state.table[1]):
        if table.listens:
            table.tell(
                OrderRefused,
                ship=ship.id,
                order=plot.words(),
                reason=reason(
                    "cannot-launch-fighters-off", "it cannot launch fighters off the table"
                ),
            )
        return
    reveal_ship(table, ship)
    for word in plot.launch:
        bay = bay_name(word)
        index = ship.profile.index_of[bay]
        contact = free_name(state)
        if table.listens:
            table.tell(
                GroupLaunched,
                ship=ship.id,
                group=group_id(ship, bay),
                contact=contact,
                at=mid,
                course=ship.course,
                craft=ship.stock[index],
            )
        Group.launch(
            state, ship, bay=bay, contact=contact, at=mid, course=ship.course, turn=table.turn
        )


def free_name(state: BattleState) -> str:
    """Return the contact name of the next group, such as `flight-3`, skipping names of ships."""
    used_names = []
    for ship in state.ships:
        for name in (ship.id, ship.contact):
            used_names.append(name)
    number = state.flight_count + 1
    while f"flight-{number}" in used_names:
        number += 1
    return f"flight-{number}"


def free_places(ship: ShipState, type_: str) -> int:
    """Return the free places for craft of a type in a ship's working bays.

    Rules: 2E "Threshold points" [2e.thresholds]
    """
    profile = ship.profile
    bays = []
    for index in profile.bays:
        if ship.alive[index] and profile.craft[index] == type_:
            bays.append(index)
    return sum(profile.full[index] - ship.stock[index] for index in bays)


def landing_fault(state: BattleState, group: Group, ship: ShipState) -> str:
    """Return why a group cannot land on a ship, apart from distance, or "" if it can.

    A ship recovers fighters if it kept its course and velocity: its own, or those of a ship that
    cannot recover them.
    Rules: 2E "Fighters" [2e.fighters]
    """
    if ship.commander != group.commander or not ship.profile.bays or ship.dummy:
        return reason(
            "fighters-land-only-ships-own",
            "fighters can land only on ships of their own side with fighter bays",
        )
    if ship.status != FIGHTING or ship.docking != FREE:
        return reason("not-there-land", "{} is not there to land on", ship.id)
    if ship.swerved:
        return reason(
            "changed-course-velocity-turn", "{} changed its course or velocity this turn", ship.id
        )
    if not free_places(ship, group.type):
        return reason("no-bay-free", "{} has no free bay", ship.id)
    home = state.ship(group.ship)
    if home is not ship and _can_recover(state, home, group):
        return reason(
            "own-ship-room", "it must land on its own ship {}, which has room for it", home.id
        )
    return ""


def _can_recover(state: BattleState, home: ShipState, group: Group) -> bool:
    """Return whether a group's own ship is in play and has room for it."""
    return home in state.in_play(group.commander) and free_places(home, group.type) > 0


def come_aboard(table: Table, group: Group, ship: ShipState) -> None:
    """Land as many craft of a group as find room; the others stay in flight.

    A landing identifies a bogey.
    """
    craft = min(free_places(ship, group.type), group.craft)
    if craft and table.listens:
        table.tell(CraftRecovered, ship=ship.id, group=group.id, craft=craft)
    group.come_aboard(table.state, ship, craft)


def come_home(table: Table) -> None:
    """Recover groups in flight after a battle; craft without room are lost.

    They land on ships of their side in play, their own first, or on their base off the table.
    Craft with FTL drives also follow ships of their side that have left.

    Rules: 2E "Fighters" [2e.fighters]; Continuum "FTL fighters" 8.15 [pc.fighter-types]
    """
    state = table.state
    for group in tuple(state.pieces_of(Group)):
        ships = [ship for ship in state.in_play(group.commander) if ship.profile.bays]
        if state.ship(group.ship).status == BASED:
            ships.append(state.ship(group.ship))
        if CraftTrait.FTL in group.row.traits:
            ships += _carriers_gone(state, group.commander)
        for ship in sorted(ships, key=lambda ship: ship.id != group.ship):
            if group.craft > 0 and free_places(ship, group.type):
                come_aboard(table, group, ship)
        group.take_damage(table, group.craft, "no-bay")


def _carriers_gone(state: BattleState, side: int) -> list[ShipState]:
    """Return a side's ships with fighter bays that have left the table or jumped."""
    carriers: list[ShipState] = []
    for ship in state.ships:
        if ship.commander != side or ship.status not in (FTL, LEFT_TABLE):
            continue
        if ship.profile.bays and not ship.dummy:
            carriers.append(ship)
    return carriers

"""Hangars and launch tubes at work: what a carrier launches and recovers, and when a group may fly again.

Rules: Continuum "Launch and recovery" 8.1, "Launch tubes" 8.2, "Combat landings" 8.4 [pc.fighter-launch]; Continuum
"Re-arming" 8.16 [pc.rearming]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.detection import give_away
from engine.continuum.defences import works
from engine.core.kinds import FIGHTING
from engine.core.noting import note
from engine.core.orders import HOLD, Plot
from engine.core.ship import FREE, ShipState
from engine.core.ship_facts import FOREVER
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.versions import CRAFT
from engine.fighters.hangars import bay_fault, free_name, room
from engine.pieces.craft_events import Rearmed
from engine.pieces.group import Group, Launched, Recovered, group_id

HANGAR, COMBINED, TUBE = "hangar", "combined-hangar", "launch-tube"
HANGARS = (HANGAR, COMBINED)  # what refuels and rearms fighters
CATAPULT = "catapult"

# The die of a group recovered, and in how many turns it may fly again; place 1 is for never.
READY_IN: tuple[int, ...] = (0, 0, 2, 2, 2, 2, 1)


def launch_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """The reason why a ship cannot launch as its plot says, "" where it can.

    A tube launches one group; combined hangars and racks launch their own. Catapults launch from a ship under thrust.
    Rules: Continuum "Launch and recovery" 8.1, "Launch tubes" 8.2 [pc.fighter-launch]; Continuum "Fighter racks" 13.12
    [pc.fighter-racks]
    """
    if not plot.launch:
        return ""
    if why := _never(state, ship, plot) or _under_way(ship, plot):
        return why
    for bay in plot.launch:
        if why := _bay_fault(state, ship, bay):
            return why
        if plot.launch.count(bay) > 1:
            return f"{bay} launches once"
    through_tubes = [bay for bay in plot.launch if _type_of(ship, bay) == HANGAR]
    tubes = works(ship, TUBE)
    if len(through_tubes) > tubes:
        return f"its launch tubes launch {tubes} groups a turn, not {len(through_tubes)}"
    return ""


def _never(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Why a ship launches nothing whatever it does."""
    if not state.terms.follows(CRAFT):
        return f"it has no fighter bay '{plot.launch[0]}'"
    return "it cannot launch fighters" if ship.status != FIGHTING or ship.dummy else ""


def _under_way(ship: ShipState, plot: Plot) -> str:
    """Why a ship cannot launch for what else it does."""
    if plot.steers() and not _catapults(ship):
        return "a ship that launches fighters keeps its course and velocity"
    if plot.ftl or ship.warm:
        return "a ship whose FTL drive is warming up cannot launch fighters"
    if ship.record.veiled:
        return "a cloaked ship cannot launch fighters"
    return "a docked ship cannot launch fighters" if ship.docking != FREE or plot.dock or plot.undock else ""


def _catapults(ship: ShipState) -> bool:
    """Whether all its launch tubes have catapults, as they must where one has."""
    tubes = ship.profile.places.get(TUBE, ())
    return bool(tubes) and all(CATAPULT in ship.sheet.fits[place].flags for place in tubes)


def _bay_fault(state: BattleState, ship: ShipState, bay: str) -> str:
    index = ship.profile.index_of.get(bay, -1)
    if index not in ship.profile.bays:
        return f"it has no '{bay}' with craft of its own"
    if why := bay_fault(state, ship, bay):
        return why
    ready = ship.record.ready.get(bay, 0)
    if ready >= FOREVER:
        return f"the group of {bay} does not fly again in this battle"
    return f"the group of {bay} is not ready before turn {ready}" if ready > state.turn else ""


def _type_of(ship: ShipState, bay: str) -> str:
    return ship.sheet.fits[ship.profile.index_of[bay]].type


def recoveries(ship: ShipState) -> int:
    """The groups that a ship takes aboard in a turn: one for each tube, and for every other combined hangar.

    Rules: Continuum "Launch and recovery" 8.1, "Hangar bays" 13.12 [pc.fighter-launch]
    """
    return works(ship, TUBE) + (works(ship, COMBINED) + 1) // 2


def landing_fault(group: Group, ship: ShipState, plot: Plot, *, at_once: bool = False) -> str:
    """The reason why a group cannot land on a ship that flies by a plot, "" where it can. `at_once`: a combat landing.

    Racks take nobody aboard. Rules: Continuum "Launch and recovery" 8.1, "Combat landings" 8.4 [pc.fighter-launch]
    """
    hangars = [index for index in ship.profile.bays if ship.sheet.fits[index].type in HANGARS]
    if ship.commander != group.commander or not hangars or ship.dummy:
        return "fighters can land only on ships of their own side with hangars"
    if ship.status != FIGHTING or ship.docking != FREE or ship.record.veiled:
        return f"{ship.id} is not there to land on"
    if (at_once or not _catapults(ship)) and plot.steers():
        return f"{ship.id} does not keep its course and velocity"
    if plot.ftl or ship.warm:
        return f"the FTL drive of {ship.id} is warming up"
    if not recoveries(ship):
        return f"{ship.id} has no launch tube that works"
    return "" if room(ship, group.type) else f"{ship.id} has no hangar free for them"


def launch_groups(table: Table, orders: Mapping[str, Plot]) -> None:
    """Phase 3, in place: groups leave their bays, ship by ship; each is set beside its ship, on its course.

    Rules: Continuum "Launch and recovery" 8.1 [pc.fighter-launch]
    """
    state = table.state
    for ship in state.ships:
        for bay in orders.get(ship.id, HOLD).launch:
            give_away(table, ship)
            contact, at = free_name(state), (ship.x, ship.y)
            craft = ship.stock[ship.profile.index_of[bay]]
            table.tell(Launched, ship.id, group_id(ship, bay), contact, at, ship.course, craft)
            Group.launch(state, ship, bay, contact, at, ship.course, table.turn)


def recover(table: Table, group: Group, ship: ShipState, *, at_once: bool = False) -> None:
    """As many craft of a group as find room come aboard, and a die says when they fly again: the worst of all those in
    a bay counts. After a combat landing (`at_once`) they do not in this battle.

    Rules: Continuum "Combat landings" 8.4 [pc.fighter-launch]; Continuum "Re-arming" 8.16 [pc.rearming]
    """
    give_away(table, ship)
    before = list(ship.stock)
    craft = min(room(ship, group.type), group.craft)
    name = group.id
    table.tell(Recovered, ship.id, name, craft)
    group.come_aboard(table.state, ship, craft)
    note(table, ship, "recovered", 1)
    die = 0 if at_once else table.dice.roll("re-arm", name)
    ready = table.turn + READY_IN[die] if READY_IN[die] else FOREVER
    table.tell(Rearmed, ship.id, name, die, 0 if ready == FOREVER else ready)
    for index in ship.profile.bays:
        if ship.stock[index] > before[index]:
            bay = ship.sheet.fits[index].id
            note(table, ship, "ready", max(ready, ship.record.ready.get(bay, 0)), bay)


def decks_busy(state: BattleState, ship: ShipState) -> bool:
    """Whether a ship has launched this turn, or taken craft aboard: its ADFC is out for the turn.

    Rules: Continuum "Combat landings" 8.4 [pc.fighter-launch]
    """
    return bool(ship.profile.bays) and (
        ship.this_turn.recovered
        or any(group.ship == ship.id and group.launched == state.turn for group in state.of(Group))
    )

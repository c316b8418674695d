"""Squadrons: ships that fly by their leader's plot and keep their places around it.

Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.continuum.cores import no_command_reason
from engine.continuum.drives import Roll, UseEmergencyThrust, available_thrust, excess_fault
from engine.continuum.legs import Leg, leg_of, parts_of
from engine.continuum.weapon_orders import rest_fault
from engine.core.dice import NO_DICE
from engine.core.errors import Violation
from engine.core.geometry import COURSES, NEAR, is_within, rotate_offset, squared_length
from engine.core.ids import NO_SHIP, ShipId
from engine.core.kinds import FIGHTING, HULK
from engine.core.orders import HOLD, FurtherOrder, Plot
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason
from engine.core.ship import FREE, ShipState
from engine.core.slots import OneOf, Slot, WordDescription
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.damage import ShipDestroyed
from engine.events.event import Event
from engine.events.movement import InSquadron, OrderRefused
from engine.movement.docking import has_docked_ships
from engine.notation.orders import read_names, read_nothing

JOIN_DISTANCE = 3.0  # the most MU from the leader when joining
MAX_SHIPS = 4  # in a squadron
MAX_ESCORTS = 6  # around one larger ship
ESCORT = "escort"
STAND_LOSS = "stand"  # the cause of loss of a ship that cannot keep up with its stand
LINE_TOLERANCE = 0.5  # the most MU to the side in a line ahead


def leader_of(state: BattleState, ship: ShipState) -> ShipState | None:
    """Return the leader of a ship's squadron, or None if it flies alone."""
    if ship.record.squadron:
        return state.ship(ship.record.squadron)
    return None


def followers_of(state: BattleState, leader: ShipState) -> list[ShipState]:
    """Return the ships that fly by a leader's plot, in file order."""
    result: list[ShipState] = []
    for ship in state.ships:
        if ship.record.squadron == leader.id and ship.status == FIGHTING:
            result.append(ship)
    return result


def joining_fault(state: BattleState, ship: ShipState, leader_id: str) -> str:
    """Return the reason why a ship cannot join a leader now, or "".

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    leader = _possible_leader(state, ship, leader_id)
    if leader is None:
        return reason(
            "another-ship-side-table", "name another ship of its side on the table as the leader"
        )
    if leader_of(state, leader) is not None:
        return reason("flies-squadron-itself", "{} already follows a squadron leader", leader.id)
    if followers_of(state, ship):
        return reason("leads-squadron-itself", "it leads a squadron itself")
    if fault := _member_fault(state, ship) or _member_fault(state, leader):
        return fault
    if fault := _formation_fault(ship, leader):
        return fault
    followers = [candidate for candidate in followers_of(state, leader) if candidate is not ship]
    if len(followers) < max_followers(leader, [*followers, ship]):
        return ""
    return reason("squadron-no-room", "{}'s squadron has no room for it", leader.id)


def _possible_leader(state: BattleState, ship: ShipState, leader_id: str) -> ShipState | None:
    """Return the named ship if it is another one of the same side on the table, else None."""
    for other in state.ships:
        if other.id != leader_id:
            continue
        if other is ship or other.commander != ship.commander or other.status != FIGHTING:
            return None
        return other
    return None


def _formation_fault(ship: ShipState, leader: ShipState) -> str:
    """Return the reason why a ship does not fly beside a leader in the same way, or ""."""
    if ship.sheet.drive != leader.sheet.drive or (ship.drift is None) != (leader.drift is None):
        return reason(
            "drive-not-same-kind", "its drive is of a different type from {}'s", leader.id
        )
    if (ship.course, ship.velocity) != (leader.course, leader.velocity) or _drift_apart(
        ship, leader
    ):
        return reason("not-course-velocity", "its course and velocity do not match {}'s", leader.id)
    if not is_within(squared_length(ship.x - leader.x, ship.y - leader.y), JOIN_DISTANCE):
        return reason("not-within-mu", "it is more than {:g} MU from {}", JOIN_DISTANCE, leader.id)
    return ""


def _member_fault(state: BattleState, member: ShipState) -> str:
    """Return the reason why a ship cannot be part of any squadron now, or ""."""
    if member.record.stand:
        return reason("shares-stand", "{} shares a stand with other ships", member.id)
    if (
        member.warm
        or member.docking != FREE
        or member.status != FIGHTING
        or member.sheet.thrust == 0
        or member.record.section
        or has_docked_ships(state, member)
        or member.orbits
    ):
        return reason(
            "only-ships-move-freely",
            "only ships that move freely with their own drives can form a squadron",
        )
    return ""


def _drift_apart(ship: ShipState, leader: ShipState) -> bool:
    """Return whether two ships with vector movement have different drifts."""
    if ship.drift is None or leader.drift is None:
        return False
    return any(abs(a - b) > NEAR for a, b in zip(ship.drift, leader.drift, strict=True))


def max_followers(leader: ShipState, followers: list[ShipState]) -> int:
    """Return how many followers a leader may have: three, or six escorts for a larger ship.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    if leader.sheet.classification != ESCORT and all(
        follower.sheet.classification == ESCORT for follower in followers
    ):
        return MAX_ESCORTS
    return MAX_SHIPS - 1


@dataclass(frozen=True, slots=True)
class FallIn(FurtherOrder):
    """An order to join a squadron.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Join a squadron"),
            phrase("follows its leader's plots from this turn on"),
        )

    leader: str

    @staticmethod
    def word() -> str:
        return "squadron"

    @staticmethod
    def parse(words: list[str]) -> FallIn:
        return FallIn(
            read_names(
                words,
                least=1,
                most=1,
                expected=reason("ship-leads", "the ship that leads the squadron"),
            )[0]
        )

    @staticmethod
    def slots(state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        leaders: list[str] = []
        for other in state.ships:
            if other.commander != ship.commander or other is ship or other.status != FIGHTING:
                continue
            leaders.append(other.id)
        return (OneOf("Leader", tuple(leaders)),)

    def arguments(self) -> tuple[str, ...]:
        return (self.leader,)

    def unit_names(self) -> tuple[str, ...]:
        return (self.leader,)

    def with_ids(self, ids: Mapping[str, str]) -> FallIn:
        return FallIn(ids.get(self.leader, self.leader))

    def fault(self, state: BattleState, ship: ShipState, _plot: Plot) -> str:
        return joining_fault(state, ship, self.leader)


@dataclass(frozen=True, slots=True)
class FlyAlone(FurtherOrder):
    """An order to leave a squadron.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(phrase("Leave the squadron"), phrase("follows its own plot again"))

    @staticmethod
    def word() -> str:
        return "alone"

    @staticmethod
    def parse(words: list[str]) -> FlyAlone:
        read_nothing(words)
        return FlyAlone()

    def fault(self, state: BattleState, ship: ShipState, plot: Plot) -> str:
        """Return the reason why the ship cannot leave a squadron, or ""."""
        if plot.find(FallIn) is not None:
            return reason("cannot-fly-alone-squadron", "it cannot fly alone and in a squadron")
        if ship.record.stand:
            return reason("shares-stand-itself", "it shares a stand with other ships")
        if leader_of(state, ship) is not None:
            return ""
        return reason("not-squadron", "it is not in a squadron")


def squadron_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a plot is illegal for a ship in a squadron, or "".

    Followers fly by the leader's plot, which must be within the limits of every drive.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    leader_id = _leader_id_after(state, ship, plot)
    if leader_id:
        moves_itself = plot.steers() or plot.ftl or plot.dock or plot.find(Roll) is not None
        if moves_itself:
            return reason(
                "flies-plot-leads-squadron",
                "it follows the plot of {}, its squadron leader",
                leader_id,
            )
        return ""
    if followers_of(state, ship):
        return _lead_fault(state, ship, plot)
    return ""


def _leader_id_after(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the id of the leader that a ship follows if it carries out a plot, or ""."""
    order = plot.find(FallIn)
    if order is not None:
        return order.leader
    leader = leader_of(state, ship)
    if leader is not None and plot.find(FlyAlone) is None:
        return leader.id
    return ""


def _lead_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a squadron cannot follow its leader's plot, or ""."""
    if plot.ftl or plot.dock or plot.find(UseEmergencyThrust) is not None:
        return reason(
            "squadron-cannot-jump-dock",
            "a squadron cannot jump, dock or use emergency thrust: its ships must leave it first",
        )
    faults = follow_faults(state, ship, plot)
    if not faults or ship.record.stand:
        return ""
    return reason(
        "squadron-cannot-follow", "its squadron cannot follow: {}", join_phrases("; ", faults)
    )


def follow_faults(state: BattleState, leader: ShipState, plot: Plot) -> list[str]:
    """Return a fault, with its id, for each follower that cannot fly its leader's plot.

    Ships on a stand that cannot follow are lost instead.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    faults: list[str] = []
    for follower in followers_of(state, leader):
        if fault := _follow_fault(state, follower, plot):
            faults.append(reason("named", "{}: {}", follower.id, fault))
    return faults


def _follow_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a follower cannot fly its leader's plot, or ""."""
    return excess_fault(ship, plot, available_thrust(ship, state.turn)) or rest_fault(
        state, ship, plot
    )


def break_up_stands(table: Table) -> None:
    """Separate hulks from stands that fly on, which destroys them, and choose the leaders.

    This happens at the end of a turn.

    The ship with the best drive leads; the first in file order in a tie.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    state = table.state
    for stand in _ships_by_stand(state):
        flying = [ship for ship in stand if ship.status == FIGHTING]
        if not flying:
            continue
        for ship in stand:
            if ship.status == HULK:
                _lose_straggler(table, ship)
        leader = max(flying, key=lambda ship: ship.thrust)
        for ship in flying:
            leader_id = NO_SHIP if ship is leader else leader.id
            if ship.record.squadron != leader_id:
                state.set_leader(ship, leader_id)
                table.tell(InSquadron, ship.id, leader_id)


def _ships_by_stand(state: BattleState) -> list[list[ShipState]]:
    """Return the ships of each stand that still belong to their own side, ordered by leader."""
    ships_by_stand: dict[ShipId, list[ShipState]] = {}
    for ship in state.ships:
        if ship.record.stand and ship.commander == ship.owner:
            ships_by_stand.setdefault(ship.record.squadron or ship.id, []).append(ship)
    return list(ships_by_stand.values())


def _lose_straggler(table: Table, ship: ShipState) -> None:
    """Destroy a ship that cannot keep up with its stand."""
    ship.destroy()
    if table.listens:
        table.tell(ShipDestroyed, ship.id, STAND_LOSS)


def form_up(table: Table, plots: dict[str, Plot]) -> None:
    """Update squadrons as orders are opened, and give followers their leader's plot in `plots`.

    Ships first leave, then join, in file order. A ship that wants to join but cannot fly the
    leader's plot stays alone and holds its course and velocity.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    state = table.state
    for ship in state.ships:
        leader = leader_of(state, ship)
        if leader is not None:
            _keep_or_leave(table, ship, leader, plots)
    for ship in state.ships:
        order = plots[ship.id].find(FallIn) if ship.id in plots else None
        if order is not None:
            _join_squadron(table, ship, order.leader, plots)
    for ship in state.ships:
        leader = leader_of(state, ship)
        if leader is not None:
            plots[ship.id] = _with_move_of(plots.get(ship.id, HOLD), plots.get(leader.id, HOLD))


def _keep_or_leave(
    table: Table, ship: ShipState, leader: ShipState, plots: Mapping[str, Plot]
) -> None:
    """Let a follower leave its squadron by order or need; on a stand it is lost instead."""
    both_fly = ship.status == FIGHTING and leader.status == FIGHTING
    if both_fly and ship.record.stand:
        leader_plot = plots.get(leader.id, HOLD)
        if no_command_reason(ship) or _follow_fault(table.state, ship, leader_plot):
            _lose_straggler(table, ship)
        return
    stays = both_fly and leader.commander == ship.commander and not no_command_reason(ship)
    if not stays or plots.get(ship.id, HOLD).find(FlyAlone) is not None:
        table.state.set_leader(ship, NO_SHIP)
        table.tell(InSquadron, ship.id, NO_SHIP)


def plan_violations(
    state: BattleState, plots: Mapping[str, Plot], where: str
) -> tuple[Violation, ...]:
    """Return the violations of a side's legal plots together: ships that cannot join as others fly.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    if all(plot.find(FallIn) is None for plot in plots.values()):
        return ()
    refused: list[Violation] = []

    def note(event: Event) -> None:
        if isinstance(event, OrderRefused):
            words = reason("named", "{}: {}", event.ship, event.reason)
            refused.append(Violation(f"{where}.{event.ship}", "plot-impossible", words))

    form_up(Table(state.copy(), NO_DICE, note), dict(plots))
    return tuple(refused)


def _join_squadron(
    table: Table, ship: ShipState, leader_id: str, plots: Mapping[str, Plot]
) -> None:
    """Let a ship join a squadron as ordered, or report why it cannot."""
    state = table.state
    leader = state.ship_by_name(leader_id)
    leader_plot = plots.get(leader.id, HOLD)
    fault = joining_fault(state, ship, leader_id) or _follow_fault(state, ship, leader_plot)
    leader_leaves = leader_plot.ftl or leader_plot.dock
    if not fault and (leader_leaves or leader_plot.find(UseEmergencyThrust) is not None):
        fault = reason(
            "makes-move-squadron-cannot", "{}'s plot is not possible for a squadron", leader.id
        )
    if fault and table.listens:
        table.tell(OrderRefused, ship=ship.id, order=plots[ship.id].words(), reason=fault)
    if not fault:
        state.set_leader(ship, leader.id)
        table.tell(InSquadron, ship.id, leader.id)


def _with_move_of(plot: Plot, leader_plot: Plot) -> Plot:
    """Return a ship's plot with the leader's move and rolls."""
    rolls = tuple(order for order in leader_plot.further if isinstance(order, Roll))
    own_orders = tuple(order for order in plot.further if not isinstance(order, Roll))
    return replace(
        plot,
        turn=leader_plot.turn,
        thrust=leader_plot.thrust,
        second=leader_plot.second,
        burns=leader_plot.burns,
        further=(*own_orders, *rolls),
    )


def squadron_legs(state: BattleState, plots: Mapping[str, Plot]) -> dict[str, Leg]:
    """Return the moves of all ships in squadrons before anything moves.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    legs: dict[str, Leg] = {}
    for leader in state.ships:
        followers = followers_of(state, leader) if leader.status == FIGHTING else []
        if followers:
            legs |= _squadron_move(leader, followers, plots.get(leader.id, HOLD))
    return legs


def _squadron_move(leader: ShipState, followers: list[ShipState], plot: Plot) -> dict[str, Leg]:
    """Return a squadron's moves: one ship flies the plot, the others keep their places.

    That is the leader in a line ahead, else the ship on the outside of the turn. In vector movement
    all fly the same way.
    """
    ships = [leader, *followers]
    if leader.drift is not None:
        return {ship.id: leg_of(ship, plot) for ship in ships}
    first, rest = parts_of(plot)
    pivot = _pivot(ships, first + rest or first)
    leg = leg_of(pivot, plot)
    legs: dict[str, Leg] = {}
    for ship in ships:
        place = ship.x - pivot.x, ship.y - pivot.y
        mid = rotate_offset(leg.path[1], place, first)
        end = rotate_offset(leg.path[2], place, first + rest)
        legs[ship.id] = Leg(((ship.x, ship.y), mid, end), leg.course, leg.velocity)
    return legs


def _pivot(ships: list[ShipState], turn: int) -> ShipState:
    """Return the ship that flies the plot: the leader in a line ahead, else the outermost one."""
    leader = ships[0]
    ux, uy = COURSES[leader.course]
    to_starboard = [(ship.x - leader.x) * uy - (ship.y - leader.y) * ux for ship in ships]  # MU
    if all(abs(offset) <= LINE_TOLERANCE + NEAR for offset in to_starboard):
        return leader
    if turn > 0:  # to starboard, so the ship farthest to port is outermost
        return ships[to_starboard.index(min(to_starboard))]
    return ships[to_starboard.index(max(to_starboard))]

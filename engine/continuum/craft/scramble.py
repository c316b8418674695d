"""Scrambling: groups that launch because fighters attack their ship.

Rules: Continuum "Scrambling fighter groups" 8.3 [pc.scramble]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.combat.detection import reveal_ship
from engine.continuum.craft.decks import HANGAR, TUBE, scramble_launch_fault, tube_limit_fault
from engine.continuum.craft.dogfights import fight
from engine.continuum.craft.moves import in_order
from engine.continuum.craft.targets import attackers_of, in_dogfight, intercept
from engine.continuum.defences import working_count
from engine.core.errors import Violation
from engine.core.ids import ShipId
from engine.core.orders import SCRAMBLE, Defence
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.fire import ShotRefused
from engine.fighters.hangars import free_name
from engine.pieces.group import Group, group_id
from engine.pieces.group_events import GroupLaunched
from engine.pieces.hangar_events import GroupHalfFuelled, GroupsScrambled

MISHAP_DIE = 1  # the die that wrecks a bay
LATE_DIE = 4  # the die on which groups come too late to stop the attack runs
GROUPS_BY_DIE = (0, 0, 0, 0, 1, 1, 2)  # how many groups take off, by the die
MAX_GROUPS = max(GROUPS_BY_DIE)
NOT_ATTACKED = reason("not-attacked", "a ship can scramble its groups only when fighters attack it")
THRUST_USED = reason("thrust-used", "a ship that has used thrust cannot scramble its groups")
AT_MOST = reason("scramble-at-most", "at most {} groups can scramble", MAX_GROUPS)
TWICE = reason("each-bay-scrambles-once", "each bay can scramble only once")

Defences = Mapping[str, tuple[Defence, ...]]


def bays_of(orders: Sequence[Defence]) -> tuple[str, ...]:
    """Return the bays of a ship whose groups are to scramble, in their order."""
    return next((order.targets for order in orders if order.weapon == SCRAMBLE), ())


def scramble_fault(state: BattleState, ship: ShipState, bays: Sequence[str]) -> str:
    """Return the reason why a ship cannot scramble the groups of these bays, or "".

    Each group needs a tube that has launched no other group this turn, or a bay with launch gear.

    Rules: Continuum "Scrambling fighter groups" 8.3 [pc.scramble]
    """
    if not _raiders(state, ship):
        return NOT_ATTACKED
    if ship.this_turn.thrust_used:
        return THRUST_USED
    if len(set(bays)) < len(bays):
        return TWICE
    if len(bays) > MAX_GROUPS:
        return AT_MOST
    for bay in bays:
        if fault := scramble_launch_fault(state, ship, bay):
            return fault
    through_tubes = _launches_through_tubes(state, ship, bays)
    tubes = working_count(ship, TUBE)
    if through_tubes > tubes:
        return tube_limit_fault(tubes, through_tubes)
    return ""


def _launches_through_tubes(state: BattleState, ship: ShipState, bays: Sequence[str]) -> int:
    """Return how many groups need a tube this turn: those launched already and those of `bays`."""
    launched_bays = []
    for group in state.pieces_of(Group):
        if group.ship == ship.id and group.launched_turn == state.turn:
            launched_bays.append(group.bay)
    count = 0
    for bay in (*launched_bays, *bays):
        if ship.sheet.fits[ship.profile.index_of[bay]].type == HANGAR:
            count += 1
    return count


def bays_able_to_scramble(state: BattleState, ship: ShipState) -> tuple[str, ...]:
    """Return the bays of a ship whose groups could scramble now, each on its own."""
    bays = (ship.sheet.fits[index].id for index in ship.profile.bays)
    return tuple(bay for bay in bays if not scramble_fault(state, ship, (bay,)))


def _raiders(state: BattleState, ship: ShipState) -> list[Group]:
    """Return the fighters that attack a ship and are not in a dogfight."""
    raiders: list[Group] = []
    for group in attackers_of(state, ship):
        if not group.row.berth and not in_dogfight(state, group):
            raiders.append(group)
    return raiders


def scramble_violations(state: BattleState, orders: Defences, where: str) -> list[Violation]:
    """Return the violations in a side's orders to scramble.

    Args:
        where: The path of the entry in the orders.
    """
    violations: list[Violation] = []
    for name, entries in orders.items():
        bays = bays_of(entries)
        if bays:
            fault = scramble_fault(state, state.ship(ShipId(name)), bays)
        else:
            fault = ""
        if fault:
            violations.append(Violation(f"{where}.{name}.{SCRAMBLE}", SCRAMBLE, fault))
    return violations


def scramble(table: Table, orders: Defences) -> list[tuple[ShipState, Group]]:
    """Roll for the scrambled groups of ships under attack; groups in time fight at once.

    Returns:
        The groups that come too late, each with its ship.

    Rules: Continuum "Scrambling fighter groups" 8.3 [pc.scramble]
    """
    late_groups: list[tuple[ShipState, Group]] = []
    for ship in table.state.ships:
        bays = bays_of(orders.get(ship.id, ()))
        if not bays:
            continue
        if fault := scramble_fault(table.state, ship, bays):
            table.tell(ShotRefused, ship=ship.id, weapon=SCRAMBLE, targets=(), reason=fault)
            continue
        die = table.dice.roll("scramble", ship.id)
        launched_bays = bays[: GROUPS_BY_DIE[die]]
        table.carry_out(
            GroupsScrambled(
                table.turn,
                ship.id,
                die=die,
                wrecked=bays[0] if die == MISHAP_DIE else "",
                groups=len(launched_bays),
            )
        )
        groups = [_take_off(table, ship, bay) for bay in launched_bays]
        if die == LATE_DIE:
            late_groups += [(ship, group) for group in groups]
        else:
            _fight_raiders(table, ship, groups)
    return late_groups


def resolve_late_groups(table: Table, late_groups: Sequence[tuple[ShipState, Group]]) -> None:
    """Let groups that scrambled too late fight the attackers of their ship, after the attack runs.

    Args:
        late_groups: Each group with its ship, as scramble() returned them.

    Rules: Continuum "Scrambling fighter groups" 8.3 [pc.scramble]
    """
    for ship, group in late_groups:
        if group.craft > 0:
            _fight_raiders(table, ship, [group])


def _take_off(table: Table, ship: ShipState, bay: str) -> Group:
    """Launch a group beside its ship; if it was re-arming, with half fuel and no reloads."""
    state = table.state
    reveal_ship(table, ship)
    contact = free_name(state)
    at = (ship.x, ship.y)
    craft = ship.stock[ship.profile.index_of[bay]]
    name = group_id(ship, bay)
    table.tell(
        GroupLaunched,
        ship=ship.id,
        group=name,
        contact=contact,
        at=at,
        course=ship.course,
        craft=craft,
    )
    Group.launch(state, ship, bay=bay, contact=contact, at=at, course=ship.course, turn=table.turn)
    group = state.piece(Group, name)
    if ship.record.ready.get(bay, 0) > table.turn:
        table.carry_out(GroupHalfFuelled(table.turn, name, group.endurance - group.endurance // 2))
    return group


def _fight_raiders(table: Table, ship: ShipState, groups: Sequence[Group]) -> None:
    """Let each group fight the first free attacker of its ship, whose attack run is cancelled.

    Rules: Continuum "Scrambling fighter groups" 8.3, "Dogfights" 8.10 [pc.scramble]
    """
    for group in groups:
        raiders = _raiders(table.state, ship)
        if raiders:
            raider = raiders[0]
            intercept(table, group, raider)
            intercept(table, raider, group)
            fighters = [fighter for fighter in in_order(table.state) if fighter in (group, raider)]
            fight(table, fighters, answering=[raider])

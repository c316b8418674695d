"""Phase 3: what craft launch: missiles, rockets, and plasma bombs dropped in place.

Rules: Continuum "Missile fighters" 8.15 [pc.fighter-types]; Continuum "Missile gunboat", "Rocket
gunboat", "Plasma bomber gunboat" 9.2 [pc.gunboats]
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.combat.line_of_sight import is_blocked
from engine.continuum.craft.moves import find_unit, in_order
from engine.continuum.craft.targets import in_front
from engine.continuum.defences import is_detectable, lock_on_radius
from engine.continuum.launching import IN_THE_WAY, NO_POINT, OFF_TABLE, Launches
from engine.core.errors import Violation, fault_path
from engine.core.geometry import NEAR, Point, course_towards, dist, turn_course
from engine.core.ids import NO_SHIP
from engine.core.orders import Launch
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.craft.craft_type import Armament
from engine.events.fire import ShotRefused
from engine.pieces.craft_events import CraftLaunched
from engine.pieces.group import EXHAUSTED, Group, rocket_modifier_at
from engine.pieces.marker import next_marker, place_beside
from engine.weapons.ordnance import MISSILE_REACH, STANDARD

MISSILE_FLIGHT_MU = MISSILE_REACH[STANDARD][1]  # MU from craft to the aim point of their missiles
ROCKET_NEEDS = ((6.0, 2), (12.0, 3))  # (range in MU, the lowest die that hits) of a boat's rockets
NOT_LAUNCHED = reason("not-launched", "it has nothing of this kind to launch")
NOT_TRACKED = reason("not-tracked", "no hostile ship that it can lock on to is within 12 MU")
BEHIND = reason("point-behind-craft", "that point is behind it")
NO_HOSTILE_TARGET = reason(
    "fired-hostile-ship-gunboats",
    "its target must be a hostile ship or gunboats within 12 MU, ahead of it and in sight",
)
DROPPED = reason("dropped-where-craft", "it is dropped at the position of its craft")


def load_violations(state: BattleState, launches: Launches, where: str) -> list[Violation]:
    """Return the violations in the launch orders of a side's groups.

    Args:
        where: The path of the entry in the orders.

    Rules: Continuum "Missile fighters" 8.15 [pc.fighter-types]
    """
    violations: list[Violation] = []
    for name, entries in launches.items():
        group = state.find(Group, name)
        if group is None:
            continue
        used: dict[str, int] = {}
        for number, launch in enumerate(entries):
            if fault := load_fault(state, group, launch, used):
                violations.append(Violation(f"{where}.{name}{fault_path(number)}", "launch", fault))
    return violations


def load_fault(state: BattleState, group: Group, launch: Launch, used: dict[str, int]) -> str:
    """Return the reason why a group cannot launch as ordered, or "".

    Args:
        used: The rounds of each load that the group launched in this phase. A legal launch is
            added.

    Rules: Continuum "Missile fighters" 8.15, "Gunboat types" 9.2 [pc.gunboats]
    """
    armament = group.row.armament(launch.weapon)
    if armament is None or not armament.launches:
        return NOT_LAUNCHED
    if group.is_exhausted:
        return EXHAUSTED
    remaining = group.rounds(armament) - used.get(armament.name, 0)
    count = _rounds_launched(armament, launch, remaining)
    if fault := _rounds_fault(armament, count, remaining):
        return fault
    if fault := _aim_fault(state, group, armament, launch):
        return fault
    used[armament.name] = used.get(armament.name, 0) + count
    return ""


def _rounds_launched(armament: Armament, launch: Launch, remaining: int) -> int:
    """Return how many rounds an order launches: as many as it says, else a salvo or all left."""
    return launch.count or min(remaining, armament.salvo or remaining)


def _rounds_fault(armament: Armament, count: int, remaining: int) -> str:
    """Return the reason why so many rounds of a load cannot be launched at once, or ""."""
    if remaining <= 0:
        return reason("has-left", "it has {} {} left", "no", armament.name)
    if count > remaining:
        return reason("has-left", "it has {} {} left", remaining, armament.name)
    if armament.salvo and count > armament.salvo:
        return reason(
            "salvo-more-launched-further",
            "a salvo is {} {}; launch more with further orders",
            armament.salvo,
            armament.name,
        )
    return ""


def _aim_fault(state: BattleState, group: Group, armament: Armament, launch: Launch) -> str:
    """Return the reason why a load cannot be launched at its ordered point or target, or ""."""
    if armament.dropped:
        if launch.at is not None or launch.target:
            return DROPPED
        return ""
    if armament.at_target:
        target = find_unit(state, launch.target) if launch.at is None else None
        if target is not None and _can_fire_rockets_at(state, group, target, armament.reach):
            return ""
        return NO_HOSTILE_TARGET
    if launch.at is None or launch.target:
        return NO_POINT
    if not any(can_track(state, group, armament, ship) for ship in state.ships):
        return NOT_TRACKED
    return _point_fault(state, group, launch.at)


def can_track(state: BattleState, group: Group, armament: Armament, ship: ShipState) -> bool:
    """Return whether a ship is hostile and near enough for craft to launch missiles.

    Rules: Continuum "Missile fighters" 8.15 [pc.fighter-types]
    """
    if not _is_fair_target(state, group, ship):
        return False
    return (
        dist((group.x, group.y), (ship.x, ship.y))
        <= lock_on_radius(state, ship, armament.reach) + NEAR
    )


def _is_fair_target(state: BattleState, group: Group, ship: ShipState) -> bool:
    """Return whether a ship is hostile to a group and not hidden from sensors."""
    return bool(state.hostile[group.commander] >> ship.commander & 1) and is_detectable(ship)


def _can_fire_rockets_at(
    state: BattleState, group: Group, target: ShipState | Group, range_mu: float
) -> bool:
    """Return whether rockets can be fired at a ship or at gunboats; they need no lock."""
    start = (group.x, group.y)
    end = (target.x, target.y)
    if isinstance(target, Group):
        is_hostile = state.hostile[group.commander] >> target.commander & 1
        is_fair = target.row.berth > 0 and bool(is_hostile)
    else:
        is_fair = _is_fair_target(state, group, target)
    if not is_fair or dist(start, end) > range_mu + NEAR or not in_front(group, *end):
        return False
    obstacles = [piece for piece in state.pieces if piece is not target]
    return not is_blocked(obstacles, start, end)


def _point_fault(state: BattleState, group: Group, at: Point) -> str:
    """Return the reason why a group cannot launch missiles at a point, or ""."""
    width, height = state.table
    if not (-NEAR <= at[0] <= width + NEAR and -NEAR <= at[1] <= height + NEAR):
        return OFF_TABLE
    if dist((group.x, group.y), at) > MISSILE_FLIGHT_MU + NEAR:
        return reason(
            "point-mu-away-reaches",
            "that point is {:.1f} MU away; the range is {:g}",
            dist((group.x, group.y), at),
            MISSILE_FLIGHT_MU,
        )
    if not in_front(group, *at):
        return BEHIND
    if is_blocked(state.pieces, (group.x, group.y), at):
        return IN_THE_WAY
    return ""


def launch_loads(table: Table, launches: Launches) -> None:
    """Launch the loads of groups in flight, after the ships.

    Impossible launches are reported and use up nothing.

    Rules: Continuum "Missile fighters" 8.15, "Gunboat types" 9.2 [pc.gunboats]
    """
    state = table.state
    for group in in_order(state):
        for launch in launches.get(group.id, ()):
            if fault := load_fault(state, group, launch, {}):
                targets = (launch.target,) if launch.target else ()
                table.tell(
                    ShotRefused, ship=group.id, weapon=launch.weapon, targets=targets, reason=fault
                )
            else:
                table.carry_out(_launch_event(table, group, launch))


def _launch_event(table: Table, group: Group, launch: Launch) -> CraftLaunched:
    """Return the event of a launch, with the dice of its rockets."""
    state = table.state
    armament = group.row.armament(launch.weapon)
    assert armament is not None  # load_fault() has checked it
    number = _rounds_launched(armament, launch, group.rounds(armament))
    target = find_unit(state, launch.target) if armament.at_target else None
    if target is None:
        at = launch.at or (group.x, group.y)
        return CraftLaunched(
            table.turn,
            group.id,
            armament=armament.name,
            rounds=number,
            marker=next_marker(state),
            at=at,
            strength=number,
            target=NO_SHIP,
            bearing=0,
            dice=(),
            grade=armament.grade,
        )
    needed = _rocket_hits_on(group, target)
    dice = tuple(table.dice.roll("to-hit", group.id) for _ in range(number))
    hits = sum(die >= needed for die in dice)
    bearing = turn_course(
        course_towards((target.x, target.y), (group.x, group.y), target.course), -target.course
    )
    marker = next_marker(state) if hits else ""
    return CraftLaunched(
        table.turn,
        group.id,
        armament=armament.name,
        rounds=number,
        marker=marker,
        at=place_beside(target, bearing),
        strength=hits,
        target=target.id,
        bearing=bearing,
        dice=dice,
        grade=armament.grade,
    )


def _rocket_hits_on(group: Group, target: ShipState | Group) -> int:
    """Return the lowest die with which a rocket of a group hits a target."""
    distance = dist((group.x, group.y), (target.x, target.y))
    needed = next(die for range_mu, die in ROCKET_NEEDS if distance <= range_mu + NEAR)
    if isinstance(target, Group):
        needed += rocket_modifier_at(target)
    return needed


def launchable_loads(group: Group) -> Iterator[Armament]:
    """Yield the group's loads that are launched and not used up."""
    for armament in group.row.armaments:
        if armament.launches and group.rounds(armament) and not group.is_exhausted:
            yield armament

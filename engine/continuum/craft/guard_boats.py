"""Gunboats on guard against attackers of nearby ships.

Boats with point defence, area defence or scatterpacks fire, by order only, at attackers of ships
near them and at craft and ordnance near themselves, in the point-defence phase.

Rules: Continuum "Point Defense gunboat", "Area Defense System gunboat", "Scatterpack gunboat" 9.2
[pc.gunboats]; Continuum "ADFC" 7.10, "Scattergun" 7.14 [pc.adfc]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.continuum.craft.dogfights import split_hits
from engine.continuum.craft.moves import in_order
from engine.continuum.craft.targets import in_dogfight, is_engaged
from engine.continuum.damage import mark_damage
from engine.continuum.defence_plans import (
    IN_DOGFIGHT,
    NO_TARGET,
    OUT_OF_REACH,
    TOO_FAR,
    Defences,
    distance_to,
    ordnance_to_meet,
    targeted_ships,
)
from engine.continuum.defences import tell_guard_cover
from engine.continuum.launching import is_marker
from engine.core.errors import Violation, fault_path
from engine.core.geometry import NEAR, dist
from engine.core.ids import NO_SHIP
from engine.core.kinds import PLAIN
from engine.core.orders import Defence
from engine.core.reason import reason
from engine.core.rolls import TypedDamage
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import POINT_DEFENCE_LEVEL
from engine.craft.craft_type import Armament, CraftType
from engine.craft.fire import interception_dice
from engine.events.fire import ShotRefused
from engine.pieces.group import EXHAUSTED, Group
from engine.pieces.guard_events import BoatsFiredAtCraft, BoatsFiredAtOrdnance
from engine.pieces.marker import Marker
from engine.pieces.point_defence_targets import IncomingUnit, point_defence_target
from engine.weapons.guard import AT_BOATS, SUPPORT_REACH, PointDefenceTarget

NO_GUARDS = reason(
    "no-guards",
    "only point defence, area defence and scatterpack boats can intercept attacks on others",
)
NOT_BY_LEVEL = reason(
    "boats-meet-nothing-where", "boats cannot intercept when point defence is resolved by level"
)
BUSY = reason(
    "attacks-attacked-meets-nothing",
    "it attacks or is attacked, so it cannot intercept anything else this turn",
)
PACKS_SPENT = reason("scatterpacks-spent", "its scatterpacks are used up")
ALL_FIRED = reason(
    "all-fired", "all its boats that could fire at that target already have other targets"
)
ONE_TARGET = reason("each-entries-names-target", "each entry must name one target")
NO_PREY = reason("no-prey", "expected a marker, for example marker-1, or a hostile group in flight")
PURPOSE = "point-defence"


@dataclass(frozen=True, slots=True)
class Boat:
    """A boat that can fire at attackers.

    Attributes:
        place: Its number in the squadron, which tells two boats with the same weapon apart.
        armament: What it fires.
        shots: The number of shots.
    """

    place: int
    armament: Armament
    shots: int


@dataclass(frozen=True, slots=True)
class Aim:
    """A target of boats on guard.

    Attributes:
        prey: The ordnance or craft fired at.
        guarded: The ship they protect; None for themselves.
        distance: The distance that counts, in MU.
        bounded: Whether only boats within reach of that distance may fire.
    """

    prey: IncomingUnit
    guarded: ShipState | None
    distance: float
    bounded: bool


@dataclass(frozen=True, slots=True)
class GuardShot:
    """The fire of one squadron's boats at one target, before its dice."""

    group: Group
    boats: tuple[Boat, ...]
    aim: Aim


def guards_of(row: CraftType) -> list[Armament]:
    """Return the weapons of a craft type that can defend other units.

    Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
    """
    return [guns for guns in (row.guns.type_weapons or (row.guns,)) if guns.guards]


def may_guard(state: BattleState, group: Group) -> bool:
    """Return whether a squadron might guard now, as far as all sides can see."""
    by_level = POINT_DEFENCE_LEVEL in state.terms.options
    return (
        not by_level
        and bool(_guard_weapons(group))
        and not group.is_exhausted
        and not is_engaged(state, group)
    )


def _guard_weapons(group: Group) -> list[tuple[Armament, int]]:
    """Return a squadron's guard weapons, each with the number of boats left that carry it."""
    weapons: list[tuple[Armament, int]] = []
    for guns, craft in group.row.guns.by_type(group.craft):
        if guns.guards and craft:
            weapons.append((guns, craft))
    return weapons


def guard_fault(state: BattleState, group: Group) -> str:
    """Return the reason why a squadron cannot guard at all this turn, or "".

    A squadron that attacks, is attacked or has fired this turn guards nothing.

    Rules: Continuum "Gunboat rules" 9.1, "Sequence of play" 2.6 [pc.gunboats]
    """
    if POINT_DEFENCE_LEVEL in state.terms.options:
        return NOT_BY_LEVEL
    if not _guard_weapons(group):
        return NO_GUARDS
    if group.is_exhausted:
        return EXHAUSTED
    if group.this_turn.has_fired or is_engaged(state, group):
        return BUSY
    if boats_of(group):
        return ""
    return PACKS_SPENT


def boats_of(group: Group) -> list[Boat]:
    """Return the boats of a squadron that can guard; they share its packs evenly."""
    boats: list[Boat] = []
    for guns, craft in _guard_weapons(group):
        if guns.rounds:
            shots = split_hits(group.rounds(guns), craft)
        else:
            shots = [1] * craft
        first_place = len(boats)
        for number, shots_of_boat in enumerate(shots):
            if shots_of_boat:
                boats.append(Boat(first_place + number, guns, shots_of_boat))
    return boats


class BoatPlan:
    """The fire of one squadron's boats on guard, built order by order.

    Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]; Continuum "ADFC" 7.10 [pc.adfc]
    """

    def __init__(self, state: BattleState, group: Group) -> None:
        self.state = state
        self.group = group
        self.shots: list[GuardShot] = []
        self.remaining = boats_of(group)

    def boats_able_to_fire(self, name: str) -> tuple[Aim, list[Boat]] | str:
        """Return the named target and the boats that can still fire at it, or a fault."""
        aim = self._aim(name)
        if isinstance(aim, str):
            return aim
        in_range = []
        for boat in self.remaining:
            if not aim.bounded or aim.distance <= boat.armament.reach + NEAR:
                in_range.append(boat)
        if in_range:
            return aim, in_range
        if len(self.remaining) == len(boats_of(self.group)):
            return OUT_OF_REACH
        return ALL_FIRED

    def add_order(self, order: Defence) -> str:
        """Plan one entry of the squadron's orders; return the fault, or ""."""
        if fault := guard_fault(self.state, self.group):
            return fault
        if len(order.targets) != 1 or order.mode:
            return ONE_TARGET
        aim_and_boats = self.boats_able_to_fire(order.targets[0])
        if isinstance(aim_and_boats, str):
            return aim_and_boats
        aim, boats = aim_and_boats
        if order.count > len(boats):
            return reason(
                "boats-still-fire-not",
                "only {} of its boats can still fire at that target, not {}",
                len(boats),
                order.count,
            )
        firing = tuple(boats[: order.count or len(boats)])
        self.shots.append(GuardShot(self.group, firing, aim))
        self.remaining = [boat for boat in self.remaining if boat not in firing]
        return ""

    def _aim(self, name: str) -> Aim | str:
        """Return the named unit as a target for the boats, or a fault.

        Legal targets are attackers of a friendly ship within 6 MU, plasma bolts that would reach
        the squadron, and units that attack nothing. Gunboats attack from a distance, so the boats
        need them within reach.
        """
        state = self.state
        group = self.group
        prey = self._find_prey(name)
        if prey is None:
            return NO_TARGET
        if isinstance(prey, Group) and in_dogfight(state, prey):
            return IN_DOGFIGHT
        ships_attacked = targeted_ships(state, prey)
        nearest = self._nearest_friend(ships_attacked)
        if nearest is not None and distance_to(group, nearest) <= SUPPORT_REACH + NEAR:
            if point_defence_target(state, prey) is PointDefenceTarget.GUNBOATS:
                return Aim(prey, nearest, distance_to(group, prey), bounded=True)
            return Aim(prey, nearest, distance_to(group, nearest), bounded=False)
        if isinstance(prey, Marker) and prey.row(state).bursts is not None and not prey.target:
            if in_blast(state, group, prey):
                return Aim(prey, guarded=None, distance=0.0, bounded=False)
            return NO_TARGET
        if ships_attacked:
            return NO_TARGET if nearest is None else TOO_FAR
        return self._aim_at_idle_unit(prey)

    def _aim_at_idle_unit(self, prey: IncomingUnit) -> Aim | str:
        """Return a unit that attacks nothing as a target for the boats, or a fault."""
        if isinstance(prey, Group) and is_engaged(self.state, prey):
            return NO_TARGET
        return Aim(prey, guarded=None, distance=distance_to(self.group, prey), bounded=True)

    def _find_prey(self, name: str) -> IncomingUnit | None:
        """Return the named hostile ordnance or craft on the table."""
        prey: IncomingUnit | None = None
        for marker in ordnance_to_meet(self.state):
            if marker.id == name:
                prey = marker
                break
        else:
            prey = self.state.find(Group, name)
        if prey is None or not self.state.hostile[self.group.commander] >> prey.side & 1:
            return None
        return prey

    def _nearest_friend(self, ships: Sequence[ShipState]) -> ShipState | None:
        """Return the nearest of some ships that is not hostile, or None."""
        hostile_sides = self.state.hostile[self.group.commander]
        friends = [ship for ship in ships if not hostile_sides >> ship.commander & 1]
        return min(friends, key=lambda ship: distance_to(self.group, ship), default=None)


def in_blast(state: BattleState, group: Group, marker: Marker) -> bool:
    """Return whether a blast at the marker's place would reach a squadron.

    Rules: Continuum "Plasma bolt launchers" 6.8 [pc.plasma-bolts]
    """
    burst = marker.row(state).bursts
    assert burst is not None
    return (
        burst(marker.strength - marker.destroyed, dist((marker.x, marker.y), (group.x, group.y)))
        > 0
    )


def boat_violations(state: BattleState, orders: Defences, where: str) -> list[Violation]:
    """Return the violations in a side's orders for squadrons on guard.

    Args:
        where: The path of the entry in the orders.
    """
    violations: list[Violation] = []
    for name, entries in orders.items():
        group = state.find(Group, name)
        if group is None:
            continue
        plan = BoatPlan(state, group)
        for number, order in enumerate(entries):
            path = f"{where}.{name}{fault_path(number)}"
            if not guard_fault(state, group) and not _are_known(state, order.targets):
                violations.append(Violation(f"{path}.target", "unknown-target", NO_PREY))
            elif fault := plan.add_order(order):
                violations.append(Violation(path, "defence", fault))
    return violations


def _are_known(state: BattleState, names: Sequence[str]) -> bool:
    """Return whether each name looks like a marker's or is that of a group in flight."""
    return all(is_marker(name) or state.find(Group, name) is not None for name in names)


def planned_boats(table: Table, orders: Defences) -> list[GuardShot]:
    """Return the fire of all squadrons with guard orders, and report orders that are impossible.

    Rules: Continuum "Point Defense fire phase" 2.6 [pc.sequence]
    """
    shots: list[GuardShot] = []
    for group in in_order(table.state):
        plan = BoatPlan(table.state, group)
        for order in orders.get(group.id, ()):
            if fault := plan.add_order(order):
                table.tell(
                    ShotRefused,
                    ship=group.id,
                    weapon=order.weapon,
                    targets=order.targets,
                    reason=fault,
                )
        shots += plan.shots
    return shots


def modifier_at(guns: Armament, prey: IncomingUnit, target_kind: PointDefenceTarget) -> int:
    """Return the die modifier of boats against a target.

    Gunboats are armoured, which helps them except against packs.
    """
    if isinstance(prey, Group):
        modifier = prey.row.modifier
    else:
        modifier = prey.toughness
    if target_kind is PointDefenceTarget.GUNBOATS and guns.bursts is None:
        modifier += AT_BOATS
    return modifier


def targets_for_boats(state: BattleState, group: Group) -> dict[str, tuple[Aim, list[Boat]]]:
    """Return a squadron's possible targets now, by id, with the boats that can fire at each.

    Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
    """
    if guard_fault(state, group):
        return {}
    plan = BoatPlan(state, group)
    result: dict[str, tuple[Aim, list[Boat]]] = {}
    for piece in (*ordnance_to_meet(state), *state.pieces_of(Group)):
        aim_and_boats = plan.boats_able_to_fire(piece.id)
        if not isinstance(aim_and_boats, str):
            result[piece.id] = aim_and_boats
    return result


def fire_guards(table: Table, shot: GuardShot) -> None:
    """Roll the dice of boats on guard and apply the hits.

    All fire of the phase is simultaneous, so boats shot down meanwhile still fire. Each 1 rolled by
    a pack costs the guarded ship one point.

    Rules: Continuum "Gunboat types" 9.2, "Scattergun" 7.14 [pc.gunboats]
    """
    state = table.state
    group = shot.group
    aim = shot.aim
    prey = aim.prey
    target_kind = point_defence_target(state, aim.prey)
    dice: list[int] = []
    hits_total = strays = rounds = 0
    if isinstance(prey, Group):
        screens = tell_guard_cover(table, prey).screens
    else:
        screens = 0
    for guns, shots in _volleys(shot.boats).items():
        modifier = modifier_at(guns, prey, target_kind)
        rolls, hits = interception_dice(
            guns,
            shots,
            target_kind=target_kind,
            modifier=modifier,
            away=aim.distance,
            subject=group.id,
            dice=table.dice,
            purpose=PURPOSE,
            screens=screens,
        )
        dice += rolls
        hits_total += hits
        if guns.rounds:
            rounds += shots
            strays += rolls.count(1) if aim.guarded is not None else 0
    if aim.guarded is None:
        guarded = NO_SHIP
    else:
        guarded = aim.guarded.id
    details = (guarded, len(shot.boats), rounds, aim.distance, tuple(dice), hits_total)
    if isinstance(prey, Marker):
        table.carry_out(BoatsFiredAtOrdnance(table.turn, group.id, prey.id, *details))
    else:
        table.carry_out(BoatsFiredAtCraft(table.turn, group.id, prey.id, *details))
        prey.take_damage(table, hits_total, f"fire:{group.id}")
    if strays and aim.guarded is not None:
        mark_damage(table, aim.guarded, (TypedDamage(strays, PLAIN),), f"fire:{group.id}")


def _volleys(boats: Sequence[Boat]) -> Mapping[Armament, int]:
    """Return the number of shots of each weapon of the boats, in the order of their types."""
    shots: Counter[Armament] = Counter()
    for boat in boats:
        shots[boat.armament] += boat.shots
    return shots

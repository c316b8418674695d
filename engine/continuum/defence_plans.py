"""Legal targets of a ship's point defence, weapon by weapon, and its fire without orders.

Rules: Continuum "Point defense vs. missiles" 6.4, "ADFC" 7.10, "Point defense" 8.8
[pc.point-defence]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from typing_extensions import override

from engine.continuum.aiming import arcs_to, mounted_arcs
from engine.continuum.blasts import pending_blasts, ships_in_blast
from engine.continuum.cores import no_command_reason
from engine.continuum.craft.decks import are_decks_busy
from engine.continuum.craft.targets import attackers_of, in_dogfight, is_engaged
from engine.continuum.defences import ship_distance, silence_reason
from engine.continuum.fire_at_gunboats import GunboatFireControl, can_fire_at_boats, guns_at_boats
from engine.continuum.fire_control import working_count_of
from engine.continuum.launching import is_marker
from engine.core.errors import Violation, fault_path
from engine.core.geometry import AFT_6, NEAR, is_within, length_of, squared_length
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING
from engine.core.orders import BY_ITSELF, SCRAMBLE, SCREENS, Defence
from engine.core.reason import reason
from engine.core.rolls import Shot as GunShot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.fire import (
    ALREADY_FIRED,
    ALREADY_USED,
    NO_WEAPONS,
    OUT_OF_ACTION,
    ShotRefused,
)
from engine.movement.docking import docked_fire_fault
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.pieces.point_defence_targets import IncomingUnit, point_defence_target
from engine.weapons.guard import AREA, AREA_SPLIT, BY_FIRECON, SPLIT, Guard, PointDefenceTarget

NO_TARGET = reason(
    "nothing-name-attacks-ship", "nothing with that name attacks a ship that it can defend"
)
NO_MARKER = reason(
    "no-marker", "expected one or two markers or hostile groups in flight, for example marker-1"
)
IN_DOGFIGHT = reason("in-dogfight", "it cannot fire into a dogfight")
NOT_IN_ARC = reason("not-in-arc", "it cannot fire toward where the attack comes from")
TOO_FAST = reason("plasma-too-fast", "it cannot hit a plasma bolt")
TOO_FAR = reason("ship-attacked-too-far", "the ship that is attacked is too far away")
OUT_OF_REACH = reason("out-of-reach", "its target is too far away")
DECKS_BUSY = reason(
    "decks-busy", "its ship launches or recovers craft this turn, so its ADFC does not work"
)
NO_CONTROL = reason("no-control", "without a free ADFC it can defend only its own ship")
OWN_SHIP_ALONE = reason("own-ship-alone", "it can defend only its own ship")
TWO_AT_ONCE = reason(
    "two-at-once",
    "only area defence that splits its fire can have two targets, for ships within 6 MU",
)
NO_AREA = reason("no-area", "it cannot fire as area defence")
NO_ADVANCED = reason("no-advanced", "it needs an advanced FireCon for that")
ONLY_BY_LEVEL = reason(
    "craft-beside-ship-defend",
    "craft next to a ship can defend it only when point defence is resolved by level",
)
NOT_THIS_MOUNT = reason("not-this-mount", "it is too heavy for point defence")

Defences = Mapping[str, tuple[Defence, ...]]
SINGLE_TARGET_MODES = ("", AREA)  # the modes of fire at one target


@dataclass(slots=True)
class Shot:
    """Planned point-defence fire of one weapon at one target.

    Attributes:
        index: The weapon's place in `fits`.
        guarded: The ship it protects; its own ship if the target attacks nothing.
        gun: The shot of a weapon that fires at gunboats with its own dice.
    """

    ship: ShipState
    index: int
    prey: IncomingUnit
    guarded: ShipState
    mode: str
    gun: GunShot | None = None


def attackers(state: BattleState) -> list[Marker]:
    """Return the ordnance that attacks a ship now, in numerical order."""
    return [marker for marker in state.pieces_of(Marker) if marker.target]


def in_flight(state: BattleState) -> list[Marker]:
    """Return the ordnance that attacks nothing now and flies on: missiles with another stage.

    Rules: Continuum "Multi-stage missiles" 6.6 [pc.multi-stage]
    """
    result: list[Marker] = []
    for marker in state.pieces_of(Marker):
        if not marker.target and marker.row(state).bursts is None:
            result.append(marker)
    return result


def ordnance_to_meet(state: BattleState) -> list[Marker]:
    """Return the ordnance that point defence may fire at.

    It attacks a ship, is about to explode at its place, or flies on next turn.
    """
    return [*attackers(state), *pending_blasts(state), *in_flight(state)]


def attackers_of_ship(state: BattleState, ship: ShipState) -> list[IncomingUnit]:
    """Return what attacks a ship now: craft not held in a dogfight, then ordnance."""
    free_craft = [group for group in attackers_of(state, ship) if not in_dogfight(state, group)]
    ordnance = [marker for marker in attackers(state) if marker.target == ship.id]
    return [*free_craft, *ordnance]


def targeted_ships(state: BattleState, prey: IncomingUnit) -> list[ShipState]:
    """Return the ships that a unit attacks, or would hurt by exploding."""
    if isinstance(prey, Group):
        return [ship for ship in state.ships if ship.id in prey.this_turn.targets]
    if prey.target:
        return [state.ship(prey.target)]
    if prey.row(state).bursts is None:
        return []
    return ships_in_blast(state, prey)


def guard_of(ship: ShipState, index: int) -> Guard | None:
    """Return how a ship's weapon, by its place in `fits`, serves as point defence, or None."""
    guard = ship.profile.weapons[index].guard
    if guard is not None and guard.accepts_mount(ship, ship.sheet.fits[index]):
        return guard
    return None


def defence_fault(state: BattleState, ship: ShipState) -> str:
    """Return the reason why a ship's point defence cannot fire at all, or ""."""
    if ship.dummy or ship.status != FIGHTING:
        return NO_WEAPONS
    if fault := docked_fire_fault(state, ship):
        return fault
    return no_command_reason(ship) or silence_reason(ship)


class Plan(ABC):
    """The point-defence fire of one ship, weapon by weapon, and the ships its ADFCs assist."""

    def __init__(self, state: BattleState, ship: ShipState) -> None:
        self.state = state
        self.ship = ship

    def target_name_fault(self, order: Defence) -> str:  # noqa: ARG002
        """Return the reason why an order names no possible target, or ""."""
        return ""

    @abstractmethod
    def take(self, order: Defence) -> str:
        """Plan the fire of one weapon; return the fault, or ""."""

    @abstractmethod
    def plan_without_orders(self) -> None:
        """Plan the fire of a ship without orders."""

    def idle_reason(self, index: int, *, used: bool) -> str:
        """Return the reason why a weapon cannot serve as point defence now, or "".

        Args:
            index: The weapon's place in `fits`.
            used: Whether it has fired already.
        """
        ship = self.ship
        if fault := defence_fault(self.state, ship):
            return fault
        if guard_of(ship, index) is None:
            return NOT_THIS_MOUNT
        if not ship.alive[index]:
            return OUT_OF_ACTION
        if used:
            return ALREADY_FIRED
        if ship.profile.weapons[index].once and not ship.stock[index]:
            return ALREADY_USED
        return ""

    def independent_weapons(self) -> Iterator[tuple[int, Guard]]:
        """Yield the weapons that fire without orders, with their places in `fits`."""
        for index in range(len(self.ship.sheet.fits)):
            guard = guard_of(self.ship, index)
            if guard is not None and guard.fires_without_orders and self.ship.alive[index]:
                yield index, guard

    def help_fault(self, guarded: ShipState, reach: float, helped: Collection[str] | None) -> str:
        """Return the reason why a weapon cannot assist another ship, or "".

        Args:
            reach: Its range for this in MU.
            helped: The ships that the ADFCs already assist; None if the weapon needs no ADFC.

        Rules: Continuum "ADFC" 7.10, "Advanced ADFC" 7.11 [pc.adfc]
        """
        if ship_distance(self.ship, guarded) > reach + NEAR:
            return TOO_FAR
        if helped is None or guarded.id in helped:
            return ""
        return self.control_fault(len(helped))

    def control_fault(self, helped: int) -> str:
        """Return the reason why no ADFC is free to assist one more ship, or "".

        Args:
            helped: How many ships they assist already.

        Rules: Continuum "ADFC" 7.10, "Advanced ADFC" 7.11 [pc.adfc]; Continuum "Combat landings"
        8.4 [pc.adfc]
        """
        if are_decks_busy(self.state, self.ship):
            return DECKS_BUSY
        if working_count_of(self.ship, "advanced-adfc"):
            return ""
        if helped < working_count_of(self.ship, "adfc"):
            return ""
        return NO_CONTROL


P = TypeVar("P", bound=Plan)


def fire_orders(orders: Sequence[Defence] | None) -> tuple[Defence, ...] | None:
    """Return the orders for a ship's weapons; None if they fire without orders."""
    if orders is None:
        return None
    if any(order.weapon == SCRAMBLE and order.mode == BY_ITSELF for order in orders):
        return None
    return tuple(order for order in orders if order.weapon != SCRAMBLE)


def plan_violations(
    state: BattleState, orders: Defences, where: str, plan_of: type[Plan]
) -> list[Violation]:
    """Return the violations in a side's point-defence orders.

    Args:
        where: The path of the entry in the orders.

    Rules: Continuum "Point defense" 8.8 [pc.point-defence]; Fighters by point defence level 1.2
    [pdl.sequence]
    """
    violations: list[Violation] = []
    for name, entries in orders.items():
        plan = plan_of(state, state.ship(ShipId(name)))
        scrambles = bool(entries) and entries[0].weapon == SCRAMBLE
        fire_key = ".fire" if scrambles else ""
        for number, order in enumerate(fire_orders(entries) or ()):
            path = f"{where}.{name}{fire_key}{fault_path(number)}"
            if fault := plan.target_name_fault(order):
                violations.append(Violation(f"{path}.target", "unknown-target", fault))
            elif fault := plan.take(order):
                violations.append(Violation(path, "defence", fault))
    return violations


def make_plans(table: Table, orders: Defences, plan_of: type[P]) -> list[P]:
    """Plan the point defence of all ships, by orders or without, and report impossible orders."""
    plans: list[P] = []
    for ship in table.state.ships:
        plan = plan_of(table.state, ship)
        plans.append(plan)
        fire = fire_orders(orders.get(ship.id))
        if fire is None:
            plan.plan_without_orders()
        for order in fire or ():
            fault = plan.take(order)
            if fault:
                table.tell(
                    ShotRefused,
                    ship=ship.id,
                    weapon=order.weapon,
                    targets=order.targets,
                    reason=fault,
                )
    return plans


class ShotPlan(Plan):
    """The fire of a ship's point-defence weapons at single targets.

    Rules: Continuum "ADFC" 7.10, "Advanced ADFC" 7.11 [pc.adfc]
    """

    def __init__(self, state: BattleState, ship: ShipState) -> None:
        super().__init__(state, ship)
        self.shots: list[Shot] = []
        self.used: list[int] = []  # weapons with orders, as places in `fits`
        self.helped: set[str] = set()  # what the ADFCs assist or fire at: see _helps()
        self.gunboat_fire_control = GunboatFireControl()

    @override
    def target_name_fault(self, order: Defence) -> str:
        if order.weapon == SCREENS:
            return ONLY_BY_LEVEL
        if not order.targets:
            return NO_MARKER
        for name in order.targets:
            if not is_marker(name) and self.state.find(Group, name) is None:
                return NO_MARKER
        return ""

    @override
    def take(self, order: Defence) -> str:
        ship = self.ship
        if order.weapon == SCREENS:
            return ONLY_BY_LEVEL  # screening craft count only in point defence by level
        index = ship.profile.index_of[order.weapon]
        if can_fire_at_boats(ship, index) and any(self._is_boats(name) for name in order.targets):
            return self._take_gun(index, order)
        if fault := self._weapon_fault(index, order):
            return fault
        is_split_area_fire = order.mode == AREA and len(order.targets) > 1
        mode = AREA_SPLIT if is_split_area_fire else order.mode
        shots: list[Shot] = []
        for name in order.targets:
            shot = self._aim_at(index, name, mode)
            if isinstance(shot, str):
                return shot
            shots.append(shot)
        self.used.append(index)
        self.shots += shots
        for shot in shots:
            if self._needs_adfc(shot):
                self.helped.add(self._helped_by(shot))
        return ""

    def _aim_at(self, index: int, name: str, mode: str) -> Shot | str:
        """Return the shot of a weapon at the named target, or a fault."""
        ship = self.ship
        prey = self._find_prey(name)
        if prey is None or not self.state.hostile[ship.commander] >> prey.side & 1:
            return NO_TARGET
        if isinstance(prey, Group) and in_dogfight(self.state, prey):
            return IN_DOGFIGHT
        guard = guard_of(ship, index)
        if guard is not None and point_defence_target(self.state, prey) not in guard.kills:
            return TOO_FAST
        guarded, fault = self._guarded_ship(index, prey, mode)
        if guarded is None:
            return fault
        return Shot(ship, index, prey=prey, guarded=guarded, mode=mode)

    def _is_boats(self, name: str) -> bool:
        """Return whether a name belongs to gunboats in flight."""
        group = self.state.find(Group, name)
        return group is not None and group.row.berth > 0

    def _take_gun(self, index: int, order: Defence) -> str:
        """Plan the fire of a weapon at gunboats with its own dice; return the fault, or "".

        Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
        """
        if index in self.used:
            return ALREADY_FIRED
        if fault := defence_fault(self.state, self.ship):
            return fault
        target_and_shot = self.gunboat_fire_control.aim_weapon(self.state, self.ship, index, order)
        if isinstance(target_and_shot, str):
            return target_and_shot
        group, gun = target_and_shot
        self.used.append(index)
        self.shots.append(Shot(self.ship, index, prey=group, guarded=self.ship, mode="", gun=gun))
        return ""

    def _find_prey(self, name: str) -> IncomingUnit | None:
        """Return the named ordnance or group that point defence can fire at now."""
        for marker in ordnance_to_meet(self.state):
            if marker.id == name:
                return marker
        return self.state.find(Group, name)

    def _needs_adfc(self, shot: Shot) -> bool:
        """Return whether a shot needs an ADFC: for another ship, or at an idle unit."""
        if shot.gun is not None or self._needs_no_adfc(shot.index, shot.mode):
            return False
        return shot.guarded is not self.ship or not targeted_ships(self.state, shot.prey)

    def _helped_by(self, shot: Shot) -> str:
        """Return the id of the ship an ADFC assists, or of a target that attacks nothing."""
        if shot.guarded is self.ship:
            return shot.prey.id
        return shot.guarded.id

    @override
    def plan_without_orders(self) -> None:
        """Fire unused weapons at the ship's attackers, each at the one with fewest shots so far.

        Rules: Continuum "Point defense vs. missiles" 6.4 [pc.point-defence]
        """
        ship = self.ship
        own_attackers = attackers_of_ship(self.state, ship) if self.state.pieces else []
        if not own_attackers or defence_fault(self.state, ship):
            return
        for index, _ in self.independent_weapons():
            legal = [
                prey for prey in own_attackers if not self._guard_fault(index, ship, prey, mode="")
            ]
            if legal:
                prey = min(legal, key=self._shots_at)
                self.shots.append(Shot(ship, index, prey=prey, guarded=ship, mode=""))

    def _shots_at(self, prey: IncomingUnit) -> int:
        """Return how many planned shots are at a target."""
        return sum(shot.prey is prey for shot in self.shots)

    def _weapon_fault(self, index: int, order: Defence) -> str:
        """Return the reason why a weapon cannot fire as point defence as ordered, or ""."""
        ship = self.ship
        guard = guard_of(self.ship, index)
        if fault := self.idle_reason(index, used=index in self.used):
            return fault
        assert guard is not None  # it serves
        if order.mode == AREA:
            if not guard.can_be_area_defence:
                return NO_AREA
            if not working_count_of(ship, "advanced-firecon"):
                return NO_ADVANCED
        if order.mode == SPLIT and not guard.is_area_defence:
            return TWO_AT_ONCE
        target_counts = {SPLIT: (2,), AREA: (1, 2)}.get(order.mode, (1,))
        if len(order.targets) in target_counts:
            return ""
        return TWO_AT_ONCE

    def _guarded_ship(
        self, index: int, prey: IncomingUnit, mode: str
    ) -> tuple[ShipState | None, str]:
        """Return the ship that a weapon protects from a target, or None and the fault.

        It is the nearest attacked ship the weapon can guard, its own first. Against units that
        attack nothing it is its own ship.
        """
        attacked_ships = targeted_ships(self.state, prey)
        fault = NO_TARGET
        if not attacked_ships:
            if isinstance(prey, Group) or prey.row(self.state).bursts is None:
                fault = self._idle_target_fault(index, prey, mode)
            return (None, fault) if fault else (self.ship, "")
        for guarded in sorted(attacked_ships, key=lambda ship: ship_distance(self.ship, ship)):
            fault = self._guard_fault(index, guarded, prey, mode)
            if not fault:
                return guarded, ""
        return None, fault

    def _idle_target_fault(self, index: int, prey: IncomingUnit, mode: str) -> str:
        """Return the reason why a weapon cannot fire at a unit that attacks nothing, or "".

        Such units are craft without a target and missiles that fly on.

        Rules: Continuum "Point defense" 8.8 [pc.adfc]; Continuum "Multi-stage missiles" 6.6
        [pc.multi-stage]
        """
        ship = self.ship
        guard = guard_of(self.ship, index)
        assert guard is not None
        if not guard.protects_others or (isinstance(prey, Group) and is_engaged(self.state, prey)):
            return NO_TARGET
        if not bearing_for_defence(ship, index, guard) & arcs_to(ship, prey.x, prey.y):
            return NOT_IN_ARC
        if not is_within(squared_length(prey.x - ship.x, prey.y - ship.y), guard.reach(mode)):
            return OUT_OF_REACH
        if self._needs_no_adfc(index, mode) or prey.id in self.helped:
            return ""
        return self.control_fault(len(self.helped))

    def _guard_fault(self, index: int, guarded: ShipState, prey: IncomingUnit, mode: str) -> str:
        """Return the reason why a weapon cannot fire at an attacker of a ship, or ""."""
        ship = self.ship
        guard = guard_of(self.ship, index)
        assert guard is not None
        target_kind = point_defence_target(self.state, prey)
        if target_kind not in guard.kills:
            return TOO_FAST
        if not bearing_for_defence(ship, index, guard) & arcs_to(ship, prey.x, prey.y):
            return NOT_IN_ARC
        counts_to_target = target_kind is PointDefenceTarget.GUNBOATS
        if counts_to_target and distance_to(ship, prey) > guard.reach(mode) + NEAR:
            return OUT_OF_REACH
        if guarded is ship:
            return ""
        if self.state.hostile[ship.commander] >> guarded.commander & 1 or not guard.protects_others:
            return OWN_SHIP_ALONE
        helped = None if self._needs_no_adfc(index, mode) else self.helped
        return self.help_fault(guarded, guard.reach(mode), helped)

    def _needs_no_adfc(self, index: int, mode: str) -> bool:
        """Return whether a weapon needs no ADFC to guard other ships.

        It has its own, or the ship's advanced FireCon directs it.

        Rules: Continuum "Phasers" 5.8 [pc.phasers]; Continuum "Scattergun" 7.14 [pc.scatterguns]
        """
        guard = guard_of(self.ship, index)
        assert guard is not None
        return guard.needs_no_adfc or mode in BY_FIRECON


def open_targets(state: BattleState, ship: ShipState) -> dict[str, tuple[str, ...]]:
    """Return the ids of the possible targets of each point-defence weapon, by weapon id.

    Each weapon is judged alone; weapons without targets are left out.

    Rules: Continuum "Point defense" 8.8 [pc.point-defence]
    """
    prey: list[IncomingUnit] = [*ordnance_to_meet(state), *state.pieces_of(Group)]
    targets: dict[str, tuple[str, ...]] = {}
    for index in sorted({*defence_weapons(ship), *guns_at_boats(ship)}):
        weapon = ship.sheet.fits[index].id
        legal_ids = [unit.id for unit in prey if _may_fire_at(state, ship, weapon, unit)]
        if legal_ids:
            targets[weapon] = tuple(legal_ids)
    return targets


def _may_fire_at(state: BattleState, ship: ShipState, weapon: str, prey: IncomingUnit) -> bool:
    """Return whether a weapon could be ordered to fire at a target in any mode of one target."""
    for mode in SINGLE_TARGET_MODES:
        if not ShotPlan(state, ship).take(Defence(weapon, (prey.id,), mode)):
            return True
    return False


def bearing_for_defence(ship: ShipState, index: int, guard: Guard) -> int:
    """Return the arcs (bits) in which a weapon fires as point defence.

    They are its arcs, without the stern if its type does not fire astern in point defence.

    Rules: Continuum "Point defense systems" 7.12 [pc.pds]; Continuum "Turrets" 5.22 [pc.turrets]
    """
    bits = mounted_arcs(ship, index)
    if guard.bears_astern:
        return bits
    return bits & ~AFT_6


def distance_to(unit: ShipState | Group, target: ShipState | IncomingUnit) -> float:
    """Return the distance in MU from a ship or group to a target or guarded ship."""
    away: float = length_of(target.x - unit.x, target.y - unit.y)
    return away  # dist() differs in the last digit, which would change recorded battles


def defence_weapons(ship: ShipState) -> Sequence[int]:
    """Return the places in `fits` of a ship's point-defence weapons."""
    weapons: list[int] = []
    for index in range(len(ship.sheet.fits)):
        if guard_of(ship, index) is not None:
            weapons.append(index)
    return weapons


def defence_weapon_count(ship: ShipState) -> int:
    """Return how many weapons, working or not, serve as point defence without orders.

    Computer captains use this.
    """
    count = 0
    for index in defence_weapons(ship):
        guard = guard_of(ship, index)
        if guard is not None and guard.fires_without_orders:
            count += 1
    return count

"""Whom a ship's point defence may fire at, weapon by weapon, for whom besides itself, and what it
does without orders.

Rules: Continuum "Point defense vs. missiles" 6.4, "ADFC" 7.10, "Point defense" 8.8
[pc.point-defence]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from typing_extensions import override

from engine.continuum.aiming import arcs_to, mounted
from engine.continuum.blasts import bursting, reached
from engine.continuum.boats_met import Laid, guns_at_boats, meets_boats
from engine.continuum.cores import uncommanded
from engine.continuum.craft.decks import decks_busy
from engine.continuum.craft.targets import attackers_of, engaged, fought
from engine.continuum.defences import apart, silenced
from engine.continuum.fire_control import working
from engine.continuum.launching import is_marker
from engine.core.errors import Violation, place
from engine.core.geometry import AFT_6, NEAR, within
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING
from engine.core.orders import BY_ITSELF, SCRAMBLE, SCREENS, Defence
from engine.core.reason import reason
from engine.core.rolls import Shot as GunShot
from engine.core.ship import DOCKED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.fire import FIRED, MADE_FAST, NO_WEAPONS, OUT_OF_ACTION, SPENT, ShotRefused
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.pieces.quarry import Prey, quarry_of
from engine.weapons.guard import AREA, AREA_SPLIT, BY_FIRECON, SPLIT, Guard, Quarry

NO_TARGET = reason(
    "nothing-name-attacks-ship", "nothing of that name attacks a ship that it may guard"
)
NO_MARKER = reason(
    "no-marker", "a marker such as marker-1, or a hostile group in flight, is needed here, or two"
)
IN_DOGFIGHT = reason("in-dogfight", "nobody fires into a dogfight")
NOT_IN_ARC = reason("not-in-arc", "it does not bear on where that comes from")
TOO_FAST = reason("plasma-too-fast", "it cannot hit a plasma bolt")
TOO_FAR = reason("ship-attacked-too-far", "the ship that is attacked is too far away")
OUT_OF_REACH = reason("out-of-reach", "its target is too far away")
DECKS_BUSY = reason("decks-busy", "its ship launches or recovers craft this turn: its ADFC is out")
NO_CONTROL = reason("no-control", "without a free ADFC it guards its own ship alone")
OWN_SHIP_ALONE = reason("own-ship-alone", "it guards its own ship alone")
TWO_AT_ONCE = reason(
    "two-at-once", "only area defence that splits its fire has two targets, for ships within 6 MU"
)
NO_AREA = reason("no-area", "it cannot fire as area defence")
NO_ADVANCED = reason("no-advanced", "it needs an advanced FireCon for that")
NOT_BY_LEVEL = reason(
    "craft-beside-ship-defend",
    "craft beside a ship defend it only where point defence goes by level",
)
NOT_THIS_MOUNT = reason("not-this-mount", "it is too heavy for point defence")

Defences = Mapping[str, tuple[Defence, ...]]
ONE = ("", AREA)  # the ways to fire at one target


@dataclass(slots=True)
class Shot:
    """A die or more of point defence about to be thrown: the weapon (its place in `fits`), at what,
    for whom (its own ship, where its prey attacks nobody), and how; `gun`: the shot of a weapon
    that meets gunboats with its own dice.
    """

    ship: ShipState
    index: int
    prey: Prey
    guarded: ShipState
    mode: str
    gun: GunShot | None = None


def attackers(state: BattleState) -> list[Marker]:
    """The ordnance that attacks a ship now, in the order of its numbers."""
    return [marker for marker in state.of(Marker) if marker.target]


def in_flight(state: BattleState) -> list[Marker]:
    """The ordnance that attacks nothing now and flies on next turn: missiles with a further stage.

    Rules: Continuum "Multi-stage missiles" 6.6 [pc.multi-stage]
    """
    return [
        marker
        for marker in state.of(Marker)
        if not marker.target and marker.row(state).bursts is None
    ]


def met_now(state: BattleState) -> list[Marker]:
    """The ordnance that point defence may meet: what attacks a ship, what is about to go off by
    itself, and what flies on next turn.
    """
    return [*attackers(state), *bursting(state), *in_flight(state)]


def comes_at(state: BattleState, ship: ShipState) -> list[Prey]:
    """What attacks a ship now: craft that no others hold in a fight, then ordnance."""
    flying = (group for group in attackers_of(state, ship) if not fought(state, group))
    return [*flying, *(marker for marker in attackers(state) if marker.target == ship.id)]


def wards_of(state: BattleState, prey: Prey) -> list[ShipState]:
    """The ships that what point defence meets attacks, or would hurt where it goes off."""
    if isinstance(prey, Group):
        return [ship for ship in state.ships if ship.id in prey.this_turn.targets]
    if prey.target:
        return [state.ship(prey.target)]
    return [] if prey.row(state).bursts is None else reached(state, prey)


def guard_of(ship: ShipState, index: int) -> Guard | None:
    """How a ship's weapon (its place in `fits`) serves as point defence, None where it does not."""
    guard = ship.profile.weapons[index].guard
    return guard if guard is not None and guard.serves(ship, ship.sheet.fits[index]) else None


def defends(ship: ShipState) -> str:
    """Why a ship's point defence fires at nothing at all, nothing where it may."""
    if ship.dummy or ship.status != FIGHTING:
        return NO_WEAPONS
    if ship.docking >= DOCKED:
        return MADE_FAST
    return uncommanded(ship) or silenced(ship)


class Plan(ABC):
    """What one ship's point defence does, weapon by weapon, and whom its ADFCs let it help."""

    def __init__(self, state: BattleState, ship: ShipState) -> None:
        self.state = state
        self.ship = ship

    def misnamed(self, order: Defence) -> str:  # noqa: ARG002
        """Why an order names no target that there could be, "" where it does."""
        return ""

    @abstractmethod
    def take(self, order: Defence) -> str:
        """Plan one weapon; why that cannot be, nothing where it is planned."""

    @abstractmethod
    def unordered(self) -> None:
        """Plan what a ship does by itself that has no orders."""

    def idle(self, index: int, *, used: bool) -> str:
        """Why a weapon (its place in `fits`) does not serve as point defence now, nothing where it
        may.
        """
        ship = self.ship
        if why := defends(ship):
            return why
        if guard_of(ship, index) is None:
            return NOT_THIS_MOUNT
        if not ship.alive[index]:
            return OUT_OF_ACTION
        if used:
            return FIRED
        return SPENT if ship.profile.weapons[index].once and not ship.stock[index] else ""

    def by_itself(self) -> Iterator[tuple[int, Guard]]:
        """The weapons that serve without orders, by their places."""
        for index in range(len(self.ship.sheet.fits)):
            guard = guard_of(self.ship, index)
            if guard is not None and guard.by_itself and self.ship.alive[index]:
                yield index, guard

    def beyond_help(self, guarded: ShipState, reach: float, helped: Collection[str] | None) -> str:
        """Why a weapon that may help others cannot help this ship, nothing where it can.

        `helped`: whom the ship's ADFCs help already, None where it needs none.

        Rules: Continuum "ADFC" 7.10, "Advanced ADFC" 7.11 [pc.adfc]
        """
        if apart(self.ship, guarded) > reach + NEAR:
            return TOO_FAR
        if helped is None or guarded.id in helped:
            return ""
        return self.control_fault(len(helped))

    def control_fault(self, helped: int) -> str:
        """Why no ADFC is free for one more than it helps already, nothing where one is.

        Rules: Continuum "ADFC" 7.10, "Advanced ADFC" 7.11 [pc.adfc]; Continuum "Combat landings"
        8.4 [pc.adfc]
        """
        if decks_busy(self.state, self.ship):
            return DECKS_BUSY
        if working(self.ship, "advanced-adfc") or helped < working(self.ship, "adfc"):
            return ""
        return NO_CONTROL


P = TypeVar("P", bound=Plan)


def fire_of(orders: Sequence[Defence] | None) -> tuple[Defence, ...] | None:
    """What the weapons of a ship are ordered to do among its orders, None where it is left to
    them.
    """
    if orders is None or any(one.weapon == SCRAMBLE and one.mode == BY_ITSELF for one in orders):
        return None
    return tuple(one for one in orders if one.weapon != SCRAMBLE)


def plan_violations(
    state: BattleState, orders: Defences, where: str, plan_of: type[Plan]
) -> list[Violation]:
    """What of a side's point defence cannot be carried out now; `where`: the place of its entry.

    Rules: Continuum "Point defense" 8.8 [pc.point-defence]; Fighters by point defence level 1.2
    [pdl.sequence]
    """
    found: list[Violation] = []
    for name, listed in orders.items():
        plan = plan_of(state, state.ship(ShipId(name)))
        beside = ".fire" if bool(listed) and listed[0].weapon == SCRAMBLE else ""
        for number, order in enumerate(fire_of(listed) or ()):
            spot = f"{where}.{name}{beside}{place(number)}"
            if why := plan.misnamed(order):
                found.append(Violation(f"{spot}.target", "unknown-target", why))
            elif why := plan.take(order):
                found.append(Violation(spot, "defence", why))
    return found


def planned(table: Table, orders: Defences, plan_of: type[P]) -> list[P]:
    """What the point defence of every ship does, by its orders or by itself; what cannot be done is
    told.
    """
    plans: list[P] = []
    for ship in table.state.ships:
        plan = plan_of(table.state, ship)
        plans.append(plan)
        fire = fire_of(orders.get(ship.id))
        if fire is None:
            plan.unordered()
        for order in fire or ():
            why = plan.take(order)
            if why:
                table.tell(ShotRefused, ship.id, order.weapon, order.targets, why)
    return plans


class ShotPlan(Plan):
    """Which weapons fire at which ordnance.

    Rules: Continuum "ADFC" 7.10, "Advanced ADFC" 7.11 [pc.adfc]
    """

    def __init__(self, state: BattleState, ship: ShipState) -> None:
        super().__init__(state, ship)
        self.shots: list[Shot] = []
        self.used: list[int] = []
        self.helped: set[str] = set()
        self.laid = Laid()

    @override
    def misnamed(self, order: Defence) -> str:
        if order.weapon == SCREENS:
            return NOT_BY_LEVEL
        known = (
            is_marker(name) or self.state.find(Group, name) is not None for name in order.targets
        )
        return "" if order.targets and all(known) else NO_MARKER

    @override
    def take(self, order: Defence) -> str:
        ship = self.ship
        if order.weapon == SCREENS:
            return NOT_BY_LEVEL
        index = ship.profile.index_of[order.weapon]
        if meets_boats(ship, index) and any(self._boats(name) for name in order.targets):
            return self._take_gun(index, order)
        why = self._why_not(index, order)
        if why:
            return why
        shots = []
        mode = AREA_SPLIT if order.mode == AREA and len(order.targets) > 1 else order.mode
        for name in order.targets:
            prey = self._prey(name)
            if prey is None or not self.state.hostile[ship.commander] >> prey.side & 1:
                return NO_TARGET
            if isinstance(prey, Group) and fought(self.state, prey):
                return IN_DOGFIGHT
            guard = guard_of(ship, index)
            if guard is not None and quarry_of(self.state, prey) not in guard.kills:
                return TOO_FAST
            guarded, why = self._ward(index, prey, mode)
            if guarded is None:
                return why
            shots.append(Shot(ship, index, prey, guarded, mode))
        self.used.append(index)
        self.shots += shots
        self.helped |= {self._helps(one) for one in shots if self._controlled(one)}
        return ""

    def _boats(self, name: str) -> bool:
        """Whether a name is that of gunboats in flight."""
        group = self.state.find(Group, name)
        return group is not None and group.row.berth > 0

    def _take_gun(self, index: int, order: Defence) -> str:
        """Plan a weapon that meets gunboats with its own dice; why that cannot be, nothing where it
        is planned.

        Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
        """
        if index in self.used:
            return FIRED
        if why := defends(self.ship):
            return why
        laid = self.laid.lay(self.state, self.ship, index, order)
        if isinstance(laid, str):
            return laid
        group, gun = laid
        self.used.append(index)
        self.shots.append(Shot(self.ship, index, group, self.ship, "", gun))
        return ""

    def _prey(self, name: str) -> Prey | None:
        """The ordnance, or the group, of a name that point defence may meet now."""
        marker = next((one for one in met_now(self.state) if one.id == name), None)
        return marker or self.state.find(Group, name)

    def _controlled(self, shot: Shot) -> bool:
        """Whether an ADFC directs a shot: for another ship, or at what attacks nobody."""
        abroad = shot.guarded is not self.ship or not wards_of(self.state, shot.prey)
        return shot.gun is None and abroad and not self._by_itself(shot.index, shot.mode)

    def _helps(self, shot: Shot) -> str:
        """Whom an ADFC helps: a ship, or at what that attacks nobody it directs fire."""
        return shot.prey.id if shot.guarded is self.ship else shot.guarded.id

    @override
    def unordered(self) -> None:
        """What has no other work fires at what attacks the ship, each at the one with fewest so
        far.

        Rules: Continuum "Point defense vs. missiles" 6.4 [pc.point-defence]
        """
        at_us = comes_at(self.state, self.ship) if self.state.pieces else []
        if not at_us or defends(self.ship):
            return
        for index, _ in self.by_itself():
            able = [prey for prey in at_us if not self._may_guard(index, self.ship, prey, "")]
            if able:
                prey = min(able, key=lambda one: sum(shot.prey is one for shot in self.shots))
                self.shots.append(Shot(self.ship, index, prey, self.ship, ""))

    def _why_not(self, index: int, order: Defence) -> str:
        """Why a weapon fires at nothing as point defence, nothing where it may."""
        ship, guard = self.ship, guard_of(self.ship, index)
        if why := self.idle(index, used=index in self.used):
            return why
        assert guard is not None  # it serves
        if order.mode == AREA and not (guard.as_area and working(ship, "advanced-firecon")):
            return NO_ADVANCED if guard.as_area else NO_AREA
        if order.mode == SPLIT and not guard.area:
            return TWO_AT_ONCE
        numbers = {SPLIT: (2,), AREA: (1, 2)}.get(order.mode, (1,))
        return "" if len(order.targets) in numbers else TWO_AT_ONCE

    def _ward(self, index: int, prey: Prey, mode: str) -> tuple[ShipState | None, str]:
        """The ship that a weapon guards from its prey, else None and why it cannot: its target, or
        of those that its blast would reach its own ship, else the nearest one that it may help;
        from what attacks nobody its own.
        """
        wards = wards_of(self.state, prey)
        if not wards:
            free = isinstance(prey, Group) or prey.row(self.state).bursts is None
            why = self._may_reach(index, prey, mode) if free else NO_TARGET
            return (None, why) if why else (self.ship, "")
        why = NO_TARGET
        for guarded in sorted(wards, key=lambda one: apart(self.ship, one)):
            why = self._may_guard(index, guarded, prey, mode)
            if not why:
                return guarded, ""
        return None, why

    def _may_reach(self, index: int, prey: Prey, mode: str) -> str:
        """Why a weapon may not fire at craft that attack nobody, or at missiles that fly on,
        nothing where its ADFC lets it.

        Rules: Continuum "Point defense" 8.8 [pc.adfc]; Continuum "Multi-stage missiles" 6.6
        [pc.multi-stage]
        """
        ship, guard = self.ship, guard_of(self.ship, index)
        assert guard is not None
        if not guard.helps or (isinstance(prey, Group) and engaged(self.state, prey)):
            return NO_TARGET
        if not bearing_for_defence(ship, index, guard) & arcs_to(ship, prey.x, prey.y):
            return NOT_IN_ARC
        if not within((prey.x - ship.x) ** 2 + (prey.y - ship.y) ** 2, guard.reach(mode)):
            return OUT_OF_REACH
        if self._by_itself(index, mode):
            return ""
        return "" if prey.id in self.helped else self.control_fault(len(self.helped))

    def _may_guard(self, index: int, guarded: ShipState, prey: Prey, mode: str) -> str:
        """Why a weapon may not fire at what attacks a ship, nothing where it may."""
        ship, guard = self.ship, guard_of(self.ship, index)
        assert guard is not None
        if quarry_of(self.state, prey) not in guard.kills:
            return TOO_FAST
        if not bearing_for_defence(ship, index, guard) & arcs_to(ship, prey.x, prey.y):
            return NOT_IN_ARC
        if (
            quarry_of(self.state, prey) is Quarry.GUNBOATS
            and from_afar(ship, prey) > guard.reach(mode) + NEAR
        ):
            return OUT_OF_REACH
        if guarded is ship:
            return ""
        if self.state.hostile[ship.commander] >> guarded.commander & 1 or not guard.helps:
            return OWN_SHIP_ALONE
        return self.beyond_help(
            guarded, guard.reach(mode), None if self._by_itself(index, mode) else self.helped
        )

    def _by_itself(self, index: int, mode: str) -> bool:
        """Whether a weapon that guards more than its own ship needs no ADFC for that: it has one of
        its own, or its ship's advanced FireCon directs it.

        Rules: Continuum "Phasers" 5.8 [pc.phasers]; Continuum "Scattergun" 7.14 [pc.scatterguns]
        """
        guard = guard_of(self.ship, index)
        assert guard is not None
        return guard.alone or mode in BY_FIRECON


def open_to(state: BattleState, ship: ShipState) -> dict[str, tuple[str, ...]]:
    """What each weapon of a ship may fire at now as point defence, whatever its others do: ids of
    targets by the id of the weapon; those that may fire at nothing are left out.

    Rules: Continuum "Point defense" 8.8 [pc.point-defence]
    """
    prey: list[Prey] = [*met_now(state), *state.of(Group)]
    found: dict[str, tuple[str, ...]] = {}
    for index in sorted({*able(ship), *guns_at_boats(ship)}):
        weapon = ship.sheet.fits[index].id
        at = tuple(
            one.id
            for one in prey
            if any(_may_fire(state, ship, Defence(weapon, (one.id,), mode)) for mode in ONE)
        )
        if at:
            found[weapon] = at
    return found


def _may_fire(state: BattleState, ship: ShipState, order: Defence) -> bool:
    return not ShotPlan(state, ship).take(order)


def bearing_for_defence(ship: ShipState, index: int, guard: Guard) -> int:
    """The arcs (bits) through which a weapon fires as point defence: the stern too, but where its
    row says not.

    Rules: Continuum "Point defense systems" 7.12 [pc.pds]; Continuum "Turrets" 5.22 [pc.turrets]
    """
    bits = mounted(ship, index)
    return bits if guard.astern else bits & ~AFT_6


def from_afar(one: ShipState | Group, other: ShipState | Prey) -> float:
    """MU from a ship, or a group, to what its point defence fires at, or guards."""
    away: float = ((other.x - one.x) ** 2 + (other.y - one.y) ** 2) ** 0.5
    return away  # `math.dist` differs in the last place, which battles already recorded would show


def able(ship: ShipState) -> Sequence[int]:
    """The places of a ship's weapons that serve as point defence."""
    return [index for index in range(len(ship.sheet.fits)) if guard_of(ship, index) is not None]


def standing(ship: ShipState) -> int:
    """How many weapons of a ship serve as point defence without orders, whatever their state; for
    captains.
    """
    return sum(
        guard.by_itself for index in able(ship) if (guard := guard_of(ship, index)) is not None
    )

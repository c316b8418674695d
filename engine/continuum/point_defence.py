"""Phases 8 to 10: point defence meets ordnance, and what gets through strikes.

All ships name their targets before any die is thrown. A ship without orders spreads what has no other work over what
attacks it.
Rules: Continuum "Point defense vs. missiles" 6.4, "Damage" 6.5, "ADFC" 7.10, "Point defense" 8.8 [pc.point-defence]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from typing_extensions import override

from engine.combat.detection import give_away
from engine.continuum.aiming import ALL_ROUND, arcs_to
from engine.continuum.blasts import burst_all, bursting, go_off, reached, undefended
from engine.continuum.cores import uncommanded
from engine.continuum.damage import excess_of, mark_damage, settle
from engine.continuum.defences import apart, layers_over, silenced
from engine.continuum.fire_control import working
from engine.continuum.launching import TARGET_GONE, is_marker
from engine.core.errors import Violation, place
from engine.core.geometry import AFT_6, NEAR, SIX_ARC_BITS
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING, IN_PLAY, PLAIN
from engine.core.noting import note
from engine.core.orders import Defence
from engine.core.rolls import TypedDamage
from engine.core.ship import DOCKED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.fire import FIRED, MADE_FAST, NO_WEAPONS, OUT_OF_ACTION, SPENT, ShotRefused, Spent
from engine.pieces.debris import blow_up
from engine.pieces.marker import Marker, OrdnanceGone, OrdnanceMet, OrdnanceStruck
from engine.weapons.guard import AREA, SPLIT, SUPPORT_REACH, Guard
from engine.weapons.ordnance import SALVO
from engine.weapons.weapon import Weapon

NO_TARGET = "no such ordnance attacks a ship that it may guard"
NO_MARKER = "a marker such as marker-1 is needed here, or two"
NOT_IN_ARC = "it does not bear on where that comes from"
TOO_FAST = "it cannot hit a plasma bolt"
TOO_FAR = "the ship that is attacked is too far away"
NO_CONTROL = "without a free ADFC it guards its own ship alone"
OWN_SHIP_ALONE = "it guards its own ship alone"
TWO_AT_ONCE = "only area defence that splits its fire has two targets, for ships within 6 MU"
NO_ADVANCED = "it needs an advanced FireCon for that"
NOT_THIS_MOUNT = "it is too heavy for point defence"

Defences = Mapping[str, tuple[Defence, ...]]
# Carries out all that comes at a ship: by how many points more than it took each has destroyed it, None where not.
Strikes = Callable[[ShipState, Sequence[Marker]], list[int | None]]


@dataclass(slots=True)
class Shot:
    """A die or more of point defence about to be thrown: the weapon (its place in `fits`), at what, for whom."""

    ship: ShipState
    index: int
    marker: Marker
    guarded: ShipState
    mode: str


def attackers(state: BattleState) -> list[Marker]:
    """The ordnance that attacks a ship now, in the order of its numbers."""
    return [marker for marker in state.of(Marker) if marker.target]


def met_now(state: BattleState) -> list[Marker]:
    """The ordnance that point defence may meet: what attacks a ship, and what is about to go off by itself."""
    return [*attackers(state), *bursting(state)]


def threatened(state: BattleState) -> list[ShipState]:
    """The ships of every side that ordnance attacks, or in whose midst an enemy's goes off, wherever they are: whom the
    defence stop asks.

    Rules: Continuum "Point Defense fire phase" 2.6 [pc.sequence]
    """
    sides = {state.ship(marker.target).commander for marker in attackers(state)}
    for marker in bursting(state):
        sides |= {ship.commander for ship in reached(state, marker) if state.hostile[ship.commander] >> marker.side & 1}
    return [ship for ship in state.ships if ship.commander in sides and ship.status in IN_PLAY and not ship.dummy]


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
        """Why a weapon (its place in `fits`) does not serve as point defence now, nothing where it may."""
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
        """Why a weapon that may help others cannot help this ship, nothing where it can. `helped`: whom the ship's
        ADFCs help already, None where it needs none.

        Rules: Continuum "ADFC" 7.10, "Advanced ADFC" 7.11 [pc.adfc]
        """
        if apart(self.ship, guarded) > reach + NEAR:
            return TOO_FAR
        if helped is None or guarded.id in helped or working(self.ship, "advanced-adfc"):
            return ""
        return "" if len(helped) < working(self.ship, "adfc") else NO_CONTROL


P = TypeVar("P", bound=Plan)


def plan_violations(state: BattleState, orders: Defences, where: str, plan_of: type[Plan]) -> list[Violation]:
    """What of a side's point defence cannot be carried out now; `where`: the place of its entry.

    Rules: Continuum "Point defense" 8.8 [pc.point-defence]; Fighters by point defence level 1.2 [pdl.sequence]
    """
    found: list[Violation] = []
    for name, listed in orders.items():
        plan = plan_of(state, state.ship(ShipId(name)))
        for number, order in enumerate(listed):
            spot = f"{where}.{name}{place(number)}"
            if why := plan.misnamed(order):
                found.append(Violation(f"{spot}.target", "unknown-target", why))
            elif why := plan.take(order):
                found.append(Violation(spot, "defence", why))
    return found


def planned(table: Table, orders: Defences, plan_of: type[P]) -> list[P]:
    """What the point defence of every ship does, by its orders or by itself; what cannot be done is told."""
    plans: list[P] = []
    for ship in table.state.ships:
        plan = plan_of(table.state, ship)
        plans.append(plan)
        if ship.id not in orders:
            plan.unordered()
        for order in orders.get(ship.id, ()):
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

    @override
    def misnamed(self, order: Defence) -> str:
        return "" if order.targets and all(map(is_marker, order.targets)) else NO_MARKER

    @override
    def take(self, order: Defence) -> str:
        ship = self.ship
        index = ship.profile.index_of[order.weapon]
        why = self._why_not(index, order)
        if why:
            return why
        shots = []
        for name in order.targets:
            marker = next((one for one in met_now(self.state) if one.id == name), None)
            if marker is None or not self.state.hostile[ship.commander] >> marker.side & 1:
                return NO_TARGET
            guard = guard_of(ship, index)
            if guard is not None and marker.row(self.state).quarry not in guard.kills:
                return TOO_FAST
            guarded, why = self._ward(index, marker, order.mode)
            if guarded is None:
                return why
            shots.append(Shot(ship, index, marker, guarded, order.mode))
        self.used.append(index)
        self.shots += shots
        self.helped |= {one.guarded.id for one in shots if self._takes_control(index, one.guarded, order.mode)}
        return ""

    @override
    def unordered(self) -> None:
        """What has no other work fires at what attacks the ship, each at the one with fewest so far.

        Rules: Continuum "Point defense vs. missiles" 6.4 [pc.point-defence]
        """
        at_us = [marker for marker in attackers(self.state) if marker.target == self.ship.id]
        if not at_us or defends(self.ship):
            return
        for index, _ in self.by_itself():
            able = [marker for marker in at_us if not self._may_guard(index, self.ship, marker, "")]
            if able:
                marker = min(able, key=lambda one: sum(shot.marker is one for shot in self.shots))
                self.shots.append(Shot(self.ship, index, marker, self.ship, ""))

    def _why_not(self, index: int, order: Defence) -> str:
        """Why a weapon fires at nothing as point defence, nothing where it may."""
        ship, guard = self.ship, guard_of(self.ship, index)
        if why := self.idle(index, used=index in self.used):
            return why
        assert guard is not None  # it serves
        if order.mode == AREA and (guard.area or not working(ship, "advanced-firecon")):
            return NO_ADVANCED
        if order.mode == SPLIT and not guard.area:
            return TWO_AT_ONCE
        return TWO_AT_ONCE if len(order.targets) != (2 if order.mode == SPLIT else 1) else ""

    def _ward(self, index: int, marker: Marker, mode: str) -> tuple[ShipState | None, str]:
        """The ship that a weapon guards from a marker, else None and why it cannot: its target, or of those that its
        blast would reach its own ship, else the nearest one that it may help.
        """
        if marker.target:
            guarded = self.state.ship(marker.target)
            why = self._may_guard(index, guarded, marker, mode)
            return (None, why) if why else (guarded, "")
        why = NO_TARGET
        for guarded in sorted(reached(self.state, marker), key=lambda one: apart(self.ship, one)):
            why = self._may_guard(index, guarded, marker, mode)
            if not why:
                return guarded, ""
        return None, why

    def _may_guard(self, index: int, guarded: ShipState, marker: Marker, mode: str) -> str:
        """Why a weapon may not fire at ordnance that attacks a ship, nothing where it may."""
        ship, guard = self.ship, guard_of(self.ship, index)
        assert guard is not None
        if not bearing_for_defence(ship, index, guard) & arcs_to(ship, marker.x, marker.y):
            return NOT_IN_ARC
        if guarded is ship:
            return ""
        if self.state.hostile[ship.commander] >> guarded.commander & 1 or not (guard.helps or mode == AREA):
            return OWN_SHIP_ALONE
        reach = SUPPORT_REACH if mode == SPLIT else guard.reach(mode)
        return self.beyond_help(guarded, reach, self.helped if self._takes_control(index, guarded, mode) else None)

    def _takes_control(self, index: int, guarded: ShipState, mode: str) -> bool:
        """Whether a weapon needs an ADFC to guard a ship."""
        guard = guard_of(self.ship, index)
        assert guard is not None
        return guarded is not self.ship and not guard.alone and mode != AREA


def bearing_for_defence(ship: ShipState, index: int, guard: Guard) -> int:
    """The arcs (bits) through which a weapon fires as point defence: the stern too, but where its row says not.

    Rules: Continuum "Point defense systems" 7.12 [pc.pds]; Continuum "Turrets" 5.22 [pc.turrets]
    """
    fit = ship.sheet.fits[index]
    bits = ship.profile.bears[index] or ALL_ROUND
    if fit.turret:
        turret = ship.sheet.fits[ship.profile.index_of[fit.turret]]
        bits = SIX_ARC_BITS[turret.arcs[ship.record.facing.get(turret.id, 0)]]
    return bits if guard.astern else bits & ~AFT_6


def resolve_ordnance(table: Table, orders: Defences) -> None:
    """Phases 8 to 10 in place: point defence is aimed, all of it, and fired; then ordnance strikes, ship by ship.

    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    before = damage_now(table.state)
    met = _fire(table, orders)
    burst_all(table, undefended)

    def strikes(ship: ShipState, coming: Sequence[Marker]) -> list[int | None]:
        return [_strike(table, marker, ship, met=marker.id in met) for marker in coming]

    strike_all(table, before, strikes)


def damage_now(state: BattleState) -> dict[ShipId, int]:
    """The damage points of every ship."""
    return {ship.id: ship.damage for ship in state.ships}


def strike_all(table: Table, before: dict[ShipId, int], strikes: Strikes) -> None:
    """What attacks reaches its targets, ship by ship; each is checked as soon as its attacks are over, and those that a
    warhead hurts which goes off at a ship behind them once more.

    `before`: the damage of each ship as the phase began. `strikes`: carries out what comes at a ship.
    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    state = table.state
    for ship in list(state.ships):
        coming = [marker for marker in attackers(state) if marker.target == ship.id]
        excess = next((one for one in strikes(ship, coming) if one is not None), None) if coming else None
        _settle_strikes(table, ship, before[ship.id], excess)
        before[ship.id] = ship.damage
    for ship in state.ships:
        _settle_strikes(table, ship, before[ship.id], None)


def _settle_strikes(table: Table, ship: ShipState, before: int, excess: int | None) -> None:
    """What ordnance has done to a ship is checked at once; where it is destroyed with points to spare, it may blow up.

    Rules: Continuum 2.6 [pc.sequence]; Continuum "Battle debris" 17.5 [pc.debris]
    """
    if ship.damage > before and ship.status in IN_PLAY:
        settle(table, ship, before, "ordnance")
        if excess is not None:
            blow_up(table, ship, excess)


def _fire(table: Table, orders: Defences) -> set[str]:
    """All point defence: the markers that it fired at."""
    shots = [shot for plan in planned(table, orders, ShotPlan) for shot in plan.shots]
    fired: list[tuple[str, int]] = []
    for shot in shots:
        _shoot(table, shot, again=(shot.ship.id, shot.index) in fired)
        fired.append((shot.ship.id, shot.index))
    return {shot.marker.id for shot in shots}


def _shoot(table: Table, shot: Shot, *, again: bool) -> None:
    """Throw a weapon's dice at its marker, and take what they kill. `again`: the second of its two targets."""
    ship, index = shot.ship, shot.index
    fit, weapon = ship.sheet.fits[index], ship.profile.weapons[index]
    guard = weapon.guard
    assert guard is not None
    give_away(table, ship, fit.id)
    distance = apart(ship, shot.guarded)
    quarry = shot.marker.row(table.state).quarry
    thrown, hits = guard.fire(quarry, distance, shot.mode, f"{ship.id}/{fit.id}", table.dice)
    shot.marker.killed += hits
    table.tell(OrdnanceMet, ship.id, fit.id, shot.marker.id, shot.guarded.id, distance, thrown, hits)
    if not again:
        use_up(table, ship, index, weapon)
    if guard.strays and shot.guarded is not ship and 1 in thrown:
        mark_damage(table, shot.guarded, (TypedDamage(1, PLAIN),), f"fire:{ship.id}")


def use_up(table: Table, ship: ShipState, index: int, weapon: Weapon) -> None:
    """A weapon has fired for this turn; one of a single shot is spent."""
    fit = ship.sheet.fits[index]
    if weapon.once:
        ship.stock[index] -= 1
        table.tell(Spent, ship.id, fit.id, ship.stock[index])
    if weapon.aimed:
        note(table, ship, "defended", 1, fit.id)


def _strike(table: Table, marker: Marker, ship: ShipState, *, met: bool) -> int | None:
    """Ordnance reaches its target: how much of it gets through, and what that does.

    Of a salvo a die says how many missiles find it, those that it was short of not; one always does where nothing met
    it. Rules: Continuum "Point defense vs. missiles" 6.4, "Damage" 6.5 [pc.salvo-missiles]
    """
    row = marker.row(table.state)
    die = 0
    if row.counted:
        die = table.dice.roll("missiles", marker.id)
        on_target = die - (SALVO - marker.strength)
        through = max(on_target - marker.killed, 0 if met else 1)
    else:
        through = max(marker.strength - marker.killed, 0)
    return hit(table, marker, ship, die, through)


def hit(table: Table, marker: Marker, ship: ShipState, die: int, through: int, fewer: int = 0) -> int | None:
    """So much of a marker gets through to its target: the damage it does there, and the marker is gone. Answers by how
    many points more than it took it has destroyed the ship, None where it has not.

    `die`: what said how much, 0 where none was thrown. `fewer`: dice of damage that point defence has cost it.
    Rules: Continuum "Damage" 6.5 [pc.salvo-missiles]
    """
    burst = marker.row(table.state).bursts
    if burst is not None and through - fewer > 0:
        go_off(table, marker, (ship.x, ship.y), through - fewer, lambda _, away: burst(through - fewer, away))
        return None
    table.state.take_off(marker)
    if not through or ship.status != FIGHTING:
        table.tell(OrdnanceStruck, marker.id, ship.id, die, 0, 0, (), 0)
        return None
    advanced = layers_over(table.state, ship)[1]
    strike = marker.row(table.state).strikes(through, advanced, marker.id, table.dice, fewer)
    points = sum(one.points for one in strike.damage_types)
    table.tell(OrdnanceStruck, marker.id, ship.id, die, through, advanced, strike.dice, points)
    excess = excess_of(table.state, ship, strike.damage_types)
    if strike.damage_types:
        mark_damage(table, ship, strike.damage_types, f"ordnance:{marker.ship}")
    return excess


def drop_ordnance(table: Table) -> None:
    """The end of a turn: what attacked and was not resolved, for its target is gone, is off the table."""
    for marker in attackers(table.state):
        table.state.take_off(marker)
        table.tell(OrdnanceGone, marker.id, TARGET_GONE)


def able(ship: ShipState) -> Sequence[int]:
    """The places of a ship's weapons that serve as point defence."""
    return [index for index in range(len(ship.sheet.fits)) if guard_of(ship, index) is not None]

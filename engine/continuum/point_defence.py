"""Phases 8 to 10: point defence meets ordnance, and what gets through strikes.

All ships name their targets before any die is thrown. A ship without orders spreads what has no other work over what
attacks it.
Rules: Continuum "Point defense vs. missiles" 6.4, "Damage" 6.5, "ADFC" 7.10, "Point defense" 8.8 [pc.point-defence]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.combat.detection import give_away
from engine.continuum.aiming import ALL_ROUND, arcs_to
from engine.continuum.blasts import burst_all, bursting, go_off, reached
from engine.continuum.cores import uncommanded
from engine.continuum.damage import excess_of, mark_damage, settle
from engine.continuum.defences import apart, layers_over, silenced
from engine.continuum.fire_control import working
from engine.continuum.launching import is_marker
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
ADFCS = ("adfc", "advanced-adfc")

Defences = Mapping[str, tuple[Defence, ...]]


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


def defence_violations(state: BattleState, orders: Defences, where: str) -> list[Violation]:
    """What of a side's point defence cannot be carried out now; `where`: the place of its entry.

    Rules: Continuum "Point defense" 8.8 [pc.point-defence]
    """
    found: list[Violation] = []
    for name, listed in orders.items():
        plan = Plan(state, state.ship(ShipId(name)))
        for number, order in enumerate(listed):
            spot = f"{where}.{name}{place(number)}"
            if not order.targets or not all(map(is_marker, order.targets)):
                found.append(Violation(f"{spot}.target", "unknown-target", NO_MARKER))
            elif why := plan.take(order):
                found.append(Violation(spot, "defence", why))
    return found


class Plan:
    """What one ship's point defence is to fire at, weapon by weapon, and whom its ADFCs let it help.

    Rules: Continuum "ADFC" 7.10, "Advanced ADFC" 7.11 [pc.adfc]
    """

    def __init__(self, state: BattleState, ship: ShipState) -> None:
        self.state = state
        self.ship = ship
        self.shots: list[Shot] = []
        self.used: list[int] = []
        self.helped: list[str] = []

    def take(self, order: Defence) -> str:
        """Plan one weapon's fire; why that cannot be, nothing where it is planned."""
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
        self.helped += [one.guarded.id for one in shots if self._takes_control(index, one.guarded, order.mode)]
        return ""

    def spread(self) -> None:
        """Without orders: what has no other work fires at what attacks the ship, each at the one with fewest so far.

        Rules: Continuum "Point defense vs. missiles" 6.4 [pc.point-defence]
        """
        at_us = [marker for marker in attackers(self.state) if marker.target == self.ship.id]
        if not at_us or defends(self.ship):
            return
        for index in range(len(self.ship.sheet.fits)):
            guard = guard_of(self.ship, index)
            if guard is None or not guard.by_itself or not self.ship.alive[index]:
                continue
            able = [marker for marker in at_us if not self._may_guard(index, self.ship, marker, "")]
            if able:
                marker = min(able, key=lambda one: sum(shot.marker is one for shot in self.shots))
                self.shots.append(Shot(self.ship, index, marker, self.ship, ""))

    def _why_not(self, index: int, order: Defence) -> str:
        """Why a weapon fires at nothing as point defence, nothing where it may."""
        ship, guard = self.ship, guard_of(self.ship, index)
        if why := defends(ship):
            return why
        if guard is None:
            return NOT_THIS_MOUNT
        if not ship.alive[index]:
            return OUT_OF_ACTION
        if index in self.used:
            return FIRED
        if ship.profile.weapons[index].once and not ship.stock[index]:
            return SPENT
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
        away = apart(ship, guarded)
        reach = SUPPORT_REACH if mode == SPLIT else guard.reach(mode)
        if away > reach + NEAR:
            return TOO_FAR
        if not self._takes_control(index, guarded, mode) or guarded.id in self.helped:
            return ""
        return "" if len(set(self.helped)) < self._friends() else NO_CONTROL

    def _takes_control(self, index: int, guarded: ShipState, mode: str) -> bool:
        """Whether a weapon needs an ADFC to guard a ship."""
        guard = guard_of(self.ship, index)
        assert guard is not None
        return guarded is not self.ship and not guard.alone and mode != AREA

    def _friends(self) -> int:
        """How many others its ADFCs let it help."""
        if working(self.ship, "advanced-adfc"):
            return len(self.state.ships)
        return working(self.ship, "adfc")


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
    state = table.state
    before = {ship.id: ship.damage for ship in state.ships}
    met = _fire(table, orders)
    burst_all(table)
    for ship in list(state.ships):
        excess = None
        for marker in [one for one in attackers(state) if one.target == ship.id]:
            beyond = _strike(table, marker, ship, met=marker.id in met)
            excess = beyond if excess is None else excess
        settle_strikes(table, ship, before[ship.id], excess)
        before[ship.id] = ship.damage
    settle_late(table, before)


def settle_late(table: Table, before: Mapping[ShipId, int]) -> None:
    """Ships that a warhead hurt which went off at a ship behind them in the order are checked too."""
    for ship in table.state.ships:
        settle_strikes(table, ship, before[ship.id], None)


def settle_strikes(table: Table, ship: ShipState, before: int, excess: int | None) -> None:
    """What ordnance has done to a ship is checked at once; where it is destroyed with points to spare, it may blow up.

    Rules: Continuum 2.6 [pc.sequence]; Continuum "Battle debris" 17.5 [pc.debris]
    """
    if ship.damage > before and ship.status in IN_PLAY:
        settle(table, ship, before, "ordnance")
        if excess is not None:
            blow_up(table, ship, excess)


def _fire(table: Table, orders: Defences) -> set[str]:
    """All point defence: the markers that it fired at."""
    state = table.state
    planned: list[Shot] = []
    for ship in state.ships:
        plan = Plan(state, ship)
        if ship.id in orders:
            for order in orders[ship.id]:
                why = plan.take(order)
                if why:
                    table.tell(ShotRefused, ship.id, order.weapon, order.targets, why)
        else:
            plan.spread()
        planned += plan.shots
    fired: list[tuple[str, int]] = []
    for shot in planned:
        _shoot(table, shot, again=(shot.ship.id, shot.index) in fired)
        fired.append((shot.ship.id, shot.index))
    return {shot.marker.id for shot in planned}


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
        table.tell(OrdnanceGone, marker.id, "its target is gone")


def able(ship: ShipState) -> Sequence[int]:
    """The places of a ship's weapons that serve as point defence."""
    return [index for index in range(len(ship.sheet.fits)) if guard_of(ship, index) is not None]

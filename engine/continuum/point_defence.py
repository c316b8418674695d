"""Phases 9 and 10: point defence meets ordnance and craft, and what gets through strikes.

All ships name their targets before any die is thrown. A ship without orders spreads what has no
other work over what attacks it.
Rules: Continuum "Point defense vs. missiles" 6.4, "Damage" 6.5, "Point defense" 8.8
[pc.point-defence]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.combat.detection import give_away
from engine.continuum.blasts import SHOT_DOWN, burst_all, go_off, undefended
from engine.continuum.boats_met import fire_gun
from engine.continuum.craft.on_guard import fire_guards, planned_boats
from engine.continuum.craft.runs import run_at
from engine.continuum.damage import excess_of, mark_damage, settle
from engine.continuum.defence_plans import (
    Defences,
    Shot,
    ShotPlan,
    attackers,
    from_afar,
    in_flight,
    planned,
)
from engine.continuum.defences import apart, protection_of, tell_cover
from engine.continuum.homing import TARGET_GONE
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING, IN_PLAY, PLAIN
from engine.core.noting import note
from engine.core.rolls import TypedDamage
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.fire import Spent
from engine.pieces.craft_events import CraftMet
from engine.pieces.debris import blow_up
from engine.pieces.group import Group
from engine.pieces.marker import (
    Marker,
    OrdnanceGone,
    OrdnanceMet,
    OrdnanceStruck,
    RocketsStruck,
    cause_of,
)
from engine.pieces.quarry import quarry_of
from engine.weapons.weapon import Weapon

# Carries out all that comes at a ship: by how many points more than it took each has destroyed it,
# None where not.
Strikes = Callable[[ShipState, Sequence[Marker]], list[int | None]]


def resolve_ordnance(table: Table, orders: Defences) -> None:
    """Phases 9 and 10 in place: point defence is aimed, all of it, and fired; then ordnance
    strikes, ship by ship.

    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    before = damage_now(table.state)
    met = _fire(table, orders) | {
        name for group in table.state.of(Group) for name in group.this_turn.meets
    }
    burst_all(table, undefended)

    def strikes(ship: ShipState, coming: Sequence[Marker]) -> list[int | None]:
        ordnance = [_strike(table, marker, ship, met=marker.id in met) for marker in coming]
        return [*ordnance, *run_at(table, ship)]

    strike_all(table, before, strikes)


def damage_now(state: BattleState) -> dict[ShipId, int]:
    """The damage points of every ship."""
    return {ship.id: ship.damage for ship in state.ships}


def strike_all(table: Table, before: dict[ShipId, int], strikes: Strikes) -> None:
    """What attacks reaches its targets, ship by ship; each is checked as soon as its attacks are
    over, and those that a warhead hurts which goes off at a ship behind them once more.

    `before`: the damage of each ship as the phase began. `strikes`: carries out what comes at a
    ship.
    Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    state = table.state
    for marker in state.of(Marker):
        if marker.prey:
            strike_boats(table, marker)
    for ship in list(state.ships):
        coming = [marker for marker in attackers(state) if marker.target == ship.id]
        attacked = coming or any(ship.id in group.this_turn.targets for group in state.of(Group))
        excess = (
            next((one for one in strikes(ship, coming) if one is not None), None)
            if attacked
            else None
        )
        _settle_strikes(table, ship, before[ship.id], excess)
        before[ship.id] = ship.damage
    for ship in state.ships:
        _settle_strikes(table, ship, before[ship.id], None)


def _settle_strikes(table: Table, ship: ShipState, before: int, excess: int | None) -> None:
    """What ordnance has done to a ship is checked at once; where it is destroyed with points to
    spare, it may blow up.

    Rules: Continuum 2.6 [pc.sequence]; Continuum "Battle debris" 17.5 [pc.debris]
    """
    if ship.damage > before and ship.status in IN_PLAY:
        settle(table, ship, before, "ordnance")
        if excess is not None:
            blow_up(table, ship, excess)


def _fire(table: Table, orders: Defences) -> set[str]:
    """All point defence, of ships and then of boats: what it fired at, by id.

    All is aimed before any die is thrown.
    """
    shots = [shot for plan in planned(table, orders, ShotPlan) for shot in plan.shots]
    boats = planned_boats(table, orders)
    fired: list[tuple[str, int]] = []
    for shot in shots:
        _shoot(table, shot, again=(shot.ship.id, shot.index) in fired)
        fired.append((shot.ship.id, shot.index))
    for volley in boats:
        fire_guards(table, volley)
    return {shot.prey.id for shot in shots} | {volley.aim.prey.id for volley in boats}


def _shoot(table: Table, shot: Shot, *, again: bool) -> None:
    """Throw a weapon's dice at its prey, and take what they kill.

    `again`: the second of its two targets.
    """
    ship, index = shot.ship, shot.index
    if shot.gun is not None:
        assert isinstance(shot.prey, Group)  # boats
        fire_gun(table, ship, index, shot.prey, shot.gun)
        return
    fit, weapon = ship.sheet.fits[index], ship.profile.weapons[index]
    guard = weapon.guard
    assert guard is not None
    give_away(table, ship, fit.id)
    prey = shot.prey
    free = (
        not prey.target and prey.row(table.state).bursts is None
        if isinstance(prey, Marker)
        else not prey.this_turn.targets
    )
    far = free or (isinstance(prey, Group) and prey.row.berth > 0)
    distance = from_afar(ship, prey) if far else apart(ship, shot.guarded)
    subject, toughness = (
        f"{ship.id}/{fit.id}",
        prey.row.modifier if isinstance(prey, Group) else prey.toughness,
    )
    quarry = quarry_of(table.state, prey)
    screens = tell_cover(table, prey)[:2] if isinstance(prey, Group) else (0, 0)
    thrown, hits = guard.fire(quarry, distance, shot.mode, subject, table.dice, toughness, screens)
    if isinstance(prey, Group):
        table.tell(CraftMet, ship.id, fit.id, prey.id, shot.guarded.id, distance, thrown, hits)
        prey.take(table, hits, f"fire:{ship.id}")
    else:
        prey.killed += hits
        table.tell(OrdnanceMet, ship.id, fit.id, prey.id, shot.guarded.id, distance, thrown, hits)
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


def strike_boats(table: Table, marker: Marker) -> None:
    """Rockets reach the gunboats that they were fired at: a boat each for those that nobody shot
    down.

    Under advanced area screens each rocket's die of damage has to leave a point.
    Rules: Continuum "Rocket pods" 6.7, "Rocket gunboat" 9.2 [pc.rocket-pods]; Continuum "Area
    screens" 7.16 [pc.area-screens]
    """
    group = table.state.find(Group, marker.prey)
    through = max(marker.strength - marker.killed, 0)
    cause = cause_of(table.state, marker)
    if group is not None and through and protection_of(table.state, group).advanced:
        advanced = tell_cover(table, group).advanced
        row = marker.row(table.state)
        strike = row.strikes(through, advanced, marker.id, table.dice, 0)
        through = sum(one.points > 0 for one in strike.damage_types)
    table.state.take_off(marker)
    if group is None:
        table.tell(OrdnanceGone, marker.id, TARGET_GONE)
        return
    table.tell(RocketsStruck, marker.id, group.id, through)
    group.take(table, through, cause)


def _strike(table: Table, marker: Marker, ship: ShipState, *, met: bool) -> int | None:
    """Ordnance reaches its target: how much of it gets through, and what that does.

    Of a salvo a die says how many missiles find it, those that it was short of not; one always does
    where nothing met it, in this turn or in an earlier stage.
    Rules: Continuum "Point defense vs. missiles" 6.4, "Damage" 6.5 [pc.salvo-missiles]
    """
    row = marker.row(table.state)
    die = 0
    if row.counted:
        die = table.dice.roll("missiles", marker.id)
        on_target = die - (marker.full - marker.strength)
        through = max(on_target - marker.killed, 0 if met or marker.killed else 1)
    else:
        through = max(marker.strength - marker.killed, 0)
    return hit(table, marker, ship, die, through)


def hit(
    table: Table, marker: Marker, ship: ShipState, die: int, through: int, fewer: int = 0
) -> int | None:
    """So much of a marker gets through to its target: the damage it does there, and the marker is
    gone. Answers by how many points more than it took it has destroyed the ship, None where it has
    not.

    `die`: what said how much, 0 where none was thrown. `fewer`: dice of damage that point defence
    has cost it.
    Rules: Continuum "Damage" 6.5 [pc.salvo-missiles]
    """
    burst = marker.row(table.state).bursts
    if burst is not None and through - fewer > 0:
        go_off(
            table,
            marker,
            (ship.x, ship.y),
            through - fewer,
            lambda _, away: burst(through - fewer, away),
        )
        return None
    table.state.take_off(marker)
    if not through or ship.status != FIGHTING:
        table.tell(OrdnanceStruck, marker.id, ship.id, die, 0, 0, (), 0)
        return None
    advanced = protection_of(table.state, ship).advanced
    strike = marker.row(table.state).strikes(through, advanced, marker.id, table.dice, fewer)
    points = sum(one.points for one in strike.damage_types)
    table.tell(OrdnanceStruck, marker.id, ship.id, die, through, advanced, strike.dice, points)
    excess = excess_of(table.state, ship, strike.damage_types)
    if strike.damage_types:
        mark_damage(table, ship, strike.damage_types, cause_of(table.state, marker))
    return excess


def drop_ordnance(table: Table) -> None:
    """The end of a turn: what attacked and was not resolved, for its target is gone, is off the
    table, and so is what was shot down on its way.

    Rules: Continuum "Multi-stage missiles" 6.6 [pc.multi-stage]
    """
    for marker in attackers(table.state):
        table.state.take_off(marker)
        table.tell(OrdnanceGone, marker.id, TARGET_GONE)
    for marker in in_flight(table.state):
        if marker.killed >= marker.strength:
            marker.perish(table, SHOT_DOWN)

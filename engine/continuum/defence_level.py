"""Phases 8 to 10 with point-defence levels, an option.

All that guards a ship forms one level against all attacks on it. Weapons are assigned to a ship,
their own or one they assist, not to an attacker; arcs do not matter. The level selects the band of
the tables. All attacks on a ship are simultaneous, ship by ship in file order.

Rules: Fighters by point defence level 1.2, 1.3, 1.6 [pdl.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import override

from engine.combat.detection import reveal_ship
from engine.continuum.blasts import (
    Dice,
    full_blast_dice,
    pending_blasts,
    resolve_blasts,
    ships_in_blast,
)
from engine.continuum.craft.guard_boats import planned_boats
from engine.continuum.craft.level_runs import (
    LAST_BAND,
    CraftDefence,
    attack_by_level,
    band_of,
    free_screens,
    roll_screen,
)
from engine.continuum.craft.targets import in_dogfight
from engine.continuum.defence_plans import (
    NO_TARGET,
    OWN_SHIP_ALONE,
    Defences,
    Plan,
    attackers,
    defence_fault,
    guard_of,
    make_plans,
)
from engine.continuum.fire_control import working_count_of
from engine.continuum.point_defence import damage_now, resolve_strikes, strike_ship, use_up
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING
from engine.core.orders import SCREENS, Defence
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import ADVANCED_MISSILES, POINT_DEFENCE_LEVEL
from engine.events.defence_level import DefenceLevel, DefenceLevelRolled
from engine.events.fire import ShotRefused
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.weapons.guard import BY_LIGHT_BEAM, Guard, PointDefenceTarget, roll_defence_dice
from engine.weapons.missiles import HEAVY_MISSILE

NO_MODES = reason("no-modes", "it has no modes when point defence is resolved by level")
ONE_SHIP = reason(
    "one-ship",
    "when point defence is resolved by level it guards one ship: its own if none is named",
)
NOT_MIXED = reason(
    "not-mixed", "scatterguns and grapeshot cannot defend a ship together with other point defence"
)
NO_SCREENS = reason("no-screens", "no screening craft are free to defend it")
NOT_BOTH = reason("not-both", "screening craft or point defence can defend a ship, not both")

TO_HIT = (2, 3, 4, 5, 6, 6, 6)  # the lowest die for a heavy missile or plasma bolt, by band
DICE_LOST = (0, 0, 0, 0, 0, 1, 2)  # its damage dice that a defence removes, by band


def is_by_level(state: BattleState) -> bool:
    """Return whether this battle uses point-defence levels."""
    return POINT_DEFENCE_LEVEL in state.terms.options


def salvo_level(level: int, salvoes: int) -> int:
    """Return the level against a number of salvoes: one less for each after the first, at least 0.

    Rules: Fighters by point defence level 1.6 [pdl.salvoes]
    """
    return max(level - salvoes + 1, 0)


def heavy_missile_band(state: BattleState, level: int) -> int:
    """Return the band in which heavy missiles roll to hit: one lower if they are advanced.

    Rules: Fighters by point defence level 1.3 [pdl.advanced-missiles]
    """
    if ADVANCED_MISSILES in state.terms.options:
        return max(band_of(level) - 1, 0)
    return band_of(level)


def missiles_through(level: int, die: int) -> int:
    """Return how many missiles of a full salvo hit, by the level and the die.

    Rules: Fighters by point defence level 1.6 [pdl.salvoes]
    """
    band = band_of(level)
    if band == LAST_BAND:
        return 0
    return max(die - band, 0)


@dataclass(frozen=True, slots=True)
class Share:
    """A weapon that counts towards the level of a ship.

    Attributes:
        ship: The ship that carries it.
        index: Its place in `fits`.
        guarded: The ship it guards.
    """

    ship: ShipState
    index: int
    guarded: ShipState

    @property
    def guard(self) -> Guard:
        """Return its type of point defence."""
        guard = guard_of(self.ship, self.index)
        assert guard is not None  # it was planned
        return guard


class LevelPlan(Plan):
    """The assignment of a ship's weapons to guarded ships.

    Rules: Fighters by point defence level 1.2; Continuum "ADFC" 7.10 [pdl.sequence]
    """

    def __init__(self, state: BattleState, ship: ShipState) -> None:
        super().__init__(state, ship)
        self.shares: list[Share] = []
        self.screened = False  # its screening craft form its level

    @override
    def take(self, order: Defence) -> str:
        ship = self.ship
        if order.weapon == SCREENS:
            return self._take_screens(order)
        index = ship.profile.index_of[order.weapon]
        is_used = any(share.index == index for share in self.shares)
        if fault := self.idle_reason(index, used=is_used):
            return fault
        if order.mode:
            return NO_MODES
        if len(order.targets) > 1:
            return ONE_SHIP
        guarded = self._find_guarded(order)
        if guarded is None:
            return NO_TARGET
        share = Share(ship, index, guarded)
        if fault := self._guard_fault(guarded, share.guard):
            return fault
        if guarded is ship and self.screened:
            return NOT_BOTH
        if self._is_mixed(share):
            return NOT_MIXED
        self.shares.append(share)
        return ""

    def _find_guarded(self, order: Defence) -> ShipState | None:
        """Return the ship an order names, by default its own, if it is attacked; else None."""
        name = order.targets[0] if order.targets else self.ship.id
        if name not in attacked_ship_ids(self.state):
            return None
        return self.state.ship_by_name(name)

    def _is_mixed(self, share: Share) -> bool:
        """Return whether a weapon guards a ship beside weapons of another kind.

        Scatterguns and grapeshot are one kind, all other point defence the other.
        """
        for other in self.shares:
            if other.guarded is not share.guarded:
                continue
            if other.guard.in_bursts != share.guard.in_bursts:
                return True
        return False

    def _take_screens(self, order: Defence) -> str:
        """Let the craft that screen the ship form its level; return the fault, or ""."""
        if order.targets or order.mode:
            return ONE_SHIP
        if self.ship.id not in attacked_ship_ids(self.state):
            return NO_TARGET
        if not free_screens(self.state, self.ship):
            return NO_SCREENS
        if self.screened or any(share.guarded is self.ship for share in self.shares):
            return NOT_BOTH
        self.screened = True
        return ""

    @override
    def plan_without_orders(self) -> None:
        """Assign unused weapons to the ship itself if it is attacked; without any, its screens."""
        ship = self.ship
        if ship.id not in attacked_ship_ids(self.state):
            return
        if not defence_fault(self.state, ship):
            self.shares += [Share(ship, index, ship) for index, _ in self.independent_weapons()]
        self.screened = not self.shares and bool(free_screens(self.state, ship))

    def _guard_fault(self, guarded: ShipState, guard: Guard) -> str:
        """Return the reason why a weapon cannot guard a ship, or "".

        No ADFC directs beams for another ship.
        """
        ship = self.ship
        if guarded is ship:
            return ""
        hostile = self.state.hostile[ship.commander] >> guarded.commander & 1
        if hostile or not guard.protects_others or guard.kills is BY_LIGHT_BEAM:
            return OWN_SHIP_ALONE
        helped = set()
        for share in self.shares:
            if share.guarded is not ship and not share.guard.needs_no_adfc:
                helped.add(share.guarded.id)
        return self.help_fault(guarded, guard.reach(""), None if guard.needs_no_adfc else helped)


def resolve_by_level(table: Table, orders: Defences) -> None:
    """Resolve phases 8 to 10: assignments, then for each ship its level, the attacks and checks.

    Rules: Fighters by point defence level 1.2 [pdl.sequence]
    """
    before = damage_now(table.state)
    levels = Levels(table, orders)
    planned_boats(table, orders)  # boats cannot guard by level; this reports their refusal
    resolve_blasts(table, levels.blast_dice)
    resolve_strikes(table, before, lambda ship, coming: _strikes(table, ship, coming, levels))


class Levels:
    """The levels of ships in a turn, each rolled when it is first needed."""

    def __init__(self, table: Table, orders: Defences) -> None:
        self.table = table
        plans = make_plans(table, orders, LevelPlan)
        self.screened = {
            plan.ship.id: free_screens(table.state, plan.ship) for plan in plans if plan.screened
        }
        self.shares = _accepted_shares(table, plans)
        self.levels: dict[ShipId, int] = {}

    def of(self, ship: ShipState) -> int:
        """Return the level of a ship."""
        if ship.id not in self.levels:
            level = 0
            for group in self.screened.get(ship.id, ()):
                level += roll_screen(self.table, group, ship)
            for share in self.shares.get(ship.id, ()):
                level += _roll_level(self.table, share)
            self.levels[ship.id] = level
        return self.levels[ship.id]

    def craft_defence(self, ship: ShipState) -> CraftDefence:
        """Return the defence that craft meet at a ship.

        Its own area defence fire control and scatterguns increase their losses.

        Rules: Fighters by point defence level 1.5 [pdl.casualties]
        """
        own_shares = [share for share in self.shares.get(ship.id, ()) if share.ship is ship]
        has_adfc = working_count_of(ship, "adfc") or working_count_of(ship, "advanced-adfc")
        has_scatterguns = any(share.guard.in_bursts for share in own_shares)
        return CraftDefence(self.of(ship), takes_more=bool(has_adfc or has_scatterguns))

    def blast_dice(self, table: Table, marker: Marker) -> Dice:
        """Return the dice function of a blast against ships with levels.

        Rolls the levels of all ships the blast reaches. The blast must hit, and a high level
        removes dice.

        Rules: Fighters by point defence level 1.3 [pdl.missiles]
        """
        full_dice = full_blast_dice(table, marker)
        for ship in ships_in_blast(table.state, marker):
            self.of(ship)

        def dice(ship: ShipState, away: float) -> int:
            number = full_dice(ship, away)
            if number <= 0:
                return 0
            band = band_of(self.of(ship))
            die = table.dice.roll("to-hit", f"{marker.id}>{ship.id}")
            if die >= TO_HIT[band]:
                return number - DICE_LOST[band]
            return 0

        return dice


def attacked_ship_ids(state: BattleState) -> list[ShipId]:
    """Return the ships under attack by ordnance, craft or a pending blast, in file order."""
    attacked: set[str] = {marker.target for marker in attackers(state)}
    for marker in pending_blasts(state):
        attacked.update(ship.id for ship in ships_in_blast(state, marker))
    for group in state.pieces_of(Group):
        if not in_dogfight(state, group):
            attacked.update(group.this_turn.targets)
    return [ship.id for ship in state.ships if ship.id in attacked]


def _accepted_shares(table: Table, plans: Sequence[LevelPlan]) -> Mapping[str, list[Share]]:
    """Return the weapons that count for each ship, its own before those of others.

    Weapons of other ships must be of the same kind. They cannot assist a ship defended by its
    screens.
    """
    shares_by_ship: dict[str, list[Share]] = {}
    screened = {plan.ship.id for plan in plans if plan.screened}
    shares: list[Share] = []
    for plan in plans:
        shares += plan.shares
    for share in sorted(shares, key=lambda share: share.ship is not share.guarded):
        accepted = shares_by_ship.setdefault(share.guarded.id, [])
        mixed = accepted and accepted[0].guard.in_bursts != share.guard.in_bursts
        if mixed or share.guarded.id in screened:
            weapon = share.ship.sheet.fits[share.index].id
            fault = NOT_MIXED if mixed else NOT_BOTH
            table.tell(
                ShotRefused,
                ship=share.ship.id,
                weapon=weapon,
                targets=(share.guarded.id,),
                reason=fault,
            )
        else:
            accepted.append(share)
    return shares_by_ship


def _roll_level(table: Table, share: Share) -> int:
    """Roll a weapon's dice for a level and return the hits."""
    ship = share.ship
    index = share.index
    guard = share.guard
    fit = ship.sheet.fits[index]
    reveal_ship(table, ship, fit.id)
    kills = guard.kills[PointDefenceTarget.MISSILES]
    rolls, hits = roll_defence_dice(
        number=guard.level_dice,
        kills=kills,
        target_kind=PointDefenceTarget.MISSILES,
        modifier=0,
        subject=f"{ship.id}/{fit.id}",
        dice=table.dice,
    )
    table.tell(
        DefenceLevelRolled,
        ship=ship.id,
        weapon=fit.id,
        guarded=share.guarded.id,
        dice=rolls,
        hits=hits,
    )
    use_up(table, ship, index, ship.profile.weapons[index])
    return hits


def _strikes(
    table: Table, ship: ShipState, coming: Sequence[Marker], levels: Levels
) -> list[int | None]:
    """Resolve all attacks on a ship with a point-defence level, ordnance before craft.

    Returns:
        For each attack, the points beyond those needed to destroy the ship, or None if it survived.

    Rules: Fighters by point defence level 1.3, 1.6 [pdl.missiles]
    """
    state = table.state
    was_fighting = ship.status == FIGHTING
    level = levels.of(ship)
    salvoes = sum(marker.row(state).has_rolled_number for marker in coming)
    if salvoes:
        at_salvoes = salvo_level(level, salvoes)
    else:
        at_salvoes = level
    table.tell(DefenceLevel, ship=ship.id, level=level, at_salvoes=at_salvoes)
    excesses = []
    for marker in coming:
        excesses.append(_strike_by_level(table, marker, ship, level=level, at_salvoes=at_salvoes))
    if was_fighting:
        excesses += attack_by_level(table, ship, levels.craft_defence(ship))
    return excesses


def _strike_by_level(
    table: Table, marker: Marker, ship: ShipState, *, level: int, at_salvoes: int
) -> int | None:
    """Resolve the attack of one marker on a ship with a point-defence level.

    Args:
        level: The ship's level.
        at_salvoes: Its level against salvoes.

    Returns:
        The points beyond those needed to destroy the ship, or None if it survived.

    Rules: Fighters by point defence level 1.3, 1.6 [pdl.missiles]
    """
    row = marker.row(table.state)
    band = band_of(level)
    if row.has_rolled_number:
        die = table.dice.roll("missiles", marker.id)
        missing = marker.full_strength - marker.strength
        through = max(missiles_through(at_salvoes, die) - missing, 0)
        return strike_ship(table, marker, ship=ship, die=die, through=through)
    if row.defence_target is PointDefenceTarget.MISSILES:
        # These are rockets: the number of the band is how many are shot down.
        through = 0 if band == LAST_BAND else max(marker.strength - band, 0)
        return strike_ship(table, marker, ship=ship, die=0, through=through)
    if row.kind == HEAVY_MISSILE.kind:
        band = heavy_missile_band(table.state, level)
    die = table.dice.roll("to-hit", marker.id)
    through = marker.strength if die >= TO_HIT[band] else 0
    return strike_ship(
        table, marker, ship=ship, die=die, through=through, dice_lost=DICE_LOST[band]
    )

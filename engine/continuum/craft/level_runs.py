"""Attack runs of craft on a ship with a point-defence level: hits, help and losses.

The level selects the band of the hit tables. All that happens at one ship is simultaneous, so craft
that its defence destroys have still fired.

Rules: Fighters by point defence level 1.4, 1.5 [pdl.fighters]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from engine.continuum.craft.dogfights import split_hits
from engine.continuum.craft.morale import rolls_to_attack
from engine.continuum.craft.moves import in_order, screens_of
from engine.continuum.craft.pilots import (
    ace_fire,
    ace_picks_system,
    more_dice,
    reveal_pilots,
)
from engine.continuum.craft.runs import (
    SystemHits,
    report_fire,
    run_armaments,
    run_shot,
    shot_at,
    shot_count,
)
from engine.continuum.craft.shuttles import land
from engine.continuum.craft.targets import attackers_of, is_engaged
from engine.continuum.damage import excess_of, mark_damage
from engine.core.dice import Dice
from engine.core.kinds import FIGHTING
from engine.core.rolls import Effect, Shot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.craft.craft_type import Armament, CraftType
from engine.events.defence_level import CraftCaught, ScreeningCraftFired
from engine.pieces.craft_events import DefenceLevelAtCraft, GroupAssisted
from engine.pieces.group import Group
from engine.weapons.guard import BY_LIGHT_BEAM, BY_PDS, PointDefenceTarget, roll_defence_dice
from engine.weapons.needles import KILLS_ON

BANDS = (1, 2, 4, 7, 11, 16)  # the lowest level of each band above band 0, which is level 0
LAST_BAND = len(BANDS)  # no attack gets through
# The hits of a craft's die at a ship, by band, without the last one; index 0 is unused.
HITS: tuple[tuple[int, ...], ...] = (
    (0, 0, 0, 1, 1, 2, 2),
    (0, 0, 0, 0, 1, 1, 2),
    (0, 0, 0, 0, 0, 1, 2),
    (0, 0, 0, 0, 0, 1, 1),
    (0, 0, 0, 0, 0, 0, 1),
    (0, 0, 0, 0, 0, 0, 1),
)
LAST_REROLLED = 4  # the last band in which sixes are rolled again
LEVELS_PER_SCREEN = 2  # levels added for each level of screens
# The craft that a die against a group destroys. The keys say whether the craft are heavy fighters
# or gunboats, and whether the ship has area defence fire control or used scatterguns.
CRAFT_LOST: dict[tuple[bool, bool], tuple[int, ...]] = {
    (True, True): (0, 0, 0, 0, 0, 1, 2),
    (True, False): (0, 0, 0, 0, 0, 1, 1),
    (False, True): (0, 0, 0, 0, 1, 1, 2),
    (False, False): (0, 0, 0, 0, 0, 1, 2),
}


@dataclass(frozen=True, slots=True)
class CraftDefence:
    """The defence that craft meet at a ship.

    Attributes:
        level: Its point-defence level.
        takes_more: Whether it destroys more craft, by the better column of CRAFT_LOST.
    """

    level: int
    takes_more: bool


class AttackRun(NamedTuple):
    """A group's attack on a ship, with the groups that assist it."""

    group: Group
    helpers: tuple[Group, ...]


def band_of(level: int) -> int:
    """Return the row of the tables for a point-defence level.

    It is 0 for level 0, 1 for 1, 2 for 2 and 3, and so on to 6 for 16 and more.

    Rules: Fighters by point defence level 1.3 [pdl.level]
    """
    return bisect_right(BANDS, level)


def lowered_band(level: int, lower: int) -> int:
    """Return a level's band after lowering it; a level above 0 never falls to band 0.

    Args:
        lower: The number of bands.

    Rules: Fighters by point defence level 1.4 [pdl.fighters]
    """
    band = band_of(level)
    return min(band, max(band - lower, 1))


def can_screen_ship(row: CraftType) -> bool:
    """Return whether craft of a type can defend the ship they screen.

    Rules: Fighters by point defence level 1.2 [pdl.level]
    """
    return row.guns.at_ordnance is not None and not row.berth


def free_screens(state: BattleState, ship: ShipState) -> list[Group]:
    """Return the groups that screen a ship and are free to defend it, not attacking or attacked."""
    screens: list[Group] = []
    for group in screens_of(state, ship):
        if can_screen_ship(group.row) and not is_engaged(state, group):
            screens.append(group)
    return screens


def screen_dice(row: CraftType) -> tuple[int, ...]:
    """Return what each face of a screening craft's die adds to the ship's level.

    Interceptors count as PDS, other fighters as class 1 beams.

    Rules: Fighters by point defence level 1.2 [pdl.level]
    """
    is_interceptor = row.guns.at_ordnance is not None and row.guns.at_ordnance > 0
    kills_by_target = BY_PDS if is_interceptor else BY_LIGHT_BEAM
    return kills_by_target[PointDefenceTarget.FIGHTERS]


def roll_screen(table: Table, group: Group, ship: ShipState) -> int:
    """Roll a die for each craft that screens a ship and return what they add to its level."""
    kills = screen_dice(group.row)
    rolls, hits = roll_defence_dice(
        number=group.craft,
        kills=kills,
        target_kind=PointDefenceTarget.FIGHTERS,
        modifier=0,
        subject=group.id,
        dice=table.dice,
    )
    table.tell(ScreeningCraftFired, group=group.id, guarded=ship.id, dice=rolls, hits=hits)
    return hits


def runs_on(state: BattleState, ship: ShipState) -> list[AttackRun]:
    """Return the attack runs on a ship.

    A group that assists another makes no attack, unless the other does not attack the ship.

    Rules: Fighters by point defence level 1.4 [pdl.fighters]
    """
    groups = attackers_of(state, ship)
    helpers_of: dict[str, list[Group]] = {}
    leaders: list[Group] = []
    for group in groups:
        if _helps(group, groups):
            helpers_of.setdefault(group.this_turn.assists, []).append(group)
        else:
            leaders.append(group)
    return [AttackRun(group, tuple(helpers_of.get(group.id, ()))) for group in leaders]


def _helps(group: Group, groups: Sequence[Group]) -> bool:
    """Return whether a group assists another that attacks the same ship.

    The other must not assist a group itself.
    """
    helped = group.this_turn.assists
    for other in groups:
        if other.id == helped and other is not group:
            return not other.this_turn.assists
    return False


@dataclass(slots=True)
class RunResults:
    """What the attack runs on one ship have done so far.

    Attributes:
        excesses: For each attack, the points beyond those needed to destroy the ship, or None.
        hits: The hits on single systems.
        landings: The groups with assault shuttles that have yet to land, and the shuttles.
        attackers: The groups that came within reach of the ship's defence.
    """

    excesses: list[int | None] = field(default_factory=list)
    hits: SystemHits = field(default_factory=SystemHits)
    landings: list[tuple[Group, Armament]] = field(default_factory=list)
    attackers: list[Group] = field(default_factory=list)


def attack_by_level(table: Table, ship: ShipState, defence: CraftDefence) -> list[int | None]:
    """Resolve the attack runs on a ship and then the attackers' losses to its point defence.

    Returns:
        For each attack, the points beyond those needed to destroy the ship, or None if it survived.

    Rules: Fighters by point defence level 1.4, 1.5 [pdl.fighters]
    """
    results = RunResults()
    for run in runs_on(table.state, ship):
        _resolve_run(table, ship, defence=defence, run=run, results=results)
    results.hits.settle(table, ship)
    if defence.level:
        attackers = [group for group in in_order(table.state) if group in results.attackers]
        _roll_losses(table, ship, attackers, takes_more=defence.takes_more)
    for group, armament in results.landings:
        if ship.status == FIGHTING and group.craft > 0:
            land(table, group, armament, ship)
    return results.excesses


def _resolve_run(
    table: Table, ship: ShipState, defence: CraftDefence, run: AttackRun, results: RunResults
) -> None:
    """Fire the weapons of one attack run, if its groups pass their morale rolls."""
    helpers = [group for group in run.helpers if rolls_to_attack(table, group)]
    for helper in helpers:
        table.carry_out(GroupAssisted(table.turn, helper.id, run.group.id, ship.id))
    results.attackers += helpers
    if not rolls_to_attack(table, run.group):
        return
    results.attackers.append(run.group)
    for armament in run_armaments(run.group):
        if armament.lands:
            results.landings.append((run.group, armament))
            continue
        excess, effect = _fire_at_ship(
            table, run.group, armament=armament, ship=ship, defence=defence, helpers=helpers
        )
        results.hits.note(run.group, effect)
        results.excesses.append(excess)
    if ace_picks_system(run.group) and ship.status == FIGHTING:
        excess, is_hit = ace_fire(table, run.group, ship, shot_at(table.state, run.group, ship))
        results.excesses.append(excess)
        if is_hit:
            results.hits.needled.append((run.group.this_turn.system, run.group))


def _fire_at_ship(
    table: Table,
    group: Group,
    armament: Armament,
    ship: ShipState,
    defence: CraftDefence,
    helpers: Sequence[Group],
) -> tuple[int | None, Effect]:
    """Fire one armament of a group at a ship with a point-defence level.

    Returns:
        The points beyond those needed to destroy the ship, or None if it survived; and the effect.
    """
    state = table.state
    fire = armament.by_level
    shot = run_shot(state, group, armament, ship)
    if not armament.rounds:
        reveal_pilots(table, group, at_ship=True)
    screens = LEVELS_PER_SCREEN * (shot.screens if armament.energy else shot.advanced)
    lower = fire.lower + len(helpers)  # each helper lowers the band by one
    band = lowered_band(defence.level + screens, lower)
    table.tell(
        DefenceLevelAtCraft,
        group=group.id,
        ship=ship.id,
        level=defence.level,
        screens=screens,
        lower=lower,
    )
    # No more craft fire than each helper has.
    firing_craft = min([group.craft, *(helper.craft for helper in helpers)])
    number = shot_count(group, armament, firing_craft)
    number += more_dice(group, armament, ace_duels=ace_picks_system(group))
    rolls, hits = roll_attack(
        number,
        band,
        reroll_band=lowered_band(screens, fire.lower),
        shot=shot,
        dice=table.dice,
        rerolls=fire.rerolls,
    )
    effect = fire.hits(hits, shot, table.dice)
    effect.needled = armament.snipes and KILLS_ON in rolls and not shot.no_sensors
    group.fight(armament, at_ship=True)
    dice = rolls + effect.damage
    report_fire(table, group, armament, ship, shot=shot, effect=effect, dice=dice)
    if ship.status != FIGHTING:  # simultaneous fire has already destroyed it
        return None, effect
    excess = excess_of(state, ship, effect.damage_types)
    if effect.damage_types:
        mark_damage(table, ship, effect.damage_types, f"fire:{group.id}")
    return excess, effect


def roll_attack(
    number: int, band: int, reroll_band: int, shot: Shot, dice: Dice, *, rerolls: bool = True
) -> tuple[tuple[int, ...], int]:
    """Return the dice of an attack on a ship, including re-rolls, and the number of hits.

    Args:
        number: The number of first dice.
        band: The band for the first dice.
        reroll_band: The band for re-rolls, which only screens affect.
        rerolls: Whether a 6 is rolled again at all.

    Rules: Fighters by point defence level 1.4 [pdl.fighters]
    """
    if band >= LAST_BAND:
        return (), 0
    rolls = [dice.roll(shot.purpose, shot.subject) for _ in range(number)]
    hits = sum(HITS[band][die] for die in rolls)
    reroll_count = rolls.count(6) if rerolls and band <= LAST_REROLLED else 0
    while reroll_count:
        rerolled = [dice.roll("re-roll", shot.subject) for _ in range(reroll_count)]
        hits += sum(HITS[reroll_band][die] for die in rerolled)
        reroll_count = rerolled.count(6) if reroll_band <= LAST_REROLLED else 0
        rolls += rerolled
    return tuple(rolls), hits


def _roll_losses(
    table: Table, ship: ShipState, attackers: Sequence[Group], *, takes_more: bool
) -> None:
    """Roll the losses of the groups that attacked a ship.

    Each group adds one die; the attacker says in which order the groups of a type take its losses.

    Args:
        takes_more: Whether the ship's defence destroys more craft.

    Rules: Fighters by point defence level 1.5 [pdl.casualties]
    """
    for type_ in dict.fromkeys(group.row.id for group in attackers):
        groups = [group for group in attackers if group.row.id == type_]
        row = groups[0].row
        kills = CRAFT_LOST[row.modifier < 0 or row.berth > 0, takes_more]
        rolls, craft_lost = roll_defence_dice(
            number=len(groups),
            kills=kills,
            target_kind=PointDefenceTarget.FIGHTERS,
            modifier=0,
            subject=ship.id,
            dice=table.dice,
        )
        table.tell(
            CraftCaught,
            ship=ship.id,
            groups=tuple(group.id for group in groups),
            dice=rolls,
            craft=craft_lost,
        )
        for group, share in _shares_of_losses(groups, craft_lost):
            group.take_damage(table, share, f"fire:{ship.id}")


def _shares_of_losses(groups: Sequence[Group], craft_lost: int) -> list[tuple[Group, int]]:
    """Return the craft that each group of a type loses.

    Groups lose all their craft in the order that their side gave them, then those without a place.
    Groups in the same place share losses evenly.

    Rules: Fighters by point defence level 1.5 [pdl.casualty-choice]
    """
    shares: list[tuple[Group, int]] = []
    remaining = craft_lost
    places = sorted({group.this_turn.falls or inf for group in groups})
    for place in places:
        alike = [group for group in groups if (group.this_turn.falls or inf) == place]
        if place == places[-1]:
            lost_here = remaining
        else:
            lost_here = min(remaining, sum(group.craft for group in alike))
        shares += zip(alike, split_hits(lost_here, len(alike)), strict=True)
        remaining -= lost_here
    return shares

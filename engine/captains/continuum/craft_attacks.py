"""What a captain's craft attack by Continuum: ships, other craft, ordnance; and what their aces and
marines do there.

Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.captains.common.doctrine import Post
from engine.captains.common.flying import points_with, taken_by
from engine.captains.continuum.craft_flights import secondary
from engine.captains.continuum.craft_prizes import (
    CRAFT_WORTH,
    Prize,
    best_armament,
    best_at_craft,
    lander,
    prizes_of,
    worth_of,
)
from engine.captains.continuum.dogfighting import planned
from engine.captains.continuum.level_runs import assisted
from engine.captains.continuum.marks import chart_of
from engine.captains.continuum.snipers import prize
from engine.continuum.craft.morale import nerve
from engine.continuum.craft.pilots import BY_HIMSELF, RAW, more_dice, skill
from engine.continuum.craft.squadron_fights import is_by_actions
from engine.continuum.craft.targets import attackers_of, may_attack, target_of
from engine.continuum.defence_level import by_level as goes_by_level
from engine.continuum.defences import protection_of
from engine.core.kinds import ACE
from engine.core.orders import Attack
from engine.core.state import BattleState
from engine.craft.craft_type import Armament
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.systems.outfit import marines_of
from engine.view.side_view import SideView

NEEDLE_POINTS = (
    0.5 + 4.0 / 6.0
)  # of an ace's die at a system, in the mean: that is as good as four boxes
MET_BY = {0: 3, RAW: 6}  # dice of craft that take one of ordnance, by the skill of pilots
LASTS = 3  # fights that a group has before it, for the other's ace to be worth two dice


def attacks(post: Post, view: SideView) -> dict[str, tuple[Attack, ...]]:
    """What the side's groups attack: the ship that each hurts most, or craft or ordnance in reach
    where that is worth more.

    Rules: Continuum "Target selection" 8.7 [pc.fighter-targets]
    """
    groups = _flown_on(post, view)
    if not groups or post.fleeing:
        return {}
    state = chart_of(view)
    prizes = prizes_of(view, state, ahead=False)
    sent: dict[str, float] = {}
    left: dict[str, int] = {ship.id: len(marines_of(ship)) for ship in view.own}
    found: dict[str, tuple[Attack, ...]] = {}
    for group in groups:
        if group.exhausted or group.escorts:
            found |= _told(group, planned(state, view, group, ()))
            continue
        attack, worth = _at_ship(state, group, prizes, sent, left)
        other = best_at_craft(state, view, group) or _at_ordnance(state, view, group)
        if other is not None and other[1] > worth:
            attack = other[0]
        elif attack is not None:
            sent[attack.targets[0]] = sent.get(attack.targets[0], 0.0) + group.craft * nerve(
                state, group
            )
            if attack.marines:
                left[group.ship] -= attack.marines
        own = (attack, *_aces_own(state, group, attack, prizes)) if attack is not None else ()
        found |= _told(group, planned(state, view, group, own))
    if goes_by_level(state):
        wards = {
            one.mark.contact.id: (one.mark.ship, one.mark.ward.screens, one.mark.ward.advanced)
            for one in prizes
        }
        return assisted(found, groups, wards)
    return found


def _flown_on(post: Post, view: SideView) -> list[Group]:
    """The side's groups where they attack from: after the second moves that their captain orders at
    the same stop.
    """
    groups = view.own_of(Group)
    if not groups or post.fleeing:
        return []
    moves = secondary(post, view)
    if not moves:
        return groups
    found: list[Group] = []
    for group in groups:
        to = moves[group.id].to if group.id in moves else None
        if to is not None:
            group = group.copy()
            group.fly(to, moves[group.id].face or group.course)
        found.append(group)
    return found


def _told(group: Group, attacks: tuple[Attack, ...]) -> dict[str, tuple[Attack, ...]]:
    return {group.id: attacks} if attacks else {}


def _aces_own(
    state: BattleState, group: Group, attack: Attack, prizes: Sequence[Prize]
) -> tuple[Attack, ...]:
    """A system that a group's ace goes for on the ship that its guns attack, where that is worth
    more than two dice of them, as it is behind screens; or the ace of the group that it fights,
    where that one has shown itself and would outlast its group's fire.

    Rules: Continuum "Fighter pilot quality" 8.18 [pc.aces]
    """
    guns = group.row.guns
    foe = state.find(Group, attack.targets[0])
    if foe is not None:
        if is_by_actions(state, group):
            return ()
        aces = group.pilots == foe.known_pilots == ACE and attack.weapon == guns.name
        outlasts = foe.craft > (group.craft + 1) * taken_by(
            group.row, skill(group)
        ) and group.lasts(LASTS)
        return (Attack(BY_HIMSELF, attack.targets),) if aces and outlasts else ()
    at = next((one.mark for one in prizes if one.mark.contact.id == attack.targets[0]), None)
    if at is None or attack.weapon != guns.name or not more_dice(group, guns):
        return ()
    system = prize(at.ship)
    if not system or 2 * points_with(guns, at.ward.screens) >= NEEDLE_POINTS:
        return ()
    return (Attack(BY_HIMSELF, attack.targets, system=system),)


def _at_ship(
    state: BattleState,
    group: Group,
    prizes: list[Prize],
    sent: Mapping[str, float],
    left: Mapping[str, int],
) -> tuple[Attack | None, float]:
    """The ship that a group's attack does most to, and the worth of that.

    `left`: marines by the ship they are on.
    """
    best: tuple[Attack | None, float] = (None, 0.0)
    if shuttles := lander(group.row):
        return _landing(state, group, shuttles, prizes, sent, left)
    for one in prizes:
        armament, _ = best_armament(state, group, one)
        if armament is None or not may_attack(state, group, armament, one.mark.ship):
            continue
        system = prize(one.mark.ship) if armament.snipes else ""
        worth = worth_of(state, group, one, sent)
        if (system or not armament.snipes) and (best[0] is None or worth > best[1]):
            best = (Attack(armament.name, (one.mark.contact.id,), system=system), worth)
    return best


def _landing(
    state: BattleState, group: Group, shuttles: Armament, prizes: list[Prize], sent: Mapping[str, float],
    left: Mapping[str, int],
) -> tuple[Attack | None, float]:  # fmt: skip
    """The ship that shuttles land all marines on that they can carry; none behind advanced screens.

    Rules: Continuum "Assault shuttles" 8.15 [pc.assault-shuttles]
    """
    marines = min(left.get(group.ship, 0), group.craft)
    able = [
        one
        for one in prizes
        if may_attack(state, group, shuttles, one.mark.ship)
        and not protection_of(state, one.mark.ship).advanced
    ]
    if not marines or not able:
        return None, 0.0
    best = max(able, key=lambda one: worth_of(state, group, one, sent))
    return Attack(shuttles.name, (best.mark.contact.id,), marines=marines), worth_of(
        state, group, best, sent
    )


def _at_ordnance(state: BattleState, view: SideView, group: Group) -> tuple[Attack, float] | None:
    """The attack on ordnance in reach that comes at a ship of the side."""
    guns = group.row.guns
    mine = [ship.id for ship in view.own]
    for marker in state.of(Marker):
        if marker.target in mine and not attackers_of(state, group):
            attack = Attack(guns.name, (marker.id,))
            if target_of(state, group, attack, marker.id) is not None:
                dice = group.craft + more_dice(group, guns)
                return attack, CRAFT_WORTH * min(
                    marker.strength, dice / MET_BY[skill(group)]
                ) * nerve(state, group)
    return None

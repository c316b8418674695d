"""Whether to fight, stand off or withdraw after a scan, and the captains' battle doctrine."""

from __future__ import annotations

from itertools import chain

from campaign.rules.queries import side_of
from campaign.rules.scenario import Choice
from campaign.rules.view import Doctrine
from engine.core.dice import Dice
from umpire.admirals.character import Character, random_factor
from umpire.admirals.situation import Situation

DEFENDER_ATTACK_FACTOR = 0.95  # defenders hold the inner system, so they fight at lower odds
STALEMATE_ATTACK_FACTOR = 0.93  # so do both sides after a week in contact
LAST_WEEK_RATIO = 0.45  # lowest ratio for an attack in a last week that decides the war
STAKE_HOLD_FACTOR = 0.85  # factor on a defender's hold ratio at a system of full value (1.0)
FLEE_RATIO = 0.35  # of own to enemy strength; below it captains flee at once
OUTMATCHED_RATIO = 0.6  # below it they break off early


def enemy_strength(situation: Situation, hex_: str, toward: str) -> float:
    """Return the strength of a hostile faction and its allies at a hex.

    This week's scan is used if there is one, otherwise the newest older sighting.
    """
    believed = situation.believed_strength(hex_, toward)
    if believed is not None:
        return believed
    return situation.scanned_strength(hex_, side_of(situation.scenario, toward)) or 0.0


def all_enemies_strength(situation: Situation, hex_: str) -> float:
    """Return the strength of all hostile factions at a hex, estimated as in `enemy_strength`."""
    sides = set()
    for item in situation.view.sightings:
        is_current = item.hex == hex_ and item.week == situation.view.week
        if is_current and situation.is_hostile(item.faction):
            sides.add(side_of(situation.scenario, item.faction))
    if not sides:
        return situation.scanned_strength(hex_) or 0.0
    return sum(enemy_strength(situation, hex_, side[0]) for side in sorted(sides))


def can_leave(situation: Situation, hex_: str) -> bool:
    """Return whether any of the admiral's ships at a hex can withdraw."""
    movers = chain.from_iterable(stack.movers for stack in situation.stacks_at(hex_))
    return any(not ship.docked for ship in movers)


def holds_system(situation: Situation, hex_: str) -> bool:
    """Return whether the admiral's side holds the system at a hex, as far as it knows."""
    system = situation.system_at.get(hex_)
    if system is None:
        return False
    system_view = situation.system_views[system.id]
    if system_view.superior is not None:
        return system_view.superior in situation.aims.side
    return system_view.holder is not None and system_view.holder in situation.aims.side


def choose_decision(
    situation: Situation,
    character: Character,
    *,
    hex_: str,
    toward: str,
    dice: Dice,
    in_contact: bool = False,
) -> Choice:
    """Choose how to react to a hostile faction at a hex.

    An attacker fights only with superior strength. With less it stands off, and it withdraws when
    outmatched. A defender holds on longer, the more valuable the system. In a last week that
    decides the war, an attacker fights at lower odds, and neither withdraws while it has strength
    left.

    Args:
        in_contact: Whether the two have been in contact since an earlier week.
    """
    own_strength = situation.own_strength(hex_)
    if own_strength <= 0:
        return "withdraw" if can_leave(situation, hex_) else "stand-off"
    enemy_total = enemy_strength(situation, hex_, toward)
    if enemy_total <= 0:
        return "fight"
    ratio = own_strength / enemy_total * random_factor(dice, f"{hex_}/{toward}")
    defends = holds_system(situation, hex_)
    attack_ratio = character.attack
    hold_ratio = character.hold
    if in_contact:
        attack_ratio *= STALEMATE_ATTACK_FACTOR
    if defends:
        attack_ratio *= DEFENDER_ATTACK_FACTOR
        want = min(1.0, situation.aims.want[situation.system_at[hex_].id])
        hold_ratio *= 1.0 - (1.0 - STAKE_HOLD_FACTOR) * want
    if ratio >= attack_ratio:
        return "fight"
    decides_war = _decides_war(situation, hex_)
    if decides_war and not defends and ratio >= LAST_WEEK_RATIO:
        return "fight"
    if decides_war or ratio >= hold_ratio or not can_leave(situation, hex_):
        return "stand-off"
    return "withdraw"


def _decides_war(situation: Situation, hex_: str) -> bool:
    """Return whether this is the last week and superiority in a hex changes the result."""
    system = situation.system_at.get(hex_)
    if situation.weeks_left > 0 or system is None:
        return False
    return situation.aims.score_swing(system.id, situation.superior) > 0


def choose_doctrine(situation: Situation, character: Character, hex_: str) -> Doctrine:
    """Return the captains' doctrine for a battle at a hex.

    They fight to the end if nothing can leave or if the week decides the war. An outmatched force
    breaks off early; a hopelessly outmatched one flees at once.
    """
    if not can_leave(situation, hex_) or _decides_war(situation, hex_):
        return Doctrine(targets=character.targets, break_off=100)
    own_strength = situation.own_strength(hex_)
    enemy_total = all_enemies_strength(situation, hex_)
    if own_strength < enemy_total * FLEE_RATIO:
        return Doctrine(targets=character.targets, break_off=20, flee=True)
    if own_strength < enemy_total * OUTMATCHED_RATIO:
        return Doctrine(targets=character.targets, break_off=character.break_off // 2)
    return Doctrine(targets=character.targets, break_off=character.break_off)

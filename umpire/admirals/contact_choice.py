"""Whether to fight, stand off or withdraw after a scan, and the captains' battle doctrine."""

from __future__ import annotations

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
FLEE_RATIO = 0.35
OUTMATCHED_RATIO = 0.6


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
    now = set()
    for item in situation.view.sightings:
        if item.hex == hex_ and item.week == situation.view.week:
            now.add(item.faction)
    sides = set()
    for faction in now:
        if situation.is_hostile(faction):
            sides.add(side_of(situation.scenario, faction))
    if not sides:
        return situation.scanned_strength(hex_) or 0.0
    return sum(enemy_strength(situation, hex_, side[0]) for side in sorted(sides))


def can_leave(situation: Situation, hex_: str) -> bool:
    """Return whether any of the admiral's ships at a hex can withdraw."""
    return any(
        not ship.docked
        for stack in situation.stacks
        if stack.hex == hex_ and not stack.in_ftl and not stack.waiting
        for ship in stack.movers
    )


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
    hex_: str,
    toward: str,
    dice: Dice,
    *,
    again: bool = False,
) -> Choice:
    """Choose how to react to a hostile faction at a hex.

    An attacker fights only with superior strength. With less it stands off, and it withdraws when
    outmatched. A defender holds on longer, the more valuable the system. In a last week that
    decides the war, an attacker fights at lower odds, and neither withdraws while it has strength
    left.

    Args:
        again: Whether the two have been in contact since an earlier week.
    """
    own_strength, enemy_total = (
        situation.own_strength(hex_),
        enemy_strength(situation, hex_, toward),
    )
    if own_strength <= 0:
        if can_leave(situation, hex_):
            return "withdraw"
        return "stand-off"
    if enemy_total <= 0:
        return "fight"
    ratio = own_strength / enemy_total * random_factor(dice, f"{hex_}/{toward}")
    system = situation.system_at.get(hex_)
    if system is not None:
        swing = situation.aims.score_swing(system.id, situation.superior)
    else:
        swing = 0.0
    if system is not None:
        want = min(1.0, situation.aims.want[system.id])
    else:
        want = 0.0
    defends = holds_system(situation, hex_)
    attack = (
        character.attack
        * (STALEMATE_ATTACK_FACTOR if again else 1.0)
        * (DEFENDER_ATTACK_FACTOR if defends else 1.0)
    )
    if ratio >= attack:
        return "fight"
    decides = situation.weeks_left <= 0 and swing > 0
    if decides and not defends and ratio >= LAST_WEEK_RATIO:
        return "fight"
    hold = character.hold * (1.0 - (1.0 - STAKE_HOLD_FACTOR) * want if defends else 1.0)
    if decides or ratio >= hold or not can_leave(situation, hex_):
        return "stand-off"
    return "withdraw"


def choose_doctrine(situation: Situation, character: Character, hex_: str) -> Doctrine:
    """Return the captains' doctrine for a battle at a hex.

    They fight to the end if nothing can leave or if the week decides the war. An outmatched force
    breaks off early; a hopelessly outmatched one flees at once.
    """
    system = situation.system_at.get(hex_)
    if system is not None:
        swing = situation.aims.score_swing(system.id, situation.superior)
    else:
        swing = 0.0
    if not can_leave(situation, hex_) or (situation.weeks_left <= 0 and swing > 0):
        return Doctrine(targets=character.targets, break_off=100)
    own_strength, enemy_total = situation.own_strength(hex_), all_enemies_strength(situation, hex_)
    if own_strength < enemy_total * FLEE_RATIO:
        return Doctrine(targets=character.targets, break_off=20, flee=True)
    if own_strength < enemy_total * OUTMATCHED_RATIO:
        return Doctrine(targets=character.targets, break_off=character.break_off // 2)
    return Doctrine(targets=character.targets, break_off=character.break_off)

"""Fight, stand off or withdraw, by what the scan says; and how the captains are to fight then."""

from __future__ import annotations

from campaign.rules.queries import side_of
from campaign.rules.scenario import Choice
from campaign.rules.view import Doctrine
from engine.core.dice import Dice
from umpire.admirals.character import Character, random_factor
from umpire.admirals.situation import Situation

DEFENDER_ATTACK_FACTOR = 0.95  # a defender fights a little sooner: his is the inner system
STALEMATE_ATTACK_FACTOR = 0.93  # and so does who has glared for a week
LAST_WEEK_RATIO = 0.45  # the ratio at which a week that decides the war is worth a battle
STAKE_HOLD_FACTOR = (
    0.85  # how much farther a defender holds on for each point of what is at stake, at most one
)
FLEE_RATIO = 0.35
OUTMATCHED_RATIO = 0.6


def enemy_strength(situation: Situation, hex_: str, toward: str) -> float:
    """The strength of a hostile faction and its allies at a hex: what this week's scan may hide,
    else an older one.
    """
    believed = situation.believed_strength(hex_, toward)
    return (
        believed
        if believed is not None
        else situation.scanned_strength(hex_, side_of(situation.scenario, toward)) or 0.0
    )


def all_enemies_strength(situation: Situation, hex_: str) -> float:
    """The strength of all who are hostile at a hex, in the same way."""
    now = {
        item.faction
        for item in situation.view.sightings
        if item.hex == hex_ and item.week == situation.view.week
    }
    sides = {
        side_of(situation.scenario, faction) for faction in now if situation.is_hostile(faction)
    }
    if not sides:
        return situation.scanned_strength(hex_) or 0.0
    return sum(enemy_strength(situation, hex_, side[0]) for side in sorted(sides))


def can_leave(situation: Situation, hex_: str) -> bool:
    """Whether anything of ours at a hex could withdraw."""
    return any(
        not ship.docked
        for stack in situation.stacks
        if stack.hex == hex_ and not stack.in_ftl and not stack.waiting
        for ship in stack.movers
    )


def holds_system(situation: Situation, hex_: str) -> bool:
    """Whether the admiral's side has the system at a hex, as far as known."""
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
    """The choice about a hostile faction at a hex.

    `again`: the two have been in contact since an earlier week.

    An attacker wants superiority before it fights; where it cannot tell it stands off, and goes
    when outmatched. A defender gives a system up the later the more is at stake there. In the last
    week only the result counts.
    """
    own_strength, enemy_total = (
        situation.own_strength(hex_),
        enemy_strength(situation, hex_, toward),
    )
    if own_strength <= 0:
        return "withdraw" if can_leave(situation, hex_) else "stand-off"
    if enemy_total <= 0:
        return "fight"
    ratio = own_strength / enemy_total * random_factor(dice, f"{hex_}/{toward}")
    system = situation.system_at.get(hex_)
    swing = situation.aims.score_swing(system.id, situation.superior) if system is not None else 0.0
    want = min(1.0, situation.aims.want[system.id]) if system is not None else 0.0
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
    """The doctrine of the captains at a hex where there is a battle.

    Where nothing can leave, or the week decides the war, they fight to the end. Who is outmatched
    breaks off early, or at once.
    """
    system = situation.system_at.get(hex_)
    swing = situation.aims.score_swing(system.id, situation.superior) if system is not None else 0.0
    if not can_leave(situation, hex_) or (situation.weeks_left <= 0 and swing > 0):
        return Doctrine(targets=character.targets, break_off=100)
    own_strength, enemy_total = situation.own_strength(hex_), all_enemies_strength(situation, hex_)
    if own_strength < enemy_total * FLEE_RATIO:
        return Doctrine(targets=character.targets, break_off=20, flee=True)
    if own_strength < enemy_total * OUTMATCHED_RATIO:
        return Doctrine(targets=character.targets, break_off=character.break_off // 2)
    return Doctrine(targets=character.targets, break_off=character.break_off)

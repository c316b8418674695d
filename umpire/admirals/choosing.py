"""Fight, stand off or withdraw, by what the scan says; and how the captains are to fight then."""

from __future__ import annotations

from campaign.rules.queries import side_of
from campaign.rules.scenario import Choice
from campaign.rules.view import Doctrine
from engine.core.dice import Dice
from umpire.admirals.character import Character, leaning
from umpire.admirals.picture import Picture

DRIVING_OFF = 0.95  # a defender fights a little sooner: his is the inner system
STALEMATE = 0.93  # and so does who has glared for a week
LAST_CHANCE = 0.45  # the ratio at which a week that decides the war is worth a battle
DEAR = 0.85  # how much farther a defender holds on for each point of what is at stake, at most one
HOPELESS = 0.35
OUTMATCHED = 0.6


def enemy_at(picture: Picture, hex_: str, toward: str) -> float:
    """The strength of a hostile faction and its allies at a hex: what this week's scan may hide,
    else an older one.
    """
    believed = picture.believed(hex_, toward)
    return (
        believed
        if believed is not None
        else picture.scanned(hex_, side_of(picture.scenario, toward)) or 0.0
    )


def enemies_at(picture: Picture, hex_: str) -> float:
    """The strength of all who are hostile at a hex, in the same way."""
    now = {
        item.faction
        for item in picture.view.sightings
        if item.hex == hex_ and item.week == picture.view.week
    }
    sides = {side_of(picture.scenario, faction) for faction in now if picture.hostile(faction)}
    if not sides:
        return picture.scanned(hex_) or 0.0
    return sum(enemy_at(picture, hex_, side[0]) for side in sorted(sides))


def can_leave(picture: Picture, hex_: str) -> bool:
    """Whether anything of ours at a hex could withdraw."""
    return any(
        not ship.docked
        for stack in picture.stacks
        if stack.hex == hex_ and not stack.in_ftl and not stack.waiting
        for ship in stack.movers
    )


def holds(picture: Picture, hex_: str) -> bool:
    """Whether the admiral's side has the system at a hex, as far as known."""
    system = picture.system_at.get(hex_)
    if system is None:
        return False
    known = picture.known[system.id]
    if known.superior is not None:
        return known.superior in picture.aims.side
    return known.holder is not None and known.holder in picture.aims.side


def choose(
    picture: Picture,
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
    own, enemy = picture.own_strength(hex_), enemy_at(picture, hex_, toward)
    if own <= 0:
        return "withdraw" if can_leave(picture, hex_) else "stand-off"
    if enemy <= 0:
        return "fight"
    ratio = own / enemy * leaning(dice, f"{hex_}/{toward}")
    system = picture.system_at.get(hex_)
    swing = picture.aims.swing(system.id, picture.superior) if system is not None else 0.0
    want = min(1.0, picture.aims.want[system.id]) if system is not None else 0.0
    defends = holds(picture, hex_)
    attack = character.attack * (STALEMATE if again else 1.0) * (DRIVING_OFF if defends else 1.0)
    if ratio >= attack:
        return "fight"
    decides = picture.weeks_left <= 0 and swing > 0
    if decides and not defends and ratio >= LAST_CHANCE:
        return "fight"
    hold = character.hold * (1.0 - (1.0 - DEAR) * want if defends else 1.0)
    if decides or ratio >= hold or not can_leave(picture, hex_):
        return "stand-off"
    return "withdraw"


def doctrine(picture: Picture, character: Character, hex_: str) -> Doctrine:
    """The doctrine of the captains at a hex where there is a battle.

    Where nothing can leave, or the week decides the war, they fight to the end. Who is outmatched
    breaks off early, or at once.
    """
    system = picture.system_at.get(hex_)
    swing = picture.aims.swing(system.id, picture.superior) if system is not None else 0.0
    if not can_leave(picture, hex_) or (picture.weeks_left <= 0 and swing > 0):
        return Doctrine(targets=character.targets, break_off=100)
    own, enemy = picture.own_strength(hex_), enemies_at(picture, hex_)
    if own < enemy * HOPELESS:
        return Doctrine(targets=character.targets, break_off=20, flee=True)
    if own < enemy * OUTMATCHED:
        return Doctrine(targets=character.targets, break_off=character.break_off // 2)
    return Doctrine(targets=character.targets, break_off=character.break_off)

"""Types of craft that fly in groups, one row each: how many fly together, how far, and what their dice do.

A group holds the id of its type. What modifies a type stands behind it, `standard+fast`: each word makes another row of
the one before it. The second edition has one type; the dice are a function, as those of weapons are, so that craft may
carry beams, cannon or torpedoes.
Rules: 2E "Fighters" [2e.fighters]; 2E "Fighter-to-fighter combat" [2e.dogfights]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from engine.core.dice import Dice
from engine.core.rolls import Effect, plain
from engine.systems.defences import BEAM_POINTS
from engine.weapons.point_defence import KILLS

# What one craft's fire does: the dice, what they are thrown for, whose at whom, the screens of what it fires at.
Fire = Callable[[Dice, str, str, int], Effect]


@dataclass(frozen=True, slots=True)
class CraftType:
    """A type of craft. `full`: craft of a full group; `speed`: MU a turn; `reach`: MU of its fire.

    `endurance`: how many turns a group can fight in before it has to go home, 0: as many as there are. `word`: what
    pages call it, "" for what is simply fighters.
    """

    type: str
    at_ships: Fire
    at_craft: Fire
    full: int = 6
    speed: float = 12.0
    reach: float = 6.0
    endurance: int = 0
    word: str = ""


Mod = Callable[[CraftType], CraftType]


def beam(dice: Dice, purpose: str, subject: str, screens: int) -> Effect:
    """A die read as a beam's against screens. Rules: 2E "Fighter attacks" [2e.fighters]"""
    die = dice.roll(purpose, subject)
    return Effect((die,), damage_types=plain(BEAM_POINTS[screens][die]))


def guns(dice: Dice, purpose: str, subject: str, _screens: int) -> Effect:
    """A die that takes craft as point defence does. Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]"""
    die = dice.roll(purpose, subject)
    return Effect((die,), craft=KILLS[die])


STANDARD = CraftType("standard", beam, guns)

_TYPES: dict[str, CraftType] = {STANDARD.type: STANDARD}
_MODS: dict[str, Mod] = {}


def craft_type(name: str) -> CraftType:
    """The row of a type by its id, with what modifies it. Raises KeyError where there is none."""
    if name in _TYPES:
        return _TYPES[name]
    first, *mods = name.split("+")
    row = _TYPES[first]
    for mod in mods:
        row = _MODS[mod](row)
    return row


@contextmanager
def registered(*types: CraftType, **mods: Mod) -> Iterator[None]:
    """There are these types of craft, and what modifies them, for a while. Raises ValueError where a name is taken."""
    taken = [row.type for row in types if row.type in _TYPES] + [name for name in mods if name in _MODS]
    if taken:
        raise ValueError(f"there are such craft already: {', '.join(taken)}")
    _TYPES.update({row.type: row for row in types})
    _MODS.update(mods)
    try:
        yield
    finally:
        for row in types:
            del _TYPES[row.type]
        for name in mods:
            del _MODS[name]

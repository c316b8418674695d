"""Who comes first: the side with more on the table, equal numbers by a die each.

Rules: 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.dice import Dice

Rolls = list[tuple[str, int]]


def ranked(numbers: Mapping[int, int], names: tuple[str, ...], dice: Dice, rolls: Rolls) -> list[int]:
    """Sides by what they have, most first; equal ones by a die each in file order. The dice are added to `rolls`.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    order: list[int] = []
    for number in sorted(dict.fromkeys(numbers.values()), reverse=True):
        order += dice_off([side for side in sorted(numbers) if numbers[side] == number], names, dice, rolls)
    return order


def dice_off(sides: list[int], names: tuple[str, ...], dice: Dice, rolls: Rolls) -> list[int]:
    """Sides by a die each, high first, ties among themselves again."""
    if len(sides) == 1:
        return sides
    thrown = {side: dice.roll("initiative", names[side]) for side in sides}
    rolls += [(names[side], die) for side, die in thrown.items()]
    order: list[int] = []
    for die in range(6, 0, -1):
        tied = [side for side in sides if thrown[side] == die]
        if tied:
            order += dice_off(tied, names, dice, rolls)
    return order

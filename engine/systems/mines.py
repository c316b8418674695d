"""Minelayers, bought with their three mines, and the sweepers that clear them."""

from __future__ import annotations

from engine.dice import Dice
from engine.ruleset import SystemSpec
from engine.systems.screens import beam_points

MINE_WARFARE = (
    SystemSpec("minelayer", "", "Minelayer with three mines", 3, 10, "2e.mines", expendable=True),
    SystemSpec("minesweeper", "", "Minesweeping system", 5, 20, "2e.mines"),
)

LAYER, SWEEPER = "minelayer", "minesweeper"
REACH = 3.0  # MU, of a mine and of a minesweeper
MINE_DICE = 2
MINES_EACH = 3  # in a minelayer

# What a minesweeper's die does to a mine.
DETONATES, MISSED, SWEPT = "detonates", "missed", "swept"
SWEEPING: tuple[str, ...] = ("", DETONATES, MISSED, SWEPT, SWEPT, SWEPT, SWEPT)


def warhead(level: int, dice: Dice, subject: str) -> tuple[tuple[int, ...], int]:
    """A mine's two dice against screens of a level, read like a beam's: the dice and the damage points.

    Rules: 2E "Mines" [2e.mines]
    """
    thrown = tuple(dice.roll("mine", subject) for _ in range(MINE_DICE))
    points = beam_points(level)
    return thrown, sum(points[die] for die in thrown)

"""A captain's post: what he was told, his dice and the little he remembers, whatever rulebook he fights by."""

from __future__ import annotations

from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.orders import Plot


class Post:
    """`doctrine`: how he is to fight. `dice`: his own random stream. `fleeing`: the turns his side has fled.

    `plotted`: what he has just ordered his ships to do, which says what else they can.
    """

    __slots__ = ("dice", "doctrine", "fleeing", "plotted")

    def __init__(self, doctrine: Doctrine, dice: Dice, fleeing: int = 0) -> None:
        self.doctrine = doctrine
        self.dice = dice
        self.fleeing = fleeing
        self.plotted: dict[str, Plot] = {}

"""The further words of a captain's plots: turrets, settings, hot tubes, charges, cloaks and fields.

Rules: Continuum "Orders" 3.5 [pc.movement]
"""

from __future__ import annotations

from dataclasses import replace

from engine.captains.courses import Option
from engine.captains.doctrine import Doctrine
from engine.captains.marks import Mark
from engine.captains.settings import weapon_words
from engine.captains.veiling import defence_words
from engine.orders import HOLD, Plot
from engine.state import BattleState, ShipState


def worded(state: BattleState, ship: ShipState, option: Option, marks: list[Mark], doctrine: Doctrine) -> Plot:
    """A ship's plot: its move and whatever else is to be ordered for where that takes it."""
    also = (
        *weapon_words(state, ship, option, marks, doctrine.never),
        *defence_words(state, ship, option, marks, doctrine.never),
    )
    if not also:
        return option.plot()
    return replace(option.plot() if option.moves() else HOLD, also=also)

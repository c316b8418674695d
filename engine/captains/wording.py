"""The further words of a captain's plots: turrets, settings, hot tubes, charges, cloaks and fields.

Rules: Continuum "Orders" 3.5 [pc.movement]
"""

from __future__ import annotations

from dataclasses import replace

from engine.captains.courses import Option
from engine.captains.marks import Mark
from engine.captains.settings import weapon_words
from engine.captains.veiling import defence_words
from engine.core.orders import Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState


def worded(state: BattleState, ship: ShipState, option: Option, marks: list[Mark], never: tuple[str, ...]) -> Plot:
    """A ship's plot: its move and whatever else is to be ordered for where that takes it."""
    further = (
        *option.further,
        *weapon_words(state, ship, option, marks, never),
        *defence_words(state, ship, option, marks, never),
    )
    return replace(option.plot(), further=further) if further else option.plot()

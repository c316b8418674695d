"""The words that a ship could use in its plot now, by what its side knows and by the rules.

A word's values (`engine.core.slots`) are reduced to those that the engine accepts; a word that it
accepts in no plot is not offered. A ship can use a word if it can do so alone, while changing
velocity by its full thrust, or while detaching from the ship that carries it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.continuum.riders import Detach
from engine.core.kinds import CARRIED
from engine.core.orders import HOLD, MAIN_DRIVE, FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.core.slots import EachOf, Number, OneOf, Slot, SomeOf
from engine.core.state import BattleState
from engine.order_requests.plot import plot_faults
from engine.ruleset import rules_of


def can_plot(state: BattleState, ship: ShipState, plot: Plot) -> bool:
    """Return whether a ship could carry out a plot alone, with full thrust, or detaching."""
    if ship.status == CARRIED and plot.find(Detach) is None:
        plot = replace(plot, further=(*plot.further, Detach()))
    if not plot_faults(state, ship, plot):
        return True
    _, full_thrust = rules_of(ship.sheet.edition).limits(state, ship)
    if not full_thrust:
        return False
    if ship.drift is not None:
        return not plot_faults(state, ship, replace(plot, burns=((MAIN_DRIVE, full_thrust),)))
    faster = replace(plot, thrust=full_thrust)
    slower = replace(plot, thrust=-min(full_thrust, ship.velocity))
    return not plot_faults(state, ship, faster) or not plot_faults(state, ship, slower)


def possible_slots(
    state: BattleState, ship: ShipState, kind: type[FurtherOrder]
) -> tuple[Slot, ...] | None:
    """Return what may follow a word in this ship's plot, with the possible values.

    The result is empty for a word without values, and None if the ship cannot use the word.
    """
    slots = kind.slots(state, ship)
    if slots:
        first, *others = slots
        if isinstance(first, Number) and first.most < max(first.least, 1):
            return None
        reduced_first = _reduce_slot(state, ship=ship, kind=kind, slot=first, after=others)
        slots = (reduced_first, *others)
    words = _sample(slots)
    if words is None:
        return None
    if slots and isinstance(slots[0], EachOf):
        return slots
    if can_plot(state, ship, Plot(further=(kind.parse(words),))):
        return slots
    return None


def _reduce_slot(
    state: BattleState, ship: ShipState, kind: type[FurtherOrder], slot: Slot, after: Sequence[Slot]
) -> Slot:
    """Return a word's first slot with only the values that the rules accept."""
    rest = _sample(after) or []
    if isinstance(slot, OneOf | SomeOf):
        values = []
        for value in slot.values:
            if _is_accepted(state, ship, kind, [value, *rest]):
                values.append(value)
        return replace(slot, values=tuple(values))
    if isinstance(slot, EachOf):
        settings = []
        for setting in slot.settings:
            accepted = []
            for value in setting.values:
                words = [setting.system, value]
                if value == setting.now or _is_accepted(state, ship, kind, words):
                    accepted.append(value)
            if len(accepted) > 1:
                settings.append(replace(setting, values=tuple(accepted)))
        return EachOf(tuple(settings))
    return slot


def _is_accepted(
    state: BattleState, ship: ShipState, kind: type[FurtherOrder], words: list[str]
) -> bool:
    """Return whether a ship that otherwise holds its course may be given a word's values."""
    order = kind.parse(words)
    return not order.fault(state, ship, replace(HOLD, further=(order,)))


def _sample(slots: Iterable[Slot]) -> list[str] | None:
    """Return one possible value for each slot; None if a slot has none."""
    words: list[str] = []
    for slot in slots:
        match slot:
            case OneOf(_, values, bare):
                if not values and not bare:
                    return None
                words += values[:1]
            case SomeOf(_, values, _):
                if not values:
                    return None
                words.append(values[0])
            case Number(_, least, most, signed):
                words.append("+1" if signed else str(max(least, min(most, 1))))
            case EachOf(settings):
                if not settings:
                    return None
    return words

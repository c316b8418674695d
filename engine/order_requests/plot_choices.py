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
    _, main = rules_of(ship.sheet.edition).limits(state, ship)
    if not main:
        return False
    if ship.drift is not None:
        return not plot_faults(state, ship, replace(plot, burns=((MAIN_DRIVE, main),)))
    return any(
        not plot_faults(state, ship, replace(plot, thrust=by))
        for by in (main, -min(main, ship.velocity))
    )


def possible_slots(
    state: BattleState, ship: ShipState, kind: type[FurtherOrder]
) -> tuple[Slot, ...] | None:
    """Return what may follow a word in this ship's plot, with the possible values.

    The result is empty for a word without values, and None if the ship cannot use the word.
    """
    slots = kind.slots(state, ship)
    if any(isinstance(slot, Number) and slot.most < max(slot.least, 1) for slot in slots[:1]):
        return None
    reduced = (
        tuple(
            _reduce_slot(state, ship=ship, kind=kind, slot=slot, after=slots[1:])
            for slot in slots[:1]
        )
        + slots[1:]
    )
    words = _sample(reduced)
    if words is None or (reduced and isinstance(reduced[0], EachOf)):
        if words is not None:
            return reduced
        return None
    if can_plot(state, ship, Plot(further=(kind.parse(words),))):
        return reduced
    return None


def _reduce_slot(
    state: BattleState, ship: ShipState, kind: type[FurtherOrder], slot: Slot, after: Sequence[Slot]
) -> Slot:
    """Return a word's first slot with only the values that the rules accept."""
    rest = _sample(after) or []
    if isinstance(slot, OneOf | SomeOf):
        return replace(
            slot,
            values=tuple(
                item for item in slot.values if _is_accepted(state, ship, kind, [item, *rest])
            ),
        )
    if isinstance(slot, EachOf):
        settings = []
        for item in slot.settings:
            values = tuple(
                value
                for value in item.values
                if value == item.now or _is_accepted(state, ship, kind, [item.system, value])
            )
            if len(values) > 1:
                settings.append(replace(item, values=values))
        return EachOf(tuple(settings))
    return slot


def _is_accepted(
    state: BattleState, ship: ShipState, kind: type[FurtherOrder], words: list[str]
) -> bool:
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

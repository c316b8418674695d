"""What a ship could say in its plot now, word by word: by what its side knows, and as the rules
judge it.

What belongs to a word (`engine.core.slots`) keeps only what the engine takes; a word that it takes
in no plot is not offered. A ship can say a word if it can so alone, or as it speeds up or slows
down by all its thrust, or as it detaches from who carries it.
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
    """Whether a ship could carry out a plot as it is, with all its thrust ahead or back besides, or
    as it detaches.
    """
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
    """What belongs after a further word in the plot of this ship, each with what it may be now;
    nothing for a word that stands alone. None where the ship cannot say the word.
    """
    slots = kind.slots(state, ship)
    if any(isinstance(slot, Number) and slot.most < max(slot.least, 1) for slot in slots[:1]):
        return None
    reduced = (
        tuple(_reduce_slot(state, ship, kind, slot, slots[1:]) for slot in slots[:1]) + slots[1:]
    )
    words = _sample(reduced)
    if words is None or (reduced and isinstance(reduced[0], EachOf)):
        return reduced if words is not None else None
    return reduced if can_plot(state, ship, Plot(further=(kind.parse(words),))) else None


def _reduce_slot(
    state: BattleState, ship: ShipState, kind: type[FurtherOrder], slot: Slot, after: Sequence[Slot]
) -> Slot:
    """A word's first slot with what of it the rules take."""
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
    """The words of one thing that slots could hold; None where one of them could hold nothing."""
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

"""Decides whether a battle file uses the boarding rules without naming the option.

Rules: Continuum "Boarding enemy ships" 12.7 [pc.boarding]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.continuum.boarding_orders import BoardAlongside
from engine.core.edition import Edition
from engine.craft.fighters import SHUTTLES
from engine.notation.reading import ship_entries
from engine.weapons.registry import types_with
from engine.weapons.weapon import Trait

ABOARD = ("boarders", "crew")  # keys of a ship that put people aboard it
LANDING_KEYS = ("marines", "parties")
BOARDED_KEYS = ("repel", "marines")  # keys at damage control that only a boarded ship uses


def agrees_on_boarding(document: Mapping[object, object]) -> bool:
    """Return whether a battle file sends people aboard a ship, or has some aboard already.

    That is so if a ship starts with boarders, or with marines in addition to its design, or if any
    part of a turn's orders sends people: a plot, a transporter beam, a boarding torpedo, assault
    shuttles, or orders to boarders.

    The document is not validated yet, so parts of an unexpected shape count as no boarding.
    """
    for _, ship in ship_entries(document):
        if any(key in ship for key in ABOARD):
            return True
    return any(_has_boarding(turn) for turn in _items(document.get("turns")))


def _has_boarding(turn: Any) -> bool:
    """Return whether any part of a turn's orders sends people aboard or orders boarders."""
    if not isinstance(turn, Mapping):
        return False
    if "board" in turn or any(_plots_boarding(plot) for plot in _by_name(turn.get("plot"))):
        return True
    for part in ("engage", "attack"):
        for entries in _by_name(turn.get(part)):
            if any(_sends(entry) for entry in _items(entries)):
                return True
    return any(_is_boarded(control) for control in _by_name(turn.get("control")))


def _is_boarded(control: Any) -> bool:
    """Return whether a ship's damage control is that of a boarded ship."""
    return isinstance(control, Mapping) and any(key in control for key in BOARDED_KEYS)


def _plots_boarding(plot: Any) -> bool:
    """Return whether a plot has an order to board."""
    if not isinstance(plot, str):
        return False
    return any(part.split()[:1] == [BoardAlongside.word()] for part in plot.lower().split(";"))


def _sends(entry: Any) -> bool:
    """Return whether an entry fires a weapon that lands people, or says how many go."""
    if not isinstance(entry, Mapping):
        return False
    if any(key in entry for key in LANDING_KEYS):
        return True
    weapon = str(entry.get("weapon", ""))
    if weapon == SHUTTLES.name:
        return True
    type_ = weapon.rpartition("-")[0]
    return not entry.get("mode") and type_ in types_with(Edition.CONTINUUM, Trait.SHIPS_ALONE)


def _items(value: Any) -> Iterator[Any]:
    """Yield the items of a list; nothing of another value."""
    yield from value if isinstance(value, (list, tuple)) else ()


def _by_name(value: Any) -> Iterator[Any]:
    """Yield the orders of each ship from a mapping, or from pairs of a name and orders."""
    if isinstance(value, Mapping):
        yield from value.values()
    for row in _items(value):
        if isinstance(row, (list, tuple)) and row:
            yield row[-1]

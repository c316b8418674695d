"""Refit: a system of a ship is set or loaded otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.orders.order import Judging, Order, OwnForces, Wording, ships_limit, tables
from campaign.rules.orders import Orders, Rearming
from campaign.rules.rearming import apply_rearming, rearm_violations, settings_of, type_of
from campaign.rules.view import View
from engine.core.errors import Violation
from engine.core.phrase import phrase
from engine.english import system_words

MOST_REFITS = 20  # of a ship


class RefitOrder(Order):
    """The refits of a week."""

    key = "refit"
    value = Rearming
    about = ("ship", "ship")
    ship_names = ("ship",)

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items, key=lambda item: (item.ship, item.system, item.setting)))

    def limit(self, view: View) -> int:
        return ships_limit(view) * MOST_REFITS

    def judge(self, judging: Judging) -> list[Violation]:
        refits = self.items(judging.orders)
        return rearm_violations(judging.scenario, judging.view, refits, judging.fleets, judging.ships)

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        own.ships = apply_rearming(own.classes, own.ships, self.items(orders))

    def words(self, about: Wording, items: Sequence[Any]) -> list[str]:
        return [rearm_words(about.named(item.get("ship")), item) for item in tables(items)]


def rearm_words(name: str, item: Mapping[str, Any]) -> str:
    """Return a refit of a ship in a line."""
    system, setting = str(item.get("system")), str(item.get("setting", ""))
    done = phrase("set to") if settings_of(type_of(system)) else phrase("loaded with")
    return phrase("{}: {} is {} {}", name, system_words(system), done, setting) if setting else _undone(name, system)


def _undone(name: str, system: str) -> str:
    done = phrase("set") if settings_of(type_of(system)) else phrase("loaded")
    return phrase("{}: {} is {} as in its class", name, system_words(system), done)


REFIT = RefitOrder()

"""Tow: a tug has exactly the ships named in tow from now on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from campaign.orders.order import Judging, Order, OwnForces, Wording, count_entries, listed, ships_limit, tables
from campaign.orders.ships_named import named_ship
from campaign.rules.orders import Orders, Tow
from campaign.rules.own_keys import page_id
from campaign.rules.towing import apply_tow, hold_tows, tow_violations
from campaign.rules.view import View
from engine.core.errors import Violation
from engine.core.phrase import joined_phrases, phrase


class TowOrder(Order):
    """The tows of a week: a tug that is not named keeps what it has."""

    key = "tow"
    value = Tow
    about = ("ship", "tug")
    ship_names = ("tug", "ships")

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        sorted_ships = (replace(item, ships=tuple(sorted(item.ships))) for item in items)
        return tuple(sorted(sorted_ships, key=lambda item: (item.tug, item.ships)))

    def limit(self, view: View) -> int:
        return ships_limit(view)

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        yield self.key, count_entries(items, "ships"), 2 * ships_limit(view)

    def judge(self, judging: Judging) -> list[Violation]:
        tows = self.items(judging.orders)
        faults = tow_violations(judging.scenario, tows, judging.ships)
        judging.ships = apply_tow(judging.ships, tows)
        if not faults:
            judging.ships, _ = hold_tows(judging.classes, judging.ships)
        if judging.detach_faulty:
            return [fault for fault in faults if fault.code != "not-together"]
        return faults

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        own.ships, _ = hold_tows(own.classes, apply_tow(own.ships, self.items(orders)))

    def words(self, about: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            towed = joined_phrases(", ", (about.named(key) for key in listed(item.get("ships"))))
            done = phrase("has {} in tow", towed) if towed else phrase("casts off its tow")
            lines.append(f"{about.named(item.get('tug'))} " + done)
        return lines

    def anchor(self, item: object, number: int, rest: str) -> str:
        ship = named_ship(item, rest)
        return page_id("ship", ship) if ship is not None else super().anchor(item, number, rest)


TOW = TowOrder()

"""Set up: where a faction's ships begin a battle that captains fight, or that is fought at a table.

It is ordered with the doctrines of the battles stage. Ships without a place begin where their
captain proposes.

Rules: Continuum "Deployment" 18.1 [pc.deployment] [camp.table-set-up]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.kinds import StageKind
from campaign.orders.order import SPARE_ORDERS, Order, OrderContext, Wording, tables
from campaign.rules.orders import BattleSetUp, Orders
from campaign.rules.own_keys import page_id
from campaign.rules.set_up_sheets import known_file, place_faults, sheet_at
from campaign.rules.view import View
from engine.core.errors import Violation, fault_path
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason

FORMATIONS = (
    ("ranks", phrase("ranks")),
    ("line", phrase("line")),
    ("column", phrase("column")),
    ("wedge", phrase("wedge")),
    ("screen", phrase("escorts ahead as a screen")),
)


class SetUpOrder(Order):
    """The set-ups of a faction's battles this week."""

    key = "set_up"
    is_listed_separately = True
    value = BattleSetUp
    stages = (StageKind.BATTLES,)
    title = phrase("Set-up")
    help = phrase(
        "Before a battle you can place your ships in your zone: position, course and velocity. "
        "If your fleet came this week, you can also hold ships back in FTL until a later turn. "
        "Ships that you do not place begin where your captain proposes, in the formation that "
        "you choose. The enemy sees your set-up only when the battle begins.",
    )

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items, key=lambda item: item.hex))

    def limit(self, view: View) -> int:
        return len(view.fighting) + SPARE_ORDERS

    def judge(self, context: OrderContext) -> list[Violation]:
        faults: list[Violation] = []
        hexes: set[str] = set()
        for n, item in enumerate(self.items(context.orders)):
            where = fault_path(self.key, n)
            if item.hex in hexes:
                words = reason("battle-set-up-twice", "the battle in {} is set up twice", item.hex)
                faults.append(Violation(f"{where}.hex", "twice", words))
            hexes.add(item.hex)
            faults += _battle_faults(context, item, where)
        return faults

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            place = wording.place(item.get("hex"))
            formation = item.get("formation")
            if formation:
                words = dict(FORMATIONS).get(str(formation)) or str(formation)
                lines.append(phrase("At {}: formation {}", place, words))
            ships = item.get("ships")
            for key, entry in ships.items() if isinstance(ships, dict) else ():
                if isinstance(entry, dict):
                    name = wording.name_of(key)
                    lines.append(phrase("At {}: {} begins {}", place, name, place_words(entry)))
        return lines

    def anchor(self, item: object, number: int, rest: str) -> str:
        if not isinstance(item, dict):
            return ""
        ships = item.get("ships")
        for key in ships if isinstance(ships, dict) else ():
            spot = f"ships.{key}"
            if rest == spot or rest.startswith(f"{spot}."):
                return set_up_anchor(key)
        return set_up_anchor(item.get("hex"))


def set_up_anchor(key: object) -> str:
    """Return the id of the page element for a ship's place, or for the battle in a hex."""
    return page_id("set-up", key)


def _battle_faults(context: OrderContext, item: BattleSetUp, where: str) -> list[Violation]:
    """Return the faults of the set-up for one battle."""
    if item.hex not in context.view.fighting:
        words = reason("no-battle-there", "you have no battle in {} this week", item.hex)
        return [Violation(f"{where}.hex", "not-fighting", words)]
    sheet = sheet_at(context.view, item.hex)
    if sheet is None:
        words = reason("battle-without-set-up", "ships cannot be set up for this battle")
        return [Violation(where, "not-now", words)]
    file = known_file(context.scenario, context.view, sheet)
    return place_faults(file, item.ships, f"{where}.ships")


def without_faulty_places(orders: Orders, faults: Sequence[Violation]) -> Orders | None:
    """Return orders without the ships whose places have faults; None if others have faults too."""
    faulty: set[tuple[int, str]] = set()
    for fault in faults:
        number, ship = _ship_of_fault(orders, fault.where)
        if not ship:
            return None
        faulty.add((number, ship))
    items = []
    for number, item in enumerate(orders.set_up):
        ships = {key: place for key, place in item.ships.items() if (number, key) not in faulty}
        items.append(replace(item, ships=ships))
    return replace(orders, set_up=tuple(items))


def _ship_of_fault(orders: Orders, where: str) -> tuple[int, str]:
    """Return the number of the set-up and the ship whose place has a fault; "" if it is none."""
    for number, item in enumerate(orders.set_up):
        for key in item.ships:
            spot = f"{fault_path('set_up', number)}.ships.{key}"
            if where == spot or where.startswith(f"{spot}."):
                return number, key
    return 0, ""


def place_words(entry: Mapping[str, Any]) -> str:
    """Return the text of a place that was chosen; its values may have any type."""
    at = entry.get("at")
    parts = []
    if isinstance(at, list):
        parts.append(phrase("at {}", ", ".join(map(str, at))))
    if "course" in entry:
        parts.append(phrase("on course {}", entry["course"]))
    if "velocity" in entry:
        parts.append(phrase("at velocity {}", entry["velocity"]))
    if "ftl_entry" in entry:
        parts.append(phrase("out of FTL in turn {}", entry["ftl_entry"]))
    for key in entry:
        if key not in ("at", "course", "velocity", "ftl_entry"):
            parts.append(f"{key} {entry[key]}")
    return join_phrases(", ", parts)


SET_UP = SetUpOrder()

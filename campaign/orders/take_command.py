"""Take command: who commands a battle that a meeting may lead to, the captain or the player.

It is ordered with the decisions, if the war lets players take command. The umpire then opens the
battle online for the factions that do; captains fight for all others.

Rules: none; the campaign rules leave open who moves the ships of a battle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from campaign.kinds import StageKind
from campaign.orders.line import Line
from campaign.orders.order import SPARE_ORDERS, Order, OrderContext, Wording, tables
from campaign.rules.orders import OrderValue
from campaign.rules.own_keys import page_id
from campaign.rules.view import View
from engine.core.errors import Violation, fault_path
from engine.core.phrase import phrase
from engine.core.reason import reason

CAPTAIN = "captain"
PLAYER = "player"
COMMANDERS = (
    (CAPTAIN, phrase("the captain fights")),
    (PLAYER, phrase("you take command")),
)


@dataclass(frozen=True, slots=True)
class TakeCommand(OrderValue):
    """Who commands the faction's ships in a battle at a hex this week."""

    hex: str
    by: Literal["captain", "player"]


class TakeCommandOrder(Order):
    """Who commands the battles that the week's meetings may lead to."""

    key = "take_command"
    is_listed_separately = True
    value = TakeCommand
    stages = (StageKind.DECISIONS,)
    lines = (Line("command", "command HEX captain|player", ("hex", "by")),)
    title = phrase("Take command")
    help = phrase(
        "If the war allows it, you choose for each meeting who commands your ships if there is a "
        "battle. Your captain fights by the doctrine of your fleets. If you take command, the "
        "battle is fought online, turn by turn, and every captain of a side that does not command "
        "orders at once. You can leave the rest of a battle to your captain, or take over from "
        "the captain, in any phase. Nobody learns your choice before the battle begins.",
    )

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(items, key=lambda item: (item.hex, item.by)))

    def limit(self, view: View) -> int:
        return len(view.open_decisions) + SPARE_ORDERS

    def judge(self, context: OrderContext) -> list[Violation]:
        meeting_hexes = {item.hex for item in context.view.open_decisions}
        faults: list[Violation] = []
        hexes: set[str] = set()
        for n, item in enumerate(self.items(context.orders)):
            where = fault_path(self.key, n, "hex")
            if item.hex not in meeting_hexes:
                words = reason("command-no-meeting", "you have met nobody in {}", item.hex)
                faults.append(Violation(where, "not-asked", words))
            elif item.hex in hexes:
                words = reason(
                    "command-twice", "who commands the battle in {} is given twice", item.hex
                )
                faults.append(Violation(where, "twice", words))
            hexes.add(item.hex)
        return faults

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            by = str(item.get("by"))
            words = dict(COMMANDERS).get(by) or by
            place = wording.place(item.get("hex"))
            lines.append(phrase("If there is a battle at {}: {}", place, words))
        return lines

    def anchor(self, item: object, number: int, rest: str) -> str:
        if isinstance(item, dict):
            return command_anchor(item.get("hex"))
        return ""


def command_anchor(hex_: object) -> str:
    """Return the id of the page element for who commands the battle in a hex."""
    return page_id("command", hex_)


TAKE_COMMAND = TakeCommandOrder()

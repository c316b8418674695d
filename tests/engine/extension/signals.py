"""A toy phase and option in one file: ships may hoist a flag between moving and firing.

`{"signals": {"r1": "hoist red"}}`. With the option `white-flags` a ship that hoists a white one
ceases fire this turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest
from typing_extensions import override

from engine.core.errors import Violation
from engine.core.ids import ShipId
from engine.core.kinds import FIGHTING
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import Option
from engine.events.event import Audience, Event, Open, ShipRef
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.order_requests.base import UnitOrderRequest
from engine.ruleset import ROWS, rules_of
from engine.sequences import Phase
from engine.sequences import Sequence as Turn

COLOURS = ("red", "white")
WHITE_FLAGS = "white-flags"


@dataclass(frozen=True, slots=True)
class Hoisted(Event):
    """A ship hoisted a flag; only its own side knows its meaning."""

    kind: ClassVar[str] = "hoisted"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    colour: Open[str]
    meaning: str

    @override
    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).holds_fire = self.meaning == "ceases fire"


class SignalAsk(UnitOrderRequest[str]):
    """A flag by ship."""

    key = "signals"
    title = "signals"
    task = "Run up your flags"

    @override
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> dict[str, str]:
        data = document.get(self.key, {})
        found: dict[str, str] = {}
        for name, text in data.items() if isinstance(data, Mapping) else ():
            word, _, colour = str(text).partition(" ")
            if name not in names.ships:
                reader.fault(
                    f"{where}{self.key}.{name}", "unknown-ship", f"no ship has the id '{name}'"
                )
            elif word != "hoist" or colour not in COLOURS:
                reader.fault(
                    f"{where}{self.key}.{name}", "unknown-flag", f"flags are {', '.join(COLOURS)}"
                )
            else:
                found[name] = colour
        return found

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, str], where: str, *, sound: bool
    ) -> list[Violation]:
        return [
            Violation(f"{where}{self.key}.{name}", "no-mast", f"{name} has no mast left")
            for name in orders
            if state.ship_by_name(name).damage
        ]

    @override
    def to_entry(self, one: str) -> Any:
        return f"hoist {one}"

    @override
    def suggest(self, captain: Any, view: Any) -> dict[str, str]:
        return {
            ship.id: "red" for ship in view.own_ships if ship.status == FIGHTING and not ship.damage
        }


SIGNALS = SignalAsk()


def signal(table: Table, flags: Mapping[str, str]) -> None:
    """Hoist every flag that was ordered."""
    for name, colour in sorted(flags.items()):
        ceases = colour == "white" and WHITE_FLAGS in table.state.terms.options
        table.state.ship_by_name(name).holds_fire = ceases
        table.tell(Hoisted, ShipId(name), colour, "ceases fire" if ceases else "greets")


def in_use(patch: pytest.MonkeyPatch) -> None:
    """Add the phase after the plot of the second edition, and its option."""
    rules = rules_of("second-edition")
    first, *others = rules.sequence.phases
    turn = Turn((first, Phase(SIGNALS, signal), *others), rules.sequence.finish)
    option = Option(WHITE_FLAGS, "White flags", "A ship under a white flag ceases fire.", "nowhere")
    patch.setitem(
        ROWS, rules.edition, replace(rules, sequence=turn, choices=(*rules.choices, option))
    )

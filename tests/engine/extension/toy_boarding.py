"""A toy phase that hands ships over: after the plot a ship may board a hostile one near it at once.

`{"seize": {"r1": "b1"}}`, with the names that the boarder's side uses. It needs no dice: it tests
who commands whom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from typing_extensions import override

from engine.combat.capture import take_over
from engine.core.errors import Violation
from engine.core.geometry import is_within
from engine.core.state import BattleState
from engine.core.table import Table
from engine.notation.fire import FireNames
from engine.notation.reading import Reader
from engine.order_requests.base import UnitOrderRequest
from engine.ruleset import ROWS, rules_of
from engine.sequences import Phase
from engine.sequences import Sequence as Turn

NEAR_BY = 6.0  # MU


class BoardAsk(UnitOrderRequest[str]):
    """The ship to be boarded, by the boarder."""

    key = "seize"
    title = "boarding"
    task = "Send boarders"

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
        for name, prey in data.items() if isinstance(data, Mapping) else ():
            if name not in names.ships:
                reader.fault(
                    f"{where}{self.key}.{name}", "unknown-ship", f"no ship has the id '{name}'"
                )
            elif prey not in names.targets:
                reader.fault(
                    f"{where}{self.key}.{name}", "unknown-target", f"nothing is called '{prey}'"
                )
            else:
                found[name] = names.targets[prey]
        return found

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, str], where: str, *, sound: bool
    ) -> list[Violation]:
        return [
            Violation(f"{where}{self.key}.{name}", "no-prize", f"{name} cannot board {prey}")
            for name, prey in orders.items()
            if not can_board(state, name, prey)
        ]

    @override
    def to_entry(self, one: str) -> Any:
        return one

    @override
    def suggest(self, captain: Any, view: Any) -> dict[str, str]:
        return {}


BOARDINGS = BoardAsk()


def can_board(state: BattleState, name: str, prey: str) -> bool:
    ship, other = state.ship_by_name(name), state.ship_by_name(prey)
    hostile = state.hostile[ship.commander] >> other.commander & 1
    return bool(hostile) and is_within((ship.x - other.x) ** 2 + (ship.y - other.y) ** 2, NEAR_BY)


def board(table: Table, orders: Mapping[str, str]) -> None:
    """Put the boarded ship under the boarder's side from now on."""
    for name, prey in sorted(orders.items()):
        if can_board(table.state, name, prey):
            take_over(
                table,
                table.state.ship_by_name(prey),
                table.state.ship_by_name(name).commander,
                "boarded",
            )


def in_use(patch: pytest.MonkeyPatch) -> None:
    """Add the phase after the plot, in either edition."""
    for edition in ("second-edition", "continuum"):
        rules = rules_of(edition)
        first, *others = rules.sequence.phases
        turn = Turn((first, Phase(BOARDINGS, board), *others), rules.sequence.finish)
        patch.setitem(ROWS, rules.edition, replace(rules, sequence=turn))

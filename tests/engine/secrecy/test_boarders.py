"""A third side learns nothing of boarders on a ship that it has not identified.

The worlds differ only in their number; all that green sees, and its advice and decisions, must be
equal, and inserted leaks are found.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import stops
from engine.battle import start
from engine.captains.common.doctrine import Doctrine
from engine.events import boarding
from engine.known_battle import known_battle
from engine.view.side_log import side_log
from engine.view.side_view import Contact, observe
from tests.engine.control.hulls import design, ship
from tests.engine.secrecy.worlds import ContactDice

pytestmark = pytest.mark.rule("pc.boarding")
RED, BLUE, GREEN = 0, 1, 2
FEW_BOARDERS, MANY_BOARDERS = {"marines": 2}, {"marines": 4, "parties": 2}
HULL = design("beam:2", boxes=36, mass=120)


def read_by(side: int, aboard: dict[str, int]) -> str:
    """Return all that a side knows in two turns with so many of blue's boarders on red's ship."""
    sides = [
        {"name": "red", "ships": [ship("n1", hull=HULL, contact="q", boarders={"blue": aboard})]},
        {"name": "blue", "ships": [ship("e1", 90, 90, contact="y")]},
        {"name": "green", "ships": [ship("g1", 90, 10, contact="x")]},
    ]
    battle = start({"edition": "continuum", "table": [120, 120], "bogeys": True, "sides": sides})
    dice, records, seq = ContactDice("aboard", battle.state), [], 0
    while battle.turn < 3:
        side_battle, stop = known_battle(battle, side), battle.state.stop
        advice = stops.advise(side_battle, side, Doctrine(), "seed")
        faults = stops.read_orders(
            side_battle, side, {stop: {}, "board": {"q": {"at_marines": 1}}}
        )[1]
        records += [
            observe(battle.state, side).to_json(),
            side_battle.to_json(),
            advice,
            stops.awaited_sides(battle),
        ]
        records.append([(fault.where, fault.code, fault.message) for fault in faults])
        before = battle.state
        battle, resolved = stops.resolve_documents(battle, {}, dice, seq)
        records.append(side_log(resolved.events, before, side))
        seq += 1
    return json.dumps(records)


def test_third_side_reads_the_same_for_any_number_aboard() -> None:
    assert read_by(GREEN, FEW_BOARDERS) == read_by(GREEN, MANY_BOARDERS)


@pytest.mark.parametrize("side", [RED, BLUE])
def test_fighting_sides_can_tell_the_difference(side: int) -> None:
    assert read_by(side, FEW_BOARDERS) != read_by(side, MANY_BOARDERS)


@pytest.mark.parametrize("leak", ["log", "view"])
def test_planted_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if leak == "log":
        monkeypatch.setattr(
            boarding.BoardingFight, "line_for", lambda self, listener: self.to_json()
        )
    else:
        original = Contact.__init__

        def open_to_all(self: Contact, ship: Any, hostile: bool, name: str) -> None:
            original(self, ship, hostile, name)
            self.x += sum(map(sum, ship.boarders_by_side().values())) / 1000

        monkeypatch.setattr(Contact, "__init__", open_to_all)
    assert read_by(GREEN, FEW_BOARDERS) != read_by(GREEN, MANY_BOARDERS)

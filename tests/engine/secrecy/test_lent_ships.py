"""Captains get their side's own ships without a copy, and change nothing in them."""

from __future__ import annotations

from typing import Any

import pytest

from engine import battle
from engine.documents import state_document
from tests.engine.frozen.fighting import Case, cases, fight_case

BATTLES = [case for case in cases() if case.captains and case.seed == 3]


def test_battles_of_both_editions_exist() -> None:
    assert {case.edition for case in BATTLES} == {"second-edition", "continuum"}


@pytest.mark.parametrize("case", BATTLES, ids=lambda case: case.name)
def test_captains_do_not_change_lent_ships_and_pieces(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    think = battle.captain_orders
    stops = []

    def watched(state: Any, captains: Any, stop_orders: Any) -> Any:
        before = state_document(state)
        orders = think(state, captains, stop_orders)
        assert state_document(state) == before, f"turn {state.turn}, {state.stop}"
        stops.append(state.stop)
        return orders

    monkeypatch.setattr(battle, "captain_orders", watched)
    fight_case(case)
    assert stops

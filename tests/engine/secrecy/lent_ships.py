"""Captains get their side's own ships without a copy, and change nothing in them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine import battle
from engine.documents import state_document


def watch_captains(patch: pytest.MonkeyPatch) -> Counter[str]:
    """Fail if captains change the ships and pieces that they are lent; count their decisions."""
    think = battle.captain_orders
    decisions: Counter[str] = Counter()

    def watched(state: Any, captains: Any, stop_orders: Any) -> Any:
        before = state_document(state)
        orders = think(state, captains, stop_orders)
        assert state_document(state) == before, f"turn {state.turn}, {state.stop}"
        decisions[state.terms.edition] += 1
        return orders

    patch.setattr(battle, "captain_orders", watched)
    return decisions

"""Collision risks are computed only for possible best moves; the choice is as with all risks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.captains.common.move_search import LINE, PUSH_TRIALS, MoveScorer, subtract_risks
from engine.core.geometry import Point


class Flying:
    """Everything that `at_risk` needs of a ship."""

    def __init__(self, drift: Point | None) -> None:
        self.drift = drift


def search_with_risks(drift: Point | None, risks: Sequence[float], asked: list[int]) -> MoveScorer:
    """Return a search whose moves are numbers with a risk each; `asked` records the computed risks."""

    def risk(move: Any) -> float:
        place: int = move
        asked.append(place)
        return risks[place]

    return MoveScorer(cast(Any, Flying(drift)), [], 0.0, (0.0, 0.0), (0.0, 0.0), risk=risk)


@pytest.mark.parametrize("drift", [None, (1.0, 0.0)], ids=["by course", "by vectors"])
@given(
    moves=st.lists(
        st.tuples(
            st.sampled_from([-60.0, 0.0, 0.5, 1.0, 1.0 - LINE / 2, 3.0]),
            st.sampled_from([0.0, 0.25, 40.0]),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_best_moves_equal_those_with_all_risks_computed(
    drift: Point | None, moves: list[tuple[float, float]]
) -> None:
    worths, risks = [worth for worth, _ in moves], [risk for _, risk in moves]
    best = subtract_risks(search_with_risks(drift, risks, []), worths, cast(Any, range(len(moves))))
    true = [worth - risk for worth, risk in moves]
    line = max(true) - LINE
    assert max(best) == max(true)
    assert [place for place, worth in enumerate(best) if worth > line] == [
        place for place, worth in enumerate(true) if worth > line
    ]
    few = 1 if drift is None else PUSH_TRIALS
    ranked = [
        sorted(range(len(moves)), key=lambda place: (-some[place], place))[:few]
        for some in (best, true)
    ]
    assert ranked[0] == ranked[1]


def test_risk_of_an_inferior_move_is_not_computed() -> None:
    asked: list[int] = []
    subtract_risks(
        search_with_risks(None, [0.0, 0.0, 9.0], asked), [1.0, 0.5, 2.0], cast(Any, range(3))
    )
    assert asked == [2, 0]

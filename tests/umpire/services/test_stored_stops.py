"""Stored phases: their schema, and the refusal of unknown ones."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Stage
from campaign.models.battle import BattleStop
from campaign.rules.upgrades import BATTLE_STOP
from campaign.selectors import truth
from campaign.words.battle.phase_titles import STOP_TITLES, STOPS
from engine.core.errors import RuleViolations
from engine.core.schemas import DocumentKind
from engine.sequences import asks


def rows(schema: int) -> Any:
    """Return a query's result: one phase of a schema."""
    return [
        BattleStop(
            seq=0,
            schema=schema,
            inputs={"by": "captains"},
            events=[{"kind": "x"}],
            views={},
            chain="0" * 64,
        )
    ]


def test_a_stop_of_todays_shape_is_read_as_it_stands() -> None:
    (stop,) = truth.stops_read(rows(BATTLE_STOP.schema))
    assert (stop.inputs, stop.events, stop.views) == ({"by": "captains"}, [{"kind": "x"}], {})


def test_an_older_stop_is_brought_up_step_by_step_and_a_newer_one_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = BATTLE_STOP.schema
    raised = DocumentKind(
        BATTLE_STOP.name, now + 1, {now: lambda body: {**body, "views": {"a": 1}}}
    )
    monkeypatch.setattr(truth, "BATTLE_STOP", raised)
    assert truth.stops_read(rows(now))[0].views == {"a": 1}
    with pytest.raises(RuleViolations, match="cannot be read"):
        truth.stops_read(rows(now + 2))


def test_the_stops_of_battles_online_are_what_the_engine_asks_for_and_no_column_lists_them() -> (
    None
):
    assert {
        ask.key: ask.title
        for ask in asks()
        if ask.key not in ("launch", "board", "secondary", "officers")
    } == STOP_TITLES
    assert set(STOPS) >= {"plot", "fighters", "engage", "control"}
    assert not Stage._meta.get_field("kind").choices
    assert not [rule for rule in Stage._meta.constraints if "'plot'" in repr(rule)]

"""Stored phases: their schema, and the refusal of unknown ones."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Stage
from campaign.models.battle import BattlePhase
from campaign.rules.upgrades import BATTLE_PHASE
from campaign.selectors import truth
from campaign.words.battle.phase_titles import PHASE_TITLES, PHASES
from engine.core.errors import RuleViolations
from engine.core.schemas import DocumentKind
from engine.order_requests.set_up import SET_UP_REQUEST
from engine.sequences import asks


def rows(schema: int) -> Any:
    """Return a query's result: one phase of a schema."""
    return [
        BattlePhase(
            seq=0,
            schema=schema,
            inputs={"by": "captains"},
            events=[{"kind": "x"}],
            views={},
            chain="0" * 64,
        )
    ]


def test_todays_phase_is_read_unchanged() -> None:
    (phase,) = truth.upgraded_phases(rows(BATTLE_PHASE.schema))
    assert (phase.inputs, phase.events, phase.views) == ({"by": "captains"}, [{"kind": "x"}], {})


def test_older_phase_is_upgraded_and_a_newer_one_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = BATTLE_PHASE.schema
    raised = DocumentKind(
        BATTLE_PHASE.name, now + 1, {now: lambda body: {**body, "views": {"a": 1}}}
    )
    monkeypatch.setattr(truth, "BATTLE_PHASE", raised)
    assert truth.upgraded_phases(rows(now))[0].views == {"a": 1}
    with pytest.raises(RuleViolations, match="cannot be read"):
        truth.upgraded_phases(rows(now + 2))


def test_battle_phases_match_the_engine() -> None:
    assert {
        ask.key: ask.title
        for ask in (SET_UP_REQUEST, *asks())
        if ask.key not in ("launch", "board", "secondary", "officers", "lets")
    } == PHASE_TITLES
    assert set(PHASES) >= {"plot", "fighters", "engage", "control"}
    assert not Stage._meta.get_field("kind").choices
    assert not [rule for rule in Stage._meta.constraints if "'plot'" in repr(rule)]

"""Stored battles and stages, upgraded to the current schemas.

Rows are never rewritten, because a battle's chain of hashes begins with the start as stored.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from campaign.events.event import WeekEvent
from campaign.events.registry import events_from
from campaign.kinds import StageKind
from campaign.models.battle import Battle
from campaign.models.stage import Stage
from campaign.models.truth import Snapshot
from campaign.selectors.truth import world_of
from engine import battle as engine
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.core.schemas import DocumentKind
from engine.core.versions import playable_version
from engine.notation.battle_file import BattleFileDocument
from umpire.adjudication.outcome import RESULT, BattleResult
from umpire.journal import JournalStep

START = DocumentKind(phrase("battle start"), 1, {})  # by `Battle.schema`
RESULTS = DocumentKind(phrase("battle result"), 1, {})


def start_of(battle: Battle) -> BattleFileDocument:
    """Return the battle file a battle began with, with the rules of its row.

    Raises RuleViolations, UnknownRules.
    """
    start = START.upgrade_body(battle.schema, battle.start)
    return cast(BattleFileDocument, {**start, "rules": playable_version(battle.rules_version)})


def battle_of(battle: Battle) -> engine.Battle:
    """Return a battle in its present phase, with the rules of its row.

    Its ships are in the order of its start, because a database may sort the keys: the order of
    contact codes reveals nothing, that of their keys would tell decoys from ships.

    Raises RuleViolations, UnknownRules.
    """
    engine_battle = engine.battle_from(battle.state or {})
    ship_order = [ship["id"] for side in battle.start["sides"] for ship in side["ships"]]
    engine_battle.state.ships.sort(key=lambda ship: ship_order.index(ship.id))
    engine_battle.state.terms = replace(
        engine_battle.state.terms, rules=playable_version(battle.rules_version)
    )
    return engine_battle


def result_of(battle: Battle) -> BattleResult:
    """Return the result of a battle that is over. Raises RuleViolations."""
    body = RESULTS.upgrade(battle.result or {})
    return RESULT.validate_python({key: value for key, value in body.items() if key != "schema"})


def week_events_of(snapshot: Snapshot) -> tuple[WeekEvent, ...]:
    """Return the events that led to a snapshot. Raises RuleViolations."""
    documents: Any = snapshot.events
    if not isinstance(documents, list):
        words = phrase("these events cannot be read; this release expects a list of them")
        raise RuleViolations([Violation("events", "unknown-schema", words)])
    return events_from(documents)


def step_of(stage: Stage) -> JournalStep:
    """Return a resolved stage with its worlds, events and battles, for the umpire's report.

    Raises:
        ValueError: The stage is not resolved.
    """
    if stage.to_snapshot is None:
        raise ValueError("the stage is not resolved")
    battles = Battle.objects.filter(branch_id=stage.branch_id, week=stage.week).order_by("key")
    return JournalStep(
        kind=stage.kind,
        week=stage.week,
        before=world_of(stage.from_snapshot),
        after=world_of(stage.to_snapshot),
        week_events=week_events_of(stage.to_snapshot),
        results=tuple(result_of(row) for row in battles) if stage.kind == StageKind.BATTLES else (),
    )

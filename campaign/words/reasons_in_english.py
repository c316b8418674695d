"""Reasons in the API: as data, and beside it the English text.

Documents store a reason as a code and values. Programs find its text under `reason_text`, or under
`message` for the fault of an order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.events.event import Fact, Facts, ReasonFact
from campaign.rules.view import View
from engine.core.phrase_data import restore_phrase
from engine.view.worded_log import REASON_FIELD, REASON_TEXT, worded_log

Document = Mapping[str, Any]


def phases_with_texts(phases: Iterable[Document | None]) -> list[dict[str, Any] | None]:
    """Add texts to the logs of a battle report's phases; None stays None."""
    result: list[dict[str, Any] | None] = []
    for phase in phases:
        result.append({**phase, "log": worded_log(phase["log"])} if phase else None)
    return result


def report_with_texts(body: Document) -> dict[str, Any]:
    """Add texts to a stage's or battle's report."""
    if "notices" in body:
        return {**body, "notices": week_with_texts(body["notices"])}
    return {**body, "phases": phases_with_texts(body["phases"])}


def week_with_texts(events: Iterable[Document]) -> list[dict[str, Any]]:
    """Add texts to the notices of a report, or to the umpire's events of a week."""
    return [{**event, "facts": _stored_facts(event["facts"])} for event in events]


def view_with_texts(view: View) -> View:
    """Add texts to a view's notices."""
    notices = [replace(notice, facts=_facts(notice.facts)) for notice in view.notices]
    return replace(view, notices=tuple(notices))


def check_with_texts(check: Document) -> dict[str, Any]:
    """Add texts to the faults in a check of a table's results."""
    return {**check, "faults": [_fault(fault) for fault in check["faults"]]}


def inputs_with_texts(inputs: Document) -> dict[str, Any]:
    """Add texts to the faults of refused orders in a phase's inputs."""
    refused = inputs.get("refused")
    if refused is None:
        return dict(inputs)
    refused_with_texts = {}
    for side, faults in refused.items():
        refused_with_texts[side] = [_fault(fault) for fault in faults]
    return {**inputs, "refused": refused_with_texts}


def _fault(fault: Document) -> dict[str, Any]:
    return {**fault, "message": _text(fault[REASON_FIELD])}


def _facts(facts: Facts) -> Facts:
    """Add its text after each reason among the facts of a view's notice."""
    result: list[tuple[str, Fact]] = []
    for key, value in facts:
        result.append((key, value))
        if isinstance(value, ReasonFact):
            result.append((REASON_TEXT, _text({"code": value.code, "args": value.args})))
    return tuple(result)


def _stored_facts(facts: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    """Add its text after each reason among the facts of a stored event."""
    result: list[Sequence[Any]] = []
    for key, value in facts:
        result.append([key, value])
        if isinstance(value, dict):
            result.append([REASON_TEXT, _text(value)])
    return result


def _text(reason: Document) -> str:
    return str(restore_phrase(reason))

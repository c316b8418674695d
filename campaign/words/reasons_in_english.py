"""Reasons as the API tells them: the English text that programs have always read, and beside it the
reason as data.

Documents store a reason as a code and values. Programs find its text under the key that it always
had (`why`, `message`) and the code and values under `reason`. What older documents store as a text
has no `reason`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.events.event import Fact, Facts, ReasonFact
from campaign.rules.view import View
from engine.core.phrase_data import restore_phrase
from engine.view.worded_log import REASON, worded_log

Row = Mapping[str, Any]


def stops_with_texts(stops: Iterable[Row | None]) -> list[dict[str, Any] | None]:
    """Return the stops of a battle report, whose logs have texts."""
    return [{**stop, "log": worded_log(stop["log"])} if stop else None for stop in stops]


def report_with_texts(body: Row) -> dict[str, Any]:
    """Return a stage's report or a battle's with texts."""
    if "notices" in body:
        return {**body, "notices": week_with_texts(body["notices"])}
    return {**body, "stops": stops_with_texts(body["stops"])}


def week_with_texts(events: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the notices of a report, or the umpire's events of a week, with texts."""
    return [{**event, "facts": _stored_facts(event["facts"])} for event in events]


def view_with_texts(view: View) -> View:
    """Return a view whose notices have texts."""
    return replace(
        view, notices=tuple(replace(notice, facts=_facts(notice.facts)) for notice in view.notices)
    )


def check_with_texts(check: Row) -> dict[str, Any]:
    """Return the check of a table's results, whose faults have texts."""
    return {**check, "faults": [_fault(fault) for fault in check["faults"]]}


def inputs_with_texts(inputs: Row) -> dict[str, Any]:
    """Return what a stop was resolved with: faults of refused orders have texts."""
    refused = inputs.get("refused")
    if refused is None:
        return dict(inputs)
    refused_with_texts = {
        side: [_fault(fault) for fault in faults] for side, faults in refused.items()
    }
    return {**inputs, "refused": refused_with_texts}


def _fault(fault: Row) -> dict[str, Any]:
    return {**fault, "message": _text(fault[REASON])} if REASON in fault else dict(fault)


def _facts(facts: Facts) -> Facts:
    result: list[tuple[str, Fact]] = []
    for key, value in facts:
        if isinstance(value, ReasonFact):
            result += [(key, _text({"code": value.code, "args": value.args})), (REASON, value)]
        else:
            result.append((key, value))
    return tuple(result)


def _stored_facts(facts: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    result: list[Sequence[Any]] = []
    for key, value in facts:
        if isinstance(value, dict):
            result += [[key, _text(value)], [REASON, value]]
        else:
            result.append([key, value])
    return result


def _text(reason: Row) -> str:
    return str(restore_phrase(reason))

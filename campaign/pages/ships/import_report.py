"""The report of an import by form: which designs were left out, and why.

It is shown once, after the form.

It waits in the session of the one who imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict

from django.http import HttpRequest

from campaign.words.design_faults import place_words
from engine.core.errors import Violation
from engine.core.phrase import phrase
from engine.notation.reading import RejectedPart

PARTIAL = "partial"  # the field of a form that leaves designs out and keeps the others
LEFT_OUT = "left_out"  # a session's report by the page's path


class LeftOutShip(TypedDict):
    """A design in the report, and what is wrong with it."""

    name: str
    faults: list[str]


def report_of(left_out: Sequence[RejectedPart]) -> list[LeftOutShip]:
    """The report: each design by its name, or by its number where it has none."""
    return [
        {
            "name": design.name or phrase("Design {}", int(design.where.strip("[]") or 0) + 1),
            "faults": [_words(fault) for fault in design.faults],
        }
        for design in left_out
    ]


def _words(fault: Violation) -> str:
    """Return a fault with its place in the design, once: words about an element of XML name it with
    its line.
    """
    if fault.where in fault.message:
        return fault.message
    _, _, inside = (
        fault.where.partition("].") if fault.where.startswith("[") else ("", "", fault.where)
    )
    return phrase("{}: {}", place_words(inside), fault.message) if inside else fault.message


def keep_report(request: HttpRequest, left_out: Sequence[RejectedPart]) -> None:
    """Keeps the report for the next time the page is shown."""
    if left_out:
        request.session[LEFT_OUT] = {request.path: report_of(left_out)}


def pop_report(request: HttpRequest) -> Iterable[LeftOutShip]:
    """The report that waits for the page, once."""
    waiting: dict[str, list[LeftOutShip]] = request.session.get(LEFT_OUT, {})
    if request.method != "GET" or request.path not in waiting:
        return ()
    del request.session[LEFT_OUT]
    return waiting[request.path]

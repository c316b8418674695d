"""The report of a form import: which designs were left out, and why.

It waits in the user's session and is shown once, on the page after the form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict

from django.http import HttpRequest

from campaign.words.design_faults import place_words, with_option_titles
from engine.core.errors import Violation
from engine.core.phrase import phrase
from engine.notation.reading import RejectedPart

PARTIAL = "partial"  # form field: import the valid designs and leave out the others
LEFT_OUT = "left_out"  # session key of the report, by page path


class LeftOutShip(TypedDict):
    """A design in the report, with its faults."""

    name: str
    faults: list[str]


def report_of(left_out: Sequence[RejectedPart]) -> list[LeftOutShip]:
    """Return the report: each design by name, or by number if it has none."""
    result: list[LeftOutShip] = []
    for design in left_out:
        index = int(design.where.strip("[]") or 0)  # of the form "[3]", or "" for a single design
        result.append(
            {
                "name": design.name or phrase("Design {}", index + 1),
                "faults": [_fault_words(fault) for fault in design.faults],
            }
        )
    return result


def _fault_words(fault: Violation) -> str:
    """Return a fault with its place in the design.

    Faults about an XML element already name it with its line.
    """
    words = with_option_titles(fault.message)
    if fault.where in words:
        return words
    path = fault.where
    if path.startswith("["):  # the design's index comes first: "[3].systems"
        path = path.partition("].")[2]
    if path:
        return phrase("{}: {}", place_words(path), words)
    return words


def keep_report(request: HttpRequest, left_out: Sequence[RejectedPart]) -> None:
    """Keep the report for the next time the page is shown."""
    if left_out:
        request.session[LEFT_OUT] = {request.path: report_of(left_out)}


def pop_report(request: HttpRequest) -> Iterable[LeftOutShip]:
    """Return the report that waits for the page, and remove it."""
    reports: dict[str, list[LeftOutShip]] = request.session.get(LEFT_OUT, {})
    if request.method != "GET" or request.path not in reports:
        return ()
    del request.session[LEFT_OUT]
    return reports[request.path]

"""PDFs of record sheets as answers: how the reader wants one, and that he need not be sent the same one again."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict

from campaign.limits import SHEETS
from campaign.pages.common import heavy_request, if_same, too_large_page
from campaign.pages.paper import PAPERS, PLACES, Choice, OnPaper, pdf_of
from engine.core.phrase import phrase


def chosen(query: QueryDict) -> Choice:
    """What a query asks for; what it does not say, or says wrongly, is as usual."""
    usual, per = Choice(), query.get("per", "")
    paper = query.get("paper", usual.paper)
    return Choice(
        paper if paper in PAPERS else usual.paper,
        int(per) if per in map(str, PLACES) else usual.per,
        query.get("counters", "") == "on",
    )


def pdf_answer(
    request: HttpRequest, key: tuple[object, ...], title: str, ships: Callable[[], Iterable[OnPaper]]
) -> HttpResponseBase:
    """The PDF of some ships as the query wants it, or 304. `key`: all that they depend on. To make it is a heavy act.

    Raises TooOften, Busy.
    """
    choice = chosen(request.GET)

    def made() -> HttpResponse:
        with heavy_request(request):
            wanted = tuple(ships())
            if len(wanted) > SHEETS:
                return too_large_page(request, phrase("A PDF has at most {} sheets: choose a fleet.", SHEETS))
            answer = HttpResponse(pdf_of(title, wanted, choice), content_type="application/pdf")
        answer.headers["Content-Disposition"] = 'inline; filename="record-sheets.pdf"'
        return answer

    return if_same(request, (*key, title, choice), made)

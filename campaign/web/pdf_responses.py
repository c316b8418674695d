"""PDF responses for record sheets, with the options of the query and 304 for unchanged ones.

A few sheets are printed at once. A background worker prints more, while the reader sees a waiting
page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.utils import translation

from campaign.models.printed_document import PrintedDocument
from campaign.rules.limits import SHEETS
from campaign.services.printing import printed_document_of, printed_document_request
from campaign.web.common import (
    count_heavy_request,
    etag_of,
    heavy_request,
    if_same,
    too_large_page,
)
from campaign.web.sheet_pdf import PAPERS, SHEET_GRIDS, PaperChoice, PaperSheet, pdf_of
from engine.core.phrase import phrase

AT_ONCE = 8  # sheets printed within the request, which takes 1/20 second
ACCEPTED = 202  # status of the waiting page
OK = 200
RECORD_SHEETS = "record-sheets.pdf"  # the name under which browsers save them


def paper_choice(query: QueryDict) -> PaperChoice:
    """Return the options in a query; missing and invalid ones get defaults."""
    default = PaperChoice()
    sheets_per_page = query.get("per", "")
    paper = query.get("paper", default.paper)
    is_known_number = sheets_per_page in map(str, SHEET_GRIDS)
    return PaperChoice(
        paper=paper if paper in PAPERS else default.paper,
        sheets_per_page=int(sheets_per_page) if is_known_number else default.sheets_per_page,
        has_counters=query.get("counters", "") == "on",
    )


def pdf_response(
    request: HttpRequest,
    key: tuple[object, ...],
    title: str,
    ships: Callable[[], Iterable[PaperSheet]],
    footer: str = "",
) -> HttpResponseBase:
    """Return the PDF of some ships with the query's options, or 304, or a waiting page.

    Making a PDF counts as a heavy request.

    Args:
        key: Everything that the ships depend on.
        footer: A line at the foot of each page.

    Raises:
        TooOften: If the reader made too many heavy requests in this minute.
        Busy: If no slot for heavy work is free.
    """
    choice = paper_choice(request.GET)
    whole_key = (*key, title, choice, footer)

    def build_pdf() -> HttpResponse:
        sheets = tuple(ships())
        if len(sheets) > SHEETS:
            return too_large_page(
                request, phrase("A PDF can have at most {} sheets: choose a fleet.", SHEETS)
            )
        if getattr(request, "printing", False):
            content = pdf_of(title, sheets, choice, footer)
            return HttpResponse(content, content_type="application/pdf")
        if len(sheets) > AT_ONCE:
            return _from_worker(request, etag_of(request, whole_key).strip('"'))
        with heavy_request(request):
            content = pdf_of(title, sheets, choice, footer)
            return _with_file_name(HttpResponse(content, content_type="application/pdf"))

    response = if_same(request, whole_key, build_pdf)
    if response.status_code == ACCEPTED:  # another response will follow at this address
        del response.headers["ETag"]
        response.headers["Cache-Control"] = "no-store"
    return response


def _from_worker(request: HttpRequest, key: str) -> HttpResponse:
    """Return the PDF that a worker printed, or the page that waits for it."""
    user = cast(Any, request.user)
    row = printed_document_of(user, key)
    if row is None:
        count_heavy_request(request)
        row = printed_document_request(user=user, key=key, page=_page_to_print(request))
    return _printed_or_waiting(request, row, RECORD_SHEETS)


def public_pdf_response(
    request: HttpRequest, key: str, *, file_name: str, make: Callable[[], bytes]
) -> HttpResponse:
    """Return a PDF that is the same for everybody and that a worker prints once, or a waiting page.

    Args:
        key: A hash of everything that it depends on. There must be few different ones, because
            nobody's requests are counted.
    """
    if getattr(request, "printing", False):
        return HttpResponse(make(), content_type="application/pdf")
    row = printed_document_of(None, key)
    if row is None:
        row = printed_document_request(user=None, key=key, page=_page_to_print(request))
    return _printed_or_waiting(request, row, file_name)


def _page_to_print(request: HttpRequest) -> dict[str, object]:
    """Return where a worker finds the page of a request."""
    return {
        "path": request.get_full_path(),
        "host": request.get_host(),
        "secure": request.is_secure(),
        "language": translation.get_language(),
    }


def _printed_or_waiting(request: HttpRequest, row: PrintedDocument, file_name: str) -> HttpResponse:
    """Return the printed PDF, the page that waits for it, or an error page."""
    if row.status == OK:
        pdf = HttpResponse(bytes(row.body), content_type=row.content_type)
        return _with_file_name(pdf, file_name)
    if row.status:
        row.delete()  # the next request tries again
        return render(request, "500.html", status=500)
    waiting = render(request, "campaign/printing.html", status=ACCEPTED)
    waiting.headers["Refresh"] = "1"
    waiting.headers["Cache-Control"] = "no-store"
    return waiting


def _with_file_name(response: HttpResponse, file_name: str = RECORD_SHEETS) -> HttpResponse:
    """Set the name under which a browser saves the PDF."""
    response.headers["Content-Disposition"] = f'inline; filename="{file_name}"'
    return response

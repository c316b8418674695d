"""The background job that prints a PDF by opening its page, as the user who asked if any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from django.urls import resolve
from django.utils import translation

from campaign.models.printed_document import PrintedDocument
from campaign.services.printing import printed_document_store


def print_pdf(args: Mapping[str, Any]) -> dict[str, int]:
    """Print a paper and return the status of the response; 0 if the paper was deleted meanwhile.

    The page opens with the user's present permissions.
    """
    row = PrintedDocument.objects.select_related("user").filter(pk=args["paper"]).first()
    if row is None:
        return {"status": 0}
    request = RequestFactory().get(args["path"], HTTP_HOST=args["host"], secure=args["secure"])
    request.user = row.user or AnonymousUser()
    request.printing = True  # type: ignore[attr-defined]
    match = resolve(request.path_info)
    request.resolver_match = match
    with translation.override(args["language"]):
        answer = match.func(request, *match.args, **match.kwargs)
    printed_document_store(
        document_id=row.pk,
        status=answer.status_code,
        content_type=answer.headers.get("Content-Type", ""),
        body=answer.content,
    )
    return {"status": answer.status_code}

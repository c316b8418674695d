"""PDFs that workers print, stored for a while: for the user who asked, or public ones for all."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from campaign.models.printed_document import PrintedDocument
from campaign.tasks import PRINT
from jobs.services import JobAccount, job_enqueue

RETENTION = timedelta(days=1)
MAX_STORED = 4  # PDFs per account
PUBLIC = "public"  # the account of the jobs that print public PDFs
FAILED = 500  # status of a PDF that could not be printed


def printed_document_of(user: AbstractBaseUser | None, key: str) -> PrintedDocument | None:
    """Return the PDF with this key, printed or in progress, or None.

    Args:
        user: Who requested it; None for a public one.
    """
    return _documents_of(user).filter(key=key).first()


def printed_document_request(
    *, user: AbstractBaseUser | None, key: str, page: Mapping[str, Any], now: datetime | None = None
) -> PrintedDocument:
    """Let a worker print a page as PDF, and delete the user's oldest PDFs.

    Args:
        user: Who asks for it; None for a public PDF, of which all are kept.
        key: Hash of everything that the PDF depends on.
        page: Where the worker finds it: its `path`, the `host` and `secure` of the site, the
            `language`.
    """
    moment = now or timezone.now()
    user_id = None if user is None else user.pk
    mine = _documents_of(user)
    try:
        with transaction.atomic():
            row = PrintedDocument.objects.create(user_id=user_id, key=key, asked_at=moment)
            if user is not None:
                old = mine.order_by("-asked_at", "-pk").values_list("pk", flat=True)[MAX_STORED:]
                mine.filter(pk__in=list(old)).delete()
    except IntegrityError:  # requested twice at the same moment
        return mine.get(key=key)
    job_enqueue(
        kind=PRINT,
        args={"paper": row.pk, **page},
        dedupe_key=f"{PRINT}/{row.pk}",
        account=JobAccount(f"page/{user_id or PUBLIC}"),
    )
    return row


def _documents_of(user: AbstractBaseUser | None) -> QuerySet[PrintedDocument]:
    """Return the PDFs of a user, or the public ones."""
    if user is None:
        return PrintedDocument.objects.filter(user__isnull=True)
    return PrintedDocument.objects.filter(user_id=user.pk)


def printed_document_store(
    *, document_id: int, status: int, content_type: str, body: bytes
) -> None:
    """Store a printed PDF, or the HTTP status of the page that could not be printed."""
    PrintedDocument.objects.filter(pk=document_id).update(
        status=status, content_type=content_type, body=body
    )


def printed_document_fail(args: Mapping[str, Any]) -> None:
    """Record that a PDF could not be printed."""
    printed_document_store(document_id=args["paper"], status=FAILED, content_type="", body=b"")


def printed_documents_forget(*, now: datetime) -> int:
    """Delete old PDFs and return their number."""
    deleted, _ = PrintedDocument.objects.filter(asked_at__lt=now - RETENTION).delete()
    return deleted

"""PDFs that take more than a moment are printed by workers, and kept for a while for whoever asked.

paper_of(user, key)         what was printed, or is being printed
paper_ask(user, key, ...)   have it printed
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.models.printed_document import PrintedPaper
from campaign.tasks import PRINT
from jobs.services import JobAccount, job_enqueue

RETENTION = timedelta(days=1)
MAX_STORED = 4  # papers of one account
FAILED = 500  # the status of a paper that could not be printed


def printed_document_of(user: AbstractBaseUser, key: str) -> PrintedPaper | None:
    """Return the paper of this key that was printed for a user, or is being printed; None where
    nobody asked.
    """
    return PrintedPaper.objects.filter(user_id=user.pk, key=key).first()


def printed_document_request(
    *, user: AbstractBaseUser, key: str, page: Mapping[str, Any], now: datetime | None = None
) -> PrintedPaper:
    """Have a page's PDF printed by a worker, and forget the oldest papers of its reader.

    Args:
        key: The hash of all that the PDF depends on.
        page: Where a worker finds it: its `path`, the `host` and `secure` of the site, the
            `language`.
    """
    moment = now or timezone.now()
    mine = PrintedPaper.objects.filter(user_id=user.pk)
    try:
        with transaction.atomic():
            row = PrintedPaper.objects.create(user_id=user.pk, key=key, asked_at=moment)
            old = list(mine.order_by("-asked_at", "-pk").values_list("pk", flat=True)[MAX_STORED:])
            mine.filter(pk__in=old).delete()
    except IntegrityError:  # asked for twice at the same moment
        return mine.get(key=key)
    job_enqueue(
        kind=PRINT,
        args={"paper": row.pk, **page},
        dedupe_key=f"{PRINT}/{row.pk}",
        account=JobAccount(f"page/{user.pk}"),
    )
    return row


def printed_document_store(*, paper: int, status: int, content_type: str, body: bytes) -> None:
    """Keep what was printed."""
    PrintedPaper.objects.filter(pk=paper).update(
        status=status, content_type=content_type, body=body
    )


def printed_document_fail(args: Mapping[str, Any]) -> None:
    """Note that a paper could not be printed."""
    printed_document_store(paper=args["paper"], status=FAILED, content_type="", body=b"")


def printed_documents_forget(*, now: datetime) -> int:
    """Remove old papers; how many."""
    return PrintedPaper.objects.filter(asked_at__lt=now - RETENTION).delete()[0]

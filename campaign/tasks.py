"""Celery tasks of campaigns, and their background jobs.

A single job sends the outbox, so that nothing is sent twice at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from celery import shared_task
from django.utils import timezone
from django.utils.module_loading import import_string

from jobs.kinds import kind_register
from jobs.models import INTERACTIVE
from jobs.services import job_enqueue

DELIVER = "campaign.deliver"
FORGET = "campaign.forget"
SIMULATE = "campaign.simulate"
PRINT = "campaign.print"
MAIL_ISSUE = "campaign.mail-issue"


@shared_task(name=DELIVER, ignore_result=True)
def deliver() -> None:
    """Enqueue a delivery job if a message is due."""
    if import_string("campaign.services.outbox.is_anything_due")(now=timezone.now()):
        job_enqueue(kind=DELIVER, args={}, dedupe_key=DELIVER)


@shared_task(name=FORGET, ignore_result=True)
def forget() -> None:
    """Delete old API answers, old PDFs, simulations whose users no longer wait, and old guests."""
    import_string("campaign.services.tokens.calls_forget")(now=timezone.now())
    import_string("campaign.services.simulations.simulations_forget")(now=timezone.now())
    import_string("campaign.services.printing.printed_documents_forget")(now=timezone.now())
    import_string("campaign.services.guests.guests_forget")(now=timezone.now())


def deliver_work(_args: Mapping[str, Any]) -> dict[str, int]:
    """Send all messages that are due and return their number as `sent`."""
    return {
        "sent": import_string("campaign.services.outbox.notifications_deliver")(now=timezone.now())
    }


kind_register(kind=DELIVER, handler="campaign.tasks.deliver_work")
kind_register(
    kind=SIMULATE, handler="campaign.services.simulation_work.simulations_work", lane=INTERACTIVE
)
kind_register(
    kind=PRINT,
    handler="campaign.pages.people.printing.print_pdf",
    lane=INTERACTIVE,
    tries=3,
    quarantined="campaign.services.printing.printed_document_fail",
)
kind_register(
    kind=MAIL_ISSUE,
    handler="campaign.pages.week.gazette_mail.mail_issue",
    lane=INTERACTIVE,
    tries=3,
)

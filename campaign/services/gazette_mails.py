"""Requests to get an issue of the newspaper by mail; a worker sends it."""

from __future__ import annotations

from campaign.access import Viewer
from campaign.services.destinations import mailbox_fault
from campaign.tasks import MAIL_ISSUE
from jobs.services import JobAccount, job_enqueue


def gazette_mail_request(*, viewer: Viewer, edition: str, week: int) -> None:
    """Let a worker send an issue to the viewer's address.

    The worker reads the issue with the rights that the viewer has then.
    """
    user, campaign = viewer.user, viewer.campaign
    job_enqueue(
        kind=MAIL_ISSUE,
        args={
            "user": user.pk,
            "campaign": str(campaign.public_id),
            "edition": edition,
            "week": week,
        },
        dedupe_key=f"{MAIL_ISSUE}/{user.pk}/{campaign.pk}/{edition}/{week}",
        account=JobAccount(f"page/{user.pk}"),
    )


def address_of(viewer: Viewer) -> str:
    """Return the e-mail address of the viewer; "" without one to which the site may send."""
    address = str(getattr(viewer.user, "email", ""))
    return "" if not address or mailbox_fault(address) else address

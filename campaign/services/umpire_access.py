"""Record what umpires open, so that everybody can read it after the war.

Recorded are pages and API resources of a running war that show the truth, a faction's knowledge, or
orders. Opening the same thing again within some minutes is one entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from campaign.access import Viewer
from campaign.models.campaign import Campaign
from campaign.models.umpire_access import UmpireAccess
from campaign.selectors.clock import waiting_stage
from engine.core.canonical import digest
from engine.core.phrase import phrase

SAME_OPENING = timedelta(minutes=10)
LONGEST_SUBJECT = 80
# Names of addresses that are recorded -> what they show.
RECORDED: Mapping[str, str] = {
    "umpire": phrase("overview with the true map"),
    "umpire-map": phrase("true map"),
    "umpire-reports": phrase("reports of all factions"),
    "umpire-stages": phrase("list of orders"),
    "umpire-stage": phrase("orders of a stage"),
    "umpire-battles": phrase("battles"),
    "umpire-battle": phrase("battle"),
    "umpire-replay": phrase("replay of a battle"),
    "umpire-battle-result": phrase("claims about a battle"),
    "umpire-faction": phrase("what a faction sees"),
    "umpire-fleets": phrase("all fleets"),
    "umpire-ships": phrase("all ships"),
    "umpire-time-line": phrase("time line of messages, orders and actions"),
    "umpire-week-pdf": phrase("week as a PDF"),
    "umpire-rulings": phrase("values to be corrected by rulings"),
    "rollback": phrase("what a rollback reveals"),
    "messages-all": phrase("messages between factions"),
    "api-umpire-world": phrase("true map"),
    "api-umpire-fleets": phrase("all fleets"),
    "api-umpire-ships": phrase("all ships"),
    "api-umpire-systems": phrase("all systems"),
    "api-umpire-repairs": phrase("all repairs"),
    "api-umpire-submissions": phrase("orders of a stage"),
    "api-umpire-battles": phrase("battles"),
    "api-umpire-battle": phrase("battle"),
    "api-umpire-result": phrase("claims about a battle"),
    "api-umpire-view": phrase("what a faction sees"),
    "api-umpire-time-line": phrase("time line of messages, orders and actions"),
    "api-umpire-rulings": phrase("values to be corrected by rulings"),
    "api-messages-all": phrase("messages between factions"),
}


def access_record(
    *, viewer: Viewer, page: str, subject: str = "", now: datetime | None = None
) -> None:
    """Record that an umpire opens a page of a running war, unless they opened it just before.

    Args:
        page: The name of the address; others than those in `RECORDED` are not recorded.
    """
    if page not in RECORDED or not viewer.umpires:
        return
    if waiting_stage(campaign=viewer.campaign) is None:
        return
    moment = now or timezone.now()
    rows = UmpireAccess.objects.filter(
        campaign=viewer.campaign,
        user_id=viewer.user.pk,
        page=page,
        subject=subject[:LONGEST_SUBJECT],
        at__gt=moment - SAME_OPENING,
    )
    if not rows.exists():
        UmpireAccess.objects.create(
            campaign=viewer.campaign,
            user_id=viewer.user.pk,
            name=viewer.user.get_username(),
            page=page,
            subject=subject[:LONGEST_SUBJECT],
            at=moment,
        )


def subject_of(kwargs: Mapping[str, object], query: Mapping[str, str]) -> str:
    """Return what of a page an address opens: the parts that name a faction, stage and so on.

    `umpire.pages.openings` shows them in words.
    """
    parts = []
    for name in ("key", "faction", "ordinal", "public_id", "battle"):
        if name in kwargs:
            parts.append(f"{kwargs[name]}")
    if "week" in kwargs:
        parts.append(f"week {kwargs['week']}")
    for name in ("as", "seq", "stage", "week", "hex"):
        if query.get(name):
            parts.append(f"{name} {query[name]}")
    return ", ".join(parts)


def accesses_of(campaign: Campaign) -> QuerySet[UmpireAccess]:
    """Return what umpires opened in a war, newest first."""
    return UmpireAccess.objects.filter(campaign=campaign).order_by("-at", "-pk")


def access_digests(campaign: Campaign, since: datetime | None = None) -> list[str]:
    """Return the digests of what umpires opened in a war, oldest first; the ledger covers them.

    Args:
        since: Only what they opened after this moment; None: all.
    """
    rows = UmpireAccess.objects.filter(campaign=campaign).order_by("at", "pk")
    if since is not None:
        rows = rows.filter(at__gt=since)
    digests = []
    for row in rows:
        at = row.at.astimezone(UTC).isoformat()
        digests.append(
            digest({"name": row.name, "page": row.page, "subject": row.subject, "at": at})
        )
    return digests

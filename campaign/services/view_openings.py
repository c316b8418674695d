"""Record when a faction's players first open what they know after a stage, for umpires."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import structlog
from django.db import connection
from django.db.models import BigIntegerField, PositiveIntegerField
from django.utils import timezone

from campaign.access import Viewer
from campaign.lineage import of_line
from campaign.models.campaign import Branch
from campaign.models.knowledge import ViewOpening
from campaign.store.outages import is_database_away, outage_code
from campaign.store.prepared import PreparedValues

log = structlog.get_logger(__name__)

OPENED = PreparedValues(
    lambda branch, seq, faction: of_line(
        ViewOpening.objects.filter(seq=seq, faction_id=faction), branch
    ).values_list("pk"),
    parameters=(BigIntegerField(), PositiveIntegerField(), BigIntegerField()),
    columns=(BigIntegerField(),),
)


def view_opening_record(*, viewer: Viewer, seq: int, now: datetime | None = None) -> None:
    """Record that a player or staff of a faction opens its view, the first time.

    Guests do not count, because they give no orders. If the database cannot be written to at that
    moment, the player does not wait, and a later opening is recorded.
    """
    branch = viewer.campaign.head_branch_id
    if not viewer.plays or viewer.faction is None or branch is None:
        return
    if OPENED.tuples(branch, seq, viewer.faction.pk):
        return
    opening = ViewOpening(
        branch_id=branch,
        seq=seq,
        faction=viewer.faction,
        user_id=viewer.user.pk,
        opened_at=now or timezone.now(),
    )
    try:
        with _without_waiting():
            ViewOpening.objects.bulk_create([opening], ignore_conflicts=True)
    except Exception as error:
        if not is_database_away(error):
            raise
        log.warning("view-opening-not-recorded", seq=seq, reason=outage_code(error))


@contextmanager
def _without_waiting() -> Iterator[None]:
    """Let SQLite refuse at once to write while another connection writes."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    sqlite = connection.connection
    (usual,) = sqlite.execute("PRAGMA busy_timeout").fetchone()
    sqlite.execute("PRAGMA busy_timeout = 0")
    try:
        yield
    finally:
        sqlite.execute(f"PRAGMA busy_timeout = {usual}")


def views_opened(branch: Branch, seq: int) -> dict[str, datetime]:
    """Return when each faction's players first opened a view, by faction key."""
    rows = of_line(ViewOpening.objects.filter(seq=seq), branch.pk)
    return dict(rows.values_list("faction__key", "opened_at"))

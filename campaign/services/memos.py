"""A faction's memos for later weeks, which its player and any substitute read and write."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import BigIntegerField, PositiveSmallIntegerField, TextField
from django.utils import timezone

from campaign.access import Viewer, require
from campaign.models.campaign import Faction
from campaign.models.memo import Memo
from campaign.rules.plain_text import text_faults, tidy_text
from campaign.store.documents import scenario_of
from campaign.store.prepared import PreparedValues
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

LONGEST_MEMO = 2000  # characters

MEMOS = PreparedValues(
    lambda faction, week: Memo.objects.filter(faction_id=faction, week=week).values_list("text"),
    parameters=(BigIntegerField(), PositiveSmallIntegerField()),
    columns=(TextField(),),
)


@dataclass(frozen=True, slots=True)
class MemoLine:
    """A memo as shown to those who play the faction.

    Attributes:
        by: User name of the last author; None if the account is deleted.
    """

    week: int
    text: str
    by: str | None
    written_at: datetime


def memo_for(faction: Faction, week: int) -> str:
    """Return a faction's memo for a week, or an empty text."""
    rows: list[tuple[str]] = MEMOS.tuples(faction.pk, week)
    if rows:
        return rows[0][0]
    return ""


def memos_of(viewer: Viewer) -> tuple[MemoLine, ...]:
    """Return the memos of the viewer's faction, by week. Raises NotFound without a faction."""
    rows = (
        Memo.objects.filter(faction=require(viewer, play=True).faction)
        .select_related("author")
        .order_by("week")
    )
    result: list[MemoLine] = []
    for row in rows:
        author = None if row.author is None else row.author.get_username()
        result.append(MemoLine(week=row.week, text=row.text, by=author, written_at=row.written_at))
    return tuple(result)


def memo_write(*, viewer: Viewer, week: int, text: str, now: datetime | None = None) -> None:
    """Save a memo for a week of the war, replacing any earlier one; an empty text deletes it.

    Raises:
        NotFound: The viewer plays no faction.
        RuleViolations: The text or the week has faults.
    """
    faction = require(viewer, play=True).faction
    last_week = scenario_of(viewer.campaign).weeks
    tidy = tidy_text(text)
    violations = text_faults(tidy, LONGEST_MEMO, phrase("a memo"))
    if not 0 <= week <= last_week:
        words = phrase("this war has weeks 1 to {}", last_week)
        violations.insert(0, Violation("week", "out-of-range", words))
    if violations:
        raise RuleViolations(violations)
    if not tidy:
        Memo.objects.filter(faction=faction, week=week).delete()
        return
    values = {"text": tidy, "author_id": viewer.user.pk, "written_at": now or timezone.now()}
    Memo.objects.update_or_create(faction=faction, week=week, defaults=values)

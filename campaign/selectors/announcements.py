"""What umpires announced to all factions, for the public newspaper."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.kinds import StageKind, UmpireEventKind
from campaign.lineage import played_on_line
from campaign.models.campaign import Campaign
from campaign.models.ledger import UMPIRE_EVENT, Act
from campaign.models.stage import Stage

FOR_ALL = (UmpireEventKind.BULLETIN, UmpireEventKind.PRESS)
WEEK = (StageKind.DEPLOY, StageKind.ORDERS, StageKind.DECISIONS, StageKind.BATTLES, StageKind.OVER)


@dataclass(frozen=True, slots=True)
class Announcement:
    """A bulletin or a paragraph for the newspaper; a bulletin has no headline."""

    headline: str
    text: str


def public_announcements(campaign: Campaign, week: int, newest: Stage) -> tuple[Announcement, ...]:
    """Return the announcements in the reports of a week that every faction has received, in order.

    Args:
        newest: The newest stage that has publicly opened.
    """
    factions = set(campaign.factions.values_list("key", flat=True))
    acts = Act.objects.filter(verb=UMPIRE_EVENT, body__facts__kind__in=FOR_ALL)
    on_line = played_on_line(acts, campaign.head_branch_id, "stage__ordinal")
    announcements = []
    for act in on_line.order_by("pk"):
        facts = act.body["facts"]
        if set(facts["factions"]) != factions or _report_week(facts) != week:
            continue
        if _rank(facts["week"], facts["stage"]) <= _rank(newest.week, newest.kind):
            announcements.append(Announcement(facts["headline"], facts["text"]))
    return tuple(announcements)


def _report_week(facts: dict[str, object]) -> int:
    """Return the week in whose reports an event appears: that of the stage before its delivery."""
    week = int(str(facts["week"]))
    return week - 1 if facts["stage"] == StageKind.ORDERS else week


def _rank(week: int, kind: str) -> tuple[int, int]:
    """Return the sort key of a stage."""
    return week, WEEK.index(StageKind(kind))

"""Refusals for calls that come too late: what has closed, when, and what is open now."""

from __future__ import annotations

from datetime import UTC, datetime

from campaign.api.resource import stage_sheet
from campaign.kinds import FactionBattleState, StageKind, StageStatus
from campaign.models.campaign import Campaign
from campaign.models.stage import Stage
from campaign.services.phases import Fight
from campaign.sight.reports import PhaseSummary
from campaign.web.problems import STAGE_CLOSED, Refusal


def stage_closed(campaign: Campaign, stage: Stage, newest: Stage) -> Refusal:
    """Return the refusal of a call for a stage that has closed.

    Args:
        newest: The newest stage, which may be the same.
    """
    now = stage_sheet(campaign, newest)
    closed_at = _over_at(stage)
    words = _over_words(_stage_title(stage.week, stage.kind), closed_at)
    if stage.pk != newest.pk:
        words += f"now {_stage_title(now.week, now.kind)} is {now.status}{_until(now.closes)}"
    elif now.publishes_at is None:
        words += "its result is expected soon"
    else:
        words += f"its result is expected at {_instant(now.publishes_at)}"
    details = {
        "closed": {"week": stage.week, "kind": stage.kind, "at": closed_at and _iso(closed_at)},
        "now": {
            "week": now.week,
            "kind": now.kind,
            "status": now.status,
            "closes": now.closes and _iso(now.closes),
        },
    }
    return Refusal(409, STAGE_CLOSED, words, extra=details)


def phase_closed(fight: Fight, phase: PhaseSummary) -> Refusal:
    """Return the refusal of a call for a phase of an online battle that is closed."""
    rows = Stage.objects.filter(
        pk__in=fight.stages, ordinal__in=(phase.number, phase.number + 1)
    ).order_by("ordinal")
    closed_at = _phase_over_at(*rows)
    newest = fight.last
    words = _over_words(f"turn {phase.turn}, {phase.kind} of this battle", closed_at)
    closes = fight.stage.closes if fight.stage is not None else None
    if fight.state == FactionBattleState.OVER:
        words += "now the battle is over"
        closes = None
    elif fight.state == FactionBattleState.WAITING:
        words += "now it does not wait for your orders"
    else:
        words += f"now turn {newest.turn}, {newest.kind} is open{_until(closes)}"
    details = {
        "closed": {
            "week": phase.week,
            "kind": phase.kind,
            "at": closed_at and _iso(closed_at),
            "turn": phase.turn,
        },
        "now": {
            "week": newest.week,
            "kind": newest.kind,
            "status": fight.state,
            "closes": closes and _iso(closes),
            "turn": newest.turn,
        },
    }
    return Refusal(409, STAGE_CLOSED, words, extra=details)


def _phase_over_at(stage: Stage, next_stage: Stage | None = None) -> datetime | None:
    """Return when a phase was over for a faction that it asked; None while no later one asks it.

    That is its deadline if it closed then, and otherwise when the next phase asked the faction.
    """
    over_at = _over_at(stage)
    if over_at is None and next_stage is not None:
        return next_stage.opens
    return over_at


def _over_at(stage: Stage) -> datetime | None:
    """Return when a stage was over for all sides; None if that is still to come.

    That is its deadline if it closed then, and otherwise when its outcome became public. When the
    last side sealed is not revealed.
    """
    if stage.closes is not None and stage.closed_at is not None and stage.closed_at >= stage.closes:
        return stage.closes
    if stage.status == StageStatus.RESOLVED:
        return stage.publishes_at
    return None


def _stage_title(week: int, kind: str) -> str:
    if kind == StageKind.DEPLOY:
        return "the deployment"
    return f"the stage '{kind}' of week {week}"


def _over_words(title: str, closed_at: datetime | None) -> str:
    """Return the beginning of a refusal: that something has closed, and when if that is public."""
    if closed_at is None:
        return f"{title} has closed; "
    return f"{title} was over at {_instant(closed_at)}; "


def _until(closes: datetime | None) -> str:
    """Return a deadline as the end of a sentence, or "" without one."""
    if closes is not None:
        return f" until {_instant(closes)}"
    return ""


def _instant(moment: datetime) -> str:
    """Return a moment for readers, in UTC."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _iso(moment: datetime) -> str:
    """Return a moment for programs, in ISO 8601."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")

"""Where a campaign stands: its stage, and the stages so far. The same for everybody in it."""

from __future__ import annotations

from campaign.access import Viewer
from campaign.api.problems import Refusal
from campaign.api.shapes import StageSheet
from campaign.envelopes import newest_stage_of
from campaign.errors import NotThere
from campaign.kinds import StageKind, StageStatus
from campaign.models.campaign import Campaign, Faction
from campaign.models.stage import Stage
from campaign.publication import stage_seen, stages_seen
from campaign.sight import Sight, sight, sight_at
from engine.core.errors import RuleViolations, Violation


def stage_now(campaign: Campaign) -> Stage:
    """The stage that is not resolved yet. Raises Refusal before the war and after it."""
    row = newest_stage_of(campaign)
    if row is None:
        raise Refusal(409, "not-started", "the war has not begun")
    if row.status == StageStatus.RESOLVED:
        raise Refusal(409, "already-over", "the war is over")
    return row


def stage_sheet(campaign: Campaign, row: Stage) -> StageSheet:
    """A stage as everybody sees it now."""
    row = stage_seen(campaign, row)
    kind, status = row.kind, row.status
    return StageSheet(row.ordinal, row.week, kind, status, row.opens, row.closes, row.publishes_at)


def own(viewer: Viewer) -> Faction:
    """The faction whose papers the caller may read. Raises NotThere."""
    if viewer.faction is None:
        raise NotThere("there is no such campaign")
    return viewer.faction


def sight_then(campaign: Campaign, faction: Faction, week: int | None, stage: str | None) -> Sight:
    """What a faction knew when a stage stood open; without week and stage: what it knows now.

    Raises RuleViolations where only one is given, NotThere, NoViewer.
    """
    if week is None and stage is None:
        return sight(campaign, faction)
    if week is None or stage is None:
        words = "week and stage are given together, or neither"
        raise RuleViolations([Violation("week" if week is None else "stage", "missing", words)])
    if stage == StageKind.OVER:
        last = sight(campaign, faction)
        if last.view.stage != StageKind.OVER or last.view.week != week:
            raise NotThere("there is no such stage")
        return last
    rows = Stage.objects.filter(branch_id=campaign.head_branch_id or 0, battle__isnull=True, week=week, kind=stage)
    seen = stages_seen(campaign, rows)
    if not seen:
        raise NotThere("there is no such stage")
    return sight_at(seen[0], faction)

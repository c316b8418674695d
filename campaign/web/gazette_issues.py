"""The newspapers a viewer can read: published weeks, and an issue for one of its editions.

A faction's issue is made only of its reports and views, through `campaign.sight`; the public one of
the scenario and the public state of the stages.
"""

from __future__ import annotations

from dataclasses import replace

from campaign.access import Viewer
from campaign.errors import NotFound, NoViewer
from campaign.kinds import StageKind, StageStatus, words_of
from campaign.models.campaign import Campaign
from campaign.models.knowledge import STAGE_REPORT
from campaign.rules.queries import side_of, with_known_designs
from campaign.selectors.envelopes import newest_stage_of, stages_of
from campaign.sight.reports import list_battles, list_reports, read_report
from campaign.sight.views import sight_after
from campaign.store.documents import scenario_of
from campaign.web.report_links import report_links
from campaign.words.gazette.issues import GazetteIssue, alliance_issue, faction_issue, public_issue
from campaign.words.report_words import notices_of
from engine.core.cache import Cache
from engine.core.phrase import phrase

OWN, ALLIES, PUBLIC = "own", "allies", "public"
EDITIONS = (OWN, ALLIES, PUBLIC)
NO_ISSUE = phrase("there is no such issue")
KINDS = words_of(StageKind)
# By campaign, branch, edition, week, faction and its views around the week, which never change.
_issues: Cache[tuple[object, ...], GazetteIssue] = Cache(256)


def weeks_out(campaign: Campaign) -> tuple[int, ...]:
    """Return the weeks with a published newspaper: those the public knows to be played.

    Single battles have none.
    """
    newest = newest_stage_of(campaign)
    if newest is None or campaign.ruleset.get("single"):
        return ()
    return tuple(range(1, newest.week + (newest.status == StageStatus.RESOLVED)))


def editions_for(viewer: Viewer) -> tuple[str, ...]:
    """Return the editions that a viewer gets, their own first."""
    if viewer.visible_faction is None:
        return (PUBLIC,)
    scenario = scenario_of(viewer.campaign)
    allied = scenario.shared_sight and len(side_of(scenario, viewer.visible_faction.key)) > 1
    if allied:
        return EDITIONS
    return (OWN, PUBLIC)


def issue_for(viewer: Viewer, edition: str, week: int) -> tuple[GazetteIssue, tuple[object, ...]]:
    """Return the issue of a week, and a cache key of everything it depends on.

    Raises:
        NotFound: If the viewer does not get this edition or week.
        NoViewer: If the faction has no view yet.
    """
    campaign = viewer.campaign
    weeks = weeks_out(campaign)
    if edition not in editions_for(viewer) or week not in weeks:
        raise NotFound(NO_ISSUE)
    here = (str(campaign.public_id), edition, week)
    scenario = scenario_of(campaign)
    if edition == PUBLIC:
        rows = stages_of(campaign)
        over = week == weeks[-1] and all(row.status == StageStatus.RESOLVED for row in rows)
        played = [KINDS[row.kind] for row in rows if row.week == week]
        return public_issue(scenario, week, played, over=over), (
            *here,
            campaign.scenario.sha256,
            over,
            *played,
        )
    faction = viewer.visible_faction
    stage_reports = [
        report
        for report in list_reports(campaign, faction)
        if report.kind == STAGE_REPORT and report.week == week and report.seq
    ]
    if faction is None or not stage_reports:
        raise NotFound(NO_ISSUE)
    try:
        before, after = (
            sight_after(campaign, faction, seq)
            for seq in (stage_reports[0].seq - 1, stage_reports[-1].seq)
        )
    except NoViewer as error:
        raise NotFound(NO_ISSUE) from error
    key = (*here, campaign.scenario.sha256, faction.key, before.etag, after.etag, after.seq)

    def build_issue() -> GazetteIssue:
        scenario_in_sight = with_known_designs(scenario, after.view)
        if edition == ALLIES:
            common = alliance_issue(scenario_in_sight, week, before.view, after.view)
            if common is None:
                raise NotFound(NO_ISSUE)
            return replace(common, seq=after.seq)
        bodies = [read_report(campaign, faction, report.id) for report in stage_reports]
        notices = [notice for body in bodies for notice in notices_of(body)]
        battles: dict[str, tuple[str, ...]] = {}
        for battle in list_battles(campaign, faction):
            if battle.week == week:
                battles[battle.hex] = (*battles.get(battle.hex, ()), battle.id)
        links = report_links(campaign, scenario, (before.view, after.view), after.seq)
        issue = faction_issue(
            scenario_in_sight, week, before.view, after.view, notices, battles, links
        )
        return replace(issue, seq=after.seq)

    # A row id must not be part of an ETag
    return _issues.get_or_make((*key, campaign.head_branch_id), build_issue), key

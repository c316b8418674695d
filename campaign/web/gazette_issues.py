"""The newspapers a viewer can read: published weeks, and an issue for one of its editions.

A faction's issue is made only of its reports and views, through `campaign.sight`; the public one of
the scenario and the public state of the stages.
"""

from __future__ import annotations

from dataclasses import replace

from campaign.access import Viewer
from campaign.errors import NotFound, NoViewer
from campaign.kinds import StageKind, StageStatus, words_of
from campaign.models.campaign import Campaign, Faction
from campaign.models.knowledge import STAGE_REPORT
from campaign.rules.queries import side_of, with_known_designs
from campaign.rules.view import Notice
from campaign.selectors.announcements import public_announcements
from campaign.selectors.envelopes import newest_stage_of, stages_of
from campaign.sight.reports import list_battles, list_reports, read_report
from campaign.sight.views import sight_after
from campaign.store.documents import scenario_of
from campaign.web.report_links import report_links
from campaign.words.gazette.issues import GazetteIssue, alliance_issue, faction_issue, public_issue
from campaign.words.report_words import notices_of
from engine.core.cache import Cache
from engine.core.phrase import phrase

# Editions of a week's newspaper
OWN = "own"
ALLIES = "allies"
PUBLIC = "public"
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
    if edition not in editions_for(viewer) or week not in weeks_out(viewer.campaign):
        raise NotFound(NO_ISSUE)
    if edition == PUBLIC:
        return _public_issue(viewer.campaign, week)
    if viewer.visible_faction is None:
        raise NotFound(NO_ISSUE)
    return _side_issue(viewer.campaign, viewer.visible_faction, edition, week)


def _public_issue(campaign: Campaign, week: int) -> tuple[GazetteIssue, tuple[object, ...]]:
    """Return the public issue of a week.

    It is made from the scenario, the states of the stages, and what the umpire announced to all.
    """
    stages = stages_of(campaign)
    is_last_week = week == weeks_out(campaign)[-1]
    is_over = is_last_week and all(stage.status == StageStatus.RESOLVED for stage in stages)
    stages_played = [KINDS[stage.kind] for stage in stages if stage.week == week]
    newest = newest_stage_of(campaign)
    announcements = () if newest is None else public_announcements(campaign, week, newest)
    issue = public_issue(
        scenario_of(campaign), week, stages_played, over=is_over, announcements=announcements
    )
    key = (
        str(campaign.public_id),
        PUBLIC,
        week,
        campaign.scenario.sha256,
        is_over,
        *stages_played,
        *announcements,
    )
    return issue, key


def _side_issue(
    campaign: Campaign, faction: Faction, edition: str, week: int
) -> tuple[GazetteIssue, tuple[object, ...]]:
    """Return the issue of a faction, or of its alliance, from the faction's knowledge alone."""
    stage_reports = []
    for report in list_reports(campaign, faction):
        if report.kind == STAGE_REPORT and report.week == week and report.seq:
            stage_reports.append(report)
    if not stage_reports:
        raise NotFound(NO_ISSUE)
    try:
        before = sight_after(campaign, faction, stage_reports[0].seq - 1)
        after = sight_after(campaign, faction, stage_reports[-1].seq)
    except NoViewer as error:
        raise NotFound(NO_ISSUE) from error
    key = (
        str(campaign.public_id),
        edition,
        week,
        campaign.scenario.sha256,
        faction.key,
        before.etag,
        after.etag,
        after.seq,
    )

    def build_issue() -> GazetteIssue:
        scenario = with_known_designs(scenario_of(campaign), after.view)
        if edition == ALLIES:
            issue = alliance_issue(scenario, week, before.view, after.view)
            if issue is None:
                raise NotFound(NO_ISSUE)
            return replace(issue, seq=after.seq)
        notices: list[Notice] = []
        for report in stage_reports:
            notices += notices_of(read_report(campaign, faction, report.id))
        issue = faction_issue(
            scenario,
            week,
            before=before.view,
            after=after.view,
            notices=notices,
            battles=_battle_ids_by_hex(campaign, faction, week),
            links=report_links(
                campaign, scenario_of(campaign), (before.view, after.view), after.seq
            ),
        )
        return replace(issue, seq=after.seq)

    # A row id must not be part of an ETag, so only the key of the cache has the branch
    return _issues.get_or_make((*key, campaign.head_branch_id), build_issue), key


def _battle_ids_by_hex(
    campaign: Campaign, faction: Faction, week: int
) -> dict[str, tuple[str, ...]]:
    """Return the battles of a week that the faction has reports of, by hex."""
    battles: dict[str, tuple[str, ...]] = {}
    for battle in list_battles(campaign, faction):
        if battle.week == week:
            battles[battle.hex] = (*battles.get(battle.hex, ()), battle.id)
    return battles

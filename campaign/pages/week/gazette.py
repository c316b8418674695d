"""The weekly newspaper: the faction's own edition, an alliance's shared one, and a public one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_safe

from campaign.access import Viewer
from campaign.drawings.moment import Moment
from campaign.errors import NotFound
from campaign.rules.scenario import Scenario
from campaign.sight.reports import list_battles
from campaign.store.documents import scenario_of
from campaign.web.battle_moments import battle_moment
from campaign.web.common import heavy_request, if_changed, if_same, member_page, show
from campaign.web.gazette_issues import (
    ALLIES,
    NO_ISSUE,
    OWN,
    PUBLIC,
    editions_for,
    issue_for,
    weeks_out,
)
from campaign.web.gazette_pdf import gazette_pdf
from campaign.web.hexmap import MARGIN, centre, outline, size
from campaign.web.label_placement import LabelSpace, Placement
from campaign.web.report_links import map_address
from campaign.web.seat_marks import seats
from campaign.web.sheet_pdf import PAPERS
from campaign.web.tabs import tabs, tabs_key
from campaign.words.gazette.issues import GazetteIssue
from engine.core.phrase import phrase
from engine.english import short_name

EDITION_TITLES = {
    OWN: phrase("Yours"),
    ALLIES: phrase("Of your alliance"),
    PUBLIC: phrase("For everybody"),
}
EDITION_SOURCES = {
    OWN: phrase("Based on your reports alone"),
    ALLIES: phrase("Based on what your allies see too"),
    PUBLIC: phrase("Based on public information"),
}
LETTERS_ACROSS = 28  # letter heights per map width: 11 px on a phone, where the map is 310 px wide
SETTLED_EMBLEM, EMPTY_EMBLEM = 28, 18  # sizes of emblems, in drawing units
SYSTEM_RADIUS = 0.4  # hexes around a system that names keep clear of


@dataclass(frozen=True, slots=True)
class SystemMark:
    """A system on the newspaper's map."""

    x: int
    y: int
    name: str
    is_settled: bool
    seat: int  # of the holder, whose emblem is shown; 0 for no holder
    name_placement: Placement

    @property
    def size(self) -> int:
        """The size of the emblem."""
        if self.is_settled:
            return SETTLED_EMBLEM
        return EMPTY_EMBLEM

    @property
    def emblem_offset(self) -> int:
        """The offset from the centre to the emblem's corner."""
        return -self.size // 2


@dataclass(frozen=True, slots=True)
class Holder:
    """The short name of a system's holder and its seat number; 0 for no holder."""

    name: str
    seat: int


@dataclass(frozen=True, slots=True)
class IssueMap:
    """The small map of an issue: holders at the week's end, crosses at the reader's battles."""

    width: int
    height: int
    letter: int  # height of a letter
    rim: str  # SVG path around the map
    marks: tuple[SystemMark, ...]
    fights: tuple[tuple[int, int], ...]  # places of the crosses


def issue_map(scenario: Scenario, issue: GazetteIssue) -> IssueMap:
    """Return the map of an issue. The public one shows the holders in the published scenario."""
    width, height = size(scenario.columns, scenario.rows)
    letter = round(width / LETTERS_ACROSS)
    return IssueMap(
        width=width + MARGIN,
        height=height + MARGIN,
        letter=letter,
        rim=outline(scenario.columns, scenario.rows),
        marks=_system_marks(scenario, issue, LabelSpace(width, height, letter)),
        fights=tuple(centre(story.hex) for story in issue.stories if story.battles),
    )


def _system_marks(
    scenario: Scenario, issue: GazetteIssue, label_space: LabelSpace
) -> tuple[SystemMark, ...]:
    """Return all systems with their holders; only settled ones have their name beside them."""
    seat_numbers = seats(scenario)
    if issue.score:
        holders = {row.hex: row.now for row in issue.score}
    else:
        holders = {system.hex: system.owner or "" for system in scenario.systems}
    for system in scenario.systems:
        label_space.occupy_circle(*centre(system.hex), SYSTEM_RADIUS)
    marks = []
    for system in scenario.systems:
        x, y = centre(system.hex)
        placement = label_space.place_name(x, y, system.name) if system.settled else None
        mark = SystemMark(
            x=x,
            y=y,
            name=system.name,
            is_settled=system.settled,
            seat=seat_numbers.get(holders.get(system.hex, ""), 0),
            name_placement=placement or (x, y, "middle"),
        )
        marks.append(mark)
    return tuple(marks)


@member_page
@require_safe
def gazette(request: HttpRequest, viewer: Viewer, week: int | None = None) -> HttpResponseBase:
    """Show the issue of a week, by default the newest; `?for=` selects another edition."""
    weeks = weeks_out(viewer.campaign)
    editions = editions_for(viewer)
    edition = request.GET.get("for", editions[0])
    shared = tabs(viewer, "gazette")
    if week is None and not weeks:
        if edition not in editions or viewer.campaign.ruleset.get("single"):
            raise NotFound(NO_ISSUE)
        return show(request, "gazette_none", **shared)
    issue, issue_key = issue_for(viewer, edition, weeks[-1] if week is None else week)

    def page() -> HttpResponse:
        scenario = scenario_of(viewer.campaign)
        seat_numbers = seats(scenario)
        return show(
            request,
            "gazette",
            issue=issue,
            edition=edition,
            on_map="" if issue.seq is None else map_address(viewer.campaign, issue.seq),
            source_text=EDITION_SOURCES[edition],
            editions=[(choice, EDITION_TITLES[choice]) for choice in editions],
            picture=issue_map(scenario, issue),
            moment=_lead_moment(viewer, scenario, issue),
            powers=[(power.name, seat_numbers[power.id]) for power in scenario.factions],
            score=_score(issue, seat_numbers),
            weeks=weeks,
            previous_week=issue.week - 1 if issue.week - 1 in weeks else None,
            next_week=issue.week + 1 if issue.week + 1 in weeks else None,
            **shared,
        )

    cache_key = ("gazette", *issue_key, *weeks, *editions, *tabs_key(shared))
    return if_changed(request, cache_key, page)


def _lead_moment(viewer: Viewer, scenario: Scenario, issue: GazetteIssue) -> Moment | None:
    """Return the picture of the lead story; None unless it is about a battle of the reader's."""
    battle_ids = issue.stories[0].battles
    for battle in list_battles(viewer.campaign, viewer.visible_faction) if battle_ids else ():
        if battle.id == battle_ids[-1]:
            return battle_moment(viewer.campaign, viewer.visible_faction, scenario, battle)
    return None


@member_page
@require_safe
def gazette_as_pdf(request: HttpRequest, viewer: Viewer, week: int) -> HttpResponseBase:
    """Return the issue of a week as a PDF; `?for=` selects the edition, `?paper=` the paper.

    Raises:
        NotFound: If the viewer does not get this edition or week.
    """
    edition = request.GET.get("for", editions_for(viewer)[0])
    issue, issue_key = issue_for(viewer, edition, week)
    paper = request.GET.get("paper", "a4")
    paper = paper if paper in PAPERS else "a4"

    def pdf() -> HttpResponse:
        with heavy_request(request):
            content = issue_pdf(viewer, issue, edition, paper)
        response = HttpResponse(content, content_type="application/pdf")
        response.headers["Content-Disposition"] = f'inline; filename="gazette-{week}.pdf"'
        return response

    return if_same(request, ("gazette-pdf", *issue_key, paper), pdf)


def issue_pdf(viewer: Viewer, issue: GazetteIssue, edition: str, paper: str) -> bytes:
    """Return an issue as a PDF in the active language.

    Args:
        paper: a4 or letter.
    """
    scenario = scenario_of(viewer.campaign)
    moment = _lead_moment(viewer, scenario, issue)
    return gazette_pdf(scenario, issue, EDITION_SOURCES[edition], moment, paper)


class ScoreRow(NamedTuple):
    """A system in the table of holders, unpacked by its template."""

    name: str
    hex: str
    before: Holder
    now: Holder
    is_changed: bool
    is_contested: bool
    week: int  # in which the reader last knew its holder


def _score(issue: GazetteIssue, seat_numbers: Mapping[str, int]) -> list[ScoreRow]:
    """Return the rows of the table of holders.

    Args:
        seat_numbers: Seat numbers of the factions.
    """

    def holder(key: str) -> Holder:
        return Holder(short_name(key) or phrase("nobody"), seat_numbers.get(key, 0))

    result: list[ScoreRow] = []
    for row in issue.score:
        score_row = ScoreRow(
            name=row.name,
            hex=row.hex,
            before=holder(row.before),
            now=holder(row.now),
            is_changed=row.before != row.now,
            is_contested=row.contested,
            week=row.week,
        )
        result.append(score_row)
    return result


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/gazette/", gazette, name="gazette"),
    path("c/<uuid:c>/gazette/<int:week>/", gazette, name="gazette-week"),
    path("c/<uuid:c>/gazette/<int:week>.pdf", gazette_as_pdf, name="gazette-pdf"),
]

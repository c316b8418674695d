"""The weekly newspaper: the faction's own edition, an alliance's shared one, and a public one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_safe

from campaign.access import Viewer
from campaign.errors import NotFound
from campaign.rules.scenario import Scenario
from campaign.store.documents import scenario_of
from campaign.web.common import if_changed, member_page, show
from campaign.web.gazette_issues import (
    ALLIES,
    NO_ISSUE,
    OWN,
    PUBLIC,
    editions_for,
    issue_for,
    weeks_out,
)
from campaign.web.hexmap import MARGIN, centre, outline, size
from campaign.web.label_placement import LabelSpace, Placement
from campaign.web.report_links import map_address
from campaign.web.seat_marks import seats
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


@dataclass(frozen=True, slots=True)
class SystemMark:
    """A system on the newspaper's map."""

    x: int
    y: int
    name: str
    is_settled: bool
    seat: int  # of the holder, whose emblem is shown; 0 for no holder
    at: Placement  # place of the name

    @property
    def size(self) -> int:
        """The size of the emblem."""
        if self.is_settled:
            return 28
        return 18

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
    letter: int
    rim: str
    marks: tuple[SystemMark, ...]
    fights: tuple[tuple[int, int], ...]


def issue_map(scenario: Scenario, issue: GazetteIssue) -> IssueMap:
    """Return the map of an issue. The public one shows the holders in the published scenario."""
    width, height = size(scenario.columns, scenario.rows)
    numbers = seats(scenario)
    flags = {row.hex: row.now for row in issue.score}
    if not issue.score:
        flags = {system.hex: system.owner or "" for system in scenario.systems}
    letter = round(width / LETTERS_ACROSS)
    marks = []
    label_space = LabelSpace(width, height, letter)
    for system in scenario.systems:
        label_space.occupy_circle(*centre(system.hex), 0.4)
    for system in scenario.systems:
        x, y = centre(system.hex)
        at = label_space.place_name(x, y, system.name) if system.settled else None
        seat = numbers.get(flags.get(system.hex, ""), 0)
        marks.append(SystemMark(x, y, system.name, system.settled, seat, at or (x, y, "middle")))
    fights = tuple(centre(story.hex) for story in issue.stories if story.battles)
    return IssueMap(
        width + MARGIN,
        height + MARGIN,
        letter,
        outline(scenario.columns, scenario.rows),
        tuple(marks),
        fights,
    )


@member_page
@require_safe
def gazette(request: HttpRequest, viewer: Viewer, week: int | None = None) -> HttpResponseBase:
    """Show the issue of a week, by default the newest; `?for=` selects another edition."""
    weeks = weeks_out(viewer.campaign)
    offered = editions_for(viewer)
    edition = request.GET.get("for", offered[0])
    shared = tabs(viewer, "gazette")
    if (
        week is None
        and not weeks
        and edition in offered
        and not viewer.campaign.ruleset.get("single")
    ):
        return show(request, "gazette_none", **shared)
    if week is None and not weeks:
        raise NotFound(NO_ISSUE)
    issue, key = issue_for(viewer, edition, weeks[-1] if week is None else week)

    def page() -> HttpResponse:
        scenario = scenario_of(viewer.campaign)
        numbers = seats(scenario)
        editions = []
        for offered_edition in offered:
            editions.append((offered_edition, EDITION_TITLES[offered_edition]))
        return show(
            request,
            "gazette",
            issue=issue,
            edition=edition,
            on_map="" if issue.seq is None else map_address(viewer.campaign, issue.seq),
            drawn_from=EDITION_SOURCES[edition],
            editions=editions,
            picture=issue_map(scenario, issue),
            powers=[(power.name, numbers[power.id]) for power in scenario.factions],
            score=_score(issue, numbers),
            weeks=weeks,
            before=issue.week - 1 if issue.week - 1 in weeks else None,
            after=issue.week + 1 if issue.week + 1 in weeks else None,
            **shared,
        )

    return if_changed(request, ("gazette", *key, *weeks, *offered, *tabs_key(shared)), page)


class ScoreRow(NamedTuple):
    """A system in the table of holders, unpacked by its template."""

    name: str
    hex: str
    before: Holder
    now: Holder
    is_changed: bool
    is_contested: bool
    week: int  # in which the reader last knew its holder


def _score(issue: GazetteIssue, numbers: Mapping[str, int]) -> list[ScoreRow]:
    """Return the rows of the table of holders.

    Args:
        numbers: Seat numbers of the factions.
    """

    def holder(key: str) -> Holder:
        return Holder(short_name(key) or phrase("nobody"), numbers.get(key, 0))

    result: list[ScoreRow] = []
    for row in issue.score:
        result.append(
            ScoreRow(
                row.name,
                row.hex,
                holder(row.before),
                holder(row.now),
                row.before != row.now,
                row.contested,
                row.week,
            )
        )
    return result


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<uuid:c>/gazette/", gazette, name="gazette"),
    path("c/<uuid:c>/gazette/<int:week>/", gazette, name="gazette-week"),
]

"""What the pages of the war share: who looks, where the war stands, and what he sees of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from campaign.access import Viewer, require, viewer_for
from campaign.errors import NotFound, NoViewer
from campaign.kinds import StageKind, StageStatus, words_of
from campaign.models.campaign import Campaign, Faction
from campaign.models.stage import Stage
from campaign.rules.queries import with_known_designs
from campaign.rules.scenario import Scenario
from campaign.selectors.envelopes import newest_stage_of, stages_before
from campaign.sight.views import Sight, current_sight, sight_after
from campaign.store.documents import scenario_of
from campaign.web.common import never_cached
from campaign.web.guide import GuidePage, guide_page, orders_guide_name
from campaign.web.next_action import PAGES, ActionWords, current_action
from campaign.web.tabs import tabs_context
from engine.core.phrase import phrase

P = ParamSpec("P")

# What people call each kind of stage.
KINDS = words_of(StageKind)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of the war the viewer can look back to. `seq` addresses it."""

    seq: int
    week: int
    kind: str

    @property
    def words(self) -> str:
        return (
            phrase("before the deployment")
            if self.kind == StageKind.DEPLOY
            else phrase("week {}, {}", self.week, KINDS[self.kind])
        )


@dataclass(frozen=True, slots=True)
class War:
    """The war as a player's page finds it, or a guest's of his faction.

    `stage`: the one that waits for entries, None when the war is over.

    `want`: what it wants of the viewer now.
    """

    viewer: Viewer
    faction: Faction
    scenario: Scenario
    sight: Sight
    stage: Stage | None
    moments: tuple[Moment, ...]
    want: ActionWords

    @property
    def id(self) -> str:
        return str(self.viewer.campaign.public_id)

    @property
    def name(self) -> str:
        return self.viewer.campaign.name

    @property
    def week(self) -> int:
        return self.sight.view.week

    @property
    def kind(self) -> str:
        """The kind of the stage the war waits for now."""
        return self.stage.kind if self.stage else "over"

    @property
    def page(self) -> str:
        """The name of the page that answers the open stage; empty after the war."""
        return PAGES.get(self.kind, "")

    @property
    def guided(self) -> GuidePage:
        """The page of the open stage, as its guide knows it."""
        orders = self.kind == StageKind.ORDERS
        page = orders_guide_name(self.scenario, self.sight.view) if orders else self.kind
        return guide_page(self.viewer, page, self.week)

    def tabs(self, here: str) -> dict[str, Any]:
        """Return the context of the tabs above a page; `here`: as `campaign.web.tabs.tabs` has
        it.
        """
        return tabs_context(self.viewer, self.kind, self.want, here)

    @property
    def pulse(self) -> str:
        """A text that changes when a stage closes, when it resolves, and when the reader's battle
        goes on.
        """
        return pulse_of(self.stage, self.want)


def pulse_of(stage: Stage | None, want: ActionWords | None) -> str:
    """Return a text that changes whenever a page of the war would say something else is next.

    It holds the stage as everybody sees it, and what the reader's own battle wants of the reader
    (`want`, which only a stage of battles needs).
    """
    if stage is None:
        return StageKind.OVER
    closed = "" if stage.status == StageStatus.OPEN else "-closed"
    battle = f"-{want.task}-{want.turn}" if want is not None and want.battle else ""
    return f"{stage.ordinal}{closed}{battle}"


def player_page(
    page: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """A page for those who play in a campaign: log in first; for everybody else it does not exist.

    Where it asks for a war that has not begun (NoViewer), its players are led to the lobby.
    """
    return _war_page(page, play=True)


def sight_page(
    page: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """A page of what a faction knows: for those who play it, and where `campaign.access` names it
    for its guests.
    """
    return _war_page(page, play=False)


def _war_page(
    page: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase], *, play: bool
) -> Callable[..., HttpResponseBase]:
    @wraps(page)
    def wrapped_page(
        request: HttpRequest, c: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        try:
            viewer = require(viewer_for(request, c), play=play, see=True)
            try:
                return never_cached(page(request, viewer, *args, **kwargs))
            except NoViewer:
                return never_cached(redirect_to_lobby(viewer))
        except NotFound as error:
            raise Http404(error.words) from error

    return login_required(wrapped_page)


def war_of(viewer: Viewer, seq: int | None = None) -> War:
    """The war as the viewer knows it now, or knew it after an earlier stage.

    Raises NotThere, NoViewer.
    """
    campaign, faction = viewer.campaign, viewer.visible_faction
    if faction is None:
        raise NotFound(phrase("there is no such campaign"))
    newest = newest_stage_of(campaign)
    sight_now = (
        current_sight(campaign, faction) if seq is None else sight_after(campaign, faction, seq)
    )
    stage = None if newest is None or newest.status == StageStatus.RESOLVED else newest
    moments = _moments(campaign, newest, over=stage is None)
    return War(
        viewer,
        faction,
        with_known_designs(scenario_of(campaign), sight_now.view),
        sight_now,
        stage,
        moments,
        current_action(viewer, stage),
    )


def _moments(campaign: Campaign, newest: Stage | None, over: bool) -> tuple[Moment, ...]:
    """The moments from the first stage to the newest, and the end where the war is over."""
    if newest is None:
        return (Moment(0, 0, "over"),)
    past = (Moment(row.ordinal, row.week, row.kind) for row in stages_before(campaign, newest))
    end = (Moment(newest.ordinal + 1, newest.week, StageKind.OVER),) if over else ()
    return (*past, Moment(newest.ordinal, newest.week, newest.kind), *end)


def redirect_to_lobby(viewer: Viewer) -> HttpResponse:
    """The answer of a page that needs a war, before there is one."""
    return redirect("lobby", c=str(viewer.campaign.public_id))


__all__ = [
    "KINDS",
    "Moment",
    "NoViewer",
    "War",
    "player_page",
    "pulse_of",
    "redirect_to_lobby",
    "sight_page",
    "war_of",
]

"""What the pages of a war share: the viewer, the state of the war and the viewer's sight of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from campaign.access import Viewer, require, viewer_for
from campaign.errors import NotFound, NoViewer
from campaign.kinds import StageKind, StageStatus, words_of
from campaign.models.campaign import Branch, Campaign, Faction
from campaign.models.stage import Stage
from campaign.rules.queries import with_known_designs
from campaign.rules.scenario import Scenario
from campaign.selectors.envelopes import newest_stage_of, stages_before
from campaign.selectors.rules import rules_now
from campaign.services.view_openings import view_opening_record
from campaign.sight.views import Sight, current_sight, sight_after
from campaign.store.documents import scenario_of
from campaign.web.common import never_cached
from campaign.web.guide import GuidePage, guide_page, orders_guide_name
from campaign.web.next_action import PAGES, ActionWords, current_action
from campaign.web.tabs import tabs_context
from engine.core.phrase import phrase
from engine.core.versions import SET_UP, follows

P = ParamSpec("P")

# The name of each kind of stage.
KINDS = words_of(StageKind)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of the war that the viewer can look back to, addressed by `seq`."""

    seq: int
    week: int
    kind: str

    @property
    def words(self) -> str:
        """The moment in words."""
        if self.kind == StageKind.DEPLOY:
            return phrase("before the deployment")
        return phrase("week {}, {}", self.week, KINDS[self.kind])


@dataclass(frozen=True, slots=True)
class War:
    """The war as a page of a player, or of a guest of the player's faction, finds it."""

    viewer: Viewer
    faction: Faction
    scenario: Scenario
    sight: Sight
    stage: Stage | None  # the waiting stage; None after the war
    moments: tuple[Moment, ...]
    next_action: ActionWords  # the viewer's next action

    @property
    def id(self) -> str:
        return str(self.viewer.campaign.public_id)

    @property
    def name(self) -> str:
        return self.viewer.campaign.name

    @property
    def reference_url(self) -> str:
        """The address of the quick reference with this war's rulebook and optional rules."""
        return self.reference_for("", ())

    def reference_for(self, phase: str, systems: Iterable[str]) -> str:
        """Return the address of the quick reference for a phase and some types of systems."""
        choices: list[tuple[str, str]] = [("edition", self.scenario.edition)]
        choices += [("option", option) for option in self.scenario.options]
        if phase:
            choices.append(("phase", phase))
        choices += [("system", system) for system in systems]
        return f"{reverse('aid-reference')}?{urlencode(choices)}"

    @property
    def week(self) -> int:
        return self.sight.view.week

    @property
    def kind(self) -> str:
        """The kind of the waiting stage."""
        if self.stage:
            return self.stage.kind
        return StageKind.OVER

    @property
    def is_paused(self) -> bool:
        """Whether the clock is paused, so that no stage closes."""
        return self.viewer.campaign.paused_at is not None

    @property
    def has_set_up(self) -> bool:
        """Whether the rules of this week let sides set up their ships before battles.

        A war never goes back to older rules, so only an old war needs the query for its changes.
        """
        campaign = self.viewer.campaign
        if follows(campaign.ruleset["rules_version"], SET_UP):
            return True
        return follows(rules_now(campaign).version_in(self.week), SET_UP)

    @property
    def page(self) -> str:
        """The URL name of the open stage's page; empty after the war."""
        return PAGES.get(self.kind, "")

    @property
    def guided(self) -> GuidePage:
        """The guide's page of the open stage."""
        page = self.kind
        if self.kind == StageKind.ORDERS:
            page = orders_guide_name(self.scenario, self.sight.view)
        return guide_page(self.viewer, page, self.week)

    def tabs(self, here: str) -> dict[str, Any]:
        """Return the context of the tabs above a page; see `campaign.web.tabs.tabs`."""
        return tabs_context(self.viewer, self.kind, self.next_action, here)

    @property
    def state_key(self) -> str:
        """A text that changes when a stage closes or resolves, or the reader's battle continues."""
        return state_key_of(self.stage, self.next_action)


def state_key_of(stage: Stage | None, next_action: ActionWords | None) -> str:
    """Return a text that changes whenever the next action on a page of the war changes.

    It contains the public state of the stage, and what the reader's own battle wants.

    Args:
        next_action: The reader's action; only needed for a stage of battles.
    """
    if stage is None:
        return StageKind.OVER
    key = str(stage.ordinal)
    if stage.status != StageStatus.OPEN:
        key += "-closed"
    if next_action is not None and next_action.battle:
        key += f"-{next_action.task}-{next_action.turn}"
    return key


def player_page(
    page: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Decorate a page for players of a campaign: login first; 404 for everybody else.

    If the page needs a war that has not begun (NoViewer), players are redirected to the lobby.
    """
    return _war_page(page, play=True)


def sight_page(
    page: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Decorate a page of a faction's knowledge, for its players and some of its guests.

    `campaign.access` lists the pages for guests.
    """
    return _war_page(page, play=False)


def _war_page(
    page: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase], *, play: bool
) -> Callable[..., HttpResponseBase]:
    """Decorate a page of a war.

    Args:
        play: Whether only players get it, no guests.
    """

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
    """Return the war as the viewer knows it now, or knew it after an earlier stage.

    Raises:
        NotFound: If the viewer sees no faction.
        NoViewer: If the faction has no view of that moment.
    """
    campaign, faction = viewer.campaign, viewer.visible_faction
    if faction is None:
        raise NotFound(phrase("there is no such campaign"))
    newest_stage = newest_stage_of(campaign)
    if seq is None:
        sight = current_sight(campaign, faction)
    else:
        sight = sight_after(campaign, faction, seq)
    view_opening_record(viewer=viewer, seq=sight.seq)
    waiting_stage = newest_stage
    if newest_stage is not None and newest_stage.status == StageStatus.RESOLVED:
        waiting_stage = None
    return War(
        viewer=viewer,
        faction=faction,
        scenario=with_known_designs(scenario_of(campaign, faction.key), sight.view),
        sight=sight,
        stage=waiting_stage,
        moments=_moments(campaign, newest_stage, over=waiting_stage is None),
        next_action=current_action(viewer, waiting_stage),
    )


def abandoned_war_of(viewer: Viewer, branch: Branch, shared: int, seq: int | None = None) -> War:
    """Return the war as the viewer knew it on an abandoned timeline, at its end or earlier.

    Reading it is not recorded, because nothing there counts.

    Args:
        shared: The number of the last snapshot that the war shares with the timeline.

    Raises:
        NotFound: If the viewer sees no faction.
        NoViewer: If the faction has no view of that moment there.
    """
    campaign, faction = viewer.campaign, viewer.visible_faction
    if faction is None:
        raise NotFound(phrase("there is no such campaign"))
    newest_stage = newest_stage_of(campaign)
    is_over = newest_stage is None or newest_stage.status == StageStatus.RESOLVED
    stage = None if is_over else newest_stage
    next_action = current_action(viewer, stage)
    campaign.head_branch = branch  # only in memory: all reads below follow the old timeline
    moments = []
    for moment in _moments(campaign, newest_stage_of(campaign), over=False):
        if moment.seq >= shared:
            moments.append(moment)
    sight = sight_after(campaign, faction, moments[-1].seq if seq is None else seq)
    return War(
        viewer=viewer,
        faction=faction,
        scenario=with_known_designs(scenario_of(campaign, faction.key), sight.view),
        sight=sight,
        stage=stage,
        moments=tuple(moments),
        next_action=next_action,
    )


def _moments(campaign: Campaign, newest: Stage | None, over: bool) -> tuple[Moment, ...]:
    """Return the moments from the first stage to the newest, and the end if the war is over."""
    if newest is None:
        return (Moment(0, 0, "over"),)
    moments = []
    for stage in stages_before(campaign, newest):
        moments.append(Moment(stage.ordinal, stage.week, stage.kind))
    moments.append(Moment(newest.ordinal, newest.week, newest.kind))
    if over:
        moments.append(Moment(newest.ordinal + 1, newest.week, StageKind.OVER))
    return tuple(moments)


def redirect_to_lobby(viewer: Viewer) -> HttpResponse:
    """Redirect to the lobby, for pages that need a war before there is one."""
    return redirect("lobby", c=str(viewer.campaign.public_id))


__all__ = [
    "KINDS",
    "Moment",
    "NoViewer",
    "War",
    "abandoned_war_of",
    "player_page",
    "redirect_to_lobby",
    "sight_page",
    "state_key_of",
    "war_of",
]

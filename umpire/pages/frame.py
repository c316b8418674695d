"""What the umpire's pages share: access, the page frame, the next step, and the rules of a war.

Anyone who is neither umpire nor host gets the same 404 as for missing pages. The rules of a war
look the same in its public record, on its host's page, and in the question before a change-over.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from campaign.access import Viewer, require, viewer_for
from campaign.errors import NotFound
from campaign.kinds import BattleStatus, ClosingRule, StageKind, StageStatus
from campaign.models.battle import Battle
from campaign.models.campaign import Branch, Campaign
from campaign.models.ledger import NO_BEACON, RELEASE, REMEDY
from campaign.models.stage import Stage
from campaign.rules.beacon import round_after
from campaign.rules.rules_record import ChangeOver
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import named_hexes
from campaign.selectors.beacon import waits_since
from campaign.selectors.clock import Seat, waiting_stage, war_has_begun
from campaign.selectors.daily import open_until
from campaign.selectors.due import closing_of
from campaign.selectors.families import may_be_public
from campaign.selectors.rules import rules_now
from campaign.selectors.stuck import is_stuck, is_waiting_for_release
from campaign.services.outbox import moment_in
from campaign.services.umpire_access import access_record, subject_of
from campaign.store.documents import scenario_of
from campaign.web.next_action import PAGES, current_action
from campaign.web.seat_marks import power_names
from campaign.words.common import battle_words
from engine.core.phrase import capitalize_first, join_phrases, phrase
from engine.core.versions import NEWEST, Version, is_newer, played_versions
from engine.english import join_names
from umpire.services.beacon_waivers import WAIVER_AFTER
from umpire.services.control import change_refusal

P = ParamSpec("P")
Page = Callable[Concatenate[HttpRequest, Viewer, P], HttpResponse]
View = Callable[..., HttpResponseBase]

READ_METHODS = ("GET", "HEAD")
ASK_METHODS = (*READ_METHODS, "POST")  # a page that asks before it acts

OK = 200
SOON = timedelta(hours=24)
OVER = "over"
JSON_NULL = "null"  # the text of a JSON null

# players' task -> label in the list of awaited factions
AT_BATTLE = {
    "fight": phrase("{} (orders in its battle)"),
    "table": phrase("{} (the result of its battle)"),
}
WAIT = "wait"

# kind of stage -> title
STAGES = {
    StageKind.DEPLOY.value: phrase("Deployment"),
    StageKind.ORDERS.value: phrase("Orders"),
    StageKind.DECISIONS.value: phrase("Decisions"),
    StageKind.BATTLES.value: phrase("Battles"),
    StageKind.OVER.value: phrase("The end"),
}


def page(
    *, host: bool = False, umpire: bool = False, methods: Sequence[str] = READ_METHODS
) -> Callable[[Page[P]], View]:
    """Decorate a page of a campaign, restricted to its host or umpire if asked.

    Anonymous users are redirected to the login. Missing and forbidden pages give the same 404. The
    page gets the viewer instead of the campaign's id. A `NotFound` becomes a 404, and nothing is
    cached. What an umpire opens is recorded (`campaign.services.umpire_access`).
    """

    def wrap(view: Page[P]) -> View:
        @wraps(view)
        def opened(
            request: HttpRequest, c: uuid.UUID, *args: Any, **kwargs: Any
        ) -> HttpResponseBase:
            try:
                viewer = require(viewer_for(request, c), host=host, umpire=umpire)
                if request.method not in methods:
                    return HttpResponseNotAllowed(methods)
                response = view(request, viewer, *args, **kwargs)
                if umpire and request.method == "GET" and response.status_code == OK:
                    _record_opening(request, viewer)
                return response
            except NotFound as error:
                raise Http404 from error

        return never_cache(login_required(opened))

    return wrap


def _record_opening(request: HttpRequest, viewer: Viewer) -> None:
    """Record that an umpire opened a page."""
    match = request.resolver_match
    if match is not None and match.url_name is not None:
        subject = subject_of(match.kwargs, request.GET)
        access_record(viewer=viewer, page=match.url_name, subject=subject)


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next action of the host or umpire who keeps the clock."""

    title: str
    words: str
    verb: str = ""  # of the action; empty to wait
    label: str = ""
    href: str = ""
    closes: datetime | None = None


def branch_of(campaign: Campaign) -> Branch:
    """Return the head branch.

    Raises:
        NotFound: If there is none.
    """
    if campaign.head_branch is None:
        raise NotFound(phrase("there is nothing to see yet"))
    return campaign.head_branch


def is_single(campaign: Campaign) -> bool:
    """Return whether a campaign is a single battle, which has no weeks."""
    return bool(campaign.ruleset.get("single"))


def stage_title(week: int, kind: str, *, single: bool = False) -> str:
    """Return the title of a stage on pages.

    Args:
        single: Whether it belongs to a single battle.
    """
    if single and kind == StageKind.BATTLES:
        return phrase("Battle")
    name = STAGES.get(kind, kind)
    if kind in (StageKind.DEPLOY, StageKind.OVER):
        return name
    return phrase("Week {}, {}", week, name.lower())


def title_of(campaign: Campaign, stage: Stage | None) -> str:
    """Return the title of a campaign's stage on pages; empty without a stage."""
    if stage is None:
        return ""
    return stage_title(stage.week, stage.kind, single=is_single(campaign))


def next_step(
    *,
    campaign: Campaign,
    stage: Stage | None,
    seats: Sequence[Seat],
    has_begun: bool,
    now: datetime,
    umpires: bool = False,
) -> NextStep:
    """Return the next action of the host or umpire: to wait, while there is time.

    Args:
        umpires: Whether the reader is an umpire.
    """
    if stage is None:
        return _outside_the_war(campaign, has_begun=has_begun)
    title = title_of(campaign, stage)
    if stage.status == StageStatus.CLOSED:
        return _while_closed(campaign, title, stage, now, umpires=umpires)
    if campaign.paused_at is not None:
        return _while_paused(title, seats)
    if any(seat.hidden and seat.people for seat in seats):
        return _while_playing(title, stage)
    awaited = [_awaited_words(seat) for seat in seats if seat.awaited]
    if awaited:
        return _while_awaited(title, stage, awaited, now)
    if any(seat.battle_task == WAIT for seat in seats):
        words = phrase("Nobody has anything to seal. Battles are being fought, or are over.")
    elif any(seat.people for seat in seats):
        words = phrase("Everybody has sealed.")
    else:
        words = _without_players_words(stage)
    return NextStep(title, words, "resolve", phrase("Close stage now"))


def _while_closed(
    campaign: Campaign, title: str, stage: Stage, now: datetime, *, umpires: bool
) -> NextStep:
    """Return the next action while a stage is closed and its outcome is not public."""
    if is_stuck(stage):
        words = phrase("The server cannot compute this stage. All orders are kept.")
        return NextStep(title, words, REMEDY, phrase("Choose how to continue"))
    if is_waiting_for_release(stage):
        words = phrase("The stage is closed. The next one waits until an umpire releases it.")
        verb = RELEASE if umpires else ""
        return NextStep(title, words, verb, phrase("Release the next stage") if verb else "")
    since = waits_since(campaign, stage)
    if since is not None:
        return _while_waiting_for_dice(campaign, title, since, now)
    words = phrase(
        "Closed and being resolved. This takes a few seconds; reload the page in a moment."
    )
    return NextStep(title, words)


def _while_waiting_for_dice(
    campaign: Campaign, title: str, since: datetime, now: datetime
) -> NextStep:
    """Return the next action while a closed stage waits for its public random value."""
    words = phrase(
        "Closed, and waiting for public dice (round {} of drand) since {}.",
        str(round_after(since)),  # as drand writes it, without separators
        moment_in(campaign, since),
    )
    if now < since + WAIVER_AFTER:
        return NextStep(title, words)
    return NextStep(title, words, NO_BEACON, phrase("Go on without public dice"))


def _without_players_words(stage: Stage) -> str:
    """Return when a stage closes for which no faction has a player."""
    if stage.closes is None:
        return phrase("No faction has a player. The stage closes when you close it.")
    return phrase("No faction has a player. The stage closes at its deadline, or close it now.")


def _awaited_words(seat: Seat) -> str:
    """Return a faction that has not sealed, with the orders or result of a battle that it owes."""
    return AT_BATTLE.get(seat.battle_task, "{}").format(seat.name)


def _while_paused(title: str, seats: Sequence[Seat]) -> NextStep:
    """Return the next action while the clock is paused."""
    if any(seat.people for seat in seats):
        words = phrase("The clock is paused.")
    else:
        words = phrase("No faction has a player: the clock is paused until somebody takes a seat.")
    return NextStep(title, words, "resume", phrase("Resume the clock"))


def _while_awaited(title: str, stage: Stage, awaited: Sequence[str], now: datetime) -> NextStep:
    """Return the next action while factions have not sealed, depending on the time left."""
    words = phrase("Waiting for {}.", join_names(awaited))
    if stage.closes is None:
        return NextStep(
            title,
            phrase("{} No deadline: it closes when everybody has sealed.", words),
            "resolve",
            phrase("Close stage now"),
        )
    if stage.closes - now > SOON:
        return NextStep(
            title,
            phrase("{} The stage closes by itself at its deadline.", words),
            closes=stage.closes,
        )
    return NextStep(title, words, "extend", phrase("Extend the deadline"), closes=stage.closes)


def _outside_the_war(campaign: Campaign, *, has_begun: bool) -> NextStep:
    """Return the next action before or after the war."""
    if not has_begun:
        return NextStep(
            title=phrase("Fill the seats"),
            words=phrase("Start the war in the lobby."),
            label=phrase("Go to the lobby"),
            href=reverse("lobby", args=(campaign.public_id,)),
        )
    if may_be_public(campaign=campaign):
        return NextStep(
            phrase("The war is over: read the whole story"),
            phrase("Everybody can now read the story, week by week."),
            label=phrase("The story"),
            href=reverse("story", args=(campaign.public_id,)),
        )
    if open_until(campaign, timezone.now()) is not None:
        return NextStep(
            phrase("The battle is over"),
            phrase("Its story is published when the table of this battle of the day closes."),
        )
    return NextStep(
        phrase("The war is over"),
        phrase("Its story is published when the last war that shares its history is over."),
    )


def would_cut_short(viewer: Viewer, seats: Iterable[Seat]) -> bool:
    """Return whether a playing host would close a stage for which other players still plan."""
    if not viewer.plays:
        return False
    return any(seat.hidden and seat.people and not seat.excused for seat in seats)


def sealing_page(viewer: Viewer, stage: Stage | None) -> str:
    """Return the URL of the page on which a playing host seals, or ticks to go on; or ""."""
    if stage is None or not viewer.plays or stage.kind not in PAGES:
        return ""
    return reverse(PAGES[stage.kind], kwargs={"c": viewer.campaign.public_id})


def _while_playing(title: str, stage: Stage) -> NextStep:
    """Return what a playing host can do: only wait, because who has sealed is hidden from them."""
    rule = closing_of(stage).rule
    hidden = phrase("You are playing, so you cannot see who has sealed.")
    if rule == ClosingRule.SEALED:
        words = phrase("{} The stage closes as soon as everybody has sealed.", hidden)
    elif rule == ClosingRule.READY:
        words = phrase("{} The stage closes earlier if every side is ready to go on.", hidden)
    else:
        words = phrase("{} The stage closes at its deadline.", hidden)
    return NextStep(title, words, closes=stage.closes)


def show(
    request: HttpRequest,
    viewer: Viewer,
    template: str,
    tab: str,
    *,
    here: str = "desk",
    **context: Any,
) -> HttpResponse:
    """Render a page in the frame of the campaign.

    Args:
        tab: The page's tab among the umpire's pages.
        here: The page's tab in the campaign.
    """
    campaign = viewer.campaign
    stage = waiting_stage(campaign=campaign)
    kind = ""
    if stage is not None:
        kind = stage.kind
    elif war_has_begun(campaign=campaign):
        kind = StageKind.OVER
    frame = {
        "campaign": campaign,
        "c": campaign.public_id,
        "viewer": viewer,
        "here": here,
        "tab": tab,
        "kind": kind,
        "next_action": current_action(viewer, stage),
        "powers": scenario_of(campaign).factions,
    }
    return render(request, f"umpire/{template}.html", {**frame, **context})


def battle_row(
    scenario: Scenario, battle: Battle, door: str = "", **place: object
) -> dict[str, object]:
    """Return a battle for a list: its name, place, winner and length.

    `over` means that its players have finished it; it takes effect when the stage is resolved.

    Args:
        battle: From `campaign.selectors.truth`.
        door: URL name of its page; empty if the reader cannot open one.
        place: Further URL arguments.
    """
    hex_ = battle.key.partition("/")[0]
    turn = getattr(battle, "turn", None)
    is_fought = battle.status == BattleStatus.FOUGHT
    is_over = not is_fought and getattr(battle, "phase", None) == OVER
    if battle.result:
        winner, turns = battle.result.get("winner"), battle.result.get("turns")
    else:
        winner, turns = getattr(battle, "winner", None), turn
    has_winner = winner and winner != JSON_NULL
    return {
        "battle": battle,
        "href": reverse(door, kwargs={**place, "public_id": battle.public_id}) if door else "",
        "place": named_hexes(scenario).get(hex_, phrase("hex {}", hex_)),
        "battle_name": battle_words(scenario, hex_),
        "is_fought": is_fought,
        "is_over": is_over,
        "turn": None if is_over else turn,
        "turns": turns if is_fought or is_over else None,
        "winner": side_words(scenario, winner) if has_winner else phrase("nobody"),
    }


def side_words(scenario: Scenario, side: str) -> str:
    """Return the names of the factions of a battle's side, such as `esu+nac`."""
    names = power_names(scenario)
    return join_phrases(" and ", [names[power] for power in side.split("+")])


@dataclass(frozen=True, slots=True)
class RulesOffer:
    """A rules version that a war can change to, and its changes in words."""

    number: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a war, as a page shows them."""

    first_version: str  # with which the war began
    now: str  # version in force
    unplayed: str  # recorded version that this release no longer plays
    newest: str
    coming: ChangeOver | None  # the planned change-over
    past: tuple[ChangeOver, ...]  # earlier change-overs
    offers: tuple[RulesOffer, ...]  # newer versions
    refusal: str  # why none of them can be chosen now; empty if one can
    # Versions since the start of the war that changed something in every war
    everywhere: tuple[Version, ...]
    week: int  # first week of a change-over made now


def rules_summary(campaign: Campaign, stage: Stage | None) -> Rules:
    """Return the rules of a war.

    Args:
        stage: The waiting stage; None before and after the war.
    """
    record = rules_now(campaign)
    if stage is not None:
        week = stage.week
        refusal = change_refusal(campaign, week)
    else:  # after the war every change-over is in force
        week = max([change_over.week for change_over in record.change_overs], default=0)
        refusal = ""
    now = record.version_in(week)
    recorded = record.recorded_version(week)
    offers = []
    for number in played_versions():
        if is_newer(number, now):
            changes = [change.words for change in record.list_changes(now, number)]
            offers.append(RulesOffer(number, tuple(changes)))
    return Rules(
        first_version=record.first_version,
        now=now,
        unplayed="" if recorded == now else recorded,
        newest=NEWEST,
        coming=record.next_change_over(week),
        past=record.past_change_overs(week),
        offers=tuple(offers),
        refusal=capitalize_first(refusal),
        everywhere=record.changes_in_every_war(),
        week=week + 1,
    )

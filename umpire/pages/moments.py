"""Public moments: the page that everybody may open, and the pages on which players publish them.

A public page shows one turn of a battle with all sides revealed, and nothing of any other turn. It
sets no cookie, and caches and search engines may not keep it, because players can take it back.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language

from campaign.access import Viewer
from campaign.errors import NotFound, Refused
from campaign.models.battle import Battle
from campaign.models.campaign import Campaign, Membership
from campaign.models.gallery import PublicMoment
from campaign.replays.highlights import events_of, forces_of, headline_of
from campaign.replays.replay import Replay
from campaign.rules.skirmish import is_skirmish
from campaign.selectors.families import may_be_public
from campaign.selectors.gallery import find_gallery_war
from campaign.selectors.gallery_consent import people_of
from campaign.selectors.truth import snapshot_before_battles, world_of
from campaign.store.documents import scenario_of
from campaign.web.common import absolute
from campaign.web.replays import replay_context
from campaign.words.common import battle_words
from engine.core.cache import Cache
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import capitalize_first, join_phrases, localize, phrase
from umpire.pages.battle_replay import true_replay
from umpire.pages.frame import ASK_METHODS, page, show
from umpire.pages.gallery import public_page
from umpire.pages.moment_preview import HEIGHT, WIDTH, moment_png
from umpire.pages.true_map import number_in_address
from umpire.services.moment_positions import may_play_moment
from umpire.services.moments import (
    LONGEST_TITLE,
    NO_MOMENT,
    awaited_people,
    battle_known_as,
    battle_of_moment,
    find_public_moment,
    is_public,
    moment_agree,
    moment_of,
    moment_publish,
    moment_take_back,
    moments_of,
    phases_of_turn,
)

AGREE, TAKE_BACK = "agree", "take-back"
UNPROCESSABLE = 422
CACHE_SIZE = 32

_pictures: Cache[tuple[str | None, ...], bytes] = Cache(CACHE_SIZE)


@dataclass(frozen=True, slots=True)
class MomentRow:
    """A moment in the list of a war's moments.

    Attributes:
        href: The address of its public page.
        awaited: The factions, or people who left, whose consent is missing.
        may_agree: Whether the reader's consent is missing.
    """

    moment: PublicMoment
    where: str
    href: str
    is_public: bool
    awaited: str
    may_agree: bool


def moment_replay(campaign: Campaign, battle: Battle, turn: int) -> Replay:
    """Return the replay of one turn of a battle, with all sides revealed. Raises NotFound."""
    phases = phases_of_turn(battle, turn)
    world = world_of(snapshot_before_battles(battle=battle))
    return true_replay(scenario_of(campaign), world, battle, phases, is_excerpt=True)


def moment_context(campaign: Campaign, battle: Battle, turn: int) -> dict[str, Any]:
    """Return what a moment's page shows, apart from its title and its author."""
    replay = moment_replay(campaign, battle, turn)
    where = _where(campaign, battle, turn)
    return {
        "replay": replay_context(replay, str(turn)),
        "where": where,
        "forces": forces_of(replay),
        "events": events_of(replay),
        "headline": str(localize(headline_of(replay))) or str(localize(capitalize_first(where))),
        "turn": turn,
    }


def _where(campaign: Campaign, battle: Battle, turn: int) -> str:
    """Return the battle and the turn of a moment in words."""
    scenario = scenario_of(campaign)
    place = battle_words(scenario, battle.key.partition("/")[0])
    if is_skirmish(scenario):
        place = scenario.name
    return join_phrases(" · ", (place, phrase("turn {}", turn)))


@public_page
def public_moment(request: HttpRequest, moment: uuid.UUID) -> HttpResponse:
    """Show a public moment."""
    row = find_public_moment(moment)
    battle = battle_of_moment(row)
    context = {
        **moment_context(row.campaign, battle, row.turn),
        "moment": row,
        "author": row.by.get_username() if row.is_named else "",
        "address": absolute(request, reverse("gallery-moment", args=[row.public_id])),
        "image": absolute(request, reverse("gallery-moment-picture", args=[row.public_id])),
        "image_size": (WIDTH, HEIGHT),
        "whole": _whole_replay(row),
        "may_play": may_play_moment(request.user, row),
    }
    return render(request, "umpire/moment.html", context)


@public_page
def moment_picture(_request: HttpRequest, moment: uuid.UUID) -> HttpResponse:
    """Return the picture of a public moment for link previews."""
    row = find_public_moment(moment)

    def draw() -> bytes:
        battle = battle_of_moment(row)
        replay = moment_replay(row.campaign, battle, row.turn)
        return moment_png(row.title, _where(row.campaign, battle, row.turn), replay, row.turn)

    # Whether the moment is public was just checked; its battle never changes.
    key = (str(row.public_id), row.title, get_language())
    return HttpResponse(_pictures.get_or_make(key, draw), content_type="image/png")


def _whole_replay(moment: PublicMoment) -> str:
    """Return the address of the whole replay if the gallery shows it, or an empty text."""
    try:
        war = find_gallery_war(moment.campaign.public_id)
    except NotFound:
        return ""
    if not war.is_over:
        return ""
    return reverse("gallery-battle", args=[moment.campaign.public_id, moment.battle.public_id])


@page(methods=ASK_METHODS)
def moment_new(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """Show exactly what `?turn=` of a battle will make public; a POST publishes it."""
    campaign = viewer.campaign
    if not viewer.plays or not may_be_public(campaign=campaign):
        raise NotFound(NO_MOMENT)
    row = battle_known_as(viewer, battle)
    turn = number_in_address(request, "turn") or 0
    faults: tuple[Violation, ...] = ()
    title = request.POST.get("title", "")
    if request.method == "POST":
        try:
            moment = moment_publish(
                viewer=viewer,
                battle=battle,
                turn=turn,
                title=title,
                is_named="named" in request.POST,
            )
        except RuleViolations as error:
            faults = error.limited_violations
        except NotFound:
            raise
        except Refused as error:
            messages.warning(request, phrase("Nothing was published: {}.", error.words))
            return redirect("moments", c=campaign.public_id)
        else:
            return _after_publishing(request, moment)
    context = moment_context(campaign, row, turn)
    response = show(
        request,
        viewer,
        "moment_new",
        "",
        here="more",
        faults=faults,
        title=title or context["headline"][:LONGEST_TITLE],
        longest=LONGEST_TITLE,
        is_alone=people_of(campaign) == {viewer.user.pk},
        **context,
    )
    response.status_code = UNPROCESSABLE if faults else response.status_code
    return response


def _after_publishing(request: HttpRequest, moment: PublicMoment) -> HttpResponse:
    """Go to the public page, or to the list while others have to agree."""
    if is_public(moment):
        return redirect("gallery-moment", moment=moment.public_id)
    messages.success(request, phrase("Proposed. It is public once every player has agreed."))
    return redirect("moments", c=moment.campaign.public_id)


@page(methods=ASK_METHODS)
def moments(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """List the moments of a war with the consents that are missing; a POST agrees or takes back."""
    campaign = viewer.campaign
    if not viewer.plays:
        raise NotFound(NO_MOMENT)
    if request.method == "POST":
        return _answer(request, viewer)
    rows = [_row(viewer, moment) for moment in moments_of(campaign)]
    return show(request, viewer, "moments", "", here="more", rows=rows)


def _answer(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Agree to a moment, or take it back."""
    try:
        public_id = uuid.UUID(request.POST.get("moment", ""))
    except ValueError as error:
        raise NotFound(NO_MOMENT) from error
    moment = moment_of(viewer.campaign, public_id)
    act = request.POST.get("act")
    if act == AGREE:
        moment_agree(viewer=viewer, moment=moment)
        messages.success(request, phrase("You have agreed."))
    elif act == TAKE_BACK:
        moment_take_back(viewer=viewer, moment=moment)
        messages.success(request, phrase("Taken back. Nobody can open it any more."))
    return redirect("moments", c=viewer.campaign.public_id)


def _row(viewer: Viewer, moment: PublicMoment) -> MomentRow:
    """Return a moment as the list shows it to a player."""
    campaign = viewer.campaign
    awaited = awaited_people(moment)
    return MomentRow(
        moment=moment,
        where=_where(campaign, moment.battle, moment.turn),
        href=reverse("gallery-moment", args=[moment.public_id]),
        is_public=is_public(moment),
        awaited=_names_of(campaign, awaited),
        may_agree=viewer.user.pk in awaited,
    )


def _names_of(campaign: Campaign, people: set[int]) -> str:
    """Return the factions of some people, and how many of the people have left the war."""
    rows = Membership.objects.filter(campaign=campaign, user__in=people, faction__isnull=False)
    keys = set(rows.values_list("faction__key", flat=True))
    names = [faction.name for faction in scenario_of(campaign).factions if faction.id in keys]
    if people - set(rows.values_list("user_id", flat=True)):
        names.append(phrase("players who left"))
    return join_phrases(", ", names)

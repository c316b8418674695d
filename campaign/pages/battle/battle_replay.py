"""Replay pages of a battle as the player's side saw it, finished or still being fought online."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse

from campaign.access import Viewer
from campaign.errors import NoViewer
from campaign.rules.view import View
from campaign.selectors.families import may_be_public
from campaign.services.phases import Fight, fight_of
from campaign.sight.reports import (
    list_battles,
    read_battle_report,
    read_phases,
    report_so_far,
)
from campaign.sight.views import sight_after
from campaign.web.guests import is_guest
from campaign.web.guide import guide_page
from campaign.web.replays import replay_context, side_replay
from campaign.web.war import War, player_page, sight_page, war_of
from campaign.words.common import battle_words
from engine.core.phrase import phrase
from engine.core.state import OVER


@sight_page
def battle(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """Show the replay of a reported battle.

    Without scripts, `?turn=` selects one turn; `all` shows the log of every turn.
    """
    war = _war(viewer)
    battle_report, seq, body = read_battle_report(viewer.campaign, war.faction, str(battle))
    try:
        before = sight_after(viewer.campaign, war.faction, seq - 1).view
    except NoViewer:  # the battle was the first event on this branch of the war
        before = war.sight.view
    context = {
        "week": battle_report.week,
        "battle_id": body["battle"],
        "turn_count": body["turns"],
        "chain": body["chain"][-1] if body["chain"] else "",
        "is_over": True,
        "publish": _publish_address(request, viewer, body["battle"]),
        "guided": guide_page(viewer, "replay", battle_report.week),
    }
    return _page(request, war, body, before, context=context)


def _publish_address(request: HttpRequest, viewer: Viewer, battle: str) -> str:
    """Return where the viewer can publish a turn of a battle; empty if they cannot."""
    campaign = viewer.campaign
    if not viewer.plays or is_guest(request) or not may_be_public(campaign=campaign):
        return ""
    return reverse("moment-new", args=(campaign.public_id, battle))


@player_page
def battle_so_far(request: HttpRequest, viewer: Viewer, fight: uuid.UUID) -> HttpResponse:
    """Show the replay of an online battle up to its newest phase."""
    war = _war(viewer)
    own_fight = fight_of(viewer.campaign, war.faction, str(fight))
    if own_fight.state == OVER and is_reported(war, own_fight):
        return redirect("battle", c=war.id, battle=own_fight.id)
    sheets = read_phases(viewer.campaign, war.faction, own_fight.id)
    newest_sheet = sheets[-1]
    context = {
        "week": newest_sheet["week"],
        "turn_count": newest_sheet["turn"],
        "is_over": False,
        "fight_id": own_fight.id,
    }
    return _page(request, war, report_so_far(sheets), war.sight.view, context=context)


def is_reported(war: War, fight: Fight) -> bool:
    """Return whether the faction has the report of a finished battle."""
    battles = list_battles(war.viewer.campaign, war.faction)
    return any(battle.id == fight.id for battle in battles)


def _war(viewer: Viewer) -> War:
    """Return the war as the viewer's faction sees it, or raise Http404 if it sees nothing."""
    try:
        return war_of(viewer)
    except NoViewer as error:
        raise Http404(phrase("there is no such battle")) from error


def _page(
    request: HttpRequest,
    war: War,
    body: Mapping[str, Any],
    before: View,
    *,
    context: Mapping[str, Any],
) -> HttpResponse:
    """Render a replay.

    Args:
        body: The phases of the battle as the side saw them.
        before: The faction's view before the battle, with the names of its ships.
    """
    page_context = {
        "war": war,
        "battle_name": battle_words(war.scenario, body["hex"]),
        "replay": replay_context(side_replay(war.scenario, body, before), request.GET.get("turn")),
        **context,
    }
    return render(request, "campaign/battle.html", page_context)


urlpatterns = [
    path("c/<str:c>/battles/<uuid:battle>/", battle, name="battle"),
    path("c/<str:c>/battles/<uuid:fight>/so-far/", battle_so_far, name="battle-so-far"),
]

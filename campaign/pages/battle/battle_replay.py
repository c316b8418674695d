"""Replay pages of a battle as the player's side saw it, finished or still being fought online."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path

from campaign.access import Viewer
from campaign.errors import NoViewer
from campaign.rules.view import View
from campaign.services.phases import fight_of
from campaign.sight.reports import list_battles, read_battle_report, read_phases
from campaign.sight.views import sight_after
from campaign.web.guide import guide_page
from campaign.web.replays import replay_context, side_replay
from campaign.web.seat_marks import power_names
from campaign.web.war import War, player_page, sight_page, war_of
from campaign.words.common import battle_words
from engine.core.phrase import join_phrases, phrase
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
    powers = power_names(war.scenario)
    winner = body["winner"]
    context = {
        "week": battle_report.week,
        "seq": seq,
        "length": body["turns"],
        "winner": winner
        and join_phrases(" and ", (powers.get(part, part) for part in winner.split("+"))),
        "won": winner == body["side"],
        "chain": body["chain"][-1] if body["chain"] else "",
        "over": True,
        "guided": guide_page(viewer, "replay", battle_report.week),
    }
    return _page(request, war, body, before, context)


@player_page
def battle_so_far(request: HttpRequest, viewer: Viewer, fight: uuid.UUID) -> HttpResponse:
    """Show the replay of an online battle up to its newest phase."""
    war = _war(viewer)
    mine = fight_of(viewer.campaign, war.faction, str(fight))
    if mine.state == OVER and any(
        battle.id == mine.id for battle in list_battles(viewer.campaign, war.faction)
    ):
        return redirect("battle", c=war.id, battle=mine.id)
    sheets = read_phases(viewer.campaign, war.faction, mine.id)
    logs = [*(after["log"] for _, after in pairwise(sheets)), []]
    phases = []
    for sheet, log in zip(sheets, logs, strict=True):
        phases.append({**sheet["view"], "turn": sheet["turn"], "stop": sheet["kind"], "log": log})
    last = sheets[-1]
    body = {
        "phases": phases,
        "table": last["table"],
        "hex": last["hex"],
        "side": last["side"],
        "sides": last["sides"],
    }
    context = {"week": last["week"], "length": last["turn"], "over": False, "fight": mine.id}
    return _page(request, war, body, war.sight.view, context)


def _war(viewer: Viewer) -> War:
    try:
        return war_of(viewer)
    except NoViewer as error:
        raise Http404(phrase("there is no such battle")) from error


def _page(
    request: HttpRequest,
    war: War,
    body: Mapping[str, Any],
    before: View,
    context: Mapping[str, Any],
) -> HttpResponse:
    page_context = {
        "war": war,
        "called": battle_words(war.scenario, body["hex"]),
        "replay": replay_context(side_replay(war.scenario, body, before), request.GET.get("turn")),
        **context,
    }
    return render(request, "campaign/battle.html", page_context)


urlpatterns = [
    path("c/<str:c>/battles/<uuid:battle>/", battle, name="battle"),
    path("c/<str:c>/battles/<uuid:fight>/so-far/", battle_so_far, name="battle-so-far"),
]

"""The result card of a battle, on which every battle ends, and what its player can do next.

The card is made from the reader's own report (`campaign.web.battle_card`). Luck is added once the
story is public, because dice of hidden checks would reveal what is hidden.
"""

from __future__ import annotations

import uuid
from functools import partial

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from campaign.access import Viewer
from campaign.errors import NoViewer
from campaign.models.battle import Battle
from campaign.models.campaign import Campaign, Faction
from campaign.rules.view import View
from campaign.selectors.clock import factions_of
from campaign.selectors.families import may_be_public
from campaign.selectors.truth import battles_of
from campaign.services.rematches import may_rematch, next_side
from campaign.services.shown_odds import shown_odds_of
from campaign.sight.reports import BattleSummary, read_battle_report
from campaign.sight.views import sight_after
from campaign.web.battle_card import CardSources, battle_card
from campaign.web.guests import is_guest
from campaign.web.replays import replay_context, side_replay
from campaign.web.war import War, sight_page, war_of
from campaign.words.common import battle_words
from umpire.pages.frame import branch_of, is_single
from umpire.pages.luck import CardLuck, damage_luck
from umpire.pages.rematch import begin_again, begin_rematch
from umpire.services.luck import luck_in_battle
from umpire.services.positions import may_play_on, play_on, position_turns

PLAY_ON = "play-on"


@sight_page
def battle_result_card(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponseBase:
    """Show the result card of a reported battle; a POST begins a battle like it."""
    war = war_of(viewer)
    report, seq, body = read_battle_report(viewer.campaign, war.faction, str(battle))
    summary = BattleSummary(
        id=body["battle"],
        week=report.week,
        hex=body["hex"],
        side=body["side"],
        turns=body["turns"],
        winner=body["winner"],
        seq=seq,
    )
    if request.method == "POST":
        here = reverse("battle-result", args=(viewer.campaign.public_id, summary.id))
        return begin_again(request, viewer, here, partial(_begin, summary=summary))
    before = _view_before(war, seq)
    replay = side_replay(war.scenario, body, before)
    sources = CardSources(
        scenario=war.scenario,
        summary=summary,
        body=body,
        before=before,
        after=sight_after(viewer.campaign, war.faction, seq).view,
        replay=replay,
        shown_odds=shown_odds_of(viewer.campaign, war.faction, summary.week),
    )
    card = battle_card(sources)
    is_public = may_be_public(campaign=viewer.campaign)
    row = _row_of(viewer.campaign, summary) if is_public else None
    context = {
        "war": war,
        "card": card,
        "battle_id": summary.id,
        "battle_name": battle_words(war.scenario, body["hex"]),
        "seq": seq,
        "replay": replay_context(replay, str(replay.turns[-1]) if replay.turns else None),
        "luck": _luck(row, summary.side),
        "has_story": is_public,
        "may_rematch": is_single(viewer.campaign) and may_rematch(viewer) and not is_guest(request),
        "is_guest": is_guest(request),
        "may_share": is_public and viewer.plays and not is_guest(request),
        "swap_side": next_side(viewer),
        "positions": _positions(request, viewer, row),
        "sides": _sides(viewer, row),
        **war.tabs("reports"),
    }
    return render(request, "umpire/battle_card.html", context)


def _view_before(war: War, seq: int) -> View:
    """Return the faction's view before a battle, with names and classes of its ships."""
    try:
        return sight_after(war.viewer.campaign, war.faction, seq - 1).view
    except NoViewer:  # the battle was the first event on this branch of the war
        return war.sight.view


def _begin(request: HttpRequest, viewer: Viewer, summary: BattleSummary) -> Campaign | None:
    """Return the battle that the pressed button begins; None if there is no such button."""
    if request.POST.get("act") != PLAY_ON:
        return begin_rematch(request, viewer)
    row = _row_of(viewer.campaign, summary) if may_play_on(viewer) else None
    turn = request.POST.get("turn", "")
    if row is None or not (turn.isascii() and turn.isdigit()):
        return None
    return play_on(viewer=viewer, battle=row, turn=int(turn), play=request.POST.get("side", ""))


def _row_of(campaign: Campaign, summary: BattleSummary) -> Battle | None:
    """Return the true battle of a report, once the story is public."""
    own_factions = set(summary.side.split("+"))
    for row in battles_of(branch=branch_of(campaign), week=summary.week):
        factions = set(row.key.rpartition("/")[2].split("+"))
        if row.key.startswith(f"{summary.hex}/") and own_factions <= factions:
            return row
    return None


def _luck(row: Battle | None, own_side: str) -> CardLuck | None:
    """Return the luck of both sides in a battle whose story is public, or None without dice."""
    if row is None:
        return None
    return damage_luck([line for line in luck_in_battle(row).lines if line.battle], own_side)


def _positions(request: HttpRequest, viewer: Viewer, row: Battle | None) -> list[int]:
    """Return the turns with which the reader may begin another battle."""
    if row is None or is_guest(request) or not may_play_on(viewer):
        return []
    return position_turns(row)


def _sides(viewer: Viewer, row: Battle | None) -> list[Faction]:
    """Return the factions of a battle, the viewer's first."""
    if row is None:
        return []
    keys = row.key.rpartition("/")[2].split("+")
    factions = [item for item in factions_of(viewer.campaign) if item.key in keys]
    return sorted(factions, key=lambda item: item != viewer.faction)

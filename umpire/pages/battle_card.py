"""The result card of a battle, on which every battle ends, and what its player can do next.

The card is made from the reader's own report (`campaign.web.battle_card`). Luck is added once the
story is public, because dice of hidden checks would reveal what is hidden.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from campaign.access import Viewer, viewer_of
from campaign.errors import NoViewer, Refused
from campaign.models.campaign import Campaign
from campaign.rules.view import View
from campaign.selectors.clock import waiting_stage
from campaign.selectors.families import may_be_public
from campaign.selectors.truth import battles_of
from campaign.services.rematches import may_rematch, next_side, rematch_open
from campaign.services.shown_odds import shown_odds_of
from campaign.sight.reports import BattleSummary, read_battle_report
from campaign.sight.views import sight_after
from campaign.web.battle_card import CardSources, battle_card
from campaign.web.guests import is_guest
from campaign.web.invitation_links import keep_link
from campaign.web.next_action import current_action
from campaign.web.replays import replay_context, side_replay
from campaign.web.war import War, sight_page, war_of
from campaign.words.common import battle_words
from engine.core.errors import RuleViolations
from engine.core.luck import Part
from engine.core.phrase import phrase
from engine.luck import LuckAccount
from umpire.pages.frame import branch_of
from umpire.services.luck import luck_in_battle

REMATCH, SWAP = "rematch", "swap"
# The parts of the luck account that count damage which a side's dice do to its enemies.
DAMAGE_PARTS = frozenset(
    {
        *(Part.BEAMS, Part.TORPEDOES, Part.SUBMUNITIONS, Part.FIGHTERS, Part.GRASERS),
        *(Part.PLASMA, Part.DEFENCE_GUNS, Part.PHASERS, Part.FUSION, Part.NEEDLE_POINTS),
    }
)
EVEN, STRONG = 0.05, 0.15  # shares of what was to be expected


@dataclass(frozen=True, slots=True)
class CardLuck:
    """What the dice of damage did in a battle: in a word, and in figures."""

    word: str
    figures: str


@sight_page
def battle_result_card(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponseBase:
    """Show the result card of a reported battle; a POST begins the battle again."""
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
        return _rematch(request, viewer, summary)
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
    context = {
        "war": war,
        "card": card,
        "battle_id": summary.id,
        "battle_name": battle_words(war.scenario, body["hex"]),
        "seq": seq,
        "replay": replay_context(replay, str(replay.turns[-1]) if replay.turns else None),
        "luck": _luck(viewer.campaign, summary) if is_public else None,
        "has_story": is_public,
        "may_rematch": may_rematch(viewer) and not is_guest(request),
        "swap_side": next_side(viewer),
        **war.tabs("reports"),
    }
    return render(request, "umpire/battle_card.html", context)


def _view_before(war: War, seq: int) -> View:
    """Return the faction's view before a battle, with names and classes of its ships."""
    try:
        return sight_after(war.viewer.campaign, war.faction, seq - 1).view
    except NoViewer:  # the battle was the first event on this branch of the war
        return war.sight.view


def _rematch(request: HttpRequest, viewer: Viewer, summary: BattleSummary) -> HttpResponse:
    """Open the battle again, with the sides of the pressed button, and go to it."""
    act = request.POST.get("act", "")
    side = next_side(viewer) if act == SWAP else viewer.faction
    here = reverse("battle-result", args=(viewer.campaign.public_id, summary.id))
    if act not in (REMATCH, SWAP) or side is None:
        return redirect(here)
    try:
        with transaction.atomic():
            new, invites = rematch_open(viewer=viewer, play=side.key)
    except RuleViolations as error:
        messages.warning(request, error.limited_violations[0].message)
        return redirect(here)
    except Refused as error:
        messages.warning(request, phrase("Nothing was changed: {}.", error.words))
        return redirect(here)
    for invite in invites:
        keep_link(request, invite.invite.public_id, invite.token)
    if invites:
        return redirect("lobby", c=new.public_id)
    host = viewer_of(viewer.user, new.public_id)
    return redirect(current_action(host, waiting_stage(campaign=host.campaign)).href)


def _luck(campaign: Campaign, summary: BattleSummary) -> CardLuck | None:
    """Return the luck of both sides in a battle whose story is public, or None without dice."""
    own_factions = set(summary.side.split("+"))
    for row in battles_of(branch=branch_of(campaign), week=summary.week):
        factions = set(row.key.rpartition("/")[2].split("+"))
        if row.key.startswith(f"{summary.hex}/") and own_factions <= factions:
            return luck_words(luck_in_battle(row), str(row.public_id), summary.side)
    return None


def luck_words(account: LuckAccount, battle: str, own_side: str) -> CardLuck | None:
    """Return the luck of a side in the damage of its dice, and that of the others."""
    effects = {True: 0, False: 0}
    expected = {True: 0.0, False: 0.0}
    for line in account.lines:
        if line.battle == battle and line.part in DAMAGE_PARTS:
            effects[line.faction == own_side] += line.effect
            expected[line.faction == own_side] += line.expected
    if not expected[True]:
        return None
    figures = phrase(
        "Your dice did {} points of damage, {} expected; theirs {} of {}.",
        effects[True],
        round(expected[True]),
        effects[False],
        round(expected[False]),
    )
    return CardLuck(_word_of(effects[True] / expected[True] - 1), figures)


def _word_of(share: float) -> str:
    """Return in a word how far dice were from what was to be expected, by its share."""
    if abs(share) <= EVEN:
        return phrase("Even.")
    if share > 0:
        return phrase("Very good.") if share > STRONG else phrase("Good.")
    return phrase("Very bad.") if share < -STRONG else phrase("Bad.")

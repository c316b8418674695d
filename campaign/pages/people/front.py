"""The front page for strangers: a battle, its sides to take as a guest, and what this is."""

from __future__ import annotations

from collections import Counter

from django.http import HttpRequest, HttpResponse

from campaign.drawings.moment import Force, Moment, MomentSide, MomentSize, Ships, draw_moment
from campaign.services.guests import guest_scenario
from campaign.store.documents import stored_scenario
from campaign.web.common import show
from campaign.web.hexmap import LineUp
from campaign.web.scenario_cards import ScenarioCard, scenario_card


def front_page(request: HttpRequest) -> HttpResponse:
    """Show the front page; the sides only where guests may play."""
    row = guest_scenario()
    if row is None:
        return show(request, "front", card=None)
    card = scenario_card(stored_scenario(row), row.sha256)
    return show(request, "front", card=card, moment=_moment(card))


def _moment(card: ScenarioCard) -> Moment:
    """Draw both fleets of a single battle before its first turn."""
    left, right, *_ = card.thumb.line_ups
    return draw_moment(
        MomentSize.HERO,
        line_up_side(left, is_own=True),
        line_up_side(right, is_own=False),
        place=card.scenario.name,
        alt="",
    )


def line_up_side(
    line_up: LineUp, *, is_own: bool, name: str = "", short_name: str = "", figures: str = ""
) -> MomentSide:
    """Return a side of the picture of a single battle before its first turn.

    Args:
        name: Empty if the page has the words elsewhere, like `short_name` and `figures`.
    """
    counts = Counter(line_up.classifications)
    ships = tuple(Ships(kind, count) for kind, count in counts.items())
    forces = (Force(line_up.seat, ships),)
    return MomentSide(name, figures, forces, short_name=short_name, is_own=is_own)

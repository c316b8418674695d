"""The choice of the order in which other sides act if the reader's side wins the initiative. Pure.

It stands below the fire of battles with three sides or more, and stays until it is changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight
from campaign.forms.field import ChoiceField, Option, Select
from engine.core.phrase import phrase
from engine.core.state import ENGAGE
from engine.order_requests.order_of_others import LETS, may_order_others

PLACE = ChoiceField("lets")  # the side that acts in a place, by its number
NO_CHOICE: Option = ("", phrase("by dice"))


def order_of_others_picks(
    sight: FormSight, payload: Mapping[str, Any], names: Mapping[str, str]
) -> tuple[Select, ...]:
    """Return a field for each place in the order of the other sides, if the phase asks for it.

    Args:
        names: The names of the sides as the page shows them.
    """
    places = _places(sight)
    chosen = payload.get(LETS, sight.state.lets.get(sight.side, ()))
    options = (NO_CHOICE, *((name, names.get(name, name)) for name in _others(sight)))
    picks: list[Select] = []
    for place in places:
        if place:
            label = phrase("then")
        else:
            label = phrase("If you win the initiative, next after you")
        side = chosen[place] if place < len(chosen) else ""
        picks.append(PLACE.draw(place, label=label, options=options, chosen=side))
    return tuple(picks)


def order_of_others_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the entry in the form; empty if it changes nothing."""
    places = _places(sight)
    if not any(PLACE.is_sent(post, place) for place in places):
        return {}
    names = [name for place in places if (name := PLACE.text(post, place))]
    if tuple(names) == sight.state.lets.get(sight.side, ()):
        return {}
    return {LETS: names}


def _places(sight: FormSight) -> Sequence[int]:
    """Return the places in the order of the other sides; none if the form does not ask."""
    if sight.state.stop != ENGAGE or not may_order_others(sight.state):
        return ()
    return range(len(sight.state.sides) - 1)


def _others(sight: FormSight) -> list[str]:
    """Return the other sides of the battle."""
    return [name for number, name in enumerate(sight.state.sides) if number != sight.side]

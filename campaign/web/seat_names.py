"""Emblems before faction names in texts such as reports: shape and colour beside the word.

Names are found in the finished text of any language, because pages, API and emails use the same
sentences. A faction named like a system gets no emblem, because the text does not tell which of the
two is meant.
"""

from __future__ import annotations

import re
from html import escape

from django.template import Context
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe

from campaign.access import Viewer
from campaign.models.campaign import Campaign
from campaign.rules.scenario import Scenario
from campaign.store.documents import scenario_of
from campaign.web.seat_marks import seat_in, seats
from engine.core.cache import Cache
from engine.english import short_name

TAGS = re.compile(r"(<[^>]*>)")
# The length up to which a name never wraps, so that its emblem cannot end up alone at a line end
LONGEST_UNBROKEN = 30
Names = tuple[tuple[str, int], ...]  # (faction name as HTML, seat number)

_names: Cache[str, Names] = Cache(64)  # by scenario hash


def seat_of(viewer: Viewer) -> int:
    """Return the seat number of the viewer's faction, or 0 without one."""
    return seat_in(viewer.campaign, viewer.visible_faction)


def with_emblems_of(campaign: Campaign, html: str) -> SafeString:
    """Return an escaped text as HTML with emblems before the names of a campaign's factions."""
    names = _names.get_or_make(
        campaign.scenario.sha256, lambda: faction_names(scenario_of(campaign))
    )
    return mark_safe(with_emblems(names, html))  # noqa: S308 (escaped, and marked with emblems alone)


def with_emblems(names: Names, html: str) -> str:
    """Return a text as HTML with emblems before the names of factions."""
    if not names:
        return html
    pattern = _pattern(names)
    numbers = dict(names)
    sprite = static("img/emblems.svg")

    def add_emblem(match: re.Match[str]) -> str:
        name = match[0]
        number = numbers[name]
        emblem = f'<svg class="emblem" aria-hidden="true"><use href="{sprite}#e{number}"/></svg>'
        css_class = f"seat-{number}"
        if len(name) <= LONGEST_UNBROKEN:
            css_class = f"named {css_class}"
        return f'<span class="{css_class}">{emblem}{name}</span>'

    parts = []
    for part in TAGS.split(html):
        parts.append(part if part.startswith("<") else pattern.sub(add_emblem, part))
    return "".join(parts)


def faction_names(scenario: Scenario) -> Names:
    """Return the names and initials of a scenario's factions, except those of systems too."""
    seat_numbers = seats(scenario)
    system_names = {system.name for system in scenario.systems}
    names = [(power.name, seat_numbers[power.id]) for power in scenario.factions]
    for power in scenario.factions:
        initials = short_name(power.id)
        if initials.isupper():
            names.append((initials, seat_numbers[power.id]))
    result = []
    for name, number in names:
        if number and name not in system_names:
            result.append((escape(name), number))
    return tuple(result)


def _pattern(names: Names) -> re.Pattern[str]:
    """Return a pattern of whole names; a longer name wins over one that it contains."""
    longest_first = sorted((name for name, _ in names), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def campaign_of(context: Context) -> Campaign:
    """Return the campaign of a page whose context has `campaign`, `viewer` or `war`."""
    campaign: Campaign | None = context.get("campaign")
    if campaign:
        return campaign
    viewer: Viewer = context.get("viewer") or context["war"].viewer
    return viewer.campaign

"""Small pictures of scenario maps: hexes, systems in the colours of their owners, links. Made once a content."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from django.utils.safestring import SafeString, mark_safe

from campaign.pages.hexmap import centre, hexes_path, outline, size
from campaign.rules.scenario import Scenario

KEPT = 16
MOST_NAMES = 14  # systems whose names still fit
_thumbs: dict[str, Thumb] = {}


@dataclass(frozen=True, slots=True)
class Thumb:
    """A drawing: its size, and its layers as SVG text."""

    width: int
    height: int
    layers: SafeString


def thumb_of(scenario: Scenario, sha256: str) -> Thumb:
    """The picture of a scenario's map; `sha256` of its content."""
    known = _thumbs.get(sha256)
    if known is None:
        if len(_thumbs) >= KEPT:
            _thumbs.clear()
        known = _thumbs[sha256] = _drawn(scenario)
    return known


def _drawn(scenario: Scenario) -> Thumb:
    width, height = size(scenario.columns, scenario.rows)
    shades = {power.id: f"p{n}" for n, power in enumerate(scenario.factions, 1)}
    hexes = [f"{column:02}{row:02}" for column in range(1, scenario.columns + 1) for row in range(1, scenario.rows + 1)]
    parts = [
        f'<g class="grid"><path d="{hexes_path(hexes)}"/></g>',
        f'<path class="edge" d="{outline(scenario.columns, scenario.rows)}"/>',
    ]
    if scenario.closed:
        parts.append(f'<path class="closed" d="{hexes_path(scenario.closed)}"/>')
    for link in scenario.links:
        (ax, ay), (bx, by) = centre(link.a), centre(link.b)
        parts.append(f'<path class="link" d="M{ax} {ay}L{bx} {by}"/>')
    named = len(scenario.systems) <= MOST_NAMES
    letters = max(16, width // 38)
    for system in scenario.systems:
        x, y = centre(system.hex)
        kind = " ".join(["star", shades.get(system.owner or "", "")] + (["settled"] if system.settled else []))
        parts.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="{9 if system.settled else 6}"/>')
        if named or system.settled:
            parts.append(f'<text x="{x}" y="{y + letters + 12}" font-size="{letters}">{escape(system.name)}</text>')
    return Thumb(width, height, mark_safe("".join(parts)))  # noqa: S308 names are escaped above

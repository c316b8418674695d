"""Small pictures of scenarios, made once a content: a map's hexes, systems in the colours of their owners and links; of
a single battle its table with the ships of both sides as they begin.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from django.utils.safestring import SafeString, mark_safe

from campaign.pages.battle_log import SCALE, units
from campaign.pages.hexmap import centre, hexes_path, outline, size
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from engine.core.kinds import FIGHTING
from engine.notation.battles import read_battle

KEPT = 16
MOST_NAMES = 14  # systems whose names still fit
ARROW = "M0-20 12 15 0 8-12 15z"  # a ship, course 12
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
        known = _thumbs[sha256] = _table(scenario) if is_skirmish(scenario) else _map(scenario)
    return known


def _shades(scenario: Scenario) -> dict[str, str]:
    """The style class of each faction's colour."""
    return {power.id: f"p{n}" for n, power in enumerate(scenario.factions, 1)}


def _table(scenario: Scenario) -> Thumb:
    """The table of a single battle. What everybody sees of it at the start: contacts, and whose they are."""
    state, shades = read_battle(scenario.battle, {}).state, _shades(scenario)
    width, height = (units(length) for length in state.table)
    parts = [f'<rect class="table" width="{width}" height="{height}"/>']
    for piece in (piece for piece in state.pieces if piece.body):
        x, y = units(piece.x), units(state.table[1] - piece.y)
        parts.append(f'<circle class="{piece.kind}" cx="{x}" cy="{y}" r="{max(units(piece.size), SCALE // 2)}"/>')
    for ship in state.ships:
        if ship.status == FIGHTING:
            x, y, turn = units(ship.x), units(state.table[1] - ship.y), ship.course % 12 * 30
            shade = shades.get(state.sides[ship.side], "")
            parts.append(f'<path class="{shade}" transform="translate({x} {y}) rotate({turn})" d="{ARROW}"/>')
    return Thumb(width, height, mark_safe("".join(parts)))  # noqa: S308 numbers and style classes alone


def _map(scenario: Scenario) -> Thumb:
    width, height = size(scenario.columns, scenario.rows)
    shades = _shades(scenario)
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

"""The star map as geometry: positions of hexes, the static layers as SVG text, small pictures.

Hexes are flat-topped, odd columns up, labels CCRR. Units are those of the drawing: a hex is 48 wide
and 42 high (41.6 would be exact), so all coordinates are whole numbers. The grid is one pattern,
clipped at the map's edge. The layers of a scenario are made once. A small picture is also made once
per content. For a map it has hexes, links, and systems in their owners' colours; for a single
battle, the table with both sides' ships at the start.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from campaign.rules.hexes import labels
from campaign.rules.muster import example_battle
from campaign.rules.scenario import Scenario, StarSystem
from campaign.rules.skirmish import is_skirmish
from campaign.rules.system_terrain import system_text
from campaign.web.label_placement import LabelSpace
from campaign.web.seat_marks import seat_classes, seats
from campaign.web.turn_drawings import SCALE, units
from engine.core.cache import Cache
from engine.core.kinds import FIGHTING
from engine.core.phrase import join_phrases, phrase
from engine.core.state import BattleState
from engine.notation.battles import read_battle

SIDE = 24  # from the centre to a corner
HEIGHT = 42
STEP = 36  # from one column to the next
MARGIN = 4

# Corners clockwise from the right one, relative to the centre.
CORNERS = ((24, 0), (12, 21), (-12, 21), (-24, 0), (-12, -21), (12, -21))

# The letter of a base on the map, by its kind; "F" for others
FACILITIES = {"yard": "Y", "dockyard": "D", "naval-base": "B", "depot": "S"}
Point = tuple[int, int]

CACHE_SIZE = 16
LINES = 18  # letter heights per picture height: 11 px at 200 px
ARROW = "M0-20 12 15 0 8-12 15z"  # a ship on course 12


@dataclass(frozen=True, slots=True)
class MapBackground:
    """The static background of a map: its size, and its layers as SVG."""

    width: int
    height: int
    layers: str

    @property
    def layers_beside(self) -> str:
        """The layers for a second map on the same page, with other ids."""
        return re.sub(r'(id="|url\(#)(hexes|edge|glow)', r"\1beside-\2", self.layers)


def centre(label: str) -> Point:
    """Return the centre of a hex on the drawing."""
    column = int(label[:2])
    row = int(label[2:])
    x = MARGIN + SIDE + STEP * (column - 1)
    y = MARGIN + HEIGHT // 2 + HEIGHT * (row - 1) + (HEIGHT // 2 if column % 2 == 0 else 0)
    return x, y


def size(columns: int, rows: int) -> tuple[int, int]:
    """Return width and height of a map's drawing."""
    shift = HEIGHT // 2 if columns > 1 else 0
    return 2 * MARGIN + STEP * (columns - 1) + 2 * SIDE, 2 * MARGIN + HEIGHT * rows + shift


def hexes_path(hexes: Iterable[str]) -> str:
    """Return the path data of some hexes, each a closed outline."""
    return "".join("M{} {}l-12 21h-24l-12-21 12-21h24z".format(*_corner(label)) for label in hexes)


def _corner(label: str) -> Point:
    x, y = centre(label)
    return x + SIDE, y


def way_path(hexes: Iterable[str]) -> str:
    """Return the path data of a route from centre to centre."""
    return "M" + " ".join("{} {}".format(*centre(label)) for label in hexes)


@lru_cache(maxsize=CACHE_SIZE)
def outline(columns: int, rows: int) -> str:
    """Return the path data of the edge of a map of this size.

    The edge consists of the sides of hexes without a neighbour: going round every hex in the same
    direction, only these are passed in one direction alone.
    """
    sides: set[tuple[Point, Point]] = set()
    for label in labels(columns, rows):
        x, y = centre(label)
        corners = [(x + dx, y + dy) for dx, dy in CORNERS]
        sides.update(zip(corners, corners[1:] + corners[:1], strict=True))
    next_points: dict[Point, list[Point]] = {}
    for start, end in sides:
        if (end, start) not in sides:
            next_points.setdefault(start, []).append(end)
    first = min(next_points)
    points = [first]
    while (point := min(next_points[points[-1]])) != first:
        points.append(point)
    return "M" + " ".join(f"{x} {y}" for x, y in points) + "z"


_thumbs: Cache[tuple[str, bool], Thumb] = Cache(CACHE_SIZE)
_backgrounds: Cache[tuple[str | None, str], MapBackground] = Cache(CACHE_SIZE)


def map_background(scenario: Scenario, sha256: str) -> MapBackground:
    """Return the layers of a scenario's map, made once for each content hash."""
    return _backgrounds.get_or_make((get_language(), sha256), lambda: _draw_background(scenario))


def _draw_background(scenario: Scenario) -> MapBackground:
    """Draw the layers of a scenario's map, from the lowest to the highest."""
    width, height = size(scenario.columns, scenario.rows)
    edge = outline(scenario.columns, scenario.rows)
    parts = [
        "<defs>",
        f'<pattern id="hexes" width="{2 * STEP}" height="{HEIGHT}" patternUnits="userSpaceOnUse" '
        f'x="{MARGIN}" y="{MARGIN}">'
        '<path d="M12 0h24l12 21h24M48 21L36 42H12L0 21 12 0"/></pattern>',
        f'<clipPath id="edge"><path d="{edge}"/></clipPath>',
        '<radialGradient id="glow"><stop offset="0" stop-color="#fff4d6"/>'
        '<stop offset=".35" stop-color="#ffd98a"/>'
        '<stop offset="1" stop-color="#ffb84d" stop-opacity="0"/></radialGradient>',
        "</defs>",
        f'<path class="space" d="{edge}"/>',
        f'<rect class="grid" width="{width}" height="{height}" fill="url(#hexes)"'
        ' clip-path="url(#edge)"/>',
    ]
    if scenario.closed:
        title = conditional_escape(phrase("closed to all ships"))
        parts.append(
            f'<path class="closed" d="{hexes_path(scenario.closed)}"><title>{title}</title></path>'
        )
    parts.extend(_hex_numbers(scenario))
    parts.extend(_links(scenario))
    parts.extend(_stars(scenario))
    return MapBackground(width, height, "".join(parts))


def _hex_numbers(scenario: Scenario) -> list[str]:
    """Draw the number of every open hex."""
    closed = frozenset(scenario.closed)
    parts = ['<g class="numbers">']
    for label in labels(scenario.columns, scenario.rows):
        if label not in closed:
            x, y = centre(label)
            parts.append(f'<text x="{x}" y="{y - 13}">{label}</text>')
    parts.append("</g>")
    return parts


def _links(scenario: Scenario) -> list[str]:
    """Draw the lines between linked hexes, with their rules as title."""
    parts = ['<g class="links">']
    for link in scenario.links:
        ax, ay = centre(link.a)
        bx, by = centre(link.b)
        words = phrase(
            "{}, {} to {}, costs {} hexes of movement", phrase(link.kind), link.a, link.b, link.cost
        )
        if link.mass is not None:  # a gate with limited transfer mass
            words = phrase("{}, mass limit {} per faction and week", words, link.mass)
        parts.append(
            f'<path class="link {escape(link.kind)}" d="M{ax} {ay}L{bx} {by}">'
            f"<title>{conditional_escape(words)}</title></path>"
            f'<circle class="link-end" cx="{ax}" cy="{ay}" r="5"/>'
            f'<circle class="link-end" cx="{bx}" cy="{by}" r="5"/>'
        )
    parts.append("</g>")
    return parts


def _stars(scenario: Scenario) -> list[str]:
    """Draw the systems, with what everybody knows about each as title."""
    parts = ['<g class="stars">']
    for system in scenario.systems:
        x, y = centre(system.hex)
        title = conditional_escape(_system_title(scenario, system))
        css_class = "star settled" if system.settled else "star"
        parts.append(
            f'<g class="{css_class}"><title>{title}</title>'
            f'<circle cx="{x}" cy="{y}" r="9" fill="url(#glow)"/>'
            f'<circle class="core" cx="{x}" cy="{y}" r="3"/>'
        )
        if system.facility is not None:
            letter = FACILITIES.get(system.facility.kind, "F")
            parts.append(
                f'<path class="base" d="M{x - 20} {y - 4}h8v8h-8z"/>'
                f'<text class="base-mark" x="{x - 16}" y="{y + 2}">{letter}</text>'
            )
        parts.append("</g>")
    parts.append("</g>")
    return parts


def _system_title(scenario: Scenario, system: StarSystem) -> str:
    """Return a system's name, hex, settlement, base and terrain in words."""
    words = [
        system.name,
        phrase("hex {}", system.hex),
        phrase("settled") if system.settled else phrase("not settled"),
    ]
    if system.facility is not None:
        words.append(facility_words(system.facility.kind))
    if terrain := system_text(scenario, system):
        words.append(terrain)
    return join_phrases(", ", words)


def facility_words(kind: str) -> str:
    """Return a facility's kind in words."""
    return phrase(kind.replace("-", " "))


def names_layer(scenario: Scenario) -> str:
    """Return the layer of system names, to be drawn above the rest of the background."""
    parts = ['<g class="names">']
    for system in scenario.systems:
        x, y = centre(system.hex)
        kind = ' class="settled"' if system.settled else ""
        parts.append(f'<text{kind} x="{x}" y="{y + 19}">{escape(system.name)}</text>')
    parts.append("</g>")
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class LineUp:
    """The ships of one side at the start of a single battle."""

    seat: int
    classifications: tuple[str, ...]  # the largest first


@dataclass(frozen=True, slots=True)
class Thumb:
    """A small drawing: its size, and its layers as SVG text."""

    width: int
    height: int
    layers: SafeString
    side: int = 0  # how far names may extend beyond it, left and right
    line_ups: tuple[LineUp, ...] = ()  # of a single battle

    @property
    def box(self) -> str:
        """The drawing's SVG view box."""
        return f"{-self.side} 0 {self.width + 2 * self.side} {self.height}"


def thumb_of(scenario: Scenario, sha256: str, bare: bool = False) -> Thumb:
    """Return the small picture of a scenario's map.

    Args:
        sha256: Hash of the scenario's content.
        bare: Whether to leave out the hexes, its largest part.
    """

    def draw() -> Thumb:
        if is_skirmish(scenario):
            return _table_thumb(scenario)
        return _map_thumb(scenario, bare)

    return _thumbs.get_or_make((sha256, bare), draw)


def _table_thumb(scenario: Scenario) -> Thumb:
    """Draw the start of a single battle as everybody sees it: contacts and their sides."""
    state = read_battle(example_battle(scenario), {}).state
    colours = seat_classes(scenario)
    width, height = (units(length) for length in state.table)
    parts = [f'<rect class="table" width="{width}" height="{height}"/>']
    for piece in state.pieces:
        if piece.body:
            x = units(piece.x)
            y = units(state.table[1] - piece.y)
            radius = max(units(piece.size), SCALE // 2)
            parts.append(f'<circle class="{piece.kind}" cx="{x}" cy="{y}" r="{radius}"/>')
    for ship in state.ships:
        if ship.status == FIGHTING:
            x = units(ship.x)
            y = units(state.table[1] - ship.y)
            degrees = ship.course % 12 * 30
            colour = colours.get(state.sides[ship.commander], "")
            transform = f"translate({x} {y}) rotate({degrees})"
            parts.append(f'<path class="{colour}" transform="{transform}" d="{ARROW}"/>')
    layers = mark_safe("".join(parts))  # noqa: S308 numbers and style classes alone
    return Thumb(width, height, layers, line_ups=_line_ups(scenario, state))


def _line_ups(scenario: Scenario, state: BattleState) -> tuple[LineUp, ...]:
    """Return the ships of each side, including those that arrive later."""
    seat_numbers = seats(scenario)
    line_ups = []
    for faction in scenario.factions:
        ships = [ship for ship in state.ships if state.sides[ship.commander] == faction.id]
        ships.sort(key=lambda ship: -ship.sheet.mass)
        classifications = tuple(ship.sheet.classification for ship in ships)
        line_ups.append(LineUp(seat_numbers[faction.id], classifications))
    return tuple(line_ups)


def _map_thumb(scenario: Scenario, bare: bool) -> Thumb:
    """Draw a map: hexes unless `bare`, edge, closed hexes, links, and systems with their names."""
    width, height = size(scenario.columns, scenario.rows)
    parts = []
    if not bare:
        hexes = labels(scenario.columns, scenario.rows)
        parts.append(f'<g class="grid"><path d="{hexes_path(hexes)}"/></g>')
    parts.append(f'<path class="edge" d="{outline(scenario.columns, scenario.rows)}"/>')
    if scenario.closed:
        parts.append(f'<path class="closed" d="{hexes_path(scenario.closed)}"/>')
    for link in scenario.links:
        ax, ay = centre(link.a)
        bx, by = centre(link.b)
        parts.append(f'<path class="link" d="M{ax} {ay}L{bx} {by}"/>')
    letter_size = height // LINES
    side = 3 * letter_size
    parts += _thumb_systems(scenario, width, height, side=side, letter_size=letter_size)
    return Thumb(width, height, mark_safe("".join(parts)), side)  # noqa: S308 names are escaped above


def _thumb_systems(
    scenario: Scenario, width: int, height: int, *, side: int, letter_size: int
) -> list[str]:
    """Draw the systems of a small map in their owners' colours, with names where there is room.

    Args:
        side: How far names may extend beyond the map, left and right.
    """
    colours = seat_classes(scenario)
    label_space = LabelSpace(width + 2 * side, height, letter_size)
    for system in scenario.systems:
        x, y = centre(system.hex)
        label_space.occupy_circle(x + side, y, 0.5)
    parts = []
    for system in sorted(scenario.systems, key=lambda system: (not system.settled, system.hex)):
        x, y = centre(system.hex)
        colour = colours.get(system.owner or "", "")
        css_class = f"star {colour} settled" if system.settled else f"star {colour}"
        radius = letter_size // 3 if system.settled else letter_size // 5
        parts.append(f'<circle class="{css_class}" cx="{x}" cy="{y}" r="{radius}"/>')
        placement = label_space.place_name(x + side, y, system.name, needed=False)
        if placement is not None:
            name_x, name_y, anchor = placement
            parts.append(
                f'<text x="{round(name_x - side, 1)}" y="{name_y}" text-anchor="{anchor}" '
                f'font-size="{letter_size}">{escape(system.name)}</text>'
            )
    return parts

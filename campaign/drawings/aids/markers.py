"""Counters to cut out, 40 on a page: contacts, ordnance, craft, fields, and fleets of a war.

Rules: 2E appendix [aid.markers]; Continuum "Fighter groups" 8.13 [aid.markers]
"""

from __future__ import annotations

from dataclasses import dataclass

from campaign.drawings.aids.sheets import AidDrawing, AidPage, Label, Line, Picture, rectangle
from campaign.drawings.symbols import STAR, UNKNOWN, silhouette
from engine.core.phrase import phrase
from engine.weapons.missiles import CONTINUUM, HEAVY_MISSILE, SALVO_MISSILES
from engine.weapons.ordnance import Ordnance

ACROSS, DOWN = 5, 8
A_PAGE = ACROSS * DOWN
SIDE = 29.0  # of a counter, in mm
SYMBOL = 16.0  # of its symbol, in mm


@dataclass(frozen=True, slots=True)
class Marker:
    """A counter: a symbol, what it is, and its code or number."""

    symbol: str
    text: str
    code: str


def marker_pages() -> tuple[AidPage, ...]:
    """Return the counters of contacts, and those of ordnance, craft and fields."""
    return (
        AidPage(phrase("Counters: contacts"), (counters(contacts()),)),
        AidPage(phrase("Counters: ordnance, craft, fields"), (counters(pieces()),)),
    )


def contacts() -> tuple[Marker, ...]:
    """Return the counters of unidentified ships by classification, and of decoys."""
    kinds = (
        (silhouette("escort"), phrase("escort"), "E", 12),
        (silhouette("cruiser"), phrase("cruiser"), "C", 8),
        (silhouette("capital"), phrase("capital"), "K", 6),
        (silhouette("merchant"), phrase("merchant"), "M", 5),
        (silhouette("installation"), phrase("installation"), "I", 2),
        (UNKNOWN, phrase("decoy"), "D", 7),
    )
    return _numbered(kinds)


def pieces() -> tuple[Marker, ...]:
    """Return the counters of mines, missiles, salvoes, craft, ECM, cloaks and rocks."""
    kinds = (
        ("mine", phrase("mine"), "", 6),
        (_launcher(HEAVY_MISSILE), phrase("missile"), "", 6),
        (_launcher(SALVO_MISSILES), phrase("salvo"), "", 6),
        ("fighters", phrase("craft"), "", 12),
        ("ecm", "ECM", "", 3),
        ("cloaking-device", phrase("cloak"), "", 3),
        (STAR, phrase("rock"), "", 4),
    )
    return _numbered(kinds)


def _launcher(ordnance: Ordnance) -> str:
    """Return the type of the first weapon that launches a kind of ordnance; it has a symbol."""
    return next(weapon.type for weapon in CONTINUUM if weapon.ordnance is ordnance)


def _numbered(kinds: tuple[tuple[str, str, str, int], ...]) -> tuple[Marker, ...]:
    """Return so many counters of each kind, with a letter and a number.

    Args:
        kinds: Symbol, text, letter of the code, and how many.
    """
    markers = []
    for symbol, text, letter, count in kinds:
        for place in range(1, count + 1):
            markers.append(Marker(symbol, text, f"{letter}{place}"))
    return tuple(markers)


def counters(markers: tuple[Marker, ...]) -> AidDrawing:
    """Draw counters side by side, with lines to cut along."""
    lines = []
    labels = []
    pictures = []
    for place, marker in enumerate(markers):
        x = place % ACROSS * SIDE
        y = place // ACROSS * SIDE
        lines.append(Line(rectangle(x, y, SIDE, SIDE), "dashed"))
        pictures.append(Picture(marker.symbol, x + (SIDE - SYMBOL) / 2, y + 2, SYMBOL))
        labels.append(Label(x + SIDE / 2, y + 22.5, marker.code, 4.5))
        labels.append(Label(x + SIDE / 2, y + 26.5, marker.text, 3))
    rows = -(-len(markers) // ACROSS)
    return AidDrawing(
        width=ACROSS * SIDE,
        height=rows * SIDE,
        alt=phrase("{} counters to cut out", len(markers)),
        lines=tuple(lines),
        labels=tuple(labels),
        pictures=tuple(pictures),
    )

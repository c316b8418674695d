"""The picture of a public moment for link previews: a PNG of 1,200 by 630 pixels, set by typst."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import get_language

from campaign.replays.picture import PictureLine, PictureMark, picture_of
from campaign.replays.replay import Replay
from campaign.web.sheet_pdf import NOT_XML, compile_png, symbols_svg
from campaign.words.languages import all_in_language
from engine.core.phrase import phrase

WIDTH: Final = 1200
HEIGHT: Final = 630
LEFT: Final = 400  # pixels to the left of the table, for the words
SCALE: Final = 1.1
TOKEN = re.compile(r"--([\w-]+): (#[0-9a-f]{6});")
SEAT = re.compile(r"\bseat-\d\b")
COLOURS: Final = {
    "deep": "space-deep",
    "floor": "space-floor",
    "line": "space-line",
    "edge": "space-edge",
    "ink": "space-ink",
    "quiet": "space-ink-2",
    "accent": "space-accent",
    "world": "world",
}


def moment_png(title: str, where: str, replay: Replay, turn: int) -> bytes:
    """Return the picture of a moment in the active language, with the names of ships only."""
    picture = picture_of(replay, turn)
    tokens = _tokens()
    colours = {name: tokens[token] for name, token in COLOURS.items()}
    top = (HEIGHT - picture.height * SCALE) / 2
    context = {
        "picture": picture,
        "names": [placed for placed, _ in picture.names if not replay.units[placed.key].is_craft],
        "symbols": symbols_svg(mark.symbol for mark in picture.marks),
        "colours": colours,
        "place": f"translate({LEFT} {top:.1f}) scale({SCALE})",
        "trails": list(_coloured(picture.trails)),
        "fire": list(_coloured(picture.fire)),
        "marks": list(_coloured(picture.marks)),
    }
    document = {
        "svg": render_to_string("drawings/moment_preview.html", context),
        "title": title,
        "where": where,
        "invitation": phrase("Watch it without an account"),
        "language": get_language(),
        **{name: colours[name] for name in ("ink", "accent", "quiet")},
    }
    program = (settings.BASE_DIR / "templates/drawings/moment_preview.typ").read_bytes()
    return compile_png(program, NOT_XML.sub("", json.dumps(all_in_language(document))))


def _coloured(
    items: Iterable[PictureLine | PictureMark],
) -> Iterator[tuple[PictureLine | PictureMark, str]]:
    """Yield lines or marks with the colour of their seats."""
    tokens = _tokens()
    for item in items:
        seat = SEAT.search(item.cls)
        yield item, tokens[seat[0] if seat else "seat-0"]


@cache
def _tokens() -> dict[str, Any]:
    """Return the colours of the house that are the same in both themes, by name."""
    text = (settings.BASE_DIR / "static/css/tokens.css").read_text(encoding="utf-8")
    return dict(TOKEN.findall(text))

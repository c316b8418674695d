"""Record sheets as PDF: the same drawings as on pages, set by typst on A4 or letter, one, two or
four to a page.

The same ships give the same bytes. Drawings are tagged and say themselves (PDF/UA-1); where a name
has letters that no font here has, the standard is left out and the letters are missing in the
drawing, not in what it says of itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from campaign.drawings.condition import Condition
from campaign.drawings.counters import counter_drawing
from campaign.drawings.record_sheet import record_sheet
from campaign.drawings.symbols import STAR
from campaign.words.languages import all_in_language, in_language
from engine.core.cache import Cache
from engine.core.phrase import phrase
from engine.core.sheet import Sheet

if TYPE_CHECKING:
    import typst

PAPERS: Final = {"a4": "A4", "letter": phrase("Letter")}
TYPST_PAPERS: Final = {"a4": "a4", "letter": "us-letter"}
# Columns and rows by how many stand on a page; two stand beside each other on a page laid across.
SHEET_GRIDS: Final = {1: (1, 1), 2: (2, 1), 4: (2, 2)}
STANDARD: Final = "ua-1"
# Typst keeps what it has worked out until so many documents came after it: 20 MB of a large
# fleet's, which nobody asks for again. As many empty ones take 6 ms, and the memory of a process
# stays as it was.
CACHE_EVICTIONS: Final = 11
SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.DOTALL)
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_svgs: Cache[tuple[object, ...], str] = Cache(512)


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """A ship to be drawn on paper.

    `numbered`: its systems have the numbers that results name them by; `address`: of its page, for
    a code on the sheet.
    """

    sheet: Sheet
    condition: Condition
    has_core_systems: bool = False
    is_numbered: bool = False
    has_order_boxes: bool = True
    address: str = ""


@dataclass(frozen=True, slots=True)
class PaperChoice:
    """How a PDF is wanted: the paper, how many sheets stand on a page, whether counters follow."""

    paper: str = "a4"
    sheets_per_page: int = 4
    has_counters: bool = False


def pdf_of(title: str, ships: tuple[PaperSheet, ...], choice: PaperChoice) -> bytes:
    """The PDF of some ships."""
    import typst

    inputs = {"data": json.dumps(all_in_language(document_of(title, ships, choice)))}
    try:
        return typst.compile(
            program(), font_paths=fonts(), format="pdf", sys_inputs=inputs, pdf_standards=STANDARD
        )
    except typst.TypstError:
        return typst.compile(program(), font_paths=fonts(), format="pdf", sys_inputs=inputs)
    finally:
        for _ in range(CACHE_EVICTIONS):
            typst.compile(b"", font_paths=fonts(), format="svg")


def document_of(
    title: str, ships: tuple[PaperSheet, ...], choice: PaperChoice
) -> Mapping[str, Any]:
    """What the pages show, as the program that sets them reads it."""
    columns, rows = SHEET_GRIDS[choice.sheets_per_page]
    counters = (
        [counter_drawing(ship.sheet, ship.condition) for ship in ships]
        if choice.has_counters
        else []
    )
    return {
        "title": title,
        "language": translation.get_language(),
        "paper": TYPST_PAPERS[choice.paper],
        "columns": columns,
        "rows": rows,
        "sheets": [_sheet(ship) for ship in ships],
        "counters": [
            {
                "svg": _svg("counter", shown_counter, (shown_counter.symbol,)),
                "alt": shown_counter.alt,
            }
            for shown_counter in counters
        ],
    }


def _sheet(ship: PaperSheet) -> dict[str, Any]:
    """A sheet as the pages take it. `tall`: its height, of its width."""
    drawing = record_sheet(
        ship.sheet,
        ship.condition,
        orders=ship.has_order_boxes,
        core=ship.has_core_systems,
        numbered=ship.is_numbered,
        address=ship.address,
    )
    symbols = (STAR, *(placed.symbol for placed in drawing.systems))
    key = (
        ship.sheet,
        ship.condition,
        ship.has_order_boxes,
        ship.has_core_systems,
        ship.is_numbered,
        ship.address,
    )
    return {
        "svg": _svgs.get_or_make(
            (get_language(), key), lambda: _svg("record_sheet", drawing, symbols)
        ),
        "alt": NOT_XML.sub("", in_language(drawing.alt)),
        "tall": drawing.height / drawing.width,
    }


def _svg(template: str, drawing: Any, symbols: Iterable[str]) -> str:
    """A drawing that needs nothing beside itself: with its style and its symbols in it."""
    symbols_by_name = _symbols()
    used = mark_safe("".join(symbols_by_name[name] for name in dict.fromkeys(symbols)))  # noqa: S308 (the house's own file)
    head = render_to_string("drawings/paper.html", {"symbols": used})
    svg: SafeString = render_to_string(
        f"drawings/{template}.html", {"d": drawing, "sprite": "", "head": head}
    )
    return NOT_XML.sub("", svg)


@cache
def _symbols() -> dict[str, str]:
    """The house's symbols by their names."""
    text = (settings.BASE_DIR / "static/img/battle.svg").read_text(encoding="utf-8")
    return {match[1]: match[0] for match in SYMBOL.finditer(text)}


def program() -> bytes:
    """The document that sets the pages."""
    return bytes((settings.BASE_DIR / "templates/drawings/sheets.typ").read_bytes())


@cache
def fonts() -> typst.Fonts:
    """The fonts of PDFs: those in the house, and typst's own for letters these do not have; never
    the machine's.
    """
    import typst

    return typst.Fonts(include_system_fonts=False, font_paths=[settings.BASE_DIR / "static/vendor"])

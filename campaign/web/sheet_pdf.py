"""Record sheets as PDF: the pages' drawings, set by typst, one, two or four per A4 or letter page.

The same ships give the same bytes. The drawings are tagged and have text alternatives (PDF/UA-1).
If a name has letters that no font here has, the standard is left out. These letters are then
missing in the drawing, but not in its text alternative.
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
# Columns and rows by sheets per page; two sheets share a landscape page.
SHEET_GRIDS: Final = {1: (1, 1), 2: (2, 1), 4: (2, 2)}
STANDARD: Final = "ua-1"
POINTS_PER_INCH: Final = 72
# Typst caches its results until so many further documents were made: 20 MB for a large fleet that
# nobody requests again. Compiling as many empty documents takes 6 ms and frees that memory.
CACHE_EVICTIONS: Final = 11
SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.DOTALL)
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_svgs: Cache[tuple[object, ...], str] = Cache(512)


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """A ship to be drawn on paper."""

    sheet: Sheet
    condition: Condition
    has_core_systems: bool = False
    is_numbered: bool = False  # systems have the numbers that results use
    has_order_boxes: bool = True
    address: str = ""  # of the ship's page, for a code on the sheet
    start: str = ""  # where it begins the battle, in words


@dataclass(frozen=True, slots=True)
class PaperChoice:
    """The options of a PDF: paper size, sheets per page, and whether counters follow."""

    paper: str = "a4"
    sheets_per_page: int = 4
    has_counters: bool = False


def pdf_of(
    title: str, ships: tuple[PaperSheet, ...], choice: PaperChoice, footer: str = ""
) -> bytes:
    """Return the PDF of some ships.

    Args:
        footer: A line at the foot of each page.
    """
    document = document_of(title, ships, choice, footer)
    return compile_pdf(program(), json.dumps(all_in_language(document)))


def compile_pdf(program: bytes, data: str) -> bytes:
    """Return the PDF of a typst program: an accessible one (PDF/UA) if possible.

    Args:
        data: The contents of the pages as JSON.
    """
    import typst

    inputs = {"data": data}
    try:
        return typst.compile(
            program, font_paths=fonts(), format="pdf", sys_inputs=inputs, pdf_standards=STANDARD
        )
    except typst.TypstError:
        return typst.compile(program, font_paths=fonts(), format="pdf", sys_inputs=inputs)
    finally:
        _empty_typst_cache()


def compile_png(program: bytes, data: str) -> bytes:
    """Return the only page of a typst program as a PNG, a pixel for each point.

    Args:
        data: The contents of the page as JSON.
    """
    import typst

    inputs = {"data": data}
    try:
        picture = typst.compile(
            program, font_paths=fonts(), format="png", sys_inputs=inputs, ppi=POINTS_PER_INCH
        )
        return bytes(picture)
    finally:
        _empty_typst_cache()


def _empty_typst_cache() -> None:
    """Let Typst drop what it has cached, which each compilation of any document ages by one."""
    import typst

    for _ in range(CACHE_EVICTIONS):
        typst.compile(b"", font_paths=fonts(), format="svg")


def document_of(
    title: str, ships: tuple[PaperSheet, ...], choice: PaperChoice, footer: str = ""
) -> Mapping[str, Any]:
    """Return the pages' contents for the typst program."""
    columns, rows = SHEET_GRIDS[choice.sheets_per_page]
    counters = []
    for ship in ships if choice.has_counters else ():
        drawing = counter_drawing(ship.sheet, ship.condition)
        counters.append({"svg": _svg("counter", drawing, (drawing.symbol,)), "alt": drawing.alt})
    return {
        "title": title,
        "footer": footer,
        "language": translation.get_language(),
        "paper": TYPST_PAPERS[choice.paper],
        "columns": columns,
        "rows": rows,
        "sheets": [_sheet(ship) for ship in ships],
        "counters": counters,
    }


def _sheet(ship: PaperSheet) -> dict[str, Any]:
    """Return a record sheet for the pages; `tall` is the ratio of height to width."""
    drawing = record_sheet(
        ship.sheet,
        ship.condition,
        orders=ship.has_order_boxes,
        core=ship.has_core_systems,
        numbered=ship.is_numbered,
        address=ship.address,
        start=ship.start,
    )
    symbols = (STAR, *(placed.symbol for placed in drawing.systems))
    key = (
        ship.sheet,
        ship.condition,
        ship.has_order_boxes,
        ship.has_core_systems,
        ship.is_numbered,
        ship.address,
        ship.start,
    )
    return {
        "svg": _svgs.get_or_make(
            (get_language(), key), lambda: _svg("record_sheet", drawing, symbols)
        ),
        "alt": NOT_XML.sub("", in_language(drawing.alt)),
        "tall": drawing.height / drawing.width,
    }


def _svg(template: str, drawing: Any, symbols: Iterable[str]) -> str:
    """Return a self-contained drawing, with its style and symbols included."""
    head = render_to_string("drawings/paper.html", {"symbols": symbols_svg(symbols)})
    svg: SafeString = render_to_string(
        f"drawings/{template}.html", {"d": drawing, "sprite": "", "head": head}
    )
    return NOT_XML.sub("", svg)


def symbols_svg(names: Iterable[str]) -> SafeString:
    """Return the definitions of some of the project's symbols, each once."""
    symbols_by_name = _symbols()
    return mark_safe("".join(symbols_by_name[name] for name in dict.fromkeys(names)))  # noqa: S308 (the house's own file)


@cache
def _symbols() -> dict[str, str]:
    """Return the project's symbols by name."""
    text = (settings.BASE_DIR / "static/img/battle.svg").read_text(encoding="utf-8")
    return {match[1]: match[0] for match in SYMBOL.finditer(text)}


def program() -> bytes:
    """Return the typst document that lays out the pages."""
    return bytes((settings.BASE_DIR / "templates/drawings/sheets.typ").read_bytes())


@cache
def fonts() -> typst.Fonts:
    """Return the fonts for PDFs: the project's, then typst's own, never the machine's."""
    import typst

    return typst.Fonts(include_system_fonts=False, font_paths=[settings.BASE_DIR / "static/vendor"])

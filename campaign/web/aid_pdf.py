"""Play aids as PDF, set by typst: drawings true to scale and tables, on A4 or letter paper.

The same choice gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from campaign.drawings.aids.catalogue import Aid, AidChoice
from campaign.drawings.aids.sheets import AidDrawing, AidPage, AidTable
from campaign.web.sheet_pdf import NOT_XML, TYPST_PAPERS, compile_pdf, symbols_svg
from campaign.words.languages import all_in_language


def aid_pdf(aid: Aid, choice: AidChoice, paper: str) -> bytes:
    """Return the PDF of a play aid in the active language.

    Args:
        paper: a4 or letter.
    """
    document = aid_document(aid, choice, paper)
    return compile_pdf(_program(), json.dumps(all_in_language(document)))


def aid_document(aid: Aid, choice: AidChoice, paper: str) -> Mapping[str, Any]:
    """Return the contents of the pages for the typst program."""
    return {
        "title": aid.title,
        "language": translation.get_language(),
        "paper": TYPST_PAPERS[paper],
        "pages": [_page(page) for page in aid.pages(choice)],
    }


def _page(page: AidPage) -> dict[str, Any]:
    """Return a page for typst."""
    return {
        "title": page.title,
        "note": page.note,
        "text_size": page.text_size,
        "landscape": page.is_landscape,
        "parts": [_part(part) for part in page.parts],
    }


def _part(part: AidDrawing | AidTable) -> dict[str, Any]:
    """Return a drawing or a table for typst."""
    if isinstance(part, AidDrawing):
        return {
            "kind": "drawing",
            "svg": drawing_svg(part),
            "alt": part.alt,
            "width": part.width,
            "height": part.height,
        }
    return {
        "kind": "table",
        "title": part.title,
        "columns": part.columns,
        "rows": part.rows,
        "widths": part.widths,
        "row_height": part.row_height,
        "note": part.note,
    }


def drawing_svg(drawing: AidDrawing) -> str:
    """Return a drawing with the symbols that it shows, in the active language."""
    svg = render_to_string(
        "drawings/aid.html", {"d": drawing, "symbols": symbols_svg(drawing.symbols)}
    )
    return NOT_XML.sub("", svg)


def _program() -> bytes:
    """Return the typst document that lays out the pages."""
    return bytes((settings.BASE_DIR / "templates/drawings/aids.typ").read_bytes())

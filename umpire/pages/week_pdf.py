"""A week as a PDF, set by typst: a sheet for the umpire and one for each faction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils import translation

from campaign.web.sheet_pdf import NOT_XML, TYPST_PAPERS, compile_pdf
from campaign.words.languages import all_in_language
from engine.core.phrase import phrase


@dataclass(frozen=True, slots=True)
class WeekSection:
    """A heading with its lines."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WeekPage:
    """A sheet for one reader."""

    title: str
    sections: tuple[WeekSection, ...]


def week_pdf(title: str, pages: Sequence[WeekPage], paper: str) -> bytes:
    """Return the PDF of a week in the active language.

    Args:
        paper: a4 or letter.
    """
    document = {
        "title": title,
        "language": translation.get_language(),
        "paper": TYPST_PAPERS[paper],
        "nothing": phrase("Nothing to report."),
        "pages": [
            {
                "title": page.title,
                "sections": [
                    {"title": section.title, "lines": list(section.lines)}
                    for section in page.sections
                ],
            }
            for page in pages
        ],
    }
    program = (settings.BASE_DIR / "templates/drawings/week.typ").read_bytes()
    return compile_pdf(program, NOT_XML.sub("", json.dumps(all_in_language(document))))

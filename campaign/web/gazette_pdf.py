"""An issue of the newspaper as a PDF, set by typst: headline, picture, stories and tables.

Everything comes from the issue that its reader sees on the page.
"""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.utils import translation

from campaign.drawings.moment import Moment, print_svg
from campaign.rules.scenario import Scenario
from campaign.web.sheet_pdf import NOT_XML, TYPST_PAPERS, compile_pdf
from campaign.words.gazette.issues import GazetteIssue, NewsStory
from campaign.words.languages import all_in_language
from engine.core.phrase import join_phrases, phrase
from engine.english import capitalize_first, short_name


def gazette_pdf(
    scenario: Scenario, issue: GazetteIssue, source: str, moment: Moment | None, paper: str
) -> bytes:
    """Return the PDF of an issue in the active language.

    Args:
        source: What the issue is based on, in words.
        moment: The picture of the lead story.
        paper: a4 or letter.
    """
    week = phrase("Week {}", issue.week)
    document = {
        "title": issue.title,
        "document": phrase("{}: {}, {}", scenario.name, issue.title, week),
        "language": translation.get_language(),
        "paper": TYPST_PAPERS[paper],
        "ears": [week, source, phrase("No. {}", issue.week)],
        "stories": [_story(story) for story in issue.stories],
        "moment": None if moment is None else _picture(moment),
        "tables": _tables(issue),
        "briefs_title": phrase("Yards, stores and orders"),
        "briefs": [
            join_phrases(": ", [words for words in (line.place, line.words) if words])
            for line in issue.briefs
        ],
    }
    program = (settings.BASE_DIR / "templates/drawings/gazette.typ").read_bytes()
    return compile_pdf(program, NOT_XML.sub("", json.dumps(all_in_language(document))))


def issue_text(issue: GazetteIssue) -> str:
    """Return an issue as plain text: each headline with its sentences."""
    parts = []
    for story in issue.stories:
        parts.append(join_phrases("\n", (story.headline, *story.text)))
    return join_phrases("\n\n", parts)


def _story(story: NewsStory) -> dict[str, Any]:
    """Return a story of the document."""
    return {"headline": story.headline, "place": story.place, "text": list(story.text)}


def _picture(moment: Moment) -> dict[str, Any]:
    """Return the picture of the lead story with its words."""
    sides = []
    for side in (moment.left, moment.right):
        details = [words for words in (side.figures, side.detail) if words]
        sides.append({"name": side.name, "figures": join_phrases(", ", details)})
    return {
        "svg": print_svg(moment.wide),
        "alt": moment.alt,
        "when": moment.when,
        "sides": sides,
        "outcome": moment.outcome,
    }


def _tables(issue: GazetteIssue) -> list[dict[str, Any]]:
    """Return the tables of losses and of holders, without empty ones."""
    losses = []
    for loss in issue.losses:
        losses.append([loss.name, loss.place, phrase(loss.cause)])
    holders = []
    for row in issue.score:
        now = _holder(row.now)
        if row.contested:
            now = phrase("{}, contested", now)
        holders.append([row.name, _holder(row.before), now])
    tables = (
        (phrase("Our losses"), (phrase("Ship"), phrase("Where"), phrase("How")), losses),
        (
            phrase("Who holds what"),
            (phrase("System"), phrase("Before"), phrase("Last known")),
            holders,
        ),
    )
    return [
        {"title": title, "head": list(head), "rows": rows} for title, head, rows in tables if rows
    ]


def _holder(key: str) -> str:
    """Return the short name of a holder."""
    return capitalize_first(short_name(key)) if key else phrase("nobody")

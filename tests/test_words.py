"""Texts for people are plain English: puzzling phrases do not return, and plurals are not patched."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.sources import nodes_of, tree_of

ROOT = Path(__file__).resolve().parent.parent
SOURCE_PATTERNS = (
    "templates/**/*.html", "static/js/*.js", "static/js/film/*.js", "campaign/**/*.py", "umpire/**/*.py", "engine/**/*.py", "config/*.py",
    "jobs/**/*.py", "README.md", "CHANGELOG.md", "NOTICE", "docs/**/*.md",
)  # fmt: skip
# what readers stumbled over: how to say it plainly
PUZZLES = {
    r"password forgotten": "Forgot your password?",
    r"the same again": "Confirm password",
    r"may stay empty|may leave it empty": "optional",
    r"(?<!nobody )(?<!not )waits? for you\b": "needs you",
    r"it goes as it stands": "these orders are used",
    r"to mend\b|\bmends\b": "fix, repair",
    r"yours is the field|has the field\b|left alone": "won, winner",
    r"fires as number": "Firing order",
    r"further words": "Extra orders",
    r">excused?<|\bexcused? it\b": "Skip this player this week",
    r"act on it": "Write this week's orders",
    r"make an address\b(?! wait)": "Create calendar link",
    r"last link of the chain": "Fingerprint",
    r"glare": "stand-off",
    r"clock stands still": "the clock is paused",
    r"all are in\b|everybody is in\b": "everybody has sealed",
    r"opens nothing any more|is void\b": "has been deleted",
    r"empty space</h1>": "Page not found",
    r"what there is, and what not yet": "Status",
    r"belongs? here|(?:is|are) needed here": "expected ...",
    r"(?:fires|launches|scans|applies) (?:nothing|no thrust)": "cannot fire, launch, scan, use thrust",
    r"(?<!there )\bis no (?:hex|number|json|weapon|list)\b|; \{?\}? ?is none": "is not a ...",
    r"\b(?:arc|key|class|modification)\b.* stands twice": "is given twice",
}
MANUAL_PLURAL = re.compile(r"\|pluralize|['\"]s?['\"] if [^{}]*[!=]= 1 else ['\"]s?['\"]|\(s\)\b")


def files() -> Iterator[tuple[str, str]]:
    """Return the name and the text of everything that people read."""
    for pattern in SOURCE_PATTERNS:
        for path in sorted(ROOT.glob(pattern)):
            if path.name in {
                "rules.md",
                "settings.md",
                "battle-homes.md",
            }:  # generated, not part of a fresh clone
                continue
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def lines() -> Iterator[tuple[str, int, str]]:
    for name, text in files():
        yield from ((name, number, line) for number, line in enumerate(text.splitlines(), 1))


@cache
def words() -> tuple[tuple[str, int, str], ...]:
    """Return the shown texts, with file and line."""
    return tuple(_words())


@cache
def everything() -> str:
    """Return all of them in one text, which is faster to search."""
    return "\n".join(line for _, _, line in words())


def _words() -> Iterator[tuple[str, int, str]]:
    """Return every line, but of Python only the texts without docstrings."""
    for name, text in files():
        if not name.endswith(".py"):
            yield from ((name, number, line) for number, line in enumerate(text.splitlines(), 1))
            continue
        tree = tree_of(name)
        silent = {id(node.value) for node in nodes_of(tree) if isinstance(node, ast.Expr)}
        for node in nodes_of(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in silent
            ):
                yield name, node.lineno, node.value


@pytest.mark.parametrize("phrase", PUZZLES)
def test_banned_phrases_do_not_return(phrase: str) -> None:
    puzzle = re.compile(phrase, re.IGNORECASE)
    if not puzzle.search(everything()):
        return
    faults = [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, number, line in words()
        if puzzle.search(line)
    ]
    assert faults == [], f"say it plainly: {PUZZLES[phrase]}"


def test_plurals_are_not_built_by_hand() -> None:
    faults = [f"{name}:{number}" for name, number, line in lines() if MANUAL_PLURAL.search(line)]
    assert faults == [], "engine.english.counted_noun, and the filter of that name in templates"


def test_check_finds_a_banned_phrase() -> None:
    bad = ["1 thing to mend", "Password forgotten?", "Yours is the field.", "The clock stands still",
           "a whole number belongs here", "a docked ship fires nothing", "this is no JSON"]  # fmt: skip
    assert all(any(re.search(phrase, line, re.IGNORECASE) for phrase in PUZZLES) for line in bad)
    assert MANUAL_PLURAL.search("ship{{ n|pluralize }}")
    assert MANUAL_PLURAL.search("""f"{n} ship{'' if n == 1 else 's'}\"""")
    assert {name for name, _, _ in words()} >= {
        "README.md",
        "templates/campaign/home.html",
        "campaign/words/notices.py",
    }


def test_readme_names_the_game_and_the_notice_its_owner() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first = readme.partition("\n\n")[2].partition(". ")[0]
    assert "*Full Thrust*" in first
    assert "(NOTICE)" in readme
    notice = " ".join((ROOT / "NOTICE").read_text(encoding="utf-8").split())
    assert "unofficial program for players" in notice
    assert "belong to their owners" in notice
    assert "No text of a rulebook is included" in notice

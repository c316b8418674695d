"""Every link, anchor and file path in a document leads somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.access.site_routes import PART, all_routes
from tests.sources import SOURCE_FOLDERS
from tools.generate import inventory

ROOT = Path(__file__).resolve().parent.parent
# `bin/reference` builds these; git does not keep them
BUILT_PAGES = {
    "docs/reference/rules.md",
    "docs/reference/settings.md",
    "docs/reference/battle-homes.md",
}
FOLDERS = "bin|campaign|clients|config|docs|engine|fixtures|jobs|locale|static|templates|tests|tools|umpire"
TO_CREATE = {
    "engine/weapons/coilguns.py",
    "tests/engine/guns/test_coilguns.py",
}  # created by a tutorial's reader
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")
NAMED_PATH = re.compile(rf"`((?:{FOLDERS})/[\w./-]+)`")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
# The change log names files of past releases, the measurements past commits.
HISTORY = {"CHANGELOG.md", "tools/bench/results.md"}
ADDRESSES = {"docs/reference/api.md"}  # names addresses that look like paths


def documents() -> list[Path]:
    """Return every document of the project that git keeps."""
    folders = [ROOT / name for name in ("docs", "clients", "tools", "tests")]
    paths = [*ROOT.glob("*.md"), *(path for folder in folders for path in folder.rglob("*.md"))]
    return sorted(path for path in paths if path.relative_to(ROOT).as_posix() not in BUILT_PAGES)


@cache
def text_of(path: Path) -> str:
    """Return the text of a document without its blocks of code."""
    return FENCED.sub("", path.read_text(encoding="utf-8"))


@cache
def anchors(path: Path) -> set[str]:
    """Return the anchors that a reader like GitHub's gives the headings of a document."""
    return {anchor_of(heading) for heading in HEADING.findall(text_of(path))}


def anchor_of(heading: str) -> str:
    """Return the anchor of a heading: lower case, words joined by hyphens, no punctuation."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def broken_links() -> Iterator[str]:
    """Yield every link to a file or heading that does not exist."""
    for path in documents():
        for link in LINK.findall(text_of(path)):
            if re.match(r"[a-z]+:", link):
                continue
            target, _, anchor = link.partition("#")
            file = (path.parent / target).resolve() if target else path
            name = f"{path.relative_to(ROOT)}: {link}"
            if not file.exists():
                yield name
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                yield f"{name} (no such heading)"


def test_every_link_leads_to_a_file_and_heading() -> None:
    assert list(broken_links()) == []


def test_every_path_named_in_a_document_exists() -> None:
    missing = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in documents()
        if path.relative_to(ROOT).as_posix() not in HISTORY | ADDRESSES
        for name in NAMED_PATH.findall(text_of(path))
        if name not in BUILT_PAGES | TO_CREATE and not (ROOT / name).exists()
    ]
    assert missing == []


def test_every_decision_is_in_the_index() -> None:
    folder = ROOT / "docs" / "decisions"
    index = text_of(folder / "README.md")
    left_out = [path.name for path in folder.glob("0*.md") if f"]({path.name})" not in index]
    assert left_out == [], "add a line for each of these to docs/decisions/README.md"


def test_anchors_match_markdown_renderers() -> None:
    assert anchor_of("What is this: `a-b`, and why?") == "what-is-this-a-b-and-why"


def test_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One\n\n## Two words\n\n```\n## no heading\n```\n", encoding="utf-8")
    assert anchors(page) == {"one", "two-words"}
    assert LINK.findall("[a](b.md#c) and [d](https://e)") == ["b.md#c", "https://e"]
    assert NAMED_PATH.findall("see `engine/core/dice.py` and `other`") == ["engine/core/dice.py"]


ADDRESS_PART = re.compile(r"<[^>]*>")
RESOURCE = re.compile(r"[\w<>/-]+/")
KEY = re.compile(r"`[^`]*?(\w+)`")  # the last word of a path such as `systems[].terrain`


def test_pages_and_resources_of_the_inventory_exist() -> None:
    """Every address has a route, and every key of a resource is a text of the program."""
    routes = {PART.sub("<>", route.route) for route in all_routes()}
    folders = [ROOT / folder for folder in SOURCE_FOLDERS]
    modules = [path for folder in folders for path in folder.rglob("*.py")]
    program = "".join(path.read_text(encoding="utf-8") for path in modules)
    missing = []
    for rule in inventory():
        pages = [page.removeprefix("/") for page in rule.page.split(", ") if page]
        resources = RESOURCE.findall(KEY.sub("", rule.api).replace("<c>/", "campaigns/<c>/"))
        for address in [*pages, *(f"api/{resource}" for resource in resources)]:
            if ADDRESS_PART.sub("<>", address) not in routes:
                missing.append((rule.id, address))
        missing += [(rule.id, key) for key in KEY.findall(rule.api) if f'"{key}"' not in program]
    assert missing == []

"""A field's name is spelled where the field is declared, and nowhere else: not in Python, templates or scripts."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources import ROOT

# What draws, reads and writes the forms of battles online and at tables.
PYTHON = (
    "campaign/forms/battle/*.py",
    "campaign/forms/table/*.py",
    "campaign/pages/battle/*.py",
    "campaign/pages/table/*.py",
    "umpire/pages/battle_result.py",
)
TEMPLATES = (
    "templates/campaign/_fight*.html",
    "templates/campaign/fight.html",
    "templates/campaign/_table*.html",
    "templates/campaign/table*.html",
    "templates/umpire/_result*.html",
    "templates/umpire/battle_result.html",
)
SCRIPTS = ("static/js/battle_*.js", "static/js/table_*.js")

# Files that write a key once more, with the reason: none does.
WRITTEN_AGAIN: dict[tuple[str, str], str] = {}
FIELD_CLASSES = {"Field", "TextField", "NumberField", "ChoiceField", "TickField", "HiddenField"}
IN_TEMPLATE = re.compile(r"""name=["']([a-z_-]+)-\{\{""")
IN_SCRIPT = re.compile(r"""[`"'=^]["']?([a-z_-]+)-(?=\$\{|["'`\]])""")


def files(patterns: tuple[str, ...]) -> list[Path]:
    return [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def declared() -> Counter[str]:
    """The keys of all declared fields, with how often each is declared."""
    found: Counter[str] = Counter()
    for path in files(PYTHON):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FIELD_CLASSES:
                key = node.args[0]
                assert isinstance(key, ast.Constant), f"{path.name} declares a field whose key is not written there"
                found[str(key.value)] += 1
    return found


def spelled_in_python(path: Path) -> Iterator[str]:
    """The prefixes that texts of a module begin with: f"fire-{ship}", "plot-"."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            start = node.values[0]
            if isinstance(start, ast.Constant) and (match := re.fullmatch(r"([a-z_-]+)-", str(start.value))):
                yield match[1]
        elif isinstance(node, ast.Constant) and (match := re.fullmatch(r"([a-z_-]+)-", str(node.value))):
            yield match[1]


def test_every_key_is_declared_once() -> None:
    twice = {key for key, times in declared().items() if times > 1}
    assert not twice
    assert len(declared()) >= 60  # the search finds fields


def test_no_prefix_is_spelled_beside_its_declaration() -> None:
    keys = set(declared())
    again = {(path, key) for path in files(PYTHON) for key in spelled_in_python(path) if key in keys}
    again |= {(path, key) for path in files(TEMPLATES) for key in IN_TEMPLATE.findall(path.read_text())}
    again |= {(path, key) for path in files(SCRIPTS) for key in IN_SCRIPT.findall(path.read_text()) if key in keys}
    found = {(path.relative_to(ROOT).as_posix(), key) for path, key in again}
    assert found - set(WRITTEN_AGAIN) == set()
    assert set(WRITTEN_AGAIN) <= found, "an exception that is none any more"


@pytest.mark.parametrize(
    ("script", "key"),
    [
        ("form.elements[`fire-${id}`]", "fire"),
        ('one.name.startsWith("order-")', "order"),
        ('row.querySelector("select[name^=land-]")', "land"),
        ('form.querySelectorAll(`[name^="aboard-${id}-"]`)', "aboard"),
        ('row.querySelector(`[name="raw-${id}"]`)', "raw"),
    ],
)
def test_the_ways_in_which_scripts_spelled_a_prefix_are_found(script: str, key: str) -> None:
    assert IN_SCRIPT.findall(script) == [key]

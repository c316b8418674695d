"""Build docs/reference/settings.md from the `#:` comments in config/settings.py.

A setting is an assignment that reads an environment variable. The comment lines above it that begin
with `#:` say what it does; the last sentence begins with "Default:". The module is parsed, not
imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = ROOT / "config" / "settings.py"
PAGE = ROOT / "docs" / "reference" / "settings.md"

HEADING = """\
# Settings

Every setting is an environment variable, and every default is safe on your own machine. `bin/reference` writes this page
from config/settings.py; do not edit it. [Run a server](../operating/running-a-server.md) shows which ones a server needs.

| variable | default | meaning |
|---|---|---|
"""


@dataclass(frozen=True)
class Setting:
    """An environment variable that configures the site."""

    variable: str
    meaning: str
    default: str


def settings(path: Path = SETTINGS) -> tuple[Setting, ...]:
    """Return every documented setting, in the order of the file."""
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    result = []
    for statement in ast.parse(source).body:
        comment = _comment_above(lines, statement.lineno)
        variables = list(_variables(statement))
        if comment and variables:
            meaning, _, default = comment.partition("Default: ")
            result.append(Setting(variables[0], meaning.strip(), default.strip().rstrip(".")))
    return tuple(result)


def variables_read(path: Path = SETTINGS) -> set[str]:
    """Return every environment variable the settings read, documented or not."""
    return set(_variables(ast.parse(path.read_text(encoding="utf-8"))))


def page() -> str:
    """Return the text of docs/reference/settings.md."""
    rows = [
        f"| `{setting.variable}` | {setting.default} | {setting.meaning} |"
        for setting in settings()
    ]
    return HEADING + "\n".join(rows) + "\n"


def _comment_above(lines: list[str], line_number: int) -> str:
    """Join the `#:` lines directly above a line (counted from 1)."""
    comment: list[str] = []
    index = line_number - 2
    while index >= 0 and lines[index].startswith("#:"):
        comment.insert(0, lines[index][2:].strip())
        index -= 1
    return " ".join(comment)


def _variables(node: ast.AST) -> Iterator[str]:
    """Yield the names read by `os.environ.get(...)` in the order they are written."""
    for inner in ast.walk(node):
        if not isinstance(inner, ast.Call) or not inner.args:
            continue
        name = inner.args[0]
        if ast.unparse(inner.func) == "os.environ.get" and isinstance(name, ast.Constant):
            yield str(name.value)

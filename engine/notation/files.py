"""Files for the command line: the only place of the engine that touches a disk.

The rules never come here.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.design.value import Design
from engine.notation.designs import parse_classes
from engine.notation.documents import FILES, read_document, read_yaml
from engine.ruleset import ruleset

SHIPS = Path(__file__).resolve().parents[2] / "fixtures" / "ships"
LARGEST = 4 * FILES.characters  # bytes: no character takes more than four


def read_input(path: str) -> Any:
    """The JSON or YAML value of a file; `-` is standard input.

    Raises RuleViolations where there is no such file, where it is no UTF-8 text, or neither JSON
    nor YAML.
    """
    return read_document(read_text(path), FILES)


def read_text(path: str) -> str:
    """The text of a file; `-` is standard input.

    Raises RuleViolations where there is none, or it is not UTF-8.
    """
    try:
        if path == "-":
            content = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(path).open("rb") as file:
                content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise _unusable(
                "too-long", phrase("a document has at most {} characters", FILES.characters)
            )
        return content.decode("utf-8-sig")
    except OSError as error:
        raise _unusable("unreadable", phrase("cannot read {}: {}", path, error.strerror)) from error
    except UnicodeDecodeError as error:
        raise _unusable("unreadable", phrase("cannot read {}: {}", path, error)) from error


def fixture_classes(edition: str) -> dict[str, Design]:
    """The ship classes that come with the project, by name.

    Raises RuleViolations for an unknown edition.
    """
    return dict(_classes(ruleset(edition).edition))


@cache
def _classes(edition: str) -> dict[str, Design]:
    """A file of the project's own is read once: it does not change while a program runs."""
    return parse_classes(read_yaml((SHIPS / f"{edition}.yaml").read_text(encoding="utf-8"), FILES))


def classes_for(document: object) -> Mapping[str, Design]:
    """The classes of the edition a document names; none where it names none (its reader says
    so).
    """
    edition = document.get("edition") if isinstance(document, Mapping) else None
    try:
        return fixture_classes(edition) if isinstance(edition, str) else {}
    except RuleViolations:
        return {}


def _unusable(code: str, message: str) -> RuleViolations:
    return RuleViolations([Violation("", code, message)])

"""Files for the command line: the only module of the engine that reads the disk.

The rules never import it.
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
LARGEST = 4 * FILES.characters  # bytes; a character has at most four


def read_input(path: str) -> Any:
    """Return the JSON or YAML value of a file; `-` is standard input.

    Raises:
        RuleViolations: If there is no such file, or it is not UTF-8, or neither JSON nor YAML.
    """
    return read_document(read_text(path), FILES)


def read_text(path: str) -> str:
    """Return the text of a file; `-` is standard input.

    Raises:
        RuleViolations: If there is no such file, or it is too long or not UTF-8.
    """
    try:
        if path == "-":
            content = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(path).open("rb") as file:
                content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise _unusable(
                "too-long", phrase("a document can have at most {} characters", FILES.characters)
            )
        return content.decode("utf-8-sig")
    except OSError as error:
        raise _unusable("unreadable", phrase("cannot read {}: {}", path, error.strerror)) from error
    except UnicodeDecodeError as error:
        raise _unusable("unreadable", phrase("cannot read {}: {}", path, error)) from error


def fixture_classes(edition: str) -> dict[str, Design]:
    """Return the ship classes that come with the project, by name.

    Raises:
        RuleViolations: If the edition is unknown.
    """
    return dict(_classes(ruleset(edition).edition))


@cache
def _classes(edition: str) -> dict[str, Design]:
    """Read the project's own classes once; they do not change while a program runs."""
    return parse_classes(read_yaml((SHIPS / f"{edition}.yaml").read_text(encoding="utf-8"), FILES))


def classes_for(document: object) -> Mapping[str, Design]:
    """Return the classes of a document's edition; empty if it names none.

    The document's reader reports a missing edition.
    """
    edition = document.get("edition") if isinstance(document, Mapping) else None
    try:
        if isinstance(edition, str):
            return fixture_classes(edition)
        return {}
    except RuleViolations:
        return {}


def _unusable(code: str, message: str) -> RuleViolations:
    """Return a refusal of the whole file."""
    return RuleViolations([Violation("", code, message)])

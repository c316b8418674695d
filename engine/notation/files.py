"""Files for the command line: the only place of the engine that touches a disk. The rules never come here."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import yaml

from engine.design.value import Design
from engine.editions import ruleset
from engine.errors import RuleViolations, Violation
from engine.notation.designs import parse_classes

SHIPS = Path(__file__).resolve().parents[2] / "fixtures" / "ships"


def read_input(path: str) -> Any:
    """The JSON or YAML value of a file; `-` is standard input.

    Raises RuleViolations where there is no such file, where it is no UTF-8 text, or neither JSON nor YAML.
    """
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise _unusable("unreadable", f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise _unusable("unreadable", f"cannot read {path}: {error}") from error
    return parse_text(text)


def parse_text(text: str) -> Any:
    """The value of a JSON or YAML text. Raises RuleViolations where it is neither."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError as error:
        raise _unusable("too-deep", "the document is nested too deeply") from error
    except ValueError as error:
        not_json = str(error)
    if text.lstrip()[:1] in ("{", "["):  # meant as JSON, though YAML has such brackets too
        fault = _unusable("not-json", f"this is no JSON: {not_json}")
    else:
        fault = _unusable("not-yaml", "this is neither JSON nor YAML")
    try:
        value = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if fault.violations[0].code == "not-yaml":
            fault = _unusable("not-yaml", f"this is no YAML: {' '.join(str(error).split())}")
        raise fault from error
    if value is None:
        raise _unusable("empty", "the document is empty")
    return value


def fixture_classes(edition: str) -> dict[str, Design]:
    """The ship classes that come with the project, by name. Raises RuleViolations for an unknown edition."""
    return dict(_classes(ruleset(edition).edition))


@cache
def _classes(edition: str) -> dict[str, Design]:
    """A file of the project's own is read once: it does not change while a program runs."""
    return parse_classes(yaml.safe_load((SHIPS / f"{edition}.yaml").read_text(encoding="utf-8")))


def classes_for(document: object) -> Mapping[str, Design]:
    """The classes of the edition a document names; none where it names none (its reader says so)."""
    edition = document.get("edition") if isinstance(document, Mapping) else None
    try:
        return fixture_classes(edition) if isinstance(edition, str) else {}
    except RuleViolations:
        return {}


def _unusable(code: str, message: str) -> RuleViolations:
    return RuleViolations([Violation("", code, message)])


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")

"""Worlds, views and scenarios as versioned JSON documents.

A document is `{"schema": 1, "type": "world", "body": {...}}`. Older documents are first upgraded by
the steps of `campaign.rules.upgrades`. Invalid ones raise RuleViolations. `campaign.orders.codec`
reads and writes orders.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from campaign.rules.scenario import Scenario
from campaign.rules.upgrades import SCENARIO, VIEW, WORLD
from campaign.rules.view import View
from campaign.rules.world import World
from engine.core.cache import rules_cache
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.reason import reason
from engine.core.schemas import DocumentKind
from engine.notation.documents import json_fault

T = TypeVar("T")

# The kind of document in which each value is stored.
KINDS: dict[type[Any], DocumentKind] = {World: WORLD, View: VIEW, Scenario: SCENARIO}

# (code, message) for each type of fault that pydantic reports.
FAULTS: dict[str, tuple[str, str]] = {
    "missing": ("missing", reason("value-missing", "is missing")),
    "unexpected_keyword_argument": ("unknown-key", reason("not-known", "is unknown here")),
    "extra_forbidden": ("unknown-key", reason("not-known", "is unknown here")),
    "string_type": ("not-text", reason("must-text", "must be text")),
    "int_type": ("not-a-number", reason("must-whole-number", "must be a whole number")),
    "int_from_float": ("not-a-number", reason("must-whole-number", "must be a whole number")),
    "bool_type": ("not-a-flag", reason("must-true-false", "must be true or false")),
    "tuple_type": ("not-a-list", reason("must-list", "must be a list")),
    "dataclass_type": (
        "not-a-table",
        reason("must-table-keys-values", "must be an object (keys and values)"),
    ),
    "too_long": ("wrong-length", reason("too-many-entries", "has too many entries")),
}


@rules_cache
def _adapter(kind: type[T]) -> TypeAdapter[T]:
    """Return pydantic's reader and writer of a type of value."""
    return TypeAdapter(kind)


def to_document(value: World | View | Scenario) -> dict[str, Any]:
    """Return the JSON document of a value as a dict."""
    kind = KINDS[type(value)]
    return {
        "schema": kind.schema,
        "type": kind.name,
        "body": _adapter(type(value)).dump_python(value, mode="json"),
    }


def encode(value: World | View | Scenario) -> bytes:
    """Return the JSON document as bytes, the same for the same value on every machine."""
    return _prefix(KINDS[type(value)]) + _adapter(type(value)).dump_json(value) + b"}"


def from_document(kind: type[T], document: Mapping[str, Any]) -> T:
    """Return the value of a document of any version. Raises RuleViolations."""
    document_kind = KINDS[kind]
    body = document.get("body")
    if document.get("type") != document_kind.name or not isinstance(body, dict):
        words = reason(
            "not-document-type", "this is not a document of type '{}'", document_kind.name
        )
        raise RuleViolations([Violation("type", "wrong-document", words)])
    body = document_kind.upgrade_body(document.get("schema"), body)
    try:
        return _adapter(kind).validate_python(body)
    except ValidationError as error:
        raise RuleViolations(validation_faults(error, ("body",))) from error


def decode(kind: type[T], data: bytes | str) -> T:
    """Return the value of a document's JSON text. Raises RuleViolations.

    The text of a current document is read without parsing it twice.
    """
    raw = data.encode() if isinstance(data, str) else data
    prefix = _prefix(KINDS[kind])
    if raw.startswith(prefix) and raw.endswith(b"}"):
        try:
            return _adapter(kind).validate_json(raw[len(prefix) : -1])
        except ValidationError as error:
            raise RuleViolations(validation_faults(error, ("body",))) from error
    try:
        document = json.loads(raw)
    except json.JSONDecodeError as error:
        raise RuleViolations([Violation("", "not-json", json_fault(error))]) from error
    except ValueError as error:
        words = reason("not-json", "this is not JSON: {}", error)
        raise RuleViolations([Violation("", "not-json", words)]) from error
    if not isinstance(document, dict):
        words = reason(
            "document-table-keys-values", "a document must be an object (keys and values)"
        )
        raise RuleViolations([Violation("", "wrong-document", words)])
    return from_document(kind, document)


def _prefix(kind: DocumentKind) -> bytes:
    """Return how the JSON text of a current document begins, up to its body."""
    return f'{{"schema":{kind.schema},"type":"{kind.name}","body":'.encode()


def validation_faults(
    error: ValidationError, where: tuple[str, ...], skip: int = 0
) -> tuple[Violation, ...]:
    """Convert pydantic's faults to violations, sorted by place.

    Args:
        where: The parts of the document's own place.
        skip: How many leading parts of pydantic's places to leave out.
    """
    violations = []
    for item in error.errors(include_url=False, include_input=False):
        code, words = FAULTS.get(item["type"], ("invalid", ""))
        if item["type"] == "literal_error":
            code = "unknown-choice"
            words = reason("must-be", "must be {}", item["ctx"]["expected"])
        spot = fault_path(*where, *item["loc"][skip:])
        violations.append(Violation(spot, code, words or item["msg"]))
    return tuple(sorted(violations))


def plain_number(number: float) -> float:
    """Return a number as an integer if it has no fraction, as documents write it."""
    return int(number) if number == int(number) else number


def as_list(value: object) -> list[Any]:
    """Return the value if it is a list, else an empty list."""
    if isinstance(value, list):
        return value
    return []

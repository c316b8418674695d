"""Bodies of requests and queries: strict JSON first, then our types; every fault of the form at once."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import ConfigDict, TypeAdapter, ValidationError
from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.request import Request

from campaign.api.schema import GREATEST_IN_QUERY
from campaign.limits import PLAYER
from campaign.rules.codec import faults
from engine.core.errors import RuleViolations, Violation
from engine.notation import documents

T = TypeVar("T")
JSON_TYPE = "application/json"
NO_JSON = ("not-json", "characters")  # codes of what is answered with 400
GREATEST = 2**31 - 1  # what every database keeps as a whole number


def read_json(request: Request) -> Any:
    """The JSON of a request; an empty body is an empty table.

    What no database stores as text (NUL, half a surrogate pair) and NaN are no JSON here. Raises ParseError,
    UnsupportedMediaType, and RuleViolations where a key stands twice, a number is too great or the limits are passed.
    """
    raw = request._request.body
    if not raw:
        return {}
    media = (request.content_type or "").partition(";")[0].strip().lower()
    if media != JSON_TYPE:
        raise UnsupportedMediaType(media or "none")
    try:
        return documents.read_json(raw.decode("utf-8"), PLAYER)
    except RuleViolations as refused:
        if refused.violations[0].code in NO_JSON:
            raise ParseError(f"the body is not JSON: {refused.violations[0].message}") from refused
        raise
    except UnicodeDecodeError as error:
        raise ParseError("the body is not UTF-8 text") from error


def body_of(request: Request, kind: type[T]) -> T:
    """The body as a value of a dataclass. Raises RuleViolations with every fault of its form."""
    return body_as(read_json(request), kind)


def body_as(value: Any, kind: type[T]) -> T:
    """JSON as a value of a dataclass. Raises RuleViolations."""
    if not isinstance(value, dict):
        raise RuleViolations([Violation("", "not-a-table", "the body must be a JSON object")])
    try:
        found: tuple[T] = _adapter(cast(Any, kind)).validate_json(json.dumps([value]))
    except ValidationError as error:
        raise RuleViolations(faults(error, (), skip=1)) from error
    return found[0]


def number_in(request: Request, name: str) -> int | None:
    """A whole number of the query, or None. Raises RuleViolations."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(GREATEST_IN_QUERY))):
        words = f"must be a whole number from 0 to {GREATEST_IN_QUERY}"
        raise RuleViolations([Violation(name, "not-a-number", words)])
    return int(text)


def choice_in(request: Request, name: str, choices: tuple[str, ...]) -> str | None:
    """One of the choices from the query, or None. Raises RuleViolations."""
    text = request.query_params.get(name)
    if text is not None and text not in choices:
        raise RuleViolations([Violation(name, "unknown-choice", f"must be one of {', '.join(choices)}")])
    return text


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(tuple[kind], config=ConfigDict(extra="forbid", strict=True))

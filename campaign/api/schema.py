"""The OpenAPI document: value types as schemas, and `documented`, which describes a method."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar

from drf_spectacular.drainage import set_override
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import Direction, OpenApiParameter, OpenApiResponse, extend_schema
from pydantic import ConfigDict, TypeAdapter
from rest_framework.serializers import BaseSerializer

from campaign.kinds import StageKind, values_of
from campaign.web.problems import TYPE, Problem

Method = TypeVar("Method", bound=Callable[..., Any])
GREATEST_IN_QUERY = 999_999_999  # the largest number in a query
REFERENCE = "#/components/schemas/{model}"
ATTRIBUTES = "\n\nAttributes:\n"
ENTRY = re.compile(r" {4}(\w+): (.+)")  # of an `Attributes:` section: name and description

# Descriptions of responses by status
WORDS = {
    304: "Unchanged since the ETag sent as If-None-Match.",
    400: "The request cannot be read.",
    401: "There is neither a login nor a valid token.",
    403: "Not allowed for your role in this campaign, or the session's CSRF token is wrong.",
    404: "It does not exist, or you are not allowed to see it.",
    409: "It conflicts with the present state; nothing was changed.",
    412: "If-Match names an older state: a newer one was saved. Nothing was changed.",
    413: "The body is too large.",
    415: "The body is not application/json.",
    422: "All faults in the request; nothing was changed.",
    428: "If-Match is missing.",
    429: "Too many requests; Retry-After says when to try again.",
    503: "The server is busy; Retry-After says when to try again. Nothing was changed.",
}


class Shape:
    """A placeholder serializer for a value type, used only in the OpenAPI document."""

    kind: Any = None


@cache
def shape(kind: Any) -> type[Shape]:
    """Return the placeholder serializer of a dataclass or TypedDict."""
    placeholder = type(kind.__name__, (Shape,), {"kind": kind})
    set_override(placeholder, "suppress_collision_warning", True)
    return placeholder


class ShapeExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Describes a value type by its pydantic schema."""

    target_class = Shape
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """Return the name of the component: that of the type."""
        return str(self.target.kind.__name__)

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        """Return the JSON schema of the type, and register nested types as components.

        Raises:
            ValueError: Two types have the same name.
        """
        kind = self.target.kind
        # Pydantic applies `extra` to the types within a tuple
        wrapped = TypeAdapter(tuple[kind], config=ConfigDict(extra="forbid"))  # type: ignore[valid-type]
        schema = wrapped.json_schema(ref_template=REFERENCE, mode="validation")
        definitions = _with_references(schema.pop("$defs", {}))
        for definition in definitions.values():
            _describe_properties(definition)
        own_schema: dict[str, Any] = definitions.pop(kind.__name__)
        for name, definition in definitions.items():
            _check_unique_name(auto_schema, name, definition)
            component = ResolvedComponent(  # type: ignore[no-untyped-call]
                name=name, type=ResolvedComponent.SCHEMA, object=name, schema=definition
            )
            auto_schema.registry.register_on_missing(component)
        return own_schema


def _describe_properties(definition: dict[str, Any]) -> None:
    """Move the `Attributes:` of a type's docstring to the properties of its schema."""
    text, heading, section = definition.get("description", "").partition(ATTRIBUTES)
    descriptions = _described_attributes(section)
    properties: dict[str, Any] = definition.get("properties", {})
    if not heading or not descriptions.keys() <= properties.keys():
        return
    definition["description"] = text
    for name, words in descriptions.items():
        properties[name]["description"] = words


def _described_attributes(section: str) -> dict[str, str]:
    """Parse an `Attributes:` section into descriptions by name.

    An entry begins with four spaces, its continuation lines with more.
    """
    descriptions: dict[str, str] = {}
    name = ""
    for line in section.splitlines():
        entry = ENTRY.fullmatch(line)
        if entry:
            name = entry[1]
            descriptions[name] = entry[2]
        elif name:
            descriptions[name] = f"{descriptions[name]} {line.strip()}"
    return descriptions


def _check_unique_name(auto_schema: AutoSchema, name: str, definition: Mapping[str, Any]) -> None:
    """Raise ValueError if two different types have the same name."""
    key = (name, ResolvedComponent.SCHEMA)
    existing = auto_schema.registry._components.get(key)
    if existing is not None and existing.schema and existing.schema != definition:
        raise ValueError(f"two types are called {name}: the document has room for one")


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The security scheme of `Authorization: Token ...`."""

    target_class = "campaign.api.resource.TokenLogin"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return the header as an OpenAPI security scheme."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token <token>`, created on your profile page or by POST /api/token/.",
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The security scheme of the pages' session cookie."""

    target_class = "campaign.api.resource.SessionLogin"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return the cookie as an OpenAPI security scheme."""
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The login of the pages; writes need the header X-CSRFToken.",
        }


@dataclass(frozen=True)
class Query:
    """A query parameter."""

    name: str
    words: str
    number: bool = False
    needed: bool = False
    choices: tuple[str, ...] = ()


WEEK = Query(
    "week",
    "The week; with `stage`, what was known while that stage was open. Default: now.",
    number=True,
)
STAGE = Query("stage", "The stage of that week.", choices=values_of(StageKind))
STAGE_QUERY = (WEEK, STAGE)


def documented(  # noqa: PLR0913 -- what the document says of an operation
    name: str,
    summary: str,
    answers: Mapping[int, Any],
    *,
    body_type: Any = None,
    query: Sequence[Query] = (),
    problems: Sequence[int] = (),
    etag: Literal["", "read", "write", "may"] = "",
    open_to_all: bool = False,
    tag: str = "campaigns",
    writes: bool = False,
) -> Callable[[Method], Method]:
    """Describe a method of a resource in the OpenAPI document.

    Args:
        name: The operation's id, unique in the document.
        answers: The type of each successful answer by status; None for no body, bytes for a
            gzipped file.
        body_type: The type of the body.
        problems: The statuses of failures, besides those that follow from the rest: 429 always, 401
            unless `open_to_all`, 422 with a query, and with `writes` all that a body can cause (409
            too). 404: the campaign or item does not exist for the caller, as before the war has
            begun. 409: the request conflicts with the present state, such as a closed stage.
        etag: `read` for a GET with `json_response_if_changed`, which may answer 304; `write` for a
            write that needs If-Match (428 without it), `may` for one that accepts it.
        writes: It changes something and accepts the header Idempotency-Key.
    """
    failures = {*problems, 429}
    if not open_to_all:
        failures.add(401)
    if query:
        failures.add(422)
    parameters = [_parameter(item) for item in query]
    if writes:
        failures |= {400, 413, 415, 422}
    if writes and not open_to_all:
        failures |= {403, 409, 503}
        words = "Repeating a call with the same key only returns the first answer again."
        parameters.append(_header("Idempotency-Key", words))
    parameters += _etag_headers(etag, answers)
    failures |= {"write": {412, 428}, "may": {412}}.get(etag, set())
    responses = _successes(answers)
    if etag == "read":
        responses[304] = OpenApiResponse(description=WORDS[304])
    for status in sorted(failures):
        responses[status, TYPE] = OpenApiResponse(shape(Problem), description=WORDS[status])
    decorate: Callable[[Method], Method] = extend_schema(
        operation_id=name,
        summary=summary,
        parameters=parameters,
        request=None if body_type is None else {"application/json": shape(body_type)},
        responses=responses,
        tags=[tag],
        auth=[] if open_to_all else None,
    )
    return decorate


def _etag_headers(etag: str, answers: Mapping[int, Any]) -> list[OpenApiParameter]:
    """Return the headers for conditions and the answers' ETag; none without an ETag."""
    headers = []
    if etag in ("write", "may"):
        words = "The ETag of the state that is replaced."
        headers.append(_header("If-Match", words, needed=etag == "write"))
    if etag == "read":
        headers.append(_header("If-None-Match", "An ETag: 304 if nothing changed."))
    if etag:
        headers.append(
            OpenApiParameter("ETag", OpenApiTypes.STR, OpenApiParameter.HEADER, response=[*answers])
        )
    return headers


def _successes(answers: Mapping[int, Any]) -> dict[Any, Any]:
    """Return the successful responses of a method, by status and media type."""
    responses: dict[Any, Any] = {}
    for status, kind in answers.items():
        if kind is bytes:
            responses[status, "application/gzip"] = OpenApiTypes.BINARY
        elif kind is None:
            responses[status] = OpenApiResponse(description="Done.")
        elif isinstance(kind, type) and issubclass(kind, BaseSerializer):
            responses[status, "application/json"] = kind(many=True)
        else:
            responses[status, "application/json"] = shape(kind)
    return responses


def _with_references(node: Any) -> Any:
    """Replace `x-shape`, which leaves a value to another component, by a reference to it."""
    if isinstance(node, dict):
        if "x-shape" in node:
            return {"$ref": REFERENCE.format(model=node["x-shape"])}
        return {key: _with_references(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_with_references(item) for item in node]
    return node


def _parameter(item: Query) -> OpenApiParameter:
    """Return a query parameter for the OpenAPI document."""
    kind: Any = OpenApiTypes.STR
    if item.number:
        kind = {"type": "integer", "minimum": 0, "maximum": GREATEST_IN_QUERY}
    return OpenApiParameter(
        name=item.name,
        type=kind,
        location=OpenApiParameter.QUERY,
        required=item.needed,
        description=item.words,
        enum=list(item.choices) or None,
    )


def _header(name: str, words: str, needed: bool = False) -> OpenApiParameter:
    """Return a request header for the OpenAPI document."""
    return OpenApiParameter(
        name=name,
        type=OpenApiTypes.STR,
        location=OpenApiParameter.HEADER,
        required=needed,
        description=words,
    )

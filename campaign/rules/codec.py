"""JSON in and out for the campaign's values: World, View, Scenario as versioned documents, Orders as a payload.

A document is `{"schema": 1, "type": "world", "body": {...}}`. Older documents are brought up to date by the steps of
`campaign.rules.upgrades` before they are read. Programs' documents that cannot be read raise RuleViolations; what
people hand in (`parse_orders`) comes back with every fault and its place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from campaign.rules.orders import Deployed, Detach, Dock, Orders, Tow
from campaign.rules.scenario import Scenario
from campaign.rules.upgrades import ORDERS, SCENARIO, VIEW, WORLD
from campaign.rules.view import View
from campaign.rules.world import World
from engine.core.errors import RuleViolations, Violation, place
from engine.core.phrase import phrase
from engine.core.schemas import FIRST, DocumentKind
from engine.notation.documents import json_fault

T = TypeVar("T")

# As what each value is stored.
KINDS: dict[type[Any], DocumentKind] = {World: WORLD, View: VIEW, Scenario: SCENARIO}

# pydantic's words for a fault, and ours: (code, message).
FAULTS: dict[str, tuple[str, str]] = {
    "missing": ("missing", phrase("is missing")),
    "unexpected_keyword_argument": ("unknown-key", phrase("is not known here")),
    "extra_forbidden": ("unknown-key", phrase("is not known here")),
    "string_type": ("not-text", phrase("must be text")),
    "int_type": ("not-a-number", phrase("must be a whole number")),
    "int_from_float": ("not-a-number", phrase("must be a whole number")),
    "bool_type": ("not-a-flag", phrase("must be true or false")),
    "tuple_type": ("not-a-list", phrase("must be a list")),
    "dataclass_type": ("not-a-table", phrase("must be a table of keys and values")),
    "too_long": ("wrong-length", phrase("has too many entries")),
}


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    known = _ADAPTERS.get(kind)
    if known is None:
        known = _ADAPTERS[kind] = TypeAdapter(kind)
    return known


@cache
def _orders_adapter() -> TypeAdapter[tuple[Orders]]:
    return TypeAdapter(tuple[Orders], config=ConfigDict(extra="forbid", strict=True))


def to_document(value: World | View | Scenario) -> dict[str, Any]:
    """The JSON document of a world, a view or a scenario, as a dict."""
    kind = KINDS[type(value)]
    return {"schema": kind.schema, "type": kind.name, "body": _adapter(type(value)).dump_python(value, mode="json")}


def encode(value: World | View | Scenario) -> bytes:
    """The JSON document as bytes: the same bytes for the same value, on every machine."""
    return _prefix(KINDS[type(value)]) + _adapter(type(value)).dump_json(value) + b"}"


def from_document(kind: type[T], document: Mapping[str, Any]) -> T:
    """The value of a document, an older one brought up to date first. Raises RuleViolations."""
    stored, body = KINDS[kind], document.get("body")
    if document.get("type") != stored.name or not isinstance(body, dict):
        raise RuleViolations(
            [Violation("type", "wrong-document", phrase("this is not a document of type '{}'", stored.name))]
        )
    body = stored.body(document.get("schema"), body)
    try:
        return _adapter(kind).validate_python(body)
    except ValidationError as error:
        raise RuleViolations(faults(error, ("body",))) from error


def decode(kind: type[T], data: bytes | str) -> T:
    """The value of a document's text. Raises RuleViolations."""
    raw = data.encode() if isinstance(data, str) else data
    prefix = _prefix(KINDS[kind])
    if raw.startswith(prefix) and raw.endswith(b"}"):
        try:
            return _adapter(kind).validate_json(raw[len(prefix) : -1])
        except ValidationError as error:
            raise RuleViolations(faults(error, ("body",))) from error
    try:
        document = json.loads(raw)
    except json.JSONDecodeError as error:
        raise RuleViolations([Violation("", "not-json", json_fault(error))]) from error
    except ValueError as error:
        raise RuleViolations([Violation("", "not-json", phrase("this is not JSON: {}", error))]) from error
    if not isinstance(document, dict):
        raise RuleViolations([Violation("", "wrong-document", phrase("a document is a table of keys and values"))])
    return from_document(kind, document)


def _prefix(kind: DocumentKind) -> bytes:
    return f'{{"schema":{kind.schema},"type":"{kind.name}","body":'.encode()


# --- orders


def canonical_orders(orders: Orders) -> Orders:
    """The same orders with every list in its canonical order, so that equal orders are equal values.

    What is to be built stays in the order given, in which it is done.

    The order is total: where the leading fields are equal, all the others decide by their text.
    """
    return Orders(
        deploy=tuple(sorted(map(_deployed, orders.deploy), key=lambda d: (d.name, d.budget, d.hex, d.ships, repr(d)))),
        settings=tuple(sorted(orders.settings, key=lambda s: (s.fleet, repr(s)))),
        detach=tuple(sorted(map(_detach, orders.detach), key=lambda d: (d.ships, d.into, repr(d)))),
        dock=tuple(sorted(map(_dock, orders.dock), key=lambda d: (d.ship, d.repair, repr(d)))),
        weasels=tuple(sorted(orders.weasels)),
        decide=tuple(sorted(orders.decide, key=lambda d: (d.hex, d.toward, d.choice))),
        moves=tuple(sorted(orders.moves, key=attrgetter("fleet", "path", "to"))),
        tow=tuple(sorted(map(_tow, orders.tow), key=lambda t: (t.tug, t.ships))),
        dummies=tuple(sorted(orders.dummies, key=lambda d: (d.dummy, d.hex, d.remove))),
        refit=tuple(sorted(orders.refit, key=lambda r: (r.ship, r.system, r.setting))),
        designs=tuple(sorted(orders.designs, key=lambda d: json.dumps(d, sort_keys=True))),
        build=orders.build,
        cancel=tuple(sorted(orders.cancel)),
    )


def _deployed(item: Deployed) -> Deployed:
    return replace(item, ships=tuple(sorted(item.ships)))


def _detach(item: Detach) -> Detach:
    return replace(item, ships=tuple(sorted(item.ships)))


def _dock(item: Dock) -> Dock:
    return replace(item, repair=tuple(sorted(item.repair)))


def _tow(item: Tow) -> Tow:
    return replace(item, ships=tuple(sorted(item.ships)))


def orders_payload(orders: Orders) -> dict[str, Any]:
    """The canonical JSON of orders; what is left at its default is left out, so an empty order is `{"schema": 1}`."""
    dumped = _orders_adapter().dump_python((canonical_orders(orders),), mode="json", exclude_defaults=True)[0]
    return {"schema": ORDERS.schema, **dumped}


def parse_orders(payload: object, where: str = "") -> tuple[Orders | None, tuple[Violation, ...]]:
    """Orders from what a player handed in, in the order given, or None and every fault of its form with its place."""
    if not isinstance(payload, Mapping):
        return None, (Violation(where, "not-a-table", phrase("orders must be a table of keys and values")),)
    body = {key: value for key, value in payload.items() if key != "schema"}
    found: list[Violation] = []
    try:
        body = ORDERS.body(payload.get("schema", FIRST), body)
    except RuleViolations as unread:
        found += [Violation(place(where, fault.where), fault.code, fault.message) for fault in unread.violations]
    try:
        text = json.dumps([body], allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        return None, (*found, Violation(where, "not-json", phrase("orders must be JSON: {}", error)))
    try:
        (orders,) = _orders_adapter().validate_json(text)
    except ValidationError as error:
        return None, (*found, *faults(error, (where,), skip=1))
    return (None, tuple(found)) if found else (orders, ())


def faults(error: ValidationError, where: tuple[str, ...], skip: int = 0) -> tuple[Violation, ...]:
    """pydantic's faults as Violations, in the order of their places. `skip` leaves out that many first parts."""
    found = []
    for item in error.errors(include_url=False, include_input=False):
        code, words = FAULTS.get(item["type"], ("invalid", ""))
        if item["type"] == "literal_error":
            code, words = "unknown-choice", phrase("must be {}", item["ctx"]["expected"])
        spot = place(*where, *item["loc"][skip:])
        found.append(Violation(spot, code, words or item["msg"]))
    return tuple(sorted(found))


ORDERS_PARTS: tuple[str, ...] = tuple(field.name for field in fields(Orders))

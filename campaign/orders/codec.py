"""Orders as JSON: the stored payload, its canonical form, and the faults of its form.

A payload has the number of its schema and, for each kind of order that is given, a list in the
kind's canonical order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from campaign.orders import registry
from campaign.orders.order import Order
from campaign.rules.codec import validation_faults
from campaign.rules.orders import Orders
from campaign.rules.upgrades import ORDERS
from engine.core.cache import rules_cache
from engine.core.errors import RuleViolations, Violation, fault_path
from engine.core.reason import reason
from engine.core.schemas import FIRST
from engine.notation.reading import prefix_places

NO_ORDERS = Orders()


@rules_cache
def _adapter(order: Order) -> TypeAdapter[tuple[Any, ...]]:
    """Return pydantic's reader and writer of a list of orders of a kind."""
    return TypeAdapter(order.list_type, config=ConfigDict(extra="forbid", strict=True))


def canonical_orders(orders: Orders) -> Orders:
    """Return the orders with every list sorted, so that equal orders are equal values."""
    if orders == NO_ORDERS:
        return NO_ORDERS
    result = NO_ORDERS
    for order in registry.ORDERS:
        items = order.items(orders)
        if items:
            result = order.with_items(result, order.canonical(items))
    return result


def orders_payload(orders: Orders) -> dict[str, Any]:
    """Return the canonical JSON of orders.

    Entries with their default values are left out, so an empty order is `{"schema": 1}`.
    """
    payload: dict[str, Any] = {"schema": ORDERS.schema}
    for order in registry.ORDERS:
        items = order.items(orders)
        if items:
            canonical = order.canonical(items)
            payload[order.key] = _adapter(order).dump_python(
                canonical,
                mode="json",
                exclude_defaults=True,
                by_alias=True,
            )
    return payload


def parse_orders(payload: object, where: str = "") -> tuple[Orders | None, tuple[Violation, ...]]:
    """Read orders from what a player submitted, in the order given.

    Returns:
        The orders and no fault, or None and every fault of their form with its place.
    """
    if not isinstance(payload, Mapping):
        words = reason("orders-not-a-table", "orders must be an object (keys and values)")
        return None, (Violation(where, "not-a-table", words),)
    body = {key: value for key, value in payload.items() if key != "schema"}
    faults: list[Violation] = []
    try:
        body = ORDERS.upgrade_body(payload.get("schema", FIRST), body)
    except RuleViolations as unread:
        faults += prefix_places(where, unread.violations)
    try:
        json.dumps(body, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        words = reason("orders-must-json", "orders must be JSON: {}", error)
        return None, (*faults, Violation(where, "not-json", words))
    orders, form_faults = _read_orders(body, where)
    faults += form_faults
    if faults:
        return None, tuple(faults)
    return orders, ()


def _read_orders(body: Mapping[str, Any], where: str) -> tuple[Orders, list[Violation]]:
    """Read orders from a current payload without its schema, with every fault of their form."""
    orders = Orders()
    violations: list[Violation] = []
    for key, value in body.items():
        order = registry.order_of(key)
        if order is None:
            words = reason("not-known", "is unknown here")
            violations.append(Violation(fault_path(where, key), "unknown-key", words))
            continue
        try:
            items = _adapter(order).validate_json(json.dumps(value))
        except ValidationError as error:
            violations.extend(validation_faults(error, (where, key)))
            continue
        orders = order.with_items(orders, items)
    return orders, sorted(violations)

"""Versions of what is stored: the rules that made a row, and the shape of every JSON body with its upgrades."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

RULES_VERSION = "0.1"

Body = dict[str, Any]

# kind of body -> the shape written today
SCHEMAS: Mapping[str, int] = {
    "scenario": 1,
    "world": 1,
    "view": 1,
    "report": 1,
    "orders": 1,
    "battle": 1,
    "ledger": 1,
    "ruling": 1,
}

# (kind of body, the shape it has) -> the same in the next shape
UPGRADES: Mapping[tuple[str, int], Callable[[Body], Body]] = {}


def upgraded(kind: str, schema: int, body: Body) -> Body:
    """A stored body in today's shape. Raises ValueError where a later release wrote it or no upgrade leads on."""
    current = SCHEMAS[kind]
    if schema > current:
        raise ValueError(f"a stored {kind} has shape {schema}; this release knows shapes up to {current}")
    for step in range(schema, current):
        if (kind, step) not in UPGRADES:
            raise ValueError(f"no upgrade leads from shape {step} of a stored {kind} to {step + 1}")
        body = UPGRADES[kind, step](body)
    return body

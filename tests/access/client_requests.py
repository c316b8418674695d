"""Requests of one player, with everything that comes back: status, headers, body, and queries.

The clock is stopped, and CSRF and other random tokens are constants. Every request runs in a
savepoint that is rolled back, so that writing requests can be sent as well.
"""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import re
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from typing import Any
from unittest import mock

from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpResponseBase
from django.test import Client

from engine.core.cache import Cache
from tests.access.histories import SIDES, History
from tests.access.private_rows import NOW
from tests.access.shared_results import share_results
from tests.access.stored_wars import StoredWar, store

BEGINS = re.compile(r"SAVEPOINT|BEGIN")
HOUSEKEEPING = re.compile(r"SAVEPOINT|RELEASE|ROLLBACK|BEGIN")
ADDRESS = "203.0.113.7"  # a player's address, not this machine's
KEEPERS = (
    *(
        "campaign.sight",
        "campaign.selectors.envelopes",
        "campaign.store.documents",
        "campaign.web",
        "campaign.forms",
        "campaign.pages",
        "campaign.api",
        "umpire.pages",
    ),
    *(
        "campaign.web.gazette_issues",
        "campaign.services.meetings",
        "campaign.services.foreign_classes",
    ),
)
COOKIE = re.compile(r"(?<=sessionid=)\w+|(?<=expires=)[^;]+")


@dataclass(frozen=True)
class Request:
    """A request.

    Attributes:
        data: A form if it maps texts and `json` is false, otherwise a JSON body.
    """

    method: str
    path: str
    data: Any = None
    json: bool = False
    headers: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.method} {self.path}" + (
            f" {json.dumps(self.data)}" if self.data is not None else ""
        )


@dataclass(frozen=True)
class Statement:
    """A statement to the database, without its values."""

    sql: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Answer:
    """An answer, and the queries for it.

    Attributes:
        transactions: How many transactions and savepoints the site began.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    statements: tuple[Statement, ...]
    transactions: int

    @property
    def queries(self) -> tuple[str, ...]:
        """The statements without their values."""
        return tuple(statement.sql for statement in self.statements)

    def visible_parts(self) -> tuple[int, tuple[tuple[str, str], ...], bytes]:
        """What the player sees."""
        return self.status, self.headers, self.body


class FixedRandom:
    """A replacement for `secrets`: the same values for every request."""

    def __init__(self) -> None:
        self.count = 0

    def bytes(self, size: int | None = None) -> bytes:
        self.count += 1
        return hashlib.shake_256(str(self.count).encode()).digest(size or 32)


fixed_random = FixedRandom()


@contextmanager
def freeze_randomness() -> Iterator[None]:
    """Stop the clock, and make everything random constant."""
    with (
        silence_logs(),
        mock.patch("django.utils.timezone.now", return_value=NOW),
        mock.patch("time.time", NOW.timestamp),
        mock.patch("django.middleware.csrf.get_random_string", lambda length, **_: "x" * length),
        mock.patch.object(secrets, "token_bytes", fixed_random.bytes),
    ):
        yield


@contextmanager
def silence_logs() -> Iterator[None]:
    """Switch logs off: thousands of requests would write thousands of lines."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


class Rollback(Exception):
    """Raised to roll back."""


@contextmanager
def roll_back() -> Iterator[None]:
    """Undo what the block writes."""
    try:
        with transaction.atomic():
            yield
            raise Rollback
    except Rollback:
        pass


def client_of(user: User | None) -> Client:
    """Return a browser with somebody logged in; errors of the site become answers with status 500."""
    client = Client(raise_request_exception=False)
    if user is not None:
        client.force_login(user)
    return client


def send_request(client: Client, ask: Request) -> Answer:
    """Send one request, and return its answer."""
    content: dict[str, Any] = {}
    if ask.json:
        content = {"data": json.dumps(ask.data), "content_type": "application/json"}
    elif ask.data is not None:
        content = {"data": ask.data}
    fixed_random.count = 0
    jar = copy(client.cookies)
    asked_for: list[Statement] = []

    def keep(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked_for.append(Statement(sql, tuple(params or ())))
        return execute(sql, params, many, context)

    with roll_back(), connection.execute_wrapper(keep):
        response = getattr(client, ask.method.lower())(
            ask.path, headers=dict(ask.headers), REMOTE_ADDR=ADDRESS, **content
        )
        body = _body(response)
    client.cookies = jar
    statements = tuple(
        statement for statement in asked_for if not HOUSEKEEPING.match(statement.sql)
    )
    began = sum(bool(BEGINS.match(statement.sql)) for statement in asked_for)
    return Answer(response.status_code, _headers(response), body, statements, began)


def answers_of_both(
    history: History, asks: Sequence[Request], guests: Sequence[Request] = ()
) -> tuple[list[Answer], list[Answer]]:
    """Return the answers to a history's viewer on both sides, then those to a guest of the faction."""
    answers_by_side = []
    with freeze_randomness(), share_results():
        for side in SIDES:
            with roll_back():
                stored_war = store(history, side)
                answers_by_side.append(
                    [*answers(stored_war, "viewer", asks), *answers(stored_war, "guest", guests)]
                )
    return answers_by_side[0], answers_by_side[1]


def answers(stored_war: StoredWar, name: str, asks: Sequence[Request]) -> list[Answer]:
    """Return the answers to somebody, one after the other, by a site with empty caches."""
    clear_caches()
    client = client_of(stored_war.people.get(name))
    return [send_request(client, ask) for ask in asks]


def find_differences(
    history: History, asks: Sequence[Request], guests: Sequence[Request] = ()
) -> list[tuple[Request, str]]:
    """Return the requests whose answers differ between the two sides, each with the difference.

    Args:
        guests: The requests of a guest.
    """
    pairs = zip([*asks, *guests], *answers_of_both(history, asks, guests), strict=True)
    return [
        (ask, difference)
        for ask, first, other in pairs
        if (difference := describe_difference(first, other))
    ]


def differences(
    history: History, asks: Sequence[Request], guests: Sequence[Request] = ()
) -> list[str]:
    """Return the same in words."""
    pairs = find_differences(history, asks, guests)
    return [f"seed {history.seed}, {history.viewer}: {ask}: {words}" for ask, words in pairs]


def clear_caches() -> None:
    """Empty everything the site caches, so that one side's values cannot answer the other."""
    cache.clear()
    for name in list(sys.modules):
        if name.startswith(KEEPERS):
            for value in _caches_of(name):
                value.clear()


@functools.cache
def _caches_of(module: str) -> tuple[Cache[Any, Any], ...]:
    """Return the caches of a module, which are all created when it is imported."""
    return tuple(value for value in vars(sys.modules[module]).values() if isinstance(value, Cache))


def describe_difference(first: Answer, other: Answer) -> str:
    if first.status >= 500:
        return f"status {first.status}"
    if first.status != other.status:
        return f"status {first.status} and {other.status}"
    if first.headers != other.headers:
        return f"headers {sorted(set(first.headers) ^ set(other.headers))}"
    if first.body != other.body:
        place = next(
            (n for n, (x, y) in enumerate(zip(first.body, other.body, strict=False)) if x != y), -60
        )
        return f"body {first.body[max(place - 60, 0) : place + 60]!r} and {other.body[max(place - 60, 0) : place + 60]!r}"
    if first.queries != other.queries:
        only = [
            query
            for query in first.queries + other.queries
            if first.queries.count(query) != other.queries.count(query)
        ]
        return f"{len(first.queries)} and {len(other.queries)} queries: {only[:2]}"
    return ""


def _body(response: HttpResponseBase) -> bytes:
    if response.streaming:
        return b"".join(response.streaming_content)  # type: ignore[attr-defined]
    body: bytes = response.content  # type: ignore[attr-defined]
    return body


def _headers(response: HttpResponseBase) -> tuple[tuple[str, str], ...]:
    cookies = [
        ("Set-Cookie", COOKIE.sub("*", morsel.OutputString()))
        for morsel in response.cookies.values()
    ]
    return tuple(sorted([*response.headers.items(), *cookies]))

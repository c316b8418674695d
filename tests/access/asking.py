"""Requests of one player, and everything that comes back: status, headers, body, and how the
database was asked.

The clock stands still, CSRF tokens and other tokens drawn at random are constants. Every request is
made within a savepoint that is rolled back, so that writing requests can be asked as well.
"""

from __future__ import annotations

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

from tests.access.histories import SIDES, History
from tests.access.papers import NOW
from tests.access.pure import once_for_both
from tests.access.stored import Stored, store

HOUSEKEEPING = re.compile(r"SAVEPOINT|RELEASE|ROLLBACK|BEGIN")
ADDRESS = "203.0.113.7"  # of a player: not this machine
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
class Ask:
    """A request.

    `data`: a form where it is a table of texts and `json` is false, else a JSON body.
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
    """A statement to the database, its values apart."""

    sql: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Answer:
    """What came back, and what was asked of the database for it."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    statements: tuple[Statement, ...]

    @property
    def queries(self) -> tuple[str, ...]:
        """The statements without their values."""
        return tuple(one.sql for one in self.statements)

    def told(self) -> tuple[int, tuple[tuple[str, str], ...], bytes]:
        """What the player sees."""
        return self.status, self.headers, self.body


class Drawn:
    """What `secrets` draws: the same row of values for every request."""

    def __init__(self) -> None:
        self.count = 0

    def bytes(self, size: int | None = None) -> bytes:
        self.count += 1
        return hashlib.shake_256(str(self.count).encode()).digest(size or 32)


drawn = Drawn()


@contextmanager
def still() -> Iterator[None]:
    """The clock and everything drawn at random stand still."""
    with (
        silent(),
        mock.patch("django.utils.timezone.now", return_value=NOW),
        mock.patch("time.time", NOW.timestamp),
        mock.patch("django.middleware.csrf.get_random_string", lambda length, **_: "x" * length),
        mock.patch.object(secrets, "token_bytes", drawn.bytes),
    ):
        yield


@contextmanager
def silent() -> Iterator[None]:
    """No log lines: thousands of requests would write thousands."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


class Undone(Exception):
    """Raised to roll back."""


@contextmanager
def undone() -> Iterator[None]:
    """What the block writes is taken back."""
    try:
        with transaction.atomic():
            yield
            raise Undone
    except Undone:
        pass


def client_of(user: User | None) -> Client:
    """A browser in which somebody is logged in; errors of the site become answers with status
    500.
    """
    client = Client(raise_request_exception=False)
    if user is not None:
        client.force_login(user)
    return client


def asked(client: Client, ask: Ask) -> Answer:
    """One request and its answer."""
    content: dict[str, Any] = {}
    if ask.json:
        content = {"data": json.dumps(ask.data), "content_type": "application/json"}
    elif ask.data is not None:
        content = {"data": ask.data}
    drawn.count = 0
    jar = copy(client.cookies)
    asked_for: list[Statement] = []

    def keep(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked_for.append(Statement(sql, tuple(params or ())))
        return execute(sql, params, many, context)

    with undone(), connection.execute_wrapper(keep):
        response = getattr(client, ask.method.lower())(
            ask.path, headers=dict(ask.headers), REMOTE_ADDR=ADDRESS, **content
        )
        body = _body(response)
    client.cookies = jar
    statements = tuple(one for one in asked_for if not HOUSEKEEPING.match(one.sql))
    return Answer(response.status_code, _headers(response), body, statements)


def both(
    history: History, asks: Sequence[Ask], guests: Sequence[Ask] = ()
) -> tuple[list[Answer], list[Answer]]:
    """The answers to the viewer of a history on either side, then those to a guest of his
    faction.
    """
    found = []
    with still(), once_for_both():
        for side in SIDES:
            with undone():
                stored = store(history, side)
                found.append([*answers(stored, "viewer", asks), *answers(stored, "guest", guests)])
    return found[0], found[1]


def answers(stored: Stored, name: str, asks: Sequence[Ask]) -> list[Answer]:
    """The answers to somebody, one request after the other, by a site that has answered nobody
    before.
    """
    forget()
    client = client_of(stored.people.get(name))
    return [asked(client, ask) for ask in asks]


def differing(
    history: History, asks: Sequence[Ask], guests: Sequence[Ask] = ()
) -> list[tuple[Ask, str]]:
    """The requests whose answers tell the two sides apart, each with what does.

    `guests`: those of a guest.
    """
    pairs = zip([*asks, *guests], *both(history, asks, guests), strict=True)
    return [(ask, found) for ask, one, other in pairs if (found := unlike(one, other))]


def differences(history: History, asks: Sequence[Ask], guests: Sequence[Ask] = ()) -> list[str]:
    """The same in words."""
    found = differing(history, asks, guests)
    return [f"seed {history.seed}, {history.viewer}: {ask}: {words}" for ask, words in found]


def forget() -> None:
    """Empty everything the site keeps between requests: what one side left there must not answer
    the other.
    """
    cache.clear()
    for name, module in list(sys.modules.items()):
        if name.startswith(KEEPERS):
            for named, kept in vars(module).items():
                if isinstance(kept, dict) and named[:1] == "_" and named[:2] != "__":
                    kept.clear()


def unlike(one: Answer, other: Answer) -> str:
    if one.status >= 500:
        return f"status {one.status}"
    if one.status != other.status:
        return f"status {one.status} and {other.status}"
    if one.headers != other.headers:
        return f"headers {sorted(set(one.headers) ^ set(other.headers))}"
    if one.body != other.body:
        place = next(
            (n for n, (x, y) in enumerate(zip(one.body, other.body, strict=False)) if x != y), -60
        )
        return f"body {one.body[max(place - 60, 0) : place + 60]!r} and {other.body[max(place - 60, 0) : place + 60]!r}"
    if one.queries != other.queries:
        only = [
            query
            for query in one.queries + other.queries
            if one.queries.count(query) != other.queries.count(query)
        ]
        return f"{len(one.queries)} and {len(other.queries)} queries: {only[:2]}"
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

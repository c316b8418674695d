"""The API for programs: a session with a token, timeouts, and retries that never act twice.

Every write has an Idempotency-Key, so it can be sent again if it is unknown whether it arrived.
"""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from blindjump import __version__
from blindjump.errors import (
    ApiError,
    ClientError,
    NotLoggedIn,
    TooManyAttempts,
    Unreachable,
    UsageError,
)

TIMEOUT = 30.0  # seconds for an answer
ATTEMPTS = 4
LONGEST_WAIT = 30.0  # seconds that a server may ask for before another attempt
RETRY_STATUSES = (429, 502, 503, 504)
WRITES = ("POST", "PUT", "DELETE")
TOKEN = re.compile(r"[!-~]+")
NO_JSON = object()
LOCKED_OUT = "locked-out"  # code for too many wrong passwords
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Answer:
    """The server's answer: its JSON (None if empty), and its ETag for If-Match."""

    status: int
    body: Any
    etag: str


def address_of(text: str, *, plain: bool = False) -> str:
    """Return the address of a site, without a trailing slash.

    Args:
        plain: Whether to allow http:// to another machine, where passwords and orders travel
            unencrypted.

    Raises:
        UsageError: If the text is not an allowed web address.
    """
    try:
        url = httpx.URL(text if "://" in text else f"https://{text}")
    except httpx.InvalidURL as error:
        raise UsageError(f"'{text}' is not a web address: {error}") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise UsageError(f"'{text}' is not a web address such as https://war.example.org")
    if url.scheme == "http" and url.host not in LOOPBACK and not plain:
        raise UsageError(
            f"{text} is not encrypted, your password would travel readable: "
            "use https, or add --plain-http"
        )
    return str(url).rstrip("/")


class Api:
    """A session with a site; without a token it can only log in."""

    def __init__(
        self,
        address: str,
        token: str = "",
        *,
        timeout: float = TIMEOUT,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        headers = {"Accept": "application/json", "User-Agent": f"blindjump/{__version__}"}
        if token and not TOKEN.fullmatch(token):
            raise NotLoggedIn("what was given is no token: one has letters and digits alone")
        if token:
            headers["Authorization"] = f"Token {token}"
        self.address = address
        self._http = httpx.Client(
            base_url=f"{address}/api/",
            headers=headers,
            timeout=timeout,
            transport=transport,
            follow_redirects=False,
        )
        self._sleep = sleep

    def close(self) -> None:
        """End the session."""
        self._http.close()

    def get(self, path: str, **query: str) -> Any:
        """Return the JSON at a path under /api/."""
        return self.call("GET", path, query=query).body

    def post(self, path: str, body: Any = None) -> Any:
        """Post JSON to a path under /api/, and return the answer's JSON."""
        return self.call("POST", path, {} if body is None else body).body

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, str] | None = None,
        if_match: str = "",
    ) -> Answer:
        """Make one request, and repeat it if it fails on its way.

        Raises:
            Unreachable: If the last attempt fails too.
            NotLoggedIn: If the token does not work.
            TooManyAttempts: If the account is locked after wrong passwords.
            ApiError: If the server refuses.
            ClientError: If the address is not that of a site.
        """
        headers = {"Idempotency-Key": str(uuid.uuid4())} if method in WRITES else {}
        if if_match:
            headers["If-Match"] = if_match
        for attempt in range(1, ATTEMPTS + 1):
            wait = float(2 ** (attempt - 1))
            try:
                response = self._http.request(
                    method,
                    path,
                    params=query,
                    headers=headers,
                    **({} if body is None else {"json": body}),
                )
            except httpx.TransportError as error:
                reason = (
                    "did not answer in time"
                    if isinstance(error, httpx.TimeoutException)
                    else "cannot be reached"
                )
                failed = Unreachable(f"{self.address} {reason}: {error or type(error).__name__}")
            else:
                body_read = _json_of(response)
                problem = body_read if isinstance(body_read, dict) else {}
                words = str(problem.get("detail") or problem.get("title") or response.reason_phrase)
                if response.status_code == 429 and problem.get("code") == LOCKED_OUT:
                    raise TooManyAttempts(
                        f"{words}; wait {response.headers.get('Retry-After', 'some')} seconds"
                    )
                # JSON that cannot be read was cut off on its way.
                half = body_read is NO_JSON and "json" in response.headers.get("Content-Type", "")
                if response.status_code not in RETRY_STATUSES and not half:
                    return self._to_answer(response, body_read)
                reason = (
                    "answered by halves"
                    if response.is_success
                    else f"is busy ({response.status_code})"
                )
                failed = Unreachable(f"{self.address} {reason}: {words}")
                retry_after = response.headers.get("Retry-After", "")
                wait = float(retry_after) if retry_after.isdigit() else wait
                if wait > LONGEST_WAIT:
                    raise Unreachable(f"{failed}; try again in {wait:.0f} seconds")
            if attempt == ATTEMPTS:
                raise failed
            self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _to_answer(self, response: httpx.Response, body: Any) -> Answer:
        if response.is_redirect:
            location = response.headers.get("Location")
            raise ClientError(f"the server sends you on to {location}: log in at that address")
        if response.status_code == 401:
            words = f"the token opens nothing at {self.address}: it has ended"
            raise NotLoggedIn(f"{words}; run `blindjump login {self.address}`")
        problem = body if isinstance(body, dict) else {}
        if response.is_error and (problem or response.status_code >= 500):
            raise ApiError(response.status_code, problem or {"title": response.reason_phrase})
        if body is NO_JSON or response.is_error:
            raise ClientError(
                f"{self.address} is no Blind Jump site, or not its address: "
                f"it answers {response.status_code}"
            )
        return Answer(response.status_code, body, response.headers.get("ETag", ""))


def _json_of(response: httpx.Response) -> Any:
    """Return an answer's JSON: None if it is empty, NO_JSON if it is malformed or cut off."""
    try:
        return response.json() if response.content else None
    except ValueError:
        return NO_JSON

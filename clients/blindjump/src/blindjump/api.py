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
# The site or its proxy is busy or restarting: the same request may succeed a little later.
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
            f"{text} is not encrypted, so others could read your password on the way: "
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
            raise NotLoggedIn("this is not a token: a token has only letters and digits")
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

    def download(self, path: str) -> bytes:
        """Return the file at a path under /api/. Raises the errors of `call`."""
        response, body = self._send(self._http.build_request("GET", path))
        if response.is_success:
            return response.content
        self._to_answer(response, body)
        raise AssertionError("an answer without success raises")

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
        request = self._http.build_request(method, path, params=query, json=body)
        if method in WRITES:
            request.headers["Idempotency-Key"] = str(uuid.uuid4())
        if if_match:
            request.headers["If-Match"] = if_match
        return self._to_answer(*self._send(request))

    def _send(self, request: httpx.Request) -> tuple[httpx.Response, Any]:
        """Send a request until it is answered; return the answer and its JSON.

        Raises:
            Unreachable, TooManyAttempts: As in `call`.
        """
        for attempt in range(1, ATTEMPTS + 1):
            wait = float(2 ** (attempt - 1))
            try:
                response = self._http.send(request)
            except httpx.TransportError as error:
                failed = self._transport_failure(error)
            else:
                body_read = _json_of(response)
                if not _should_retry(response, body_read):
                    return response, body_read
                failed = self._busy_failure(response, body_read)
                retry_after = response.headers.get("Retry-After", "")
                wait = float(retry_after) if retry_after.isdigit() else wait
                if wait > LONGEST_WAIT:
                    raise Unreachable(f"{failed}; try again in {wait:.0f} seconds")
            if attempt == ATTEMPTS:
                raise failed
            self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _transport_failure(self, error: httpx.TransportError) -> Unreachable:
        """Return the error for a request that got no answer."""
        if isinstance(error, httpx.TimeoutException):
            reason = "did not answer in time"
        else:
            reason = "cannot be reached"
        return Unreachable(f"{self.address} {reason}: {error or type(error).__name__}")

    def _busy_failure(self, response: httpx.Response, body: Any) -> Unreachable:
        """Return the error for an answer that was cut off, or that says the site is busy."""
        if response.is_success:
            reason = "sent an incomplete answer"
        else:
            reason = f"is busy ({response.status_code})"
        return Unreachable(f"{self.address} {reason}: {_problem_words(response, body)}")

    def _to_answer(self, response: httpx.Response, body: Any) -> Answer:
        """Return an answer that needs no retry.

        Raises:
            NotLoggedIn, ApiError, ClientError: As in `call`.
        """
        if response.is_redirect:
            location = response.headers.get("Location")
            raise ClientError(f"the server redirects to {location}: log in at that address")
        if response.status_code == 401:
            raise NotLoggedIn(
                f"{self.address} does not accept the token any more; "
                f"run `blindjump login {self.address}`"
            )
        problem = _problem_of(body)
        if response.is_error and (problem or response.status_code >= 500):
            raise ApiError(response.status_code, problem or {"title": response.reason_phrase})
        if body is NO_JSON or response.is_error:
            raise ClientError(
                f"{self.address} is not the address of a Blind Jump site: "
                f"it answers {response.status_code}"
            )
        return Answer(response.status_code, body, response.headers.get("ETag", ""))


def _should_retry(response: httpx.Response, body: Any) -> bool:
    """Return whether the same request may succeed a little later.

    Raises:
        TooManyAttempts: If the account is locked after wrong passwords.
    """
    if response.status_code == 429 and _problem_of(body).get("code") == LOCKED_OUT:
        seconds = response.headers.get("Retry-After", "some")
        raise TooManyAttempts(f"{_problem_words(response, body)}; wait {seconds} seconds")
    was_cut_off = body is NO_JSON and "json" in response.headers.get("Content-Type", "")
    return was_cut_off or response.status_code in RETRY_STATUSES


def _problem_of(body: Any) -> dict[str, Any]:
    """Return the object with which the site explains an error; empty if there is none."""
    return body if isinstance(body, dict) else {}


def _problem_words(response: httpx.Response, body: Any) -> str:
    """Return the site's explanation of an error, or the standard text of its HTTP status."""
    problem = _problem_of(body)
    return str(problem.get("detail") or problem.get("title") or response.reason_phrase)


def _json_of(response: httpx.Response) -> Any:
    """Return an answer's JSON: None if it is empty, NO_JSON if it is malformed or cut off."""
    try:
        return response.json() if response.content else None
    except ValueError:
        return NO_JSON

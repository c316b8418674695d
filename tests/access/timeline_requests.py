"""Requests of a player about timelines and forks of a war."""

from __future__ import annotations

from collections.abc import Sequence

from tests.access.client_requests import Request
from tests.access.site_routes import Guesses


def rollbacks(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return rollbacks to stages on the line and elsewhere, and answers to proposals."""
    last = len(guesses.history.moments) - 1
    forms = [
        {"act": "", "to": to, "head": f"1-{last}", "reason": "a test", "dice": "fresh"}
        for to in ("1-0", "1-99", "2-0", "x")
    ]
    answers = [{"act": act, "proposal": "1"} for act in ("agree", "disagree", "withdraw")]
    return [Request("post", path, form) for form in (*forms, *answers)]


def rollback_calls(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return rollbacks to a stage on the line, and to none."""
    head = f"1-{len(guesses.history.moments) - 1}"
    bodies = [{"to": to, "head": head, "reason": "a test"} for to in ("1-0", "2-0")]
    return [Request("post", path, body, json=True) for body in bodies]


def forks(_: Guesses, path: str) -> Sequence[Request]:
    """Return forks from a week, and from one that has not come."""
    if "/api/" in path:
        return [Request("post", path, {"week": week}, json=True) for week in (1, 99)]
    return [Request("post", path, {"start": f"{week}-orders"}) for week in (1, 99)]


def answer_calls(_: Guesses, path: str) -> Sequence[Request]:
    """Return answers to a proposal that does not exist."""
    bodies = [{"proposal": 1, "answer": answer} for answer in ("agree", "withdraw")]
    return [Request("post", path, body, json=True) for body in bodies]

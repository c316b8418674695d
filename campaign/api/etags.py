"""ETags and conditions. An ETag is made of what its reader knows anyway: a View's hash, or his own drafts' versions."""

from __future__ import annotations

import re

from rest_framework.request import Request

from campaign.api.problems import Refusal

ANY = "*"
TAG = re.compile(r'\s*(W/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)')


def quoted(tag: str) -> str:
    """The header's text of an ETag."""
    return f'"{tag}"'


def tags_of(header: str) -> tuple[tuple[str, bool], ...]:
    """The tags of a condition as (tag, weak). Raises Refusal where the header cannot be read."""
    found, at = [], 0
    while at < len(header):
        match = TAG.match(header, at)
        if match is None:
            raise Refusal(400, "bad-condition", "the condition is not a list of ETags")
        found.append((match[2], bool(match[1])))
        at = match.end()
    return tuple(found)


def must_match(request: Request, tag: str, *, needed: bool) -> None:
    """Go on only where If-Match names the state there is now. Raises Refusal with 428 or 412."""
    header = request.headers.get("If-Match")
    if header is None or not header.strip():
        if needed:
            raise Refusal(428, "precondition-required", "send If-Match with the ETag you read")
        return
    if header.strip() == ANY:
        return
    if (tag, False) not in tags_of(header):
        raise Refusal(412, "lost-update", "this was changed in the meantime; read it again", {"ETag": quoted(tag)})


def is_sent(request: Request) -> bool:
    """Whether If-Match names a state."""
    return (request.headers.get("If-Match") or "").strip() not in ("", ANY)


def unchanged(request: Request, tag: str) -> bool:
    """Whether If-None-Match names the state there is now. An unreadable condition is none."""
    header = request.headers.get("If-None-Match")
    if header is None:
        return False
    if header.strip() == ANY:
        return True
    return any(match[2] == tag for match in TAG.finditer(header))

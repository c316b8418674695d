"""Battles that workers fight while a reader waits: asked for by a page, and how far they are.

The first time somebody asks a question it is a heavy act of his
(`campaign.web.common.count_heavy_request`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.http import HttpRequest

from campaign.kinds import ReckoningEnd, ReckoningKind, words_of
from campaign.models.reckoning import Reckoning
from campaign.services.reckonings import (
    reckoning_ask,
    reckoning_of,
    reckoning_stop,
    reckoning_watch,
)
from campaign.web.common import count_heavy_request

STOP = "stop"  # what the address says of a reader who wants no more of them
ENDS = words_of(ReckoningEnd)


@dataclass(frozen=True, slots=True)
class Progress:
    """`working`: more battles come while the reader waits; `more`: they would come if he did.

    `again`, `stop`: the addresses at which he waits and does not. `every`: after which time the
    page asks. `ended`: why no more can come.
    """

    working: bool
    more: bool
    fought: int
    wanted: int
    again: str
    stop: str
    every: str
    ended: str


def reckoned(
    request: HttpRequest,
    kind: ReckoningKind,
    question: Mapping[str, Any],
    wanted: int,
    *,
    waits: bool,
) -> Reckoning:
    """The battles of a question of the reader's: more of them are fought while he `waits`, up to
    `wanted`. Raises TooOften where he asks too many.
    """
    user = cast(Any, request.user)
    row = reckoning_of(user, kind, question)
    if row is None:
        count_heavy_request(request)
        row = reckoning_ask(user=user, kind=kind, question=question, wanted=wanted)
    reckoning_watch(row) if waits else reckoning_stop(row)
    return row


def progress(row: Reckoning, again: str, stop: str, *, waits: bool, fewest: int = 1) -> Progress:
    """How far a question is.

    `waits`: whether its reader waits for more; `fewest`: battles that are told of.
    """
    return Progress(
        working=row.open and waits,
        more=row.open,
        fought=row.fought,
        wanted=row.wanted,
        again=again,
        stop=stop,
        every="1s" if row.fought >= fewest else "300ms" if row.fought else "150ms",
        ended=ENDS[row.ending] if row.ending else "",
    )

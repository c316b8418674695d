"""How far workers are with battles that a reader waits for: what a page says of it, and where it asks again."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.kinds import ReckoningEnd, words_of
from campaign.models.reckoning import Reckoning

STOP = "stop"  # what the address says of a reader who wants no more of them
ENDS = words_of(ReckoningEnd)


@dataclass(frozen=True, slots=True)
class Progress:
    """`working`: more battles come while the reader waits; `more`: they would come if he did. `again`, `stop`: the
    addresses at which he waits and does not. `every`: after which time the page asks. `ended`: why no more can come.
    """

    working: bool
    more: bool
    fought: int
    wanted: int
    again: str
    stop: str
    every: str
    ended: str


def progress(row: Reckoning, again: str, stop: str, *, waits: bool, fewest: int = 1) -> Progress:
    """How far a question is. `waits`: whether its reader waits for more; `fewest`: battles that are told of."""
    return Progress(
        working=row.open and waits,
        more=row.open,
        fought=row.fought,
        wanted=row.wanted,
        again=again,
        stop=stop,
        every="1s" if row.fought >= fewest else "300ms",
        ended=ENDS[row.ending] if row.ending else "",
    )

"""The last row of a war's ledger, which publishes the seed and covers the closing head.

It is not stored: it follows from the act that published the seed and from the rows before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from campaign.models.campaign import Campaign
from campaign.models.ledger import REVEAL, Act
from engine.core import fair


@dataclass(frozen=True, slots=True)
class EndRow:
    """The last row of a ledger.

    Attributes:
        act: The act that published the seed.
        body: See `engine.core.fair.end_row`.
    """

    act: Act
    body: dict[str, Any]
    prev_hash: str

    @property
    def hash(self) -> str:
        """Return the hash that chains the row onto the one before."""
        return fair.row_hash(self.prev_hash, self.body)


def end_row_of(campaign: Campaign) -> EndRow | None:
    """Return the last row of a war's ledger; None before its seed is published."""
    act = Act.objects.filter(campaign=campaign, verb=REVEAL).first()
    if act is None:
        return None
    facts = act.body["facts"]
    body = fair.end_row(
        branch=facts["branch"],
        size=facts["size"],
        root=facts["root"],
        seed=facts["seed"],
        act=act.sha256,
    )
    return EndRow(act, body, facts["prev_hash"])

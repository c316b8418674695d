"""One act in several wars at once: each does it or says why not, and one that refuses leaves the
others alone.

    act_in_each(viewers, act) -> what became of it in each war

The pages and the API do the same acts as in one war (`umpire.services.control`,
`umpire.services.pauses`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db import transaction

from campaign.access import Viewer
from campaign.errors import Refused
from engine.core.errors import RuleViolations

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ActOutcome(Generic[T]):
    """What became of an act in one war.

    Attributes:
        done: What the act returned; None where it was refused.
        refusal: Why nothing was done; None where it was.
    """

    viewer: Viewer
    result: T | None = None
    refusal: Refused | RuleViolations | None = None

    @property
    def why_not(self) -> str:
        """The reason of the refusal in words; empty where there is none."""
        if isinstance(self.refusal, RuleViolations):
            return self.refusal.limited_violations[0].message
        return "" if self.refusal is None else self.refusal.words


def act_in_each(viewers: Iterable[Viewer], act: Callable[[Viewer], T]) -> list[ActOutcome[T]]:
    """Do something in each war, in the order given. A war that refuses keeps nothing of it."""
    outcomes = []
    for viewer in viewers:
        try:
            with transaction.atomic():
                outcome = ActOutcome(viewer, result=act(viewer))
        except (Refused, RuleViolations) as error:
            outcome = ActOutcome(viewer, refusal=error)
        outcomes.append(outcome)
    return outcomes

"""One act in several wars: a war that refuses does not affect the others.

The acts are those for one war (`umpire.services.control`, `umpire.services.pauses`).
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
    """The result of an act in one war.

    Attributes:
        result: What the act returned; None if it was refused.
        refusal: Why nothing was done; None if it was done.
    """

    viewer: Viewer
    result: T | None = None
    refusal: Refused | RuleViolations | None = None

    @property
    def why_not(self) -> str:
        """Return the reason of the refusal, or an empty text."""
        if isinstance(self.refusal, RuleViolations):
            return self.refusal.limited_violations[0].message
        if self.refusal is None:
            return ""
        return self.refusal.words


def act_in_each(viewers: Iterable[Viewer], act: Callable[[Viewer], T]) -> list[ActOutcome[T]]:
    """Do an act in each war, in the given order. A war that refuses stays unchanged."""
    outcomes = []
    for viewer in viewers:
        try:
            with transaction.atomic():
                outcome = ActOutcome(viewer, result=act(viewer))
        except (Refused, RuleViolations) as error:
            outcome = ActOutcome(viewer, refusal=error)
        outcomes.append(outcome)
    return outcomes

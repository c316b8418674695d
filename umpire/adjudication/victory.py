"""Objectives: which victory condition holds at the end of a week."""

from __future__ import annotations

from collections.abc import Sequence

from campaign.rules.scenario import Condition
from campaign.rules.world import Holding
from umpire.adjudication.muster import Book


def superior_systems(book: Book, holdings: Sequence[Holding], power: str) -> frozenset[str]:
    """The ids of the systems where a faction, or a faction of an alliance, has superiority."""
    return frozenset(
        holding.system
        for holding in holdings
        if holding.superior is not None and power in (holding.superior, book.side[holding.superior])
    )


def holds(book: Book, holdings: Sequence[Holding], condition: Condition) -> bool:
    """Whether a victory condition holds now.

    Rules: 2E "Campaign objectives" [camp.objectives]
    """
    if condition.by is None:
        return True
    counted = set()
    for system in book.scenario.systems:
        if "all" in condition.of or system.id in condition.of or ("settled" in condition.of and system.settled):
            counted.add(system.id)
    superior = superior_systems(book, holdings, condition.by)
    return len(counted & superior) >= condition.at_least and set(condition.including) <= superior


def judge(book: Book, holdings: Sequence[Holding], week: int) -> Condition | None:
    """The condition that ends the war after this week, or None where it goes on.

    A total victory ends it as soon as it holds; after the last week the first condition that holds does.

    Rules: 2E "Campaign objectives" [camp.objectives]; 2E "Section 10" [camp.lafayette]
    """
    last = week >= book.scenario.weeks
    for condition in book.scenario.victory:
        if (condition.total or last) and holds(book, holdings, condition):
            return condition
    return Condition("undecided") if last else None

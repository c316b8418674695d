"""The umpire's report week by week and every envelope of a stage, in words: for his desk, and for the story."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from campaign.models.stage import ADMIRAL, DEFAULT, PLAYER, STANDING, UMPIRE, Stage, Submission
from campaign.pages.words import orders_words
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.selectors.truth import entries_of
from campaign.sight import sight_at
from umpire.journal import report_of
from umpire.pages.desk import STAGES
from umpire.services.records import step_of

SOURCES = {
    PLAYER: "sealed by its player",
    STANDING: "standing orders",
    DEFAULT: "default orders, nothing was sealed",
    ADMIRAL: "computer admiral",
    UMPIRE: "umpire",
}


@dataclass(frozen=True, slots=True)
class Envelope:
    """A sealed entry in words. `withdrawn_at`: None where it counts."""

    faction: str
    name: str
    revision: int
    source: str
    author: str
    sealed_at: datetime
    withdrawn_at: datetime | None
    digest: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A resolved stage in the umpire's words."""

    ordinal: int
    week: int
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Week:
    """A week's report, stage by stage. Week 0 is the deployment."""

    number: int
    title: str
    stages: tuple[Told, ...]


def weeks_of(scenario: Scenario, stages: Iterable[Stage]) -> tuple[Week, ...]:
    """The reports of resolved stages, week by week, the first one first."""
    found: dict[int, list[Told]] = {}
    for stage in stages:
        found.setdefault(stage.week, []).append(told_of(scenario, stage))
    return tuple(Week(number, week_title(number), tuple(told)) for number, told in sorted(found.items()))


def told_of(scenario: Scenario, stage: Stage) -> Told:
    """The report of one resolved stage."""
    return Told(stage.ordinal, stage.week, STAGES[stage.kind], report_of(scenario, step_of(stage)))


def week_title(number: int) -> str:
    """A week as people say it."""
    return f"Week {number}" if number else "Deployment"


def envelopes_of(scenario: Scenario, stage: Stage) -> tuple[Envelope, ...]:
    """Every envelope of a stage in words, withdrawn ones too, by faction, the newest first."""
    rows = list(entries_of(stage=stage))
    views = {row.faction_id: sight_at(stage, row.faction).view for row in rows}
    return tuple(_envelope(scenario, views[row.faction_id], row) for row in rows)


def _envelope(scenario: Scenario, view: View, row: Submission) -> Envelope:
    return Envelope(
        faction=row.faction.key,
        name=row.faction.name,
        revision=row.revision,
        source=SOURCES[row.source],
        author=row.author.get_username() if row.author else "",
        sealed_at=row.sealed_at,
        withdrawn_at=row.withdrawn_at,
        digest=row.digest,
        lines=orders_words(scenario, view, row.payload),
    )

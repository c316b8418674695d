"""What is wrong with a war, or soon will be, in words: what cannot wait first. For its umpire alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from campaign.kinds import StageStatus
from campaign.selectors.clock import Seat
from campaign.selectors.umpired import UmpiredCampaign
from engine.core.phrase import joined_phrases, phrase
from engine.english import counted_noun, listed
from umpire.services.health import FailingJob, SiteHealth, Unsent

SOON = timedelta(hours=24)
LATE = timedelta(minutes=2)  # for which a closed stage waits beyond its allowance
HOURS, MINUTES = phrase("{} h"), phrase("{} min")  # of a span


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing. `grave`: the war stands still or somebody is left out; else it waits. `verb`: the act that helps."""

    words: str
    grave: bool = False
    verb: str = ""
    label: str = ""


def troubles_of(
    war: UmpiredCampaign, jobs: Iterable[FailingJob], unsent: Iterable[Unsent], now: datetime
) -> tuple[Trouble, ...]:
    """The troubles of a war, the grave ones first."""
    found = [*_of_the_clock(war, now), *map(_failing, jobs), *map(_unsent, unsent)]
    if war.stage is not None and war.stage.status == StageStatus.OPEN:
        found += _of_the_seats(war.seats, war, now)
    return tuple(sorted(found, key=lambda one: not one.grave))


def _of_the_clock(war: UmpiredCampaign, now: datetime) -> Iterable[Trouble]:
    stage = war.stage
    if stage is None:
        return
    allowed = LATE + timedelta(seconds=settings.PUBLICATION_ALLOWANCE + 2 * settings.PUBLICATION_GRID)
    if stage.status == StageStatus.CLOSED and stage.closed_at is not None and now - stage.closed_at > allowed:
        yield Trouble(phrase("Closed {} ago and not resolved yet", span_words(now - stage.closed_at)), grave=True)
    if war.campaign.paused_at is not None:
        paused = span_words(now - war.campaign.paused_at)
        yield Trouble(
            phrase("The clock has been stopped for {}", paused), verb="resume", label=phrase("Resume the clock")
        )


def _of_the_seats(seats: Sequence[Seat], war: UmpiredCampaign, now: datetime) -> Iterable[Trouble]:
    empty = [seat.name for seat in seats if not seat.people and not seat.admiral]
    if empty:
        yield Trouble(phrase("Nobody plays {}: standing orders are used", listed(empty)))
    awaited = [seat for seat in seats if seat.awaited]
    closes = None if war.stage is None else war.stage.closes
    if not awaited:
        if any(seat.people for seat in seats):
            yield Trouble(
                phrase("All have sealed, and the stage is still open"), verb="resolve", label=phrase("Resolve now")
            )
        return
    if closes is not None and war.campaign.paused_at is None and closes - now < SOON:
        names = listed([name for seat in awaited for name in seat.people])
        yield Trouble(
            phrase("{} has not sealed" if len(awaited) == 1 else "{} have not sealed", names),
            verb="remind",
            label=phrase("Remind"),
        )


def _failing(job: FailingJob) -> Trouble:
    return Trouble(phrase("Resolving has failed {}: {}", counted_noun(job.attempts, "time"), job.error), grave=True)


def _unsent(message: Unsent) -> Trouble:
    whom = message.user or phrase("the site's own channel")
    if message.given_up:
        return Trouble(phrase("A message to {} could not be sent and was given up", whom), grave=True)
    return Trouble(
        phrase("A message to {} could not be sent yet ({})", whom, counted_noun(message.attempts, "attempt"))
    )


def health_words(health: SiteHealth) -> tuple[Trouble, ...]:
    """What is wrong with the site; nothing where all is well."""
    found = []
    if health.behind:
        found.append(Trouble(phrase("The site is behind: a job has waited for more than ten minutes"), grave=True))
    if health.room is False:
        found.append(Trouble(phrase("The disk of the site is nearly full"), grave=True))
    return tuple(found)


def span_words(span: timedelta) -> str:
    """A span as people say it, in its two greatest units: `1 day 2 h`, `6 h 12 min`, `3 min`."""
    minutes = max(0, int(span.total_seconds()) // 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [
        *([counted_noun(days, "day")] if days else []),
        *([HOURS.format(hours)] if hours else []),
        *([MINUTES.format(minutes)] if minutes and not days else []),
    ]
    return joined_phrases(" ", parts or [MINUTES.format(0)])

"""What needs the umpire of a war, in words, and what is about to close with somebody missing. For its umpire alone.

Nothing else is trouble: a paused clock or a stage that everybody has sealed is shown with the stage itself, and
messages that could not be sent with the health of the war.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse

from campaign.kinds import StageStatus
from campaign.models.campaign import Campaign
from campaign.models.ledger import REMEDY
from campaign.models.stage import Stage
from campaign.selectors.umpired import UmpiredCampaign
from campaign.stored import scenario_of
from engine.core.phrase import joined_phrases, phrase
from engine.english import counted_noun, listed
from umpire.pages.true_world import places_of
from umpire.services.attention import Attention
from umpire.services.health import FailingJob, SiteHealth, Unsent
from umpire.services.quarantine import QuarantinedStage

LATE = timedelta(minutes=2)  # for which a closed stage waits beyond its allowance
LAST_QUARTER = 4  # a stage is about to close when less than this part of its time is left
HOURS, MINUTES = phrase("{} h"), phrase("{} min")  # of a span

# kinds of trouble, in the order in which they are listed
RESULTS_DIFFER = "results-differ"
UNANSWERED = "unanswered-message"
EMPTY_SEAT = "empty-seat"
SILENT_SIDE = "silent-side"
NOT_COMPUTED = "not-computed"
CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that an umpire has to look at.

    `grave`: it needs the umpire; else a stage is about to close with somebody missing.
    `href`, `label`: where it can be dealt with; empty where nothing can be done on a page.
    """

    kind: str
    words: str
    grave: bool = True
    href: str = ""
    label: str = ""


def troubles_of(war: UmpiredCampaign, waits: Attention, now: datetime) -> tuple[Trouble, ...]:
    """List the troubles of a war: what needs its umpire, then what is about to close with somebody missing."""
    if war.stage is None:
        return ()
    return (
        *_differing(war.campaign, waits),
        *_unanswered(war, waits),
        *_empty_seats(war),
        *_silent(war, waits),
        *_not_computed(war.campaign, war.stage, waits, now),
        *_closing(war, war.stage, now),
    )


def _differing(campaign: Campaign, waits: Attention) -> Iterable[Trouble]:
    places = places_of(scenario_of(campaign)) if waits.differing else {}
    for one in waits.differing:
        place = places.get(one.hex, phrase("hex {}", one.hex))
        yield Trouble(
            RESULTS_DIFFER,
            phrase("The two results of the battle at {} do not agree", place),
            href=reverse("umpire-battle-result", args=(campaign.public_id, one.battle)),
            label=phrase("Enter the result"),
        )


def _unanswered(war: UmpiredCampaign, waits: Attention) -> Iterable[Trouble]:
    names = {seat.key: seat.name for seat in war.seats}
    for key in waits.unanswered:
        yield Trouble(
            UNANSWERED,
            phrase("A message from {} waits for an answer", names[key]),
            href=reverse("messages-to", args=(war.campaign.public_id, key)),
            label=phrase("Answer"),
        )


def _empty_seats(war: UmpiredCampaign) -> Iterable[Trouble]:
    for seat in war.seats:
        if not seat.people and not seat.admiral:
            yield Trouble(
                EMPTY_SEAT,
                phrase("Nobody plays {}: standing orders are used", seat.name),
                href=_act(war.campaign, "to-computer", seat.key),
                label=phrase("Hand to the computer"),
            )


def _silent(war: UmpiredCampaign, waits: Attention) -> Iterable[Trouble]:
    silent = waits.silent or {}
    for seat in war.seats:
        if seat.key in silent and seat.sealed_at is None:
            count = counted_noun(silent[seat.key], "stage")
            yield Trouble(
                SILENT_SIDE,
                phrase("{} ({}) has missed {} in a row", seat.name, listed(list(seat.people)), count),
                href=_act(war.campaign, "to-computer", seat.key),
                label=phrase("Hand to the computer"),
            )


def _not_computed(campaign: Campaign, stage: Stage, waits: Attention, now: datetime) -> Iterable[Trouble]:
    allowed = LATE + timedelta(seconds=settings.PUBLICATION_ALLOWANCE + 2 * settings.PUBLICATION_GRID)
    for stuck in waits.stuck:
        yield _stuck(campaign, stuck)
    yield from map(_failing, waits.failing)
    if waits.stuck or waits.failing or stage.status != StageStatus.CLOSED or stage.closed_at is None:
        return
    if now - stage.closed_at > allowed:
        yield Trouble(NOT_COMPUTED, phrase("Closed {} ago and not resolved yet", span_words(now - stage.closed_at)))


def _stuck(campaign: Campaign, stuck: QuarantinedStage) -> Trouble:
    """A stage that nobody tries to compute any more; of a stage of the week the umpire chooses how it goes on."""
    times = counted_noun(stuck.failures, "time")
    if stuck.battle is not None:
        return Trouble(NOT_COMPUTED, phrase("The server cannot compute a battle (tried {}): {}", times, stuck.error))
    return Trouble(
        NOT_COMPUTED,
        phrase("The server cannot compute this stage (tried {}): {}", times, stuck.error),
        href=_act(campaign, REMEDY),
        label=phrase("Choose how it goes on"),
    )


def _failing(job: FailingJob) -> Trouble:
    words = phrase("Resolving has failed {}: {}", counted_noun(job.attempts, "time"), job.error)
    return Trouble(NOT_COMPUTED, words)


def _closing(war: UmpiredCampaign, stage: Stage, now: datetime) -> Iterable[Trouble]:
    awaited = [seat for seat in war.seats if seat.awaited]
    if not awaited or not about_to_close(war.campaign, stage, now):
        return
    people = [name for seat in awaited for name in seat.people]
    yield Trouble(
        CLOSING,
        phrase("{} has not sealed" if len(people) == 1 else "{} have not sealed", listed(people)),
        grave=False,
        href=_act(war.campaign, "remind"),
        label=phrase("Remind"),
    )


def about_to_close(campaign: Campaign, stage: Stage, now: datetime) -> bool:
    """Say whether less than a quarter of an open stage's time is left and its clock runs."""
    if stage.closes is None or stage.status != StageStatus.OPEN or campaign.paused_at is not None:
        return False
    return LAST_QUARTER * (stage.closes - now) < stage.closes - stage.opens


def _act(campaign: Campaign, verb: str, faction: str = "") -> str:
    """The address of the page of an act, for a faction where one is named."""
    address = reverse("umpire-act", args=(campaign.public_id, verb))
    return f"{address}?{urlencode({'faction': faction})}" if faction else address


def unsent_words(messages: Iterable[Unsent]) -> tuple[str, ...]:
    """Say which messages about a war could not be sent."""
    return tuple(map(_unsent, messages))


def _unsent(message: Unsent) -> str:
    whom = message.user or phrase("the site's own channel")
    if message.given_up:
        return phrase("A message to {} could not be sent and was given up", whom)
    return phrase("A message to {} could not be sent yet ({})", whom, counted_noun(message.attempts, "attempt"))


def health_words(health: SiteHealth) -> tuple[str, ...]:
    """Say what is wrong with the site; nothing where all is well."""
    found = []
    if health.behind:
        found.append(phrase("The site is behind: a job has waited for more than ten minutes"))
    if health.room is False:
        found.append(phrase("The disk of the site is nearly full"))
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

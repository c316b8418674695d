"""What needs the umpire of a war, in words, and what is about to close with somebody missing.

For its umpire alone.

    troubles_of(war, waits, now) -> the list that pages and API show

Nothing else is trouble: a paused clock or a stage that everybody has sealed is shown with the stage
itself, and messages that could not be sent with the health of the war
(docs/decisions/0116-the-trouble-list.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse

from campaign.kinds import StageStatus
from campaign.models.campaign import Campaign
from campaign.models.ledger import REMEDY
from campaign.models.stage import Stage
from campaign.rules.starmap import named_hexes
from campaign.selectors.umpired import UmpiredCampaign
from campaign.store.documents import scenario_of
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun, join_names
from umpire.services.attention import Attention
from umpire.services.health import FailingJob, SiteHealth, UnsentMessage
from umpire.services.quarantine import QuarantinedStage

LATE_AFTER = timedelta(minutes=2)  # for which a closed stage waits beyond its allowance
CLOSING_FRACTION = 4  # a stage is about to close when less than this part of its time is left
HOURS, MINUTES = phrase("{} h"), phrase("{} min")  # of a span


class TroubleKind(StrEnum):
    """The kinds of trouble, in the order in which they are listed.

    Programs rely on the values: they never change.
    """

    RESULTS_DIFFER = "results-differ"
    UNANSWERED = "unanswered-message"
    EMPTY_SEAT = "empty-seat"
    SILENT_SIDE = "silent-side"
    NOT_COMPUTED = "not-computed"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that an umpire has to look at.

    Attributes:
        grave: It needs the umpire; else a stage is about to close with somebody missing.
        since: When it began; None where nobody knows.
        until: When the stage closes, where it is about to.
        faction: The key of the faction it is about; empty where it is about none, or several.
        href: The page where it can be dealt with; empty where nothing can be done on a page.
        label: What the link to that page says.
        resource: The API resource that does it; empty where none does.
    """

    kind: TroubleKind
    words: str
    is_urgent: bool = True
    since: datetime | None = None
    until: datetime | None = None
    faction: str = ""
    href: str = ""
    label: str = ""
    resource: str = ""


def troubles_of(war: UmpiredCampaign, waits: Attention, now: datetime) -> tuple[Trouble, ...]:
    """List the troubles of a war: what needs its umpire, then what is about to close with somebody
    missing.
    """
    if war.stage is None:
        return ()
    return (
        *_differing(war.campaign, waits),
        *_unanswered(war, waits),
        *_empty_seats(war, waits),
        *_silent(war, waits),
        *_not_computed(war.campaign, war.stage, waits, now),
        *_closing(war, war.stage, now),
    )


def _differing(campaign: Campaign, waits: Attention) -> Iterable[Trouble]:
    places = named_hexes(scenario_of(campaign)) if waits.differing else {}
    for difference in waits.differing:
        place = places.get(difference.hex, phrase("hex {}", difference.hex))
        yield Trouble(
            TroubleKind.RESULTS_DIFFER,
            phrase("The results of the battle at {} do not agree", place),
            since=difference.since,
            href=reverse("umpire-battle-result", args=(campaign.public_id, difference.battle)),
            label=phrase("Enter the result"),
            resource=_resource("api-umpire-result", campaign, difference.battle),
        )


def _unanswered(war: UmpiredCampaign, waits: Attention) -> Iterable[Trouble]:
    names = {seat.key: seat.name for seat in war.seats}
    for message in waits.unanswered:
        yield Trouble(
            TroubleKind.UNANSWERED,
            phrase("A message from {} waits for an answer", names[message.faction]),
            since=message.since,
            faction=message.faction,
            href=reverse("messages-to", args=(war.campaign.public_id, message.faction)),
            label=phrase("Answer"),
            resource=_resource("api-messages", war.campaign),
        )


def _empty_seats(war: UmpiredCampaign, waits: Attention) -> Iterable[Trouble]:
    for seat in war.seats:
        if not seat.people and not seat.admiral:
            yield Trouble(
                TroubleKind.EMPTY_SEAT,
                phrase("Nobody plays {}: standing orders are used", seat.name),
                since=waits.vacated.get(seat.key, war.campaign.started_at),
                faction=seat.key,
                href=_act(war.campaign, "to-computer", seat.key),
                label=phrase("Hand to the computer"),
                resource=_resource("api-seat-computer", war.campaign),
            )


def _silent(war: UmpiredCampaign, waits: Attention) -> Iterable[Trouble]:
    for seat in war.seats:
        missed = waits.silent.get(seat.key)
        if missed is not None and seat.sealed_at is None:
            count = counted_noun(missed.count, "stage")
            yield Trouble(
                TroubleKind.SILENT_SIDE,
                phrase(
                    "{} ({}) has missed {} in a row",
                    seat.name,
                    join_names(list(seat.people)),
                    count,
                ),
                since=missed.since,
                faction=seat.key,
                href=_act(war.campaign, "to-computer", seat.key),
                label=phrase("Hand to the computer"),
                resource=_resource("api-seat-computer", war.campaign),
            )


def _not_computed(
    campaign: Campaign, stage: Stage, waits: Attention, now: datetime
) -> Iterable[Trouble]:
    allowed = LATE_AFTER + timedelta(
        seconds=settings.PUBLICATION_ALLOWANCE + 2 * settings.PUBLICATION_GRID
    )
    for stuck in waits.stuck:
        yield _stuck(campaign, stuck)
    yield from map(_failing, waits.failing)
    if (
        waits.stuck
        or waits.failing
        or stage.status != StageStatus.CLOSED
        or stage.closed_at is None
    ):
        return
    if now - stage.closed_at > allowed:
        words = phrase("Closed {} ago and not resolved yet", span_text(now - stage.closed_at))
        yield Trouble(TroubleKind.NOT_COMPUTED, words, since=stage.closed_at)


def _stuck(campaign: Campaign, stuck: QuarantinedStage) -> Trouble:
    """A stage that nobody tries to compute any more; of a stage of the week the umpire chooses how
    it goes on.
    """
    times = counted_noun(stuck.failures, "time")
    if stuck.battle is not None:
        words = phrase("The server cannot compute a battle (tried {}): {}", times, stuck.error)
        return Trouble(TroubleKind.NOT_COMPUTED, words, since=stuck.since)
    return Trouble(
        TroubleKind.NOT_COMPUTED,
        phrase("The server cannot compute this stage (tried {}): {}", times, stuck.error),
        since=stuck.since,
        href=_act(campaign, REMEDY),
        label=phrase("Choose how it goes on"),
        resource=_resource("api-umpire-remedy", campaign),
    )


def _failing(job: FailingJob) -> Trouble:
    words = phrase("Resolving has failed {}: {}", counted_noun(job.attempts, "time"), job.error)
    return Trouble(TroubleKind.NOT_COMPUTED, words, since=job.since)


def _closing(war: UmpiredCampaign, stage: Stage, now: datetime) -> Iterable[Trouble]:
    awaited = [seat for seat in war.seats if seat.awaited]
    if not awaited or not about_to_close(war.campaign, stage, now):
        return
    people = [name for seat in awaited for name in seat.people]
    yield Trouble(
        TroubleKind.CLOSING,
        phrase(
            "{} has not sealed" if len(people) == 1 else "{} have not sealed", join_names(people)
        ),
        is_urgent=False,
        until=stage.closes,
        href=_act(war.campaign, "remind"),
        label=phrase("Remind"),
        resource=_resource("api-umpire-remind", war.campaign),
    )


def about_to_close(campaign: Campaign, stage: Stage, now: datetime) -> bool:
    """Say whether less than a quarter of an open stage's time is left and its clock runs."""
    if stage.closes is None or stage.status != StageStatus.OPEN or campaign.paused_at is not None:
        return False
    return CLOSING_FRACTION * (stage.closes - now) < stage.closes - stage.opens


def _act(campaign: Campaign, verb: str, faction: str = "") -> str:
    """The address of the page of an act, for a faction where one is named."""
    address = reverse("umpire-act", args=(campaign.public_id, verb))
    return f"{address}?{urlencode({'faction': faction})}" if faction else address


def _resource(name: str, campaign: Campaign, *ids: object) -> str:
    """The address of a resource of the API in a campaign."""
    return reverse(name, args=(campaign.public_id, *ids))


def unsent_lines(messages: Iterable[UnsentMessage]) -> tuple[str, ...]:
    """Say which messages about a war could not be sent."""
    return tuple(map(_unsent, messages))


def _unsent(message: UnsentMessage) -> str:
    recipient = message.user or phrase("the site's own channel")
    if message.given_up:
        return phrase("A message to {} could not be sent and was given up", recipient)
    return phrase(
        "A message to {} could not be sent yet ({})",
        recipient,
        counted_noun(message.attempts, "attempt"),
    )


def health_lines(health: SiteHealth) -> tuple[str, ...]:
    """Say what is wrong with the site; nothing where all is well."""
    result = []
    if health.behind:
        result.append(phrase("The site is behind: a job has waited for more than ten minutes"))
    if health.has_disk_space is False:
        result.append(phrase("The disk of the site is nearly full"))
    return tuple(result)


def span_text(span: timedelta) -> str:
    """A span as people say it, in its two greatest units: `1 day 2 h`, `6 h 12 min`, `3 min`."""
    minutes = max(0, int(span.total_seconds()) // 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [
        *([counted_noun(days, "day")] if days else []),
        *([HOURS.format(hours)] if hours else []),
        *([MINUTES.format(minutes)] if minutes and not days else []),
    ]
    return join_phrases(" ", parts or [MINUTES.format(0)])

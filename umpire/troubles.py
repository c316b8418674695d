"""What needs the umpire of a war, as text, and which stage is about to close with orders missing.

For the war's umpire only.

    troubles_of(war, attention, now) -> the list that pages and API show

Nothing else counts as trouble: a paused clock, or a stage that all players have sealed, is shown
with the stage, and messages that could not be sent are shown with the war's health
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
from campaign.models.ledger import REBUILD, REMEDY
from campaign.models.stage import Stage
from campaign.rules.starmap import named_hexes
from campaign.selectors.beacon import waits_since
from campaign.selectors.stuck import is_held
from campaign.selectors.umpired import UmpiredCampaign
from campaign.store.documents import scenario_of
from campaign.store.rewriting import role_can_rewrite
from engine.core.phrase import join_phrases, phrase
from engine.core.phrase_data import restore_phrase
from engine.english import counted_noun, join_names
from umpire.services.attention import Attention
from umpire.services.checking import UNPROTECTED
from umpire.services.health import FailingJob, SiteHealth, UnsentMessage
from umpire.services.quarantine import QuarantinedStage
from umpire.services.rebuilding import NO_ROLE

LATE_AFTER = timedelta(minutes=2)  # beyond its allowance, for a closed stage
CLOSING_FRACTION = 4  # less than 1/4 of its time left means a stage is about to close
HOURS, MINUTES = phrase("{} h"), phrase("{} min")  # units of a time span


class TroubleKind(StrEnum):
    """The kinds of trouble, in the order in which they are listed.

    The values are part of the API and never change.
    """

    RESULTS_DIFFER = "results-differ"
    UNANSWERED = "unanswered-message"
    EMPTY_SEAT = "empty-seat"
    SILENT_SIDE = "silent-side"
    NOT_COMPUTED = "not-computed"
    DAMAGED = "damaged-records"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class Trouble:
    """One matter that needs the umpire's attention.

    Attributes:
        is_urgent: Whether the umpire has to act; False if a stage is about to close with orders
            missing.
        since: When the trouble began; None if unknown.
        until: When the stage closes; None unless it is about to close.
        faction: The key of the faction concerned; empty for none or several.
        href: The page where the umpire can deal with it; empty if no page can.
        label: The text of the link to that page.
        resource: The API resource that deals with it; empty if there is none.
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


def troubles_of(war: UmpiredCampaign, attention: Attention, now: datetime) -> tuple[Trouble, ...]:
    """List the troubles of a war: first those that need its umpire, then a stage about to close."""
    if war.stage is None:
        return ()
    return (
        *_differing(war.campaign, attention),
        *_unanswered(war, attention),
        *_empty_seats(war, attention),
        *_silent(war, attention),
        *_not_computed(war.campaign, war.stage, attention, now),
        *_damaged(war.campaign, attention),
        *_closing(war, war.stage, now),
    )


def _differing(campaign: Campaign, attention: Attention) -> Iterable[Trouble]:
    """Yield the troubles of battles at a table whose sides entered different results."""
    places = named_hexes(scenario_of(campaign)) if attention.differing else {}
    for difference in attention.differing:
        place = places.get(difference.hex, phrase("hex {}", difference.hex))
        yield Trouble(
            TroubleKind.RESULTS_DIFFER,
            phrase("The results of the battle at {} do not agree", place),
            since=difference.since,
            href=reverse("umpire-battle-result", args=(campaign.public_id, difference.battle)),
            label=phrase("Enter the result"),
            resource=_resource("api-umpire-result", campaign, difference.battle),
        )


def _unanswered(war: UmpiredCampaign, attention: Attention) -> Iterable[Trouble]:
    """Yield the troubles of factions whose messages wait for an answer."""
    names = {seat.key: seat.name for seat in war.seats}
    for message in attention.unanswered:
        yield Trouble(
            TroubleKind.UNANSWERED,
            phrase("A message from {} is waiting for an answer", names[message.faction]),
            since=message.since,
            faction=message.faction,
            href=reverse("messages-to", args=(war.campaign.public_id, message.faction)),
            label=phrase("Answer"),
            resource=_resource("api-messages", war.campaign),
        )


def _empty_seats(war: UmpiredCampaign, attention: Attention) -> Iterable[Trouble]:
    """Yield the troubles of factions that nobody plays."""
    for seat in war.seats:
        if not seat.people and not seat.admiral:
            yield Trouble(
                TroubleKind.EMPTY_SEAT,
                phrase("Nobody plays {}: standing orders are used", seat.name),
                since=attention.vacated.get(seat.key, war.campaign.started_at),
                faction=seat.key,
                href=_act(war.campaign, "to-computer", seat.key),
                label=phrase("Hand over to the computer"),
                resource=_resource("api-seat-computer", war.campaign),
            )


def _silent(war: UmpiredCampaign, attention: Attention) -> Iterable[Trouble]:
    """Yield the troubles of sides that have not sealed for several stages."""
    for seat in war.seats:
        missed = attention.silent.get(seat.key)
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
                label=phrase("Hand over to the computer"),
                resource=_resource("api-seat-computer", war.campaign),
            )


def _not_computed(
    campaign: Campaign, stage: Stage, attention: Attention, now: datetime
) -> Iterable[Trouble]:
    """Yield the troubles of a war whose stage or battles fail, or whose stage takes too long."""
    for stuck in attention.stuck:
        yield _stuck(campaign, stuck)
    for job in attention.failing:
        yield _failing(job)
    if attention.stuck or attention.failing:
        return
    if stage.status != StageStatus.CLOSED or stage.closed_at is None:
        return
    allowed = LATE_AFTER + timedelta(
        seconds=settings.PUBLICATION_ALLOWANCE + 2 * settings.PUBLICATION_GRID
    )
    since = waits_since(campaign, stage)
    if since is not None and now - since > allowed:
        words = phrase("Waiting for public dice for {}", span_text(now - since))
        yield Trouble(TroubleKind.NOT_COMPUTED, words, since=since)
        return
    if now - stage.closed_at > allowed and not is_held(stage):
        words = phrase("Closed {} ago and not resolved yet", span_text(now - stage.closed_at))
        yield Trouble(TroubleKind.NOT_COMPUTED, words, since=stage.closed_at)


def _stuck(campaign: Campaign, stuck: QuarantinedStage) -> Trouble:
    """Return the trouble of a quarantined stage or battle.

    For a stage of the week, the umpire can choose how the war continues.
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
        label=phrase("Choose how to continue"),
        resource=_resource("api-umpire-remedy", campaign),
    )


def _failing(job: FailingJob) -> Trouble:
    """Return the trouble of a job that fails and is tried again."""
    words = phrase("Resolving has failed {}: {}", counted_noun(job.attempts, "time"), job.error)
    return Trouble(TroubleKind.NOT_COMPUTED, words, since=job.since)


def _damaged(campaign: Campaign, attention: Attention) -> Iterable[Trouble]:
    """Yield the trouble of a war whose records do not fit each other."""
    check = attention.damaged
    if check is None:
        return
    fault = restore_phrase(check.first["text"])
    words = phrase("Stored records of this war were damaged: {}", fault)
    is_mendable = bool(check.first["mendable"])
    if is_mendable and check.first["subject"] not in UNPROTECTED and not role_can_rewrite():
        is_mendable = False
        words = join_phrases("; ", (words, NO_ROLE))
    yield Trouble(
        TroubleKind.DAMAGED,
        words,
        since=check.at,
        href=_act(campaign, REBUILD) if is_mendable else "",
        label=phrase("Compute them again") if is_mendable else "",
    )


def _closing(war: UmpiredCampaign, stage: Stage, now: datetime) -> Iterable[Trouble]:
    """Yield the trouble of a stage that closes soon without the orders of some sides."""
    awaited = [seat for seat in war.seats if seat.awaited]
    if not awaited or not about_to_close(war.campaign, stage, now):
        return
    people: list[str] = []
    for seat in awaited:
        people.extend(seat.people)
    if len(people) == 1:
        words = phrase("{} has not sealed", join_names(people))
    else:
        words = phrase("{} have not sealed", join_names(people))
    yield Trouble(
        TroubleKind.CLOSING,
        words,
        is_urgent=False,
        until=stage.closes,
        href=_act(war.campaign, "remind"),
        label=phrase("Remind"),
        resource=_resource("api-umpire-remind", war.campaign),
    )


def about_to_close(campaign: Campaign, stage: Stage, now: datetime) -> bool:
    """Return whether an open stage whose clock runs has less than a quarter of its time left."""
    if stage.closes is None or stage.status != StageStatus.OPEN or campaign.paused_at is not None:
        return False
    return CLOSING_FRACTION * (stage.closes - now) < stage.closes - stage.opens


def _act(campaign: Campaign, verb: str, faction: str = "") -> str:
    """Return the address of the page of an umpire's action, with a faction if given."""
    address = reverse("umpire-act", args=(campaign.public_id, verb))
    if faction:
        return f"{address}?{urlencode({'faction': faction})}"
    return address


def _resource(name: str, campaign: Campaign, *ids: object) -> str:
    """Return the address of a campaign's API resource."""
    return reverse(name, args=(campaign.public_id, *ids))


def unsent_lines(messages: Iterable[UnsentMessage]) -> tuple[str, ...]:
    """Return a line for each message about a war that could not be sent."""
    return tuple(_unsent_line(message) for message in messages)


def _unsent_line(message: UnsentMessage) -> str:
    """Return a line about a message that could not be sent."""
    recipient = message.user or phrase("the site's notification channel")
    if message.given_up:
        return phrase("A message to {} could not be sent; no more attempts will be made", recipient)
    return phrase(
        "A message to {} could not be sent yet ({})",
        recipient,
        counted_noun(message.attempts, "attempt"),
    )


def health_lines(health: SiteHealth) -> tuple[str, ...]:
    """Return what is wrong with the site, one line each; nothing if all is well."""
    result = []
    if health.behind:
        result.append(
            phrase("The site is behind: a job has been waiting for more than ten minutes")
        )
    if health.has_disk_space is False:
        result.append(phrase("The site's disk is nearly full"))
    return tuple(result)


def span_text(span: timedelta) -> str:
    """Return a time span as text in at most two units: `1 day 2 h`, `6 h 12 min`, `3 min`."""
    minutes = max(0, int(span.total_seconds()) // 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = []
    if days:
        parts.append(counted_noun(days, "day"))
    if hours:
        parts.append(HOURS.format(hours))
    if minutes and not days:
        parts.append(MINUTES.format(minutes))
    return join_phrases(" ", parts or [MINUTES.format(0)])

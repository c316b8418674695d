"""Noninterference of the box "go on as soon as everybody is ready": until all tick it, nothing
changes.

The two worlds of a pair differ only in whether one side, which has sealed in both, has also ticked.
Everybody else reads all pages and the API, gets notices and mails, and watches the live channel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail

from campaign import models
from campaign.kinds import ClosingRule
from campaign.rules.files import fixture_scenario
from campaign.selectors.due import closing_of
from campaign.selectors.envelopes import Document
from campaign.selectors.truth import stages_to_resolve
from campaign.services.envelopes import envelope_ready
from campaign.services.orders import WeekOrders
from campaign.services.outbox import notifications_deliver
from campaign.web import next_action, timetables
from tests.access import client_requests, played_wars
from tests.access.client_requests import Request
from tests.access.histories import SIDES
from tests.access.played_wars import STOP_LINK, Script, every_address, watched_pages
from tests.access.private_rows import CAMPAIGN
from tests.access.shared_results import share_results
from tests.access.stored_wars import StoredWar, seat_guest
from tests.sealing import orders_seal
from umpire.services.stages import stage_resolve
from umpire.services.ticks import reminders_write, stage_remind

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.rule("camp.hidden")]

THIRD, OPPONENT, TICKS = "thessaly", "halcyon", "karst"


def seal_nothing(stage: models.Stage, faction: str, fleets: Sequence[Any]) -> None:
    """Order nothing: every side stays."""


SCRIPT = Script(fixture_scenario("three-powers"), THIRD, (seal_nothing, seal_nothing))
HOLD = {"schema": 1}
# Attempts of a host to end the stage, answered alike in both worlds.
TRIES = [Request("post", f"/c/{CAMPAIGN}/host/act/resolve/", {"reason": ""})]
MOMENTS = ("nobody else has sealed", "both others have sealed", "the third side is ready too")
FULL_READING = MOMENTS[1]  # everything is read here, every third address at the other moments

RequestsByReader = Mapping[str, Sequence[Request]]  # who reads -> what
AnswersByMoment = dict[
    tuple[str, str], tuple[Sequence[Request], list[Any]]
]  # moment and reader -> requests, answers


def all_requests() -> RequestsByReader:
    """Return the requests: everything shared out between the third side and the opponent, watched
    pages for both, and the stage's state for others.
    """
    pages = [f"/c/{CAMPAIGN}/{page}" for page in ("", "host/", "umpire/", "orders/", "pulse/?at=0")]
    parts = ("", "stages/", "ledger/", "receipts/", "orders/")
    requests = [Request("get", page) for page in pages]
    requests += [Request("get", f"/api/campaigns/{CAMPAIGN}/{part}") for part in parts]
    every = every_address()
    return {
        "viewer": [*every[::2], *watched_pages()],
        f"player-{OPPONENT}": [*every[1::2], *watched_pages()],
        "host": [*requests, *TRIES],
        **dict.fromkeys(("umpire", "observer", "guest", "staff", "stranger"), requests),
    }


def answers_in_world(
    side: int, requests: RequestsByReader, tick: Callable[[models.Stage], None]
) -> AnswersByMoment:
    """Return everybody's answers in one world, moment by moment; in the first world one side ticks."""
    answers_found: AnswersByMoment = {}
    mail.outbox.clear()
    with played_wars.world(SCRIPT, side) as (stored_war, clock):
        stored_war.people["guest"] = seat_guest(stored_war.campaign, stored_war.faction)
        # These differ between stored worlds; they do not belong to this pair.
        models.ViewOpening.objects.all().delete()
        models.PencilMark.objects.all().delete()
        models.Memo.objects.all().delete()
        models.UmpireNote.objects.all().delete()
        stage = _start_week_one(stored_war, clock)
        assert closing_of(stage).rule == ClosingRule.READY

        def at(hours: float) -> datetime:
            clock.runs, clock.at = False, stage.opens + timedelta(hours=hours)
            return clock.at

        _seal(stage, TICKS, at(0.2))
        at(0.3)
        if side == 0:
            tick(stage)
        for number, moment in enumerate(MOMENTS):
            now = at(1 + number)
            if number == 1:
                _seal(stage, THIRD, now)
                _seal(stage, OPPONENT, now)
            if number == 2:
                envelope_ready(document=_document(stage, THIRD), ready=True, now=now)
            messages = _messages_sent(stored_war, stage, at(1.5 + number))
            for reader, every in requests.items():
                asks = every if moment == FULL_READING else every[::3]
                answers: list[Any] = client_requests.answers(stored_war, reader, asks)
                answers_found[moment, reader] = asks, [*answers, messages.get(reader, [])]
        ready = models.Submission.objects.filter(stage=stage, ready_at__isnull=False)
        assert ready.count() == (2 if side == 0 else 1)
        assert stage not in stages_to_resolve(now=at(5))
        envelope_ready(document=_document(stage, OPPONENT), ready=True, now=at(5))
        assert (stage in stages_to_resolve(now=at(6))) == (side == 0)
    return answers_found


def difference(requests: RequestsByReader, tick: Callable[[models.Stage], None]) -> str:
    """Return what differs between the two worlds, or ""."""
    with share_results():
        first, other = (answers_in_world(side, requests, tick) for side in SIDES)
    return next(_differences(first, other), "")


def tick_ready(stage: models.Stage) -> None:
    """Tick the box, as a player does."""
    envelope_ready(document=_document(stage, TICKS), ready=True)


def test_readiness_of_one_side_changes_no_byte_until_all_are_ready() -> None:
    assert difference(all_requests(), tick_ready) == ""


def counting_on_the_war_page(patch: pytest.MonkeyPatch) -> None:
    """Let the war room show how many sides are ready."""
    plain = timetables.stage_early_words

    def leaky(closing: Any) -> str:
        ready = models.Submission.objects.filter(ready_at__isnull=False).count()
        return f"{plain(closing)} Ready: {ready}."

    patch.setattr(timetables, "stage_early_words", leaky)


def counting_once_sealed(patch: pytest.MonkeyPatch) -> None:
    """Show sealed players how many sides are ready."""
    plain = next_action.closing_words

    def leaky(campaign: models.Campaign, *args: Any) -> str:
        rows = models.Submission.objects.filter(stage__branch__campaign=campaign)
        return f"{plain(campaign, *args)} {rows.filter(ready_at__isnull=False).count()}"

    patch.setattr(next_action, "closing_words", leaky)


def telling_in_a_notice(patch: pytest.MonkeyPatch) -> None:
    """Let every reminder say how many sides are ready."""
    plain = WeekOrders.after_seal

    def leaky(document: Document, now: datetime) -> None:
        plain(document, now)  # type: ignore[arg-type]
        for part in models.Membership.objects.filter(campaign=document.stage.branch.campaign):
            key = f"ready/{models.Notification.objects.count()}"
            models.Notification.objects.create(
                user=part.user, dedupe_key=key, body="A side is ready", path="/"
            )

    patch.setattr(WeekOrders, "after_seal", leaky)


Leak = Callable[[pytest.MonkeyPatch], None]
LEAKS: dict[Leak, str] = {
    counting_on_the_war_page: "observer",
    counting_once_sealed: f"player-{OPPONENT}",
    telling_in_a_notice: "viewer",
}


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_planted_leaks_are_found(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    lobby_page = [Request("get", f"/c/{CAMPAIGN}/")]
    assert difference({LEAKS[leak]: lobby_page}, tick_ready) != ""


def _start_week_one(stored_war: StoredWar, clock: played_wars.Clock) -> models.Stage:
    """Resolve the deployment, in which nobody seals; return the first week's orders stage."""
    first = models.Stage.objects.get(branch__campaign=stored_war.campaign, status="open")
    assert first.closes is not None
    clock.runs, clock.at = True, first.closes + played_wars.TICK
    resolution = stage_resolve(stage=first.pk)
    assert resolution is not None
    assert resolution.next is not None
    return models.Stage.objects.select_related("branch__campaign").get(pk=resolution.next.pk)


def _document(stage: models.Stage, faction: str) -> WeekOrders:
    return WeekOrders(stage, stage.branch.campaign.factions.get(key=faction))


def _seal(stage: models.Stage, faction: str, now: datetime) -> None:
    row = stage.branch.campaign.factions.get(key=faction)
    nonce = f"{row.key:0<32}".encode().hex()[:32]
    orders_seal(stage=stage, faction=row, payload=HOLD, nonce=nonce, now=now)


def _messages_sent(
    stored_war: StoredWar, stage: models.Stage, now: datetime
) -> dict[str, list[Any]]:
    """Run the clock, remind as umpire; return the notices and mails so far, by reader."""
    reminders_write(now=now)
    stage_remind(stage=stage, now=now)
    notifications_deliver(now=now, limit=1000)
    messages = {}
    for name, user in stored_war.people.items():
        rows = models.Notification.objects.filter(user=user).order_by("dedupe_key")
        notices = list(rows.values_list("body", "path", "sent_at"))
        mails = [
            (message.subject, STOP_LINK.sub("", str(message.body)))
            for message in mail.outbox
            if message.to == [user.email]
        ]
        messages[name] = [notices, mails]
    return messages


def _differences(first_world: AnswersByMoment, other: AnswersByMoment) -> Iterator[str]:
    for (moment, reader), (asks, first) in first_world.items():
        second = other[moment, reader][1]
        for ask, mine, second_answer in zip(asks, first[:-1], second[:-1], strict=True):
            if words := client_requests.describe_difference(mine, second_answer):
                yield f"{moment}, {reader}: {ask}: {words}"
        if first[-1] != second[-1]:
            yield f"{moment}, {reader}: messages {first[-1]} and {second[-1]}"

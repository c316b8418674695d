"""Pairs of wars that are played: resolved stage by stage by a worker under a running clock.

What one faction may know is equal in both; the others' actions out of its sight and the worker's
speed differ. At stated instants, before and after the worker has written an outcome, the faction
sends every request: the answers must be equal, and may change only with the clock, not with the
writing.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from unittest import mock

from django.conf import settings
from django.core import mail
from django.utils import timezone

from campaign import models
from campaign.rules.scenario import Scenario
from campaign.services.outbox import notifications_deliver
from campaign.sight.views import sight_at_stage
from engine.core import fair
from tests.access import client_requests, site_routes
from tests.access.client_requests import Request
from tests.access.histories import SIDES, History
from tests.access.history_acts import Act
from tests.access.private_rows import BEGAN, CAMPAIGN, FEED
from tests.access.shared_results import share_results
from tests.access.stored_wars import StoredWar, seat_people, write_campaign, write_other_campaigns
from tests.sealing import orders_seal
from umpire.services.computing import StageResult, stage_compute
from umpire.services.stages import stage_resolve
from umpire.services.wars import campaign_start

MINE = ("", "me/", "api/me/", "api/campaigns/")
TICK = timedelta(seconds=2)  # after the deadline a worker comes
LOOKS = timedelta(seconds=9)  # after the deadline the faction looks, before the outcome is public
ALLOWANCE, GRID = 5, 10
OPENS = timedelta(seconds=10)  # after the deadline, which is at a full minute
# Extra computing time by side: in time for that grid point, and for the next one if it counted from
# now.
SLOW = (timedelta(0), timedelta(seconds=4))

PROOF_OF = fair.OutcomeTree.proof_of
# The link that stops mails contains the reader's id, which differs between the worlds.
STOP_LINK = re.compile(r"(?<=/mail/stop/)\S+")

# stage: what a faction orders, given its own fleets by hex; None: it seals nothing
Plot = Callable[[models.Stage, str, Sequence[Any]], dict[str, Any] | None]


@dataclass(frozen=True)
class Script:
    """A pair of wars: a viewer who holds position and sometimes seals nothing, and the others'
    actions.

    Attributes:
        battles: How battles are fought, as in `ruleset.battles`.
    """

    scenario: Scenario
    viewer: str
    others: tuple[Plot, Plot]
    battles: str = "captains"

    @property
    def history(self) -> History:
        """Return the beginning of the stored pairs."""
        return History(
            0, self.scenario, self.viewer, (), (), sealed=False, drafted=False, hosts=False
        )


class Clock:
    """A clock for everything. While it runs, every look at it takes a millisecond."""

    def __init__(self) -> None:
        self.at = BEGAN
        self.runs = False

    def __call__(self) -> datetime:
        if self.runs:
            self.at += timedelta(milliseconds=1)
        return self.at

    def timestamp(self) -> float:
        return self.at.timestamp()


@contextmanager
def world(script: Script, side: int) -> Iterator[tuple[StoredWar, Clock]]:
    """Create one side at its beginning, and undo it after the block.

    Commitments are constants.
    """
    clock = Clock()
    with (
        client_requests.freeze_randomness(),
        mock.patch("django.utils.timezone.now", clock),
        mock.patch("time.time", clock.timestamp),
        mock.patch(
            "engine.core.fair.orders_digest", lambda payload, nonce, share=None: _sha(nonce)
        ),
        mock.patch("engine.core.fair.server_nonce", lambda *named: _nonce(named[3], named[4])),
        mock.patch("engine.core.fair.filled_nonce", lambda *named: _nonce(named[3], named[4])),
        mock.patch(
            "umpire.services.ledger.outcome_of",
            lambda stage, seq, leaves: _sha(f"outcome {seq}"),
        ),
        mock.patch("engine.core.fair.OutcomeTree.proof_of", _constant_proof),
        mock.patch("engine.core.fair.server_share", lambda *named: _sha(f"share {named[3:]}")),
        mock.patch.object(settings, "PUBLICATION_ALLOWANCE", ALLOWANCE),
        mock.patch.object(settings, "PUBLICATION_GRID", GRID),
        client_requests.roll_back(),
    ):
        dice = random.Random(f"played {side}")
        write_other_campaigns(dice)
        campaign = write_campaign(script.history, script.battles)
        people = seat_people(dice, script.history, campaign)
        token = hashlib.sha256(FEED.encode()).hexdigest()
        models.FeedToken.objects.create(user=people["viewer"], sha256=token, created_at=BEGAN)
        campaign_start(campaign=campaign, now=BEGAN)
        campaign.refresh_from_db()
        yield StoredWar(campaign, campaign.factions.get(key=script.viewer), (), people), clock


def answers_over_time(
    script: Script,
    side: int,
    requests: Mapping[str, Sequence[Request]],
    until: str,
    acts: Mapping[str, Act] | None = None,
) -> Iterator[tuple[str, list[Any]]]:
    """Return the answers to the viewer on a side, moment by moment, up to the stage `until`.

    At a stage with requests they are sent before the worker comes, when it has written the outcome,
    and when that is public; each time with the viewer's due messages.

    Args:
        requests: By stage or act.
        acts: What the umpire does afterwards, minute by minute. Requests are sent when it is
            public.
    """
    with world(script, side) as (stored_war, clock):
        while True:
            stage = models.Stage.objects.select_related("branch__campaign").get(battle__isnull=True, status="open",
                branch__campaign=stored_war.campaign)  # fmt: skip
            _seal_orders(script, side, stage)
            assert stage.closes is not None
            deadline, asks = stage.closes, requests.get(stage.kind, ())

            def answers_at(
                moment: timedelta, deadline: datetime = deadline, asks: Sequence[Request] = asks
            ) -> list[Any]:
                clock.runs, clock.at = False, deadline + moment
                answers: list[Any] = (
                    list(client_requests.answers(stored_war, "viewer", asks)) if asks else []
                )
                return [*answers, _messages(stored_war, clock.at)]

            yield f"{stage.kind}, before a worker came", answers_at(LOOKS)
            clock.runs, clock.at = True, deadline + TICK
            with mock.patch(
                "umpire.services.stages.stage_compute", _compute_slowly(clock, SLOW[side])
            ):
                stage_resolve(stage=stage.pk)
            yield f"{stage.kind}, written", answers_at(LOOKS)
            yield f"{stage.kind}, public", answers_at(OPENS)
            if stage.kind == until:
                break
        for name, act in (acts or {}).items():
            deadline += timedelta(minutes=1)
            clock.runs, clock.at = True, deadline
            act(stored_war, side)
            asks = requests.get(name, ())
            yield f"{name}, public", [*answers_at(OPENS, deadline, asks), _mails(stored_war)]


def difference(
    script: Script,
    requests: Mapping[str, Sequence[Request]],
    until: str,
    acts: Mapping[str, Act] | None = None,
) -> str:
    """Return what differs between a script's worlds, or before an outcome is public, or ""."""
    with share_results():
        sides = [
            list(answers_over_time(script, side, requests, until, acts)) for side in SIDES
        ]  # one world after the other
    return next(filter(None, _differences(requests, list(zip(*sides, strict=True)))), "")


def _differences(requests: Mapping[str, Sequence[Request]], pairs: list[Any]) -> Iterator[str]:
    before: dict[str, list[Any]] = {}
    for (moment, first), (_, other) in pairs:
        kind, _, when = moment.partition(", ")
        asks = requests.get(kind, ())
        yield _describe_differences(f"{moment}, in both worlds", asks, first, other)
        if when != "public":
            yield _describe_differences(
                f"{moment}, since the deadline", asks, before.setdefault(kind, first), first
            )


def _describe_differences(
    where: str, asks: Sequence[Request], first_answers: list[Any], other: list[Any]
) -> str:
    for ask, first, second in zip(asks, first_answers, other, strict=False):
        if difference := client_requests.describe_difference(first, second):
            return f"{where}: {ask}: {difference}"
    messages, other_messages = first_answers[len(asks) :], other[len(asks) :]
    return (
        "" if messages == other_messages else f"{where}: messages {messages} and {other_messages}"
    )


def every_address() -> list[Request]:
    """Return every address that needs only the campaign's id, and the viewer's lists, receipts,
    reports.
    """
    requests = [
        Request("get", route.path(c=CAMPAIGN, campaign=CAMPAIGN))
        for route in site_routes.all_routes()
        if route.route in MINE or (route.parts and set(route.parts) <= {"c", "campaign"})
    ]
    own_paths = [f"/c/{CAMPAIGN}/reports/{seq}/" for seq in range(5)]
    own_paths += [f"/api/campaigns/{CAMPAIGN}/receipts/{ordinal}/" for ordinal in range(5)]
    stages = ("orders", "decisions", "battles")
    own_paths += [
        f"/api/campaigns/{CAMPAIGN}/view/?week={week}&stage={kind}"
        for week in (1, 2)
        for kind in stages
    ]
    return [*requests, *(Request("get", path) for path in own_paths)]


def watched_pages() -> list[Request]:
    """Return the pages of somebody who waits for a stage."""
    pages = [
        f"/c/{CAMPAIGN}/{page}"
        for page in ("", "reports/", "receipts/", "receipts.txt", "map/", "public/", "pulse/?at=0")
    ]
    parts = (
        "",
        "stages/",
        "ledger/",
        "ledger/head/",
        "view/",
        "reports/",
        "receipts/",
        "orders/",
        "battles/",
        "fights/",
    )
    paths = [
        "/",
        f"/feed/{FEED}.ics",
        *pages,
        *(f"/api/campaigns/{CAMPAIGN}/{part}" for part in parts),
    ]
    return [Request("get", path) for path in paths]


def _seal_orders(script: Script, side: int, stage: models.Stage) -> None:
    """Seal the orders of a side's other factions.

    The viewer seals every other stage, the others as the script says.
    """
    for faction in stage.branch.campaign.factions.order_by("key"):
        mine = faction.key == script.viewer
        view = sight_at_stage(stage, faction).view if stage.ordinal else None
        fleets = () if view is None else view.fleets
        payload = ({"schema": 1} if stage.ordinal % 2 else None) if mine else script.others[side](
            stage, faction.key, fleets)  # fmt: skip
        if payload is not None:
            nonce = _nonce(stage.ordinal, faction.key)
            moment = stage.opens + timedelta(minutes=5 if mine else 5 + 7 * side)
            orders_seal(stage=stage, faction=faction, payload=payload, nonce=nonce, now=moment)


def _messages(stored_war: StoredWar, now: datetime) -> list[tuple[str, str]]:
    """Return the messages to the viewer that may have been sent by then."""
    rows = models.Notification.objects.filter(user=stored_war.people["viewer"]).exclude(
        due_at__gt=now
    )
    return list(rows.order_by("dedupe_key").values_list("body", "path"))


def _mails(stored_war: StoredWar) -> list[tuple[str, str]]:
    """Return the mails to the viewer that are sent by now."""
    viewer = stored_war.people["viewer"]
    mail.outbox.clear()
    with client_requests.roll_back():
        notifications_deliver(now=timezone.now(), limit=1000)
    mails: list[tuple[str, str]] = []
    for message in mail.outbox:
        if message.to == [viewer.email]:
            mails.append((str(message.subject), STOP_LINK.sub("", str(message.body))))
    return sorted(mails)


def _compute_slowly(clock: Clock, longer: timedelta) -> Callable[..., StageResult]:
    def slow(**kwargs: Any) -> StageResult:
        clock.at += longer
        return stage_compute(**kwargs)

    return slow


def _constant_proof(tree: fair.OutcomeTree, name: str) -> tuple[int, list[str]]:
    """Return a proof of the length that it has, with constants for place and hashes."""
    _, hashes = PROOF_OF(tree, name)
    return 0, [_sha("a hash")] * len(hashes)


def _nonce(place: object, faction: str) -> str:
    return _sha(f"{place} {faction}")[:32]


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

"""Pairs of wars that are played: resolved stage by stage, by a worker under a running clock, in
both worlds.

What one faction may know of is the same in both; what the others do out of its sight is not, nor
how long the worker takes. At stated instants the faction is asked for everything, before the worker
has written the outcome of a stage and after: the answers must be the same in both worlds, and may
not change with the writing but with the clock alone.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from unittest import mock

from django.conf import settings

from campaign import models
from campaign.rules.scenario import Scenario
from campaign.sight.views import sight_at
from tests.access import asking, reach
from tests.access.asking import Ask
from tests.access.histories import SIDES, History
from tests.access.papers import BEGAN, CAMPAIGN, FEED
from tests.access.pure import once_for_both
from tests.access.stored import Stored, campaign_stored, elsewhere, people_seated
from tests.sealing import orders_seal
from umpire.services.computing import Computed, stage_compute
from umpire.services.stages import stage_resolve
from umpire.services.wars import campaign_start

MINE = ("", "me/", "api/me/", "api/campaigns/")
TICK = timedelta(seconds=2)  # after the deadline a worker comes
LOOKS = timedelta(seconds=9)  # after the deadline somebody looks, before the outcome is public
ALLOWANCE, GRID = 5, 10
OPENS = timedelta(seconds=10)  # after the deadline, which is at a full minute
# How much longer computing takes, by side: in time for that point, and for the next one where it
# counted from now.
SLOW = (timedelta(0), timedelta(seconds=4))

# stage -> what a faction orders, from its own fleets by where they are: None, it seals nothing
Plot = Callable[[models.Stage, str, Sequence[Any]], dict[str, Any] | None]


@dataclass(frozen=True)
class Script:
    """A pair of wars: the viewer, who holds and now and then seals nothing, and what the others do
    on either side.
    """

    scenario: Scenario
    viewer: str
    others: tuple[Plot, Plot]

    @property
    def history(self) -> History:
        """What the stored pairs begin with."""
        return History(
            0, self.scenario, self.viewer, (), (), sealed=False, drafted=False, hosts=False
        )


class Clock:
    """The time it is everywhere. While it runs every look at it takes a millisecond."""

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
def world(script: Script, side: int) -> Iterator[tuple[Stored, Clock]]:
    """One side as it begins, undone with the block.

    Commitments are constants: they are modelled, not hidden.
    """
    clock = Clock()
    with (
        asking.still(),
        mock.patch("django.utils.timezone.now", clock),
        mock.patch("time.time", clock.timestamp),
        mock.patch("campaign.rules.fairness.orders_digest", lambda payload, nonce: _sha(nonce)),
        mock.patch(
            "campaign.rules.fairness.server_nonce", lambda *named: _nonce(named[3], named[4])
        ),
        mock.patch(
            "umpire.services.ledger.outcome_root",
            lambda stage, leaves: _sha(f"outcome {stage.ordinal}"),
        ),
        mock.patch.object(settings, "PUBLICATION_ALLOWANCE", ALLOWANCE),
        mock.patch.object(settings, "PUBLICATION_GRID", GRID),
        asking.undone(),
    ):
        dice = random.Random(f"played {side}")
        elsewhere(dice)
        campaign = campaign_stored(script.history)
        people = people_seated(dice, script.history, campaign)
        token = hashlib.sha256(FEED.encode()).hexdigest()
        models.FeedToken.objects.create(user=people["viewer"], sha256=token, created_at=BEGAN)
        campaign_start(campaign=campaign, now=BEGAN)
        campaign.refresh_from_db()
        yield Stored(campaign, campaign.factions.get(key=script.viewer), (), people), clock


def seen(
    script: Script, side: int, asked: Mapping[str, Sequence[Ask]], until: str
) -> Iterator[tuple[str, list[Any]]]:
    """What the viewer is answered on a side, moment by moment, up to the stage `until`.

    `asked`: stage -> requests.

    At a stage that is asked about: before the worker comes, when it has written the outcome, and
    when this is public; with each the messages to the viewer that are due.
    """
    with world(script, side) as (stored, clock):
        while True:
            stage = models.Stage.objects.select_related("branch__campaign").get(battle__isnull=True, status="open",
                branch__campaign=stored.campaign)  # fmt: skip
            _sealed(script, side, stage)
            assert stage.closes is not None
            deadline, asks = stage.closes, asked.get(stage.kind, ())

            def told(
                moment: timedelta, deadline: datetime = deadline, asks: Sequence[Ask] = asks
            ) -> list[Any]:
                clock.runs, clock.at = False, deadline + moment
                found: list[Any] = list(asking.answers(stored, "viewer", asks)) if asks else []
                return [*found, _messages(stored, clock.at)]

            yield f"{stage.kind}, before a worker came", told(LOOKS)
            clock.runs, clock.at = True, deadline + TICK
            with mock.patch("umpire.services.stages.stage_compute", _slow(clock, SLOW[side])):
                stage_resolve(stage=stage.pk)
            yield f"{stage.kind}, written", told(LOOKS)
            yield f"{stage.kind}, public", told(OPENS)
            if stage.kind == until:
                return


def difference(script: Script, asked: Mapping[str, Sequence[Ask]], until: str) -> str:
    """What tells the two worlds of a script apart, or the moments before an outcome is public;
    empty: nothing.
    """
    with once_for_both():
        sides = [
            list(seen(script, side, asked, until)) for side in SIDES
        ]  # one world after the other
    return next(filter(None, _differences(asked, list(zip(*sides, strict=True)))), "")


def _differences(asked: Mapping[str, Sequence[Ask]], pairs: list[Any]) -> Iterator[str]:
    before: dict[str, list[Any]] = {}
    for (moment, one), (_, other) in pairs:
        kind, _, when = moment.partition(", ")
        asks = asked.get(kind, ())
        yield _unlike(f"{moment}, in both worlds", asks, one, other)
        if when != "public":
            yield _unlike(f"{moment}, since the deadline", asks, before.setdefault(kind, one), one)


def _unlike(where: str, asks: Sequence[Ask], one: list[Any], other: list[Any]) -> str:
    for ask, first, second in zip(asks, one[:-1], other[:-1], strict=True):
        if found := asking.unlike(first, second):
            return f"{where}: {ask}: {found}"
    return "" if one[-1] == other[-1] else f"{where}: messages {one[-1]} and {other[-1]}"


def every_address() -> list[Ask]:
    """Every address of a campaign that needs no more than its id, the viewer's own lists, receipts
    and reports.
    """
    found = [
        Ask("get", route.path(c=CAMPAIGN, campaign=CAMPAIGN))
        for route in reach.routes()
        if route.route in MINE or (route.parts and set(route.parts) <= {"c", "campaign"})
    ]
    own = [f"/c/{CAMPAIGN}/reports/{seq}/" for seq in range(5)]
    own += [f"/api/campaigns/{CAMPAIGN}/receipts/{ordinal}/" for ordinal in range(5)]
    stages = ("orders", "decisions", "battles")
    own += [
        f"/api/campaigns/{CAMPAIGN}/view/?week={week}&stage={kind}"
        for week in (1, 2)
        for kind in stages
    ]
    return [*found, *(Ask("get", path) for path in own)]


def watched() -> list[Ask]:
    """What somebody who waits for a stage would look at."""
    pages = [
        f"/c/{CAMPAIGN}/{page}"
        for page in ("", "reports/", "receipts/", "map/", "public/", "pulse/?at=0")
    ]
    parts = (
        "",
        "stages/",
        "ledger/",
        "view/",
        "reports/",
        "receipts/",
        "orders/",
        "battles/",
        "fights/",
    )
    found = [
        "/",
        f"/feed/{FEED}.ics",
        *pages,
        *(f"/api/campaigns/{CAMPAIGN}/{part}" for part in parts),
    ]
    return [Ask("get", path) for path in found]


def _sealed(script: Script, side: int, stage: models.Stage) -> None:
    """The others' orders of a side.

    The viewer seals every other stage, the others what their plot says.
    """
    for faction in stage.branch.campaign.factions.order_by("key"):
        mine = faction.key == script.viewer
        view = sight_at(stage, faction).view if stage.ordinal else None
        fleets = () if view is None else view.fleets
        payload = ({"schema": 1} if stage.ordinal % 2 else None) if mine else script.others[side](
            stage, faction.key, fleets)  # fmt: skip
        if payload is not None:
            nonce = _nonce(stage.ordinal, faction.key)
            moment = stage.opens + timedelta(minutes=5 if mine else 5 + 7 * side)
            orders_seal(stage=stage, faction=faction, payload=payload, nonce=nonce, now=moment)


def _messages(stored: Stored, now: datetime) -> list[tuple[str, str]]:
    """The messages to the viewer that may be sent by then."""
    rows = models.Notification.objects.filter(user=stored.people["viewer"]).exclude(due_at__gt=now)
    return list(rows.order_by("dedupe_key").values_list("body", "path"))


def _slow(clock: Clock, longer: timedelta) -> Callable[..., Computed]:
    def slow(**given: Any) -> Computed:
        clock.at += longer
        return stage_compute(**given)

    return slow


def _nonce(place: object, faction: str) -> str:
    return _sha(f"{place} {faction}")[:32]


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

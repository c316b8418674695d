"""A stage with a deadline closes once every side is ready; before, nobody learns who is."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any
from unittest import mock

import pytest
from django.test import Client

from campaign.access import Viewer
from campaign.errors import NotAllowed, NothingSealed
from campaign.kinds import ClosingRule
from campaign.models import Stage
from campaign.selectors.due import closing_of
from campaign.selectors.truth import stages_to_resolve
from campaign.services.envelopes import envelope_ready, envelope_seal, envelope_unseal
from campaign.services.orders import WeekOrders
from campaign.services.seats import campaign_begin
from tests.campaign.seats.people import DAILY, MONDAY, join_by_invitation, open_campaign, viewer
from umpire.services.control import faction_excuse, stage_resolve_now
from umpire.services.stages import stage_resolve

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
HOLD = {"schema": 1}
EVENING: dict[str, Any] = {**DAILY, "early_close": None}
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": ?"[^"]*"')
# What a player and a host read while a stage is open.
ADDRESSES = (
    *("/", "/c/{}/", "/c/{}/deploy/", "/c/{}/map/", "/c/{}/pulse/?at=0", "/c/{}/receipts/"),
    *("/c/{}/public/", "/c/{}/host/", "/c/{}/host/act/resolve/", "/c/{}/host/act/extend/"),
    *(f"/api/campaigns/{tail}" for tail in ("", "{}/", "{}/orders/", "{}/receipts/", "{}/stages/")),
    *(f"/api/campaigns/{{}}/{tail}/" for tail in ("seats", "ledger", "reports", "orders/default")),
)
FACTIONS = ("karst", "halcyon", "thessaly")


@pytest.fixture(autouse=True)
def grid(settings: Any) -> None:
    settings.PUBLICATION_ALLOWANCE, settings.PUBLICATION_GRID = 5, 10


def at(seconds: float) -> datetime:
    return MONDAY + timedelta(seconds=seconds)


def started_war(slug: str = "three-powers", **settings: Any) -> tuple[Viewer, Stage]:
    """Return a war with a player in every faction; the host plays the first."""
    _, host = open_campaign(slug, **{"timetable": EVENING, "play": FACTIONS[0], **settings})
    for faction in FACTIONS[1:]:
        join_by_invitation(host, f"player-{faction}", faction=faction)
    return viewer(host.campaign, "hope"), campaign_begin(viewer=host, now=MONDAY)


def document(stage: Stage, faction: str) -> WeekOrders:
    return WeekOrders(stage, stage.branch.campaign.factions.get(key=faction))


def seal_orders(stage: Stage, faction: str, seconds: float, ready: bool | None = True) -> None:
    envelope_seal(document=document(stage, faction), payload=HOLD, ready=ready, now=at(seconds))


def is_due(stage: Stage, seconds: float) -> bool:
    return stage in stages_to_resolve(now=at(seconds))


def test_stage_closes_at_the_next_instant_after_the_last_side_is_ready() -> None:
    _, stage = started_war()
    assert closing_of(stage).rule == ClosingRule.READY
    for seconds, faction in enumerate(FACTIONS, start=31):
        assert not is_due(stage, 60)
        seal_orders(stage, faction, seconds)
    assert not is_due(stage, 39.9)
    assert is_due(stage, 40)
    assert stage_resolve(stage=stage.pk, now=at(43.7)) is not None  # the worker is late
    stage.refresh_from_db()
    assert (stage.closed_at, stage.publishes_at) == (at(40), at(50))


def test_seals_alone_keep_the_deadline() -> None:
    _, stage = started_war()
    for faction in FACTIONS:
        seal_orders(stage, faction, 1, ready=False)
    assert not is_due(stage, 3600)
    for faction in FACTIONS:
        envelope_ready(document=document(stage, faction), ready=True, now=at(61))
    assert is_due(stage, 70)


def test_withdrawn_readiness_keeps_the_deadline() -> None:
    _, stage = started_war()
    for faction in FACTIONS:
        seal_orders(stage, faction, 1)
    envelope_ready(document=document(stage, "karst"), ready=False, now=at(2))
    assert not is_due(stage, 100)
    seal_orders(stage, "karst", 101)  # the same orders, ready again
    assert is_due(stage, 110)
    envelope_unseal(document=document(stage, "halcyon"), now=at(105))
    assert not is_due(stage, 110)
    with pytest.raises(NothingSealed):
        envelope_ready(document=document(stage, "halcyon"), ready=True, now=at(106))
    seal_orders(stage, "halcyon", 107, ready=None)
    assert not is_due(stage, 200)  # sealed again, without being ready


def test_excused_and_unplayed_sides_are_not_waited_for() -> None:
    host, stage = started_war()
    seal_orders(stage, "karst", 1)
    seal_orders(stage, "halcyon", 2)
    faction_excuse(viewer=host, faction="thessaly", now=at(33))
    assert is_due(stage, 33)
    stage_resolve(stage=stage.pk, now=at(36))
    stage.refresh_from_db()
    assert stage.closed_at == at(30)


def test_two_sides_that_close_early_need_no_readiness() -> None:
    _, host = open_campaign("first-steps", timetable=EVENING, play="ember")
    join_by_invitation(host, "flo", faction="frost")
    stage = campaign_begin(viewer=host, now=MONDAY)
    assert closing_of(stage).rule == ClosingRule.SEALED
    seal_orders(stage, "ember", 1, ready=False)
    seal_orders(stage, "frost", 2, ready=False)
    assert is_due(stage, 2)


@pytest.mark.parametrize("battles", ["online", "table"])
def test_battles_by_people_last_their_time(battles: str) -> None:
    """Closing early would reveal to a third side that nobody fought."""
    _, stage = started_war(battles=battles, timetable={**EVENING, "early_close": True})
    for _kind in ("deploy", "orders", "decisions"):
        for faction in FACTIONS:
            envelope_seal(document=document(stage, faction), payload=HOLD, now=stage.opens)
        resolution = stage_resolve(stage=stage.pk, now=stage.opens)
        assert resolution is not None
        assert resolution.next is not None
        stage = resolution.next
    assert closing_of(stage).rule == ClosingRule.DEADLINE
    for faction in FACTIONS:
        envelope_seal(document=document(stage, faction), payload=HOLD, ready=True, now=stage.opens)
    assert not stages_to_resolve(now=stage.opens + timedelta(hours=47))


def test_playing_host_gets_a_neutral_text() -> None:
    host, stage = started_war()
    refusals = set()
    for faction in (None, *FACTIONS):
        if faction is not None:
            seal_orders(stage, faction, 1, ready=False)
        with pytest.raises(NotAllowed) as refused:
            stage_resolve_now(viewer=host, now=at(2))
        refusals.add(refused.value.words)
    (words,) = refusals
    assert "cannot see whether they have sealed" in words
    assert "Continue as soon as everybody is ready" in words


def read_pages(client: Client, campaign: object) -> dict[str, tuple[int, bytes, str | None]]:
    """Return what a user reads at every address: status, body without form tokens, and ETag."""
    pages = {}
    for address in ADDRESSES:
        answer = client.get(address.format(campaign))
        body = TOKEN.sub(b"", answer.content)
        pages[address] = (answer.status_code, body, answer.headers.get("ETag"))
    return pages


@pytest.mark.rule("camp.hidden")
@pytest.mark.parametrize("own_readiness", [None, False, True])
def test_readiness_and_seals_are_private(
    own_readiness: bool | None,
) -> None:
    """A host who plays reads the same before and after the other side has sealed, ready or not."""
    host, stage = started_war()
    client = Client()
    with mock.patch("django.utils.timezone.now", return_value=at(100)):
        client.force_login(host.user)  # type: ignore[arg-type]
        if own_readiness is not None:
            seal_orders(stage, "karst", 50, ready=own_readiness)
        public_id = host.campaign.public_id
        read_pages(client, public_id)  # fills what the first visit caches
        before = read_pages(client, public_id)
        assert {status for status, _, _ in before.values()} <= {200, 204, 302}
        seal_orders(stage, "halcyon", 60)
        assert read_pages(client, public_id) == before
        if own_readiness is not True:
            seal_orders(stage, "thessaly", 61)
            assert read_pages(client, public_id) == before

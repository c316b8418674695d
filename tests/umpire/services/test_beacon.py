"""Public dice: a stage waits for its value, gets the same dice however late, and never guesses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest
import pytest_django
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from campaign.errors import NotAllowed
from campaign.models import Act, Campaign, LedgerRow, Stage
from campaign.rules import beacon as beacon_rules
from campaign.rules.beacon import QUICKNET, RULE, SignedRound, round_after, unsigned_rounds
from campaign.rules.files import fixture_scenario
from campaign.selectors.beacon import BeaconMissing, is_beacon_reached
from campaign.services.campaigns import campaign_create, membership_add
from campaign.services.scenarios import scenario_import
from campaign.services.seats import campaign_begin
from engine.core import fair
from engine.core.errors import RuleViolations
from jobs.models import Job
from proof.archive import archive_line
from proof.beacons import UNCHECKED
from proof.findings import Exit
from tests.campaign.seats.people import join_by_invitation, open_campaign, person, viewer
from tests.proof.archived import page_verdicts, verdict_of, whole
from tests.proof.test_archives import archive_so_far, assert_proven_so_far, verdict_so_far
from tests.umpire.services.beacon_relay import Relay, public_key, serve_relay, sign
from tests.umpire.services.wars import ATTACK, attack, campaign_of
from umpire.adjudication.fighting import fight_by_captains
from umpire.services.battle_phases import phase_compute, phase_resolve
from umpire.services.beacon_fetch import beacon_store, beacon_work, beacons_enqueue
from umpire.services.beacon_waivers import beacon_waive
from umpire.services.computing import stage_compute
from umpire.services.proposals import proposal_answer
from umpire.services.stages import stage_resolve
from umpire.services.wars import campaign_start, seed_from

pytestmark = pytest.mark.django_db
CLOSED = timezone.now().replace(microsecond=0) - timedelta(days=1)


@pytest.fixture
def relay(settings: pytest_django.Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Relay]:
    monkeypatch.setitem(QUICKNET, "key", public_key())
    with serve_relay() as running:
        settings.BEACON_RELAYS = ("http://127.0.0.1:9", running.address)
        yield running


def begin() -> tuple[Campaign, Stage]:
    """Return a war with public dice in its deployment."""
    campaign = campaign_of(seed=7, admirals={"ember": ATTACK})
    campaign.ruleset[RULE] = dict(QUICKNET)
    campaign.save(update_fields=["ruleset"])
    return campaign, campaign_start(campaign=campaign)


def page_text(client: Client, path: str) -> str:
    """Return a page's source."""
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def logged_in(user: AbstractBaseUser) -> Client:
    """Return a client with a login."""
    client = Client()
    client.force_login(cast(User, user))
    return client


def resolve(stage: Stage) -> LedgerRow | None:
    """Return the row of a stage that closed a day ago; None while it waits."""
    resolution = stage_resolve(stage=stage.pk, force=True, admiral=attack, now=CLOSED)
    return None if resolution is None else resolution.row


def test_late_value_gives_the_same_dice_and_no_result_before(
    relay: Relay, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    number = round_after(CLOSED)
    _, punctual = begin()
    assert resolve(punctual) is None
    assert beacon_store(sign(number)) == 1
    punctual_row = resolve(punctual)

    campaign, stage = begin()
    relay.is_up = False
    assert resolve(stage) is None
    assert beacon_work({"round": number}) == {"reached": False}
    assert resolve(stage) is None
    stage.refresh_from_db()
    assert (stage.status, stage.to_snapshot_id) == ("closed", None)
    with pytest.raises(BeaconMissing):
        stage_compute(stage=stage, fighter=fight_by_captains)
    assert not LedgerRow.objects.filter(stage=stage).exists()
    relay.is_up = True
    assert beacon_work({"round": number}) == {"reached": True}
    row = resolve(stage)
    assert row is not None
    assert punctual_row is not None
    assert row.body["round"] == sign(number).for_row
    assert row.body["past"] == punctual_row.body["past"]
    assert row.stage.to_snapshot is not None
    assert punctual_row.stage.to_snapshot is not None
    assert row.stage.to_snapshot.sha256 == punctual_row.stage.to_snapshot.sha256
    assert assert_proven_so_far(campaign).counts.beacons == 1
    assert_forgeries_differ(archive_so_far(campaign).splitlines(keepends=True)[:-1], tmp_path)
    monkeypatch.setattr("proof.beacons.can_verify", lambda: False)
    verdict = verdict_so_far(campaign)
    assert verdict.exit == Exit.AS_FAR_AS_SHOWN
    assert UNCHECKED in verdict.limits


def assert_forgeries_differ(lines: list[bytes], folder: Path) -> None:
    """Check that both verifiers find a changed or missing value; only Python, a wrong signature."""
    (index,) = [number for number, line in enumerate(lines) if b'"kind":"beacon"' in line]
    body = json.loads(lines[index])
    del body["kind"]
    other = sign(body["round"] + 1)
    forged = []
    for change in ({"round": other.round}, {"randomness": other.randomness}):
        line = archive_line("beacon", body | change)
        forged.append([*lines[:index], line, *lines[index + 1 :]])
    forged.append([*lines[:index], *lines[index + 1 :]])
    forged.append([lines[0].replace(b'"quicknet"', b'"site"'), *lines[1:]])
    names = []
    for number, changed in enumerate(forged):
        assert verdict_of(changed).exit == Exit.DIFFERS
        file = folder / f"{number}.jsonl"
        file.write_bytes(whole(changed))
        names.append(str(file))
    assert all(verdict["fault"] for verdict in page_verdicts(names))
    unsigned = SignedRound(body["round"], other.signature)
    assert unsigned_rounds([unsigned]) == [unsigned]


@pytest.mark.any_database
def test_answers_of_relays_are_not_trusted(relay: Relay) -> None:
    _, stage = begin()
    resolve(stage)
    number = round_after(CLOSED)
    other = sign(number + 1)
    for answer in (
        b"",
        b"[" * 5000,
        b"[" * 4000,
        json.dumps({"round": number, "signature": 7}).encode(),
        json.dumps({"round": number + 1, "signature": other.signature}).encode(),
        json.dumps({"round": number, "signature": other.signature}).encode(),
        json.dumps({"round": number, "signature": "c0" + "0" * 94}).encode(),
        json.dumps({"round": number, "signature": "f" * 96}).encode(),
    ):
        relay.answer = answer
        assert beacon_work({"round": number}) == {"reached": False}
    stage.refresh_from_db()
    assert stage.beacon_signature is None


@pytest.mark.any_database
def test_ticks_ask_for_what_stages_need(relay: Relay) -> None:
    beacons_enqueue(now=CLOSED)
    assert not is_beacon_reached()
    (probe,) = Job.objects.all()
    Job.objects.filter(pk=probe.pk).update(
        status="done", done_at=CLOSED, send_at=None, result=beacon_work(probe.args)
    )
    assert is_beacon_reached()
    _, stage = begin()
    resolve(stage)
    published = beacon_rules.round_instant(round_after(CLOSED))
    for after, asks in ((-1, False), (0, True), (100, True), (7200, True), (7230, False)):
        Job.objects.exclude(pk=probe.pk).delete()
        beacons_enqueue(now=published + timedelta(seconds=after))
        assert Job.objects.exclude(pk=probe.pk).exists() is asks


def test_hosts_go_on_without_after_six_hours(relay: Relay, tmp_path: Path) -> None:
    campaign, host = open_campaign(beacon=True)
    stage = campaign_begin(viewer=host, unattended=True)
    assert resolve(stage) is None
    with pytest.raises(NotAllowed):
        beacon_waive(viewer=host, now=CLOSED + timedelta(hours=5, minutes=59))
    beacon_waive(viewer=host, reason="The line is down", now=CLOSED + timedelta(hours=6))
    row = resolve(stage)
    assert row is not None
    assert row.body["round"] is None
    assert Act.objects.get(stage=stage, verb="no-beacon").body["reason"] == "The line is down"
    verdict = assert_proven_so_far(campaign)
    assert (verdict.counts.beacons, verdict.counts.without_beacon) == (0, 1)
    with pytest.raises(NotAllowed):
        beacon_waive(viewer=host, now=CLOSED + timedelta(hours=7))


def test_war_without_public_dice_is_the_same_with_and_without_relays(
    relay: Relay, settings: pytest_django.Settings
) -> None:
    results = []
    for relays in (settings.BEACON_RELAYS, ()):
        settings.BEACON_RELAYS = relays
        campaign = campaign_of(seed=7, admirals={"ember": ATTACK})
        row = resolve(campaign_start(campaign=campaign))
        assert row is not None
        assert row.stage.to_snapshot is not None
        public = {key: row.body[key] for key in ("digests", "shares", "round", "past", "closed_at")}
        results.append([campaign.ruleset, public, row.stage.to_snapshot.sha256])
        assert b'"kind":"beacon"' not in archive_so_far(campaign)
    assert results[0] == results[1]
    assert RULE not in results[0][0]
    assert results[0][1]["round"] is None


def test_check_page_tells_what_public_dice_prove(relay: Relay) -> None:
    campaign, host = open_campaign(beacon=True)
    other_campaign, other_host = open_campaign(beacon=False, host="otto")
    page = page_text(logged_in(host.user), f"/c/{campaign.public_id}/check/")
    assert "and from public random values" in page
    assert "by sealing last" not in page
    page = page_text(logged_in(other_host.user), f"/c/{other_campaign.public_id}/check/")
    assert "public random values" not in page
    assert "by sealing last" in page


def test_where_an_operator_plays_the_other_sides_must_consent(relay: Relay) -> None:
    campaign, host = open_campaign(play="ember")
    settings_path = f"/c/{campaign.public_id}/seats/settings/"
    logged_in(host.user).post(
        settings_path, {"name": "War", "zone": "UTC", "beacon_offered": "yes", "beacon": "yes"}
    )
    assert RULE in Campaign.objects.get(pk=campaign.pk).ruleset
    assert 'name="beacon"' in page_text(logged_in(host.user), f"/c/{campaign.public_id}/")
    User.objects.filter(pk=host.user.pk).update(is_staff=True)
    other = join_by_invitation(host, "rita", faction="frost")
    stage = campaign_begin(viewer=viewer(campaign, "hope"))
    assert resolve(stage) is None
    host_client = logged_in(host.user)
    place = f"/c/{campaign.public_id}/"
    number = str(round_after(CLOSED))
    waiting = page_text(logged_in(other.user), place)
    assert "Waiting for public dice" in waiting
    assert number in waiting
    assert "No deadline." not in waiting  # the stage is closed
    dashboard = page_text(host_client, place + "host/")
    assert number in dashboard
    assert "closes when everybody has sealed" not in dashboard
    assert "administrator" in page_text(host_client, place + "host/act/no-beacon/")
    host_client.post(place + "host/act/no-beacon/", {"stage": stage.ordinal, "reason": "Line cut"})
    assert resolve(stage) is None
    assert "without public dice" in page_text(logged_in(other.user), place)
    assert "Line cut" in page_text(logged_in(other.user), place + "rollback/")
    proposal = campaign.proposals.get()
    later = timezone.now()
    assert proposal.kind == "no-beacon"
    proposal_answer(viewer=other, proposal=proposal.pk, agree=False, now=later)
    with pytest.raises(NotAllowed, match="wait a day"):
        beacon_waive(viewer=host, reason="Line cut", now=later + timedelta(hours=23))
    later += timedelta(hours=25)
    beacon_waive(viewer=host, reason="Line cut", now=later)
    proposal = campaign.proposals.latest("pk")
    proposal_answer(viewer=other, proposal=proposal.pk, agree=True, now=later)
    proposal.refresh_from_db()
    assert proposal.state == "done"
    row = resolve(stage)
    assert row is not None
    assert row.body["round"] is None


@pytest.mark.any_database
def test_sites_without_relays_offer_none(settings: pytest_django.Settings) -> None:
    settings.BEACON_RELAYS = ()
    with pytest.raises(RuleViolations):
        open_campaign(beacon=True)


@pytest.mark.any_database
def test_no_value_tells_a_die_before_it_is_published() -> None:
    """With everything else known, each face is as likely over all values."""
    faces = [0] * 6
    values = 3000
    for number in range(values):
        beacon = fair.commitment(f"{number:064x}")
        entropy = fair.entropy_link("11" * 32, 4, ["22" * 32], ["33" * 32], beacon)
        context: list[fair.Names] = [fair.stage_names("war", 4, "battles", entropy)]
        faces[fair.dice_of("44" * 32, context).roll("beam", "s1") - 1] += 1
    expected = values / 6
    assert sum((count - expected) ** 2 / expected for count in faces) < 20.5  # p = 0.001


def test_phases_of_online_battles_wait_too(relay: Relay, tmp_path: Path) -> None:
    campaign = campaign_create(
        scenario=scenario_import(scenario=fixture_scenario("first-steps")),
        admirals={"ember": ATTACK},
        battles="online",
        beacon=True,
        seed=seed_from(7),
        dice_key="online",
    )
    for faction in campaign.factions.all():
        user = person(f"player-{faction.key}")
        membership_add(campaign=campaign, user=user, role="player", faction=faction)
    value = sign(round_after(CLOSED))
    stage: Stage | None = campaign_start(campaign=campaign)
    while stage is not None and stage.kind != "battles":
        assert resolve(stage) is None
        assert beacon_store(value) == 1
        row = resolve(stage)
        assert row is not None
        stage = Stage.objects.filter(from_snapshot=row.stage.to_snapshot_id).first()
    assert stage is not None
    phase = Stage.objects.get(battle__branch__campaign=campaign, status="open")
    assert not phase_resolve(stage=phase.pk, force=True, now=CLOSED)
    phase.refresh_from_db()
    assert phase.status == "closed"
    with pytest.raises(BeaconMissing):
        phase_compute(stage=Stage.objects.get(pk=phase.pk))
    assert beacon_store(value) == 1
    assert phase_resolve(stage=phase.pk, now=CLOSED)
    assert resolve(stage) is None
    assert beacon_store(value) == 2
    assert resolve(stage) is not None
    verdict = assert_proven_so_far(campaign)
    assert verdict.counts.beacons == verdict.counts.rows + 2
    file = tmp_path / "war.jsonl"
    file.write_bytes(archive_so_far(campaign))
    assert page_verdicts([str(file)]) == [{"fault": None, "dice": verdict.counts.dice}]

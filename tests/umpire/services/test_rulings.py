"""Rulings: what they change, who is told, sealed orders, holding, undoing, and who may rule."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed, NotFound
from campaign.models import (
    Act,
    Campaign,
    Draft,
    LedgerRow,
    Notification,
    Report,
    Snapshot,
    Stage,
    Submission,
    View,
)
from campaign.models import Ruling as RulingRow
from campaign.orders.codec import orders_payload
from campaign.orders.defaults import default_orders
from campaign.rules.orders import FleetSetting, Orders
from campaign.selectors.proofs import leaf_proofs
from campaign.services.campaigns import membership_add
from campaign.sight.views import sight_at_stage
from campaign.store.documents import scenario_of
from engine.core.errors import RuleViolations
from proof.archive import archive_line
from proof.check import Options
from proof.derived import with_derived
from proof.findings import Level
from tests.access.client_requests import roll_back
from tests.campaign.seats.people import person
from tests.growth import work_of
from tests.proof.archived import page_verdicts, verdict_of, whole
from tests.proof.test_archives import assert_proven_so_far
from tests.sealing import orders_seal
from tests.umpire.services.wars import SMALL, campaign_at, resolve_stage
from umpire.adjudication.patches import MoveFleet
from umpire.adjudication.rulings import Ruling
from umpire.adjudication.ship_patches import Rename, ShipDamage, ShipRemove
from umpire.services.archives import archive_lines
from umpire.services.checking import campaign_faults
from umpire.services.rulings import (
    held_rulings,
    ruling_drop,
    ruling_make,
    ruling_preview,
    rulings_of,
    undoing,
)

pytestmark = pytest.mark.django_db
QUERIES = 34  # of a ruling at once, with what locks and closes the stage
REASON = "The damage was entered wrongly"


def umpired_war(
    kind: str = "orders", admirals: dict[str, str] | None = None
) -> tuple[Viewer, Stage]:
    """Return the umpire of a war in its first stage of a kind, and the stage."""
    campaign, stage = campaign_at(kind, admirals=admirals)
    user = person("ulla")
    membership_add(campaign=campaign, user=user, role="umpire")
    return viewer_of(user, campaign.public_id), stage


def seal(stage: Stage, faction: str) -> Submission:
    """Seal the default orders as the faction's player would."""
    row = stage.branch.campaign.factions.get(key=faction)
    orders = default_orders(scenario_of(stage.branch.campaign), sight_at_stage(stage, row).view)
    orders_seal(stage=stage, faction=row, payload=orders_payload(orders))
    return Submission.objects.get(stage=stage, faction=row, withdrawn_at__isnull=True)


def fleet_of(stage: Stage, faction: str) -> tuple[str, str]:
    """Return key and hex of a faction's first fleet."""
    fleets = stage.from_snapshot.world["body"]["fleets"]
    return next((item["key"], item["hex"]) for item in fleets if item["faction"] == faction)


def open_stage(campaign: Campaign) -> Stage:
    return Stage.objects.get(branch=campaign.head_branch, battle__isnull=True, status="open")


def view_shas(campaign: Campaign) -> dict[str, str]:
    """Return the hash of each faction's newest view."""
    newest = View.objects.filter(branch=campaign.head_branch).latest("seq").seq
    rows = View.objects.filter(branch=campaign.head_branch, seq=newest)
    return dict(rows.values_list("faction__key", "sha256"))


def rule(umpire: Viewer, *patches: Any, hold: bool = False, **options: Any) -> Any:
    return ruling_make(viewer=umpire, ruling=Ruling(patches, REASON, **options), hold=hold)


def test_moved_fleet_is_told_to_its_faction_alone_and_undone() -> None:
    umpire, stage = umpired_war()
    campaign = umpire.campaign
    entry = seal(stage, "frost")
    fleet, _ = fleet_of(stage, "ember")
    before = view_shas(campaign)
    world = stage.from_snapshot.sha256
    row = rule(umpire, MoveFleet(fleet, "0101"))
    stage.refresh_from_db()
    assert (stage.status, stage.how, stage.again) == ("resolved", "ruled", 0)
    opened = open_stage(campaign)
    assert (opened.ordinal, opened.week, opened.kind) == (stage.ordinal + 1, stage.week, stage.kind)
    assert opened.again == 1
    assert row.audience == ["ember"]
    after = view_shas(campaign)
    assert after["frost"] == before["frost"]
    view = View.objects.get(snapshot=row.after, faction__key="ember").body["body"]
    codes = [notice["code"] for notice in view["notices"]]
    assert codes == ["corrected", "ruled"]
    report = Report.objects.get(seq=row.after.seq, branch=stage.branch, faction__key="ember")
    assert REASON in str(report.body)
    assert not Report.objects.filter(seq=row.after.seq, faction__key="frost").exists()
    carried = Submission.objects.get(stage=opened)
    assert (carried.faction.key, carried.digest) == ("frost", entry.digest)
    ledger = LedgerRow.objects.get(stage=stage)
    assert "ruling" in (ledger.leaves or {})
    assert len(ledger.body["digests"]) == 2
    assert campaign_faults(Campaign.objects.get(pk=campaign.pk)) == []

    ruling_make(viewer=umpire, ruling=undoing(viewer=umpire, number=1, reason="No"), hold=False)
    newest = Snapshot.objects.filter(branch=stage.branch).latest("seq")
    assert newest.sha256 == world
    assert [item.number for item in rulings_of(stage.branch)] == [2, 1]
    resolve_stage(open_stage(campaign))
    assert campaign_faults(Campaign.objects.get(pk=campaign.pk)) == []


@pytest.mark.any_database
def test_archive_with_a_ruling_is_proven_by_both_verifiers(tmp_path: Path) -> None:
    umpire, stage = umpired_war()
    seal(stage, "frost")
    fleet, _ = fleet_of(stage, "ember")
    rule(umpire, MoveFleet(fleet, "0101"), also=("frost",))
    resolve_stage(open_stage(umpire.campaign))
    ruling_make(viewer=umpire, ruling=Ruling((), "Nothing"), hold=False)
    verdict = assert_proven_so_far(umpire.campaign)
    assert verdict.counts.rulings == 2
    lines = [
        archive_line(line.kind, line.body) for line in with_derived(archive_lines(umpire.campaign))
    ]
    (number,) = [n for n, line in enumerate(lines) if b'"kind":"ruling"' in line][:1]
    body = json.loads(lines[number])
    forged = list(lines)
    body["told"] = []
    forged[number] = archive_line(body.pop("kind"), body)
    (difference,) = verdict_of(forged, Options(level=Level.WEEKS)).differences
    assert (difference.line, difference.place) == (number + 1, "ruling")
    names = []
    for name, kept in (("war", lines), ("forged", forged)):
        file = tmp_path / f"{name}.jsonl"
        file.write_bytes(whole(kept))
        names.append(str(file))
    proven, wrong = page_verdicts(names)
    assert proven["fault"] is None
    assert wrong["fault"]["row"] == difference.row


def test_held_ruling_waits_for_the_next_stage_and_can_be_withdrawn() -> None:
    umpire, stage = umpired_war()
    campaign = umpire.campaign
    fleet, _ = fleet_of(stage, "ember")
    act = rule(umpire, Rename(fleet, "Home guard"), hold=True)
    dropped = rule(umpire, Rename(fleet, "Nobody"), hold=True)
    assert [item.act.pk for item in held_rulings(umpire)] == [act.pk, dropped.pk]
    assert all(item.corrections for item in held_rulings(umpire))
    ruling_drop(viewer=umpire, act=dropped.sha256)
    resolution = resolve_stage(stage)
    ruled = resolution.next
    opened = open_stage(campaign)
    assert ruled is not None
    assert (ruled.kind, ruled.how, opened.kind) == ("decisions", "ruled", "decisions")
    assert (opened.ordinal, opened.opens) == (ruled.ordinal + 1, ruled.opens)
    (row,) = rulings_of(stage.branch)
    assert row.audience == ["ember"]
    assert held_rulings(umpire) == []
    assert campaign_faults(Campaign.objects.get(pk=campaign.pk)) == []
    assert_proven_so_far(campaign)


@pytest.mark.any_database
def test_undo_names_what_has_changed_since() -> None:
    umpire, stage = umpired_war()
    fleet, _ = fleet_of(stage, "ember")
    rule(umpire, MoveFleet(fleet, "0101"))
    rule(umpire, MoveFleet(fleet, "0102"))
    undo = undoing(viewer=umpire, number=1, reason="No")
    with pytest.raises(RuleViolations, match="has changed since"):
        ruling_make(viewer=umpire, ruling=undo, hold=False)
    assert len(rulings_of(stage.branch)) == 2


def test_orders_that_are_no_longer_possible_come_back_as_draft() -> None:
    umpire, stage = umpired_war()
    fleet, _ = fleet_of(stage, "ember")
    row = stage.branch.campaign.factions.get(key="ember")
    payload = orders_payload(Orders(settings=(FleetSetting(fleet, standing="fight"),)))
    orders_seal(stage=stage, faction=row, payload=payload)
    ships = [s["key"] for s in stage.from_snapshot.world["body"]["ships"] if s["fleet"] == fleet]
    patches = [ShipRemove(ship, "struck") for ship in ships]
    preview = ruling_preview(viewer=umpire, ruling=Ruling(tuple(patches), REASON))
    assert preview.returned == ("ember",)
    rule(umpire, *patches)
    opened = open_stage(umpire.campaign)
    assert not Submission.objects.filter(stage=opened).exists()
    assert Draft.objects.get(stage=opened).payload == payload


def test_only_umpires_rule_and_all_faults_are_named_at_once() -> None:
    umpire, _ = umpired_war()
    campaign = umpire.campaign
    host = person("hanna")
    membership_add(campaign=campaign, user=host, role="host")
    player = person("pia")
    membership_add(
        campaign=campaign, user=player, role="player", faction=campaign.factions.get(key="ember")
    )
    for user in (host, player):
        with pytest.raises(NotFound):
            rule(viewer_of(user, campaign.public_id))
    with pytest.raises(RuleViolations) as error:
        rule(umpire, MoveFleet("ember/f99", "9999"), ShipDamage("ember/s1", -1))
    places = sorted(fault.where for fault in error.value.violations)
    assert places == ["patches.0.fleet", "patches.0.hex", "patches.1.damage"]
    campaign.memberships.filter(role="umpire").delete()
    with pytest.raises(NotAllowed, match="appoint an umpire"):
        rule(viewer_of(host, campaign.public_id))
    assert not RulingRow.objects.exists()


def test_everybody_gets_a_day_and_a_message_that_tells_no_more_than_the_view() -> None:
    umpire, stage = umpired_war()
    campaign = umpire.campaign
    for name, faction in (("pia", "ember"), ("quin", "frost")):
        membership_add(
            campaign=campaign,
            user=person(name),
            role="player",
            faction=campaign.factions.get(key=faction),
        )
    now = timezone.now()
    Stage.objects.filter(pk=stage.pk).update(closes=now + timedelta(hours=1))
    ship = next(s for s in stage.from_snapshot.world["body"]["ships"] if s["faction"] == "ember")
    preview = ruling_preview(viewer=umpire, ruling=Ruling((ShipDamage(ship["key"], 1),), REASON))
    assert preview.outcome.told == ("ember",)
    rule(umpire, ShipDamage(ship["key"], 1))
    opened = Stage.objects.latest("pk")
    assert opened.closes is not None
    assert opened.closes >= now + timedelta(hours=24)
    bodies = dict(
        Notification.objects.filter(dedupe_key__startswith="ruled/").values_list(
            "user__username", "body"
        )
    )
    assert "concerns you" in bodies["pia"]
    assert "Nothing you know has changed" in bodies["quin"]
    assert not LedgerRow.objects.filter(stage=opened).exists()
    assert Act.objects.get(verb="ruled").body["facts"] == {"number": 1, "note": "", "undoes": 0}


@pytest.mark.parametrize("is_held", [False, True])
def test_third_faction_cannot_tell_a_ruling_from_one_that_corrects_nothing(is_held: bool) -> None:
    seen = []
    for is_empty in (False, True):
        umpire, stage = umpired_war()
        campaign = umpire.campaign
        frost = campaign.factions.get(key="frost")
        membership_add(
            campaign=campaign, user=person(f"quin{is_empty}"), role="player", faction=frost
        )
        now = timezone.now()
        Stage.objects.filter(pk=stage.pk).update(closes=now + timedelta(hours=1))
        fleet, _ = fleet_of(stage, "ember")
        rule(umpire, *(() if is_empty else (Rename(fleet, "Home guard"),)), hold=is_held)
        if is_held:
            resolve_stage(stage)
        opened = open_stage(campaign)
        rows = View.objects.filter(branch=campaign.head_branch, faction=frost).order_by("seq")
        reports = Report.objects.filter(branch=campaign.head_branch, faction=frost)
        bodies = Notification.objects.filter(dedupe_key__startswith="ruled/", user__isnull=False)
        row = LedgerRow.objects.filter(branch=campaign.head_branch).latest("seq")
        _, proofs = leaf_proofs(
            viewer_of(User.objects.get(username=f"quin{is_empty}"), campaign.public_id),
            row.seq,
            timezone.now() + timedelta(hours=1),
        )
        seen.append(
            (
                list(rows.values_list("seq", "sha256")),
                [report.body for report in reports.order_by("seq")],
                [
                    text.body.splitlines()[0]
                    for text in bodies.filter(user__username=f"quin{is_empty}")
                ],
                {key: len(str(value)) for key, value in row.body.items()},
                [(proof.name, proof.size, len(proof.hashes)) for proof in proofs],
                (
                    opened.ordinal,
                    opened.again,
                    opened.closes is None or opened.closes >= opened.opens + timedelta(hours=23),
                ),
                [act.body["facts"] for act in Act.objects.filter(campaign=campaign, verb="ruled")],
            )
        )
        umpire.user.delete()
        User.objects.filter(username__startswith="quin").delete()
    assert seen[0] == seen[1]


def test_queries_grow_neither_with_corrections_nor_with_factions() -> None:
    counts = []
    for slug, ships in ((SMALL, 2), (SMALL, 4), ("three-powers", 8)):
        with roll_back():
            campaign, stage = campaign_at("orders", slug)
            umpire = person("ulla")
            membership_add(campaign=campaign, user=umpire, role="umpire")
            keys = [ship["key"] for ship in stage.from_snapshot.world["body"]["ships"]]
            patches = [ShipDamage(key, 1) for key in keys[:ships]]
            viewer = viewer_of(umpire, campaign.public_id)
            ruling = Ruling(tuple(patches), REASON, also=("ember",) if slug == SMALL else ())
            work = work_of(partial(ruling_make, viewer=viewer, ruling=ruling, hold=False))
            counts.append(work.queries)
    totals = [sum(count.values()) for count in counts]
    # one more if a cache is cold; a query for each correction would add at least two
    assert max(totals) <= QUERIES + 1, counts

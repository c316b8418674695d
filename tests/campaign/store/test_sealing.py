"""Drafts, sealing, receipts and unsealing."""

from __future__ import annotations

import hashlib

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from campaign.errors import AlreadySealed, EditConflict, NothingSealed, StageClosed
from campaign.models import Draft, Faction, Stage, Submission
from campaign.selectors import due
from campaign.selectors.due import STAGE_RESOLVE, task_register
from campaign.services.campaigns import membership_add
from campaign.sight.views import sight_at_stage
from engine.core.canonical import canonical_json
from engine.core.errors import RuleViolations
from tests.sealing import orders_save, orders_seal, orders_unseal
from tests.umpire.services.wars import play_until, resolve_stage, start_campaign
from umpire.services.stages import stage_close

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
NONCE = "00112233445566778899aabbccddeeff"
HOLD = {"schema": 1}


@pytest.fixture
def stage() -> Stage:
    """Return the first week's orders, open."""
    return play_until("orders", start_campaign()[1])


@pytest.fixture
def ember(stage: Stage) -> Faction:
    return Faction.objects.get(key="ember")


def test_outdated_draft_is_refused(stage: Stage, ember: Faction) -> None:
    first = orders_save(stage=stage, faction=ember, payload={"moves": []}, version=0)
    second = orders_save(stage=stage, faction=ember, payload={"docks": []}, version=first.version)
    assert (first.version, second.version) == (1, 2)
    for stale in (0, 1, 3):
        with pytest.raises(EditConflict):
            orders_save(stage=stage, faction=ember, payload={"lost": True}, version=stale)
    assert Draft.objects.get().payload == {"docks": []}


def test_owner_can_recompute_a_receipt(stage: Stage, ember: Faction) -> None:
    receipt = orders_seal(stage=stage, faction=ember, payload=HOLD, nonce=NONCE)
    text = canonical_json(receipt.payload) + bytes.fromhex(NONCE)
    assert receipt.nonce == NONCE
    assert receipt.digest == hashlib.sha256(text).hexdigest()
    assert resolve_stage(stage).row.body["digests"][0] == receipt.digest


def test_nonce_comes_from_the_seed_without_a_client_nonce(stage: Stage, ember: Faction) -> None:
    first = orders_seal(stage=stage, faction=ember, payload=HOLD)
    orders_unseal(stage=stage, faction=ember)
    second = orders_seal(stage=stage, faction=ember, payload=HOLD)
    assert len({first.nonce, second.nonce}) == 2  # the key contains the revision
    assert first.digest != second.digest
    assert (first.revision, second.revision) == (1, 2)


def test_equal_orders_are_sealed_as_equal_text(stage: Stage, ember: Faction) -> None:
    view = sight_at_stage(stage, ember).view
    moves = [
        {"fleet": fleet.key, "to": "0404"} for fleet in view.fleets if "Guard" not in fleet.name
    ]
    first = orders_seal(stage=stage, faction=ember, payload={"moves": moves}, nonce=NONCE)
    orders_unseal(stage=stage, faction=ember)
    second = orders_seal(
        stage=stage, faction=ember, payload={"moves": moves[::-1], "dock": []}, nonce=NONCE
    )
    assert len(moves) == 2
    assert first.digest == second.digest


def test_every_fault_is_named_and_nothing_sealed(stage: Stage, ember: Faction) -> None:
    payload = {"moves": [{"fleet": "frost/f1", "to": "0404"}, {"fleet": "ember/f9", "to": "9999"}]}
    with pytest.raises(RuleViolations) as caught:
        orders_seal(stage=stage, faction=ember, payload=payload, nonce="short")
    places = {violation.where.split(".")[-1].split("[")[0] for violation in caught.value.violations}
    assert len(caught.value.violations) >= 3
    assert "nonce" in places
    assert any(violation.where.startswith("moves[1]") for violation in caught.value.violations)
    assert not Submission.objects.filter(stage=stage).exists()


def test_malformed_orders_are_refused(stage: Stage, ember: Faction) -> None:
    for payload in ("march", None, {"moves": 7}, {"schema": 99}):
        with pytest.raises(RuleViolations):
            orders_seal(stage=stage, faction=ember, payload=payload)
    assert not Submission.objects.filter(stage=stage).exists()


def test_foreign_and_missing_fleets_have_equal_faults(stage: Stage, ember: Faction) -> None:
    faults = []
    for fleet in ("frost/f1", "frost/f999"):
        with pytest.raises(RuleViolations) as caught:
            orders_seal(
                stage=stage, faction=ember, payload={"moves": [{"fleet": fleet, "to": "0404"}]}
            )
        faults.append([(v.code, v.message.replace(fleet, "*")) for v in caught.value.violations])
    assert faults[0] == faults[1]


def test_sealing_again_requires_unsealing(stage: Stage, ember: Faction) -> None:
    receipt = orders_seal(stage=stage, faction=ember, payload=HOLD)
    assert orders_seal(stage=stage, faction=ember, payload=HOLD) == receipt
    with pytest.raises(AlreadySealed):
        orders_seal(stage=stage, faction=ember, payload=HOLD, nonce=NONCE)
    orders_unseal(stage=stage, faction=ember)
    with pytest.raises(NothingSealed):
        orders_unseal(stage=stage, faction=ember)
    assert Submission.objects.filter(stage=stage).count() == 1


def test_closed_stage_accepts_nothing(stage: Stage, ember: Faction) -> None:
    orders_seal(stage=stage, faction=ember, payload=HOLD)
    assert stage_close(stage=stage.pk, force=True)
    with pytest.raises(StageClosed):
        orders_unseal(stage=stage, faction=ember)
    with pytest.raises(StageClosed):
        orders_seal(stage=stage, faction=ember, payload=HOLD, nonce=NONCE)
    with pytest.raises(StageClosed):
        orders_save(stage=stage, faction=ember, payload=HOLD, version=0)


def test_nothing_is_accepted_after_the_deadline(stage: Stage, ember: Faction) -> None:
    orders_seal(stage=stage, faction=ember, payload=HOLD)
    Stage.objects.filter(pk=stage.pk).update(closes=stage.opens)
    with pytest.raises(StageClosed):
        orders_unseal(stage=stage, faction=ember)
    assert timezone.now() > stage.opens


def test_last_seal_enqueues_the_resolution(
    stage: Stage,
    ember: Faction,
    django_capture_on_commit_callbacks: object,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frost, tasks = Faction.objects.get(key="frost"), []
    for faction in (ember, frost):
        user = User.objects.create_user(faction.key)
        membership_add(campaign=stage.branch.campaign, user=user, role="player", faction=faction)
    monkeypatch.setattr(due, "_senders", {})
    task_register(name=STAGE_RESOLVE, sender=lambda name, row: tasks.append((name, row)))
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        orders_seal(stage=stage, faction=ember, payload=HOLD)
    assert tasks == []
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        orders_seal(stage=stage, faction=frost, payload=HOLD)
    assert tasks == [(STAGE_RESOLVE, stage.pk)]

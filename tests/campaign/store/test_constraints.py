"""What the database itself refuses: the invariants of the models."""

from __future__ import annotations

import importlib

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, connection, models, transaction
from django.utils import timezone

from campaign.models import (
    Branch,
    Campaign,
    Faction,
    LedgerRow,
    Membership,
    Report,
    Snapshot,
    Stage,
    Submission,
    View,
)
from tests.umpire.services.wars import resolve_stage, start_campaign

append_only = importlib.import_module("campaign.migrations._append_only")

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> Stage:
    """Return the first orders stage of a war whose deployment is resolved."""
    following = resolve_stage(start_campaign()[1]).next
    assert following is not None
    return following


def is_refused(row: models.Model) -> bool:
    """Return whether the database refuses the row."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        return True
    return False


def copy_of(row: models.Model, **changes: object) -> models.Model:
    values = {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field.name != "id"
    }
    return type(row)(**{**values, **changes})


def test_branch_has_one_unresolved_stage(played: Stage) -> None:
    second = copy_of(played, ordinal=played.ordinal + 1, week=played.week + 1)
    assert is_refused(second)
    assert is_refused(
        copy_of(played, ordinal=played.ordinal + 1, week=played.week + 1, status="closed")
    )


def test_resolved_stage_has_a_snapshot(played: Stage) -> None:
    changes: list[dict[str, object]] = [
        {"status": "resolved"},
        {"status": "open", "to_snapshot_id": played.from_snapshot_id},
    ]
    for change in changes:
        with pytest.raises(IntegrityError), transaction.atomic():
            Stage.objects.filter(pk=played.pk).update(**change)


def test_faction_has_one_active_submission_per_stage(played: Stage) -> None:
    entry = Submission.objects.filter(stage__kind="deploy").first()
    assert entry is not None
    assert is_refused(copy_of(entry, revision=2))
    assert is_refused(copy_of(entry, withdrawn_at=timezone.now()))  # the revision is taken
    assert not is_refused(copy_of(entry, revision=2, withdrawn_at=timezone.now()))


def test_nonces_and_digests_have_full_length(played: Stage) -> None:
    entry = Submission.objects.filter(stage__kind="deploy").first()
    assert entry is not None
    for change in ({"nonce": "ab"}, {"digest": "ab"}, {"revision": 0}, {"source": "nobody"}):
        assert is_refused(
            copy_of(entry, **{"revision": 2, "withdrawn_at": timezone.now(), **change})
        )


def test_snapshot_view_and_ledger_numbers_are_unique_per_branch(played: Stage) -> None:
    for model in (Snapshot, LedgerRow, View):
        row = model._default_manager.first()
        assert row is not None
        assert is_refused(copy_of(row))


def test_ledger_row_has_one_successor(played: Stage) -> None:
    row = LedgerRow.objects.get()
    assert is_refused(copy_of(row, seq=row.seq + 1, stage_id=played.pk, hash="0" * 64))


@pytest.mark.parametrize("model", [Snapshot, View, Report, LedgerRow])
def test_stored_truth_cannot_be_changed(played: Stage, model: type[models.Model]) -> None:
    before = list(model._default_manager.order_by("pk").values())
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        model._default_manager.update(schema=models.F("schema") + 1)
    assert list(model._default_manager.order_by("pk").values()) == before


def test_sealed_orders_can_only_be_withdrawn(played: Stage) -> None:
    entries = Submission.objects.filter(stage__kind="deploy")
    changes: list[dict[str, object]] = [{"payload": {}}, {"digest": "0" * 64}, {"nonce": "0" * 32}]
    for change in changes:
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            entries.update(**change)
    assert entries.update(withdrawn_at=timezone.now()) == 2


def test_seed_cannot_be_changed(played: Stage) -> None:
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Campaign.objects.update(seed="0" * 64)


def test_every_protected_table_has_its_trigger() -> None:
    """This also holds after a migration for which SQLite rebuilds a table."""
    question = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(question)
        names = {name for (name,) in cursor.fetchall()}
    assert {f"{table}_no_update" for table in append_only.PROTECTED} <= names
    fixed = {*append_only.FIXED}
    assert {f"{table}_no_change" for table in fixed} <= names
    kept = (fixed | {*append_only.PROTECTED}) - {*append_only.DELETABLE}
    assert {f"{table}_no_delete" for table in kept} <= names


@pytest.mark.parametrize("table", ["campaign_ledgerrow", "campaign_report", "campaign_stage"])
def test_stored_truth_cannot_be_deleted(played: Stage, table: str) -> None:
    with (
        pytest.raises(IntegrityError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"DELETE FROM {table}")  # the triggers come before foreign keys


@pytest.mark.parametrize(
    "change",
    [
        "campaign_stage SET kind = 'orders' WHERE kind = 'deploy'",
        "campaign_stage SET to_snapshot_id = from_snapshot_id WHERE kind = 'deploy'",
        "campaign_branch SET number = 2",
        "campaign_campaign SET ruleset = '{}'",
    ],
)
def test_what_the_ledger_begins_with_is_fixed(played: Stage, change: str) -> None:
    with (
        pytest.raises(IntegrityError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"UPDATE {change}")


@pytest.fixture
def user() -> User:
    return User.objects.create_user("vera")


def test_players_have_a_faction_and_hosts_none(played: Stage, user: User) -> None:
    campaign, faction = Campaign.objects.get(), Faction.objects.first()
    assert is_refused(Membership(campaign=campaign, user=user, role="player"))
    assert is_refused(Membership(campaign=campaign, user=user, role="umpire", faction=faction))
    assert is_refused(Membership(campaign=campaign, user=user, role="king"))
    assert not is_refused(Membership(campaign=campaign, user=user, role="player", faction=faction))


def test_umpire_never_plays_in_the_same_campaign(played: Stage, user: User) -> None:
    campaign, faction = Campaign.objects.get(), Faction.objects.first()
    Membership.objects.create(campaign=campaign, user=user, role="umpire")
    assert is_refused(Membership(campaign=campaign, user=user, role="player", faction=faction))
    assert is_refused(Membership(campaign=campaign, user=user, role="observer"))
    assert not is_refused(Membership(campaign=campaign, user=user, role="host"))


def test_branch_numbers_are_unique(played: Stage) -> None:
    assert is_refused(copy_of(Branch.objects.get()))

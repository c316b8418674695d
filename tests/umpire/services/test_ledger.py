"""The ledger: one row of the same form for each stage, chained, with every change detected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction

from campaign.api.campaigns import ledger_opening
from campaign.models import Branch, Campaign, LedgerRow, Submission
from campaign.selectors.genesis import genesis_parts, salt_of
from engine.core.canonical import digest
from tests.umpire.services.wars import ATTACK, attack, campaign_of
from umpire.services.ledger import genesis, ledger_faults
from umpire.services.wars import war_run

pytestmark = pytest.mark.django_db
KEYS = {"schema", "week", "stage", "rules_version", "release", "digests", "outcome"}


@pytest.fixture(scope="module")
def fought(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Return a war played to its end, with a battle; created for the module and removed at its end."""
    with django_db_blocker.unblock():
        outer = transaction.atomic()
        outer.__enter__()
        try:
            campaign = campaign_of(seed=3, admirals={"ember": ATTACK})
            war_run(campaign=campaign, progress=lambda resolution: None, admiral=attack)
            yield
        finally:
            transaction.set_rollback(True)
            outer.__exit__(None, None, None)


@pytest.fixture
def branch(fought: None, db: None) -> Branch:
    """Return the branch of that war; changes by a test are rolled back."""
    return Branch.objects.get()


def tamper(table: str, change: str, where: str) -> None:
    """Change a stored row without the triggers noticing, as somebody with database access could."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {table}_no_update")
        else:
            cursor.execute(f"DROP TRIGGER {table}_no_update")
        cursor.execute(f"UPDATE {table} SET {change} WHERE {where}")
        assert cursor.rowcount == 1


def test_played_war_verifies(branch: Branch) -> None:
    assert LedgerRow.objects.filter(branch=branch).count() == branch.stages.count() >= 4
    assert branch.battles.count() >= 1
    assert ledger_faults(branch=branch) == ()


def test_every_row_has_the_same_shape(branch: Branch) -> None:
    """It does not reveal whether anybody met or fought."""
    for row in LedgerRow.objects.filter(branch=branch):
        assert set(row.body) == KEYS
        assert [len(digest) for digest in row.body["digests"]] == [64, 64]
        assert len(row.body["outcome"]) == 64


def test_chain_begins_at_the_published_head(branch: Branch) -> None:
    campaign = Campaign.objects.get()
    rows = list(LedgerRow.objects.order_by("seq"))
    assert rows[0].prev_hash == genesis(campaign)
    assert [row.prev_hash for row in rows[1:]] == [row.hash for row in rows[:-1]]


def test_ledger_does_not_confirm_guesses_of_a_secret_objective(branch: Branch) -> None:
    """The hash of the scenario is in it only together with a salt, which is opened at the end."""
    campaign = Campaign.objects.get()
    parts = genesis_parts(campaign)
    sha256 = campaign.scenario.sha256
    assert parts["scenario"] == digest([salt_of(campaign), sha256])
    assert genesis(campaign) == digest(parts)
    guessed = {**parts, "scenario": sha256}
    assert digest(guessed) != genesis(campaign)
    opening = ledger_opening(campaign)
    assert opening is not None
    assert opening.genesis == parts
    assert digest([opening.salt, digest(opening.scenario)]) == parts["scenario"]
    campaign.seed = "1" * 64
    assert genesis_parts(campaign)["scenario"] != parts["scenario"], "nobody else knows the salt"


def test_wars_that_began_with_older_rules_keep_their_first_hash(branch: Branch) -> None:
    campaign = Campaign.objects.get()
    campaign.ruleset = {**campaign.ruleset, "rules_version": "1.0"}
    assert genesis_parts(campaign)["scenario"] == campaign.scenario.sha256


def test_ledger_and_receipts_do_not_contain_the_seed(branch: Branch) -> None:
    campaign = Campaign.objects.get()
    public = repr([(row.body, row.hash) for row in LedgerRow.objects.all()])
    for secret in (
        campaign.seed,
        campaign.id_secret,
        *Submission.objects.values_list("nonce", flat=True),
    ):
        assert secret not in public


@pytest.mark.parametrize(
    ("table", "change", "where", "fault"),
    [
        (
            "campaign_submission",
            "nonce = '00000000000000000000000000000000'",
            "stage_id = {stage}",
            "do not match",
        ),
        (
            "campaign_submission",
            'payload = \'{{"schema": 1, "x": 2}}\'',
            "stage_id = {stage}",
            "do not match",
        ),
        (
            "campaign_ledgerrow",
            'body = \'{{"digests": [], "outcome": ""}}\'',
            "seq = 1",
            "chain is broken",
        ),
        ("campaign_snapshot", "events = '[]'", "seq = 4", "outcome"),
        ("campaign_snapshot", "world = '{{}}'", "seq = 2", "outcome"),
        ("campaign_view", "body = '{{}}'", "seq = 2 AND faction_id = {faction}", "outcome"),
        (
            "campaign_battlephase",
            "chain = '{zeros}'",
            "seq = (SELECT MAX(seq) FROM campaign_battlephase)",
            "outcome",
        ),
        ("campaign_campaign", "seed = '{zeros}'", "id = id", "outcome"),
    ],
)
def test_tampering_is_found(
    branch: Branch, table: str, change: str, where: str, fault: str
) -> None:
    stage = branch.stages.get(ordinal=1)
    faction = Campaign.objects.get().factions.get(key="frost")
    place = where.format(stage=f"{stage.pk} AND faction_id = {faction.pk}", faction=faction.pk)
    tamper(table, change.format(zeros="0" * 64), place)
    faults = ledger_faults(branch=Branch.objects.get())
    assert any(fault in words for words in faults), faults

"""The ledger: one row of the same form for each stage, chained, with every change detected."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from campaign.access import viewer_of
from campaign.api.campaigns import ledger_opening
from campaign.errors import NotAllowed, NotFound
from campaign.migrations._append_only import FIXED
from campaign.models import (
    Act,
    Branch,
    Campaign,
    Faction,
    Fleet,
    LedgerRow,
    Stage,
    Submission,
    View,
)
from campaign.selectors.entropy import entropy_before, genesis, opening_of
from campaign.selectors.envelopes import sealed_entries_of
from campaign.selectors.genesis import genesis_parts, salt_of
from campaign.selectors.heads import head_at, head_of, past_heads
from campaign.selectors.proofs import leaf_proofs
from campaign.selectors.receipts import ReceiptRows, ReceiptSigner, RowStanding
from campaign.services.campaigns import membership_add
from campaign.store.rewriting import history_rewritable
from campaign.store.signatures import site_key
from engine.core import fair
from engine.core.canonical import digest
from engine.core.merkle import tree_root
from engine.core.signed_notes import Checkpoint
from tests.access.client_requests import clear_caches, roll_back
from tests.campaign.seats.people import person
from tests.growth import work_of
from tests.tampering import disarm, tamper
from tests.umpire.services.wars import ATTACK, attack, campaign_of
from umpire.services.attention import Attention
from umpire.services.checking import campaign_faults
from umpire.services.checks import campaign_check
from umpire.services.ledger import (
    StageDigests,
    is_first_of_schema,
    live_entries,
    row_of,
    stage_entries,
    stage_entropy,
)
from umpire.services.ledger_checks import ledger_faults
from umpire.services.rebuilding import campaign_rebuild
from umpire.services.wars import war_run
from umpire.troubles import _damaged

pytestmark = pytest.mark.django_db
KEYS = {
    *("schema", "branch", "seq", "week", "stage", "again", "rules_version", "release", "source"),
    *("digests", "shares", "closed_at", "round", "past", "outcome", "opening"),
}


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


def test_row_costs_few_queries(branch: Branch, django_assert_max_num_queries: Any) -> None:
    """The row before and the acts are read anyway; seats, sheets, tables and openings cost four more."""
    rows = Stage.objects.select_related("branch__campaign__scenario", "from_snapshot")
    stage = rows.get(kind="battles", week=1)
    keys = ("ember", "frost")
    digests = dict.fromkeys(keys, "0" * 64)
    entries, factions = stage_entries(stage), list(Faction.objects.order_by("key"))
    computed = StageDigests("", "", views=digests, told=digests, battles={})
    with django_assert_max_num_queries(6):
        row = row_of(
            stage,
            computed,
            entries=entries,
            entropy=stage_entropy(stage, live_entries(entries)),
            factions=factions,
            rules_version="1.1",
        )
    assert set(row.body) == KEYS


def test_first_row_after_an_upgrade_covers_what_was_uncovered(branch: Branch) -> None:
    rows = list(LedgerRow.objects.order_by("seq"))
    first, second = rows[0].leaves or {}, rows[1].leaves or {}
    assert rows[0].body["opening"]["genesis"] == rows[0].prev_hash
    assert [row.body["opening"] for row in rows[1:]] == [None] * (len(rows) - 1)
    assert ("first" in first, "first" in second) == (True, False)
    rows[0].schema = 1
    rows[0].body = {"schema": 1}
    assert is_first_of_schema(rows[0])
    assert opening_of(branch, rows[0]) is None
    assert entropy_before(branch, rows[0], None) == rows[0].hash


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
        ("campaign_snapshot", "events = '[]'", "seq = 4", "the events were changed"),
        ("campaign_snapshot", "world = '{{}}'", "seq = 2", "the world was changed"),
        (
            "campaign_view",
            "body = '{{}}'",
            "seq = 2 AND faction_id = {faction}",
            "the view of frost",
        ),
        (
            "campaign_report",
            "body = '{{}}'",
            "seq = 2 AND faction_id = {faction}",
            "the reports to frost",
        ),
        ("campaign_battle", "result = '{{}}'", "week = 1", "the battle 0804/w1/ember+frost"),
        ("campaign_ledgerrow", "setting = '{{}}'", "seq = 1", "seats"),
        ("campaign_ledgerrow", "leaves = '{{}}'", "seq = 1", "the outcome differs"),
        (
            "campaign_battlephase",
            "chain = '{zeros}'",
            "seq = (SELECT MAX(seq) FROM campaign_battlephase)",
            "the battle 0804/w1/ember+frost",
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


def test_faction_can_prove_what_it_knows(branch: Branch) -> None:
    campaign = Campaign.objects.get()
    user = person("flo")
    frost = campaign.factions.get(key="frost")
    membership_add(campaign=campaign, user=user, role="player", faction=frost)
    viewer = viewer_of(user, campaign.public_id)
    names = ["acts", "view/frost", "told/frost", "sheets/frost", "entry/frost"]
    for row in LedgerRow.objects.select_related("stage").order_by("seq"):
        _, proofs = leaf_proofs(viewer, row.seq, timezone.now())
        fought = []
        if row.stage.kind == "battles":
            for battle in branch.battles.filter(week=row.stage.week):
                fought.append(f"battle/{battle.key}")
        assert [proof.name for proof in proofs] == [*names, *fought]
        for proof in proofs:
            leaf = fair.outcome_leaf(proof.blind, proof.name, proof.digest)
            root = fair.outcome_from_proof(leaf, proof.index, proof.size, proof.hashes)
            assert root == row.body["outcome"]
        view = branch.views.get(seq=row.seq + 1, faction=frost)
        assert proofs[1].digest == view.sha256
    with pytest.raises(NotFound):
        leaf_proofs(viewer, 99, timezone.now())
    Stage.objects.update(publishes_at=timezone.now() + timedelta(hours=1))
    with pytest.raises(NotFound):
        leaf_proofs(viewer, 0, timezone.now())


# Statements that damage a war: whether the database refuses them, what a check says, and whether
# the damage can be mended.
DAMAGE = (
    ("UPDATE campaign_snapshot SET world = '{}' WHERE seq = 2", True, "the world", True),
    ("UPDATE campaign_snapshot SET events = '[]' WHERE seq = 4", True, "the events", True),
    ("UPDATE campaign_view SET body = '{}' WHERE seq = 2", True, "the view of", True),
    ("DELETE FROM campaign_view WHERE seq = 4", True, "is missing", True),
    ("UPDATE campaign_report SET body = '{}' WHERE seq = 4", True, "the reports to", True),
    ("DELETE FROM campaign_report", True, "is missing", True),
    ("UPDATE campaign_battle SET result = '{}' WHERE week = 1", True, "the battle", True),
    ("UPDATE campaign_fleet SET hex = '0101'", False, "the lists for search", True),
    ("DELETE FROM campaign_ship", False, "the lists for search", True),
    (
        "DELETE FROM campaign_ledgerrow WHERE seq = (SELECT MAX(seq) FROM campaign_ledgerrow)",
        *(True, "the stage has no row", False),
    ),
    ("UPDATE campaign_ledgerrow SET leaves = '{}' WHERE seq = 1", True, "the outcome", False),
    ("UPDATE campaign_submission SET source = 'default'", True, "who sealed", False),
    ("UPDATE campaign_submission SET payload = '{}'", True, "orders do not match", False),
    ("DELETE FROM campaign_submission", True, "the digests are not those", False),
    ("UPDATE campaign_battlephase SET events = '[]'", True, "was changed", False),
    ("DELETE FROM campaign_battlephase", True, "was changed", False),
    ("UPDATE campaign_battle SET start = '{}' WHERE week = 1", True, "phase 0", False),
    (f"UPDATE campaign_campaign SET seed = '{'0' * 64}'", True, "the seed", False),
    ("UPDATE campaign_campaign SET ruleset = '{}'", True, "cannot be read", False),
    (
        "UPDATE campaign_branch SET head_id = (SELECT MIN(id) FROM campaign_snapshot)",
        *(False, "the newest world", True),
    ),
)


def test_database_refuses_damage_to_the_history(branch: Branch) -> None:
    """Every database has triggers of its own."""
    for statement, is_refused, *_ in DAMAGE:
        refused = False
        try:
            with roll_back(), connection.cursor() as cursor:
                cursor.execute(statement)
        except DatabaseError:
            refused = True
        assert refused == is_refused, statement


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("statement", "is_refused", "words", "is_mended"), DAMAGE, ids=[case[0] for case in DAMAGE]
)
def test_damage_is_found_and_mended(
    branch: Branch, statement: str, is_refused: bool, words: str, is_mended: bool
) -> None:
    clear_caches()
    if is_refused:
        disarm(re.findall(r"campaign_\w+", statement)[0])
    with connection.cursor() as cursor:
        cursor.execute(statement)
    campaign = Campaign.objects.get()
    faults = campaign_faults(campaign)
    assert any(words in fault.text for fault in faults), faults
    rebuilding = campaign_rebuild(campaign=campaign)
    assert bool(rebuilding.rebuilt) == is_mended, rebuilding
    assert (rebuilding.faults == ()) == is_mended, rebuilding
    if is_mended:
        assert Act.objects.get(verb="rebuild").body["facts"] == {
            "rebuilt": list(rebuilding.rebuilt)
        }
        assert ledger_faults(branch=Branch.objects.get()) == ()


@pytest.mark.any_database
def test_command_checks_and_plays_again(branch: Branch, capsys: Any) -> None:
    clear_caches()
    campaign = Campaign.objects.get()
    call_command("verify_campaign", str(campaign.public_id), deep=True, json=True)
    found = json.loads(capsys.readouterr().out)
    assert (found["exit"], found["faults"], found["deep"]) == (0, [], [])
    Fleet.objects.update(hex="0101")
    for arguments in ([str(campaign.public_id)], ["--all"]):
        with pytest.raises(CommandError) as refused:
            call_command("verify_campaign", *arguments)
        assert refused.value.returncode == 1
    assert "--repair" in capsys.readouterr().out
    call_command("verify_campaign", "--all", repair=True)
    assert "computed again: projection" in capsys.readouterr().out
    for arguments in ([], ["x"], ["x", "--all"]):
        with pytest.raises(CommandError) as refused:
            call_command("verify_campaign", *arguments)
        assert refused.value.returncode == 2


def test_head_follows_from_the_public_rows_and_is_signed(branch: Branch, client: Client) -> None:
    campaign = Campaign.objects.get()
    hashes = [bytes.fromhex(row.hash) for row in LedgerRow.objects.order_by("seq")]
    head = head_of(campaign)
    assert head is not None
    assert head.checkpoint == Checkpoint(
        f"localhost/war/{campaign.public_id}/1", len(hashes), tree_root(hashes)
    )
    key = client.get("/.well-known/blindjump-key").content.decode().strip()
    assert_signed(head.note, key)
    text = head.note.replace(f"\n{len(hashes)}\n", f"\n{len(hashes) - 1}\n")
    with pytest.raises(InvalidSignature):
        assert_signed(text, key)


def test_heads_grow_when_outcomes_become_public(branch: Branch) -> None:
    """Before that instant nothing shows that a row is written."""
    rows = list(LedgerRow.objects.select_related("stage").order_by("seq"))
    campaign = Campaign.objects.get()
    instant = rows[2].stage.publishes_at
    assert instant is not None
    Stage.objects.filter(ordinal__gt=2).update(publishes_at=instant + timedelta(hours=1))
    before = head_at(campaign, branch, instant - timedelta(seconds=1))
    after = head_at(campaign, branch, instant)
    assert after is not None
    assert after.checkpoint.size == 3
    assert before is None or before.checkpoint.size < 3
    assert past_heads(campaign, branch).at(instant) == after.checkpoint


def test_receipts_are_signed_and_stay_the_same(branch: Branch) -> None:
    campaign = Campaign.objects.get()
    row = Submission.objects.select_related("stage", "faction").order_by("pk")[0]
    receipt = ReceiptSigner(campaign).receipt_of_row(row)
    assert receipt == ReceiptSigner(campaign).receipt_of_row(row)
    assert receipt.notes == (receipt.sealing,)
    assert_signed(receipt.sealing, site_key().verifier)
    assert receipt.sealing.split("\n")[:6] == [
        f"localhost/war/{campaign.public_id}/receipt",
        f"1/0/0/{row.faction.key}/1",
        row.digest,
        f"sealed {row.sealed_at:%Y-%m-%dT%H:%M:%SZ}",
        "after -",
        f"head 0 {tree_root([]).hex()}",
    ]
    row.withdrawn_at = row.sealed_at + timedelta(minutes=1)
    unsealing = ReceiptSigner(campaign).receipt_of_row(row, battle="b").unsealing
    assert_signed(unsealing, site_key().verifier)
    assert unsealing.split("\n")[1] == f"1/b/0/0/{row.faction.key}/1"
    assert f"\nunsealed {row.withdrawn_at:%Y-%m-%dT%H:%M:%SZ}\n" in unsealing
    signing = work_of(lambda: ReceiptSigner(campaign).receipt_of_row(row))
    assert signing.queries.total() == 1
    assert signing.steps.total() < 2000  # a query that Django composes takes many thousands


def test_row_shows_whether_it_counts_what_was_sealed_and_unsealed(branch: Branch) -> None:
    campaign = Campaign.objects.get()
    faction = Faction.objects.get(key="ember")
    entry = sealed_entries_of(campaign, faction)[-1]
    other = replace(entry, receipt=replace(entry.receipt, digest="0" * 64))
    rows = ReceiptRows(campaign)
    now = timezone.now()
    assert rows.standing(entry) == (RowStanding.STANDS, 0)
    assert rows.standing(other) == (RowStanding.DIFFERS, 0)
    assert rows.standing(replace(other, withdrawn_at=now)) == (RowStanding.UNSEALED, 0)
    assert rows.standing(replace(entry, withdrawn_at=now)) == (RowStanding.COUNTS, 0)


def assert_signed(note: str, verifier: str) -> None:
    """Check a note as another program does, with the published key."""
    name, key_id, encoded = verifier.split("+", 2)
    text, line = note.split("\n\n")
    mark, signer, signature = line.split()
    signed = base64.b64decode(signature)
    assert (mark, signer, signed[:4].hex()) == ("\u2014", name, key_id)
    public = Ed25519PublicKey.from_public_bytes(base64.b64decode(encoded)[1:])
    public.verify(signed[4:], f"{text}\n".encode())


@pytest.mark.postgres
def test_role_of_the_site_plays_a_war_and_cannot_change_its_history(db: None) -> None:
    """Its grants refuse what the triggers refuse, also without triggers."""
    out = io.StringIO()
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE blindjump_tester")
        call_command("grants", "blindjump_tester", stdout=out)
        cursor.execute(out.getvalue())
        cursor.execute("SET LOCAL ROLE blindjump_tester")
    clear_caches()
    campaign = campaign_of(seed=3, admirals={"ember": ATTACK})
    war_run(campaign=campaign, progress=lambda resolution: None, admiral=attack)
    campaign.refresh_from_db()
    assert campaign_faults(campaign) == []
    for statement, is_refused, _, _ in DAMAGE:
        table = re.findall(r"campaign_\w+", statement)[0]
        is_guarded = is_refused and (table not in FIXED or statement.startswith("DELETE"))
        outcome = pytest.raises(DatabaseError) if is_refused else nullcontext()
        with outcome as caught, transaction.atomic(), connection.cursor() as cursor:
            if is_guarded:
                cursor.execute("SELECT set_config('blindjump.rewritable', 'on', true)")
            cursor.execute(statement)
        if is_guarded and caught is not None:
            assert "permission denied" in str(caught.value), statement
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")
        with history_rewritable():
            View.objects.filter(branch=campaign.head_branch, seq=1).update(sha256="0" * 64)
        cursor.execute("SET LOCAL ROLE blindjump_tester")
    with pytest.raises(NotAllowed, match="ask the operator"):
        campaign_rebuild(campaign=campaign)
    check = campaign_check(campaign=campaign, deep=False)
    (trouble,) = _damaged(campaign, Attention(damaged=check))
    assert ("ask the operator" in trouble.words, trouble.href) == (True, "")
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")
    assert campaign_rebuild(campaign=campaign).rebuilt

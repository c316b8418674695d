"""Archives of wars in the database are proven: of captains, online, at a table."""

from __future__ import annotations

import gzip
import hmac
import io
import json
import subprocess
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from campaign.access import viewer_of
from campaign.kinds import BranchDice
from campaign.models import BattlePhase, Campaign, LedgerRow, Stage, Submission, View
from campaign.selectors.heads import head_at, head_of
from campaign.selectors.receipts import ReceiptSigner
from campaign.services.campaigns import membership_add
from campaign.services.table_records import entries_write
from campaign.store.rewriting import history_rewritable
from campaign.store.signatures import sign_text
from campaign.store.war_dice import war_dice
from engine.core.canonical import digest
from engine.core.errors import RuleViolations
from engine.core.fair import nonce_of_word, orders_digest, row_hash
from proof.__main__ import verify_file
from proof.archive import Line, archive_bytes, archive_line, read_lines
from proof.check import Options, Verdict, check
from proof.derived import with_derived
from proof.findings import Exit, Level
from proof.table_dice import site_rolls
from tests.proof.archived import NODE, page_answer, page_verdicts
from tests.proof.faction_parts import assert_side_proves_its_part
from tests.proof.forgeries import answer_of_page
from tests.sealing import orders_seal, orders_unseal
from tests.umpire.services.online_war import OnlineWar
from tests.umpire.services.table_war import TableWar
from tests.umpire.services.wars import (
    ATTACK,
    attack,
    campaign_at,
    campaign_of,
    play_until,
    resolve_stage,
)
from umpire.adjudication.umpire_events import UmpireEvent
from umpire.services.archives import archive_lines
from umpire.services.checking import campaign_faults
from umpire.services.faction_archives import faction_archive
from umpire.services.history import Place, head_place, history_take_back
from umpire.services.luck import luck_of
from umpire.services.reveal import seeds_reveal
from umpire.services.umpire_events import umpire_event_write
from umpire.services.wars import war_run

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def archive_so_far(campaign: Campaign) -> bytes:
    """Return the archive that a war would have if it ended now."""
    campaign.refresh_from_db()
    lines = with_derived(archive_lines(campaign))
    return b"".join(archive_bytes(archive_line(line.kind, line.body) for line in lines))


def verdict_so_far(
    campaign: Campaign, receipts: Sequence[str] = (), heads: Sequence[str] = ()
) -> Verdict:
    """Return the verdict on the archive that a war would have if it ended now."""
    data = archive_so_far(campaign)
    # The admirals of these tests are not those of the program.
    options = Options(level=Level.WEEKS, receipts=receipts, heads=heads)
    return check(read_lines(io.BytesIO(data)), options)


def assert_proven_so_far(campaign: Campaign) -> Verdict:
    verdict = verdict_so_far(campaign)
    assert verdict.differences == []
    assert verdict.unreadable is None
    assert verdict.exit in (Exit.PROVEN, Exit.AS_FAR_AS_SHOWN)
    return verdict


def test_command_writes_an_archive_of_a_finished_war(tmp_path: Path) -> None:
    campaign = campaign_of(seed=3, admirals={"ember": ATTACK})
    with pytest.raises(CommandError):
        call_command("archive", str(campaign.public_id), str(tmp_path / "war.jsonl"))
    assert seeds_reveal(now=timezone.now()) == 0
    war_run(campaign=campaign, progress=lambda _: None, admiral=attack)
    file = tmp_path / "war.jsonl.gz"
    call_command("archive", "--newest", str(file))
    assert seeds_reveal(now=timezone.now()) == 0  # the command has published it
    verdict = verify_file(file, Options(level=Level.WEEKS))
    assert verdict.exit == Exit.PROVEN, verdict.differences
    assert verdict.counts.battles >= 1
    assert verdict.counts.dice_proven == verdict.counts.dice > 0
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    assert page_verdicts([str(file)])[0] == {"fault": None, "dice": verdict.counts.dice}
    assert_dice_follow_from_the_key_of_their_battle(file)
    assert_both_verifiers_check_the_last_row(file)


def assert_both_verifiers_check_the_last_row(file: Path) -> None:
    """Change the row that publishes the seed; the hashes around it fit."""
    assert verify_file(file, Options(level=Level.INTEGRITY)).has_end_row
    *lines, end_row = gzip.decompress(file.read_bytes()).splitlines(keepends=True)[:-1]

    def forge(name: str, **changes: Any) -> Path:
        line = json.loads(end_row)
        body, act = line["body"], line["act"]
        facts = act["facts"]
        facts["seed"] = changes.pop("seed", facts["seed"])
        body.update(seed=facts["seed"], act=digest(act), **changes)
        line["hash"] = row_hash(line["prev_hash"], body)
        forged = file.with_name(name)
        forged.write_bytes(b"".join(archive_bytes([*lines, archive_line(line.pop("kind"), line)])))
        return forged

    files = [
        forge("same.jsonl"),
        forge("seed.jsonl", seed="5c" * 32),
        forge("head.jsonl", head={"size": 1, "root": "0" * 64}),
    ]
    words = [verdict["fault"] for verdict in page_answer([str(path) for path in files])["verdicts"]]
    assert [fault and fault["words"] for fault in words] == [
        None,
        "the last row publishes another seed",
        "the last row is another",
    ]
    same, *forged = [verify_file(path, Options(level=Level.INTEGRITY)) for path in files]
    assert same.exit == Exit.PROVEN
    assert [verdict.exit for verdict in forged] == [Exit.DIFFERS, Exit.DIFFERS]
    assert {verdict.differences[0].line for verdict in forged} == {len(lines) + 1}


def assert_dice_follow_from_the_key_of_their_battle(file: Path) -> None:
    """Recompute the dice of a battle from its key alone, with nothing of this program."""
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    throws = [line for line in lines if line["kind"] == "throws"]
    battle = next(line["context"] for line in throws if line["context"][-1][0] == "battle")
    key = bytes.fromhex(lines[0]["seed"])
    for names in battle:
        key = hmac.digest(key, _json(names), "sha256")
    dice = []
    for line in throws:
        if line["context"] == battle:
            dice += [(line["place"], die) for die in line["dice"]]
    assert dice
    for place, (purpose, subject, number, sides, value) in dice:
        assert _die(key, [place, purpose, subject, number], sides) == value


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def _die(key: bytes, message: list[Any], sides: int) -> int:
    block = hmac.digest(key, _json(message), "sha256")
    return next(byte for byte in block if byte < 256 - 256 % sides) % sides + 1


@pytest.mark.parametrize(("fleeing", "rules"), [("", "1.1"), ("frost", "1.0")])
def test_online_battle_is_proven(fleeing: str, rules: str) -> None:
    war = OnlineWar(rules=rules)
    war.play(most=6, fleeing=fleeing)
    resolve_stage(Stage.objects.get(pk=war.stage.pk))
    verdict = assert_proven_so_far(war.campaign)
    assert verdict.counts.battles == 1
    assert verdict.counts.dice_proven == verdict.counts.dice > 0


def test_receipts_are_compared_with_the_archive(tmp_path: Path) -> None:
    war = OnlineWar(rules="1.1")
    ember = war.factions["ember"]
    word, share = "5a" * 32, "5c" * 32
    nonce = nonce_of_word(word)
    orders_seal(stage=war.stage, faction=ember, payload={"schema": 1}, nonce=nonce)
    for wrong in (share, word[:-2], word.upper()):
        with pytest.raises(RuleViolations, match="withdrawal word"):
            orders_unseal(stage=war.stage, faction=ember, word=wrong)
    orders_unseal(stage=war.stage, faction=ember, word=word)
    with pytest.raises(RuleViolations):
        orders_seal(stage=war.stage, faction=ember, payload={"schema": 1}, share="5C" * 32)
    orders_seal(stage=war.stage, faction=ember, payload={"schema": 1, "set_up": []}, share=share)
    resolve_stage(Stage.objects.get(pk=war.stage.pk))
    war.campaign.refresh_from_db()
    signer = ReceiptSigner(war.campaign)
    rows = Submission.objects.filter(stage=war.stage, faction__key="ember").order_by("revision")
    notes: list[str] = []
    for row in rows.select_related("stage", "faction"):
        notes += signer.receipt_of_row(row).notes
    assert f"Z word {word}\n" in notes[1]
    denied = signer.receipt_of_row(replaced(rows[0], digest="0" * 64)).sealing
    forged = notes[0].replace("sealed 20", "sealed 19")
    now = Stage.objects.get(branch=war.stage.branch_id, battle__isnull=True, status="open")
    later_row = replaced(rows[1])
    later_row.stage = now
    later = signer.receipt_of_row(later_row).sealing
    findings = verdict_so_far(war.campaign, ["\n".join(notes), denied, forged]).findings
    assert [finding.holds for finding in findings] == [True, True, True, False, False]
    body = LedgerRow.objects.get(stage=war.stage).body
    server = war_dice(war.stage.branch).share(war.stage.ordinal, "frost")
    assert body["shares"] == [share, server]
    assert orders_digest(rows[1].payload, rows[1].nonce, share) == body["digests"][0]
    assert "was withdrawn before row" in findings[0].words
    assert "with its word" in findings[0].words
    assert "stands in row" in findings[2].words
    assert "contradicted" in findings[3].words
    assert "has not signed" in findings[4].words
    archive = tmp_path / "war.jsonl"
    archive.write_bytes(archive_so_far(war.campaign))
    kept = tmp_path / "receipts.txt"
    kept.write_text("\n".join([*notes, denied, forged]), encoding="utf-8")
    by_page = answer_of_page([archive, kept])["kept"][0]
    codes = ["unsealed", "unsealed", "stands", "missing", "not-signed"]
    assert [finding["code"] for finding in by_page] == codes
    forged_word = archive.read_bytes().replace(word.encode(), share.encode()).splitlines(True)[:-1]
    archive.write_bytes(b"".join(archive_bytes(forged_word)))
    verdict = verify_file(archive, Options(level=Level.WEEKS))
    assert "withdrawal word" in verdict.differences[0].words
    (fault,) = [answer["fault"] for answer in page_answer([str(archive)])["verdicts"]]
    assert fault["line"] == verdict.differences[0].line
    archive.write_bytes(b"".join(faction_archive(war.campaign, ember)))
    own = verify_file(archive, Options(receipts=["\n".join(notes), denied, later, forged]))
    assert [finding.holds for finding in own.findings] == [True, True, True, False, True, False]
    assert "if the site changed its key" in own.findings[5].words
    kept.write_text("\n".join([*notes, denied, later, forged]), encoding="utf-8")
    by_page = answer_of_page([archive, kept])["kept"][0]
    assert [finding["code"] for finding in by_page] == [*codes[:4], "not-here", "not-signed-now"]
    text = notes[2].partition("\n\n")[0].rpartition("\n")[0]
    after = sign_text(f"{text}\nhead 99 {'0' * 64}\n")
    heads = ["99 · 4F7A-91C2-0B3E", "1 · 4F7A-91C2-0B3E"]
    own = verify_file(archive, Options(receipts=[after], heads=heads))
    assert [finding.holds for finding in own.findings] == [True, True, True]
    assert "one that began later may" in own.findings[1].words
    assert "stands in row" in own.findings[2].words
    pasted = [kept.with_name("heads.txt"), kept]
    pasted[0].write_text("\n".join(heads), encoding="utf-8")
    pasted[1].write_text(after, encoding="utf-8")
    by_page = answer_of_page([archive, *pasted])["kept"]
    assert [finding["code"] for finding in by_page[0]] == ["elsewhere", "elsewhere"]
    assert [finding["code"] for finding in by_page[1]] == ["stands"]


def test_receipt_contradicts_an_owner_who_replaced_an_entry() -> None:
    """The entry is gone, and everything after it was computed and chained with the default."""
    campaign, stage = campaign_at("orders")
    ember = campaign.factions.get(key="ember")
    orders_seal(stage=stage, faction=ember, payload={"schema": 1}, share="5c" * 32)
    row = Submission.objects.select_related("stage", "faction").get(stage=stage)
    receipt = ReceiptSigner(campaign).receipt_of_row(row).sealing
    with history_rewritable():
        row.delete()
    resolve_stage(stage)
    verdict = verdict_so_far(campaign, [receipt])
    assert verdict.differences == []
    assert verdict.exit == Exit.CONTRADICTED
    assert "contradicted: the site signed at" in verdict.findings[0].words


def replaced(row: Submission, **changes: str) -> Submission:
    """Return a row with changes that are not stored."""
    for name, value in changes.items():
        setattr(row, name, value)
    return row


def test_battle_at_a_table_is_proven_up_to_what_people_entered(tmp_path: Path) -> None:
    """With dice that the site rolled: reserved, shown, and one throw that was never shown."""
    war = TableWar()
    entries = [
        {"kind": "throw", "about": "Beams", "dice": 3},
        {"kind": "throw", "about": "Torpedoes", "dice": 1},
        {"kind": "reveal", "number": 1},
    ]
    for number, entry in enumerate(entries):
        key = str(uuid.UUID(int=number))
        entries_write(
            table=war.table("ember"), faction=war.factions["ember"], entries=[(key, entry)]
        )
    war.seal_same()
    resolve_stage(Stage.objects.get(pk=war.stage.pk))
    counts = assert_proven_so_far(war.campaign).counts
    assert counts.trusted_results == 1
    assert (counts.unshown_throws, counts.one_step_throws) == (1, 0)
    lines = archive_so_far(war.campaign).splitlines(keepends=True)[:-1]
    files = [tmp_path / f"{name}.jsonl" for name in ("true", "forged")]
    files[0].write_bytes(b"".join(archive_bytes(lines)))
    asked = b'"about":"Torpedoes","dice":1'
    forged = [line.replace(asked, asked.replace(b"1", b"2")) for line in lines]
    files[1].write_bytes(b"".join(archive_bytes(forged)))
    true, forgery = answer_of_page(files)["verdicts"]
    assert (true["fault"], true["unshownThrows"], true["oneStepThrows"]) == (None, 1, 0)
    assert forgery["fault"]["template"] == "the leaf {} is not what the lines say"
    assert verify_file(files[1], Options(level=Level.INTEGRITY)).differences


@pytest.mark.parametrize("cheat", ["other dice", "not reserved", "in one step"])
def test_site_that_cheats_with_dice_of_tables_is_found(cheat: str) -> None:
    """It writes such entries while the war goes on, so the chain over the record has them."""
    throw = {"kind": "reserved", "number": 1, "about": "Beams", "dice": 2}
    dice = {"kind": "dice", "number": 1, "about": "Beams", "rolls": [3, 4], "by": "site"}
    entries = [throw, dice]
    if cheat == "other dice":
        throw["dice"] = 3
    elif cheat == "not reserved":
        entries = [dice]
    elif cheat == "in one step":
        dice.pop("number")
    lines = []
    for number, entry in enumerate(entries, start=1):
        body = {"number": number + 7, "faction": "ember", "body": entry}
        lines.append(Line(number, "table-entry", body))
    (roll,) = site_rolls(lines)
    faults = {
        "other dice": "other dice were reserved",
        "not reserved": "these dice were not reserved",
        "in one step": "",
    }
    assert roll.fault == faults[cheat]
    assert roll.is_in_one_step == (cheat in ("not reserved", "in one step"))
    script = (
        "import { siteRolls } from './proof/page/tables.js';"
        "console.log(JSON.stringify(siteRolls(JSON.parse(process.argv[1]))));"
    )
    data = json.dumps([line._asdict() for line in lines])
    command = [sys.executable, "-c", NODE, "--input-type=module", "-e", script, data]
    answer = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert answer["rolls"][0]["fault"] == roll.fault
    assert (answer["rolls"][0]["first"] is None) == (roll.first is roll.line)


def roll_back(campaign: Campaign, to: Place, dice: BranchDice = BranchDice.FRESH) -> Stage:
    """Roll a war back as an umpire, and return the stage that is open then."""
    user, _ = User.objects.get_or_create(username="uma")
    if not campaign.memberships.filter(user=user).exists():
        membership_add(campaign=campaign, user=user, role="umpire")
    viewer = viewer_of(user, campaign.public_id)
    head = head_place(viewer.campaign)
    branch = history_take_back(viewer=viewer, to=to, head=head, dice=dice, reason="a mistake")
    return Stage.objects.get(branch=branch, battle__isnull=True)


def test_all_timelines_of_a_war_are_proven(tmp_path: Path) -> None:
    """Rolled back from orders and from battles, undone, and once more with the same dice."""
    campaign, stage = campaign_at("orders", seed=5, admirals={"ember": ATTACK})
    ember = campaign.factions.get(key="ember")
    following = resolve_stage(play_until("battles", stage)).next
    assert following is not None
    start = stage.ordinal
    orders_seal(stage=following, faction=ember, payload={"schema": 1})
    stage = roll_back(campaign, Place(1, 0))  # leaves a battle, and a stage that one side sealed
    play_until("decisions", stage)
    roll_back(campaign, Place(1, following.ordinal))  # back to the end of the first timeline
    roll_back(campaign, Place(3, start), BranchDice.SAME)
    campaign.refresh_from_db()
    war_run(campaign=campaign, progress=lambda _: None, admiral=attack)
    rows = LedgerRow.objects.filter(branch__campaign=campaign)
    left_rows = rows.filter(stage__status="left").order_by("branch__number")
    assert list(left_rows.values_list("branch__number", flat=True)) == [1, 2, 3]
    assert campaign_faults(campaign) == []
    left = left_rows[0]
    assert len(left.body["digests"]) == len(set(left.body["digests"])) == 2
    assert set(left.leaves or {}) >= {"left", "entry/ember"}
    assert "entry/frost" not in (left.leaves or {})
    file = tmp_path / "war.jsonl"
    call_command("archive", str(campaign.public_id), str(file))
    verdict = verify_file(file, Options(level=Level.WEEKS, luck=True))
    assert verdict.differences == []
    assert verdict.exit == Exit.PROVEN
    assert (verdict.counts.rows, verdict.counts.rollbacks) == (rows.count(), 3)
    (page,) = page_answer([str(file)])["verdicts"]
    assert page["fault"] is None
    assert campaign.head_branch is not None
    assert verdict.luck is not None
    shown = luck_of(campaign.head_branch).lines  # of the page on the site
    assert BattlePhase.objects.filter(battle__branch__number=1).exists()  # one that is left out
    for account in (verdict.luck.to_json()["lines"], page["luck"]["lines"]):
        # The site orders battles by other ids
        assert sorted(line["dice"] for line in account) == sorted(line.dice for line in shown)
    assert page["head"] == head_of(campaign).short_name  # type: ignore[union-attr]
    note = head_at(campaign, campaign.branches.get(number=1), timezone.now())
    assert note is not None
    own = assert_side_proves_its_part(campaign, "ember", tmp_path)
    named = tmp_path / "own.jsonl"
    call_command("archive", str(campaign.public_id), str(named), "--for", "faction=ember")
    assert len(named.read_bytes().splitlines()) == len(own.splitlines())
    heads = Options(level=Level.INTEGRITY, heads=[note.note, note.short_name])
    assert verify_file(file, heads).exit == Exit.PROVEN


def test_events_of_umpires_are_proven() -> None:
    campaign, stage = campaign_at("battles")
    umpire = User.objects.create_user("ulla")
    membership_add(campaign=campaign, user=umpire, role="umpire")
    viewer = viewer_of(umpire, campaign.public_id)
    view = View.objects.filter(branch__campaign=campaign, faction__key="ember").latest("seq")
    ship_class = view.body["body"]["ships"][0]["cls"]
    for event in (
        UmpireEvent("rumour", ("ember",), 2, "orders", text="Smoke over {Frost}"),
        UmpireEvent(
            "contact",
            ("ember",),
            2,
            "decisions",
            hex="0804",
            power="frost",
            counts=(("cruiser", 2),),
        ),
        UmpireEvent(
            "reinforcements",
            ("frost",),
            2,
            "orders",
            hex="0504",
            name="Relief",
            ships=((ship_class, 2),),
        ),
    ):
        umpire_event_write(viewer=viewer, event=event)
    following = resolve_stage(stage).next
    assert following is not None
    resolve_stage(following)
    assert_proven_so_far(campaign)
    lines = [line for line in archive_lines(campaign) if line.kind == "act"]
    assert {line.body["audience"] for line in lines} == {"umpires"}

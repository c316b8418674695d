"""The verifier of the offline page agrees with the Python one, with which it shares no code."""

from __future__ import annotations

import base64
import gzip
import json
import re
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from campaign.rules.beacon import SignedRound, round_after, unsigned_rounds
from engine.battle import begin, fight
from engine.core import fair
from engine.core.canonical import digest
from engine.core.dice import Dice, Roll, keyed_die
from engine.core.merkle import tree_root
from engine.luck import FoughtBattle, luck_account
from engine.notation.battles import read_battle
from proof import html_page
from proof.__main__ import main, verify_file
from proof.check import Options
from tests.engine.frozen.fighting import Case, document
from tests.engine.luck_events import small_battle
from tests.proof.archived import (
    EVACUATION,
    VECTORS,
    Body,
    changed,
    kept_lines,
    verdict_of,
    whole,
)
from tests.proof.forgeries import (
    answer_of_page,
    forgeries,
    found_by_page,
    found_by_python,
)

FOLDER = Path(html_page.__file__).parent / "page"
# The English words of a fault in the verifier, and its key in a table of translations.
FAULT = re.compile(r'(?:ArchiveFault\(|\bexpect\(|\bwords = )\s*(?:[\w.() +]+,\s*)*?"([^"\n]+)"')
KEY = re.compile(r'^    "([^"\n]+)":', re.MULTILINE)
PART = 13  # one of so many forgeries is planted here


def vectors() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(VECTORS.read_text(encoding="utf-8"))
    return found


def test_python_computes_the_published_vectors() -> None:
    cases = vectors()
    for case in cases["digests"]:
        assert digest(case["value"]) == case["sha256"]
    for case in cases["keyed"]:
        assert fair.keyed(case["secret"], *case["key"]).hex() == case["hmac"]
    for case in cases["orders"]:
        assert (
            fair.orders_digest(case["payload"], case["nonce"], case.get("share")) == case["digest"]
        )
    for case in cases["words"]:
        assert fair.nonce_of_word(case["word"]) == case["nonce"]
    for case in cases["dice"]:
        *context, place, purpose, subject, number = case["key"]
        roll = Roll(place, purpose, subject, number, case["sides"], 0)
        assert keyed_die(bytes.fromhex(case["seed"]), context, roll) == case["value"]
    for case in cases["key_tree"]:
        assert fair.key_of(case["seed"], case["path"]).hex() == case["key"]
        key, context = fair.die_key(case["seed"], case["path"])
        for place, purpose, subject, number, sides, value in case["dice"]:
            roll = Roll(place, purpose, subject, number, sides, 0)
            assert keyed_die(key, context, roll) == value
    for case in cases["entropy"]:
        facts = (case["last"], case["number"], case["digests"], case["shares"], case["beacon"])
        assert fair.entropy_link(*facts) == case["link"]
    signed = [SignedRound(case["round"], case["signature"]) for case in cases["beacons"]]
    for case, found in zip(cases["beacons"], signed, strict=True):
        assert round_after(datetime.fromisoformat(case["closed_at"])) == found.round
        assert found.randomness == case["randomness"]
    assert unsigned_rounds(signed) == []
    other = SignedRound(124, signed[1].signature)
    assert unsigned_rounds([signed[0], other]) == [other]
    assert sys.getrecursionlimit() < 10_000, "nested JSON would end the process"
    for case in cases["trees"]:
        assert tree_root([bytes.fromhex(leaf) for leaf in case["leaves"]]).hex() == case["root"]
    for case in cases["outcomes"]:
        keys = fair.OutcomeKeys(case["blind"], case["place"])
        assert fair.outcome_tree(keys, case["leaves"], case["slots"]).root == case["root"]


def _change_view(body: Body) -> None:
    body["document"]["body"]["week"] = 9


def _change_die(body: Body) -> None:
    body["dice"][0][4] = body["dice"][0][4] % body["dice"][0][3] + 1


def _change_source(body: Body) -> None:
    body["source"] = "player"


def test_page_agrees_on_vectors_archives_and_forgeries(tmp_path: Path) -> None:
    forged = {}
    for name, (kind, change, skip) in {
        "view": ("view", _change_view, 6),
        "die": ("throws", _change_die, 1),
        "source": ("entry", _change_source, 3),
        "chain": ("stop", lambda body: body["events"].pop(), 2),
        "head": ("row", lambda body: body.update(hash="0" * 64), 4),
    }.items():
        lines, number = changed(kind, change, skip)
        file = tmp_path / f"{name}.jsonl"
        file.write_bytes(whole(lines))
        forged[file] = (lines, number)
    half = tmp_path / "half.jsonl"
    half.write_bytes(whole(kept_lines())[:50_000])
    note = tmp_path / "mail.txt"
    head = json.loads(kept_lines()[-1])["note"]
    note.write_text(f"Dear Anna,\n\n{head}\n18 · 864D-76EE-8CDB", encoding="utf-8")
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("Ledger: 18 · 864D-76EE-8CDB, 19 - 864d-76ee-8cdb", encoding="utf-8")
    broken = tmp_path / "broken.txt"
    broken.write_text(head.rstrip()[:-3], encoding="utf-8")
    answer = answer_of_page([EVACUATION, note, wrong, broken, *forged, half])
    assert answer["wrong"] == []
    proven, *differing = answer["verdicts"]
    assert proven["fault"] is None
    assert (proven["dice"], proven["head"]) == (247, "19 · 864D-76EE-8CDB")
    assert [[found["code"] for found in kept] for kept in answer["kept"]] == [
        ["head"],
        ["no-head", "head"],
        ["not-signed"],
    ]
    _assert_same_luck(proven["luck"])
    for (lines, number), verdict in zip(forged.values(), differing, strict=False):
        (difference,) = verdict_of(lines).differences
        assert difference.line == number
        assert verdict["fault"] is not None
        assert verdict["fault"]["row"] == difference.row
    assert differing[-1]["fault"]["words"] == "the file ends within this line"


def _assert_same_luck(by_page: dict[str, Any]) -> None:
    """Compare the luck account of the page with the one of the Python verifier."""
    account = verify_file(EVACUATION, Options(luck=True)).luck
    assert account is not None
    by_python = account.to_json()
    assert by_page["not_counted"] == by_python["not_counted"]
    assert len(by_page["lines"]) == len(by_python["lines"])
    for line, should in zip(by_page["lines"], by_python["lines"], strict=True):
        assert line == pytest.approx(should, abs=1e-9)


@pytest.mark.parametrize("edition", ["second-edition", "continuum"])
def test_page_counts_luck_by_the_tables_of_the_rules(edition: str, tmp_path: Path) -> None:
    file = document(Case(f"{edition}/captains-5", edition, 5, captains=True))
    battle = read_battle(file, {})
    dice = Dice("page")
    ended = fight(begin(battle, dice), battle.doctrines, dice, "page", max_turns=6)
    fought = FoughtBattle("x", file, ended.events_json)
    kept = tmp_path / "battle.json"
    small_file, small_events = small_battle()
    small = FoughtBattle("y", small_file, small_events)
    battles = []
    for each in (fought, small):
        battles.append({"key": each.key, "start": each.start, "events": list(each.events)})
    kept.write_text(json.dumps(battles))
    by_page = answer_of_page([kept])["luck"][0]
    by_python = luck_account([fought, small]).to_json()
    assert by_page["not_counted"] == by_python["not_counted"]
    for line, should in zip(by_page["lines"], by_python["lines"], strict=True):
        assert line == pytest.approx(should, abs=1e-9)


def test_faults_of_an_archive_are_translated() -> None:
    scripts = [FOLDER / f"{name}.js" for name in ("verifier", "partial", "tables")]
    verifiers = "\n".join(script.read_text(encoding="utf-8") for script in scripts)
    used = set(FAULT.findall(verifiers)) - {"", "reveal"}
    german, french = (FOLDER / "faults.js").read_text(encoding="utf-8").split("\n  fr: {")
    assert len(used) > 50
    for table in (german, french):
        assert set(KEY.findall(table)) == used


def test_both_verifiers_find_planted_forgeries(tmp_path: Path) -> None:
    planted = forgeries()[::PART]
    by_python = found_by_python(planted)
    by_page = found_by_page(planted, tmp_path)
    for forgery, python, page in zip(planted, by_python, by_page, strict=True):
        assert python.line is not None, forgery.name
        assert python.line >= forgery.line, forgery.name
        assert page.line is not None, forgery.name


def test_page_contains_verifier_and_archive(tmp_path: Path) -> None:
    out = tmp_path / "war.html"
    assert main(["page", str(EVACUATION), "-o", str(out)]) == 0
    html = out.read_text(encoding="utf-8")
    assert "import {" not in html
    assert "\nexport " not in html
    encoded = html.partition('type="text/plain">')[2].partition("<")[0]
    assert gzip.decompress(base64.b64decode(encoded)) == gzip.decompress(EVACUATION.read_bytes())


@pytest.mark.parametrize("command", ["verify", "page"])
def test_missing_file_is_no_traceback(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = [] if command == "verify" else ["-o", str(tmp_path / "out.html")]
    assert main([command, str(tmp_path / "no such file"), *more]) == 2
    assert "cannot be opened" in capsys.readouterr().err

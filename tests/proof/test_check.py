"""Archives are proven, and a change names its line, its week and its place."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from campaign.orders.defaults import default_orders
from engine.core.dice import Roll
from proof import choices
from proof.__main__ import main, verify_file
from proof.archive import MAX_NESTING, archive_line
from proof.check import Options
from proof.findings import Exit, Level
from proof.luck import chi_square_tail, faces_of
from proof.words import text_of
from tests.proof.archived import (
    ARCHIVES,
    EVACUATION,
    Body,
    changed,
    kept_lines,
    verdict_of,
    verdict_of_bytes,
    whole,
)
from tests.proof.forgeries import flipped_archives, is_found

HEAD = "19 · 864D-76EE-8CDB"
# Runs the command in a process that cannot import Django, under unusual settings.
WITHOUT_DJANGO = """
import importlib.abc, sys
class Refuses(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("django", "cryptography", "celery", "networkx"):
            raise ImportError(name)
sys.meta_path.insert(0, Refuses())
from campaign.orders.defaults import default_orders
from proof import choices
from proof.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def test_kept_archive_is_proven_without_django() -> None:
    environment = {
        "PYTHONHASHSEED": "1",
        "LC_ALL": "tr_TR.UTF-8",
        "TZ": "Pacific/Chatham",
        "PYTHONIOENCODING": "utf-8",
    }
    command = [sys.executable, "-O", "-c", WITHOUT_DJANGO, "verify", str(EVACUATION)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "proven  dice      247 of 247" in run.stdout
    assert "proven  weeks     19 worlds, 38 views" in run.stdout
    assert f"head {HEAD}, signed by localhost" in run.stdout


def test_missing_module_is_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def needs_module(*_: Any) -> Any:
        raise ModuleNotFoundError("No module named 'networkx'", name="networkx")

    monkeypatch.setattr(choices, "orders_for", needs_module)
    verdict = verify_file(EVACUATION, Options(notes=True))
    assert verdict.exit == Exit.AS_FAR_AS_SHOWN
    assert verdict.limits == ["networkx is not installed: pip install networkx"]


def test_computers_that_choose_otherwise_break_no_proof_of_another_release(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stay(scenario: Any, view: Any, *_: Any) -> Any:
        return default_orders(scenario, view)

    monkeypatch.setattr(choices, "orders_for", stay)
    verdict = verify_file(EVACUATION, Options(notes=True))
    assert verdict.exit == Exit.PROVEN
    assert verdict.counts.choices == 39
    assert "entry of esu: moves" in {note.place.partition(".")[0] for note in verdict.notes}
    assert {note.level for note in verdict.notes} == {Level.CHOICES}


def test_luck_account_covers_all_battles(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(EVACUATION), "--luck", "--json"]) == 0
    account = json.loads(capsys.readouterr().out)["luck"]
    beams = [line for line in account["lines"] if line["part"] == "beams"]
    assert {line["battle"] for line in beams} == {"", "0713/w6/esu+nac"}
    assert [line["thrown"] for line in beams if not line["battle"]] == [22, 67]
    assert account["not_counted"] == {"damaged": 1, "ftl-exit": 1}
    assert main(["verify", str(EVACUATION), "--luck"]) == 0
    assert "nac, beams: 67 in 106 dice, expected 66.2, better than 55%" in capsys.readouterr().out


def test_archive_of_an_older_release_is_proven() -> None:
    verdict = verify_file(ARCHIVES / "evacuation-1.war.jsonl.gz")
    assert verdict.exit == Exit.PROVEN
    assert verdict.counts.dice_proven == 202


def test_archive_has_no_secret_ids_and_no_addresses() -> None:
    data = b"".join(kept_lines())
    assert b"id_secret" not in data
    assert b"@" not in data


def _change_die(body: Body) -> None:
    die = body["dice"][1]
    die[4] = die[4] % die[3] + 1


def _change_event(body: Body) -> None:
    body["events"][0]["turn"] = 99


def _change_order(body: Body) -> None:
    ship = sorted(body["inputs"]["orders"])[0]
    body["inputs"]["orders"][ship] = "P1"


def _change_hash(body: Body) -> None:
    first = body["digest"][0]
    body["digest"] = ("0" if first != "0" else "1") + body["digest"][1:]


@pytest.mark.parametrize(
    ("kind", "skip", "change", "place", "words"),
    [
        ("throws", 1, _change_die, "turn-2: die 2", "does not follow from the seed"),
        ("stop", 0, _change_order, "battle 0713/w6/esu+nac, stop 0", "chain of hashes"),
        ("stop", 3, _change_event, "battle 0713/w6/esu+nac, stop 3", "chain of hashes"),
        (
            *("entry", 3, lambda body: body["payload"].update(memo="x")),
            *("entry of nac, revision 1", "do not match their digest"),
        ),
        ("view", 5, lambda body: body["document"].update(seq=1), "view of nac", "another hash"),
        ("leaf", 9, _change_hash, "leaf snapshot", "not what the row covers"),
        (
            *("entry", 2, lambda body: body.update(source="player")),
            *("entry of esu", "not what the ledger row covers"),
        ),
        (
            *("result", 0, lambda body: body["document"].update(turns=30)),
            *("battle 0713/w6/esu+nac", "not what the ledger row covers"),
        ),
        ("head", 0, lambda body: body.update(note="x\n\n— a b"), "head", "cannot be read"),
    ],
)
def test_change_is_named(
    kind: str, skip: int, change: Callable[[Body], object], place: str, words: str
) -> None:
    lines, number = changed(kind, change, skip)
    verdict = verdict_of(lines)
    assert verdict.exit == Exit.DIFFERS
    (difference,) = verdict.differences
    assert difference.line == number
    assert place in difference.place
    assert words in difference.words
    assert f"line {number}" in text_of(verdict)


def _rechained(change: Callable[[Body], object], skip: int) -> tuple[list[bytes], int]:
    """Return the kept lines with a changed view whose hash beside it fits."""
    from engine.core.canonical import digest

    def change_both(body: Body) -> None:
        change(body["document"])
        body["sha256"] = digest(body["document"])

    return changed("view", change_both, skip)


def test_view_with_a_fitting_hash_differs_from_what_the_row_covers() -> None:
    lines, number = _rechained(lambda view: view["body"].update(week=9), skip=4)
    (difference,) = verdict_of(lines).differences
    assert (difference.line, difference.week, difference.stage) == (number, 1, "orders")
    assert "view of esu" in difference.place


def test_all_lists_what_follows_too() -> None:
    lines, number = _rechained(lambda view: view["body"].update(week=9), skip=4)
    differences = verdict_of(lines, Options(all=True)).differences
    assert {difference.line for difference in differences} == {number}
    assert {difference.level for difference in differences} == {Level.INTEGRITY, Level.WEEKS}


def test_flipped_bits_are_found_and_never_blamed_on_an_earlier_line() -> None:
    assert all(is_found(line, data) for line, data in flipped_archives(24))


@pytest.mark.parametrize("number", [0, 1, 3, 4, 6, 8, 9, 12, 15, 19, 60, 390, 440])
def test_lines_removed_doubled_and_swapped_are_found(number: int) -> None:
    lines = list(kept_lines())
    for altered in (
        [*lines[:number], *lines[number + 1 :]],
        [*lines[:number], lines[number], *lines[number:]],
        [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]],
    ):
        assert verdict_of(altered).exit in (Exit.DIFFERS, Exit.UNREADABLE)


def test_half_a_file_and_no_archive_cannot_be_read() -> None:
    data = whole(kept_lines())
    for broken in (
        data[: len(data) // 2],
        b"",
        b"\n",
        b"{}\n",
        b"\x00" * 99,
        b"[" * 100_000 + b"\n",
    ):
        verdict = verdict_of_bytes(broken)
        assert verdict.exit == Exit.UNREADABLE
        assert verdict.unreadable is not None
        assert verdict.unreadable[0] >= 1


def _with_payload(payload: Any, body: Body) -> None:
    body["payload"] = payload


def test_nesting_and_numbers_are_bounded() -> None:
    deep: Any = 1
    for _ in range(MAX_NESTING):
        deep = {"a": deep}
    for payload, words in ((deep, "nested"), ({"a": 2**53}, "too large")):
        lines, number = changed("entry", partial(_with_payload, payload))
        verdict = verdict_of(lines)
        assert verdict.unreadable is not None
        assert verdict.unreadable[0] == number
        assert words in verdict.unreadable[1]
    with_fraction = [*kept_lines()[:9], b'{"kind":"end","lines":1.5}\n']
    assert verdict_of_bytes(b"".join(with_fraction)).exit == Exit.UNREADABLE


def test_weeks_that_are_left_out_are_no_proof_of_a_whole_war() -> None:
    lines = kept_lines()
    first_row = next(number for number, line in enumerate(lines) if b'"kind":"row"' in line)
    verdict = verdict_of(lines[: first_row + 1])
    assert verdict.exit == Exit.AS_FAR_AS_SHOWN


def test_without_the_seed_only_hashes_are_checked() -> None:
    lines = list(kept_lines())
    body = json.loads(lines[0])
    del body["seed"]
    lines[0] = archive_line(body.pop("kind"), body)
    verdict = verdict_of(lines)
    assert verdict.exit == Exit.AS_FAR_AS_SHOWN
    assert verdict.counts.dice_proven == 0


def test_heads_that_people_kept() -> None:
    note = json.loads(kept_lines()[-1])["note"]
    kept = (
        "16 · DC4F",
        HEAD,
        HEAD.replace("9", "8"),
        f"Dear Anna,\n\n{note}",
        note.replace("19", "18"),
    )
    verdict = verdict_of(kept_lines(), Options(heads=kept[1:]))
    assert [finding.holds for finding in verdict.findings] == [True, False, True, False]
    assert verdict.exit == Exit.CONTRADICTED
    assert "this history never had the head" in verdict.findings[1].words


def test_faces_of_dice_are_counted_and_judged() -> None:
    rolls = [Roll("", "beam", "x", number, 6, number % 6 + 1) for number in range(60)]
    (even,) = faces_of(rolls)
    assert (even.counts, even.p_value) == ((10,) * 6, 1.0)
    # Points of the table of the chi-square distribution
    for value, degrees, p in (
        (3.841, 1, 0.05),
        (11.07, 5, 0.05),
        (4.351, 5, 0.5),
        (23.209, 10, 0.01),
    ):
        assert chi_square_tail(value, degrees) == pytest.approx(p, rel=0.002)
    assert sum(faces.total for faces in verify_file(EVACUATION).faces) == 247

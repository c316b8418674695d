"""The command line from outside: input, output and exit status."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.engine.commanding import run_in_process, run_program
from tests.engine.design.second_edition_designs import battery, plan, system_entry

ROOT = Path(__file__).resolve().parents[3]
CLASSES = ROOT / "fixtures" / "ships" / "second-edition.yaml"

pytestmark = pytest.mark.rule("2e.design")


def engine(*words: str, text: str | bytes = "") -> subprocess.CompletedProcess[bytes]:
    return run_in_process(*words, stdin_bytes=text.encode() if isinstance(text, str) else text)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("design", "-"), json.dumps([plan(), plan("warship", -1), {"class": "\u00c9clair"}])),
        (("design", "-"), "{"),
        (("nothing",), ""),
    ],
)
def test_program_answers_like_its_function(words: tuple[str, ...], text: str) -> None:
    result, other = run_program(*words, stdin_bytes=text.encode()), engine(*words, text=text)
    assert (result.returncode, result.stdout, result.stderr) == (
        other.returncode,
        other.stdout,
        other.stderr,
    )


def refused(result: subprocess.CompletedProcess[bytes]) -> list[tuple[str, str]]:
    """Return the places and codes of a refusal, which must be a valid error document."""
    assert (result.returncode, result.stdout) == (2, b"")
    document = json.loads(result.stderr)
    assert set(document) == {"violations"}
    assert all(
        set(fault) == {"code", "where", "message"} and fault["message"]
        for fault in document["violations"]
    )
    return [(fault["where"], fault["code"]) for fault in document["violations"]]


def answered(result: subprocess.CompletedProcess[bytes]) -> Any:
    assert (result.returncode, result.stderr) == (0, b"")
    return json.loads(result.stdout)


def test_one_design_gives_one_answer() -> None:
    systems = [
        battery("A"),
        battery("B", count=3),
        system_entry("screen"),
        system_entry("adaf"),
        system_entry("pdaf"),
    ]
    document = {**plan("warship", 32, 4, "standard", systems), "class": "Heavy Cruiser"}
    assert answered(engine("design", "-", text=json.dumps(document))) == {
        "class": "Heavy Cruiser",
        "mass": 32,
        "mass_used": 16,
        "capacity": 16,
        "points": 238,
        "damage_points": 16,
        "rows": [5, 5, 6],
        "classification": "cruiser",
        "violations": [],
    }


@pytest.mark.rule("2e.classes")
def test_yaml_list_gives_a_list_with_printed_points() -> None:
    answers = answered(engine("design", str(CLASSES)))
    assert len(answers) > 17
    assert [answer["points"] for answer in answers[:17]] == [
        *(15, 28, 43, 65, 92, 190, 195, 238, 381, 447, 431, 580, 499, 687),
        *(502, 306, 333),
    ]
    assert all(answer["violations"] == [] for answer in answers)


def test_illegal_design_is_priced_with_its_faults(tmp_path: Path) -> None:
    path = tmp_path / "designs.json"
    path.write_text(
        json.dumps(
            [plan(thrust=9, systems=[system_entry("ray"), battery("A", ["P", "S"], 8)]), plan()]
        )
    )
    bad, good = answered(engine("design", str(path)))
    assert [(fault["where"], fault["code"]) for fault in bad["violations"]] == [
        ("thrust", "thrust-too-high"),
        ("systems[0].type", "unknown-system"),
        ("systems[1].arcs", "arcs-apart"),
        ("systems", "over-capacity"),
    ]
    assert (bad["points"], bad["mass_used"]) == (40 + 90 + 8 * 10, 24)
    assert good["violations"] == []


def test_empty_list_gives_an_empty_list() -> None:
    assert answered(engine("design", "-", text="[]")) == []


def test_malformed_designs_are_refused_with_all_faults_and_places() -> None:
    documents = [plan(), plan(mass="x", thrust=9), [], plan(kind="liner", hue=1)]  # type: ignore[arg-type]
    assert sorted(refused(engine("design", "-", text=json.dumps(documents)))) == [
        ("[1].mass", "not-a-number"),
        ("[1].thrust", "thrust-too-high"),
        ("[2]", "not-a-mapping"),
        ("[3].hue", "unknown-key"),
        ("[3].kind", "unknown-kind"),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"class": "X"', "not-json"),
        ("class: [", "not-yaml"),
        ("", "empty"),
        (b"\xff\xfe\x00", "unreadable"),
        ("[" * 20000, "too-deep"),
        ("just words", "not-a-mapping"),
    ],
)
def test_unusable_text_is_refused(text: str | bytes, code: str) -> None:
    assert refused(engine("design", "-", text=text)) == [("", code)]


def test_missing_file_is_refused(tmp_path: Path) -> None:
    assert refused(engine("design", str(tmp_path / "none.json"))) == [("", "unreadable")]
    assert refused(engine("design", str(tmp_path))) == [("", "unreadable")]


@pytest.mark.parametrize(
    "words",
    [(), ("paint", "x"), ("design",), ("design", "a", "b"), ("odds", "x", "--runs", "many")],
)
def test_wrong_command_line_is_refused(words: tuple[str, ...]) -> None:
    assert refused(engine(*words)) == [("", "usage")]


def test_nan_is_not_json() -> None:
    """NaN is not JSON; in YAML it is a text, which is no MASS."""
    design = json.dumps(plan(mass=float("nan")))  # type: ignore[arg-type]
    assert refused(engine("design", "-", text=design)) == [("mass", "not-a-number")]

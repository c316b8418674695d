"""Far too much input on the command line: refused early, with the limit named, and few faults."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from engine.__main__ import main
from engine.notation import battles, designs, orders
from engine.notation.orders import parse_plot
from tests.engine.battle.table import gunship, setup


def refusal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, document: Any
) -> Any:
    """Return the JSON on standard error of a command that refuses its input."""
    text = document if isinstance(document, str) else json.dumps(document)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main([command, "-"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err) < 150_000
    return json.loads(err)["violations"]


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def ask(command: str, document: Any) -> list[tuple[str, str, str]]:
        violations = refusal(monkeypatch, capsys, command, document)
        return [(fault["where"], fault["code"], fault["message"]) for fault in violations]

    return ask


def test_twenty_thousand_ships_are_refused_unread(
    refused: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(battles, "read_ship", None)  # it would be called
    document = setup([{"id": f"n{n}", "class": "Frigate"} for n in range(20_000)], [])
    ((where, code, words),) = refused("battle", document)
    assert (where, code) == ("sides", "too-many-ships")
    assert words.startswith("a battle can have at most 6600 ships, not 20")


@pytest.mark.parametrize("key", ["sides", "turns", "victory", "asteroids", "hostile", "options"])
def test_every_list_of_a_battle_file_has_a_limit(refused: Any, key: str) -> None:
    ((where, code, words),) = refused("battle", setup() | {key: [{}] * 60_000})
    assert (where, code) == (key, f"too-many-{key}")
    assert "60000" in words


def test_plot_of_a_million_characters_is_refused_unread(
    refused: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders, "_read_word", None)  # it would be called
    document = setup(
        [gunship("n1", 10, 10, "A")],
        [gunship("e1", 90, 90, "A")],
        turns=[{"plot": {"n1": ";a" * 500_000}}],
    )
    assert [fault[:2] for fault in refused("battle", document)] == [
        ("turns[0].plot.n1", "too-long")
    ]
    plot, (fault,) = parse_plot("P1;" * 1000, "plot")
    assert plot is None
    assert fault.message == "a plot can have at most 2000 characters, not 3000"


def test_oversized_number_in_a_plot_is_refused() -> None:
    for text in (
        f"enter 1 1 {'9' * 400}",
        f"mine {'9' * 400}",
        f"cloak {'9' * 500}",
        f"P{'1' * 50}",
    ):
        plot, faults = parse_plot(text, "plot", "continuum")
        assert plot is None, text
        assert len(faults) == 1, text


def test_design_has_a_system_limit(refused: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(designs, "_fitting", None)  # it would be called
    design = gunship("n1", 0, 0, "A")["design"] | {"systems": [{"type": "pdaf"}] * 40_000}
    faults = refused("design", design)
    assert faults[0][:2] == ("systems", "too-many-systems")
    assert "200" in faults[0][2]
    assert refused("design", [{}] * 1001)[0][1] == "too-many-designs"


def test_system_counts_are_added_up(refused: Any) -> None:
    design = gunship("n1", 0, 0, "A")["design"]
    for edition in ("second-edition", "continuum"):
        many = design | {"edition": edition, "systems": [{"type": "screen", "count": 501}] * 2}
        assert ("systems", "too-many-systems") in [fault[:2] for fault in refused("design", many)]


def test_fleet_has_a_ship_limit(refused: Any) -> None:
    fleet = {"edition": "second-edition", "ships": [{"class": "Frigate", "count": 1000}] * 4}
    assert [fault[:2] for fault in refused("fleet", fleet)] == [("ships", "too-many-ships")]


def test_hundred_faults_are_listed_and_the_rest_counted(refused: Any) -> None:
    document = setup([{"id": f"n{n}", "class": "x" * 200} for n in range(1500)], [])
    faults = refused("battle", document)
    assert len(faults) == 101
    assert faults[-1][:2] == ("", "more-faults")
    assert int(faults[-1][2].split()[0]) >= 1400


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("x" * 121, "expected text of at most 120 characters"),
        ("Antares\u202eserat", "U+202E"),
        ("Ant\u200fares", "U+200F"),
        ("Ant\x07ares", "U+0007"),
        ("two\nlines", "U+000A"),
        ("two\u2028lines", "U+2028"),
        ("un\u0378assigned", "U+0378"),
        ("0x1.8000000000000p+1", "how this site writes a number"),
    ],
)
def test_names_are_short_and_visible(refused: Any, name: str, words: str) -> None:
    design = gunship("n1", 10, 10, "A")
    for document in (
        setup([design | {"id": name}], []),
        setup([design | {"contact": name}], []),
        setup([design], []) | {"sides": [{"name": name, "ships": []}, {"name": "b", "ships": []}]},
        setup([design | {"design": design["design"] | {"class": name}}], []),
    ):
        assert any(words in fault[2] for fault in refused("battle", document))


def test_duplicate_key_is_a_fault(refused: Any) -> None:
    assert refused("design", '{"class": "A", "class": "B"}')[0][:2] == ("class", "key-twice")
    assert refused("design", "systems:\n- type: a\n  type: b")[0][:2] == (
        "systems[0].type",
        "key-twice",
    )


def test_class_that_is_no_text_is_a_fault(refused: Any) -> None:
    document = setup(
        [{"id": "n1", "class": ["Frigate"], "at": [1, 1], "course": 3, "velocity": 0}], []
    )
    assert ("sides[0].ships[0].class", "unknown-class") in [
        fault[:2] for fault in refused("battle", document)
    ]


def test_non_numeric_stealth_of_the_builder_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = json.dumps({"name": "A", "mass": 10, "hull": {"points": 3, "stealth": "²"}})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["design", "-", "--from", "ftlibship"]) == 2
    assert "hull.stealth" in {
        fault["where"] for fault in json.loads(capsys.readouterr().err)["violations"]
    }

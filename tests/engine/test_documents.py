"""Strict reading of documents: limits first, duplicate keys, aliases, tags, numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.core.errors import RuleViolations
from engine.notation.documents import FILES, Limits, read_document, read_json, read_yaml

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
SMALL = Limits(characters=2000, depth=4, values=20)


def refused(text: str, limits: Limits = SMALL) -> list[tuple[str, str]]:
    with pytest.raises(RuleViolations) as caught:
        read_document(text, limits)
    return [(fault.where, fault.code) for fault in caught.value.violations]


def test_fault_of_yaml_gives_only_its_place() -> None:
    with pytest.raises(RuleViolations) as refusal:
        read_yaml("a: 1\nb: [", FILES)
    assert refusal.value.violations[0].message == "this is not valid YAML (line 3, column 1)"


@pytest.mark.parametrize("path", sorted(FIXTURES.rglob("*.yaml")), ids=lambda path: path.stem)
def test_own_files_equal_a_plain_readers_result(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert read_yaml(text, FILES) == yaml.safe_load(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "[1, -2.5, 1e3, true, null, x, 'yes', \"0\"]",
            [1, -2.5, "1e3", True, None, "x", "yes", "0"],
        ),
        ("a: {b: [c, d]}\ne: |\n  two\n  lines\n", {"a": {"b": ["c", "d"]}, "e": "two\nlines\n"}),
        ("day: 2026-11-22\n0403: yes", {"day": "2026-11-22", 259: True}),
        ('{"a": [1, 2.5, null, "\\u00e4"]}', {"a": [1, 2.5, None, "ä"]}),
        ("# nothing but a comment\n- a", ["a"]),
    ],
)
def test_values_are_read(text: str, value: Any) -> None:
    assert read_document(text, SMALL) == value


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("x" * 2001, ("", "too-long")),
        ("[" * 900, ("", "too-deep")),
        ("[[[[[]]]]]", ("", "too-deep")),
        ("- - - - - a", ("", "too-deep")),
        ("[" + "1," * 20 + "1]", ("", "too-many-values")),
        ("\n".join("- a" for _ in range(21)), ("", "too-many-values")),
        ('{"a": {"b": 1, "b": 2}}', ("a.b", "key-twice")),
        ("a:\n- b: 1\n  b: 2", ("a[0].b", "key-twice")),
        ("a: &x 1\nb: *x", ("b", "alias")),
        ("a: !!str 1", ("a", "tag")),
        ("? [a]\n: b", ("", "key")),
        ("a\n---\nb", ("", "not-yaml")),
        ('["\\u0000"]', ("", "characters")),
        ('["\\ud800"]', ("", "characters")),
        ('- "\\0"', ("", "characters")),
        (f"[{'9' * 19}]", ("[0]", "number")),
        ('{"a": [1e999]}', ("a[0]", "number")),
        (f"a: {'9' * 19}", ("a", "number")),
        ("a: .inf", ("a", "number")),
        ("", ("", "empty")),
        ("# nothing", ("", "empty")),
    ],
)
def test_bad_document_is_refused(text: str, fault: tuple[str, str]) -> None:
    assert refused(text) == [fault]


def test_json_faults_have_their_place() -> None:
    for text, words in {
        '{\n "a": }': "line 2, column 7: a value is missing",
        '{"a": 1,\n "b" 2}': "line 2, column 6: the colon after a key is missing",
        "[1] 2": "line 1, column 5: there is more text after the end of the value",
        '["\\q"]': "line 1, column 3: unknown escape after a backslash in a text",
    }.items():
        with pytest.raises(RuleViolations) as failed:
            read_json(text, SMALL)
        assert failed.value.violations[0].message == f"this is not JSON: {words}"


def test_every_duplicate_key_is_named() -> None:
    text = '{"a": [{"b": 1, "b": 2}, {"c": 1, "c": 2}], "a": []}'
    assert refused(text) == [("a", "key-twice")]
    text = '{"a": [{"b": 1, "b": 2}, {"c": 1, "c": 2}]}'
    assert refused(text) == [("a[0].b", "key-twice"), ("a[1].c", "key-twice")]


def test_aliases_count_as_their_repetitions() -> None:
    limits = Limits(characters=5000, depth=4, values=20, aliases=True)
    assert read_yaml("a: &x [1, 2]\nb: *x", limits) == {"a": [1, 2], "b": [1, 2]}
    laughs = "a: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]"
    assert refused(laughs, limits) == [("", "too-many-values")]
    assert refused("a: &a [[[1]]]\nb: [*a]", limits) == [("", "too-deep")]
    assert refused("a: &a [*a]", limits) == [("a[0]", "alias")]


def test_reading_stops_at_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a far too large document stops early: work is counted, not time."""
    events = 0

    def counting_parse(*arguments: Any, **keywords: Any) -> Any:
        nonlocal events
        for event in parse(*arguments, **keywords):
            events += 1
            yield event

    parse = yaml.parse
    monkeypatch.setattr(yaml, "parse", counting_parse)
    limits = Limits(characters=200_000, depth=20, values=100)
    for text in (
        "[" * 200_000,
        "- " * 100_000,
        "- a\n" * 50_000,
        "? " * 100_000,
        "[" + "a," * 99_000 + "]",
    ):
        events = 0
        with pytest.raises(RuleViolations):
            read_yaml(text, limits)
        assert events <= 120


def test_long_number_costs_nothing() -> None:
    for text, code in {
        "NaN": "not-json",
        "-Infinity": "not-json",
        "1e999": "number",
        "1" * 19: "number",
    }.items():
        with pytest.raises(RuleViolations) as caught:
            read_json(f"[{text}]", FILES)
        assert caught.value.violations[0].code == code
    for text in ("1" * 199_999, "1:1" * 60_000, "0x" + "f" * 150_000):
        assert read_yaml(text, FILES) == text

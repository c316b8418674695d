"""Numbers with their nouns, lists and capitals."""

from __future__ import annotations

import pytest

from engine.english import (
    Count,
    capitalize_first,
    counted_kind,
    counted_noun,
    join_names,
    short_name,
    system_words,
)


@pytest.mark.parametrize(
    ("many", "noun", "words"),
    [
        (0, "ship", "0 ships"), (1, "ship", "1 ship"), (5, "cruiser", "5 cruisers"), (2, "hex", "2 hexes"),
        (1, "party", "1 party"), (3, "party", "3 parties"), (6, "craft", "6 craft"),
        (2, "fighter salvo", "2 fighter salvoes"),
    ],
)  # fmt: skip
def test_number_has_its_noun_in_the_right_form(many: int, noun: str, words: str) -> None:
    assert counted_noun(many, noun) == words
    assert f"{Count(many):{noun}}" == words


def test_ships_of_a_classification_are_ships() -> None:
    assert [counted_kind(n, "capital") for n in (1, 2)] == ["1 capital ship", "2 capital ships"]
    assert counted_kind(5, "cruiser") == "5 cruisers"


def test_number_without_a_noun_stays_a_number() -> None:
    assert f"{Count(7)}" == "7"
    assert Count(7) + 1 == 8


def test_capitalisation_changes_the_first_letter_only() -> None:
    assert (
        capitalize_first("Frost victory"),
        capitalize_first("frost victory"),
        capitalize_first("NAC victory"),
        capitalize_first(""),
    ) == (
        "Frost victory",
        "Frost victory",
        "NAC victory",
        "",
    )


@pytest.mark.parametrize(
    ("names", "words"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_names_are_listed(names: list[str], words: str) -> None:
    assert join_names(names) == words


def test_faction_ids_are_names() -> None:
    assert [short_name(key) for key in ("esu", "nac", "frost", "treaty")] == [
        "ESU",
        "NAC",
        "Frost",
        "Treaty",
    ]


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("battery-2", "battery 2"), ("firecon-1", "FireCon 1"), ("advanced-firecon-1", "advanced FireCon 1"),
        ("pdaf-3", "PDAF 3"), ("pds", "PDS"), ("area-ecm-1", "area ECM 1"), ("k-gun-2", "K-gun 2"),
        ("drive", "main drive"), ("ftl", "FTL drive"), ("pulse-torpedo-1", "pulse torpedo 1"),
    ],
)  # fmt: skip
def test_systems_are_spelled_as_printed(system: str, words: str) -> None:
    assert system_words(system) == words

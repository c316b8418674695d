"""Faults on pages name ships, groups and systems, and their place in a design, in words."""

from __future__ import annotations

import pytest

from campaign.rules.fire_by_ship import war_faults
from campaign.words.design_faults import (
    place_words,
    with_names,
    with_option_titles,
    without_subject,
)
from engine.core.errors import Violation
from engine.core.phrase import join_phrases, phrase
from engine.core.terms import FIRE_BY_SHIP

NAMES = {"n1": "Gladius 1", "e1": "Light Cruiser ac0f", "battery-1": "battery 1"}


def test_nested_ids_are_replaced_by_names() -> None:
    inner = join_phrases(
        "; ", [phrase("{} cannot fire at {}", "battery-1", "e1"), phrase("'{}' is unknown", "n12")]
    )
    words = with_names(phrase("{}: {}", "n1", inner), NAMES)
    assert words == "Gladius 1: battery 1 cannot fire at Light Cruiser ac0f; 'n12' is unknown"
    assert with_names("n1 is no phrase", NAMES) == "n1 is no phrase"


def test_subject_is_omitted_where_the_page_shows_it() -> None:
    fault = phrase("{}: {}", "n1", phrase("uses {} thrust", 9))
    assert without_subject(fault, "n1") == "uses 9 thrust"
    assert without_subject(fault, "e1") == fault


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("[0].systems[4]", "design 1, system 5"),
        ("systems[4].arcs", "system 5, arcs"),
        ("[2].damage_points", "design 3, damage points"),
    ],
)
def test_place_in_a_design_is_worded(where: str, words: str) -> None:
    assert place_words(where) == words


def test_place_in_a_list_of_designs_is_worded() -> None:
    from campaign.words.design_faults import placed_words

    assert (
        placed_words(Violation("[0].systems[4]", "x", phrase("no such arc")))
        == "design 1, system 5: no such arc"
    )


def test_options_have_their_titles_on_pages_only() -> None:
    (fault,) = war_faults([FIRE_BY_SHIP])
    assert "'fire-by-ship' is only" in fault.message
    assert with_option_titles(fault.message) == "'Fire ship by ship' is only for single battles"

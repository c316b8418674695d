"""Systems that people name in a form are read in their language, in English and as ids."""

from __future__ import annotations

import pytest
from django.utils import translation

from campaign.words.languages import in_language
from campaign.words.system_names import system_id
from engine.core.edition import EDITIONS
from engine.design.offers import system_types
from engine.english import system_words


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_system_is_read_by_the_name_it_is_shown_by(language: str) -> None:
    with translation.override(language):
        for edition in EDITIONS:
            for one in system_types(edition):
                for system in (one, f"{one}-12"):
                    shown = in_language(system_words(system))
                    assert "," not in shown
                    assert [
                        system_id(text, edition) for text in (shown, shown.upper(), system)
                    ] == [system] * 3


def test_english_names_are_read_in_every_language_and_what_names_nothing_stays() -> None:
    with translation.override("fr"):
        written = [
            "Batterie 2",
            "battery 2",
            "BATTERY-2",
            "propulsion  principale",
            "main drive",
            "flux 3",
            "drive",
        ]
        read = [system_id(text, "second-edition") for text in written]
    assert read == ["battery-2", "battery-2", "battery-2", "drive", "drive", "flux-3", "drive"]

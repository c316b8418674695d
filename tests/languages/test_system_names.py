"""Systems named in a form are read in the user's language, in English, and as ids."""

from __future__ import annotations

import pytest
from django.utils import translation

from campaign.words.languages import in_language
from campaign.words.system_names import system_id
from engine.core.edition import EDITIONS
from engine.design.offers import system_types
from engine.english import system_words


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_systems_are_read_by_their_shown_names(language: str) -> None:
    with translation.override(language):
        for edition in EDITIONS:
            for system_type in system_types(edition):
                for system in (system_type, f"{system_type}-12"):
                    name = in_language(system_words(system))
                    assert "," not in name
                    assert [system_id(text, edition) for text in (name, name.upper(), system)] == [
                        system
                    ] * 3


def test_english_names_are_read_in_every_language() -> None:
    with translation.override("fr"):
        texts = [
            "Batterie 2",
            "battery 2",
            "BATTERY-2",
            "propulsion  principale",
            "main drive",
            "flux 3",
            "drive",
        ]
        systems = [system_id(text, "second-edition") for text in texts]
    assert systems == ["battery-2", "battery-2", "battery-2", "drive", "drive", "flux-3", "drive"]

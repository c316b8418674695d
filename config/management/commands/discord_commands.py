"""Print the site's commands as JSON, for registration with Discord (docs/operating/notices.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import translation

from campaign.services.discord import MAX_HOURS
from campaign.words.languages import ENGLISH, in_language, languages
from engine.core.phrase import phrase

TEXT, NUMBER = 3, 4  # Discord's option types
CAMPAIGN = {
    "type": TEXT,
    "name": "campaign",
    "description": phrase("the start of its name, if you play in several"),
}
HOURS = {
    "type": NUMBER,
    "name": "hours",
    "description": phrase("hours before the stage closes"),
    "min_value": 1,
}
CODE = {
    "type": TEXT,
    "name": "code",
    "description": phrase("the code from your profile page"),
    "required": True,
}
COMMANDS: list[dict[str, Any]] = [
    {"name": "status", "description": phrase("Show the state of your campaigns")},
    {
        "name": "seal",
        "description": phrase("Seal your draft for the open stage"),
        "options": [CAMPAIGN],
    },
    {
        "name": "remind",
        "description": phrase("Set a reminder before the stage closes"),
        "options": [HOURS | {"max_value": MAX_HOURS}, CAMPAIGN],
    },
    {
        "name": "link",
        "description": phrase("Link this Discord account to your account here"),
        "options": [CODE],
    },
]


class Command(BaseCommand):
    """Prints the commands."""

    help = "Write the site's Discord commands as JSON, for `PUT /applications/<id>/commands`."

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(
            json.dumps([_localized(command) for command in COMMANDS], indent=2, ensure_ascii=False)
        )


def _localized(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return a command or option in Discord's format, with descriptions in every language."""
    texts = {}
    for language in languages():
        with translation.override(language):
            texts[language] = in_language(definition["description"])
    result = {**definition, "description": texts.pop(ENGLISH), "description_localizations": texts}
    if "options" in definition:
        result["options"] = [_localized(option) for option in definition["options"]]
    return result

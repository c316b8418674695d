"""`manage.py discord_commands`: the commands of the site as JSON, to be registered with Discord (docs/notices.md)."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand

from campaign.services.discord import MOST_HOURS

TEXT, NUMBER = 3, 4  # Discord's kinds of options
CAMPAIGN = {"type": TEXT, "name": "campaign", "description": "how its name begins, where you play in several"}
HOURS = {"type": NUMBER, "name": "hours", "description": "before the stage closes", "min_value": 1}
CODE = {"type": TEXT, "name": "code", "description": "the code of your profile page", "required": True}
COMMANDS: list[dict[str, Any]] = [
    {"name": "status", "description": "How your campaigns stand"},
    {"name": "seal", "description": "Seal your draft of the stage that is open", "options": [CAMPAIGN]},
    {
        "name": "remind",
        "description": "Be told before the stage closes",
        "options": [HOURS | {"max_value": MOST_HOURS}, CAMPAIGN],
    },
    {"name": "link", "description": "Link this Discord account to your account here", "options": [CODE]},
]


class Command(BaseCommand):
    """Writes the commands."""

    help = "Write the site's Discord commands as JSON, for `PUT /applications/<id>/commands`."

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(json.dumps(COMMANDS, indent=2))

"""The Django app with every model of the game."""

from __future__ import annotations

import importlib

from django.apps import AppConfig

from campaign.words.languages import in_language
from engine.core.phrase import set_localizer


class CampaignConfig(AppConfig):
    name = "campaign"
    verbose_name = "Campaigns"

    def ready(self) -> None:
        """Say which jobs campaigns have, and in which words texts are told."""
        importlib.import_module("campaign.tasks")
        set_localizer(in_language)

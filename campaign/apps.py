"""The Django app that contains all models of the game."""

from __future__ import annotations

import importlib

from django.apps import AppConfig

from campaign.words.languages import in_language
from engine.core.phrase import set_localizer


class CampaignConfig(AppConfig):
    name = "campaign"
    verbose_name = "Campaigns"

    def ready(self) -> None:
        """Register the background jobs of campaigns and the function that translates texts."""
        importlib.import_module("campaign.tasks")
        set_localizer(in_language)

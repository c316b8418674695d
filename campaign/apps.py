"""The Django app with every model of the game."""

from __future__ import annotations

import importlib

from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"
    verbose_name = "Campaigns"

    def ready(self) -> None:
        """Say which jobs campaigns have."""
        importlib.import_module("campaign.tasks")

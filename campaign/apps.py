"""The Django app that contains all models of the game."""

from __future__ import annotations

import importlib

from django.apps import AppConfig
from django.db.backends.signals import connection_created

from campaign.store.rewriting import rewritable_register
from campaign.words.languages import in_language
from engine.core.phrase import set_localizer


class CampaignConfig(AppConfig):
    name = "campaign"
    verbose_name = "Campaigns"

    def ready(self) -> None:
        """Register the background jobs of campaigns and the function that translates texts.

        New connections get the function that guards the history of wars.
        """
        connection_created.connect(rewritable_register)
        importlib.import_module("campaign.tasks")
        set_localizer(in_language)

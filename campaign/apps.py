"""The Django app that holds every model of the game."""

from __future__ import annotations

from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"
    verbose_name = "Campaigns"

"""The Django app that makes the weeks pass and has no models of its own."""

from __future__ import annotations

import importlib

from django.apps import AppConfig


class UmpireConfig(AppConfig):
    """The app `umpire`: makes the weeks pass, by the jobs of `umpire.tasks`."""

    name = "umpire"
    verbose_name = "Umpire"

    def ready(self) -> None:
        """Say which jobs the umpire does, that it begins wars, and whose dispositions deployments
        begin with.
        """
        from campaign.selectors.due import starter_register
        from campaign.services.dispositions import dispositions_register

        importlib.import_module("umpire.tasks")
        starter_register(starter="umpire.services.wars.campaign_start")
        dispositions_register(source="umpire.admirals.admiral.dispositions")

"""The umpire's Django app, which resolves weeks and has no models of its own."""

from __future__ import annotations

import importlib

from django.apps import AppConfig


class UmpireConfig(AppConfig):
    """Configuration of the app `umpire`, whose jobs are defined in `umpire.tasks`."""

    name = "umpire"
    verbose_name = "Umpire"

    def ready(self) -> None:
        """Register what lower packages ask the umpire for: jobs, starts, dispositions, wars."""
        from campaign.kinds import SimulationKind
        from campaign.selectors.due import starter_register
        from campaign.services.dispositions import dispositions_register
        from campaign.services.simulation_work import simulations_register

        importlib.import_module("umpire.tasks")
        starter_register(starter="umpire.services.wars.campaign_start")
        dispositions_register(source="umpire.admirals.admiral.dispositions")
        simulations_register(
            kind=SimulationKind.WAR, source="umpire.services.what_ifs.wars_of_question"
        )

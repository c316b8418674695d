"""`manage.py play [scenario] [--seed N]`: fight a whole war with computer admirals and captains,
and print it.
"""

from __future__ import annotations

import secrets
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from campaign.models.campaign import Campaign
from campaign.rules.files import fixture_scenario, fixture_scenarios
from campaign.selectors.truth import world_of
from campaign.services.campaigns import campaign_create
from campaign.services.scenarios import scenario_import, ship_classes_import
from campaign.store.documents import scenario_of
from engine.core.errors import RuleViolations
from umpire.journal import report_of, result_of
from umpire.services.records import step_of
from umpire.services.stages import Resolution
from umpire.services.wars import seed_from, stages_at_most, war_run

FIRST_SCENARIO = "lafayette"
LARGEST_DRAWN_SEED = 1_000_000
CHARACTER = "steady"


class Command(BaseCommand):
    """Fights a whole war and prints each week's umpire report and the result."""

    help = "Play a whole war between computer admirals and captains and print its reports."
    # System checks load every page, which takes as long as a small war.
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the scenario's slug, and a seed."""
        parser.add_argument("scenario", nargs="?", default=FIRST_SCENARIO)
        parser.add_argument(
            "--seed", type=int, help="the same seed gives the same war; random by default"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Play the war and print it.

        Raises:
            CommandError: The scenario is unknown or faulty (exit status 2).
        """
        slug, seed = options["scenario"], options["seed"]
        if slug not in fixture_scenarios():
            raise CommandError(
                f"there is no scenario '{slug}'; choose from {', '.join(fixture_scenarios())}",
                returncode=2,
            )
        if seed is None:
            seed = secrets.randbelow(LARGEST_DRAWN_SEED)
        try:
            value = fixture_scenario(slug)
        except RuleViolations as faults:
            raise CommandError(
                "\n".join(f"{v.where}: {v.message}" for v in faults.violations), returncode=2
            ) from faults
        ship_classes_import(classes=value.catalogue)
        campaign = campaign_create(
            scenario=scenario_import(scenario=value),
            name=f"{value.name}, seed {seed}",
            admirals={faction.id: CHARACTER for faction in value.factions},
            seed=seed_from(seed),
            dice_key=f"{slug}/{seed}",
        )
        self.stdout.write(f"{value.name}, seed {seed}")
        self._play(campaign)

    def _play(self, campaign: Campaign) -> None:
        """Fight a war, and print the umpire's report of each stage and the result."""
        scenario = scenario_of(campaign)
        headed: list[int] = []  # weeks whose heading is printed
        stages = stages_at_most(scenario.weeks)
        with tqdm(total=stages, unit="stage", leave=False, file=sys.stderr, disable=None) as bar:

            def progress(resolution: Resolution) -> None:
                week = resolution.stage.week
                with bar.external_write_mode(file=sys.stdout):
                    if week not in headed:
                        headed.append(week)
                        self.stdout.write(f"\nWeek {week}" if week else "\nDeployment")
                    for line in report_of(scenario, step_of(resolution.stage)):
                        self.stdout.write(f"  {line}")
                bar.update()
                bar.set_description(f"week {week} {resolution.stage.kind}")

            last = war_run(campaign=campaign, progress=progress)
        self.stdout.write("")
        for line in result_of(scenario, world_of(last)):
            self.stdout.write(line)

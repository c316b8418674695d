"""Measure storing a war, the size and loading of views and snapshots, and a start.

`python -m tools.bench.store [scenario]` uses its own database in memory. Past results are in
tools/bench/results.md.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from time import process_time

ROUNDS = 50


def main(slug: str) -> None:
    """Play one war of a scenario, and print what each step of storing it took."""
    os.environ["DATABASE_URL"] = "sqlite:///:memory:"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from campaign import models
    from campaign.rules.files import fixture_scenario
    from campaign.selectors.truth import world_of
    from campaign.services.campaigns import campaign_create
    from campaign.services.scenarios import scenario_import
    from campaign.sight.views import current_sight
    from umpire.services.projection import projection_rebuild
    from umpire.services.wars import seed_from, war_run

    scenario = fixture_scenario(slug)
    admirals = dict.fromkeys((faction.id for faction in scenario.factions), "steady")
    campaign = campaign_create(
        scenario=scenario_import(scenario=scenario),
        admirals=admirals,
        seed=seed_from(1),
        dice_key=f"{slug}/1",
    )
    stages: list[object] = []
    took = seconds(lambda: war_run(campaign=campaign, progress=stages.append), 1)
    branch, faction = models.Branch.objects.get(), campaign.factions.order_by("key")[0]
    print(
        f"{slug}: a war of {len(stages)} stages, {branch.battles.count()} battles: {took:.2f} CPU s"
    )
    sizes = [len(json.dumps(body)) for body in models.View.objects.values_list("body", flat=True)]
    loading = 1000 * seconds(lambda: current_sight(campaign, faction))
    print(f"  view: {max(sizes) / 1000:.1f} KB at most, loaded in {loading:.2f} ms")
    head = models.Snapshot.objects.order_by("-seq")[0]
    reading = 1000 * seconds(lambda: world_of(head))
    print(f"  snapshot: {len(json.dumps(head.world)) / 1000:.1f} KB, read in {reading:.2f} ms")
    print(
        f"  projection rebuilt in {1000 * seconds(lambda: projection_rebuild(branch=branch), 5):.1f} ms"
    )


def seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the CPU seconds of one run of some work."""
    begin = process_time()
    for _ in range(rounds):
        work()
    return (process_time() - begin) / rounds


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(sys.argv[1] if len(sys.argv) > 1 else "lafayette")

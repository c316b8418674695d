"""Wars for tests of the services: a small scenario, attacking admirals, ways to reach a stage."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import replace
from typing import Any

from campaign import models
from campaign.orders.defaults import default_orders
from campaign.rules.files import fixture_scenario
from campaign.rules.orders import Decision, Move, Orders
from campaign.rules.queries import immobile_ships, ship_classes, ships_by_fleet
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.services.campaigns import SCENARIO_MARKERS, Markers, campaign_create
from campaign.services.scenarios import scenario_import
from engine.core.dice import Dice
from tests.row_cache import build_once
from umpire.services.stages import Resolution, stage_resolve
from umpire.services.wars import campaign_start, seed_from

ATTACK = "attack"
SMALL = "first-steps"
FROST_STAYS = 31  # with this seed Frost wins the first battle, and Ember stays in contact
_numbers = itertools.count(1000)


def attack(scenario: Scenario, view: View, doctrine: str, dice: Dice) -> Orders:
    """Return an admiral that sends everything to an enemy's first world, and fights."""
    orders = default_orders(scenario, view)
    if doctrine != ATTACK:
        return orders
    if view.stage == "decisions":
        return Orders(
            decide=tuple(
                Decision(item.hex, item.toward, "fight")
                for item in view.open_decisions
                if item.fixed is None
            )
        )
    if view.stage != "orders":
        return orders
    goal = next(
        system.hex for system in scenario.systems if system.settled and system.owner != view.faction
    )
    classes, ships_of = ship_classes(scenario), ships_by_fleet(view.ships)
    moves = tuple(
        Move(fleet.key, to=goal)
        for fleet in view.fleets
        if fleet.hex != goal and not immobile_ships(classes, ships_of[fleet.key])
    )
    staying = tuple(Decision(touch.hex, touch.toward, "fight") for touch in view.in_contact)
    return dataclasses.replace(orders, moves=moves, decide=staying, dock=())


def campaign_of(
    slug: str = SMALL,
    seed: int | None = None,
    admirals: dict[str, str] | None = None,
    markers: Markers = SCENARIO_MARKERS,
    **options: Any,
) -> models.Campaign:
    """Return a campaign of a fixture, not started, with a fixed seed if `seed` is given.

    Args:
        options: Changed fields of the scenario.
    """
    number = next(_numbers) if seed is None else seed
    return campaign_create(
        scenario=scenario_import(scenario=replace(fixture_scenario(slug), **options)),
        admirals=admirals,
        markers=markers,
        seed=seed_from(number),
        dice_key=f"{slug}/{number}",
    )


def start_campaign(
    slug: str = SMALL,
    seed: int | None = None,
    admirals: dict[str, str] | None = None,
    markers: Markers = SCENARIO_MARKERS,
    **options: Any,
) -> tuple[models.Campaign, models.Stage]:
    """Return a campaign in its deployment.

    Args:
        options: Changed fields of the scenario.
    """
    campaign = campaign_of(slug, seed, admirals, markers, **options)
    return campaign, campaign_start(campaign=campaign)


def campaign_at(
    kind: str,
    slug: str = SMALL,
    seed: int = 7,
    admirals: dict[str, str] | None = None,
    **options: Any,
) -> tuple[models.Campaign, models.Stage]:
    """Return a campaign at its first stage of a kind, built once in a run.

    Args:
        options: Changed fields of the scenario.
    """

    def build() -> tuple[models.Campaign, models.Stage]:
        campaign, stage = start_campaign(slug, seed, admirals, **options)
        return campaign, play_until(kind, stage)

    differs = sorted({**(admirals or {}), **options}.items())
    return build_once(f"standing {kind} {slug} {seed} {differs}", build)


def resolve_stage(stage: models.Stage) -> Resolution:
    """Resolve the stage with the admirals of the tests."""
    resolution = stage_resolve(stage=stage.pk, force=True, admiral=attack)
    assert resolution is not None
    return resolution


def play_until(kind: str, stage: models.Stage) -> models.Stage:
    """Return the next stage of a kind, open."""
    while stage.kind != kind:
        following = resolve_stage(stage).next
        assert following is not None
        stage = following
    return stage


def ledger_results(campaign: models.Campaign) -> list[tuple[list[str], dict[str, str]]]:
    """Return what the ledger's rows cover, apart from moments: digests of orders, and leaves."""
    results = []
    for row in models.LedgerRow.objects.filter(branch__campaign=campaign).order_by("seq"):
        leaves = {}
        for name, value in (row.leaves or {}).items():
            if not name.startswith("entr"):
                leaves[name] = value
        results.append((row.body["digests"], leaves))
    return results

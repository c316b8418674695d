"""The work of setting up, showing and recording a battle grows in proportion to its ships."""

from __future__ import annotations

from functools import partial

import pytest

from campaign.rules.files import fixture_scenario
from campaign.rules.scenario import Scenario
from campaign.rules.world import Engagement, World
from engine.battle import battle_from, start
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.growth import Work, check_growth, work_of
from tests.umpire.adjudication.small_sector import fleet, world
from umpire.adjudication.battles import battle_result, battle_setup

SHIPS, CLASSES = 20, 5
SLUGS = ("lafayette", "lafayette-continuum")


def meet(scenario: Scenario, many: int) -> tuple[World, Engagement]:
    """Return a meeting of fleets of so many ships each, equally many of each class."""
    first, second = (faction.id for faction in scenario.factions[:2])
    hex_ = scenario.systems[0].hex
    classes = [cls.name for cls in scenario.catalogue if cls.ftl][:CLASSES]
    classes_of_fleet = classes * (many // CLASSES)
    sides = tuple(sorted(((first,), (second,))))
    fight = Engagement(f"{hex_}/w1/{first}+{second}", hex_, sides, ((sides[0][0], sides[1][0]),))
    forces = [fleet(f"{faction}/f1", hex_, *classes_of_fleet) for faction in (first, second)]
    return world(scenario, *forces, stage="battles", engagements=(fight,)), fight


def work_with(slug: str, many: int) -> dict[str, Work]:
    """Return the work of each step of a battle with so many ships a side."""
    scenario = fixture_scenario(slug)
    before, fight = meet(scenario, many)
    work = {"set-up": work_of(partial(battle_setup, scenario, before, fight, salt=b"growth"))}
    # Scans look for the nearest hostile ship, pair by pair; here all ships are known already.
    document = {**work["set-up"].answer, "bogeys": False}
    work["start"] = work_of(partial(start, document))
    battle = work["start"].answer
    work["view"] = work_of(lambda: observe(battle.state, 1).to_json())
    work["log"] = work_of(partial(side_log, battle.events, battle.state, 1))
    work["document"] = work_of(battle.to_json)
    battle_document = work["document"].answer
    work["reading"] = work_of(partial(battle_from, battle_document))
    work["result"] = work_of(
        partial(battle_result, scenario, before, fight, battle_document, None, 3)
    )
    return work


@pytest.mark.parametrize("slug", SLUGS)
def test_battle_cost_grows_linearly_with_its_ships(slug: str) -> None:
    work_with(slug, CLASSES)  # load the classes
    few, many = work_with(slug, SHIPS), work_with(slug, 2 * SHIPS)
    for step in few:
        check_growth(f"{slug}, {step}", few[step], many[step])

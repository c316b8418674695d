"""Patches of rulings: each has an inverse, is stored as it is, and is told only where it is seen."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.perception import build_view
from campaign.rules.scenario import Objective
from campaign.rules.world import ObjectiveState, Work, World
from engine.core.errors import RuleViolations
from tests.umpire.adjudication.wars import WAR, any_world
from umpire.adjudication.indexes import ScenarioIndex, sort_by_key
from umpire.adjudication.patch import Patch
from umpire.adjudication.patches import (
    PATCHES,
    CancelWork,
    Decoys,
    FleetAdd,
    Funds,
    Holder,
    MoveFleet,
    ObjectiveNote,
    SetContact,
)
from umpire.adjudication.rulings import Ruling, read_patches, rule, ruling_violations
from umpire.adjudication.ship_patches import (
    Rename,
    ShipAdd,
    ShipDamage,
    ShipRemove,
    ShipStatus,
    ShipStock,
    ShipSystems,
    ShipToFleet,
)

INDEX = ScenarioIndex(WAR)


def world_of(chance: Random) -> World:
    """Return a world of a week's orders in which every kind of patch finds something to change."""
    world = sort_by_key(replace(any_world(chance), stage="orders"))
    faction = world.ships[0].faction
    return replace(
        world,
        funds=((faction, 3),),
        works=(Work("w1", faction, "0101", world.ships[0].cls, "Hull"),),
        objectives=(ObjectiveState("hold"),),
    )


def patches_for(chance: Random, world: World) -> list[Patch]:
    """Return a patch of each kind, about anything."""
    ship = chance.choice(world.ships)
    cls = INDEX.classes[ship.cls]
    fleet = next(item for item in world.fleets if item.key == ship.fleet)
    other = chance.choice([item for item in world.fleets if item.faction == ship.faction])
    foes = [faction for faction in INDEX.factions if INDEX.are_hostile(faction, ship.faction)]
    system = chance.choice(world.holdings).system
    return [
        MoveFleet(fleet.key, "0101"),
        Rename(chance.choice((ship.key, fleet.key)), "Resolute"),
        ShipDamage(ship.key, chance.randrange(cls.damage_points)),
        ShipSystems(ship.key, tuple(chance.sample(cls.systems, min(2, len(cls.systems))))),
        ShipStock(ship.key, tuple((store, 0) for store, _ in cls.stock)),
        ShipStatus(ship.key, docked=chance.random() < 0.5, laid_up=True),
        ShipAdd(fleet.key, ship.cls, "Newcomer"),
        ShipRemove(ship.key, "struck"),
        ShipToFleet(ship.key, other.key),
        FleetAdd(ship.faction, "Third force", "0101"),
        Holder(system, chance.choice(("", ship.faction))),
        SetContact(system, ship.faction, foes[0], chance.choice(("stand-off", "none"))),
        Funds(world.funds[0][0], chance.randrange(100)),
        CancelWork("w1"),
        Decoys(fleet.key, 2),
        ObjectiveNote("hold", 4),
    ]


def test_every_kind_of_patch_is_tried() -> None:
    chance = Random(1)
    assert {type(patch) for patch in patches_for(chance, world_of(chance))} == set(PATCHES)


@given(st.integers(0, 2**32))
def test_patch_has_an_inverse_and_is_told_only_where_it_is_seen(seed: int) -> None:
    chance = Random(seed)
    world = world_of(chance)
    views = {faction: build_view(WAR, world, faction, None, ()) for faction in INDEX.factions}
    for patch in patches_for(chance, world):
        ruling = Ruling((patch,), "Because")
        assert Ruling.from_document(json.loads(json.dumps(ruling.to_document()))) == ruling
        if patch.violations(INDEX, world):
            assert ruling_violations(WAR, world, ruling)
            continue
        after = patch.apply(INDEX, world)
        inverse = patch.inverse(INDEX, world)
        assert inverse.violations(INDEX, after) == []
        assert inverse.apply(INDEX, after) == world
        again = inverse.inverse(INDEX, after)
        assert again.apply(INDEX, world) == after
        outcome = rule(WAR, world, views, ruling)
        assert set(outcome.told) == {name for event in outcome.events for name in event.audience}
        for faction, view in views.items():
            if faction not in outcome.told:
                assert build_view(WAR, after, faction, view, ()) == view


def test_ruling_does_not_count_a_week_of_an_objective_again() -> None:
    chance = Random(1)
    world = world_of(chance)
    faction = world.ships[0].faction
    war = replace(
        WAR,
        objectives=(
            Objective("rule", faction, "hold", 1, by=9, number=1, systems=("all",), weeks=2),
        ),
    )
    holdings = tuple(replace(item, holder=faction, superior=faction) for item in world.holdings)
    world = replace(world, week=2, holdings=holdings)
    view = build_view(war, world, faction, None, ())
    assert view.objectives[0].streaks
    outcome = rule(war, world, {faction: view}, Ruling((), "Because", also=(faction,)))
    after = outcome.views[faction]
    assert [notice.code for notice in after.notices] == ["ruled"]
    assert replace(after, notices=()) == view


def test_unknown_kinds_and_fields_are_refused() -> None:
    with pytest.raises(RuleViolations) as error:
        read_patches(
            [{"kind": "dice"}, {"kind": "ship-damage", "ship": "a/s1"}, {"kind": "restore"}],
            PATCHES,
        )
    places = [fault.where for fault in error.value.violations]
    assert places == ["patches.0.kind", "patches.1.damage", "patches.2.kind"]

"""What a faction knows of surviving foes after a battle or a withdrawal, and nothing more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.events.contacts import Survivors
from campaign.rules.battle_sightings import ContactOutcome, counts_after
from campaign.rules.codec import encode
from campaign.rules.perception import build_view
from campaign.rules.scenario import Scenario
from campaign.rules.view import Notice, Sighting, View
from campaign.rules.world import World
from tests.umpire.adjudication.small_sector import (
    COLONY,
    PORT,
    battle,
    decide,
    fleet,
    resolve,
    scenario,
    world,
)
from umpire.adjudication.outcome import StageOutcome

FIELD = scenario()
ShipCounts = dict[str, tuple[tuple[str, int], ...]]


def view_after(
    setting: Scenario, faction: str, before: World, outcome: StageOutcome, previous: View | None
) -> View:
    """Return the view of a faction after a stage, from its notices."""
    notices = [
        Notice(before.week, before.stage, item.code, item.hex, item.facts)
        for item in outcome.week_events
        if faction in item.audience
    ]
    return build_view(setting, outcome.world, faction, previous, notices)


def sightings(view: View, hex_: str = PORT) -> list[Sighting]:
    return [item for item in view.sightings if item.hex == hex_]


def fight_week(
    setting: Scenario,
    before: World,
    contacts: tuple[ContactOutcome, ...],
    viewer: str = "red",
    winner: str | None = None,
    **statuses: str,
) -> tuple[View, StageOutcome]:
    """Resolve a week in which everybody fights; return one faction's view afterwards."""
    factions = [faction.id for faction in setting.factions]
    views: dict[str, View | None] = dict.fromkeys(factions)
    now = before
    all_choices = {
        name: [(PORT, other, "fight") for other in factions if other != name] for name in factions
    }
    outcome = resolve(setting, now)
    views = {name: view_after(setting, name, now, outcome, None) for name in factions}
    choices = {
        name: [
            faction
            for faction in all_choices[name]
            if faction[1] in {a.toward for a in view.open_decisions}
        ]
        for name, view in views.items()
        if view is not None and view.open_decisions
    }
    now = outcome.world
    outcome = resolve(setting, now, decide(**choices))
    views = {name: view_after(setting, name, now, outcome, views[name]) for name in factions}
    now = outcome.world
    result = replace(battle(now, winner, **statuses), contacts_seen=contacts)
    outcome = resolve(setting, now, {}, None, [result])
    return view_after(setting, viewer, now, outcome, views[viewer]), outcome


def contacts_seen(before: str, fate: str, contacts: int = 1, after: str = "") -> ContactOutcome:
    return ContactOutcome("red", "blue", before, after or before, fate, contacts)


def meeting(*blue: str, **changes: Any) -> World:
    forces = (fleet("red/f1", PORT, "Battleship"), fleet("blue/f1", PORT, *blue))
    return world(FIELD, *forces, **changes)


@pytest.mark.rule("camp.scan")
def test_battle_is_the_newest_sighting() -> None:
    before = meeting("Battleship", "Cruiser", "Cruiser", "Destroyer")
    contacts = (
        contacts_seen("capital", "present"),
        contacts_seen("cruiser", "gone", 2),
        contacts_seen("escort", "present"),
    )
    view, outcome = fight_week(FIELD, before, contacts, blue_f1_2="destroyed", blue_f1_3="ftl")
    (newest,) = sightings(view)
    assert newest == Sighting(3, PORT, "blue", (("capital", 1), ("escort", 1)), "battle")
    (event,) = [
        item
        for item in outcome.week_events
        if item.code == Survivors.code and "red" in item.audience
    ]
    assert event.audience == ("red",)
    assert dict(event.facts) == {"faction": "blue", "capital": 1, "escort": 1}


@pytest.mark.rule("camp.scan")
def test_sighting_lasts_until_a_new_scan() -> None:
    view, outcome = fight_week(
        FIELD, meeting("Cruiser", "Destroyer"), (contacts_seen("cruiser", "gone"),)
    )
    assert (view.week, view.stage) == (4, "orders")
    later = view_after(FIELD, "red", outcome.world, resolve(FIELD, outcome.world), view)
    assert [(item.week, item.source) for item in sightings(later)] == [(3, "battle"), (4, "scan")]


@pytest.mark.rule("camp.scan")
def test_ships_out_of_the_battle_are_still_seen() -> None:
    laid_up = {f"blue/f1/{number}": {"laid_up": True} for number in (2, 3)}
    before = meeting("Destroyer", "Cruiser", "Cruiser", ships=laid_up)
    contacts = (contacts_seen("escort", "gone"),)
    view, _ = fight_week(FIELD, before, contacts, blue_f1_1="left")
    assert sightings(view)[0].counts == (("cruiser", 2),)
    view, _ = fight_week(FIELD, before, contacts, winner="red", blue_f1_1="destroyed")
    assert sightings(view)[0].counts == ()


@pytest.mark.rule("camp.prizes")
def test_wrecks_belong_to_the_holder_of_the_field() -> None:
    scans = {"blue": (("cruiser", 3),)}
    contacts = (contacts_seen("cruiser", "adrift"), contacts_seen("cruiser", "landed"))

    def ships_left(winner: str | None) -> int:
        return dict(counts_after("blue", scans, contacts, winner=winner)["blue"]).get("cruiser", 0)

    assert ships_left("blue") == 3
    assert ships_left("red") == 1
    assert ships_left(None) == 2


@pytest.mark.rule("camp.prizes")
def test_captured_ships_count_as_the_enemys() -> None:
    before = meeting("Cruiser")
    view, _ = fight_week(
        FIELD, before, (contacts_seen("cruiser", "present"),), winner="blue", red="captured"
    )
    assert sightings(view)[0].counts == (("capital", 1), ("cruiser", 1))


@pytest.mark.rule("camp.decoys")
def test_identified_ship_counts_as_its_class() -> None:
    scans = {"blue": (("capital", 2), ("escort", 2))}
    contacts = (
        contacts_seen("capital", "present", after="escort"),
        contacts_seen("escort", "gone", 2),
    )
    counts = counts_after("blue", scans, contacts, winner=None)
    assert counts == {"blue": (("capital", 1), ("escort", 1))}


@pytest.mark.rule("camp.battle")
def test_ally_with_more_contacts_has_lost_the_ship() -> None:
    scans = {"blue": (("cruiser", 1),), "green": (("cruiser", 3),)}
    contacts = (ContactOutcome("red", "blue+green", "cruiser", "cruiser", "gone", 2),)
    counts = counts_after("blue+green", scans, contacts, winner=None)
    assert counts == {"blue": (("cruiser", 1),), "green": (("cruiser", 1),)}


@pytest.mark.rule("camp.decision")
def test_ships_that_withdrew_earlier_are_not_docked() -> None:
    scans = {"blue": (("cruiser", 4),)}
    contacts = (contacts_seen("cruiser", "gone"),)
    assert counts_after("blue", scans, contacts, winner="red", withdrew=("blue",)) == {"blue": ()}


@pytest.mark.rule("camp.decision")
def test_withdrawn_enemy_is_no_longer_seen() -> None:
    contact_outcome = resolve(FIELD, meeting("Cruiser"))
    first = view_after(FIELD, "red", meeting("Cruiser"), contact_outcome, None)
    assert sightings(first)[0].counts == (("cruiser", 1),)
    choices = decide(red=(PORT, "blue", "stand-off"), blue=(PORT, "red", "withdraw"))
    outcome = resolve(FIELD, contact_outcome.world, choices)
    view = view_after(FIELD, "red", contact_outcome.world, outcome, first)
    assert sightings(view) == [Sighting(3, PORT, "blue", (), "withdrawal")]
    # As after a result entered by an umpire
    again = build_view(FIELD, outcome.world, "red", view, ())
    assert sightings(again) == sightings(view)
    view_left = view_after(FIELD, "blue", contact_outcome.world, outcome, None)
    assert sightings(view_left)[0].counts == (("capital", 1),)  # a side that left saw nothing new


@pytest.mark.rule("camp.scan")
@pytest.mark.parametrize("shared", [True, False])
def test_allies_with_shared_sight_learn_of_it(shared: bool) -> None:
    setting = scenario(
        ("red", "blue", "green"), {"red": "pact", "green": "pact"}, shared_sight=shared
    )
    forces = (
        fleet("red/f1", PORT, "Battleship"),
        fleet("blue/f1", PORT, "Cruiser"),
        fleet("green/f1", COLONY, "Destroyer"),
    )
    view, _ = fight_week(
        setting, world(setting, *forces), (contacts_seen("cruiser", "gone"),), viewer="green"
    )
    here = sightings(view)
    assert here == ([Sighting(3, PORT, "blue", (), "battle")] if shared else [])


@pytest.mark.rule("camp.hidden")
@pytest.mark.parametrize("other", ["names", "drone", "laid up", "ends", "damage"])
def test_unseen_facts_change_no_byte_of_a_view(other: str) -> None:
    """Compare two worlds in which red has the same scan and the same log.

    They differ in the ships' names, in whether a bogey that left was a drone, in which ships were
    laid up, in the ends of ships out of red's sight, and in the damage of those that escaped.
    """
    contacts = (contacts_seen("cruiser", "gone"), contacts_seen("escort", "present", 2))
    first = meeting("Cruiser", "Destroyer", "Destroyer")
    statuses = {"blue_f1_1": "destroyed", "blue_f1_2": "left", "blue_f1_3": "left"}
    second, ends = first, dict(statuses)
    if other == "names":
        second = rename_ships(first)
    elif other == "drone":
        drones, ships_of_fleet = fleet("blue/f1", PORT, "Cruiser", "Destroyer", decoys_out=1)
        second = world(FIELD, fleet("red/f1", PORT, "Battleship"), (drones, ships_of_fleet))
        del ends["blue_f1_3"]
    elif other == "laid up":
        first = meeting("Cruiser", "Destroyer", "Destroyer", "Destroyer", "Destroyer")
        first, second = (with_laid_up(first, numbers) for numbers in (("4", "5"), ("2", "5")))
        statuses |= {"blue_f1_4": "left", "blue_f1_5": "left"}
        ends = dict(statuses)
    elif other == "ends":
        ends["blue_f1_3"] = "ftl"  # under a cloaking field, so red never detected it
    elif other == "damage":
        hurt = tuple(
            replace(ship, damage=2, lost=("pack-1",)) if ship.faction == "blue" else ship
            for ship in first.ships
        )
        second = replace(first, ships=hurt)
    first_view, first_outcome = fight_week(FIELD, first, contacts, **statuses)
    two, second_outcome = fight_week(FIELD, second, contacts, **ends)
    assert first_outcome.world != second_outcome.world
    assert encode(first_view) == encode(two)
    assert sightings(first_view)[0].source == "battle"


def rename_ships(before: World) -> World:
    ships = tuple(
        replace(ship, name=f"Hidden {ship.name}") if ship.faction == "blue" else ship
        for ship in before.ships
    )
    return replace(before, ships=ships)


def with_laid_up(before: World, numbers: tuple[str, ...]) -> World:
    keys = {f"blue/f1/{number}" for number in numbers}
    return replace(
        before, ships=tuple(replace(ship, laid_up=ship.key in keys) for ship in before.ships)
    )

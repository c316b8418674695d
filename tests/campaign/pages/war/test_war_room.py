"""The war room's small map and victory conditions: from a view alone, as adjudication would judge."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from campaign.models import Stage
from campaign.pages.ships.ships import fleet_lines
from campaign.rules.files import fixture_scenario
from campaign.rules.scenario import Condition, Scenario
from campaign.rules.view import Fleet, HostileContact, KnownSystem, Sighting, View
from campaign.rules.world import Holding
from campaign.web.chart import chart, own_fleets
from campaign.web.label_placement import LabelSpace
from campaign.web.mini_map import mini_map
from campaign.web.objectives import FAILS, HOLDS, PAST, REST, objectives_of
from tests.campaign.pages.war.browsing import at, player
from tests.umpire.services.wars import campaign_at, resolve_stage
from umpire.adjudication.indexes import ScenarioIndex
from umpire.adjudication.superiority import is_met

WARS = ("lafayette", "first-steps", "knot-of-gates", "three-powers")


def view_with_superiority(scenario: Scenario, superior: dict[str, str], week: int = 3) -> View:
    """Return the first faction's view, with superiority in every system known."""
    systems = tuple(
        KnownSystem(
            system.id, week, superior.get(system.id), "held", superior.get(system.id), False
        )
        for system in scenario.systems
    )
    return View(scenario.factions[0].id, week, "orders", (), (), systems, (), (), (), (), (), ())


def fleet(label: str, in_ftl: bool = False) -> Fleet:
    return Fleet(key=f"nac/{label}", faction="nac", name=label, hex=label, in_ftl=in_ftl)


@pytest.mark.rule("camp.objectives")
@pytest.mark.parametrize("war", WARS)
def test_complete_knowledge_equals_the_adjudication(war: str) -> None:
    scenario, dice = fixture_scenario(war), random.Random(war)
    index, powers = ScenarioIndex(scenario), [power.id for power in scenario.factions]
    states = set()
    for _ in range(60):
        superior = {item.id: dice.choice([*powers, powers[0], ""]) for item in scenario.systems}
        superior = {system: power for system, power in superior.items() if power}
        holdings = [
            Holding(item.id, None, 0, "held", superior.get(item.id)) for item in scenario.systems
        ]
        objectives = objectives_of(scenario, view_with_superiority(scenario, superior))
        for condition, item in zip(scenario.victory, objectives, strict=True):
            if not condition.is_unconditional:
                assert item.state == (HOLDS if is_met(index, holdings, condition) else FAILS)
            states.add(item.state)
    assert states >= {HOLDS, FAILS, REST}


@pytest.mark.rule("camp.objectives")
def test_old_knowledge_shows_its_age_and_unknown_does_not_count() -> None:
    scenario = fixture_scenario("lafayette")
    view = view_with_superiority(scenario, {"lafayette": "esu", "hudson": "esu"})
    old = tuple(replace(row, week=1) if row.system == "hudson" else row for row in view.systems)
    total, *_ = objectives_of(scenario, replace(view, systems=old))
    assert (
        total.asks
        == "superiority of Eurasian Solar Union in at least 3 settled systems, Lafayette among them"
    )
    assert total.progress_text == "2 of 3, as far as you know: Hudson (week 1), Lafayette"
    assert (total.is_total, total.state, total.seat) == (True, FAILS, "seat-1")
    nothing, *_ = objectives_of(scenario, replace(view, systems=()))
    assert nothing.progress_text == "0 of 3, as far as you know"


def test_alliance_is_named_by_its_members_and_ruins_are_counted() -> None:
    scenario = fixture_scenario("three-powers")
    treaty = next(
        objective
        for objective in objectives_of(scenario, view_with_superiority(scenario, {}))
        if objective.result == "Treaty total victory"
    )
    assert treaty.asks == (
        "superiority of Halcyon League and Thessaly Compact in at least 8 settled systems, Karst among them"
    )
    ruins = replace(scenario, victory=(Condition("razed", "karst", ruins="halcyon", at_least=2),))
    (razed,) = objectives_of(ruins, view_with_superiority(scenario, {}))
    assert (razed.asks, razed.progress_text) == (
        "2 ground targets of Halcyon League in ruins",
        "0 of 2 so far",
    )


def test_small_map_shows_fleets_and_contacts() -> None:
    scenario = fixture_scenario("lafayette")
    fleets = (fleet("1408"), fleet("0609", in_ftl=True))
    scans = (Sighting(1, "1104", "esu", (("capital", 2),)), Sighting(3, "1104", "esu", ()))
    view = replace(
        view_with_superiority(scenario, {}),
        faction="nac",
        fleets=fleets,
        sightings=(*scans, Sighting(2, "0605", "esu", (("escort", 4),))),
    )
    mini = mini_map(scenario, view, chart(scenario, view))
    own_marks = [(mark.is_hollow, mark.emblem) for mark in mini.marks if mark.is_own]
    assert own_marks == [(True, 2), (False, 2)]
    (contact,) = [
        mark for mark in mini.marks if not mark.is_own
    ]  # a later scan found nobody at Hudson
    assert (contact.count, contact.age, contact.seat) == (4, 1, "seat-1")
    assert {system_mark.name for system_mark in mini.systems} == {
        system.name for system in scenario.systems
    }


def test_labels_never_overlap_and_are_dropped_without_room() -> None:
    drawing = LabelSpace(200, 40, 10)
    first = drawing.place_name(100, 20, "Lafayette")
    second = drawing.place_name(100, 20, "Hudson")
    assert first is not None
    assert second is not None
    assert first[1] != second[1]
    for _ in range(4):
        drawing.place_name(100, 20, "Merrill's World")
    assert drawing.place_name(100, 20, "Kakisa", needed=False) is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("deploy", "the scenario's own force is deployed"),
        ("orders", "your fleets stay where they are, except those that must leave"),
        ("decisions", "your standing orders decide"),
        ("battles", "your captains follow their fleets' earlier doctrine"),
    ],
)
def test_war_room_says_what_applies_without_a_seal(kind: str, words: str) -> None:
    player = at(kind, ember="attack")
    player.faction.admiral = ""
    player.faction.save()
    text = player.get("").text
    assert f"If you seal nothing, {words}." in text
    player.faction.admiral = "steady"
    player.faction.save()
    text = player.get("").text
    assert words not in text
    assert "If you seal nothing, your computer admiral decides." in text


@pytest.mark.django_db
@pytest.mark.parametrize("admirals", [{"ember": "attack"}, {}])
def test_ships_page_names_the_battle_only_if_there_is_one(admirals: dict[str, str]) -> None:
    campaign, _ = campaign_at("battles", admirals=admirals)
    words = "This page shows your ships as they were before the battle."
    assert (words in player(campaign, "ember").get("ships/").text) == bool(admirals)


@pytest.mark.django_db
def test_pages_of_a_finished_war_say_that_knowledge_may_be_wrong() -> None:
    player = at("orders", ember="attack", frost="steady")
    pages = ("map/", "reports/", "gazette/", "gazette/1/")
    note = "This page shows what your side knew, which may be wrong."
    conditions_note = "The first of these conditions that was met decided the war."
    assert conditions_note not in player.get("").text
    assert "as far as you know" in player.get("").text
    assert note not in player.get("map/").text
    stage: Stage | None = player.stage()
    while stage is not None:
        stage = resolve_stage(stage).next
    war_room = player.get("").text
    assert conditions_note in war_room
    assert "The map shows what your side knew, which may be wrong." in war_room
    assert "as far as you know" not in war_room
    assert "the first of these conditions that is met decides" not in war_room
    story = player.url("story/")
    for tail in (*pages, "gazette/chronicle/"):
        page = player.get(tail)
        assert note in page.text, tail
        assert story in page.links, tail
    assert note not in player.get("gazette/?for=public").text


def test_conditions_after_the_war_show_no_state() -> None:
    scenario = fixture_scenario("first-steps")
    superior = {system.id: "ember" for system in scenario.systems}
    view = replace(view_with_superiority(scenario, superior), result="Frost victory")
    objectives = objectives_of(scenario, view)
    assert {(item.state, item.progress_text) for item in objectives} == {(PAST, "")}


def test_fleet_in_ftl_space_is_not_shown_in_contact() -> None:
    scenario = fixture_scenario("lafayette")
    contact = HostileContact("0101", "esu", "contested")
    fleets = (fleet("0101"), replace(fleet("0101", in_ftl=True), key="nac/ftl", must_leave=True))
    view = replace(view_with_superiority(scenario, {}), fleets=fleets, in_contact=(contact,))
    present_fleet, ftl_fleet = sorted(own_fleets(scenario, view), key=lambda item: item.in_ftl)
    assert any("in contact" in note for note in present_fleet.notes)
    assert ftl_fleet.notes[:2] == ("in FTL space", "must leave this week")
    assert not any("in contact" in note for note in ftl_fleet.notes)


@pytest.mark.parametrize(
    ("stage", "week", "result", "words"),
    [
        ("orders", 2, None, "must leave this week"),
        ("battles", 2, None, "must leave next week"),
        ("battles", 3, None, ""),
        ("over", 3, "draw", ""),
    ],
)
def test_fleet_that_withdrew_is_said_to_leave_in_the_right_week(
    stage: str, week: int, result: str | None, words: str
) -> None:
    scenario = fixture_scenario("first-steps")
    withdrawn = Fleet("ember/f1", "ember", "Lance", "0804", in_ftl=True, must_leave=True)
    view = replace(
        view_with_superiority(scenario, {}),
        week=week,
        stage=stage,
        fleets=(withdrawn,),
        result=result,
    )
    (shown_fleet,) = own_fleets(scenario, view)
    (line,) = fleet_lines(scenario, view)
    notes = [note for note in shown_fleet.notes if "must leave" in note]
    badges = [text for text, _ in line.badges if "must leave" in text]
    assert notes == badges == ([words] if words else [])


def test_nearby_fleets_share_a_marker_and_none_is_lost() -> None:
    scenario, dice = fixture_scenario("lafayette"), random.Random(5)
    hexes = [f"{column:02}{row:02}" for column in range(1, 20) for row in range(1, 15)]
    for count in (8, 60):
        places = dice.sample(hexes, count)
        view = replace(
            view_with_superiority(scenario, {}), fleets=tuple(fleet(label) for label in places)
        )
        counts = tuple(
            Sighting(3, label, "nac", (("escort", 2),)) for label in dice.sample(hexes, count)
        )
        view = replace(view, sightings=counts)
        star_chart = chart(scenario, view)
        marks = mini_map(scenario, view, star_chart).marks
        own_marks, other_marks = (
            [mark for mark in marks if mark.is_own],
            [mark for mark in marks if not mark.is_own],
        )
        assert sum(mark.count for mark in own_marks) == sum(
            stack.ship_count for stack in star_chart.stacks
        )
        there = [contact for contact in star_chart.contacts if not contact.is_gone]
        assert sum(mark.count for mark in other_marks) == sum(contact.count for contact in there)
        assert (len(own_marks) < len(star_chart.stacks)) == (count > 24)
        assert (len(other_marks) < len(there)) == (count > 24)

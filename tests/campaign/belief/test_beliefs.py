"""Sampled forces always fit what the faction knows, and nothing else influences them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.belief.cases import case_force, strongest_contact
from campaign.belief.estimate import FORCES, Estimate, estimate
from campaign.belief.forces import Belief, Decoys
from campaign.belief.meetings import Question, build_imagined_battle
from campaign.belief.odds import (
    SampleResult,
    fight_samples,
    interval,
    interval_coverage,
    odds_of,
    tenths,
)
from campaign.belief.strengths import cached_sheet
from campaign.belief.visibility import Visibility, fleet_visibility
from campaign.kinds import StageKind
from campaign.pages.week.odds import strength_sentence
from campaign.rules.codec import decode, encode
from campaign.rules.designs import barred_class_fault
from campaign.rules.encountered_classes import EncounteredClass, classes_in_report, count_ships_of
from campaign.rules.files import fixture_scenario
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import travel_weeks
from campaign.rules.view import Fleet, Sighting, View
from engine.design.restrictions import Restrictions
from engine.events.damage import ShipDestroyed
from engine.notation.designs import sheet_once
from tests.engine.samples import sample_line
from umpire.rehearsal import play

HUDSON = "1104"
DECOYS: tuple[Decoys, ...] = ("likely", "none", "some", "many")


@cache
def meetings_of_scenario() -> tuple[Scenario, tuple[tuple[View, str, str], ...]]:
    """Return views of a war before decisions, each with the hex and the faction met there."""
    scenario = fixture_scenario("lafayette")
    meetings = [
        (view, question.hex, question.toward)
        for played in play(scenario, {}, 3).history
        if played.before.stage == StageKind.DECISIONS
        for view in played.views.values()
        for question in view.open_decisions
    ]
    return scenario, tuple(meetings)


@given(number=st.integers(0, 10_000), which=st.integers(0, 10_000), decoys=st.sampled_from(DECOYS))
def test_every_sample_matches_the_scan(number: int, which: int, decoys: Decoys) -> None:
    scenario, meetings = meetings_of_scenario()
    view, hex_, toward = meetings[which % len(meetings)]
    force = Belief(scenario, view).force(hex_, toward, number, decoys)
    (scan,) = [s for s in view.sightings if (s.week, s.hex, s.faction) == (view.week, hex_, toward)]
    assert force.counts().get(toward, {}) == dict(scan.counts)
    assert sum(count for _, count in force.decoys) <= len(force.ships)
    assert decoys != "none" or not force.decoys


def test_imagined_ships_have_nothing_that_is_barred() -> None:
    scenario, meetings = meetings_of_scenario()
    unlisted = replace(scenario, defaults=())
    barring = replace(unlisted, restrictions=Restrictions(("screen", "fighters", "weasels")))

    def barred_ships(war: Scenario) -> int:
        count = 0
        for view, hex_, toward in meetings[:4]:
            for number in range(4):
                ships = Belief(war, view).force(hex_, toward, number).ships
                classes = {cls.name: cls for cls in war.catalogue}
                count += sum(
                    barred_class_fault(barring, classes[ship.cls]) is not None for ship in ships
                )
        return count

    assert barred_ships(unlisted) > 0
    assert barred_ships(barring) == 0


@given(
    st.dictionaries(
        st.sampled_from(("escort", "cruiser", "capital")), st.integers(1, 30), min_size=1
    ),
    st.integers(0, 99),
)
def test_any_scan_has_matching_forces(counts: dict[str, int], number: int) -> None:
    scenario, meetings = meetings_of_scenario()
    view, hex_, toward = meetings[0]
    others = tuple(s for s in view.sightings if (s.week, s.hex) != (view.week, hex_))
    view = replace(
        view, sightings=(*others, Sighting(view.week, hex_, toward, tuple(sorted(counts.items()))))
    )
    assert Belief(scenario, view).force(hex_, toward, number).counts() == {toward: counts}


def test_cases_are_the_garrison_alone_and_with_the_strongest_contact_that_can_come() -> None:
    scenario, meetings = meetings_of_scenario()
    view, _, _ = meetings[0]
    weeks_away = {}
    for system in scenario.systems:
        weeks_away[travel_weeks(scenario, system.hex, HUDSON)] = system.hex
    near, far = weeks_away[1], weeks_away[2]
    strong, weak = (("capital", 9),), (("capital", 2),)
    week = view.week

    def belief(*sightings: Sighting) -> Belief:
        return Belief(scenario, replace(view, faction="esu", sightings=sightings))

    distant = Sighting(week, far, "nac", strong)
    close = Sighting(week, near, "nac", weak)
    known = belief(distant, close)
    assert strongest_contact(known, HUDSON, "nac", week) is None, "no time to come"
    assert strongest_contact(known, HUDSON, "nac", week + 1) == close
    assert strongest_contact(known, HUDSON, "nac", week + 2) == distant
    garrison = case_force(known, "garrison", HUDSON, "nac", week + 1, 0)
    assert sum(known.garrison(HUDSON, "nac").values()) == len(garrison.ships) > 0
    assert not garrison.has_fleet
    fleet = case_force(known, "fleet", HUDSON, "nac", week + 1, 0)
    assert fleet.ships[: len(garrison.ships)] == garrison.ships
    assert [ship.label for ship in fleet.ships[len(garrison.ships) :]] == ["capital"] * 2
    assert case_force(belief(), "fleet", HUDSON, "nac", week + 9, 0) == garrison


def test_same_view_gives_the_same_battles() -> None:
    scenario, meetings = meetings_of_scenario()
    view, hex_, toward = meetings[0]
    # As another world would have written it for the same faction
    again = decode(View, encode(view))
    question = Question(hex_, toward)
    files = [
        build_imagined_battle(Belief(scenario, each_view), question, 5)
        for each_view in (view, again, replace(view, funds=7))
    ]
    assert files[0] == files[1] != files[2]


def test_more_samples_continue_where_fewer_ended() -> None:
    scenario, meetings = meetings_of_scenario()
    view, hex_, toward = min(meetings, key=lambda meeting: len(meeting[0].ships))
    belief, question = Belief(scenario, view), Question(hex_, toward)
    assert fight_samples(belief, question, range(4)) == [
        *fight_samples(belief, question, range(2)),
        *fight_samples(belief, question, range(2, 4)),
    ]


def test_seen_class_is_believed_and_a_destroyed_one_is_not() -> None:
    scenario, meetings = meetings_of_scenario()
    view, hex_, toward = meetings[
        0
    ]  # seven capital ships of the NAC, which may have three battleships

    def count_drawn(*classes_met: EncounteredClass) -> Counter[str]:
        belief = Belief(scenario, view, classes_met)
        return Counter(ship.cls for n in range(60) for ship in belief.force(hex_, toward, n).ships)

    baseline = count_drawn()
    assert baseline["Battleship"] > 4 * baseline["Superdreadnought"]
    classes_met = count_drawn(
        EncounteredClass(toward, "Superdreadnought", HUDSON, count=6, destroyed=0),
        EncounteredClass(toward, "Battleship", HUDSON, 3, destroyed=3),
    )
    assert classes_met["Superdreadnought"] > 4 * classes_met["Battleship"]
    others = EncounteredClass(view.faction, "Superdreadnought", HUDSON, count=6, destroyed=0)
    assert (
        count_drawn(others)
        == baseline
        == count_drawn(EncounteredClass(toward, "Nobody's class", HUDSON, count=6, destroyed=0))
    )
    there, elsewhere = (
        EncounteredClass(toward, "Guard Frigate", at, count=17, destroyed=0)
        for at in (hex_, HUDSON)
    )
    assert count_drawn(there)["Guard Frigate"] > count_drawn(elsewhere)["Guard Frigate"]


def test_battle_sightings_are_counted_with_lost_ships() -> None:
    def contact(id_: str, cls: str = "", side: int = 1) -> dict[str, object]:
        return {"id": id_, "side": side, **({"class": cls} if cls else {})}

    first = {
        "contacts": [contact("a"), contact("b", "Frigate"), contact("own", "Cruiser", side=0)],
        "log": [],
    }
    last = {"contacts": [contact("a", "Frigate")], "log": [sample_line(ShipDestroyed, ship="b")]}
    classes_met = classes_in_report(
        {"sides": ["nac", "esu+pact"], "side": "nac", "phases": [None, first, last]}, HUDSON
    )
    assert classes_met == tuple(
        EncounteredClass(side, "Frigate", HUDSON, 2, 1) for side in ("esu", "pact")
    )
    again = (*classes_met, EncounteredClass("esu", "Frigate", "0101", 3, 0))
    assert count_ships_of(again, "esu") == (Counter(Frigate=4), Counter(Frigate=1))
    assert count_ships_of(again, "esu", HUDSON) == (Counter(Frigate=2), Counter(Frigate=1))


def test_nothing_is_fought_without_own_ships() -> None:
    scenario, meetings = meetings_of_scenario()
    view, hex_, toward = meetings[0]
    (sample,) = fight_samples(
        Belief(scenario, replace(view, fleets=(), ships=())), Question(hex_, toward), range(1)
    )
    assert not sample.was_fought
    assert odds_of([sample]).runs == 0


def test_estimate_says_how_rarely_a_place_is_occupied() -> None:
    scenario, meetings = meetings_of_scenario()
    view, hex_, toward = meetings[0]
    alone = replace(
        view, sightings=(Sighting(view.week, hex_, toward, ()),)
    )  # only a settlement was scanned
    answer = estimate(Belief(scenario, alone), Question(hex_, toward))
    assert answer == Estimate(0, 0, 0, (0, 0), FORCES)
    sentence = strength_sentence(answer, "Hudson")
    assert "in 19 imagined cases there was never an enemy" in sentence
    assert sentence.endswith("the chance that somebody is there is at most 15%.")


def test_interval_drops_extremes_from_thirty_nine_samples_on() -> None:
    assert interval([n / 100 for n in range(19)]) == (0, 18)
    assert interval([n / 100 for n in range(39)]) == (1, 37)
    assert interval([]) == (0, 100)
    assert [interval_coverage(count) for count in (0, 1, 9, 19, 39, 79, 159)] == [
        0,
        90,
        90,
        90,
        90,
        90,
        90,
    ]


def test_interval_of_few_samples_is_widened_within_bounds() -> None:
    assert interval([0.5]) == (22, 78)
    assert (interval([0.1]), interval([0.8])) == ((0, 38), (52, 100))
    assert interval([0.5, 0.25]) == (11, 64)
    widths = [high - low for low, high in (interval([0.5] * count) for count in range(1, 20))]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 50
    assert widths[-1] == 0


def test_total_loss_is_in_the_last_tenth() -> None:
    assert tenths([0.0, 0.09, 0.1, 1.0]) == (2, 1, 0, 0, 0, 0, 0, 0, 0, 1)
    odds = odds_of(
        [SampleResult(1, 0.0, 1.0), SampleResult(-1, 1.0, 0.2), SampleResult(0, 0.4, 0.4)]
    )
    assert (odds.wins, odds.draws, odds.losses, odds.mine_median, odds.theirs_median) == (
        1,
        1,
        1,
        40,
        40,
    )


@pytest.mark.parametrize("weeks", [0, 1, 2])
def test_their_knowledge_ages_and_needs_no_scan_by_the_faction(
    weeks: int,
) -> None:
    scenario, meetings = meetings_of_scenario()
    view, hex_, toward = next(meeting for meeting in meetings if meeting[0].faction == "esu")
    sightings_there = [s for s in view.sightings if s.hex == hex_ and s.counts]
    before = replace(
        view, sightings=tuple(replace(s, week=view.week - weeks) for s in sightings_there)
    )
    scenario = replace(
        scenario, systems=tuple(replace(system, settled=False) for system in scenario.systems)
    )
    mine = [
        item
        for item in fleet_visibility(scenario, before, scanned_afar=False)
        if item.fleet.hex == hex_ and not item.fleet.in_ftl
    ]
    assert {item.visibility for item in mine} == {
        (Visibility.CERTAINLY, Visibility.POSSIBLY, Visibility.NOT)[weeks]
    }
    assert all(toward in item.by for item in mine if item.visibility != Visibility.NOT)


def test_last_weeks_scan_may_follow_a_fleet_over_any_distance() -> None:
    scenario, meetings = meetings_of_scenario()
    view = next(meeting for meeting, _, _ in meetings if meeting.faction == "esu")
    scenario = replace(
        scenario, systems=tuple(replace(system, settled=False) for system in scenario.systems)
    )
    fleet = replace(view.fleets[0], hex="1308", back="1207", in_ftl=False)
    late = replace(
        view, week=3, stage=StageKind.DECISIONS, fleets=(fleet,), in_contact=(), open_decisions=()
    )

    def visibility_of(
        hex_: str, week: int, fleet: Fleet = fleet, stage: StageKind = StageKind.DECISIONS
    ) -> tuple[Visibility, str]:
        there = Sighting(week, hex_, "nac", ())  # only a settlement, which scans as well
        (item,) = fleet_visibility(
            scenario,
            replace(late, stage=stage, fleets=(fleet,), sightings=(there,)),
            scanned_afar=False,
        )
        return item.visibility, item.reason

    assert visibility_of("0705", 2) == (Visibility.POSSIBLY, "before")  # six hexes
    assert visibility_of("1207", 2) == (Visibility.POSSIBLY, "before")
    assert visibility_of("0205", 2) == visibility_of("0705", 1) == (Visibility.NOT, "")
    assert visibility_of("1207", 2, stage=StageKind.ORDERS) == (
        Visibility.NOT,
        "",
    )  # it went there a week before, or was never there
    assert visibility_of("1308", 2, stage=StageKind.ORDERS) == (Visibility.POSSIBLY, "there")
    assert visibility_of("1308", 3, replace(fleet, in_ftl=True)) == (Visibility.POSSIBLY, "there")
    assert visibility_of("0705", 2, replace(fleet, back="")) == (Visibility.NOT, "")


def test_known_origin_limits_who_may_know_a_fleet() -> None:
    scenario, meetings = meetings_of_scenario()
    view = next(meeting for meeting, _, _ in meetings if meeting.faction == "esu")
    scenario = replace(
        scenario, systems=tuple(replace(system, settled=False) for system in scenario.systems)
    )
    fleet = replace(view.fleets[0], hex="1308", back="1207", in_ftl=False)
    others = (
        Sighting(2, "0705", "nac", ()),
        Sighting(2, "1101", "nac", ()),
        Sighting(3, "1101", "far", ()),
    )
    late = replace(
        view,
        week=3,
        stage=StageKind.DECISIONS,
        fleets=(fleet,),
        sightings=others,
        in_contact=(),
        open_decisions=(),
    )

    def visibility_of(began: View | None, now: View = late) -> tuple[Visibility, str, set[str]]:
        (item,) = fleet_visibility(scenario, now, began, scanned_afar=False)
        return item.visibility, item.reason, {*item.by} & {"nac", "far"}

    assert visibility_of(None) == (
        Visibility.POSSIBLY,
        "before",
        {"nac"},
    )  # it may have come from 0705
    assert visibility_of(replace(late, stage=StageKind.ORDERS)) == (
        Visibility.NOT,
        "",
        set(),
    )  # it was already here: it stayed
    for origin, expected in (
        ("0705", (Visibility.POSSIBLY, "before", {"nac"})),
        ("0905", (Visibility.NOT, "", set())),
    ):
        assert visibility_of(replace(late, fleets=(replace(fleet, hex=origin),))) == expected
    assert visibility_of(replace(late, fleets=(replace(fleet, hex="1101"),)))[2] == {
        "nac"
    }  # others came after it had left
    split = replace(fleet, key="esu/new")
    ships = tuple(replace(ship, fleet=split.key) for ship in late.ships if ship.fleet == fleet.key)
    now = replace(late, fleets=(split,), ships=ships)
    assert (
        visibility_of(replace(late, fleets=(replace(fleet, hex="0905"),)), now)[0] == Visibility.NOT
    )  # its ships are the same
    assert visibility_of(replace(late, fleets=(), ships=()), now)[0] == Visibility.POSSIBLY


def test_sheet_of_a_believed_design_is_used_for_figures_and_battles() -> None:
    design = fixture_scenario("first-steps").catalogue[0].design
    assert cached_sheet(json.dumps(design), ()) is sheet_once(repr(design), design, ())

"""Strange views: samples never contradict them, and never fail.

No own ships left, a map without systems, scans larger than any budget, empty ones, drones only,
kinds without a class; allies in one hex; encountered classes without known designs.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.belief.estimate import FORCES, MAX_PERCENT, estimate
from campaign.belief.forces import Belief, Decoys
from campaign.belief.meetings import Question, build_imagined_battle
from campaign.belief.odds import fight_samples
from campaign.belief.visibility import Visibility, fleet_visibility
from campaign.kinds import StageKind
from campaign.rules.codec import decode, encode
from campaign.rules.encountered_classes import EncounteredClass
from campaign.rules.files import fixture_scenario
from campaign.rules.queries import are_hostile, own_class_name, side_of
from campaign.rules.scenario import Scenario
from campaign.rules.view import HostileContact, LostShip, Sighting, View
from engine.notation.battles import read_battle
from umpire.rehearsal import play

KINDS = ("escort", "cruiser", "capital", "merchant", "installation")
DEEP_SPACE = "0101"  # a hex without a system in all scenarios
WARS = ("lafayette", "three-powers", "knot-of-gates")
DECOYS: tuple[Decoys, ...] = ("likely", "none", "some", "many")


@cache
def views(slug: str) -> tuple[Scenario, tuple[View, ...]]:
    """Return what each side knew before each stage of a war."""
    scenario = fixture_scenario(slug)
    return scenario, tuple(
        view
        for played in play(scenario, {}, 1, captains=False).history
        for view in played.views.values()
    )


@st.composite
def odd_scenarios(draw: st.DrawFn, scenario: Scenario) -> Scenario:
    """Return a scenario with parts removed, in which each faction has a design of its own."""
    own = tuple(
        replace(cls, name=own_class_name(power.id, "Own"))
        for power, cls in zip(scenario.factions, scenario.catalogue, strict=False)
    )
    return replace(
        scenario,
        catalogue=tuple(sorted((*scenario.catalogue, *own), key=lambda cls: cls.name)),
        systems=draw(st.sampled_from((scenario.systems, ()))),
        defaults=draw(st.sampled_from((scenario.defaults, ()))),
        reinforcements=draw(st.sampled_from((scenario.reinforcements, ()))),
        budgets=draw(st.sampled_from((scenario.budgets, ()))),
        decoys=draw(st.booleans()),
        shared_sight=draw(st.booleans()),
        open_play=draw(st.booleans()),
    )


@st.composite
def odd_views(
    draw: st.DrawFn, scenario: Scenario, known_views: tuple[View, ...]
) -> tuple[View, str]:
    """Return a view with ships and scans that the war never had, and a hex to ask about."""
    view = draw(st.sampled_from(known_views))
    places = [system.hex for system in scenario.systems[:3]] + [DEEP_SPACE]
    foes = [
        power.id for power in scenario.factions if are_hostile(scenario, power.id, view.faction)
    ]
    here, foe = st.sampled_from(places), st.sampled_from(foes)
    weeks = st.integers(max(0, view.week - 3), view.week)
    counts = st.one_of(
        st.just({}),
        st.builds(lambda count: {"escort": count}, st.integers(1, 6)),  # it may be drones only
        st.dictionaries(st.sampled_from(KINDS), st.integers(1, 25), max_size=5),
    )
    scans = {
        (scan.week, scan.hex, scan.faction): scan
        for scan in draw(
            st.lists(
                st.builds(
                    Sighting,
                    weeks,
                    here,
                    foe,
                    counts.map(lambda counted: tuple(sorted(counted.items()))),
                ),
                max_size=6,
            )
        )
    }
    fleets = tuple(
        replace(
            fleet, hex=draw(here), in_ftl=draw(st.booleans()), decoys_out=draw(st.integers(0, 3))
        )
        for fleet in draw(
            st.lists(st.sampled_from(view.fleets), max_size=3, unique=True)
            if view.fleets
            else st.just([])
        )
    )
    fleet_keys = {fleet.key for fleet in fleets}
    return replace(
        view,
        stage=draw(st.sampled_from((StageKind.ORDERS, StageKind.DECISIONS, StageKind.BATTLES))),
        fleets=tuple(sorted(fleets, key=lambda fleet: fleet.key)),
        ships=tuple(ship for ship in view.ships if ship.fleet in fleet_keys),
        sightings=tuple(scans[key] for key in sorted(scans)),
        in_contact=tuple(
            draw(st.lists(st.builds(HostileContact, here, foe, st.just("contested")), max_size=2))
        ),
        losses=tuple(
            draw(
                st.lists(
                    st.builds(
                        LostShip, st.just("Lost"), st.just("?"), weeks, here, st.just("battle")
                    ),
                    max_size=2,
                )
            )
        ),
    ), draw(here)


def met_ever(scenario: Scenario) -> st.SearchStrategy[list[EncounteredClass]]:
    """Return encountered classes: some without known designs, some with more losses than ships."""
    names = st.sampled_from(
        [*(cls.name for cls in scenario.catalogue[:5]), "Nobody's class", "nac/Own"]
    )
    powers = st.sampled_from([power.id for power in scenario.factions])
    return st.lists(
        st.builds(
            EncounteredClass,
            powers,
            names,
            st.just(DEEP_SPACE),
            st.integers(0, 9),
            st.integers(0, 12),
        ),
        max_size=4,
    )


@pytest.mark.parametrize("slug", WARS)
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_beliefs_fit_any_odd_view(slug: str, data: st.DataObject) -> None:
    full_scenario, known_views = views(slug)
    view, hex_ = data.draw(odd_views(full_scenario, known_views))
    scenario, classes_met = (
        data.draw(odd_scenarios(full_scenario)),
        data.draw(met_ever(full_scenario)),
    )
    foes = [
        power.id for power in scenario.factions if are_hostile(scenario, power.id, view.faction)
    ]
    toward, number, decoys = (
        data.draw(st.sampled_from(foes)),
        data.draw(st.integers(0, 158)),
        data.draw(st.sampled_from(DECOYS)),
    )
    belief, again = (
        Belief(scenario, view, classes_met),
        Belief(scenario, decode(View, encode(view)), classes_met),
    )

    force = belief.force(hex_, toward, number, decoys)
    assert force == again.force(hex_, toward, number, decoys)
    assert {ship.faction for ship in force.ships} <= {*side_of(scenario, toward)}
    assert all(0 <= ship.damage < belief.classes[ship.cls].damage_points for ship in force.ships)
    foreign = {own_class_name(power.id, "Own") for power in scenario.factions}
    assert all(
        ship.cls not in foreign - {own_class_name(ship.faction, "Own")} for ship in force.ships
    )
    counts_by_faction = {
        scan.faction: dict(scan.counts)
        for scan in view.sightings
        if (scan.week, scan.hex) == (view.week, hex_)
    }
    for faction, counts in counts_by_faction.items():
        if faction in side_of(scenario, toward):
            assert force.counts().get(faction, {}) == counts
    for faction, count in force.decoys:
        assert scenario.decoys
        assert 0 < count <= sum(ship.faction == faction for ship in force.ships)

    fleets = tuple(fleet.key for fleet in view.fleets) if data.draw(st.booleans()) else ()
    question = Question(hex_, toward, fleets, decoys, data.draw(st.booleans()))
    file = build_imagined_battle(belief, question, number)
    assert file == build_imagined_battle(again, question, number)
    assert (file is None) == (not force.ships or not any(_fights(view, question)))
    if file is not None:
        read_battle(file, {})  # as it will be fought
    result = estimate(belief, question)
    assert result == estimate(again, question)
    if result is not None:
        assert 0 <= result.extremes[0] <= result.median <= result.extremes[1] <= MAX_PERCENT
        assert 0 <= result.stronger <= result.forces
        assert result.forces + result.empty == FORCES


def _fights(view: View, question: Question) -> list[bool]:
    """Return whether each own ship that would be there can fight."""
    there = {
        fleet.key
        for fleet in view.fleets
        if (
            fleet.key in question.fleets
            if question.fleets
            else fleet.hex == question.hex and not fleet.in_ftl
        )
    }
    return [not ship.is_helpless for ship in view.ships if ship.fleet in there]


@pytest.mark.parametrize("slug", WARS)
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_visibility_names_possible_observers_in_any_odd_view(
    slug: str, data: st.DataObject
) -> None:
    full_scenario, known_views = views(slug)
    (view, _), scenario = (
        data.draw(odd_views(full_scenario, known_views)),
        data.draw(odd_scenarios(full_scenario)),
    )
    began = data.draw(
        st.sampled_from(
            (None, *(each_view for each_view in known_views if each_view.faction == view.faction))
        )
    )
    result = fleet_visibility(scenario, view, began, scanned_afar=False)
    assert result == fleet_visibility(
        scenario, decode(View, encode(view)), began, scanned_afar=False
    )
    assert [item.fleet for item in result] == list(view.fleets)
    for item in result:
        assert (item.visibility == Visibility.NOT) == (not item.by)
        assert not {*item.by} & {*side_of(scenario, view.faction)} or item.reason == "marker"
        assert item.visibility != Visibility.CERTAINLY or not item.fleet.in_ftl
        scanned = {scan.hex for scan in view.sightings if scan.week >= view.week - 1}
        assert item.reason not in ("met", "there") or item.fleet.hex in scanned
        assert item.reason != "before" or view.stage != StageKind.ORDERS


def test_scan_of_two_hundred_contacts_is_fought() -> None:
    scenario, known_views = views("lafayette")
    view = next(view for view in known_views if view.fleets and len(view.ships) > 3)
    foe = next(
        power.id for power in scenario.factions if are_hostile(scenario, power.id, view.faction)
    )
    scan = Sighting(view.week, DEEP_SPACE, foe, (("capital", 80), ("cruiser", 80), ("escort", 40)))
    view = replace(view, ships=view.ships[:1], sightings=(scan,))
    question = Question(DEEP_SPACE, foe, (view.ships[0].fleet,))
    (sample,) = fight_samples(Belief(scenario, view), question, (0,))
    assert sample.was_fought
    assert sample.result <= 0

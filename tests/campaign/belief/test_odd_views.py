"""Views as strange as wars may bring them: what is believed never contradicts them, and never
fails.

Nothing of one's own left, a map without systems, scans of more than any budget buys, of nobody, of
drones alone, of kinds nobody has a class for; allies at one place; classes met of which nobody has
the plans.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.belief.estimate import FORCES, MOST, estimate
from campaign.belief.exposure import Seen, exposure
from campaign.belief.forces import Belief, Decoys
from campaign.belief.meetings import Question, imagined_battle
from campaign.belief.odds import fight_samples
from campaign.kinds import StageKind
from campaign.rules.classes_met import ClassMet
from campaign.rules.codec import decode, encode
from campaign.rules.files import fixture_scenario
from campaign.rules.queries import hostile, own_class, side_of
from campaign.rules.scenario import Scenario
from campaign.rules.view import LostShip, Sighting, Touch, View
from engine.notation.battles import read_battle
from umpire.rehearsal import play

KINDS = ("escort", "cruiser", "capital", "merchant", "installation")
BETWEEN = "0101"  # a hex without a system, in any of the scenarios
WARS = ("lafayette", "three-powers", "knot-of-gates")
DECOYS: tuple[Decoys, ...] = ("likely", "none", "some", "many")


@cache
def views(slug: str) -> tuple[Scenario, tuple[View, ...]]:
    """What each side knew before each stage of a war."""
    scenario = fixture_scenario(slug)
    return scenario, tuple(
        view
        for played in play(scenario, {}, 1, captains=False).history
        for view in played.views.values()
    )


@st.composite
def odd_scenarios(draw: st.DrawFn, scenario: Scenario) -> Scenario:
    """A scenario with parts of it gone, in whose catalogue each faction has a design of its own, as
    who has read their sheets finds them.
    """
    own = tuple(
        replace(cls, name=own_class(power.id, "Own"))
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
def odd_views(draw: st.DrawFn, scenario: Scenario, known: tuple[View, ...]) -> tuple[View, str]:
    """A View of a war with ships and scans that it never had, and a place of which to ask."""
    view = draw(st.sampled_from(known))
    places = [system.hex for system in scenario.systems[:3]] + [BETWEEN]
    foes = [power.id for power in scenario.factions if hostile(scenario, power.id, view.faction)]
    here, foe = st.sampled_from(places), st.sampled_from(foes)
    weeks = st.integers(max(0, view.week - 3), view.week)
    counts = st.one_of(
        st.just({}),
        st.builds(lambda many: {"escort": many}, st.integers(1, 6)),  # it may be drones alone
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
                    counts.map(lambda found: tuple(sorted(found.items()))),
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
    kept = {fleet.key for fleet in fleets}
    return replace(
        view,
        stage=draw(st.sampled_from((StageKind.ORDERS, StageKind.DECISIONS, StageKind.BATTLES))),
        fleets=tuple(sorted(fleets, key=lambda fleet: fleet.key)),
        ships=tuple(ship for ship in view.ships if ship.fleet in kept),
        sightings=tuple(scans[key] for key in sorted(scans)),
        in_contact=tuple(
            draw(st.lists(st.builds(Touch, here, foe, st.just("contested")), max_size=2))
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


def met_ever(scenario: Scenario) -> st.SearchStrategy[list[ClassMet]]:
    """Classes met in battles: some that nobody has the plans of, and more of them gone than there
    were.
    """
    names = st.sampled_from(
        [*(cls.name for cls in scenario.catalogue[:5]), "Nobody's class", "nac/Own"]
    )
    powers = st.sampled_from([power.id for power in scenario.factions])
    return st.lists(
        st.builds(ClassMet, powers, names, st.just(BETWEEN), st.integers(0, 9), st.integers(0, 12)),
        max_size=4,
    )


@pytest.mark.parametrize("slug", WARS)
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_what_is_believed_fits_the_view_however_odd_it_is(slug: str, data: st.DataObject) -> None:
    whole, known = views(slug)
    view, hex_ = data.draw(odd_views(whole, known))
    scenario, met = data.draw(odd_scenarios(whole)), data.draw(met_ever(whole))
    foes = [power.id for power in scenario.factions if hostile(scenario, power.id, view.faction)]
    toward, number, decoys = (
        data.draw(st.sampled_from(foes)),
        data.draw(st.integers(0, 158)),
        data.draw(st.sampled_from(DECOYS)),
    )
    belief, again = Belief(scenario, view, met), Belief(scenario, decode(View, encode(view)), met)

    force = belief.force(hex_, toward, number, decoys)
    assert force == again.force(hex_, toward, number, decoys)
    assert {ship.faction for ship in force.ships} <= {*side_of(scenario, toward)}
    assert all(0 <= ship.damage < belief.classes[ship.cls].damage_points for ship in force.ships)
    foreign = {own_class(power.id, "Own") for power in scenario.factions}
    assert all(ship.cls not in foreign - {own_class(ship.faction, "Own")} for ship in force.ships)
    read = {
        scan.faction: dict(scan.counts)
        for scan in view.sightings
        if (scan.week, scan.hex) == (view.week, hex_)
    }
    for faction, counts in read.items():
        if faction in side_of(scenario, toward):
            assert force.counts().get(faction, {}) == counts
    for faction, many in force.decoys:
        assert scenario.decoys
        assert 0 < many <= sum(ship.faction == faction for ship in force.ships)

    fleets = tuple(fleet.key for fleet in view.fleets) if data.draw(st.booleans()) else ()
    question = Question(hex_, toward, fleets, decoys, data.draw(st.booleans()))
    file = imagined_battle(belief, question, number)
    assert file == imagined_battle(again, question, number)
    assert (file is None) == (not force.ships or not any(_fights(view, question)))
    if file is not None:
        read_battle(file, {})  # as it will be fought
    told = estimate(belief, question)
    assert told == estimate(again, question)
    if told is not None:
        assert 0 <= told.extremes[0] <= told.median <= told.extremes[1] <= MOST
        assert 0 <= told.stronger <= told.forces
        assert told.forces + told.empty == FORCES


def _fights(view: View, question: Question) -> list[bool]:
    """Whether each ship of one's own that would be there can fight."""
    there = {
        fleet.key
        for fleet in view.fleets
        if (
            fleet.key in question.fleets
            if question.fleets
            else fleet.hex == question.hex and not fleet.in_ftl
        )
    }
    return [not ship.helpless for ship in view.ships if ship.fleet in there]


@pytest.mark.parametrize("slug", WARS)
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_what_they_may_know_names_foes_who_could_read_it_however_odd_the_view(
    slug: str, data: st.DataObject
) -> None:
    whole, known = views(slug)
    (view, _), scenario = data.draw(odd_views(whole, known)), data.draw(odd_scenarios(whole))
    began = data.draw(
        st.sampled_from((None, *(one for one in known if one.faction == view.faction)))
    )
    told = exposure(scenario, view, began, scanned_afar=False)
    assert told == exposure(scenario, decode(View, encode(view)), began, scanned_afar=False)
    assert [item.fleet for item in told] == list(view.fleets)
    for item in told:
        assert (item.seen == Seen.NOT) == (not item.by)
        assert not {*item.by} & {*side_of(scenario, view.faction)} or item.why == "marker"
        assert item.seen != Seen.CERTAINLY or not item.fleet.in_ftl
        scanned = {scan.hex for scan in view.sightings if scan.week >= view.week - 1}
        assert item.why not in ("met", "there") or item.fleet.hex in scanned
        assert item.why != "before" or view.stage != StageKind.ORDERS


def test_a_scan_of_two_hundred_contacts_is_fought_like_any_other() -> None:
    scenario, known = views("lafayette")
    view = next(view for view in known if view.fleets and len(view.ships) > 3)
    foe = next(power.id for power in scenario.factions if hostile(scenario, power.id, view.faction))
    scan = Sighting(view.week, BETWEEN, foe, (("capital", 80), ("cruiser", 80), ("escort", 40)))
    view = replace(view, ships=view.ships[:1], sightings=(scan,))
    question = Question(BETWEEN, foe, (view.ships[0].fleet,))
    (sample,) = fight_samples(Belief(scenario, view), question, (0,))
    assert sample.met
    assert sample.result <= 0

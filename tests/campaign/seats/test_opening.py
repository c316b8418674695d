"""Opening a campaign and beginning its war."""

from __future__ import annotations

import pytest

from campaign.access import viewer_of
from campaign.errors import AlreadyStarted, NotAllowed, NotFound
from campaign.models import Campaign, Faction, Notification, Stage
from campaign.rules.agreements import Agreements, barred_titles
from campaign.rules.files import fixture_scenario
from campaign.rules.timetable import timetable_of
from campaign.selectors.due import stage_due
from campaign.services.campaigns import ADMIRALS, Markers, agreement_violations
from campaign.services.scenarios import scenario_import
from campaign.services.seats import campaign_begin, campaign_change, campaign_open, seat_take
from campaign.store.documents import scenario_of, stored_scenario
from campaign.web.agreement_forms import preset_agreements, preset_choices
from engine.core.errors import RuleViolations
from engine.design.restrictions import Restrictions
from tests.campaign.seats.people import (
    DAILY,
    MONDAY,
    join_by_invitation,
    open_campaign,
    person,
    viewer,
)
from umpire.admirals.character import CHARACTERS

pytestmark = pytest.mark.django_db


def admirals(campaign: Campaign) -> dict[str, str]:
    return dict(Faction.objects.filter(campaign=campaign).values_list("key", "admiral"))


def test_creator_hosts_and_may_play() -> None:
    campaign, host = open_campaign(play="ember", name="Evenings")
    assert (host.hosts, host.plays, host.umpires) == (True, True, False)
    assert host.faction is not None
    assert (host.faction.key, campaign.name) == ("ember", "Evenings")
    assert campaign.created_by_id == host.user.pk
    assert admirals(campaign) == {"ember": "", "frost": "steady"}
    assert campaign.timetable == timetable_of("solo")


def test_umpire_sees_all_and_never_plays() -> None:
    campaign, host = open_campaign(umpire=True)
    assert (host.hosts, host.umpires, host.plays) == (True, True, False)
    with pytest.raises(RuleViolations) as refused:
        seat_take(viewer=host, faction="ember")
    assert [fault.code for fault in refused.value.violations] == ["already-seated"]
    assert admirals(campaign) == {"ember": "steady", "frost": "steady"}


def test_all_faults_of_a_new_campaign_are_reported_at_once() -> None:
    scenario = scenario_import(scenario=fixture_scenario("first-steps"))
    with pytest.raises(RuleViolations) as refused:
        campaign_open(
            user=person("hope"),
            scenario=scenario,
            name="x" * 201,
            timetable={**DAILY, "zone": "Mars/Olympus"},
            play="smoke",
            umpire=True,
            admirals={"frost": "mad", "smoke": "steady"},
        )
    assert sorted((fault.where, fault.code) for fault in refused.value.violations) == [
        ("admirals.frost", "unknown-character"),
        ("admirals.smoke", "unknown-faction"),
        ("name", "too-long"),
        ("play", "unknown-faction"),
        ("timetable.zone", "unknown-zone"),
        ("umpire", "umpire-plays"),
    ]
    assert not Campaign.objects.exists()


@pytest.mark.rule("camp.open-play")
@pytest.mark.parametrize(
    ("markers", "ruled"),
    [
        (Markers(), (False, None)),
        (Markers(True), (True, None)),
        (Markers(True, 3), (True, 3)),
        (Markers(False), (False, None)),
    ],
)
def test_host_chooses_open_markers_or_hidden_movement(
    markers: Markers, ruled: tuple[bool, int | None]
) -> None:
    campaign, _ = open_campaign(markers=markers)
    value = scenario_of(campaign)
    assert (value.open_play, value.dummies) == ruled
    assert scenario_of(campaign) is value
    assert stored_scenario(campaign.scenario).open_play is False


@pytest.mark.rule("camp.open-play")
@pytest.mark.parametrize(
    ("markers", "code"),
    [
        (Markers(True, 51), "out-of-range"),
        (Markers(True, -1), "out-of-range"),
        (Markers(False, 1), "hidden-movement"),
    ],
)
def test_open_marker_setting_has_bounds(markers: Markers, code: str) -> None:
    with pytest.raises(RuleViolations) as refused:
        open_campaign(markers=markers)
    assert [(fault.where, fault.code) for fault in refused.value.violations] == [("dummies", code)]


def test_options_are_chosen_and_fixed_at_opening() -> None:
    campaign, _ = open_campaign(agreements=Agreements(("moving-table", "ram-on-4")))
    assert campaign.ruleset["options"] == ["moving-table", "ram-on-4"]
    assert scenario_of(campaign).options == ("moving-table", "ram-on-4")
    assert stored_scenario(campaign.scenario).options == ()


def test_default_options_are_those_of_the_scenario() -> None:
    campaign, _ = open_campaign()
    assert campaign.ruleset["options"] == []


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["magic"], [("options[0]", "unknown-option")]),
        (
            ["magic", "ram-on-4", "luck"],
            [("options[0]", "unknown-option"), ("options[2]", "unknown-option")],
        ),
        (["core-systems"], [("options[0]", "unknown-option")]),  # from the other edition
    ],
)
def test_unknown_or_conflicting_options_are_refused(
    options: list[str], expected: list[tuple[str, str]]
) -> None:
    with pytest.raises(RuleViolations) as refused:
        open_campaign(agreements=Agreements(tuple(options)))
    assert [(fault.where, fault.code) for fault in refused.value.violations] == expected


def test_scenario_decides_options_that_change_designs() -> None:
    assert option_codes("core-systems", "vector") == []
    assert option_codes("core-systems", "cpv") == ["option-of-designs"]
    assert option_codes("reactor-breach") == ["option-needs"]


def option_codes(*options: str) -> list[str]:
    """Return the codes of the faults of options for a war of Lafayette."""
    scenario = fixture_scenario("lafayette-continuum")
    return [fault.code for fault in agreement_violations(Agreements(options), scenario)]


def test_offered_admirals_exist() -> None:
    assert [character.name for character in CHARACTERS] == list(ADMIRALS)


def test_war_begins_at_once_and_once() -> None:
    campaign, host = open_campaign(play="ember", timetable=DAILY)
    Faction.objects.filter(campaign=campaign).update(admiral="")
    stage = campaign_begin(viewer=host, now=MONDAY)
    assert (stage.kind, stage.status, stage.opens) == ("deploy", "open", MONDAY)
    assert admirals(campaign) == {"ember": "", "frost": "steady"}
    assert Campaign.objects.get().started_at == MONDAY
    with pytest.raises(AlreadyStarted):
        campaign_begin(viewer=host, now=MONDAY)
    assert Stage.objects.count() == 1
    assert not Notification.objects.exists()  # the host began it and needs no mail about it


def test_only_the_host_starts_and_changes_the_war() -> None:
    _, host = open_campaign()
    others = [
        join_by_invitation(host, "pia", faction="ember"),
        join_by_invitation(host, "uma", role="umpire"),
        join_by_invitation(host, "ole", role="observer"),
    ]
    for each_viewer in others:
        with pytest.raises(NotFound):
            campaign_begin(viewer=each_viewer)
        with pytest.raises(NotFound):
            campaign_change(viewer=each_viewer, name="Mine")
        with pytest.raises(NotFound):
            seat_take(viewer=each_viewer, faction="frost")
    assert Campaign.objects.get().started_at is None


def test_settings_change_until_the_war_begins() -> None:
    campaign, host = open_campaign(play="ember")
    changed = campaign_change(
        viewer=host, name="Later", timetable=DAILY, admirals={"frost": "bold", "ember": "bold"}
    )
    assert (changed.name, changed.timetable) == ("Later", DAILY)
    # A faction with players needs no admiral
    assert admirals(campaign) == {"ember": "", "frost": "bold"}
    with pytest.raises(RuleViolations):
        campaign_change(
            viewer=host,
            timetable={"zone": "UTC", "closes": {"lunch": {"days": 1, "time": "20:00"}}},
        )
    campaign_begin(viewer=host)
    with pytest.raises(AlreadyStarted):
        campaign_change(viewer=host, name="Too late")
    assert Campaign.objects.get().name == "Later"


def test_host_takes_only_a_free_faction() -> None:
    campaign, host = open_campaign()
    join_by_invitation(host, "pia", faction="ember")
    with pytest.raises(NotAllowed):
        seat_take(viewer=host, faction="ember")
    assert seat_take(viewer=host, faction="frost") == seat_take(viewer=host, faction="frost")
    now = viewer(campaign, "hope")
    assert now.faction is not None
    assert (now.faction.key, now.faction.admiral) == ("frost", "")


def test_stage_against_the_computer_closes_when_its_player_seals() -> None:
    _, host = open_campaign(play="ember")
    stage = campaign_begin(viewer=host, now=MONDAY)
    assert stage.closes is None
    assert not stage_due(stage=stage, now=MONDAY)


def test_campaign_is_found_by_its_members_only() -> None:
    campaign, _ = open_campaign()
    with pytest.raises(NotFound):
        viewer_of(person("stranger"), campaign.public_id)


@pytest.mark.rule("2e.agreed-rules")
def test_host_bars_what_the_scenario_does_not_bring() -> None:
    barred = Agreements(restrictions=Restrictions(("nova-cannon", "q-ships")))
    campaign, _ = open_campaign(agreements=barred)
    assert campaign.ruleset["restrictions"] == {"barred": ["nova-cannon", "q-ships"]}
    scenario = scenario_of(campaign)
    assert scenario.restrictions == barred.restrictions
    assert barred_titles(scenario) == ("Nova cannon", "Q ships")
    for restrictions, expected in (
        (Restrictions(("screen",)), "barred"),
        (Restrictions(("gunboats",)), "unknown-system"),
        (Restrictions(("mines",), ("core",)), "both"),
    ):
        refused = agreement_violations(
            Agreements(restrictions=restrictions), fixture_scenario("first-steps")
        )
        assert {fault.code for fault in refused} == {expected}


def test_war_without_decoys_sells_none() -> None:
    campaign, _ = open_campaign(agreements=Agreements(("no-decoys",)))
    assert not scenario_of(campaign).decoys


@pytest.mark.any_database
def test_single_battle_follows_the_options_of_its_host() -> None:
    """Every preset of an edition can be played with every single battle, or says why not."""
    for slug in ("convoy-990", "con-am-12", "first-battle", "carrier-strike"):
        scenario = fixture_scenario(slug)
        own = Agreements(scenario.options, scenario.restrictions)
        for choice in preset_choices(scenario, own):
            agreements = preset_agreements(scenario, choice.preset)
            faults = agreement_violations(agreements, scenario)
            assert bool(choice.locked) == bool(faults)

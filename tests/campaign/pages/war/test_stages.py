"""Deployment, decisions, doctrine and battles: the pages of the other stages."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from campaign.belief.odds import HEADLINE, SampleResult, odds_of
from campaign.belief.visibility import FleetVisibility, fleet_visibility
from campaign.forms.faults import Faults
from campaign.forms.week.order_parts import encounter_choice
from campaign.models import Report, Submission
from campaign.orders.codec import orders_payload
from campaign.pages.week import deploy, odds, visibility
from campaign.pages.week.encounters import choice_card
from campaign.pages.week.visibility import visibility_data
from campaign.rules.forces import default_force
from campaign.rules.orders import Orders
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.services import orders, simulation_work
from campaign.services.design_library import library_design_save, library_of
from campaign.services.dispositions import TITLES, presets_of
from campaign.services.meetings import belief_of, encountered_classes
from campaign.services.shown_odds import shown_odds_of
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from engine.core.cache import Cache
from tests.campaign.api.test_designs import HUNTER
from tests.campaign.pages.war.browsing import Player, at, online_battle, player
from tests.job_runner import run_waiting_jobs
from tests.umpire.services.wars import resolve_stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def ember() -> Player:
    return at("deploy")


def fleet(player: Player, name: str) -> str:
    """Return the number in the form of the fleet with that name."""
    fields = player.form("deploy/")
    return next(
        key.partition("-")[2]
        for key, value in fields.items()
        if key.startswith("name-") and value == [name]
    )


def row_of(player: Player, number: str, cls: str) -> str:
    """Return the field of a fleet's ships of a class, or of a blank row."""
    fields = player.form("deploy/")
    start = f"class-{number}-"
    return next(
        key.partition("-")[2]
        for key, value in fields.items()
        if key.startswith(start) and value == [cls]
    )


def force_named(payload: dict[str, object], name: str) -> dict[str, object]:
    force = payload["deploy"]
    assert isinstance(force, list)
    return next(item for item in force if item["name"] == name)


@pytest.mark.rule("camp.budget")
def test_scenario_force_is_sealed_by_one_click(ember: Player) -> None:
    assert ember.fill("deploy/", action="seal").status_code == 302
    entry = Submission.objects.get(faction=ember.faction)
    default = orders_payload(Orders(deploy=default_force(scenario_of(ember.campaign), "ember")))

    def by_name(fleet: dict[str, object]) -> str:
        return str(fleet["name"])

    assert sorted(entry.payload["deploy"], key=by_name) == sorted(default["deploy"], key=by_name)
    assert "Sealed" in ember.get("deploy/").text


@pytest.mark.rule("camp.budget")
def test_ships_are_bought_named_and_counted(ember: Player) -> None:
    n = fleet(ember, "Lantern")
    fields = ember.form("deploy/")
    row = next(
        key.partition("-")[2]
        for key, value in fields.items()
        if key.startswith(f"class-{n}-") and value == ["Frigate"]
    )
    ember.fill("deploy/", **{f"count-{row}": "2", f"names-{row}": "Firefly"})
    ships = force_named(ember.draft(), "Lantern")["ships"]
    assert isinstance(ships, list)
    assert [name for cls, name in ships if cls == "Frigate"] == ["Firefly", "Brand 1"]
    names = [name for item in ember.draft()["deploy"] for _, name in item["ships"]]
    assert len(set(names)) == len(names)


@pytest.mark.rule("camp.budget")
def test_overspending_is_reported_with_the_sum(ember: Player) -> None:
    n = fleet(ember, "Lantern")
    fields = ember.form("deploy/")
    blank = next(
        key.partition("-")[2]
        for key, value in fields.items()
        if key.startswith(f"class-{n}-") and value == [""]
    )
    answer = ember.fill(
        "deploy/", action="seal", **{f"class-{blank}": "Superdreadnought", f"count-{blank}": "5"}
    )
    assert answer.status_code == 422
    text = answer.content.decode()
    assert re.search(r"has \d+ points; these fleets cost \d+", text)
    assert '<span class="sum over"' in text


def test_fleets_are_added_and_deleted(ember: Player) -> None:
    budget = ember.get("deploy/").options["add-budget"][-1]
    ember.fill("deploy/", action="add", **{"add-budget": budget})
    assert force_named(ember.draft(), "Fleet 1")["ships"] == []
    assert "a fleet must have at least one ship" in ember.get("deploy/").text
    n = fleet(ember, "Fleet 1")
    ember.fill("deploy/", **{f"drop-{n}": "on"})
    assert "Fleet 1" not in {item["name"] for item in ember.draft()["deploy"]}


def test_force_is_reset_to_the_scenario_default(ember: Player) -> None:
    ember.fill("deploy/", **{f"drop-{n}": "on" for n in range(3)})
    assert ember.draft()["deploy"] == []
    ember.send("deploy/", ember.form("deploy/"), "default")
    assert {item["name"] for item in ember.draft()["deploy"]} == {
        "Lance",
        "Lantern",
        "Hearth Guard",
    }


@pytest.mark.rule("camp.decision")
def test_decision_shows_scan_and_consequences() -> None:
    ember = at("decisions", ember="attack")
    page = ember.get("decisions/")
    assert "What the scan may hide of Frost Assembly at Frost" in page.text
    assert "10 contacts" in page.text
    assert "4 cruisers, 6 escorts" in page.text
    stakes = "They hold this system. If only your warships are left, it is yours."
    assert stakes in page.text
    war_room = ember.get("").text
    assert "You have met them at Frost" in war_room
    assert stakes in war_room
    assert "5 in 6 to get away if they fight" in page.text
    assert "I take command" not in page.text  # in this war captains fight
    assert "You escape unless a 6 is rolled." in page.text
    assert "Seen before" not in page.text  # it is the first meeting of the war
    for action in ("save", "seal"):
        ember.fill("decisions/", action=action, **{"decide-0804-frost": "withdraw"})
    entry = Submission.objects.get(faction=ember.faction, stage=ember.stage())
    assert entry.payload["decide"] == [{"hex": "0804", "toward": "frost", "choice": "withdraw"}]
    assert "Frost (0804): withdraw from Frost Assembly" in ember.get("decisions/").text


@pytest.mark.parametrize(
    ("stuck", "outcomes", "note"),
    [
        (0, "Both leave. If no ships remain, nobody holds the system this week.", ""),
        (
            2,
            "Both leave, except your ships that cannot.",
            "Ships that cannot leave and stand off instead: 2.",
        ),
        (10, "They leave, you stay.", "None of your ships can leave: they stand off instead."),
    ],
)
def test_withdrawal_names_ships_that_cannot_leave(stuck: int, outcomes: str, note: str) -> None:
    ember = at("decisions", ember="attack")
    scenario = scenario_of(ember.campaign)
    view = current_sight(ember.campaign, ember.faction).view
    row = encounter_choice(
        scenario,
        view,
        label="0804",
        toward="frost",
        state="",
        decisions={},
        faults=Faults(),
    )
    row = replace(row, own_ship_count=10, stuck_count=stuck)
    card = choice_card("withdraw", "withdraw", row)
    assert card.outcomes[-1][1] == outcomes
    assert card.note == note
    assert choice_card("fight", "fight", row).note == ""


def test_odds_at_a_place_of_own_fleets_tell_that_nobody_is_met() -> None:
    ember = at("orders")
    text = ember.get("odds/?hex=0304&toward=frost").text
    assert "Your fleets are there and have met none of theirs." in text
    assert "You cannot see this place" not in text


def test_encounter_odds_are_text_and_bars_without_scripts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ember = at("decisions", ember="attack")
    (ask,) = [link for link in ember.get("decisions/").links if "/odds/" in link]
    monkeypatch.setattr(odds, "MAX_BATTLES", HEADLINE)
    where = ask.partition(f"/c/{ember.campaign.public_id}/")[2]
    before = ember.get(where).text
    assert "The first battles are being simulated." in before
    assert "by strength alone" in before
    assert "A rough estimate until the first simulated battle" in before
    monkeypatch.setattr(simulation_work, "FIRST_RESULTS_SECONDS", 0.0)
    run_waiting_jobs(1)
    first = ember.get(where)
    assert "Simulated so far: 1 battle at Frost (0804)." in first.text
    assert "by strength alone" not in first.text
    assert first.text.count("In 90% of battles:") == 2
    assert "the range is wider to be safe" in first.text
    run_waiting_jobs()
    page = ember.get(where)
    assert page.text.count("half") == first.text.count("half") + 2, "one battle has no distribution"
    assert "% of battles at Frost (0804)" in page.text
    assert page.text.count("In 90% of battles:") == 2
    assert "the range is wider" not in page.text
    assert "Stop simulating" not in page.text
    assert ember.get("odds/?hex=9999&toward=nobody").text.count("% of battles") == 0
    card = ember.client.get(f"{ember.url(where)}&form=card", headers={"HX-Request": "true"})
    assert "of 100 battles won" in card.content.decode()
    ember.fill("decisions/", action="seal", **{"decide-0804-frost": "fight"})
    (shown,) = shown_odds_of(ember.campaign, ember.faction, ember.stage().week)
    assert (shown["hex"], shown["toward"], shown["runs"]) == ("0804", "frost", HEADLINE)


def test_player_takes_command_as_in_the_meeting_before(monkeypatch: pytest.MonkeyPatch) -> None:
    ember = at("decisions", ember="attack")
    monkeypatch.setattr(orders, "battle_setting_of", lambda campaign: "mixed")
    assert ember.form("decisions/")["command-0804"] == ["captain"]
    ember.fill("decisions/", action="seal", **{"command-0804": "player"})
    entry = Submission.objects.get(faction=ember.faction, stage=ember.stage())
    assert entry.payload["take_command"] == [{"hex": "0804", "by": "player"}]
    assert "If there is a battle at Frost (0804): you take command" in ember.get("decisions/").text
    resolve_stage(ember.stage())
    assert orders.WeekOrders(ember.stage(), ember.faction).last_command() == "player"


def test_odds_headline_appears_from_twenty_battles_on() -> None:
    def headline(battles: int) -> str:
        return odds.odds_sentence(odds_of([SampleResult(1, 0.1, 0.9)] * battles), "Frost")

    assert headline(HEADLINE - 1) == "Simulated so far: 19 battles at Frost. You won 19 and drew 0."
    assert headline(HEADLINE).startswith("You win 100% of battles at Frost; ")


def test_pre_contact_odds_are_those_of_the_published_garrison(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ember = at("orders")
    fleet = next(
        own_fleet.key
        for own_fleet in current_sight(ember.campaign, ember.faction).view.fleets
        if own_fleet.name == "Lance"
    )
    where = f"odds/?hex=0804&toward=frost&fleet={fleet}"
    monkeypatch.setattr(odds, "MAX_BATTLES", 12)
    before = ember.get(where).text
    assert "You cannot see this place now. Published defences: 2 escorts." in before
    assert "Garrison only Published: 2 escorts. It does not move." in before
    assert "With their main fleet" not in before, "no contact has been seen"
    run_waiting_jobs()
    assert "battles won so far margin" in ember.get(where).text


def test_battle_sightings_change_beliefs_afterwards() -> None:
    ember, _ = online_battle()
    now = current_sight(ember.campaign, ember.faction)
    known_classes = encountered_classes(ember.campaign, ember.faction, now.seq)
    assert known_classes
    assert {class_met.faction for class_met in known_classes} == {"frost"}
    assert belief_of(ember.campaign, ember.faction, now).encounters == tuple(known_classes)
    assert encountered_classes(ember.campaign, ember.faction, now.seq - 1) == []


def test_visibility_names_observers_and_their_scan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ember = at("decisions", ember="attack")
    starts_of_week: list[View | None] = []

    def record_start(
        scenario: Scenario, view: View, began: View | None, *, scanned_afar: bool
    ) -> tuple[FleetVisibility, ...]:
        starts_of_week.append(began)
        return fleet_visibility(scenario, view, began, scanned_afar=scanned_afar)

    monkeypatch.setattr(visibility, "fleet_visibility", record_start)
    text = ember.get("visibility/").text
    at("orders").get("visibility/")
    assert [began and (began.stage, began.week) for began in starts_of_week] == [
        ("orders", 1),
        None,
    ]  # where fleets came from
    assert "certainly" in text
    assert "It met Frost Assembly here this week" in text


def test_orders_page_marks_known_fleets_and_links_to_odds() -> None:
    ember = at("decisions", ember="attack")
    view = current_sight(ember.campaign, ember.faction).view
    page_data = visibility_data(scenario_of(ember.campaign), view)
    there = {fleet.key for fleet in view.fleets if fleet.hex == "0804"}
    assert page_data["eyes"] == [
        {"hex": "0804", "sure": True, "words": f"{len(there)} fleets: certainly"}
    ]
    assert page_data["fleets"].keys() == there != {fleet.key for fleet in view.fleets}
    assert all(
        sentence.startswith("They can see it. It met Frost Assembly here this week")
        for sentence in page_data["fleets"].values()
    )
    quiet = at("orders")
    page = quiet.client.get(quiet.url("orders/")).content.decode()
    data = json.loads(
        re.findall(r'<script id="desk" type="application/json">(.*?)</script>', page)[0]
    )
    assert data["known"] == {"eyes": [], "fleets": {}}
    for tail in ("", "map/", "orders/"):
        links = quiet.get(tail).links
        assert {quiet.url("odds/"), quiet.url("visibility/")} <= set(links), tail


def test_unnamed_opponent_is_the_last_seen_or_the_holder() -> None:
    karst = at("orders", "three-powers", "karst")
    page = karst.client.get(karst.url("odds/"), {"hex": "0516"}).content.decode()
    assert '<option value="halcyon" selected>' in page
    assert "None of your fleets is at" in page
    assert (
        '<option value="thessaly" selected>'
        in karst.client.get(karst.url("odds/?hex=2717")).content.decode()
    )
    odds_page = karst.client.get(karst.url("odds/"), {"hex": "1618"}).content.decode()
    assert "Choose a system, and which of your fleets go there." in odds_page


def test_player_without_encounter_seals_an_empty_sheet() -> None:
    ember = at("decisions")
    assert "nothing to decide this week" in ember.get("decisions/").text.lower()
    assert ember.fill("decisions/", action="seal").status_code == 302
    assert Submission.objects.get(faction=ember.faction, stage=ember.stage()).payload == {
        "schema": 1
    }


@pytest.mark.rule("camp.battle")
def test_player_sets_captain_doctrine() -> None:
    ember = at("battles", ember="attack")
    fields = ember.form("orders/")
    key = next(name.removeprefix("targets-") for name in fields if name.startswith("targets-"))
    ember.fill("orders/", action="seal", **{f"targets-{key}": "weakest", f"range-{key}": "18"})
    entry = Submission.objects.get(faction=ember.faction, stage=ember.stage())
    assert entry.payload["settings"] == [
        {"fleet": key, "doctrine": {"range": 18, "targets": "weakest"}}
    ]


@pytest.mark.parametrize(
    ("kind", "page"), [("deploy", "deploy/"), ("orders", "orders/"), ("decisions", "decisions/")]
)
def test_page_of_another_stage_links_to_the_current_one(kind: str, page: str) -> None:
    ember = at(kind)
    for other in {"deploy/", "orders/", "decisions/"} - {page}:
        answer = ember.client.get(ember.url(other))
        assert answer.status_code == 302
        assert answer["Location"] == ember.url(page)


def test_battle_is_replayed_as_this_side_saw_it() -> None:
    ember, id_ = online_battle()
    first, all_turns = ember.get(f"battles/{id_}/"), ember.get(f"battles/{id_}/?turn=all")
    assert "Turn 1" in first.text
    assert "Bogey" in first.text
    assert re.search(r"is identified:|are identified:", all_turns.text)
    assert re.search(r"fires at .+ MU with \d+ batter(?:y|ies): ", all_turns.text)
    assert len(re.findall(r"Turn \d+", all_turns.text)) > 1
    assert all_turns.inline == []
    for name in (f"battles/{id_}/?turn=99", f"battles/{id_}/?turn=x"):
        ember.get(name, status=404)


def test_battle_page_never_shows_foreign_keys_or_names() -> None:
    ember, id_ = online_battle()
    text = ember.client.get(ember.url(f"battles/{id_}/?turn=all")).content.decode()
    for hidden in ("frost/s", "frost/f", "Icicle 1", "Glacier 1", "Icebreaker"):
        assert hidden not in text


def test_foreign_battle_id_is_not_found() -> None:
    ember, _ = online_battle()
    theirs = Report.objects.get(faction__key="frost", kind="battle").body["battle"]
    ember.get(f"battles/{theirs}/", status=404)
    ember.get("battles/00000000-0000-0000-0000-000000000000/", status=404)
    frost = player(ember.campaign, "frost")
    assert "Turn 1" in frost.get(f"battles/{theirs}/").text


def test_nothing_can_be_ordered_after_the_war() -> None:
    ember = at("deploy")
    following = resolve_stage(ember.stage()).next
    while following is not None:
        following = resolve_stage(following).next
    for name in ("deploy/", "orders/", "decisions/"):
        assert ember.client.get(ember.url(name)).headers["Location"] == ember.url("")
    assert "The war is over" in ember.get("").text
    assert "the end" in ember.get("map/").text
    assert "before the deployment" in ember.get("map/?seq=0").text
    assert "Skip empty stages" not in ember.get("").text


def test_new_classes_are_bought_only_until_the_deployment_is_over(ember: Player) -> None:
    assert "then you can buy ships of it in your deployment" in ember.get("classes/").text
    resolve_stage(ember.stage())
    text = ember.get("classes/").text
    assert "ships of new classes can no longer be bought" in text
    assert "then you can buy" not in text


def test_two_fleets_with_one_name_are_refused(ember: Player) -> None:
    fields = ember.form("deploy/")
    for key in [key for key in fields if key.startswith("name-")][:2]:
        fields[key] = ["Twin"]
    answer = ember.send("deploy/", fields, "seal")
    assert answer.status_code == 422
    assert "another fleet is already called 'Twin'" in html.unescape(answer.content.decode())


def test_starting_forces_differ_and_replace_the_draft(ember: Player) -> None:
    offered = ember.get("deploy/").text
    scenario, key = scenario_of(ember.campaign), ember.faction.key
    presets = presets_of(scenario, key)
    assert presets == presets_of(scenario, key), "dice decide nothing"
    assert len({repr(force) for force in presets.values()}) == len(presets) >= 2
    ships = {
        repr(sorted(cls for item in force for cls, _ in item["ships"]))
        for force in presets.values()
    }
    assert len(ships) == 1, "the same ships, otherwise disposed"
    for name, force in presets.items():
        assert TITLES[name] in offered
        ember.send("deploy/", ember.form("deploy/"), f"preset {name}")
        assert ember.draft()["deploy"] == force
    before = sorted(item["name"] for item in ember.draft()["deploy"])
    ember.send("deploy/", ember.form("deploy/"), "preset of nobody")
    assert sorted(item["name"] for item in ember.draft()["deploy"]) == before
    assert ember.fill("deploy/", action="seal").status_code == 302


def test_saved_design_is_added_by_one_button(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class_names: list[set[str]] = []

    def spied(scenario: Scenario, faction: str) -> dict[str, list[Any]]:
        class_names.append({cls.name for cls in scenario.catalogue})
        return presets_of(scenario, faction)

    monkeypatch.setattr(deploy, "presets_of", spied)
    monkeypatch.setattr(deploy, "_preset_forces", Cache(8))
    nac = at("deploy", "lafayette-continuum", "nac")
    row = library_design_save(user=nac.user, document=HUNTER)
    library_design_save(user=nac.user, document={**HUNTER, "class": "Whale", "thrust": 40})
    assert "From your designs: 2 designs" in nac.get("deploy/").text
    before = nac.form("deploy/")
    nac.send("deploy/", before, f"library {row.public_id}")
    page = nac.get("deploy/")
    assert "Hunter is now one of your classes" in page.text
    assert "From your designs: 1 design" in page.text
    assert any(
        "nac/Hunter" in offered
        for name, offered in page.options.items()
        if name.startswith("class-")
    )
    field_names = [name for name in before if name not in ("csrfmiddlewaretoken", "version")]
    after = nac.form("deploy/")
    assert [after[name] for name in field_names] == [before[name] for name in field_names], (
        "the force is as it was"
    )
    whale = next(candidate for candidate in library_of(nac.user) if candidate.name == "Whale")
    nac.send("deploy/", nac.form("deploy/"), f"library {whale.public_id}")
    assert "Whale cannot be built in this war" in nac.get("deploy/").text
    assert nac.client.post(nac.url("deploy/"), {**before, "action": "library x"}).status_code == 404
    assert class_names == [{cls.name for cls in scenario_of(nac.campaign).catalogue}], (
        "once, of what is published"
    )

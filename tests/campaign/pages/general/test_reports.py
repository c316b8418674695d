"""Reports in words and damaged ships: a player's own, and nobody else's."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from django.template.loader import render_to_string

from campaign.drawings.strips import strip
from campaign.pages.ships.ships import fleets_of
from campaign.rules.files import fixture_scenario
from campaign.rules.perception import build_view, notices_by_faction
from campaign.rules.scenario import Scenario
from campaign.rules.view import Notice, View
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from campaign.web.battle_ends import Fate
from campaign.web.seat_names import faction_names, with_emblems
from campaign.words.notices import lines_of
from tests.campaign.pages.general.browser_pages import page
from tests.campaign.pages.war.browsing import at, player
from tests.umpire.services.wars import resolve_stage
from umpire.rehearsal import play


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return fixture_scenario("first-steps")


def test_every_notice_of_whole_wars_is_readable(scenario: Scenario) -> None:
    codes: set[str] = set()
    for seed in range(3):
        war = play(scenario, {"ember": "bold", "frost": "cautious"}, seed, captains=False)
        for stage in war.history:
            for faction in ("ember", "frost"):
                before = stage.before
                notices = notices_by_faction(stage.outcome.week_events, before.week, before.stage)
                for line in lines_of(scenario, faction, notices.get(faction, ())):
                    assert line.words.endswith((".", "!"))
                    assert "{" not in line.words
                    codes.add(line.code)
    assert {
        "deployed",
        "scan",
        "decided",
        "battle-over",
        "ship-lost",
        "holding",
        "war-over",
    } <= codes


CASES: tuple[tuple[str, str, dict[str, Any], str, str], ...] = (
    (
        "chase",
        "0804",
        {"withdraws": "ember", "fights": "frost", "die": 6},
        "Frost Assembly pursued, rolled 6, and caught you.",
        "bad",
    ),
    (
        "chase",
        "0804",
        {"withdraws": "frost", "fights": "ember", "die": 2},
        "You pursued Frost Assembly and rolled 2; they got away.",
        "",
    ),
    (
        "ship-lost",
        "0804",
        {"ship": "Torch 1", "class": "Destroyer", "cause": "captured", "captor": "frost"},
        "You lost Torch 1 (Destroyer): captured by Frost Assembly.",
        "bad",
    ),
    (
        "taken-at-dock",
        "0804",
        {"class": "Destroyer", "owner": "frost", "cause": "scuttled"},
        "You found a Destroyer of Frost Assembly in dock, scuttled.",
        "",
    ),
    (
        "repaired",
        "0304",
        {"ship": "Torch 1", "system": "hull", "die": 1},
        "Torch 1: 1 point of damage repaired.",
        "good",
    ),
    (
        "not-repaired",
        "0304",
        {"ship": "Torch 1", "system": "battery-2", "die": 2},
        "Torch 1: battery 2 not repaired (rolled 2).",
        "",
    ),
    (
        "holding",
        "0804",
        {"system": "frost-prime", "holder": "ember", "state": "held", "superior": "ember"},
        "You hold Frost; you have superiority.",
        "good",
    ),
    (
        "holding",
        "0804",
        {"system": "frost-prime", "holder": "ember", "state": "stand-off", "superior": "ember"},
        "You hold Frost, in a stand-off; you keep superiority.",
        "good",
    ),
    (
        "holding",
        "0804",
        {"system": "frost-prime", "holder": "frost", "state": "stand-off", "superior": "frost"},
        "Frost Assembly holds Frost, in a stand-off; Frost Assembly keeps superiority.",
        "bad",
    ),
    (
        "holding",
        "0804",
        {"system": "frost-prime", "holder": "", "state": "held", "superior": ""},
        "Nobody holds Frost; nobody has superiority.",
        "",
    ),
    (
        "scan",
        "0804",
        {"faction": "frost", "capital": 2, "escort": 6},
        "Long range scan of Frost Assembly: 2 capital ships, 6 escorts.",
        "warm",
    ),
    (
        "scan",
        "0804",
        {"faction": "frost"},
        "Long range scan of Frost Assembly: no contacts.",
        "warm",
    ),
    (
        "battle-joined",
        "0804",
        {"sides": "ember v frost"},
        "A battle begins: you against Frost Assembly.",
        "warm",
    ),
    (
        "stand-off",
        "0804",
        {"a": "ember", "b": "frost", "inner": ""},
        "Stand-off with Frost Assembly: both sides stay and do not fight.",
        "warm",
    ),
    (
        "withdrew",
        "0804",
        {},
        "Your ships withdrew by FTL. They must move on; until then they cannot be scanned and "
        "hold no system.",
        "",
    ),
    ("replenished", "0304", {"ship": "Torch 1"}, "Torch 1 was replenished.", "good"),
    (
        "order-dropped",
        "",
        {"order": "moves[0]", "code": "far", "why": "too far"},
        "An order could not be carried out (moves[0]): too far.",
        "warm",
    ),
)


def test_pursuit_before_movement_comes_before_the_scan_after_it(scenario: Scenario) -> None:
    choices = (
        ("a", "ember"),
        ("a-choice", "fight"),
        ("b", "frost"),
        ("b-choice", "withdraw"),
        ("outcome", "gone"),
    )
    chase = (("withdraws", "frost"), ("fights", "ember"), ("die", 4))
    facts_by_code = {"scan": (("faction", "frost"),), "decided": choices, "chase": chase}

    def codes_in_order(stages: dict[str, str]) -> list[str]:
        notices = []
        for code, facts in facts_by_code.items():
            notices.append(Notice(2, stages.get(code, "orders"), code, "0804", facts))
        return [line.code for line in lines_of(scenario, "ember", notices)]

    assert codes_in_order({}) == ["decided", "chase", "scan"]
    new_contact = {"decided": "decisions", "chase": "decisions"}
    assert codes_in_order(new_contact) == ["scan", "decided", "chase"]


def test_contested_system_has_ships_of_both_sides(scenario: Scenario) -> None:
    facts = (("a", "ember"), ("b", "frost"), ("inner", ""))
    (line,) = lines_of(scenario, "ember", [Notice(1, "battles", "contested", "0804", facts)])
    assert line.words == (
        "You and Frost Assembly both still have ships here. The system is contested; nobody "
        "holds it."
    )


def test_destroyed_ships_of_one_place_share_a_line() -> None:
    scenario = fixture_scenario("first-steps")

    def loss_notice(ship: str, hex_: str, cause: str = "destroyed") -> Notice:
        return Notice(
            1,
            "battles",
            "ship-lost",
            hex_,
            (("ship", ship), ("class", "Destroyer"), ("cause", cause)),
        )

    lines = lines_of(
        scenario,
        "ember",
        [
            loss_notice("A", "0304"),
            loss_notice("B", "0304"),
            loss_notice("C", "0304", "struck"),
            loss_notice("D", "0504"),
        ],
    )
    assert [(line.hex, line.words) for line in lines] == [
        ("0304", "You lost 2 ships, destroyed: A, B."),
        ("0304", "You lost C (Destroyer): surrendered."),
        ("0504", "You lost D (Destroyer): destroyed."),
    ]


@pytest.mark.parametrize(("code", "hex_", "facts", "words", "tone"), CASES)
def test_notice_addresses_its_reader(
    scenario: Scenario, code: str, hex_: str, facts: dict[str, Any], words: str, tone: str
) -> None:
    (line,) = lines_of(scenario, "ember", [Notice(1, "orders", code, hex_, tuple(facts.items()))])
    assert (line.words, line.tone) == (words, tone)


def view_with_damage(scenario: Scenario, hex_: str = "0304") -> View:
    """Return a view whose first ship has lost five boxes and some systems, with its fleet in a hex."""
    war = play(scenario, {}, 1, captains=False)
    view = build_view(scenario, war.history[1].before, "ember", None, ())
    first = next(ship for ship in view.ships if ship.cls == "Heavy Cruiser")
    ship = dataclasses.replace(first, damage=5, lost=("battery-1", "drive", "drive", "ftl"))
    ships = tuple(ship if row.key == ship.key else row for row in view.ships)
    fleets = tuple(
        dataclasses.replace(row, hex=hex_) if row.key == ship.fleet else row for row in view.fleets
    )
    return dataclasses.replace(view, ships=ships, fleets=fleets)


def test_hull_strip_shows_the_remaining_boxes(scenario: Scenario) -> None:
    lines = [
        ship for fleet in fleets_of(scenario, view_with_damage(scenario)) for ship in fleet.ships
    ]
    ship = next(line for line in lines if line.damage)
    assert ship.hull.alt == "hull 11 of 16"
    assert (ship.hull.intact_path.count("M"), ship.hull.lost_path.count("M")) == (11, 5)
    assert ship.lost_systems == ("battery 1", "main drive (lost)", "FTL drive")
    assert ("cannot jump", "warm") in ship.badges
    assert all(
        line.hull.intact_path.count("M") + line.hull.lost_path.count("M") == line.hull_boxes
        for line in lines
    )


def test_damaged_core_is_reported(scenario: Scenario) -> None:
    view = view_with_damage(scenario)
    notes = (
        ("air-fails", 1),
        ("irreparable:battery-1", 1),
        ("out-of-control", 9999),
        ("reactor", 5),
    )
    ships = tuple(
        dataclasses.replace(ship, notes=notes if ship.damage else ()) for ship in view.ships
    )
    lines = [
        ship
        for fleet in fleets_of(scenario, dataclasses.replace(view, ships=ships))
        for ship in fleet.ships
    ]
    assert [
        words for words, tone in next(line for line in lines if line.damage).badges if tone == "bad"
    ] == [
        "air for 1 turn of battle",
        "without command until repaired",
        "power core out of control",
    ]
    assert all(tone != "bad" for line in lines if not line.damage for _, tone in line.badges)


def test_damaged_ship_says_what_to_do_and_where(scenario: Scenario) -> None:
    def mend(view: View) -> str:
        return next(
            ship.repair_text
            for fleet in fleets_of(scenario, view)
            for ship in fleet.ships
            if ship.damage
        )

    assert mend(view_with_damage(scenario)) == (
        "The yard here can help: a week in dock repairs the hull and up to 3 systems. Order it to dock there."
    )
    assert mend(view_with_damage(scenario, "0504")) == "Can be repaired at Ember."


def test_known_ship_fates_are_drawn() -> None:
    own_fate = Fate("s1", "Torch 1", "Frigate", "escort", True, 1, "", "", hull=strip((3, 2), 1))
    foreign = Fate("c1", "Bogey 3f2a", "cruiser", "cruiser", False, 0, "", "")
    drone = Fate("f1/decoy-1", "Decoy", "decoy drone", "", True, 0, "", "")
    text = render_to_string(
        "campaign/_ship_fates.html", {"title": "Ships", "rows": [own_fate, foreign, drone]}
    )
    assert [text.count(words) for words in ("#ship-escort", "#ship-cruiser", "#ship-")] == [1, 1, 2]
    assert text.count('class="hull foe"') == 1
    assert text.count('aria-label="hull') == 1
    assert 'aria-label="hull 4 of 5"' in text
    assert 'aria-label=""' not in text


@pytest.mark.django_db
class TestPages:
    def test_reports_of_a_week_share_a_page(self) -> None:
        ember = at("battles", ember="attack")
        words = ember.get("reports/").text
        assert "Report: week 1" in words
        assert "Long range scan of Frost Assembly" in words
        assert "A battle begins" in words
        assert "You deployed" in ember.get("reports/?week=0").text
        assert "You deployed" not in words

    def test_report_has_its_own_address(self) -> None:
        ember = at("battles", ember="attack")
        text = ember.get("reports/3/")
        assert "Week 1: decisions" in text.text
        assert ember.url("reports/2/") in text.links
        for missing in ("reports/0/", "reports/9/", "reports/?week=7", "reports/?week=99999999999"):
            answer = ember.client.get(ember.url(missing))
            assert answer.status_code == (404 if "9999" not in missing else 200)

    def test_names_in_reports_link_to_visible_ships_and_places(
        self,
    ) -> None:
        ember = at("battles", ember="attack")
        resolve_stage(ember.stage())
        frost = player(ember.campaign, "frost")
        ships: dict[str, set[str]] = {}
        for each_player in (ember, frost):
            reports = [
                each_player.get(name)
                for name in ("reports/", "reports/?week=0", "reports/4/", "", "gazette/1/?for=own")
            ]
            links = {link for report in reports for link in report.links}
            ships[each_player.faction.key] = {
                link for link in links if link.startswith(each_player.url("ships/"))
            } - {each_player.url("ships/")}
            places = {link for link in links if "hex=" in link}
            assert ships[each_player.faction.key]
            assert places
            for link in (*ships[each_player.faction.key], *places):
                assert each_player.client.get(link).status_code == 200, link
        assert not ships["ember"] & ships["frost"]
        assert all(frost.client.get(link).status_code == 404 for link in ships["ember"])
        for loss in current_sight(ember.campaign, ember.faction).view.losses:
            assert any(
                loss.name in ember.client.get(link).content.decode() for link in ships["ember"]
            ), loss.name

    def test_map_describes_a_requested_place(self) -> None:
        ember = at("orders")
        fleet = current_sight(ember.campaign, ember.faction).view.fleets[0]
        place = ember.get(f"map/?hex={fleet.hex}").text.split(" Your fleets ")[0]
        assert fleet.name in place[place.index(f"({fleet.hex})") :]
        systems = {system.hex for system in scenario_of(ember.campaign).systems}
        empty = next(label for label in ("0102", "0103", "0104") if label not in systems)
        assert f"{empty} Nothing is known to be there." in ember.get(f"map/?hex={empty}").text
        answer = ember.get("map/?hex=9999", status=404)
        assert "There is no hex 9999 on this map. Its columns are 01 to " in answer.text
        for wrong in ("0000", "9999", "x", "0101'", "٠١٠١"):
            assert ember.client.get(ember.url("map/"), {"hex": wrong}).status_code == 404

    def test_page_before_the_first_report_says_what_to_do(self) -> None:
        ember = at("deploy")
        assert ember.url("deploy/") in ember.get("reports/").links
        assert "No ships yet" in ember.get("ships/").text

    def test_ships_page_shows_own_ships(self) -> None:
        ember = at("orders")
        words = page(ember.client, ember.url("ships/")).text
        assert "Furnace 1" in words
        assert "Iceberg" not in words
        assert "Icebreaker" not in words
        view = current_sight(ember.campaign, ember.faction).view
        assert all(ship.name in words for ship in view.ships)

    def test_war_room_shows_own_fleets_and_the_next_step(self) -> None:
        ember = at("decisions", ember="attack")
        words = page(ember.client, ember.url("")).text
        assert "Your fleets made contact in 1 system: decide" in words
        assert "Lance" in words
        assert "Icebreaker" not in words
        frost = player(ember.campaign, "frost")
        frost_text = page(frost.client, frost.url("")).text
        assert "Icebreaker" in frost_text
        assert "Lance" not in frost_text

    def test_player_without_encounter_is_asked_to_seal(self) -> None:
        ember = at("decisions")
        assert "Nothing to decide this week: seal" in ember.get("").text
        assert "No battle this week: seal" in at("battles").get("").text

    def test_pages_cost_few_queries(self, django_assert_max_num_queries: Any) -> None:
        ember = at("battles", ember="attack")
        scenario_of(ember.campaign)
        for name, most in (("", 20), ("reports/", 14), ("reports/2/", 12), ("ships/", 11)):
            ember.client.get(ember.url(name))
            with django_assert_max_num_queries(most):
                ember.client.get(ember.url(name))


def test_emblems_precede_faction_names_only(scenario: Scenario) -> None:
    text = 'Ember Cooperative meets <a href="/Frost Assembly">Frost</a>; Frost Assembly&#x27;s fleet, Embers'
    with_marks = with_emblems(faction_names(scenario), text)
    assert [part.split('"')[0] for part in with_marks.split("#e")[1:]] == ["1", "2"]
    for number, name in enumerate(("Ember Cooperative", "Frost Assembly"), 1):
        assert (
            f'<span class="named seat-{number}"><svg class="emblem" aria-hidden="true"><use'
            in with_marks
        )
        assert f"</svg>{name}</span>" in with_marks
    renamed = dataclasses.replace(scenario.systems[0], name="Frost Assembly")
    unsure = dataclasses.replace(scenario, systems=(renamed, *scenario.systems[1:]))
    assert with_emblems(faction_names(unsure), "Frost Assembly") == "Frost Assembly"

"""The battle builder: a battle by points built, opened, saved and changed."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from django.contrib.auth.models import User
from django.test import Client

from campaign.models import Campaign, Invite, PrivateScenario, ScenarioDraft
from campaign.services.own_scenarios import scenario_draft_create
from campaign.store.documents import scenario_of
from tests.campaign.pages.war.browsing import Page
from tests.umpire.services.mustered_battle import scenario_file

pytestmark = [pytest.mark.django_db, pytest.mark.rule("camp.one-off")]
NEW = "/battles/new"


def browser(name: str) -> Client:
    user, _ = User.objects.get_or_create(username=name)
    client = Client()
    client.force_login(user)
    return client


def form_of(client: Client, address: str = NEW) -> dict[str, list[str]]:
    """Return the fields of the form as a browser would send them."""
    forms = Page(client.get(address).content.decode()).forms
    return next(form for form in forms if "file" in form)


def test_battle_is_opened_with_a_link_for_a_friend() -> None:
    ann = browser("ann")
    fields = form_of(ann) | {"battle-points-0-battle.points": ["900"], "act": ["open"]}
    answer = ann.post(NEW, fields)
    campaign = Campaign.objects.get()
    assert answer.headers["Location"] == f"/c/{campaign.public_id}/"
    scenario = scenario_of(campaign)
    assert [budget.points for budget in scenario.budgets] == [900, 900]
    lobby = ann.get(answer.headers["Location"]).content.decode()
    assert Invite.objects.filter(faction__key="blue").count() == 1
    assert "/join/" in lobby
    assert not ScenarioDraft.objects.exists()
    assert PrivateScenario.objects.filter(user__username="ann").count() == 1


def test_faults_are_listed_and_nothing_is_opened() -> None:
    ann = browser("ann")
    fields = form_of(ann) | {"battle-points-0-battle.points": ["3"]}
    assert (
        "no fleet of the catalogue" in ann.post(NEW, fields | {"act": ["check"]}).content.decode()
    )
    assert ann.post(NEW, fields | {"act": ["open"]}).status_code == 422
    both = form_of(ann) | {"player-1": ["me"], "act": ["open"]}
    assert ann.post(NEW, both).status_code == 422
    assert not Campaign.objects.exists()
    assert not ScenarioDraft.objects.exists()


def test_sides_with_ships_are_saved_and_changed() -> None:
    ann = browser("ann")
    fields = form_of(ann) | {
        "battle-sides-0-ships-class": ["Destroyer", "Frigate"],
        "battle-sides-0-ships-count": ["2", "1"],
        "battle-sides-1-name": ["Raiders"],
        "act": ["save"],
    }
    where = ann.post(NEW, fields).headers["Location"]
    row = ScenarioDraft.objects.get()
    assert (row.faults, where) == (0, f"/battles/{row.public_id}/")
    file = yaml.safe_load(row.text)
    assert [ship["class"] for ship in file["battle"]["sides"][0]["ships"]] == [
        *("Destroyer", "Destroyer", "Frigate")
    ]
    assert file["factions"][1]["name"] == "Raiders"
    again = form_of(ann, where)
    assert again["battle-sides-0-ships-class"][:2] == ["Destroyer", "Frigate"]
    added = ann.post(where, again | {"act": ["add:battle-sides"]})
    assert "battle-sides-2-name" in added.content.decode()
    text = ann.post(where, again | {"act": ["yaml"]}).content.decode()
    assert yaml.safe_load(text) == file
    assert browser("bob").get(where).status_code == 404
    assert re.match(r"/battles/", ann.get(f"/scenarios/{row.public_id}/war/").headers["Location"])


def test_asteroids_have_places_or_are_placed_by_the_sides_and_drift() -> None:
    ann = browser("ann")
    added = ann.post(NEW, form_of(ann) | {"act": ["add:battle-terrain"]}).content.decode()
    fields = next(form for form in Page(added).forms if "file" in form) | {
        "battle-terrain-0-kind": ["asteroid"],
        "battle-terrain-0-at": ["36", "24"],
        "battle-terrain-0-radius": ["3"],
        "battle-table-0-battle.drift.course": ["4"],
        "battle-table-0-battle.drift.speed": ["2"],
    }
    battle = yaml.safe_load(ann.post(NEW, fields | {"act": ["yaml"]}).content)["battle"]
    assert battle["asteroids"] == [{"at": [36, 24], "radius": 3}]
    assert battle["drift"] == {"course": 4, "speed": 2}
    assert "terrain" not in battle
    checked = ann.post(NEW, fields | {"act": ["check"]}).content.decode()
    assert "can be played" in checked
    fields |= {"battle-terrain-0-at": ["90", "24"]}
    assert "Place in MU" in ann.post(NEW, fields | {"act": ["check"]}).content.decode()


@pytest.mark.parametrize(
    ("placed_by", "number", "asteroids"),
    [
        ("place", "5", {"place": 5, "by": "both"}),
        ("place", "roll", {"place": "roll", "apart": 9, "by": "both"}),
        ("count", "roll", {"apart": 9, "roll": True}),
    ],
)
def test_asteroids_have_a_number_or_a_die_and_a_distance(
    placed_by: str, number: str, asteroids: dict[str, Any]
) -> None:
    ann = browser("ann")
    fields = form_of(ann) | {
        f"battle-table-0-battle.asteroids.{placed_by}": [number],
        "battle-table-0-battle.asteroids.apart": [str(asteroids.get("apart", ""))],
    }
    battle = yaml.safe_load(ann.post(NEW, fields | {"act": ["yaml"]}).content)["battle"]
    assert battle["asteroids"] == asteroids
    checked = ann.post(NEW, fields | {"act": ["check"]}).content.decode()
    assert "can be played" in checked
    again = next(form for form in Page(checked).forms if "file" in form)
    assert again[f"battle-table-0-battle.asteroids.{placed_by}"] == [number]


def test_conditions_and_based_fighters_are_chosen_from_menus() -> None:
    ann = browser("ann")
    fields = form_of(ann, f"{NEW}?start=patrol") | {
        "battle-sides-0-ships-class": ["Destroyer", "Frigate"],
        "battle-sides-0-ships-count": ["2", "1"],
        "battle-table-0-battle.drift.course": ["roll"],
        "battle-conditions-0-row": ["1"],
        "battle-conditions-0-winner": ["blue"],
        "battle-conditions-0-ships": ["red/Destroyer"],
        "battle-conditions-0-fate": ["destroyed"],
        "battle-conditions-0-least": ["2"],
        "battle-conditions-0-reason": ["both destroyers are lost"],
        "battle-based-0-row": ["1"],
        "battle-based-0-faction": ["blue"],
        "battle-based-0-number": ["4"],
        "battle-based-0-at": ["70", "24"],
    }
    file = yaml.safe_load(ann.post(NEW, fields | {"act": ["yaml"]}).content)
    battle = file["battle"]
    assert battle["victory"][0]["ships"] == ["red-1", "red-2"]
    assert battle["sides"][1]["based"] == [{"load": {"standard": 4}, "at": [70, 24]}]
    assert (battle["limits"], battle["asteroids"]["count"]) == (["patrol"], 6)
    assert battle["drift"] == "roll"
    checked = ann.post(NEW, fields | {"act": ["check"]}).content.decode()
    assert "can be played" in checked
    again = next(form for form in Page(checked).forms if "file" in form)
    assert again["battle-conditions-0-ships"] == ["red/Destroyer"]
    assert yaml.safe_load(ann.post(NEW, again | {"act": ["yaml"]}).content) == file


def test_a_shared_file_gives_the_same_battle() -> None:
    ann = browser("ann")
    fields = form_of(ann) | {
        "battle-points-0-battle.points": ["700"],
        "battle-rules-0-battle.options": ["moving-table"],
        "act": ["yaml"],
    }
    shared = ann.post(NEW, fields).content.decode()
    bob = browser("bob")
    loaded = bob.post(NEW, form_of(bob) | {"shared": [shared], "act": ["load"]}).content.decode()
    form = next(form for form in Page(loaded).forms if "file" in form)
    assert form["battle-points-0-battle.points"] == ["700"]
    assert form["battle-rules-0-battle.options"] == ["moving-table"]
    assert bob.post(NEW, form | {"act": ["yaml"]}).content.decode() == shared
    bad = bob.post(NEW, form_of(bob) | {"shared": ["name: Small"], "act": ["load"]})
    assert bad.status_code == 422
    assert "name: Small" in bad.content.decode()


def test_balance_is_estimated_by_battles_of_captains() -> None:
    ann = browser("ann")
    fields = form_of(ann) | {"battle-points-0-battle.points": ["300"], "act": ["odds"]}
    assert re.search(r"Ember Cooperative won \d+%", ann.post(NEW, fields).content.decode())


@pytest.mark.parametrize(
    "battle",
    [
        {"deployment": "ambush", "asteroids": [{"at": [30, 4], "radius": 2}]},
        {"points": 3, "limits": 3, "barred": 3, "options": [3], "deployment": [3], "table": "x"},
        {"sides": [{"name": "red", "ships": [{"id": 4, "class": ["x"]}]}, {"name": 3}]},
    ],
)
def test_files_from_elsewhere_are_shown_and_keep_what_has_no_field(battle: dict[str, Any]) -> None:
    ann = browser("ann")
    owner = User.objects.get(username="ann")
    text = yaml.safe_dump(scenario_file(**battle))
    row = scenario_draft_create(user=owner, text=text)
    where = f"/battles/{row.public_id}/"
    assert ann.get(where).status_code == 200
    for address in (f"/scenarios/{row.public_id}/text/", f"/balance/{row.public_id}/"):
        assert f'href="{where}"' in ann.get(address).content.decode()
    ann.post(where, form_of(ann, where) | {"act": ["save"]})
    saved = yaml.safe_load(ScenarioDraft.objects.get().text)["battle"]
    assert saved.get("asteroids") == battle.get("asteroids")
    if battle.get("deployment") == "ambush":
        assert saved["deployment"] == {"kind": "ambush"}

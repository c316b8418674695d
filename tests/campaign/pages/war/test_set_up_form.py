"""The set-up of a battle on the page of the battles stage, without scripts."""

from __future__ import annotations

import pytest

from campaign.models import Submission
from campaign.web.war import War
from tests.campaign.pages.war.browsing import Player, at

pytestmark = pytest.mark.django_db


@pytest.fixture
def ember() -> Player:
    return at("battles", ember="attack")


def ships_of(player: Player) -> list[str]:
    """Return the ids of the player's ships in the form."""
    names = player.form("orders/")
    return [name.removeprefix("place-x-") for name in names if name.startswith("place-x-")]


@pytest.mark.rule("camp.table-set-up")
def test_ships_are_placed_in_a_formation_and_the_others_left_to_the_captain(ember: Player) -> None:
    first, *others = ships_of(ember)
    assert others
    page = ember.get("orders/")
    assert "Set-up" in page.text
    fields = ember.form("orders/")
    formation = next(name for name in fields if name.startswith("set-up-formation-"))
    hex_ = formation.removeprefix("set-up-formation-")
    placed = {f"place-x-{first}": "2,5", f"place-y-{first}": "20", f"place-velocity-{first}": "6"}
    ember.fill("orders/", action="seal", **{formation: "wedge"}, **placed)
    sealed = Submission.objects.filter(faction=ember.faction).latest("pk")
    assert sealed.payload["set_up"] == [
        {"hex": hex_, "formation": "wedge", "ships": {first: {"at": [2.5, 20], "velocity": 6}}}
    ]


@pytest.mark.rule("camp.table-set-up")
def test_a_fault_is_shown_at_its_ship(ember: Player) -> None:
    first = ships_of(ember)[0]
    ember.fill("orders/", action="seal", **{f"place-x-{first}": "40", f"place-y-{first}": "20"})
    assert not Submission.objects.filter(faction=ember.faction, stage__kind="battles").exists()
    text = ember.get("orders/").text
    assert "outside the deployment area" in text


def test_a_war_of_older_rules_offers_no_set_up(
    ember: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(War, "has_set_up", False)
    names = ember.form("orders/")
    assert any(name.startswith("targets-") for name in names)
    assert not any(name.startswith(("formation-", "speed-", "reserve-")) for name in names)

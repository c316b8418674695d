"""The pages of a battle at a table without JavaScript: sheets, form, differences."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaign.models import Draft, Submission
from tests.campaign.pages.general.browser_pages import lobby, page, read_page
from tests.campaign.pages.war.browsing import Page
from tests.umpire.services.table_war import TableWar
from tests.umpire.services.wars import attack
from umpire.services.stages import stage_resolve
from umpire.services.tables import table_compare

pytestmark = pytest.mark.django_db


class Seat:
    """A player's browser at the page of the table."""

    def __init__(self, war: TableWar, key: str) -> None:
        self.war, self.key = war, key
        self.client = Client()
        self.client.force_login(war.people[key])
        self.url = f"/c/{war.campaign.public_id}/battles/{war.table(key).id}/table/"

    def get(self) -> Page:
        return read_page(self.client.get(self.url))

    def fill(self, action: str, **changes: list[str]) -> Any:
        form = next(form for form in self.get().forms if "version" in form)
        return self.client.post(self.url, {**form, **changes, "action": action})

    def draft(self) -> dict[str, Any]:
        payload: dict[str, Any] = (
            Draft.objects.filter(faction=self.war.factions[self.key]).latest("pk").payload
        )
        return payload


def test_sheets_show_the_own_set_up_alone() -> None:
    war = TableWar()
    seat = Seat(war, "ember")
    orders = f"/c/{war.campaign.public_id}/orders/"
    form = next(form for form in page(seat.client, orders).forms if "version" in form)
    ship = next(key.removeprefix("place-x-") for key in form if key.startswith("place-x-"))
    placed = {f"place-x-{ship}": ["2.5"], f"place-y-{ship}": ["11"], "action": "seal"}
    seat.client.post(orders, {**form, **placed})
    text = page(seat.client, seat.url.replace("/table/", "/sheets/")).text
    assert "at 2.5, 11 on course 3" in text
    theirs = next(side["ships"] for side in war.battle.start["sides"] if side["name"] == "frost")
    x, y = theirs[0]["at"]
    assert "placed by its side" in text
    assert f"{x:g}, {y:g}" not in text


def test_war_room_links_to_the_table_and_its_sheets() -> None:
    war = TableWar()
    seat = Seat(war, "ember")
    war_room = page(seat.client, f"/c/{war.campaign.public_id}/")
    assert seat.url in war_room.links
    sheets = seat.url.replace("/table/", "/sheets/")
    assert sheets in seat.get().links
    table_page = page(seat.client, sheets)
    mine = next(side["ships"] for side in war.battle.start["sides"] if side["name"] == "ember")
    theirs = next(side["ships"] for side in war.battle.start["sides"] if side["name"] == "frost")
    assert all(
        f"The other side knows it as Bogey {ship['contact'][:4]}" in table_page.text
        for ship in mine
    )
    assert all(f"Bogey {ship['contact'][:4]}" in table_page.text for ship in theirs)
    assert not any(ship["id"] in table_page.text for ship in theirs)
    assert "battery 1" in table_page.text


def test_entered_result_is_kept_as_a_draft() -> None:
    war = TableWar()
    seat = Seat(war, "frost")
    ship, code = war.first_ship("frost"), war.codes()[war.first_ship("ember")]
    answer = seat.fill(
        "save",
        **{
            f"damage-{ship}": ["2"],
            f"lost-{ship}-drive": ["1"],
            f"lost-{ship}": ["battery-1"],
            f"status-{code}": ["unsaid"],
            "turns": ["6"],
        },
    )
    assert answer.status_code == 302
    draft = seat.draft()
    assert draft["turns"] == 6
    assert draft["ships"][ship] == {
        "status": "fighting",
        "damage": 2,
        "lost": ["battery-1", "drive"],
    }
    assert code not in draft["ships"]
    again = next(form for form in seat.get().forms if "version" in form)
    assert (again[f"lost-{ship}-drive"], again[f"lost-{ship}"], again[f"status-{code}"]) == (
        ["1"],
        ["battery-1"],
        ["unsaid"],
    )


def test_faults_are_beside_their_ships_and_block_sealing() -> None:
    war = TableWar()
    seat = Seat(war, "frost")
    ship = war.first_ship("frost")
    answer = seat.fill("seal", **{f"damage-{ship}": ["99"], "turns": ["many"]})
    assert answer.status_code == 422
    result = read_page(answer)
    assert f"end-{ship.replace('/', '-')}" in result.ids
    assert "99 is more than its" in result.text
    assert "2 problems to fix" in result.text
    assert not Submission.objects.filter(stage__kind="table").exists()


def test_systems_of_others_are_named_in_the_reader_language() -> None:
    war = TableWar()
    seat = Seat(war, "frost")
    code = war.codes()[war.first_ship("ember")]
    seat.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "fr"
    assert 'placeholder="FireCon 1, propulsion principale"' in seat.client.get(seat.url).text
    seat.fill(
        "save",
        **{
            f"status-{code}": ["fighting"],
            f"lost-{code}": ["Batterie 1, propulsion principale, flux 2"],
        },
    )
    assert seat.draft()["ships"][code]["lost"] == ["battery-1", "drive", "flux-2"]
    answer = seat.get()
    form = next(form for form in answer.forms if "version" in form)
    assert form[f"lost-{code}"] == ["batterie 1, propulsion principale, flux 2"]
    assert "Aucun système ne s’appelle « flux 2 »" in answer.text.replace("\u00a0", " ")


def test_both_sides_seal_compare_and_agree() -> None:
    war = TableWar()
    ember, frost = Seat(war, "ember"), Seat(war, "frost")
    ship = war.first_ship("frost")
    assert ember.fill("seal").status_code == 302
    assert "Wait for Frost Assembly" in ember.get().text
    assert frost.fill("seal", **{f"damage-{ship}": ["2"]}).status_code == 302
    assert table_compare(stage=war.table("ember").stage.pk) == "differing"
    for seat, name in ((ember, f"Bogey {war.codes()[ship][:4]}"), (frost, None)):
        text = seat.get().text
        assert "The results do not agree" in text
        assert "Ember Cooperative: 0 ; Frost Assembly: 2" in text
        assert name is None or name in text
    assert ember.fill("seal", **{f"damage-{war.codes()[ship]}": ["2"]}).status_code == 302
    assert frost.fill("seal").status_code == 302
    assert table_compare(stage=war.table("ember").stage.pk) == "agreed"
    assert "All results agree" in ember.get().text


def test_battles_page_shows_what_was_entered() -> None:
    war = TableWar(umpire=True)
    ship = war.first_ship("frost")
    entered = war.agreed_entries(0)
    for key, name in (("frost", ship), ("ember", war.codes()[ship])):
        entered[key]["ships"][name] |= {"status": "left", "damage": 1}
    for key, payload in entered.items():
        war.seal(key, payload)
    stage_resolve(stage=war.stage.pk, force=True, admiral=attack)
    for key in ("ember", "frost"):
        seat = Seat(war, key)
        battle_page = page(seat.client, seat.url.replace("table/", "")).text
        assert "left the table" in battle_page
        assert "1 damage" in battle_page
    client = Client()
    client.force_login(war.umpire)
    umpire_url = f"/c/{war.campaign.public_id}/umpire/battles/{war.battle.public_id}/"
    for query in ("", "replay/?turn=1", "replay/?turn=1&as=ember"):
        assert "left the table" in page(client, umpire_url + query).text


def test_result_can_be_unsealed_and_an_old_form_does_nothing() -> None:
    war = TableWar()
    seat = Seat(war, "ember")
    seat.fill("seal")
    assert seat.client.post(seat.url, {"action": "unseal", "stage": "0"}).status_code == 302
    assert not Submission.objects.filter(stage__kind="table", withdrawn_at__isnull=True).exists()
    form = next(form for form in seat.get().forms if "version" in form)
    seat.client.post(seat.url, {**form, "action": "seal", "stage": "7"})
    assert not Submission.objects.filter(stage__kind="table", withdrawn_at__isnull=True).exists()
    assert (
        seat.client.post(
            seat.url, {**form, "action": "save", "version": "99", "turns": "3"}
        ).status_code
        == 409
    )


def test_battles_of_others_are_hidden() -> None:
    war = TableWar()
    ember, frost = Seat(war, "ember"), Seat(war, "frost")
    assert frost.client.get(ember.url).status_code == 404
    assert frost.client.get(ember.url.replace("/table/", "/sheets/")).status_code == 404
    assert Client().get(ember.url).status_code == 302


def test_host_chooses_battle_modes_until_the_war_begins() -> None:
    campaign, client, where = lobby()
    form = next(form for form in page(client, where).forms if "battles" in form)
    assert form["battles"] == ["mixed"]
    client.post(f"{where}seats/settings/", {**form, "battles": "table"})
    campaign.refresh_from_db()
    assert campaign.ruleset["battles"] == "table"
    client.post(f"{where}seats/settings/", {**form, "battles": "captains"})
    campaign.refresh_from_db()
    assert "battles" not in campaign.ruleset
    answer = client.post(f"{where}seats/settings/", {**form, "battles": "duel"})
    assert answer.status_code == 422

"""The page of an online battle in a browser without JavaScript: forms of phases, faults, seals."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from campaign.forms.battle.phase_forms import PhaseForm, form_of
from campaign.models import Submission
from campaign.pages.battle.fights import _payload, _rows
from campaign.words.battle.log import SideNames
from engine import battle as engine
from engine import stops
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.known_battle import known_battle
from engine.notation.files import fixture_classes
from tests.campaign.pages.general.browser_pages import page, read_page
from tests.campaign.pages.war.browsing import Page
from tests.campaign.pages.war.test_fight_later import send
from tests.umpire.services.online_war import OnlineWar
from umpire.services.battle_phases import phase_resolve


class Seat:
    """A player's browser at the page of the battle."""

    def __init__(self, war: OnlineWar, key: str) -> None:
        self.war, self.key = war, key
        self.client = Client()
        self.client.force_login(war.users[key])
        self.url = f"/c/{war.campaign.public_id}/battles/{war.fight(key).id}/now/"

    def get(self) -> Page:
        return read_page(self.client.get(self.url))

    def form(self) -> dict[str, list[str]]:
        return next(form for form in self.get().forms if "version" in form)

    def fill(self, action: str, **changes: list[str]) -> Any:
        return self.client.post(self.url, {**self.form(), **changes, "action": action})

    def sealed(self) -> dict[str, Any]:
        row = Submission.objects.filter(
            faction=self.war.factions[self.key], withdrawn_at__isnull=True
        ).latest("pk")
        payload: dict[str, Any] = row.payload
        return payload


@pytest.mark.django_db
def test_form_proposes_the_captain_orders_and_seals_them() -> None:
    war = OnlineWar()
    ember, frost = Seat(war, "ember"), Seat(war, "frost")
    assert ember.url in page(ember.client, f"/c/{war.campaign.public_id}/").links
    for seat in (ember, frost):
        advised = {name: words for name, words in war.advice(seat.key)["plot"].items() if words}
        assert seat.fill("seal").status_code == 302
        assert seat.sealed()["plot"] == advised
        assert "Wait for the others" in seat.get().text
    stage = war.open_phase()
    assert stage is not None
    assert phase_resolve(stage=stage.pk)
    text = ember.get().text
    assert "Nothing to decide. Continue." in text, "all contacts are out of range"
    assert "ships moved" in text


@pytest.mark.django_db
def test_whole_battle_is_played_by_forms() -> None:
    war = OnlineWar()
    seats = [Seat(war, "ember"), Seat(war, "frost")]
    pages: list[str] = []
    for _ in range(12):
        stage = war.open_phase()
        if stage is None:
            break
        for seat in seats:
            if war.fight(seat.key).state == "open":
                advised = war.advice(seat.key)
                assert seat.fill("seal").status_code == 302, seat.get().text
                if "engage" in advised:
                    assert seat.sealed()["engage"] == [
                        [name, fires] for name, fires in advised["engage"] if fires
                    ]
        assert phase_resolve(stage=stage.pk)
        pages.append(seats[0].get().text)
    assert war.fight("ember").last.number == 12
    text = "".join(pages)
    assert "hull boxes lost in all" in text
    assert not re.search(r"had only (0|-)", text)


@pytest.mark.django_db
def test_faults_are_beside_their_ships_and_block_sealing() -> None:
    war = OnlineWar()
    seat = Seat(war, "ember")
    first, second = sorted(war.sheet("ember")["mine"])[:2]
    answer = seat.fill("seal", **{f"raw-{first}": ["P11+40"], f"raw-{second}": ["sideways"]})
    assert answer.status_code == 422
    result = read_page(answer)
    assert "2 problems to fix" in result.text
    assert f"o-{first.replace('/', '-')}" in result.ids
    assert "is not an order" in result.text
    assert not any(
        f"{ship}:" in result.text or f"{ship} " in result.text for ship in (first, second)
    )
    assert war.fight("ember").state == "open"


@pytest.mark.django_db
def test_note_about_captain_orders_follows_changes() -> None:
    war = OnlineWar()
    seat = Seat(war, "ember")
    ship = sorted(war.sheet("ember")["mine"])[0]
    advised = war.advice("ember")["plot"].get(ship, "")

    def notes() -> list[str]:
        page = seat.client.get(seat.url).content.decode()
        return re.findall(r"<span data-captains>([^<]*)<", page)

    (unchanged,) = notes()
    assert "You can seal them unchanged" in unchanged
    seat.fill("save", **{f"raw-{ship}": ["P1" if advised != "P1" else "S1"]})
    (changed,) = notes()
    assert "yours count once you seal" in changed
    seat.fill("default")
    seat.fill("save", **{f"raw-{ship}": [advised.lower()]})
    assert notes() == [unchanged], "the same orders in other words"


@pytest.mark.django_db
def test_phase_without_decision_says_so_and_asks_only_to_continue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_rows(phase: str) -> PhaseForm:
        form = form_of(phase)
        return replace(form, rows=lambda *_: ()) if phase == "engage" else form

    monkeypatch.setattr("campaign.pages.battle.fights.form_of", no_rows)
    war = OnlineWar()
    seats = [Seat(war, "ember"), Seat(war, "frost")]
    for seat in seats:
        seat.fill("seal")
    stage = war.open_phase()
    assert stage is not None
    assert phase_resolve(stage=stage.pk)
    page = seats[0].get()
    assert "Nothing to decide. Continue." in page.text
    assert "None of your ships has a target in range." in page.text
    assert "Choose targets" not in page.text
    actions = [value for form in page.buttons for name, value in form if name == "action"]
    assert [action for action in actions if action != "save"] == ["captain", "seal"]
    assert seats[0].fill("seal").status_code == 302


@pytest.mark.django_db
def test_draft_is_kept_and_can_be_reset_to_captain_orders() -> None:
    war = OnlineWar()
    seat = Seat(war, "ember")
    ship = sorted(war.sheet("ember")["mine"])[0]
    assert (
        seat.fill(
            "save", **{f"turn-{ship}": ["1"], f"thrust-{ship}": ["0"], f"raw-{ship}": [""]}
        ).status_code
        == 302
    )
    form = seat.form()
    assert form[f"turn-{ship}"] == ["1"]
    assert seat.fill("default").status_code == 302
    assert war.fight("ember").draft is not None
    seat.fill("seal")
    advised = {name: words for name, words in war.advice("ember")["plot"].items() if words}
    assert seat.sealed()["plot"] == advised
    assert seat.client.post(seat.url, {"action": "unseal", "stage": "0"}).status_code == 302
    assert war.fight("ember").state == "open"
    stale = seat.client.post(seat.url, {**form, "stage": "7", "action": "seal"})
    assert stale.status_code == 302
    assert war.fight("ember").state == "open"
    conflict = seat.client.post(
        seat.url, {**form, "version": "99", "action": "save", f"thrust-{ship}": "-1"}
    )
    assert conflict.status_code == 409


@pytest.mark.django_db
def test_battles_of_others_are_hidden() -> None:
    war = OnlineWar()
    ember, frost = Seat(war, "ember"), Seat(war, "frost")
    assert frost.client.get(ember.url).status_code == 404
    assert Client().get(ember.url).status_code == 302
    text = ember.client.get(ember.url).content.decode()
    theirs = next(side["ships"] for side in war.battle.start["sides"] if side["name"] == "frost")
    assert not any(ship["id"] in text for ship in theirs)
    assert all(f"Bogey {ship['contact'][:4]}" in text for ship in theirs)


def sheet_at(kind: str, turns: int = 12) -> dict[str, Any]:
    """Return the sheet of a side with fighters in the first phase of a kind, in a captains' battle."""
    place = {"course": 3, "velocity": 4}
    foes = [
        {
            "id": f"e{n}",
            "class": "Heavy Cruiser",
            "at": [34, 10 + 6 * n],
            "course": 9,
            "velocity": 4,
        }
        for n in (1, 2)
    ]
    own = [
        {"id": "n1", "class": "Light Carrier", "at": [10, 20], **place},
        {"id": "n2", "class": "Battleship", "at": [12, 12], **place},
    ]
    file = {
        "edition": "second-edition",
        "sides": [{"name": "nac", "ships": own}, {"name": "esu", "ships": foes}],
    }
    battle, dice = engine.start(file, fixture_classes("second-edition")), Dice(3)
    for _ in range(3 * turns):
        if battle.state.stop == kind and (kind != "plot" or battle.turn > 1):
            break
        orders = {
            side: stops.advise(battle, side, Doctrine(), "x")
            for side in stops.awaited_sides(battle)
        }
        battle, _ = stops.resolve_documents(battle, orders, dice)
    battle_known = known_battle(battle, 0)
    view = stops.side_view(battle, 0)
    return {
        "kind": battle.state.stop,
        "at": 0,
        "mine": [*view["own"], *(group["id"] for group in view["groups"])],
        "view": view,
        "battle_document": battle_known.to_json(),
        "advice": stops.advise(battle_known, 0, Doctrine(), "x"),
    }


@pytest.mark.parametrize("kind", ["plot", "fighters", "engage"])
def test_form_returns_the_orders_it_shows(kind: str) -> None:
    sheet = sheet_at(kind)
    assert sheet["kind"] == kind
    names = SideNames({})
    post = QueryDict(mutable=True)
    for row in _rows(sheet, sheet["advice"], names, {}):
        send(post, row)
    payload = _payload(sheet, names, post)
    advised = sheet["advice"][kind]
    if kind == "engage":
        payload.pop("pursue", None)
        assert payload == {"engage": [[name, fires] for name, fires in advised if fires]}
    else:
        assert payload == {kind: {name: words for name, words in advised.items() if words}}
    assert stops.read_orders(engine.battle_from(sheet["battle_document"]), 0, payload)[1] == ()


@pytest.mark.django_db
def test_rare_orders_of_one_ship_are_loaded_separately() -> None:
    """The part has the fields, their values and faults, for this side's ships only."""
    war = OnlineWar()
    seat = Seat(war, "ember")
    ship, foe = sorted(war.sheet("ember")["mine"])[0], sorted(war.sheet("frost")["mine"])[0]
    query = {"panel": ship, f"raw-{ship}": "P1; sideways", f"was-{ship}": "P1"}
    text = seat.client.get(seat.url, query).content.decode()
    assert 'data-order="P1; sideways"' in text
    assert "is not an order" in text
    ram = {
        "panel": ship,
        f"raw-{ship}": "P1",
        f"was-{ship}": "P1",
        f"has-{ship}": "more",
        f"more-{ship}-ram": "x",
    }
    assert 'data-order="P1; ram x"' in seat.client.get(seat.url, ram).content.decode()
    for key in (foe, "nobody", ""):
        assert seat.client.get(seat.url, {"panel": key}).status_code == 404


@pytest.mark.django_db
def test_rare_orders_of_a_large_fleet_are_loaded_per_ship(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without scripts a button saves the draft and shows the fields of that ship."""
    monkeypatch.setattr("campaign.pages.battle.fights.MAX_SHIPS_WITH_ALL_FIELDS", 0)
    war = OnlineWar()
    seat = Seat(war, "ember")
    first, second = sorted(war.sheet("ember")["mine"])[:2]
    assert f'name="has-{first}" value="more"' not in seat.client.get(seat.url).content.decode()
    back = seat.client.post(f"{seat.url}?more={first}", {**seat.form(), "action": "save"})
    assert back.status_code == 302
    text = seat.client.get(back["Location"].partition("#")[0]).content.decode()
    assert f'name="has-{first}" value="more"' in text
    assert f'name="has-{second}" value="more"' not in text
    assert f'name="turn-{second}"' in text
    assert seat.client.get(seat.url, {"more": "nobody"}).status_code == 200
    monkeypatch.setattr("campaign.pages.battle.fights.MAX_SHIPS_WITH_USUAL_FIELDS", 0)
    text = seat.client.get(seat.url, {"more": first}).content.decode()
    assert [f'name="turn-{ship}"' in text for ship in (first, second)] == [True, False]
    advised = {name: words for name, words in war.advice("ember")["plot"].items() if words}
    assert seat.fill("seal").status_code == 302
    assert seat.sealed()["plot"] == advised, "what is not shown stays as it is"

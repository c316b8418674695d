"""Names of foreign ships before, in and after a battle, and what the map says it knows."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client

from campaign.rules.view import Sighting, View
from campaign.sight.reports import read_battle_report
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from campaign.web.chart import chart
from campaign.words.battle.log import contact_name, names_of
from engine.events.detection import ContactIdentified
from tests.campaign.pages.general.test_next_action import resolve_now
from tests.campaign.pages.war.browsing import Page, at
from tests.engine.samples import sample_line
from tests.umpire.services.online_war import OnlineWar
from tests.umpire.services.table_war import TableWar as Tables
from tests.umpire.services.test_single_battles import start_single_battle as single
from umpire.adjudication.rosters import SHOWN_LENGTH, contact_codes

KEY = re.compile(r"\b(?:ember|frost|nac|esu)/\S+|\b[nefsd]\d{1,2}\b")
TEXT_ATTRIBUTES = re.compile(r'(?:aria-label|title|alt|placeholder)="([^"]*)"|<title>(.*?)</title>')
# Sealed documents, hashes and data for scripts are not read by people.
VERBATIM = re.compile(r"(?s)<(code|pre|textarea|script)[ >].*?</\1>")


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def engine_keys(client: Client, start: str) -> tuple[int, set[tuple[str, str]]]:
    """Return how many pages are linked from the war room, and every engine key in their texts."""
    visited: set[str] = set()
    keys: set[tuple[str, str]] = set()
    ahead = [start]
    while ahead:
        where = ahead.pop()
        if where in visited:
            continue
        visited.add(where)
        answer = client.get(where)
        if answer.status_code != 200 or "html" not in answer["Content-Type"]:
            continue
        text = VERBATIM.sub("", answer.content.decode())
        page = Page(text)
        for words in (
            page.text,
            *page.data,
            *("".join(text_parts) for text_parts in TEXT_ATTRIBUTES.findall(text)),
        ):
            keys |= {
                (where.removeprefix(start), words[max(0, match.start() - 40) : match.end()])
                for match in KEY.finditer(words)
            }
        links = (link.partition("#")[0] for link in page.links)
        links = (
            f"{where.partition('?')[0]}{link}" if link.startswith("?") else link for link in links
        )
        ahead += [link for link in links if link.startswith(start)]
    return len(visited), keys


@pytest.mark.django_db
def test_pages_of_played_wars_show_no_engine_keys() -> None:
    war = OnlineWar()
    client, start = browser(war.users["ember"]), f"/c/{war.campaign.public_id}/"
    for most in (5, 200):
        war.play(most=most)
        pages, keys = engine_keys(client, start)
        assert pages > 12
        assert keys == set()
    resolve_now(war.stage)
    pages, keys = engine_keys(client, start)
    assert pages > 20
    assert keys == set()


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["first-battle", "convoy-990"])
def test_pages_of_single_and_table_battles_show_no_engine_keys(slug: str) -> None:
    campaign = single(slug)
    pages, keys = engine_keys(
        browser(User.objects.get(username="nac")), f"/c/{campaign.public_id}/"
    )
    assert pages > 5
    assert keys == set()
    if slug == "convoy-990":
        war = Tables()
        assert (
            engine_keys(browser(war.people["ember"]), f"/c/{war.campaign.public_id}/")[1] == set()
        )


@pytest.mark.django_db
def test_ship_has_one_name_in_battle_and_afterwards() -> None:
    war = OnlineWar()
    client = browser(war.users["ember"])
    where = f"/c/{war.campaign.public_id}/battles/{war.fight('ember').id}/"
    names_by_ship: dict[str, set[str]] = {}
    identified: set[str] = set()
    while war.open_phase() is not None:
        war.play(most=1)
        page = client.get(f"{where}now/").content.decode()
        for code in identified:
            assert f"Bogey {code[:4]}" not in page
        for contact in war.sheet("ember")["view"]["contacts"]:
            if "class" in contact:
                identified.add(contact["id"])
                name = contact_name(contact["id"], contact["class"])
                names_by_ship.setdefault(contact["id"], set()).add(name)
                assert name in page
    assert identified
    resolve_now(war.stage)
    after = client.get(f"{where}?turn=all").content.decode()
    body = read_battle_report(war.campaign, war.factions["ember"], war.fight("ember").id)[2]
    names = names_of(body, {})
    for code, (name,) in ((code, tuple(ship_names)) for code, ship_names in names_by_ship.items()):
        assert name in after
        last = names.at(body["phases"][-1])
        assert last.of(code) == name  # gone, and not a bogey again


def test_bogey_is_replaced_by_its_identified_ship() -> None:
    phases: list[dict[str, Any]] = [
        {"turn": 1, "stop": "plot", "own": {}, "contacts": [{"id": "0123456789"}], "log": []},
        {
            "turn": 1,
            "stop": "engage",
            "own": {},
            "contacts": [],
            "log": [sample_line(ContactIdentified, ship="0123456789", cls="Destroyer")],
        },
        {"turn": 2, "stop": "plot", "own": {}, "contacts": [], "log": []},
    ]
    names = names_of({"phases": phases}, {})
    assert [names.at(phase).of("0123456789") for phase in phases] == [
        "Bogey 0123",
        "Bogey 0123",
        "Destroyer 0123",
    ]


def test_decoy_is_recognised_by_its_flag_not_its_name() -> None:
    own = {"nac/destroyer-1": {}, "nac/f1/d1": {"dummy": True}, "nac/drone": {}}
    names = names_of(
        {"phases": [{"turn": 1, "stop": "plot", "own": own, "contacts": [], "log": []}]},
        {"nac/drone": "Ark"},
    )
    assert names.decoys == {"nac/f1/d1"}
    assert [names.of(key) for key in own] == ["Allied ship 1", "Decoy 1", "Ark"]


def test_contact_codes_of_a_battle_begin_differently() -> None:
    class World:
        week = 1

    class Engagement:
        key = "0101/a/b"

    keys = [f"a/s{n}" for n in range(3000)]
    codes = contact_codes(b"salt", World(), Engagement(), keys)  # type: ignore[arg-type]
    assert len({code[:SHOWN_LENGTH] for code in codes.values()}) == len(keys)


@pytest.mark.django_db
def test_map_names_only_known_fleets() -> None:
    player = at("decisions", ember="attack")
    scenario, view = (
        scenario_of(player.campaign),
        current_sight(player.campaign, player.faction).view,
    )

    def lists(each_view: View) -> str:
        return render_to_string("campaign/map_lists.html", {"chart": chart(scenario, each_view)})

    place = view.fleets[0].hex
    (system,) = [system.id for system in scenario.systems if system.hex == place]
    there = dataclasses.replace(
        view,
        systems=tuple(
            dataclasses.replace(system_view, present=system_view.system == system)
            for system_view in view.systems
        ),
    )
    assert "you are there" in lists(there)
    assert "you are there" not in lists(
        dataclasses.replace(there, fleets=(), ships=())
    )  # all its ships were destroyed
    assert "No long range scan has shown you any contacts yet." in lists(
        dataclasses.replace(view, sightings=())
    )
    empty = Sighting(view.week, place, "frost", ())
    assert "Your latest long range scans show no contacts." in lists(
        dataclasses.replace(view, sightings=(empty,))
    )
    in_contact = dataclasses.replace(
        view, sightings=(Sighting(view.week, place, "frost", (("escort", 2),)),), in_contact=()
    )
    assert "no longer there" not in lists(in_contact)
    assert "no longer there" in lists(
        dataclasses.replace(in_contact, stage="over")
    )  # beaten this week

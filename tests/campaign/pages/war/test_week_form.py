"""A week's orders in the plain form: every kind of order, without JavaScript."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote_plus

import pytest
from django.http import QueryDict
from django.utils import translation

from campaign.forms.faults import Faults
from campaign.forms.week import order_form
from campaign.forms.week.destinations import reach_options
from campaign.forms.week.order_form import week_form
from campaign.forms.week.week_payload import week_payload
from campaign.models import Draft
from campaign.orders.codec import orders_payload, parse_orders
from campaign.orders.defaults import default_orders
from campaign.orders.settings import answer_words
from campaign.orders.validation import order_violations
from campaign.pages.week import orders
from campaign.rules.own_keys import page_id
from campaign.rules.view import View
from campaign.sight.views import current_sight
from campaign.store.documents import scenario_of
from tests.campaign.pages.war.browsing import Player, at
from tests.umpire.services.wars import FROST_STAYS, resolve_stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def ember() -> Player:
    return at("orders")


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let pages treat two fleets as many."""
    monkeypatch.setattr(order_form, "FOLD_FROM", 2)
    orders._form_html.clear()
    yield
    orders._form_html.clear()


def keys(player: Player) -> tuple[dict[str, str], dict[str, str]]:
    """Return the keys of the player's fleets and ships by their names."""
    view = current_sight(player.campaign, player.faction).view
    return {fleet.name: fleet.key for fleet in view.fleets}, {
        ship.name: ship.key for ship in view.ships
    }


def ships_of(player: Player, fleet: str) -> list[str]:
    return [
        ship.key
        for ship in current_sight(player.campaign, player.faction).view.ships
        if ship.fleet == fleet
    ]


def test_destinations_are_in_the_language_of_each_reader(
    ember: Player,
) -> None:
    options_by_language = {}
    for language in ("de", "en", "de"):
        with translation.override(language):
            options_by_language[language] = reach_options(scenario_of(ember.campaign), "0304")
    assert 'label="Between the stars"' in options_by_language["en"]
    assert 'label="Zwischen den Sternen"' in options_by_language["de"]


def test_new_fleet_gets_a_name_in_the_language_of_its_player(ember: Player) -> None:
    view = current_sight(ember.campaign, ember.faction).view
    ship = next(ship for ship in view.ships if ship.fleet == view.fleets[0].key)
    query = QueryDict(f"to-{ship.key}=ember/f9")
    names_by_language = {}
    for language in ("de", "en"):
        with translation.override(language):
            (detachment,) = week_payload(view, query)["detach"]
            names_by_language[language] = detachment.get("name", "")
            titles: set[str] = set()
            for place in week_form(scenario_of(ember.campaign), view, {}, Faults()):
                titles.update(block.title for block in place.slots)
            expected = "Flotte" if language == "de" else "Fleet"
            assert {title.partition(" ")[0] for title in titles} == {expected}
    # The rules name a fleet without a name in English
    assert names_by_language == {"de": "Flotte 9", "en": ""}


def test_unchanged_form_orders_the_defaults(ember: Player) -> None:
    view = current_sight(ember.campaign, ember.faction).view
    assert ember.fill("orders/").status_code == 302
    parsed_orders, faults = parse_orders(ember.draft())
    assert not faults
    assert parsed_orders is not None
    assert orders_payload(parsed_orders) == orders_payload(
        default_orders(scenario_of(ember.campaign), view)
    )


def test_ships_have_silhouette_and_hull(ember: Player) -> None:
    html = ember.client.get(ember.url("orders/")).content.decode()
    ships = re.findall(
        r'(?s)data-ship="[^"]+" data-kind="(\w+)".*?#ship-(\w*)".*?<svg([^>]*)>', html
    )
    assert len(ships) == len(current_sight(ember.campaign, ember.faction).view.ships)
    for kind, silhouette, strip in ships:
        assert silhouette == kind
        assert 'role="img"' in strip


@pytest.mark.rule("camp.ftl-move")
def test_move_is_chosen_from_reachable_places(ember: Player) -> None:
    fleets, _ = keys(ember)
    page = ember.get("orders/")
    offered = page.options[f"move-{fleets['Lance']}"]
    assert "0804" in offered
    assert "1001" not in offered  # seven hexes away
    assert page.options[f"move-{fleets['Hearth Guard']}"] == [
        ""
    ]  # it has no drive; ships that join it may
    ember.fill("orders/", **{f"move-{fleets['Lance']}": "0804"})
    assert ember.draft()["moves"] == [{"fleet": fleets["Lance"], "to": "0804"}]


@pytest.mark.rule("camp.ftl-move")
def test_path_is_given_hex_by_hex(ember: Player) -> None:
    fleets, _ = keys(ember)
    ember.fill("orders/", **{f"path-{fleets['Lantern']}": "0404, 0504 0604"})
    assert ember.draft()["moves"] == [
        {"fleet": fleets["Lantern"], "path": ["0404", "0504", "0604"]}
    ]
    assert ember.form("orders/")[f"path-{fleets['Lantern']}"] == ["0404 0504 0604"]


def test_single_hex_is_a_destination_at_any_distance(ember: Player) -> None:
    fleets, _ = keys(ember)
    ember.fill("orders/", **{f"path-{fleets['Lance']}": "0504"})
    assert ember.draft()["moves"] == [{"fleet": fleets["Lance"], "to": "0504"}]


def test_many_fleets_make_lists_of_systems_only(ember: Player) -> None:
    scenario, view = scenario_of(ember.campaign), current_sight(ember.campaign, ember.faction).view
    fleet = next(fleet for fleet in view.fleets if fleet.name == "Lance")
    crowd = tuple(dataclasses.replace(fleet, key=f"ember/f{n}") for n in range(1, 41))
    for fleets, has_deep_space in ((view.fleets, True), (crowd, False)):
        shown_view = dataclasses.replace(view, fleets=fleets)
        places = week_form(scenario, shown_view, {}, Faults(), opened=fleets[1].key)
        offered = next(block.reach for place in places for block in place.fleets if block.reach)
        assert "Frost (0804)" in offered
        assert ("Between the stars" in offered) == has_deep_space


def test_many_fleets_share_one_form_and_the_others_are_kept(ember: Player, many: None) -> None:
    fleets, ships = keys(ember)
    lance, lantern = fleets["Lance"], fleets["Lantern"]
    assert {name for name in ember.form("orders/") if "ember/" in name} == set()
    of_lantern = ember.form(f"orders/?fleet={quote_plus(lantern)}")
    changes = {
        f"move-{lantern}": ["0404"],
        f"standing-{lantern}": ["fight"],
        f"plan-{lantern}": ["0504"],
    }
    answer = ember.send("orders/", {**of_lantern, **changes}, f"open {lance}")
    there, _, anchor = answer.url.partition("?")
    assert (there, anchor) == (
        ember.url("orders/"),
        f"fleet={quote_plus(lance)}#{page_id('fleet', lance)}",
    )
    opened = ember.form(f"orders/?fleet={lance}")
    assert f"targets-{lance}" in opened
    assert f"move-{lantern}" not in opened
    assert "→ hex 0404" in ember.get(f"orders/?fleet={lance}").text
    new = next(name.removeprefix("along-") for name in opened if name.startswith("along-ember/f4"))
    ember.send(
        "orders/", {**opened, f"to-{ships['Torch 1']}": [new], f"range-{lance}": ["12"]}, "save"
    )
    draft = ember.draft()
    assert draft["detach"] == [{"ships": [ships["Torch 1"]], "into": new}]
    assert [item["fleet"] for item in draft["settings"]] == [lance, lantern]
    assert draft["moves"] == [{"fleet": lantern, "to": "0404"}]
    assert ember.form(f"orders/?fleet={quote_plus(lantern)}")[f"plan-{lantern}"] == ["0504"]
    assert ember.form(f"orders/?fleet={quote_plus(new)}")[f"along-{new}"] == [""]
    ember.send("orders/", ember.form("orders/"), "save")  # without any fleet's form
    assert ember.draft() == draft
    taken_back = {**ember.form(f"orders/?fleet={lance}"), f"to-{ships['Torch 1']}": [""]}
    ember.send("orders/", taken_back, "save")
    assert "detach" not in ember.draft()
    assert ember.fill("orders/", "seal").status_code == 302


def test_draft_of_many_fleets_is_equal_after_each_form(ember: Player, many: None) -> None:
    """The draft has every kind of order, none of which is on the page."""
    fleets, ships = keys(ember)
    lance, lantern = fleets["Lance"], fleets["Lantern"]
    answers = [
        {"choice": "withdraw", "of": "capital", "least": 4},
        {"choice": "fight", "least": 1, "most": 2},
    ]
    doctrine = {"range": 12, "targets": "nearest", "break_off": 80, "flee": True}
    payload = {
        "schema": 1,
        "settings": [
            {
                "fleet": lance,
                "name": "Pike",
                "standing": "fight",
                "answers": answers,
                "doctrine": doctrine,
                "decoys_on": 1,
            },
            {"fleet": "ember/f9", "standing": "withdraw"},
        ],
        "detach": [{"ships": [ships["Torch 1"]], "into": "ember/f9", "name": "Wasps", "decoys": 1}],
        "dock": [
            {
                "ship": ships["Spark 1"],
                "repair": ["drive", "drive"],
                "replenish": True,
                "scuttle": True,
            }
        ],
        "weasels": [ships["Spark 1"]],
        "moves": [
            {"fleet": lantern, "path": ["0404", "0504"]},
            {"fleet": "ember/f9", "to": "0404"},
        ],
    }
    ember.send("orders/", ember.form("orders/"), "save")
    Draft.objects.filter(faction=ember.faction).update(payload=payload)
    ember.send("orders/", ember.form("orders/"), "save")
    assert ember.draft() == payload
    page = ember.client.get(ember.url("orders/")).content.decode()
    page_data = json.loads(re.findall(r'(?s)<script id="desk"[^>]*>(.*?)</script>', page)[0])
    texts = {
        name: value
        for fleet in page_data["form"]["fleets"].values()
        for name, value in fleet["texts"].items()
    }
    assert texts[f"path-{lantern}"] == "0404 0504"
    assert texts[f"to-{ships['Torch 1']}"] == "ember/f9"


def test_script_loads_forms_of_own_fleets_only(ember: Player, many: None) -> None:
    fleets, _ = keys(ember)
    offered = ember.get(f"orders/fleet/?fleet={fleets['Lantern']}").options
    assert f"targets-{fleets['Lantern']}" in offered
    assert f"targets-{fleets['Lance']}" not in offered
    own = fleets.values()
    slots = [
        name
        for name in offered
        if name.startswith("standing-") and name.removeprefix("standing-") not in own
    ]
    assert len(slots) == order_form.SLOTS
    guard = ember.form(f"orders/?fleet={fleets['Hearth Guard']}")
    ship = next(name for name in guard if name.startswith("to-"))
    formed = next(
        name.removeprefix("along-") for name in guard if name.startswith("along-ember/f4")
    )
    ember.send("orders/", {**guard, ship: [formed]}, "save")
    again = ember.get(f"orders/fleet/?fleet={fleets['Lantern']}").options
    assert slots == [name for name in again if name in slots], (
        "a fleet formed elsewhere changes none of them"
    )
    for key in ("frost/f1", "ember/f99", "", "x" * 300):
        ember.get(f"orders/fleet/?fleet={key}", 404)
    new = slots[0].removeprefix("standing-")
    assert (
        f"name-{new}" in ember.client.get(ember.url(f"orders/fleet/?fleet={new}")).content.decode()
    )
    ember.fill("orders/", "seal")
    ember.get(f"orders/fleet/?fleet={fleets['Lantern']}", 404)


@pytest.mark.rule("camp.fleets")
def test_fleet_is_split_and_the_new_one_moves(ember: Player) -> None:
    _, ships = keys(ember)
    new = next(
        name.removeprefix("along-")
        for name in ember.form("orders/")
        if name.startswith("along-ember/f4")
    )
    ember.fill(
        "orders/",
        **{
            f"to-{ships['Torch 1']}": new,
            f"to-{ships['Torch 2']}": new,
            f"name-{new}": "Wasps",
            f"along-{new}": "1",
            f"move-{new}": "0404",
            f"standing-{new}": "withdraw",
        },
    )
    draft = ember.draft()
    assert draft["detach"] == [
        {"ships": [ships["Torch 1"], ships["Torch 2"]], "into": new, "name": "Wasps", "decoys": 1}
    ]
    assert draft["moves"] == [{"fleet": new, "to": "0404"}]
    assert draft["settings"] == [{"fleet": new, "standing": "withdraw"}]
    again = ember.form("orders/")
    assert again[f"to-{ships['Torch 1']}"] == [new]
    assert again[f"name-{new}"] == ["Wasps"]
    assert ember.fill("orders/", action="seal").status_code == 302


@pytest.mark.rule("camp.fleets")
def test_fleets_are_merged_and_ships_transferred(ember: Player) -> None:
    fleets, ships = keys(ember)
    ember.fill(
        "orders/",
        **{
            f"merge-{fleets['Lantern']}": fleets["Lance"],
            f"to-{ships['Spark 1']}": fleets["Hearth Guard"],
        },
    )
    detach = {item["into"]: item["ships"] for item in ember.draft()["detach"]}
    rest = [key for key in ships_of(ember, fleets["Lantern"]) if key != ships["Spark 1"]]
    assert detach == {fleets["Lance"]: rest, fleets["Hearth Guard"]: [ships["Spark 1"]]}
    assert ember.fill("orders/", action="seal").status_code == 302


@pytest.mark.rule("camp.decoys")
def test_decoys_standing_orders_names_and_doctrine_are_settings(ember: Player) -> None:
    fleets, _ = keys(ember)
    lance = fleets["Lance"]
    ember.fill(
        "orders/",
        **{
            f"decoys-on-{lance}": "2",
            f"standing-{lance}": "fight",
            f"name-{lance}": "Pike",
            f"range-{lance}": "12",
            f"targets-{lance}": "nearest",
            f"break_off-{lance}": "80",
            f"flee-{lance}": "on",
        },
    )
    doctrine = {"range": 12, "targets": "nearest", "break_off": 80, "flee": True}
    assert ember.draft()["settings"] == [
        {"fleet": lance, "name": "Pike", "standing": "fight", "doctrine": doctrine, "decoys_on": 2}
    ]
    again = ember.form("orders/")
    assert again[f"range-{lance}"] == ["12"]
    assert again[f"flee-{lance}"] == ["on"]
    assert ember.fill("orders/", action="seal").status_code == 302


def hurt_view(player: Player) -> View:
    """Return the player's view with a battery and the drive of the first ship lost."""
    now = current_sight(player.campaign, player.faction).view
    hurt = dataclasses.replace(now.ships[0], damage=3, lost=("battery-1", "drive", "drive"))
    return dataclasses.replace(now, ships=(hurt, *now.ships[1:]))


@pytest.mark.rule("camp.repairs")
def test_ships_dock_repair_replenish_and_scuttle(ember: Player) -> None:
    scenario, view = scenario_of(ember.campaign), hurt_view(ember)
    hurt = view.ships[0]
    post = QueryDict(mutable=True)
    post.setlist(f"repair-{hurt.key}", ["battery-1", "drive", "drive"])
    post[f"scuttle-{hurt.key}"] = "on"
    post[f"dock-{view.ships[1].key}"] = "on"
    payload = week_payload(view, post)
    assert payload["dock"] == [
        {"ship": hurt.key, "repair": ["battery-1", "drive", "drive"], "scuttle": True},
        {"ship": view.ships[1].key},
    ]
    orders, faults = parse_orders(payload)
    assert orders is not None
    assert not faults
    assert not order_violations(scenario, view, orders)
    places = week_form(scenario, view, payload, Faults())
    row = next(
        ship
        for place in places
        for block in place.fleets
        for ship in block.ships
        if ship.key == hurt.key
    )
    assert [(system, ticked) for system, _, ticked in row.repairs] == [
        ("battery-1", True),
        ("drive", True),
        ("drive", True),
    ]
    assert row.is_to_dock
    assert row.scuttle


@pytest.mark.rule("camp.decoys")
def test_weasel_is_switched_on_and_stays_on() -> None:
    esu = at("orders", "lafayette", "esu")
    _, ships = keys(esu)
    scout = next(key for name, key in ships.items() if "Weasel" in name)
    esu.fill("orders/", **{f"weasel-{scout}": "on"})
    assert esu.draft()["weasels"] == [scout]
    fields = esu.form("orders/")
    del fields[f"weasel-{scout}"]
    esu.send("orders/", fields, "save")
    assert "weasels" not in esu.draft()


@pytest.mark.rule("camp.stand-off")
def test_faction_in_contact_decides_with_the_orders() -> None:
    ember = at("battles", seed=FROST_STAYS, ember="attack")
    resolve_stage(ember.stage())
    page = ember.get("orders/")
    assert "Frost Assembly at Frost (0804)" in page.text
    ember.fill("orders/", **{"decide-0804-frost": "fight"})
    assert ember.draft()["decide"] == [{"hex": "0804", "toward": "frost", "choice": "fight"}]
    ember.fill("orders/", **{"decide-0804-frost": ""})
    assert "decide" not in ember.draft()


def test_any_draft_is_shown(ember: Player) -> None:
    """Drafts also come from the API, and may hold any JSON."""
    odd: list[Any] = [
        5,
        "x",
        None,
        {},
        {"fleet": 3, "path": 7, "to": ["x"]},
        {"into": None, "ships": "all"},
    ]
    ember.fill("orders/")
    for part in ("settings", "detach", "dock", "weasels", "decide", "moves", "deploy", "what"):
        for value in (odd, 5, "x", None, {"a": 1}):
            Draft.objects.filter(faction=ember.faction).update(payload={"schema": 9, part: value})
            assert "to fix before you can seal" in ember.get("orders/").text


@pytest.mark.rule("camp.decision")
def test_conditions_survive_the_form(ember: Player) -> None:
    fleets, _ = keys(ember)
    lance = fleets["Lance"]
    first = {"of": "capital", "least": "4", "most": "", "choice": "withdraw"}
    second = {"of": "", "least": "1", "most": "2", "choice": "fight"}
    fields = {
        f"answer-{part}-{lance}-{n}": value
        for n, row in enumerate((first, second))
        for part, value in row.items()
    }
    ember.fill("orders/", **fields)
    answers = [
        {"choice": "withdraw", "of": "capital", "least": 4},
        {"choice": "fight", "least": 1, "most": 2},
    ]
    assert ember.draft()["settings"] == [{"fleet": lance, "answers": answers}]
    again = ember.form("orders/")
    assert {name: again[name] for name in fields} == {
        name: [value] for name, value in fields.items()
    }
    assert ember.fill("orders/", action="seal").status_code == 302
    page = ember.get("orders/").text
    assert (
        "if at least 4 capital ships are scanned: withdraw; if 1 to 2 contacts are scanned: fight"
        in page
    )
    assert (
        answer_words({"choice": "fight", "of": "capital", "least": 1})
        == "if at least 1 capital ship is scanned: fight"
    )


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"choice": "withdraw"}, "give a minimum or a maximum of contacts"),
        ({"choice": "fight", "least": "three"}, "must be a whole number"),
        (
            {"choice": "fight", "least": "3", "most": "2"},
            "the maximum must not be below the minimum",
        ),
        ({"choice": "fight", "least": "1", "of": "tank"}, "contacts must be capital, cruiser"),
    ],
)
def test_condition_faults_are_at_their_fleet(
    ember: Player, row: dict[str, str], words: str
) -> None:
    fleets, _ = keys(ember)
    lance = fleets["Lance"]
    ember.fill("orders/", **{f"answer-{part}-{lance}-0": value for part, value in row.items()})
    assert words in ember.get("orders/").text


def test_unchanged_conditions_are_not_ordered(ember: Player) -> None:
    ember.fill("orders/")
    assert "settings" not in ember.draft()


def test_merged_fleet_has_no_settings(ember: Player) -> None:
    fleets, _ = keys(ember)
    lance, lantern = fleets["Lance"], fleets["Lantern"]
    changes = {f"merge-{lance}": lantern, f"standing-{lance}": "fight"}
    assert ember.fill("orders/", "seal", **changes).status_code == 302
    assert "settings" not in ember.draft()

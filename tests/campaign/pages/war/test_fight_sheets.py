"""The record sheets of a battle online: one's own ships as they are, foreign ones as far as they
were seen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
from django.test import Client

from campaign.access import viewer_of
from campaign.pages.battle.fight_sheets import Known, known_ships
from campaign.pages.battle.foreign_ships import foreign_ships
from campaign.pages.table.table_data import Colours, table_data
from campaign.sight.views import sight
from campaign.web.pdf_answers import ACCEPTED
from campaign.web.war import War as WarSeen
from campaign.web.war import war_of
from campaign.words.battle.log import SideNames
from engine import battle as engine
from engine.battle import Battle
from engine.core.kinds import Reading
from engine.known_battle import known_battle
from engine.notation.files import fixture_classes
from engine.pieces.group import Group
from engine.stops import side_view
from tests.campaign.pages.house.rooms import page
from tests.campaign.pages.war.test_paper import says, unpacked
from tests.umpire.services.fights import War
from tests.working import worked
from umpire.services.battle_stops import stop_resolve

NO_WAR = cast(
    WarSeen, None
)  # where a stop asks for orders, the battle it hands out says everything


def begun(*, bogeys: bool = False) -> Battle:
    """A carrier against a cruiser."""
    ships = [("n1", "Fleet Carrier", 3, 10), ("e1", "Fleet Carrier", 9, 30)]
    sides = [
        {
            "name": name,
            "ships": [{"id": id_, "class": cls, "at": [x, 20], "course": course, "velocity": 4}],
        }
        for name, (id_, cls, course, x) in zip(("nac", "esu"), ships, strict=True)
    ]
    file = {"edition": "second-edition", "table": [60, 40], "bogeys": bogeys, "sides": sides}
    return engine.start(file, fixture_classes("second-edition"))


def handed(battle: Battle) -> tuple[Known, ...]:
    """What the first side's stop makes of it."""
    known = known_battle(battle, 0)
    sheet: Any = {"view": side_view(battle, 0), "at": 0, "known": known.to_json()}
    return known_ships(NO_WAR, sheet, SideNames({"n1": "Valiant"}), "/ships/{}/".format)


def test_an_identified_ship_shows_the_damage_that_was_seen_and_no_stores() -> None:
    battle = begun()
    foe = battle.state.ships[1]
    foe.take(3)
    mine, theirs = handed(battle)
    assert (mine.name, mine.own, theirs.own) == ("Valiant", True, False)
    assert theirs.condition.damage == 3
    assert theirs.condition.stock is None
    assert mine.condition.stock is not None
    assert "Orders and velocity" in mine.drawn
    assert "Orders and velocity" not in theirs.drawn


def test_of_a_bogey_there_is_no_sheet() -> None:
    battle = begun(bogeys=True)
    battle.state.ships[1].bogey = True
    assert [one.name for one in handed(battle)] == ["Valiant"]


@pytest.mark.rule("pc.sensors")
@pytest.mark.parametrize(
    ("told", "sheets"), [(Reading.DRIVE, 1), (Reading.SYSTEMS, 2), (Reading.WHOLE, 2)]
)
def test_a_closed_sheet_is_shown_once_a_scan_has_told_the_systems(
    told: Reading, sheets: int
) -> None:
    design = {
        "class": "Seeker", "edition": "continuum", "kind": "warship", "mass": 90, "hull": {"boxes": 20, "rows": 4},
        "thrust": 4, "ftl": "none", "systems": [{"type": "firecon"}, {"type": "screen"}],
    }  # fmt: skip
    sides = [
        {
            "name": name,
            "ships": [{"id": id_, "design": design, "at": [x, 20], "course": 3, "velocity": 4}],
        }
        for name, id_, x in (("nac", "n1", 10), ("esu", "e1", 40))
    ]
    battle = engine.start(
        {
            "edition": "continuum",
            "options": ["advanced-sensors"],
            "table": [60, 40],
            "sides": sides,
        },
        {},
    )
    foe = battle.state.ships[1]
    foe.take(3)
    foe.record = foe.record.disclosed(0, told, 2, (), ())
    shown = handed(battle)
    assert len(shown) == sheets
    assert [one.condition.damage for one in shown if not one.own] == (
        [2] if told is Reading.WHOLE else [0]
    )[: sheets - 1]


@pytest.mark.rule("camp.hidden")
def test_what_a_foreign_ship_carries_changes_nothing_in_its_sheet() -> None:
    """Two worlds that differ in what its own side alone may know: the craft left in its bays."""
    here, there = begun(), begun()
    foe = there.state.ships[1]
    foe.stock = [0 for _ in foe.stock]
    assert handed(here)[1] == handed(there)[1]
    assert handed(here)[1].drawn == handed(there)[1].drawn
    own = here.state.ships[0]
    before = handed(here)[0]
    own.stock = [0 for _ in own.stock]
    assert handed(here)[0] != before
    assert replace(before, condition=handed(here)[0].condition) == handed(here)[0]


def decks(first: str, second: str, magazine: dict[str, int], flown: str = "") -> Battle:
    """A carrier of Continuum before one of the same class; what the other has put into its hangars
    and its magazine.
    """

    def design(*types: str, load: dict[str, int]) -> dict[str, Any]:
        hangars = [{"type": "hangar", "load": {type_: 6}} for type_ in types]
        stores = [
            {"type": "magazine", "mass": 6, "load": load},
            {"type": "salvo-launcher"},
            *hangars,
        ]
        return {
            "class": "Aerie", "edition": "continuum", "kind": "warship", "mass": 160, "ftl": "none", "thrust": 4,
            "hull": {"boxes": 30, "rows": 4}, "systems": [{"type": "firecon"}, {"type": "launch-tube"}, *stores],
        }  # fmt: skip

    mine = design("standard", "standard", load={"standard": 3})
    sides = [
        {"name": name, "ships": [{"id": id_, "design": cls, "at": [x, 20], "course": 3, "velocity": 4}]}
        for name, id_, x, cls in (
            ("nac", "n1", 10, mine), ("esu", "e1", 40, design(first, second, load=magazine)),
        )
    ]  # fmt: skip
    battle = engine.start({"edition": "continuum", "table": [60, 40], "sides": sides}, {})
    if flown:
        Group.launch(battle.state, battle.state.named("e1"), flown, "flight-1", (30.0, 20.0), 9, 1)
    return battle


def in_words(known: Known) -> str:
    """What a drawing says to whoever does not see it."""
    return known.drawn.partition(">")[0]


@pytest.mark.rule("camp.hidden")
@pytest.mark.rule("pc.open-book")
def test_the_sheet_of_a_foreign_ship_says_which_craft_were_seen_and_of_no_other_store_what_is_in_it() -> (
    None
):
    """Two worlds that differ in types of craft and of missiles have the same sheet; a group that
    has flown is named.
    """
    here = decks("standard", "torpedo", {"standard": 3})
    there = decks("attack", "multi-role", {"extended": 2})
    mine, theirs = handed(here)
    assert theirs == handed(there)[1]
    assert theirs.drawn == handed(there)[1].drawn
    assert in_words(mine).count("6 standard") == 2
    assert "standard" not in theirs.drawn
    assert in_words(theirs).count("an unknown load") == theirs.drawn.count(">?</text>") == 3
    seen = handed(decks("standard", "torpedo", {"standard": 3}, flown="hangar-2"))[1]
    assert seen == handed(decks("torpedo", "missile", {"extended": 2}, flown="hangar-1"))[1]
    assert in_words(seen).count("6 torpedo") == 1
    assert in_words(seen).count("an unknown load") == seen.drawn.count(">?</text>") == 2


@pytest.mark.django_db
def test_the_page_and_the_pdf_tell_of_the_own_side_and_of_bogeys_that_they_are_there() -> None:
    war = War()
    client = Client()
    client.force_login(war.users["ember"])
    where = f"/c/{war.campaign.public_id}/battles/{war.fight('ember').id}/now/"
    assert f"{where}sheets/" in page(client, where).links
    theirs = next(side["ships"] for side in war.battle.start["sides"] if side["name"] == "frost")
    mine = next(side["ships"] for side in war.battle.start["sides"] if side["name"] == "ember")
    text = client.get(f"{where}sheets/").content.decode()
    assert text.count('class="ssd"') == len(mine)
    assert all(f"Bogey {ship['contact'][:4]}" in text for ship in theirs)
    assert not any(ship["id"] in text for ship in theirs)
    assert client.get(f"{where}sheets.pdf").status_code == ACCEPTED, (
        "so many sheets are printed by a worker"
    )
    assert worked(1) == 1
    pdf = client.get(f"{where}sheets.pdf")
    assert pdf["Content-Type"] == "application/pdf"
    printed = unpacked(pdf.content)
    names = {
        ship.key: ship.name
        for ship in sight(war.campaign, war.campaign.factions.get(key="ember")).view.ships
    }
    assert all(says(printed, names[ship["id"]]) for ship in mine)
    assert not any(says(printed, one["id"]) or says(printed, one["contact"][:4]) for one in theirs)
    rival = Client()
    rival.force_login(war.users["frost"])
    assert [rival.get(f"{where}{name}").status_code for name in ("sheets/", "sheets.pdf")] == [
        404,
        404,
    ]


@pytest.mark.django_db
def test_a_side_that_is_not_asked_sees_the_foreign_sheets_it_was_handed_with_the_damage_of_now() -> (
    None
):
    battle = begun()
    foe = battle.state.ships[1]
    foe.take(3)
    view: Any = side_view(battle, 0)
    contact = view["contacts"][0]["id"]
    told: Any = {"view": {**view, "own": {}}, "at": 0}
    war = War()
    seen = war_of(viewer_of(war.users["ember"], str(war.campaign.public_id)))
    before = {contact: foe}
    (theirs,) = known_ships(seen, told, SideNames({}), "/ships/{}/".format, lambda: before)
    assert (theirs.own, theirs.sheet, theirs.condition.damage, theirs.condition.stock) == (
        False,
        foe.sheet,
        3,
        None,
    )
    assert theirs.drawn == handed(battle)[1].drawn
    assert known_ships(seen, told, SideNames({}), "/ships/{}/".format) == ()
    data = table_data(
        {**told, "mine": [], "log": [], "turn": 1, "table": [60, 40]},
        SideNames({}), Colours({}, ("nac", "esu"), "nac"), {}, {}, before,
    )  # fmt: skip
    (drawn,) = data["contacts"]
    assert drawn["hull"] == {"rows": list(foe.sheet.rows), "damage": 3, "armour": []}


@pytest.mark.django_db
def test_sheets_are_those_of_the_last_stop_that_asked() -> None:
    war = War()
    for key in ("ember", "frost"):
        war.seal(key)
    stage = war.open_stop()
    assert stage is not None
    assert stop_resolve(stage=stage.pk)
    sheet = war.sheet("ember")
    seen = war_of(viewer_of(war.users["ember"], str(war.campaign.public_id)))
    told = foreign_ships(seen, war.fight("ember"), sheet["view"])
    named = {one["id"]: one["class"] for one in sheet["view"]["contacts"] if "class" in one}
    assert {key: one.sheet.cls for key, one in told.items()} == named
    assert foreign_ships(seen, war.fight("ember"), {"contacts": []}) == {}


@pytest.mark.django_db
def test_a_side_that_is_not_asked_still_sees_its_own_ships() -> None:
    war = War()
    for key in ("ember", "frost"):
        war.seal(key)
    stage = war.open_stop()
    assert stage is not None
    assert stop_resolve(stage=stage.pk)
    sheet = war.sheet("ember")
    told: Any = {key: value for key, value in sheet.items() if key != "known"}
    viewer = viewer_of(war.users["ember"], str(war.campaign.public_id))
    seen = war_of(viewer)
    unasked, asked = (
        known_ships(seen, one, SideNames({}), "/ships/{}/".format)
        for one in (told, cast(Any, sheet))
    )
    assert unasked == tuple(one for one in asked if one.own)
    assert len(unasked) == len(sheet["view"]["own"])

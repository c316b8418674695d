"""The record sheets of an online battle: own ships exactly, others as far as they were seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
from django.test import Client

from campaign.access import viewer_of
from campaign.pages.battle.fight_sheets import KnownShip, known_ships
from campaign.pages.battle.foreign_ships import foreign_ships
from campaign.pages.table.table_data import Colours, table_data
from campaign.sight.views import current_sight
from campaign.web.pdf_responses import ACCEPTED
from campaign.web.war import War as WarSeen
from campaign.web.war import war_of
from campaign.words.battle.log import SideNames
from engine import battle as engine
from engine.battle import Battle
from engine.core.kinds import ScanDetail
from engine.known_battle import known_battle
from engine.notation.files import fixture_classes
from engine.pieces.group import Group
from engine.stops import side_view
from tests.campaign.pages.general.browser_pages import page
from tests.campaign.pages.war.test_paper import contains_text, unpack
from tests.job_runner import run_waiting_jobs
from tests.umpire.services.online_war import OnlineWar
from umpire.services.battle_phases import phase_resolve

NO_WAR = cast(WarSeen, None)  # in a phase with orders, its battle document has everything


def battle_with_foe(*, bogeys: bool = False) -> Battle:
    """Return a carrier against a cruiser."""
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


def ships_with_sheets(battle: Battle) -> tuple[KnownShip, ...]:
    """Return the ships with sheets at the first side's phase."""
    battle_known = known_battle(battle, 0)
    sheet: Any = {"view": side_view(battle, 0), "at": 0, "battle_document": battle_known.to_json()}
    return known_ships(NO_WAR, sheet, SideNames({"n1": "Valiant"}), address="/ships/{}/".format)


def test_identified_ship_shows_seen_damage_and_no_stores() -> None:
    battle = battle_with_foe()
    foe = battle.state.ships[1]
    foe.mark_damage(3)
    mine, theirs = ships_with_sheets(battle)
    assert (mine.name, mine.is_own, theirs.is_own) == ("Valiant", True, False)
    assert theirs.condition.damage == 3
    assert theirs.condition.stock is None
    assert mine.condition.stock is not None
    assert "Orders and velocity" in mine.drawing
    assert "Orders and velocity" not in theirs.drawing


def test_bogey_has_no_sheet() -> None:
    battle = battle_with_foe(bogeys=True)
    battle.state.ships[1].bogey = True
    assert [ship_row.name for ship_row in ships_with_sheets(battle)] == ["Valiant"]


@pytest.mark.rule("pc.sensors")
@pytest.mark.parametrize(
    ("reading", "sheets"),
    [(ScanDetail.DRIVE, 1), (ScanDetail.SYSTEMS, 2), (ScanDetail.EVERYTHING, 2)],
)
def test_closed_sheet_is_shown_after_a_scan(reading: ScanDetail, sheets: int) -> None:
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
    foe.mark_damage(3)
    foe.record = foe.record.with_scan(0, reading, 2, (), ())
    ships = ships_with_sheets(battle)
    assert len(ships) == sheets
    assert [ship_row.condition.damage for ship_row in ships if not ship_row.is_own] == (
        [2] if reading is ScanDetail.EVERYTHING else [0]
    )[: sheets - 1]


@pytest.mark.rule("camp.hidden")
def test_foreign_cargo_changes_nothing_on_its_sheet() -> None:
    """The two worlds differ in what only its own side may know: the craft left in its bays."""
    here, there = battle_with_foe(), battle_with_foe()
    foe = there.state.ships[1]
    foe.stock = [0 for _ in foe.stock]
    assert ships_with_sheets(here)[1] == ships_with_sheets(there)[1]
    assert ships_with_sheets(here)[1].drawing == ships_with_sheets(there)[1].drawing
    own = here.state.ships[0]
    before = ships_with_sheets(here)[0]
    own.stock = [0 for _ in own.stock]
    assert ships_with_sheets(here)[0] != before
    assert (
        replace(before, condition=ships_with_sheets(here)[0].condition)
        == ships_with_sheets(here)[0]
    )


def decks(first: str, second: str, magazine: dict[str, int], launched_from: str = "") -> Battle:
    """Return two carriers of the same class, with given contents of one's hangars and magazine."""

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
    if launched_from:
        Group.launch(
            battle.state,
            battle.state.ship_by_name("e1"),
            launched_from,
            "flight-1",
            (30.0, 20.0),
            9,
            1,
        )
    return battle


def in_words(known_ship: KnownShip) -> str:
    """Return the text of a drawing for readers who do not see it."""
    return known_ship.drawing.partition(">")[0]


@pytest.mark.rule("camp.hidden")
@pytest.mark.rule("pc.open-book")
def test_foreign_sheet_shows_seen_craft_and_hides_other_stores() -> None:
    """Other types of craft and missiles change nothing; only a group that has flown is named."""
    here = decks("standard", "torpedo", {"standard": 3})
    there = decks("attack", "multi-role", {"extended": 2})
    mine, theirs = ships_with_sheets(here)
    assert theirs == ships_with_sheets(there)[1]
    assert theirs.drawing == ships_with_sheets(there)[1].drawing
    assert in_words(mine).count("6 standard") == 2
    assert "standard" not in theirs.drawing
    assert in_words(theirs).count("unknown load") == theirs.drawing.count(">?</text>") == 3
    other_ship = ships_with_sheets(
        decks("standard", "torpedo", {"standard": 3}, launched_from="hangar-2")
    )[1]
    assert (
        other_ship
        == ships_with_sheets(
            decks("torpedo", "missile", {"extended": 2}, launched_from="hangar-1")
        )[1]
    )
    assert in_words(other_ship).count("6 torpedo") == 1
    assert in_words(other_ship).count("unknown load") == other_ship.drawing.count(">?</text>") == 2


@pytest.mark.django_db
def test_page_and_pdf_show_own_side_and_mention_bogeys() -> None:
    war = OnlineWar()
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
    assert run_waiting_jobs(1) == 1
    pdf = client.get(f"{where}sheets.pdf")
    assert pdf["Content-Type"] == "application/pdf"
    printed = unpack(pdf.content)
    names = {
        ship.key: ship.name
        for ship in current_sight(war.campaign, war.campaign.factions.get(key="ember")).view.ships
    }
    assert all(contains_text(printed, names[ship["id"]]) for ship in mine)
    assert not any(
        contains_text(printed, ship_data["id"]) or contains_text(printed, ship_data["contact"][:4])
        for ship_data in theirs
    )
    rival = Client()
    rival.force_login(war.users["frost"])
    assert [rival.get(f"{where}{name}").status_code for name in ("sheets/", "sheets.pdf")] == [
        404,
        404,
    ]


@pytest.mark.django_db
def test_side_without_decision_sees_known_sheets_with_current_damage() -> None:
    battle = battle_with_foe()
    foe = battle.state.ships[1]
    foe.mark_damage(3)
    view: Any = side_view(battle, 0)
    contact = view["contacts"][0]["id"]
    sheet_data: Any = {"view": {**view, "own": {}}, "at": 0}
    war = OnlineWar()
    war_seen = war_of(viewer_of(war.users["ember"], str(war.campaign.public_id)))
    before = {contact: foe}
    (theirs,) = known_ships(
        war_seen,
        sheet_data,
        SideNames({}),
        address="/ships/{}/".format,
        earlier_ships=lambda: before,
    )
    assert (theirs.is_own, theirs.sheet, theirs.condition.damage, theirs.condition.stock) == (
        False,
        foe.sheet,
        3,
        None,
    )
    assert theirs.drawing == ships_with_sheets(battle)[1].drawing
    assert known_ships(war_seen, sheet_data, SideNames({}), address="/ships/{}/".format) == ()
    data = table_data(
        {**sheet_data, "mine": [], "log": [], "turn": 1, "table": [60, 40]},
        SideNames({}),
        Colours({}, ("nac", "esu"), "nac"),
        ships={},
        silhouettes={},
        earlier_ships=before,
    )
    (contact_data,) = data["contacts"]
    assert contact_data["hull"] == {"rows": list(foe.sheet.rows), "damage": 3, "armour": []}


@pytest.mark.django_db
def test_sheets_are_those_of_the_last_phase_with_a_decision() -> None:
    war = OnlineWar()
    for key in ("ember", "frost"):
        war.seal(key)
    stage = war.open_phase()
    assert stage is not None
    assert phase_resolve(stage=stage.pk)
    sheet = war.sheet("ember")
    war_seen = war_of(viewer_of(war.users["ember"], str(war.campaign.public_id)))
    foreign = foreign_ships(war_seen, war.fight("ember"), sheet["view"])
    class_by_id = {
        item["id"]: item["class"] for item in sheet["view"]["contacts"] if "class" in item
    }
    assert {key: item.sheet.cls for key, item in foreign.items()} == class_by_id
    assert foreign_ships(war_seen, war.fight("ember"), {"contacts": []}) == {}


@pytest.mark.django_db
def test_side_without_decision_sees_its_own_ships() -> None:
    war = OnlineWar()
    for key in ("ember", "frost"):
        war.seal(key)
    stage = war.open_phase()
    assert stage is not None
    assert phase_resolve(stage=stage.pk)
    sheet = war.sheet("ember")
    sheet_data: Any = {key: value for key, value in sheet.items() if key != "battle_document"}
    viewer = viewer_of(war.users["ember"], str(war.campaign.public_id))
    war_seen = war_of(viewer)
    unasked, when_asked = (
        known_ships(war_seen, item, SideNames({}), address="/ships/{}/".format)
        for item in (sheet_data, cast(Any, sheet))
    )
    assert unasked == tuple(item for item in when_asked if item.is_own)
    assert len(unasked) == len(sheet["view"]["own"])

"""The page of an online battle at damage control: who is asked, form, faults, and the log."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from campaign.models import Stage
from campaign.pages.battle.fights import _payload, _rows
from campaign.words.battle.log import SideNames
from engine import stops
from engine.battle import start
from engine.captains.common.doctrine import Doctrine
from engine.core.facts import FOREVER
from engine.known_battle import known_battle
from tests.campaign.pages.general.browser_pages import read_page
from tests.campaign.pages.war.test_fights import Seat
from tests.engine.control.hulls import design, play_to_control, ship
from tests.umpire.services.damaged_battle import (
    LOST_SYSTEMS,
    OTHER_FACTION,
    OWN_FACTION,
    DamagedBattle,
)

CORE_LOST = ["beam-1", "marines-1", "drive", "power-core"]


@pytest.mark.django_db
def test_parties_are_assigned_and_the_log_reports_them() -> None:
    war = DamagedBattle()
    seat = Seat(war, OWN_FACTION)
    battle_page = seat.get()
    assert "Assign your damage control parties" in battle_page.text
    form, key = seat.form(), sorted(war.sheet(OWN_FACTION)["mine"])[0]
    assert {f"parties-{key}-{system}" for system in LOST_SYSTEMS} <= set(form)
    answer = seat.fill("save", **{f"parties-{key}-firecon-1": ["2"], f"parties-{key}-drive": ["1"]})
    assert answer.status_code == 302
    assert seat.form()[f"parties-{key}-firecon-1"] == ["2"]
    assert seat.fill("seal").status_code == 302
    jobs = [{"system": "firecon-1", "parties": 2}, {"system": "drive", "parties": 1}]
    assert seat.sealed()["control"][key] == {"repairs": jobs}
    war.resolve_phase()
    for other in (seat, Seat(war, OTHER_FACTION)):
        log = other.get().text
        assert "repair its main drive" in log or "repairs its main drive" in log


@pytest.mark.django_db
def test_side_without_repairs_is_not_waited_for() -> None:
    war = DamagedBattle()
    assert Stage.objects.get(battle=war.battle, status="open").kind == "control"
    assert (war.fight(OWN_FACTION).state, war.fight(OTHER_FACTION).state) == ("open", "waiting")
    assert "You have no orders to give now" in Seat(war, OTHER_FACTION).get().text
    war.seal(OWN_FACTION)
    war.resolve_phase()
    assert [war.fight(key).last.kind for key in (OWN_FACTION, OTHER_FACTION)] == ["plot", "plot"]


@pytest.mark.django_db
def test_too_many_parties_are_a_fault_beside_the_ship() -> None:
    war = DamagedBattle()
    seat = Seat(war, OWN_FACTION)
    key = next(
        name for name, own in war.sheet(OWN_FACTION)["view"]["own"].items() if own["parties"] < 6
    )
    answer = seat.fill("seal", **{f"parties-{key}-{system}": ["3"] for system in LOST_SYSTEMS})
    assert answer.status_code == 422
    page = read_page(answer)
    assert "parties are sent" in page.text
    assert f"o-{key.replace('/', '-')}" in page.ids
    assert war.fight(OWN_FACTION).state == "open"


@pytest.mark.django_db
def test_battle_with_damage_control_is_played_by_forms() -> None:
    war = DamagedBattle(at_control=False)
    seats, kinds = [Seat(war, OWN_FACTION), Seat(war, OTHER_FACTION)], []
    for _ in range(5):
        stage = war.open_phase()
        assert stage is not None
        kinds.append(stage.kind)
        for seat in seats:
            if war.fight(seat.key).state == "open":
                advised = war.advice(seat.key)
                assert seat.fill("seal").status_code == 302, seat.get().text
                if stage.kind == "control":
                    assert seat.sealed()["control"] == advised["control"]
        war.resolve_phase()
    assert kinds == [
        "plot",
        "control",
        "plot",
        "engage",
        "control",
    ]  # whether fire is skipped or held


def test_damage_control_survives_the_form() -> None:
    hull = design("beam:2 marines", boxes=27)
    file = {"edition": "continuum", "options": ["core-systems"], "table": [120, 120]}
    own = [ship("n1", hull=hull, lost=CORE_LOST), ship("n2", 40, hull=hull)]
    sides = [
        {"name": "red", "ships": own},
        {"name": "blue", "ships": [ship("e1", 110, 110, hull=hull)]},
    ]
    battle = start({**file, "sides": sides})
    hit = battle.state.ship_by_name("n1")
    hit.record = hit.record.with_values(reactor=5, out_of_control=FOREVER, air_fails=4)
    battle = play_to_control(battle)
    battle_known = known_battle(battle, 0)
    view = stops.side_view(battle, 0)
    advice = stops.advise(battle_known, 0, Doctrine(), "x")
    sheet = {
        "kind": "control",
        "at": 0,
        "mine": ["n1", "n2"],
        "view": view,
        "battle_document": battle_known.to_json(),
    }
    advice["control"]["n1"]["dump"] = True
    (row,) = _rows(sheet, advice, SideNames({}), {})
    assert row.state == (
        "5 parties, 0 of 27 damage, its power core explodes on 5 or more, air to the end of turn 4, out of control; "
        "beyond repair: marines 1"
    )
    assert [pick.label for pick in row.picks] == [
        "beam 1",
        "main drive (halved)",
        "power core",
        "If the power core is still out of control",
    ]
    post = QueryDict(mutable=True)
    for pick in row.picks:
        assert set(pick.chosen) <= {value for value, _ in pick.options}
        post[pick.name] = pick.chosen[0]
    payload = _payload(sheet, SideNames({}), post)
    parties_by_system = {
        job["system"]: job["parties"] for job in payload["control"]["n1"].pop("repairs")
    }
    assert parties_by_system == {
        job["system"]: job["parties"] for job in advice["control"]["n1"]["repairs"]
    }
    assert payload["control"]["n1"] == {"dump": True}
    for odd in (
        {},
        {"control": 4},
        {"control": {"n1": 3}},
        {"control": {"n1": {"repairs": [7, {"system": 2}]}}},
    ):
        assert len(_rows(sheet, odd, SideNames({}), {})) == 1

"""The forms of a battle express choices of 1.1: order of other sides, losses, types of weapons."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote_plus

import pytest
from django.http import QueryDict

from campaign.forms.battle.initiative_form import order_of_others_payload, order_of_others_picks
from campaign.pages.battle.fights import _form_sight, _rows
from campaign.services.phases import phase_payload, phase_violations
from campaign.words.battle.log import SideNames
from engine import stops
from engine.battle import Battle, start
from engine.core.dice import Dice
from tests.campaign.pages.war.test_fight_later import orders_from_form
from tests.campaign.pages.war.test_fight_ordnance import rows, sheet_of
from tests.engine.battle.test_initiative import at_engage
from tests.engine.craft.carrier_battles import N1, N2
from tests.engine.craft.test_level import flying
from tests.engine.defences.battles import facing, start_battle

B = 1  # the side of the reader
NAMES = {"a": "Alpha", "c": "Gamma"}


def submitted(**fields: str) -> QueryDict:
    return QueryDict("&".join(f"{name}={quote_plus(value)}" for name, value in fields.items()))


def at_stop(battle: Battle, stop: str) -> Battle:
    while battle.state.stop != stop:
        battle, _ = stops.resolve_documents(battle, {}, Dice(1))
    return battle


@pytest.mark.rule("pc.initiative-order")
class TestOrderOfOthers:
    def test_player_picks_the_other_sides_by_name(self) -> None:
        battle = at_engage()
        sheet = sheet_of(battle, B)
        sight = _form_sight(sheet, SideNames({}))
        first, then = order_of_others_picks(sight, {}, NAMES)
        assert [words for _, words in first.options] == ["by dice", "Alpha", "Gamma"]
        assert (first.chosen, then.chosen) == (("",), ("",))
        post = submitted(**{first.name: "c", then.name: "a"})
        orders = {"engage": [], **order_of_others_payload(sight, post)}
        assert orders["lets"] == ["c", "a"]
        assert phase_violations(sheet, orders) == ()
        payload = phase_payload(sheet, orders)
        assert payload["lets"] == ["c", "a"]
        first, then = order_of_others_picks(sight, payload, NAMES)
        assert (first.chosen, then.chosen) == (("c",), ("a",))

    def test_choice_stays_until_it_is_changed(self) -> None:
        battle = at_engage()
        battle, _ = stops.resolve_documents(
            battle, {B: {"engage": [], "lets": ["c", "a"]}}, Dice(1)
        )
        sheet = sheet_of(at_stop(battle, "engage"), B)
        sight = _form_sight(sheet, SideNames({}))
        first, then = order_of_others_picks(sight, {}, NAMES)
        assert (first.chosen, then.chosen) == (("c",), ("a",))
        unchanged = submitted(**{first.name: "c", then.name: "a"})
        assert order_of_others_payload(sight, unchanged) == {}
        by_dice = {
            "engage": [],
            **order_of_others_payload(sight, submitted(**{first.name: "", then.name: ""})),
        }
        assert phase_violations(sheet, by_dice) == ()
        assert phase_payload(sheet, by_dice)["lets"] == []

    def test_incomplete_choice_is_a_fault_and_two_sides_are_not_asked(self) -> None:
        sheet = sheet_of(at_engage(), B)
        (fault,) = phase_violations(sheet, {"engage": [], "lets": ["c"]})
        assert (fault.where, fault.code) == ("lets", "lets")
        two = at_stop(start(facing("beam:1@ALL", "", 10.0)), "engage")
        assert order_of_others_picks(_form_sight(sheet_of(two, 0), SideNames({})), {}, {}) == ()


@pytest.mark.rule("pdl.casualty-choice")
def test_group_gets_its_place_in_the_order_of_losses() -> None:
    battle = at_stop(start_battle(flying("standard", "standard", guard="pds")), "attack")
    orders: dict[str, Any] = {"attack": {N1: [{"weapon": "fighters", "target": "b1", "falls": 2}]}}
    sheet = sheet_of(battle, 0)
    sheet["mine"] = [N1, N2]
    row, _ = _rows(sheet, orders, SideNames({}), {})
    (pick,) = [pick for pick in row.picks if pick.name.startswith("losses")]
    assert [value for value, _ in pick.options] == ["", "1", "2"]
    assert pick.chosen == ("2",)
    from_form = orders_from_form(battle, orders)
    assert from_form["attack"][N1][0]["falls"] == 2


@pytest.mark.rule("pc.random-mount")
def test_needle_beam_may_name_a_type_of_weapon() -> None:
    document = facing("needle:1@F+FS", "beam:1@ALL", 10.0, options=("advanced-sensors",))
    battle = at_stop(start(document), "engage")
    orders = {"engage": [["r1", [{"weapon": "needle-1", "target": "b1", "system": "beam"}]]]}
    (field,) = [field for field in rows(battle, 0, orders)["r1"].inputs if "system" in field.name]
    assert (field.value, field.hint) == ("beam", "FireCon 1 or beam")
    assert orders_from_form(battle, orders)["engage"] == orders["engage"]

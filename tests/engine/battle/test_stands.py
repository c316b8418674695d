"""Very small ships that share a stand: one plot for all, and ships that cannot keep up are lost."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import start
from engine.captains.continuum.boarding_tactics import as_squadrons_fly
from engine.continuum.squadrons import leader_of
from engine.core.errors import RuleViolations
from engine.core.kinds import DESTROYED
from engine.core.orders import Plot
from engine.order_requests.plot import plot_faults
from engine.view.side_view import observe
from tests.engine.battle.continuum_hulls import fly, hull, plot, plot_fault_text, table
from tests.engine.battle.table import at, events_of

pytestmark = pytest.mark.rule("pc.squadrons")


def corvette(name: str, **more: Any) -> dict[str, Any]:
    small = {"mass": 20, "boxes": 4, "stand": "one", "contact": f"code-{name}"}
    return hull(name, 200, 200, 12, more.pop("velocity", 8), **{**small, **more})


def stand(**more: Any) -> dict[str, Any]:
    ships = [corvette(name, **more.get(name, {})) for name in ("c1", "c2", "c3")]
    return table(*ships, bogeys=more.get("bogeys", False))


def test_stand_flies_by_the_first_ships_plot() -> None:
    battle = fly(stand(), {"c1": "P2+3"}, {"c1": "S1"})
    assert {
        (at(battle, name).x, at(battle, name).y, at(battle, name).course)
        for name in ("c1", "c2", "c3")
    } == {(at(battle, "c1").x, at(battle, "c1").y, 11)}


def test_ship_that_cannot_keep_up_is_lost() -> None:
    battle = fly(stand(c2={"lost": ["drive"]}), {"c1": "+6"})
    assert at(battle, "c2").status == DESTROYED
    assert [(event.ship, event.cause) for event in events_of(battle, "destroyed")] == [
        ("c2", "stand")
    ]
    assert at(battle, "c3").velocity == 14
    slowly = fly(stand(c2={"lost": ["drive"]}), {"c1": "+3"})
    assert not events_of(slowly, "destroyed")


def test_best_drive_leads_from_the_end_of_the_turn() -> None:
    battle = fly(stand(c1={"lost": ["drive"]}), {"c1": "+3"}, {"c2": "+6"})
    assert [at(battle, name).record.squadron for name in ("c1", "c2", "c3")] == ["c2", "", "c2"]
    assert at(battle, "c1").status == DESTROYED
    assert at(battle, "c3").velocity == 17


def test_stand_is_neither_split_nor_joined() -> None:
    document = stand()
    document["sides"][0]["ships"].append(hull("r1", 201, 200, 12, 8))
    assert "shares a stand" in plot_fault_text(document, "r1", "squadron c1")
    assert "leads a squadron itself" in plot_fault_text(document, "c1", "squadron r1")
    battle = start(document)
    for name, text in (("c2", "alone"), ("c2", "+1"), ("c1", "ftl")):
        ship = battle.state.ship_by_name(name)
        assert list(plot_faults(battle.state, ship, plot(text))), text


def test_captains_leave_nobody_behind() -> None:
    state = start(stand(c2={"lost": ["drive"]})).state
    plots = {name: plot("+6") for name in ("c1", "c2", "c3")}
    assert as_squadrons_fly(state, plots, scatter=True) == {"c1": Plot()}
    assert as_squadrons_fly(state, {"c1": plot("+3")}) == {"c1": plot("+3")}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"c3": {"boxes": 7}}, "at most 6 hull boxes"),
        ({"c3": {"velocity": 9}}, "the same position, course"),
        ({"c3": {"drive": "advanced"}}, "type of drive"),
    ],
)
def test_only_small_ships_with_equal_movement_share_a_stand(
    more: dict[str, Any], words: str
) -> None:
    document = stand(**more)
    with pytest.raises(RuleViolations) as bad:
        start(document)
    assert words in str(bad.value)


def test_known_ships_show_their_stand_but_not_its_leader() -> None:
    for bogeys in (False, True):
        view = observe(start(stand(bogeys=bogeys)).state, 1).to_json()
        notes = [contact.get("notes", {}) for contact in view["contacts"]]
        assert notes == [{} if bogeys else {"stand": 1}] * 3
    battle = start(stand())
    assert leader_of(battle.state, battle.state.ship_by_name("c2")) is battle.state.ship_by_name(
        "c1"
    )

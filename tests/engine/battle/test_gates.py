"""Gates on the table: activation, passing within their mass, coming out, damage."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import play_orders, start
from engine.continuum.gates import mass_capacity, transfer_ships
from engine.core.errors import RuleViolations
from engine.core.kinds import DESTROYED, FIGHTING, FTL, INBOUND, LEFT_TABLE
from engine.core.table import Table
from engine.notation.battles import read_battle
from engine.pieces.gate import Gate
from engine.view.side_view import observe
from tests.engine.battle.continuum_hulls import fly, foe, hull, plot_fault_text, table
from tests.engine.battle.table import at, classes, events_of, play, scripted

pytestmark = pytest.mark.rule("pc.gates")

GATE: dict[str, Any] = {"id": "north", "at": [200, 220], "mass": 100}


def guest(
    *more: dict[str, Any], gate: dict[str, Any] | None = None, **terms: Any
) -> dict[str, Any]:
    """Return a ship of mass 60 without FTL that flies at a gate 20 MU ahead, 5 MU a turn."""
    return table(
        hull("a1", 200, 200, 12, 5, ftl="none", mass=60), *more, gates=[{**GATE, **(gate or {})}], **terms
    )  # fmt: skip


def open_gate(**more: Any) -> dict[str, Any]:
    return {"active": True, **more}


def ways(event_kind: list[Any]) -> list[tuple[str, str]]:
    return [(event.ship, event.outcome) for event in event_kind]


# Going through.


def test_ship_moving_into_an_open_gate_is_gone_at_the_end_of_the_turn() -> None:
    battle = fly(guest(gate=open_gate()), {}, {}, {"a1": "gate north; +2"})
    ship = at(battle, "a1")
    assert ship.status == FTL
    assert (ship.x, ship.y) == (200, 220), "its move ends in the gate"
    assert ways(events_of(battle, "gate-passed")) == [("a1", "through")]
    assert battle.winner == "blue", "nobody else of its side is left"


def test_ship_in_a_gate_fights_until_the_turn_ends() -> None:
    document = guest(gate=open_gate(at=[200, 204]), blue=[hull("b1", 200, 212, 6, 0, thrust=4)])
    document["turns"] = [
        {
            "plot": {"a1": "gate north"},
            "engage": {
                "a1": [{"weapon": "beam-1", "target": "b1"}],
                "b1": [{"weapon": "beam-1", "target": "a1"}],
            },
        }
    ]
    initial_battle = start(document, classes())
    battle = play_orders(
        initial_battle,
        scripted(initiative=[1, 2], beam=[6, 4], re_roll=[1]),
        read_battle(document, classes()).turns,
    )
    assert at(battle, "a1").damage + at(battle, "b1").damage == 3
    assert at(battle, "a1").status == FTL


def test_move_past_a_gate_changes_nothing() -> None:
    battle = fly(guest(gate=open_gate()), {"a1": "gate north"}, {"a1": "P3; gate north"})
    assert at(battle, "a1").status == FIGHTING
    assert not events_of(battle, "gate-entered")


@pytest.mark.parametrize(("course", "words"), [(12, FTL), (1, FTL), (3, FIGHTING)])
def test_one_way_gate_accepts_ships_within_a_point_of_its_course(course: int, words: str) -> None:
    battle = fly(guest(gate=open_gate(at=[200, 204], facing=course)), {"a1": "gate north"})
    assert at(battle, "a1").status == words


def test_one_way_gate_accepts_vector_ships() -> None:
    battle = fly(
        guest(gate=open_gate(at=[200, 203]), options=("vector",)), {"a1": "MD2; gate north"}
    )
    assert at(battle, "a1").status == FTL


def test_gate_works_within_the_hyper_limit() -> None:
    battle = fly(guest(gate=open_gate(at=[200, 203]), options=("no-ftl",)), {"a1": "gate north"})
    assert at(battle, "a1").status == FTL


# Activation.


def test_artificial_gate_opens_the_turn_after_activation() -> None:
    document = guest(gate={"at": [200, 210]})
    assert "accepts no ships" in plot_fault_text(document, "a1", "gate north")
    battle = fly(document, {"a1": "activate north"}, {"a1": "gate north"})
    assert [(event.opens, event.die) for event in events_of(battle, "gate-set")] == [(2, 0)]
    assert at(battle, "a1").status == FTL


@pytest.mark.parametrize(("die", "opens"), [(1, 3), (3, 5), (4, 2), (6, 2)])
def test_ships_of_others_may_have_to_wait(die: int, opens: int) -> None:
    battle = fly(guest(gate={"side": "blue"}), {"a1": "activate north"}, gate=[die])
    assert [(event.opens, event.die) for event in events_of(battle, "gate-set")] == [(opens, die)]


def test_gate_stays_open_until_shut_by_its_controller() -> None:
    document = guest(gate=open_gate(side="blue", at=[200, 204]))
    assert "does not control" in plot_fault_text(document, "a1", "deactivate north")
    battle = fly(document, {"b1": "deactivate north", "a1": "gate north"}, {"a1": "gate north"})
    assert at(battle, "a1").status == FTL, (
        "it was judged open, and enters; it goes through as the turn ends"
    )


def test_natural_gate_is_always_open() -> None:
    natural = {"id": "deep", "at": [200, 204], "kind": "jump-point"}
    document = table(hull("a1", 200, 200, 12, 5, mass=300, boxes=30), gates=[natural])
    assert "natural" in plot_fault_text(document, "a1", "deactivate deep")
    assert at(fly(document, {"a1": "gate deep"}), "a1").status == FTL


# Mass.


def pair(mass: int, **more: Any) -> dict[str, Any]:
    """Return two ships of mass 60 that enter a gate of so much mass together."""
    return guest(
        hull("a2", 201, 200, 12, 5, mass=60), gate=open_gate(at=[200, 204], mass=mass, **more)
    )


BOTH_ENTER = {"a1": "gate north", "a2": "gate north"}


def test_ships_within_its_mass_go_through_together() -> None:
    battle = fly(pair(120), BOTH_ENTER)
    assert ways(events_of(battle, "gate-passed")) == [("a1", "through"), ("a2", "through")]


def test_each_ship_rolls_if_the_mass_is_exceeded() -> None:
    battle = fly(pair(119), BOTH_ENTER, gate=[1, 3])
    assert ways(events_of(battle, "gate-passed")) == [("a1", "through"), ("a2", "lost")]
    assert at(battle, "a2").status == DESTROYED


def test_ship_that_backs_out_is_stationary_in_the_gate() -> None:
    battle = fly(pair(119), BOTH_ENTER, gate=[2, 1])
    ship = at(battle, "a1")
    assert (ship.status, ship.velocity, (ship.x, ship.y)) == (FIGHTING, 0, (200, 204))


def test_ship_larger_than_the_gate_cannot_be_ordered_through() -> None:
    assert "at most mass 50" in plot_fault_text(guest(gate=open_gate(mass=50)), "a1", "gate north")


@pytest.mark.parametrize("word", ["gate south", "activate south", "deactivate south"])
def test_order_for_a_missing_gate_is_refused(word: str) -> None:
    assert "no gate 'south'" in plot_fault_text(guest(), "a1", word)


def test_towed_ships_go_along_and_count() -> None:
    towed = hull("w", 202, 200, 12, 5, ftl="none", mass=40, thrust=0)
    tug = hull("t", 200, 200, 12, 5, mass=60, ftl={"tug": 10})
    document = table(tug, towed, gates=[{**GATE, "at": [200, 212], "active": True}])
    battle = fly(document, {"t": "tow w"}, {"t": "tow w"}, {"t": "tow w; gate north"})
    assert {at(battle, name).status for name in ("t", "w")} == {FTL}
    assert events_of(battle, "gate-passed")[-1].used_mass == 100


# Bases that are gates.


def station(**more: Any) -> dict[str, Any]:
    """Return the book's jump gate that transfers 60, with 6 hull boxes."""
    return hull(
        "g1", 200, 204, 12, 0, kind="installation", mass=60, thrust=0, ftl="none",
        systems=[{"type": "jump-gate", "mass": 6}], **{"boxes": 6, **more},
    )  # fmt: skip


@pytest.mark.parametrize(("damage", "mass"), [(0, 60), (1, 50), (2, 40)])
def test_gate_mass_falls_with_its_hull(damage: int, mass: int) -> None:
    document = table(
        hull("a1", 200, 200, 12, 5), station(damage=damage), gates=[{"id": "north", "ship": "g1"}]
    )
    state = start(document).state
    assert mass_capacity(state, state.pieces_of(Gate)[0]) == mass


def test_damaged_gate_makes_ships_roll() -> None:
    document = table(
        hull("a1", 200, 200, 12, 5, mass=60),
        station(damage=1),
        gates=[{"id": "north", "ship": "g1", "active": True}],
    )
    assert ways(events_of(fly(document, {"a1": "gate north"}, gate=[1]), "gate-passed")) == [
        ("a1", "through")
    ]


def test_gate_without_field_transfers_nothing() -> None:
    document = table(
        hull("a1", 200, 200, 12, 5, mass=20, boxes=6), station(lost=["jump-gate-1"]),
        gates=[{"id": "north", "ship": "g1", "active": True}],
    )  # fmt: skip
    assert at(fly(document, {"a1": "gate north"}, gate=[6]), "a1").status == DESTROYED


def test_commander_of_the_base_controls_the_gate() -> None:
    document = guest(blue=[foe(), station()], gate={"at": [100, 100]})
    document["gates"] = [{"id": "north", "ship": "g1"}]
    battle = fly(document, {"a1": "activate north"}, gate=[5])
    assert events_of(battle, "gate-set")[0].die == 5
    state = battle.state.copy()
    state.ship_by_name("g1").destroy()
    transfer_ships(Table(state, scripted()))
    assert not state.pieces_of(Gate)


# Coming out.


def comer(**more: Any) -> dict[str, Any]:
    """Return a ship without FTL that comes out in turn 2."""
    return hull("a2", 0, 0, 3, 4, ftl="none", ftl_entry=2, gate="north", **more)


def test_ship_emerges_on_its_course_without_scatter() -> None:
    battle = fly(guest(comer(), gate={"at": [300, 300]}), {}, {})
    ship = at(battle, "a2")
    assert (ship.status, ship.course, ship.velocity) == (FIGHTING, 3, 4)
    assert (ship.x, ship.y) == pytest.approx((304, 300))
    assert [event.turn for event in events_of(battle, "gate-set")] == [1], "called a turn before"


def test_ship_emerges_from_a_one_way_gate_against_its_course() -> None:
    battle = fly(guest(comer(), gate={"at": [300, 300], "facing": 6}), {}, {})
    assert (at(battle, "a2").course, at(battle, "a2").y) == (12, 304)


def test_ship_waits_while_the_enemy_holds_the_gate() -> None:
    battle = fly(guest(comer(), gate={"at": [300, 300], "side": "blue"}), {}, {}, {}, gate=[2])
    assert [(event.turn, event.until) for event in events_of(battle, "waited-for-gate")] == [(2, 4)]
    assert at(battle, "a2").status == INBOUND
    battle = fly(guest(comer(), gate={"at": [300, 300], "side": "blue"}), {}, {}, {}, {}, gate=[2])
    assert at(battle, "a2").status == FIGHTING


def test_excess_mass_rolls_on_emergence() -> None:
    document = guest(comer(mass=60), gate={"at": [300, 300], "mass": 40, "active": True})
    for die, status in ((1, FIGHTING), (2, INBOUND), (5, DESTROYED)):
        assert at(fly(document, {}, {}, gate=[die]), "a2").status == status


def test_jump_point_disorients_with_the_option() -> None:
    deep = {"id": "north", "at": [200, 208], "kind": "jump-point"}
    for options, refused in ((("jump-points",), 1), ((), 0)):
        document = table(
            hull("a2", 0, 0, 3, 4, ftl="none", ftl_entry=1, gate="north"), options=options, gates=[deep],
            blue=[hull("b1", 200, 216, 6, 0)],
        )  # fmt: skip
        battle = play(
            document, [{"engage": {"a2": [{"weapon": "beam-1", "target": "b1"}]}}, {"plot": {"a2": "P1"}}],
            initiative=[1, 2], beam=[1],
        )  # fmt: skip
        assert len(events_of(battle, "shot-refused")) == refused
        assert at(battle, "a2").course == 2, "the next turn it functions again"


# Portals.


def test_portal_exit_keeps_the_entry_velocity() -> None:
    ends = [
        {
            "id": "north",
            "at": [200, 204],
            "mass": 90,
            "kind": "portal",
            "to": "far",
            "active": True,
            "facing": 12,
        },
        {"id": "far", "at": [50, 60], "mass": 90, "kind": "portal", "to": "north", "facing": 9},
    ]
    battle = fly(table(hull("a1", 200, 200, 12, 5), gates=ends), {"a1": "gate north"}, {})
    ship = at(battle, "a1")
    assert (ship.status, ship.course, ship.velocity) == (FIGHTING, 3, 5)
    assert (ship.x, ship.y) == pytest.approx((55, 60))


# Open information.


def test_gate_state_is_public_and_expected_ships_are_not() -> None:
    battle = fly(guest(comer(), gate={"at": [300, 300]}), {})
    for side in (0, 1):
        [gate] = observe(battle.state, side).to_json()["gates"]
        assert (gate["id"], gate["opens"], gate["mass"]) == ("north", 2, 100)
    view = observe(battle.state, 1)
    assert "a2" not in [contact.id for contact in view.contacts]
    assert "by-gate" not in str(view.to_json())


# Battle files.


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ({"at": [900, 0]}, "off-table"),
        ({"mass": -1}, "gate-mass"),
        ({"kind": "jump-point"}, "gate-mass"),
        ({"facing": 13}, "gate-facing"),
        ({"to": "south"}, "gate-to"),
        ({"side": "green"}, "unknown-side"),
        ({"ship": "a1"}, "gate-ship"),
        ({"id": "the north"}, "gate-id"),
        ({"width": 3}, "unknown-key"),
    ],
)
def test_gate_faults_are_named(gate: dict[str, Any], code: str) -> None:
    with pytest.raises(RuleViolations) as refused:
        start(guest(gate=gate))
    assert code in [fault.code for fault in refused.value.violations]


def test_emerging_ship_is_limited_by_its_drive() -> None:
    with pytest.raises(RuleViolations, match="6 MU"):
        start(guest({**comer(), "velocity": 7}))


def test_destroyed_gate_releases_nobody() -> None:
    document = guest({**comer(), "ftl_entry": 3}, station(), gate={"at": [10, 10]})
    document["gates"] = [{"id": "north", "ship": "g1"}]
    initial_battle = start(document)
    initial_battle.state.ship_by_name("g1").destroy()
    turns = read_battle({**document, "turns": [{}, {}, {}]}, {}).turns
    battle = play_orders(initial_battle, scripted(), turns)
    assert at(battle, "a2").status == LEFT_TABLE

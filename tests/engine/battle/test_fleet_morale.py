"""Fleet morale: losses that make a commander withdraw, and what the ships may do then."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.battle import Battle, fight, resolve_stop
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.continuum.fire_control import FireControl
from engine.continuum.fire_phase import weapon_fault
from engine.continuum.fleet_morale import (
    LYING_STILL,
    NO_RAMS,
    TOO_NEAR,
    check_losses,
    is_withdrawing,
    losses,
)
from engine.continuum.launching import no_launch_reason
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.core.kinds import ShipStatus
from engine.core.orders import Fire, Plot
from engine.core.state import BattleState
from engine.core.table import Table
from engine.documents import replay
from engine.events.battle import SideDisengaged
from engine.notation.orders import parse_plot
from engine.order_requests.base import TurnOrders
from engine.order_requests.engage import FireAndPursuit
from engine.order_requests.plot import plot_faults
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.control.hulls import battle, design, resolve_next, scripted, ship
from tests.engine.defences.battles import facing, start_battle

OPTION = "fleet-morale"
CHASE: dict[str, list[int]] = {}  # the dice of a beginning pursuit
pytestmark = pytest.mark.rule("pc.morale")


def of_mass(name: str, mass: int, x: float = 30, y: float = 30, **more: Any) -> dict[str, Any]:
    return ship(
        name, x, y, hull=design(mass=mass, boxes=max(12, mass // 10), cls=f"Hull {mass}"), **more
    )


def fleets(*options: str, red: dict[str, Any] | None = None, **more: Any) -> BattleState:
    """Return red with masses 60 and 40 and a base, and blue with a ship of 100."""
    base = ship(
        "base", 10, 10, hull=design(mass=400, boxes=40, kind="installation", thrust=0, cls="Base")
    )
    own = [of_mass("n1", 60), of_mass("n2", 40, 36), base]
    sides = [
        {"name": "red", "ships": own, **(red or {})},
        {"name": "blue", "ships": [of_mass("f1", 100, 30, 90)]},
    ]
    return battle([], *options, sides=sides, **more).state


def turn_ends(state: BattleState) -> list[Any]:
    events: list[Any] = []
    check_losses(Table(state, Dice(1), events.append))
    return events


def plots(state: BattleState, name: str, text: str) -> tuple[str, ...]:
    plot, faults = parse_plot(text, "", "continuum")
    assert plot is not None, faults
    return plot_faults(state, state.ship_by_name(name), plot)


class TestLosses:
    def test_half_the_mass_counts_without_bases(self) -> None:
        state = fleets(OPTION)
        state.ship_by_name("n2").destroy()
        assert losses(state, 0) == (40, 100)
        assert turn_ends(state) == []
        state.ship_by_name("n1").destroy()
        state.ship_by_name("n2").status = ShipStatus.FIGHTING
        before = state.copy()
        (event,) = turn_ends(state)
        assert (event.kind, event.side, event.lost_mass, event.total_mass) == (
            "withdrawn",
            "red",
            60,
            100,
        )
        assert is_withdrawing(state, 0)
        assert not is_withdrawing(state, 1)
        assert turn_ends(state) == []  # once is enough
        assert [ship.facts() for ship in replay(before, [event]).ships] == [
            ship.facts() for ship in state.ships
        ]

    @pytest.mark.parametrize(("share", "withdraws"), [(40, True), (41, False), (100, False)])
    def test_share_can_be_agreed(self, share: int, withdraws: bool) -> None:
        state = fleets(OPTION, red={"withdraws_at": share})
        state.ship_by_name("n2").destroy()
        assert bool(turn_ends(state)) is withdraws

    @pytest.mark.parametrize(
        ("status", "commander", "counts"),
        [("destroyed", 0, True), ("hulk", 0, True), ("struck", 1, True), ("captured", 1, True), ("fighting", 1, True),
         ("left", 0, False), ("ftl", 0, False), ("inbound", 0, False)],
    )  # fmt: skip
    def test_wrecked_adrift_and_taken_ships_count_as_lost(
        self, status: str, commander: int, counts: bool
    ) -> None:
        state = fleets(OPTION)
        state.ship_by_name("n1").status, state.ship_by_name("n1").commander = (
            ShipStatus(status),
            commander,
        )
        assert losses(state, 0) == (60 if counts else 0, 100)
        assert losses(state, 1) == (0, 100)  # a prize does not belong to its captor's fleet

    @pytest.mark.parametrize("options", [(), (OPTION,)])
    def test_morale_is_checked_at_the_end_of_a_turn_with_the_option(
        self, options: tuple[str, ...]
    ) -> None:
        start = battle([of_mass("n1", 60), of_mass("n2", 40, 36)], *options)
        start.state.ship_by_name("n1").destroy()
        plotted = resolve_next(start)
        assert not is_withdrawing(plotted.state, 0)
        assert is_withdrawing(resolve_next(plotted).state, 0) is bool(options)

    def test_side_without_ships_does_not_withdraw(self) -> None:
        state = fleets(OPTION)
        for name in ("n1", "n2", "base"):
            state.ship_by_name(name).destroy()
        assert turn_ends(state) == []

    @pytest.mark.parametrize("share", [0, 101, "half"])
    def test_share_is_a_percentage(self, share: Any) -> None:
        with pytest.raises(RuleViolations) as refused:
            fleets(OPTION, red={"withdraws_at": share})
        assert refused.value.violations[0].where == "sides[0].withdraws_at"

    def test_share_without_the_option_is_a_fault(self) -> None:
        with pytest.raises(RuleViolations) as refused:
            fleets(red={"withdraws_at": 30})
        assert [fault.code for fault in refused.value.violations] == ["not-agreed"]


def routed(
    *, velocity: int = 6, course: int = 12, options: tuple[str, ...] = (), **more: Any
) -> BattleState:
    """Return red withdrawing; n1 is 20 MU from f1, which is ahead of it on course 12."""
    own = [of_mass("n1", 40, 60, 40, velocity=velocity, course=course), of_mass("n2", 60, 20, 20)]
    state = battle(own, OPTION, *options, foes=[of_mass("f1", 100, 60, 60)], **more).state
    state.ship_by_name("n2").destroy()
    assert len(turn_ends(state)) == 1
    return state


class TestConduct:
    @pytest.mark.parametrize(
        ("text", "wrong"),
        [
            ("+2", True),
            ("-2", False),
            ("P2", False),
            ("S2-2", False),
            ("+0", False),
            ("P1+2", True),
        ],
    )
    def test_withdrawing_move_never_ends_nearer_than_flying_on(
        self, text: str, wrong: bool
    ) -> None:
        assert (plots(routed(), "n1", text) == (TOO_NEAR,)) is wrong

    def test_withdrawing_ship_may_not_slow_down_or_turn_back(self) -> None:
        state = routed(course=6)
        assert plots(state, "n1", "-2") == (TOO_NEAR,)
        assert plots(state, "n1", "P2") == (TOO_NEAR,)
        assert plots(state, "n1", "+2") == ()

    def test_vector_ships_follow_the_same_limits(self) -> None:
        state = routed(options=("vector",))
        assert plots(state, "n1", "MD2") == (TOO_NEAR,)
        assert plots(state, "n1", "TS6 MD2") == ()

    def test_other_ships_fly_freely(self) -> None:
        state = routed()
        assert plots(state, "f1", "+4") == ()
        state.ship_by_name("n1").write_fact("withdrawing", 0)
        assert plots(state, "n1", "+2") == ()

    def test_body_ahead_may_be_passed_on_any_side(self) -> None:
        rock = [{"at": [60, 44], "radius": 1}]
        assert plots(routed(asteroids=rock), "n1", "+2") == ()

    def test_unseen_enemies_do_not_limit_withdrawal(self) -> None:
        state = routed()
        state.ship_by_name("f1").status = ShipStatus.CLOAKED
        assert plots(state, "n1", "+2") == ()

    def test_withdrawing_ship_rams_nobody(self) -> None:
        assert plots(routed(), "n1", "ram f1") == (NO_RAMS,)

    def test_stationary_ship_with_thrust_does_not_fire(self) -> None:
        state = start_battle(facing("beam:3@F+FS+FP", "", 10.0, options=(OPTION,))).state
        ours, fire = state.ship_by_name("r1"), Fire("beam-1", ("b1",))

        def refusal() -> str:
            return weapon_fault(state, ours, fire, FireControl())

        assert refusal() == ""
        ours.write_fact("withdrawing", 1)
        assert refusal() == no_launch_reason(ours) == LYING_STILL
        ours.velocity = 1
        assert refusal() == no_launch_reason(ours) == ""
        ours.velocity = 0
        ours.lose_systems(("drive", "drive"))
        assert refusal() == ""

    def test_ship_leaving_the_table_does_not_return(self) -> None:
        """Otherwise a die would decide about its return; on a moving table it leaves without that
        word.
        """
        for options in (("table-return",), ("moving-table",)):
            own = [of_mass("n1", 40, 60, 2, velocity=6, course=6), of_mass("n2", 60, 20, 20)]
            start = battle(own, OPTION, *options, foes=[of_mass("f1", 100, 60, 60)])
            start.state.ship_by_name("n2").destroy()
            check_losses(Table(start.state, Dice(1)))
            dice: dict[str, Any] = {"disengage": [6, 1]} if "moving-table" in options else {}
            after = resolve_next(resolve_next(start), **dice).state
            assert after.ship_by_name("n1").status == "left"
            assert after.table == (120, 120)

    def test_withdrawing_side_does_not_pursue(self) -> None:
        """Blue has left over an edge and rolled less; red would pursue, but for its own losses."""
        for mass, outcome in ((60, "let-go"), (20, "pursued")):
            own = [of_mass("n1", 40, 60, 40, velocity=6), of_mass("n2", mass, 20, 20)]
            start = battle(
                own, OPTION, "moving-table", foes=[of_mass("f1", 100, 60, 118, velocity=6)]
            )
            start.state.ship_by_name("n2").destroy()
            check_losses(Table(start.state, Dice(1)))
            plotted = resolve_next(start, TurnOrders({"plot": {"f1": Plot(leave=True)}}))
            fire = TurnOrders({"engage": FireAndPursuit({}, (0,))})
            _, stop = resolve_stop(plotted, fire, scripted(disengage=[1, 6], **CHASE))
            (disengaged,) = [event for event in stop.events if isinstance(event, SideDisengaged)]
            assert disengaged.outcome == outcome


CAPTAINS = ("captain", "straight")


def rout(style: str) -> tuple[Battle, list[Any]]:
    """Let captains fight: red, which would never break off, has already lost half its fleet."""
    own = [of_mass("n1", 40, 60, 40), of_mass("n2", 40, 20, 20)]
    start = battle(own, OPTION, foes=[of_mass("f1", 100, 60, 60)])
    start.state.ship_by_name("n2").destroy()
    check_losses(Table(start.state, Dice(1)))
    stops: list[Any] = []
    doctrines: dict[str, dict[str, Any]] = {
        "red": {"style": style, "break_off": 100},
        "blue": {"style": "straight"},
    }
    return fight(start, doctrines, Dice(3), "7", 14, stops.append), stops


class TestCaptains:
    @pytest.mark.parametrize("style", CAPTAINS)
    def test_captain_withdraws_despite_the_doctrine(self, style: str) -> None:
        ended, stops = rout(style)
        assert ended.state.ship_by_name("n1").status == "left"
        assert ended.winner == "blue"
        assert not [
            event for stop in stops for event in stop.events if event.kind == "order-refused"
        ]

    def test_captain_gives_no_refused_order(self) -> None:
        for course in range(1, 13):
            for velocity in (0, 5, 12):
                state = routed(course=course, velocity=velocity)
                plots = Captain(Doctrine(), Dice(1)).plots(observe(state, 0))
                assert plots
                for name, plot in plots.items():
                    assert plot_faults(state, state.ship_by_name(name), plot) == ()
                assert not Captain(Doctrine(), Dice(1)).pursues(observe(state, 0))


class TestSecrecy:
    def test_withdrawal_is_known_to_its_own_side_only(self) -> None:
        state = routed()
        for name in ("n1", "n2"):
            state.ship_by_name(name).write_fact("withdrawing", 0)
        before = state.copy()
        events = turn_ends(state)
        assert [line["event"] for line in side_log(events, before, 0)] == ["withdrawn"]
        assert side_log(events, before, 1) == []
        text = json.dumps(observe(state, 1).to_json())
        assert "withdraw" not in text
        assert observe(state, 0).to_json()["own"]["n1"]["notes"] == {"withdrawing": 1}

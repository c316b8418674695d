"""What a faction knows: its own fleets, what it sees, what it remembers, and what it is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.orders.defaults import default_orders
from campaign.orders.validation import order_violations
from campaign.rules.orders import Decision, Dock, Move, Orders
from campaign.rules.perception import build_view, initial_view
from campaign.rules.scenario import Choice, Faction
from campaign.rules.view import (
    HostileContact,
    KnownSystem,
    LostShip,
    Notice,
    OpenDecision,
    Sighting,
    View,
)
from campaign.rules.world import Answer, Contact, Engagement, Fleet, Holding, Loss, Pair, Scan, Ship
from tests.campaign.rules import space
from tests.campaign.rules.space import FAR, HOME, OUTPOST, fleet, ship

SCENARIO = space.scenario()


def systems_by_id(view: View) -> dict[str, KnownSystem]:
    return {system.system: system for system in view.systems}


@pytest.mark.rule("camp.hidden")
def test_view_contains_only_own_fleets_and_ships() -> None:
    own_view = space.view(
        fleet("red/f2"),
        fleet("red/f1"),
        fleet("blue/f1", HOME),
        ship("red/s1", "red/f2"),
        ship("blue/s1", "blue/f1"),
    )
    assert [item.key for item in own_view.fleets] == ["red/f1", "red/f2"]
    assert [item.key for item in own_view.ships] == ["red/s1"]


def test_only_owners_are_known_before_deployment() -> None:
    view = initial_view(SCENARIO, "red")
    assert (view.week, view.stage, view.fleets, view.sightings) == (0, "deploy", (), ())
    assert systems_by_id(view) == {
        "far": KnownSystem("far", 0, "blue", "held", None, False),
        "home": KnownSystem("home", 0, "red", "held", None, True),
        "outpost": KnownSystem("outpost", 0, "red", "held", None, False),
    }


@pytest.mark.rule("camp.hidden")
def test_absent_faction_learns_nothing_of_a_system() -> None:
    lost_holdings = (Holding("outpost", "blue", 2, superior="blue"), Holding("far", "red", 1))
    view = space.view(fleet("red/f1", HOME), ship("red/s1", "red/f1"), *lost_holdings)
    assert systems_by_id(view)["outpost"] == KnownSystem("outpost", 0, "red", "held", None, False)
    there = space.view(fleet("red/f1", OUTPOST), ship("red/s1", "red/f1"), *lost_holdings)
    assert systems_by_id(there)["outpost"] == KnownSystem(
        "outpost", 2, "blue", "held", "blue", True
    )
    assert systems_by_id(there)["far"].holder == "blue"


@pytest.mark.rule("camp.hidden")
def test_settlement_observes_its_system_and_an_empty_outpost_does_not() -> None:
    captured = (
        Holding("home", "blue", 2, superior="blue"),
        Holding("outpost", "blue", 2, superior="blue"),
    )
    systems = systems_by_id(space.view(*captured))
    assert systems["home"] == KnownSystem("home", 2, "blue", "held", "blue", True)
    assert systems["outpost"].holder == "red"


@pytest.mark.rule("camp.hidden")
def test_fleet_in_ftl_space_sees_nothing() -> None:
    holding = Holding("outpost", "blue", 2)
    view = space.view(
        fleet("red/f1", OUTPOST, in_ftl=True, must_leave=True), ship("red/s1", "red/f1"), holding
    )
    assert systems_by_id(view)["outpost"] == KnownSystem("outpost", 0, "red", "held", None, False)


@pytest.mark.rule("camp.hidden")
def test_sightings_are_remembered_with_their_week() -> None:
    first = space.view(
        fleet("red/f1", FAR), ship("red/s1", "red/f1"), Holding("far", None, 2, "contested")
    )
    world_without = space.world(
        fleet("red/f1", "0505"), ship("red/s1", "red/f1"), Holding("far", "blue", 3), week=3
    )
    later = build_view(SCENARIO, world_without, "red", first, ())
    assert systems_by_id(later)["far"] == KnownSystem("far", 2, None, "contested", None, False)


@pytest.mark.rule("camp.scan")
def test_scans_are_kept_with_their_week() -> None:
    scans = (
        Scan(HOME, "red", "blue", (("escort", 6), ("capital", 2))),
        Scan(HOME, "blue", "red", (("cruiser", 1),)),
        Scan(FAR, "blue", "red", (("cruiser", 1),)),
    )
    first = space.view(scans=scans, stage="decisions")
    assert first.sightings == (Sighting(2, HOME, "blue", (("capital", 2), ("escort", 6))),)
    again = build_view(SCENARIO, space.world(scans=scans[1:], week=3), "red", first, ())
    assert again.sightings == first.sightings
    new = build_view(
        SCENARIO, space.world(scans=(replace(scans[0], counts=()),), week=3), "red", again, ()
    )
    assert new.sightings == (*first.sightings, Sighting(3, HOME, "blue", ()))


@pytest.mark.rule("camp.hidden")
@pytest.mark.parametrize("shared", [False, True])
def test_allies_share_sight_only_by_scenario_rule(shared: bool) -> None:
    powers = (
        Faction("blue", "Blue", "pact"),
        Faction("green", "Green"),
        Faction("red", "Red", "pact"),
    )
    scenario = space.scenario(factions=powers, shared_sight=shared)
    scans = (Scan(FAR, "blue", "green", (("escort", 1),)), Scan(FAR, "green", "blue", ()))
    world = space.world(
        fleet("blue/f1", FAR), ship("blue/s1", "blue/f1"), Holding("far", "green", 2), scans=scans
    )
    view = build_view(scenario, world, "red", None, ())
    assert view.fleets == ()
    assert view.sightings == ((Sighting(2, FAR, "green", (("escort", 1),)),) if shared else ())
    assert systems_by_id(view)["far"] == (
        KnownSystem("far", 2, "green", "held", None, False)
        if shared
        else KnownSystem("far", 0, "blue", "held", None, False)
    )


PAIRS = (
    Pair(HOME, "blue", "red", "fight", None),
    Pair(FAR, "blue", "red", None, "withdraw"),
    Pair(OUTPOST, "gold", "green"),
)


@pytest.mark.rule("camp.decision")
def test_faction_is_asked_about_encounters_without_the_others_choices() -> None:
    mine = fleet("red/f1", HOME, standing="fight")
    view = space.view(mine, ship("red/s1", "red/f1"), pairs=PAIRS, stage="decisions")
    assert view.open_decisions == (
        OpenDecision(HOME, "blue", "fight", None),
        OpenDecision(FAR, "blue", "stand-off", "withdraw"),
    )
    assert space.view(mine, pairs=PAIRS, stage="battles").open_decisions == ()
    blue_view = build_view(
        SCENARIO, space.world(mine, pairs=PAIRS, stage="decisions"), "blue", None, ()
    )
    assert blue_view.open_decisions == (
        OpenDecision(HOME, "red", "stand-off", "fight"),
        OpenDecision(FAR, "red", "stand-off", None),
    )


@pytest.mark.rule("camp.decision")
def test_standing_order_is_that_of_the_first_fleet_with_one() -> None:
    fleets: list[Fleet] = [
        fleet("red/f1", OUTPOST, standing="fight"),
        fleet("red/f2", HOME),
        fleet("red/f3", HOME, standing="withdraw"),
        fleet("red/f4", HOME, standing="fight"),
        fleet("red/f0", HOME, standing="fight", in_ftl=True),
    ]
    view = space.view(*fleets, pairs=PAIRS[:1], stage="decisions")
    assert view.open_decisions == (OpenDecision(HOME, "blue", "withdraw", None),)
    assert default_orders(SCENARIO, view) == Orders(decide=(Decision(HOME, "blue", "withdraw"),))


@pytest.mark.rule("camp.decision")
def test_condition_uses_the_factions_own_scan_of_this_week() -> None:
    answers = (Answer("withdraw", "capital", least=2),)
    fleets = [fleet("red/f1", HOME), fleet("red/f2", HOME, standing="fight", answers=answers)]
    cases: tuple[tuple[tuple[str, int], Choice], ...] = (
        (("capital", 2), "withdraw"), (("capital", 1), "fight"), (("cruiser", 9), "fight"),
    )  # fmt: skip
    for counts, choice in cases:
        scans = (Scan(HOME, "red", "blue", (counts,)), Scan(HOME, "blue", "red", (("capital", 5),)))
        view = space.view(*fleets, pairs=PAIRS[:1], stage="decisions", scans=scans)
        assert view.open_decisions == (OpenDecision(HOME, "blue", choice, None),)
        assert default_orders(SCENARIO, view).decide == (Decision(HOME, "blue", choice),)


@pytest.mark.rule("camp.stand-off")
def test_contacts_battles_and_losses_reach_those_concerned() -> None:
    own_loss = Loss(ship("red/s9", "red/f1"), 1, HOME, "destroyed")
    foreign_loss = Loss(ship("blue/s9", "blue/f1"), 1, HOME, "destroyed")
    world = space.world(
        contacts=(
            Contact(HOME, "blue", "red", "stand-off", "red"),
            Contact(FAR, "blue", "green", "contested", ""),
        ),
        engagements=(
            Engagement("b", HOME, (("red",), ("blue",)), (("blue", "red"),)),
            Engagement("a", FAR, (("green",), ("blue",)), (("blue", "green"),)),
        ),
        losses=(foreign_loss, own_loss),
        stage="battles",
    )
    view = build_view(SCENARIO, world, "red", None, ())
    assert view.in_contact == (HostileContact(HOME, "blue", "stand-off"),)
    assert view.fighting == (HOME,)
    assert view.losses == (LostShip("HMS s9", "Destroyer", 1, HOME, "destroyed"),)
    assert build_view(SCENARIO, replace(world, stage="orders"), "red", None, ()).fighting == ()


def test_notices_are_in_one_order() -> None:
    notices = [
        Notice(2, "orders", code, hex_, (("n", 1),))
        for code in ("b", "a")
        for hex_ in (OUTPOST, HOME)
    ]
    red_view = build_view(SCENARIO, space.world(), "red", None, notices)
    assert red_view == build_view(SCENARIO, space.world(), "red", None, notices[::-1])
    assert [(notice.hex, notice.code) for notice in red_view.notices] == [
        (HOME, "a"), (HOME, "b"), (OUTPOST, "a"), (OUTPOST, "b"),
    ]  # fmt: skip


def test_end_of_the_war_is_announced_to_all() -> None:
    view = space.view(stage="over", result="draw", winner=None)
    assert (view.stage, view.result) == ("over", "draw")
    assert default_orders(SCENARIO, view) == Orders()


# --- default orders


def test_default_is_hold_stay_docked_and_leave_if_required() -> None:
    view = space.view(
        fleet("red/f1", HOME),
        fleet("red/f2", "0505", back="0506", must_leave=True, in_ftl=True),
        fleet("red/f3", OUTPOST),
        fleet("red/f4", "0606"),
        ship(
            "red/s1",
            "red/f1",
            docked=True,
            lost=("drive", "drive", "ftl", "screen-1"),
            scuttle=True,
        ),
        ship("red/s2", "red/f2", "Weasel", weasel_on=True),
        ship("red/s3", "red/f3", "Cruiser", docked=True, lost=("battery-1",)),
        ship("red/s4", "red/f4"),
    )
    orders = default_orders(SCENARIO, view)
    assert orders == Orders(
        dock=(
            Dock("red/s1", ("drive", "drive", "ftl"), replenish=True, scuttle=True),
            Dock("red/s3", (), replenish=True),
        ),
        weasels=("red/s2",),
        moves=(Move("red/f2", path=("0506",)),),
    )
    assert order_violations(SCENARIO, view, orders) == ()


@given(
    st.sampled_from([HOME, OUTPOST, FAR, "0505"]),
    st.lists(st.sampled_from(["Destroyer", "Cruiser", "Guard", "Weasel"]), min_size=1, max_size=3),
    st.booleans(), st.booleans(), st.booleans(), st.sampled_from(["", "0203"]),
    st.sets(st.sampled_from(["ftl", "drive", "weasel-1"])),
    st.sampled_from(["red", "blue", None]), st.none() | st.sampled_from(["fight", "withdraw"]),
)  # fmt: skip
def test_default_orders_are_always_valid(
    hex_: str,
    crew: list[str],
    leaving: bool,
    docked: bool,
    weasel: bool,
    back: str,
    lost_systems: set[str],
    holder: str | None,
    standing: Choice | None,
) -> None:
    back = back if hex_ == HOME else ""
    items: list[Fleet | Ship | Holding] = [
        fleet("red/f1", hex_, back=back, must_leave=leaving, in_ftl=leaving, standing=standing),
        *(
            ship(f"red/s{n}", "red/f1", cls, lost=tuple(sorted(lost_systems)), docked=docked and not leaving,
                 weasel_on=weasel and cls == "Weasel" and "weasel-1" not in lost_systems)
            for n, cls in enumerate(crew)
        ),
        Holding("home", holder, 1),
    ]  # fmt: skip
    for stage in ("orders", "decisions", "battles"):
        view = space.view(*items, stage=stage, pairs=(Pair(hex_, "blue", "red"),))
        orders = default_orders(SCENARIO, view)
        assert order_violations(SCENARIO, view, orders) == ()

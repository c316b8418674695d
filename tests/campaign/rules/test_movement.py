"""A week's movement: paths, routes, limits, fleets that must leave, dropped orders."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.hexes import labels
from campaign.rules.movement import move_fleets, release_decoys
from campaign.rules.orders import FleetSetting, Move
from campaign.rules.scenario import Entry, Link, Scenario
from campaign.rules.starmap import star_map
from campaign.rules.world import Answer, Doctrine, Fleet, Ship, World
from tests.campaign.rules import space
from tests.campaign.rules.space import HOME, fleet, places_and_codes, ship

PLAIN = space.scenario()
ODD = space.scenario(
    links=(Link("portal", "0202", "1111", 0), Link("gate", "0505", "1010", 2)),
    closed=("0606", "0707"),
)

hex_labels = st.sampled_from(labels(12, 12))
anything = st.one_of(hex_labels, st.sampled_from(["", "9999", "0606", "zz"]))
moves = st.builds(Move, st.just(""), st.lists(anything, max_size=8).map(tuple), anything)


@st.composite
def campaigns(draw: st.DrawFn) -> tuple[Scenario, World, dict[str, Move]]:
    """Return fleets all over a map, each with one to three random ships and a random order or none."""
    scenario = draw(st.sampled_from([PLAIN, ODD]))
    fleets: list[Fleet] = []
    ships: list[Ship] = []
    orders: dict[str, Move] = {}
    for number in range(draw(st.integers(1, 5))):
        key = f"{draw(st.sampled_from(['red', 'blue']))}/f{number}"
        in_ftl = draw(st.booleans())
        start = draw(hex_labels.filter(star_map(scenario).has))
        back = draw(
            st.sampled_from(
                ["", *(label for label, _ in star_map(scenario).reach(start, 1) if label != start)]
            )
        )
        fleets.append(
            fleet(
                key,
                start,
                back=back,
                in_ftl=in_ftl,
                must_leave=in_ftl,
                decoys_out=draw(st.integers(0, 2)),
            )
        )
        for _ in range(draw(st.integers(1, 3))):
            cls = draw(st.sampled_from(["Destroyer", "Destroyer", "Cruiser", "Guard"]))
            lost_systems = draw(st.sampled_from([(), (), ("drive",), ("ftl",)]))
            ships.append(
                ship(f"{key[: key.index('/')]}/s{len(ships)}", key, cls, lost=lost_systems)
            )
        if draw(st.booleans()):
            reach = star_map(scenario).reach(start, 7)
            to = draw(st.sampled_from([label for label, _ in reach]))
            orders[key] = replace(draw(st.one_of(moves, st.just(Move("", to=to)))), fleet=key)
    return scenario, space.world(*fleets, *ships), orders


def _cannot_jump(scenario: Scenario, ships: list[Ship]) -> bool:
    return any(item.cls == "Guard" or "ftl" in item.lost or item.docked for item in ships)


@pytest.mark.rule("camp.ftl-move")
@given(campaigns())
def test_no_fleet_exceeds_its_range_or_moves_without_drives(
    campaign: tuple[Scenario, World, dict[str, Move]],
) -> None:
    scenario, world, orders = campaign
    result = move_fleets(scenario, world, orders)
    before = {item.key: item for item in world.fleets}
    assert [item.key for item in result.fleets] == sorted(before)
    for after in result.fleets:
        old, fleet_ships = (
            before[after.key],
            [item for item in world.ships if item.fleet == after.key],
        )
        steps = star_map(scenario).distance(old.hex, after.hex)
        assert steps is not None
        assert steps <= scenario.hexes_per_week
        assert (after.in_ftl, after.must_leave) == (False, False)
        if _cannot_jump(scenario, fleet_ships):
            assert after.hex == old.hex
        elif old.must_leave:
            assert after.hex != old.hex
        if after.hex != old.hex:
            assert after.decoys_out == 0
            assert star_map(scenario).step(after.back, after.hex) is not None
        else:
            assert (after.back, after.decoys_out) == (old.back, old.decoys_out)


@pytest.mark.rule("camp.ftl-move")
@given(campaigns(), st.randoms(use_true_random=False))
def test_order_of_fleets_and_orders_never_matters(
    campaign: tuple[Scenario, World, dict[str, Move]], dice: object
) -> None:
    scenario, world, orders = campaign
    shuffled = replace(world, fleets=world.fleets[::-1], ships=world.ships[::-1])
    assert move_fleets(scenario, shuffled, dict(reversed(orders.items()))) == move_fleets(
        scenario, world, orders
    )


def _move_one(order: Move | None, **changes: object) -> tuple[Fleet, list[tuple[str, str]]]:
    scenario = changes.pop("scenario", PLAIN)
    assert isinstance(scenario, Scenario)
    ship_changes = changes.pop("ship_changes", {})
    assert isinstance(ship_changes, dict)
    start = str(changes.pop("start", HOME))
    world = space.world(fleet("red/f1", start, **changes), ship("red/s1", "red/f1", **ship_changes))
    result = move_fleets(scenario, world, {} if order is None else {"red/f1": order})
    return result.fleets[0], places_and_codes(item.fault for item in result.dropped)


def test_move_changes_nothing_else_of_a_fleet() -> None:
    answers = (Answer("withdraw", "capital", 4),)
    before = Fleet(
        "red/f1", "red", "Kestrels", HOME, "0402", True, True, 3, 2, "withdraw", Doctrine(12), "first", answers, 4
    )  # fmt: skip
    assert all(getattr(before, field.name) != field.default for field in fields(Fleet)), (
        "every field is set"
    )
    (after,) = move_fleets(
        PLAIN, space.world(before), {"red/f1": Move("red/f1", path=("0403",))}
    ).fleets
    expected = replace(before, hex="0403", back=HOME, in_ftl=False, must_leave=False, decoys_out=0)
    assert after == expected


@pytest.mark.rule("camp.ftl-move")
def test_path_is_followed_and_the_last_hex_remembered() -> None:
    after, dropped = _move_one(Move("red/f1", path=("0403", "0504", "0604")), decoys_out=1)
    assert (after.hex, after.back, after.decoys_out, dropped) == ("0604", "0504", 0, [])
    after, _ = _move_one(Move("red/f1", path=("0403",)))
    assert (after.hex, after.back) == ("0403", HOME)


@pytest.mark.rule("camp.ftl-move")
def test_destination_route_uses_the_smallest_labels() -> None:
    after, dropped = _move_one(Move("red/f1", to="0604"))
    assert (after.hex, after.back, dropped) == ("0604", "0504", [])


@pytest.mark.parametrize(
    ("order", "where", "code"),
    [
        (Move("red/f1", path=("0403", "0505")), "moves.red/f1.path", "no-way"),
        (
            Move("red/f1", path=("0304", "0305", "0306", "0307", "0308", "0309", "0310")),
            "moves.red/f1.path",
            "too-far",
        ),
        (Move("red/f1", to="0310"), "moves.red/f1.to", "too-far"),
        (Move("red/f1", to="1301"), "moves.red/f1.to", "no-such-hex"),
        (Move("red/f1", path=("0304", "what")), "moves.red/f1.path[1]", "no-such-hex"),
        (Move("red/f1", path=("0304", "0303")), "moves.red/f1.path", "goes-nowhere"),
        (Move("red/f1", to="0303"), "moves.red/f1.to", "goes-nowhere"),
        (Move("red/f1"), "moves.red/f1", "path-or-to"),
        (Move("red/f1", path=("0304",), to="0304"), "moves.red/f1", "path-or-to"),
    ],
)
@pytest.mark.rule("camp.ftl-move")
def test_invalid_move_is_dropped_and_the_fleet_stays(order: Move, where: str, code: str) -> None:
    after, dropped = _move_one(order)
    assert after.hex == HOME
    assert dropped == [(where, code)]


@pytest.mark.rule("camp.non-ftl")
@pytest.mark.parametrize("crew", [{"cls": "Guard"}, {"lost": ("ftl",)}, {"docked": True}])
def test_docked_and_ftl_less_ships_hold_their_fleet(
    crew: dict[str, object],
) -> None:
    after, dropped = _move_one(Move("red/f1", to="0304"), ship_changes=crew)
    assert after.hex == HOME
    assert dropped == [("moves.red/f1.fleet", "cannot-jump")]


def test_move_of_an_unknown_fleet_is_dropped() -> None:
    result = move_fleets(PLAIN, space.world(), {"red/f7": Move("red/f7", to="0304")})
    assert places_and_codes(item.fault for item in result.dropped) == [
        ("moves.red/f7", "unknown-fleet")
    ]
    assert result.dropped[0].faction == "red"


@pytest.mark.rule("camp.must-leave")
def test_fleet_that_must_leave_without_order_goes_one_hex_back() -> None:
    after, _ = _move_one(None, in_ftl=True, must_leave=True, back="0203")
    assert (after.hex, after.back, after.in_ftl, after.must_leave) == ("0203", HOME, False, False)
    after, _ = _move_one(None, in_ftl=True, must_leave=True)
    assert after.hex == "0202"  # without an origin: the smallest label next to it
    after, dropped = _move_one(Move("red/f1", to="1212"), in_ftl=True, must_leave=True, back="0203")
    assert after.hex == "0203"
    assert dropped == [("moves.red/f1.to", "too-far")]


@pytest.mark.rule("camp.ftl-move")
def test_later_force_waits_for_its_entry() -> None:
    later = space.scenario(entries=(Entry("red", "0101", 3),))
    after, dropped = _move_one(Move("red/f1", to="0102"), scenario=later, start="0101")
    assert after.hex == "0101"
    assert dropped == [("moves.red/f1.fleet", "not-yet")]
    after, dropped = _move_one(
        Move("red/f1", to="0102"),
        scenario=space.scenario(entries=(Entry("red", "0101", 2),)),
        start="0101",
    )
    assert (after.hex, dropped) == ("0102", [])


@pytest.mark.rule("camp.decoys")
def test_decoys_are_released_on_arrival_in_a_system() -> None:
    ships = [ship("red/s1", "red/f1"), ship("red/s2", "red/f1")]
    on = [FleetSetting("red/f1", decoys_on=2)]
    (after,) = release_decoys(PLAIN, [fleet("red/f1", HOME, decoys=3)], on, ships)
    assert (after.decoys, after.decoys_out) == (1, 2)
    (after,) = release_decoys(
        PLAIN, [fleet("red/f1", "0505", decoys=3)], on, ships
    )  # between the stars
    assert (after.decoys, after.decoys_out) == (3, 0)
    (after,) = release_decoys(PLAIN, [fleet("red/f1", HOME, decoys=3, in_ftl=True)], on, ships)
    assert (after.decoys, after.decoys_out) == (3, 0)
    (after,) = release_decoys(
        PLAIN, [fleet("red/f1", HOME, decoys=3)], on, ships[:1]
    )  # at most one for each real ship
    assert (after.decoys, after.decoys_out) == (2, 1)
    (after,) = release_decoys(PLAIN, [fleet("red/f1", HOME, decoys=3, decoys_out=1)], on, ships)
    assert (after.decoys, after.decoys_out) == (2, 2)

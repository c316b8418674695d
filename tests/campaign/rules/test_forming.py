"""Split, merge, transfer, rename, dock: fleets are formed anew, and nothing is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.orders.preparation import prepare_week, valid_orders
from campaign.orders.validation import order_violations
from campaign.rules.fleet_names import MAX_NAME_LENGTH, unique_name
from campaign.rules.movement import apply_detach
from campaign.rules.orders import Detachment, Dock, FleetSetting, Move, Orders
from campaign.rules.world import Doctrine, Fleet, Ship
from tests.campaign.rules import space
from tests.campaign.rules.space import FAR, HOME, fleet, forces_after, ship

FLEETS = {
    item.key: item
    for item in (
        fleet("red/f1", HOME, decoys=3, decoys_out=1, standing="fight"),
        fleet("red/f2", HOME, decoys=1, standing="withdraw"),
        fleet("red/f3", HOME),
    )
}
SHIPS = {
    item.key: item
    for item in (
        *(ship(f"red/s{n}", "red/f1") for n in (1, 2, 3)),
        *(ship(f"red/s{n}", "red/f2", "Cruiser") for n in (4, 5)),
        ship("red/s6", "red/f3", "Guard"),
    )
}


@st.composite
def detachments(draw: st.DrawFn) -> tuple[Detachment, ...]:
    """Return legal detachments: every ship goes to one fleet at most, every fleet is formed once."""
    targets = st.sampled_from(["", "red/f1", "red/f2", "red/f3", "red/f4", "red/f5"])
    into: dict[str, list[str]] = {}
    for key in draw(st.permutations(sorted(SHIPS))):
        target = draw(targets)
        if target and target != SHIPS[key].fleet:
            into.setdefault(target, []).append(key)
    return tuple(
        Detachment(tuple(keys), target, decoys=draw(st.integers(0, 4)))
        for target, keys in into.items()
    )


@pytest.mark.rule("camp.fleets")
@given(detachments(), st.randoms(use_true_random=False))
def test_detaching_conserves_ships_and_drones(detach: tuple[Detachment, ...], dice: object) -> None:
    fleets, ships = apply_detach(FLEETS, SHIPS, detach)
    assert {key: replace(item, fleet="") for key, item in ships.items()} == {
        key: replace(item, fleet="") for key, item in SHIPS.items()
    }
    goals = {key: item.into for item in detach for key in item.ships}
    assert {key: item.fleet for key, item in ships.items()} == {
        key: goals.get(key, item.fleet) for key, item in SHIPS.items()
    }
    assert set(fleets) == {item.fleet for item in ships.values()}
    assert sum(item.decoys for item in fleets.values()) == sum(
        item.decoys for item in FLEETS.values()
    )
    assert sum(item.decoys_out for item in fleets.values()) == 1
    assert min(item.decoys for item in fleets.values()) >= 0
    turned = tuple(replace(item, ships=item.ships[::-1]) for item in reversed(detach))
    assert apply_detach(FLEETS, SHIPS, turned) == (fleets, ships)


@pytest.mark.rule("camp.fleets")
def test_split_fleet_resembles_its_source() -> None:
    fleets, ships = apply_detach(
        FLEETS, SHIPS, [Detachment(("red/s1",), "red/f9", "Vanguard", decoys=2)]
    )
    assert fleets["red/f9"] == Fleet("red/f9", "red", "Vanguard", HOME, decoys=2, standing="fight")
    assert (fleets["red/f1"].decoys, fleets["red/f1"].decoys_out) == (1, 1)
    assert ships["red/s1"].fleet == "red/f9"


@pytest.mark.rule("camp.fleets")
def test_new_fleets_with_used_names_are_numbered() -> None:
    taken_name = FLEETS["red/f3"].name
    detach = (
        Detachment(("red/s1",), "red/f7", taken_name.upper()),
        Detachment(("red/s2",), "red/f8", taken_name),
        Detachment(("red/s4",), "red/f9", "Sally"),
    )
    fleets, _ = apply_detach(FLEETS, SHIPS, detach)
    fleet_names = [fleets[f"red/f{n}"].name for n in (3, 7, 8, 9)]
    assert fleet_names == [taken_name, f"{taken_name.upper()} 2", f"{taken_name} 3", "Sally"]


def test_fleet_renamed_to_a_used_name_is_numbered() -> None:
    first, second, third = (item.name for item in FLEETS.values())
    twice = (FleetSetting("red/f1", name="Torch"), FleetSetting("red/f2", name="torch"))
    renamed = forces_after(Orders(settings=twice), FLEETS).fleets
    assert [fleet_row.name for fleet_row in renamed.values()] == ["Torch", "torch 2", third]
    assert forces_after(Orders(settings=twice), renamed).fleets == renamed
    swapped = (FleetSetting("red/f1", name=second), FleetSetting("red/f2", name=first))
    after = forces_after(Orders(settings=swapped), FLEETS).fleets
    assert [fleet_row.name for fleet_row in after.values()] == [second, first, third]


@pytest.mark.parametrize("wanted_name", ["Lance", "LANCE", "L" * 40])
def test_numbered_name_respects_the_length_limit(wanted_name: str) -> None:
    name = unique_name(wanted_name, {"lance", ("L" * 40).casefold()})
    assert name.casefold() not in {"lance", "l" * 40}
    assert len(name) <= MAX_NAME_LENGTH


def test_merged_fleet_is_gone_and_its_drones_move() -> None:
    fleets, _ = apply_detach(FLEETS, SHIPS, [Detachment(("red/s1", "red/s2", "red/s3"), "red/f2")])
    assert sorted(fleets) == ["red/f2", "red/f3"]
    assert (fleets["red/f2"].decoys, fleets["red/f2"].decoys_out) == (4, 1)


@pytest.mark.rule("camp.fleets")
def test_settings_change_only_what_they_name() -> None:
    doctrine = Doctrine(range=18, break_off=40)
    setting = FleetSetting("red/f1", name="Reserve", doctrine=doctrine)
    changed = forces_after(Orders(settings=(setting, FleetSetting("red/f9"))), FLEETS).fleets
    assert changed == {
        **FLEETS,
        "red/f1": replace(FLEETS["red/f1"], name="Reserve", doctrine=doctrine),
    }


@pytest.mark.rule("camp.repairs")
def test_named_ships_dock_and_all_others_undock() -> None:
    ships: dict[str, Ship] = {
        "red/s1": ship("red/s1", "red/f1", lost=("drive",)),
        "red/s2": ship(
            "red/s2", "red/f1", docked=True, scuttle=True, repair=("drive",), replenish=True
        ),
        "red/s3": ship("red/s3", "red/f1", weasel_on=True),
        "red/s4": ship("red/s4", "red/f1"),
    }
    dock = Dock("red/s1", ("drive",), replenish=True, scuttle=True)
    after = forces_after(Orders(dock=(dock,), weasels=("red/s4",)), FLEETS, ships).ships
    assert after["red/s1"] == replace(
        ships["red/s1"], docked=True, repair=("drive",), replenish=True, scuttle=True
    )
    assert after["red/s2"] == ship("red/s2", "red/f1")
    assert (after["red/s3"].weasel_on, after["red/s4"].weasel_on) == (False, True)


WORLD = space.world(
    *FLEETS.values(), *SHIPS.values(), fleet("blue/f1", FAR), ship("blue/s1", "blue/f1")
)


@pytest.mark.rule("camp.fleets")
def test_new_fleet_may_move_and_docked_ships_stay() -> None:
    orders = Orders(
        detach=(Detachment(("red/s1", "red/s2"), "red/f4", "Raid"),),
        dock=(Dock("red/s3", replenish=True),),
        settings=(FleetSetting("red/f4", standing="withdraw"),),
        moves=(Move("red/f4", to="0505"),),
    )
    ready = prepare_week(space.scenario(), WORLD, {"red": orders, "blue": Orders()})
    assert ready.dropped == ()
    assert ready.orders["red"] == orders
    fleets = {item.key: item for item in ready.world.fleets}
    assert (fleets["red/f4"].standing, fleets["red/f4"].name) == ("withdraw", "Raid")
    assert [item.key for item in ready.world.ships if item.docked] == ["red/s3"]


def test_only_faulty_orders_are_dropped() -> None:
    orders = Orders(
        settings=(FleetSetting("red/f1", name="Reserve"), FleetSetting("blue/f1", name="Ours")),
        detach=(Detachment(("red/s1",), "red/f7"), Detachment(("red/s9",), "red/f8")),
        moves=(
            Move("red/f2", to="0505"),
            Move("red/f3", to="0505"),
            Move("red/f7", to="0304"),
            Move("red/f8", to="0304"),
        ),
    )
    ready = prepare_week(space.scenario(), WORLD, {"blue": Orders(), "red": orders})
    assert ready.orders["red"].settings == orders.settings[:1]
    assert ready.orders["red"].detach == orders.detach[:1]
    assert ready.orders["red"].moves == (
        orders.moves[0],
        orders.moves[2],
    )  # a Guard cannot jump; f8 was never formed
    assert sorted({item.fault.code for item in ready.dropped}) == [
        "cannot-jump",
        "unknown-fleet",
        "unknown-ship",
    ]
    assert {item.faction for item in ready.dropped} == {"red"}


def test_missing_mandatory_move_drops_no_other_move() -> None:
    ftl_view = space.view(
        fleet("red/f1", HOME, must_leave=True, in_ftl=True),
        fleet("red/f2", HOME),
        ship("red/s1", "red/f1"),
        ship("red/s2", "red/f2"),
    )
    orders = Orders(moves=(Move("red/f2", to="0505"),))
    assert [fault.code for fault in order_violations(space.scenario(), ftl_view, orders)] == [
        "must-leave"
    ]
    assert valid_orders(space.scenario(), ftl_view, orders) == (orders, ())


@given(st.permutations(["red", "blue"]), st.permutations(range(4)))
def test_order_of_factions_and_objects_never_matters(
    factions: list[str], places: list[int]
) -> None:
    orders = {
        "red": Orders(
            detach=(Detachment(("red/s1",), "red/f4"),), moves=(Move("red/f4", to="0505"),)
        ),
        "blue": Orders(moves=(Move("blue/f1", to="0909"),)),
    }
    fleets = [WORLD.fleets[place] for place in places]
    mixed = replace(WORLD, fleets=tuple(fleets), ships=WORLD.ships[::-1])
    turned = {faction: orders[faction] for faction in factions}
    assert prepare_week(space.scenario(), mixed, turned) == prepare_week(
        space.scenario(), WORLD, orders
    )

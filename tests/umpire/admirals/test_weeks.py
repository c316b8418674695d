"""The orders of a week: docks for damaged ships, garrisons for conquests, forces where they matter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.rules.movement import apply_detach
from campaign.rules.orders import Orders
from campaign.rules.view import View
from campaign.rules.world import Scan
from tests.umpire.admirals.sector import (
    HUDSON,
    KAKISA,
    LAFAYETTE,
    MIDWAY_HEX,
    NEW_TOLEDO,
    VN_459,
    Sector,
    lafayette,
    make_orders,
    measure_share,
)
from umpire.admirals.character import CHARACTERS, find_character
from umpire.admirals.situation import Situation


def ship_destinations(view: View, orders: Orders) -> dict[str, str]:
    """Return where every ship goes in the week: the end of its fleet's move, or its present hex."""
    fleets, ships = apply_detach(
        {fleet.key: fleet for fleet in view.fleets},
        {ship.key: ship for ship in view.ships},
        orders.detach,
    )
    ends = {move.fleet: move.path[-1] for move in orders.moves}
    return {ship.key: ends.get(ship.fleet, fleets[ship.fleet].hex) for ship in ships.values()}


@pytest.mark.rule("camp.repairs")
def test_damaged_ships_go_to_a_repairing_base() -> None:
    sector = Sector()
    sector.fleet(
        "nac/f1", LAFAYETTE, {"Battleship": 1}, hurt={"damage": 15, "lost": ("battery-1",)}
    )
    sector.fleet("nac/f2", LAFAYETTE, {"Battleship": 2})
    view = sector.view("nac")
    bound = [ship_destinations(view, make_orders(view, seed=seed)) for seed in range(10)]
    assert {there["nac/s1"] for there in bound} == {NEW_TOLEDO}


@pytest.mark.rule("camp.facility-limits")
def test_small_base_is_useless_to_a_large_ship() -> None:
    """VN-459 is as near as New Toledo, but repairs only ships of up to MASS 20."""
    sector = Sector()
    sector.fleet(
        "nac/f1",
        MIDWAY_HEX,
        {"Battleship": 1, "Destroyer": 1},
        hurt={"damage": 5, "lost": ("firecon-1",)},
    )
    view = replace(sector.view("nac"))
    view = replace(
        view, ships=tuple(replace(s, damage=20) if s.cls == "Battleship" else s for s in view.ships)
    )
    there = ship_destinations(view, make_orders(view))
    assert there["nac/s2"] == VN_459
    route = Situation(lafayette(), view).chart.route(MIDWAY_HEX, NEW_TOLEDO)
    assert route is not None
    assert there["nac/s1"] in route


@pytest.mark.rule("camp.repairs")
@pytest.mark.rule("camp.system-repairs")
@pytest.mark.rule("camp.replenish")
def test_docked_ships_name_three_systems() -> None:
    sector = Sector()
    lost_systems = ("battery-1", "battery-2", "drive", "firecon-1", "screen-1")
    sector.fleet("nac/f1", NEW_TOLEDO, {"Battleship": 1}, hurt={"damage": 15, "lost": lost_systems})
    sector.fleet("nac/f2", NEW_TOLEDO, {"Destroyer": 1})
    orders = make_orders(sector.view("nac"))
    assert [(dock.ship, dock.repair) for dock in orders.dock] == [
        ("nac/s1", ("drive", "firecon-1", "screen-1"))
    ]
    assert "nac/f1" not in {move.fleet for move in orders.moves}


def test_nobody_docks_near_an_enemy() -> None:
    sector = Sector()
    sector.fleet("nac/f1", NEW_TOLEDO, {"Battleship": 1}, hurt={"damage": 15})
    sector.hold("new-toledo", "nac", "nac", "stand-off")
    scan = (Scan(NEW_TOLEDO, "nac", "esu", (("escort", 1),)),)
    earlier_view = sector.view("nac", "decisions", 2, scans=scan, contact=NEW_TOLEDO)
    assert make_orders(sector.view("nac", contact=NEW_TOLEDO, previous=earlier_view)).dock == ()


@pytest.mark.rule("camp.superiority")
@pytest.mark.parametrize("name", [one.name for one in CHARACTERS])
def test_captured_system_keeps_a_sufficient_garrison(name: str) -> None:
    sector = Sector()
    sector.fleet(
        "esu/f1", KAKISA, {"Battleship": 6, "Heavy Cruiser": 6, "Light Cruiser": 8, "Destroyer": 12}
    )
    sector.hold("kakisa", "esu", "esu")
    view = sector.view("esu", week=2)
    picture = Situation(lafayette(), view)
    for seed in range(10):
        there = ship_destinations(view, make_orders(view, name, seed))
        staying = [ship for ship in view.ships if there[ship.key] == KAKISA]
        assert (
            picture.estimator.total_strength(staying)
            >= picture.mobile * find_character(name).garrison / 100
        )
        assert 0 < len(staying) < len(view.ships)


@pytest.mark.rule("camp.superiority")
def test_garrison_is_kept_week_by_week() -> None:
    sector = Sector()
    sector.fleet("esu/f1", KAKISA, {"Destroyer": 5})
    sector.fleet("esu/f2", MIDWAY_HEX, {"Battleship": 6, "Heavy Cruiser": 6})
    sector.hold("kakisa", "esu", "esu")
    for week in range(2, 7):
        view = sector.view("esu", week=week)
        there = ship_destinations(view, make_orders(view, seed=week))
        sector.ships = [
            ship for ship in sector.ships if ship.fleet != "esu/f1" or there[ship.key] == KAKISA
        ]
    staying = [ship for ship in sector.ships if ship.fleet == "esu/f1"]
    picture = Situation(lafayette(), sector.view("esu"))
    assert (
        picture.estimator.total_strength(staying)
        >= picture.mobile * find_character("steady").garrison / 100
    )


@pytest.mark.rule("camp.objectives")
def test_attacker_moves_toward_the_objectives() -> None:
    """From the entry hex every fleet moves nearer to a settled system; none stays."""
    sector = Sector()
    sector.fleet("esu/f1", "0108", {"Battleship": 6, "Heavy Cruiser": 6, "Destroyer": 12})
    view = sector.view("esu", week=1)
    chart = Situation(lafayette(), view).chart
    settled = [system.hex for system in lafayette().systems if system.settled]
    ends = []
    for seed in range(20):
        orders = make_orders(view, seed=seed)
        moving = {key for key, end in ship_destinations(view, orders).items() if end != "0108"}
        assert moving == {ship.key for ship in view.ships}
        for move in orders.moves:
            assert any(
                (chart.distance(move.path[-1], to) or 0) < (chart.distance("0108", to) or 0)
                for to in settled
            )
            ends.append(move.path[-1])
    assert len(dict.fromkeys(ends)) > 1, "an admiral who always does the same is foretold"


@pytest.mark.rule("camp.objectives")
def test_defender_attacks_weakly_held_systems() -> None:
    sector = Sector()
    sector.fleet("nac/f1", LAFAYETTE, {"Battleship": 4, "Heavy Cruiser": 4, "Destroyer": 6})
    sector.hold("hudson", "esu", "esu")
    sector.fleet("esu/f1", HUDSON, {"Destroyer": 2})
    earlier_view = sector.view(
        "nac", "decisions", 2, scans=(Scan(HUDSON, "nac", "esu", (("escort", 2),)),)
    )
    view = sector.view("nac", previous=earlier_view)
    assert (
        measure_share(view, lambda orders: HUDSON in ship_destinations(view, orders).values())
        == 1.0
    )


def test_much_weaker_force_avoids_the_enemy() -> None:
    sector = Sector()
    sector.fleet("nac/f1", LAFAYETTE, {"Light Cruiser": 2, "Frigate": 2})
    sector.hold("hudson", "esu", "esu")
    scan = (("capital", 7), ("cruiser", 20), ("escort", 15))
    earlier_view = sector.view("nac", "decisions", 2, scans=(Scan(HUDSON, "nac", "esu", scan),))
    view = sector.view("nac", previous=earlier_view)
    assert (
        measure_share(view, lambda orders: HUDSON in ship_destinations(view, orders).values())
        == 0.0
    )


@pytest.mark.rule("camp.decoys")
def test_drones_and_weasels_are_deployed_near_enemies() -> None:
    sector = Sector()
    sector.fleet(
        "esu/f1",
        "0805",
        {"Battleship": 4, "Heavy Cruiser": 4, "Destroyer": 3, "Weasel Scout": 1},
        decoys=5,
    )
    view = sector.view("esu", week=2)
    arrived = 0
    for seed in range(20):
        orders = make_orders(view, seed=seed)
        assert orders.weasels == ("esu/s12",)
        if len(orders.moves) == 1 and orders.moves[0].path[-1] in (HUDSON, KAKISA):
            arrived += 1
            assert [setting.decoys_on for setting in orders.settings] == [5]
    assert arrived > 0


@pytest.mark.rule("camp.non-ftl")
def test_ships_without_drive_stay_behind() -> None:
    sector = Sector()
    sector.fleet("esu/f1", MIDWAY_HEX, {"Battleship": 3, "Heavy Cruiser": 3})
    sector.fleet("esu/f2", MIDWAY_HEX, {"Battleship": 1}, hurt={"lost": ("ftl",)})
    sector.ships[-1] = replace(sector.ships[-1], fleet="esu/f1")
    sector.fleets.pop()
    view = sector.view("esu")
    there = ship_destinations(view, make_orders(view))
    assert there["esu/s7"] == MIDWAY_HEX
    assert all(there[f"esu/s{n}"] != MIDWAY_HEX for n in range(1, 7))


# --- tugs, prizes, stores


def tug_and_cripple(**cripple: object) -> Sector:
    """Return a tug beside a battleship without its FTL drive, a week from the dockyard."""
    sector = Sector()
    sector.fleet(
        "nac/f1", MIDWAY_HEX, {"Battleship": 1}, hurt={"damage": 9, "lost": ("ftl",), **cripple}
    )
    sector.fleet("nac/f2", MIDWAY_HEX, {"Fleet Tug": 1, "Destroyer": 1})
    return sector


@pytest.mark.rule("camp.tugs")
def test_tug_tows_a_ship_without_drive_to_a_base() -> None:
    view = tug_and_cripple().view("nac")
    orders = make_orders(view)
    assert [(tow.tug, tow.ships) for tow in orders.tow] == [("nac/s2", ("nac/s1",))]
    there = ship_destinations(view, orders)
    assert there["nac/s1"] == there["nac/s2"] != MIDWAY_HEX
    chart = Situation(lafayette(), view).chart
    assert (chart.distance(there["nac/s1"], NEW_TOLEDO) or 0) < (
        chart.distance(MIDWAY_HEX, NEW_TOLEDO) or 0
    )


@pytest.mark.rule("camp.tugs")
def test_system_ships_heavy_ships_and_ships_at_base_are_not_towed() -> None:
    station_sector = Sector()
    station_sector.fleet("nac/f1", HUDSON, {"System Defence Ship": 1}, hurt={"damage": 3})
    station_sector.fleet("nac/f2", HUDSON, {"Fleet Tug": 1})
    heavy = Sector()
    heavy.fleet("nac/f1", HUDSON, {"Superdreadnought": 1}, hurt={"damage": 9, "lost": ("ftl",)})
    heavy.fleet("nac/f2", HUDSON, {"Fleet Tug": 1})
    home = Sector()
    home.fleet("nac/f1", NEW_TOLEDO, {"Battleship": 1}, hurt={"damage": 9, "lost": ("ftl",)})
    home.fleet("nac/f2", NEW_TOLEDO, {"Fleet Tug": 1})
    for sector in (station_sector, heavy, home):
        assert make_orders(sector.view("nac")).tow == ()
    assert [dock.ship for dock in make_orders(home.view("nac")).dock] == ["nac/s1"]


@pytest.mark.rule("camp.tugs")
def test_tug_takes_the_most_valuable_ships_first() -> None:
    sector = Sector()
    sector.fleet(
        "nac/f1",
        MIDWAY_HEX,
        {"Destroyer": 2, "Heavy Cruiser": 1},
        hurt={"damage": 2, "lost": ("ftl",)},
    )
    sector.fleet("nac/f2", MIDWAY_HEX, {"Fleet Tug": 1})
    view = sector.view("nac")
    ships = {ship.key: ship.cls for ship in view.ships}
    (tow,) = make_orders(view).tow
    towed_classes = sorted(ships[key] for key in tow.ships)
    classes = Situation(lafayette(), view).estimator.classes
    assert "Heavy Cruiser" in towed_classes
    assert sum(classes[cls].mass for cls in towed_classes) <= 50


@pytest.mark.rule("camp.prizes")
def test_prize_counts_nothing_and_goes_to_a_base() -> None:
    sector = Sector()
    sector.fleet("nac/f1", LAFAYETTE, {"Battleship": 1}, hurt={"laid_up": True})
    sector.fleet("nac/f2", LAFAYETTE, {"Battleship": 2})
    view = sector.view("nac")
    assert Situation(lafayette(), view).estimator.ship_strength(view.ships[0]) == 0
    assert {
        ship_destinations(view, make_orders(view, seed=seed))["nac/s1"] for seed in range(10)
    } == {NEW_TOLEDO}


@pytest.mark.rule("camp.replenish")
@pytest.mark.parametrize(("hex_", "docks"), [(NEW_TOLEDO, True), (VN_459, False)])
def test_carrier_without_fighters_docks_at_a_base_with_fighters(hex_: str, docks: bool) -> None:
    sector = Sector()
    sector.fleet(
        "nac/f1",
        hex_,
        {"Fleet Carrier": 1},
        hurt={"stock": (("fighter-bay-1", 0), ("fighter-bay-2", 2))},
    )
    base = next(system.facility for system in lafayette().systems if system.hex == hex_)
    assert base is not None
    assert base.fighters is docks
    orders = make_orders(sector.view("nac"))
    assert [(dock.ship, dock.replenish) for dock in orders.dock] == (
        [("nac/s1", True)] if docks else []
    )

"""Admirals decide by the scan: the stronger fight, the uncertain stand off, the weaker withdraw."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.belief.forces import Belief
from campaign.events.contacts import Survivors
from campaign.rules.orders import Orders
from campaign.rules.scenario import Choice, FleetPick
from campaign.rules.view import Notice, View
from campaign.rules.world import Scan
from tests.umpire.admirals.sector import (
    HUDSON,
    LAFAYETTE,
    MIDWAY_HEX,
    VN_459,
    Sector,
    lafayette,
    make_orders,
    measure_share,
)
from umpire.admirals.situation import SAMPLES, Situation
from umpire.admirals.strength import StrengthEstimator

STRONG = {"Battleship": 4, "Heavy Cruiser": 3, "Destroyer": 4}
EVEN = {"Battleship": 2, "Heavy Cruiser": 2, "Destroyer": 3}
WEAK = {"Light Cruiser": 1, "Frigate": 2}
WEEKS = (2, 3, 4, 5)
LOOK: dict[str, tuple[tuple[str, int], ...]] = {
    "strong": (("capital", 6), ("cruiser", 4), ("escort", 4)),
    "even": (("capital", 3), ("cruiser", 1), ("escort", 3)),
    "weak": (("cruiser", 1), ("escort", 2)),
}


def view_at_contact(
    own_ships: dict[str, int], sees: str, *, hex_: str = VN_459, holder: str = "nac", week: int = 3
) -> View:
    """Return a view of the ESU that has met the NAC at a hex without defences.

    Args:
        sees: What its scan shows.
    """
    sector = Sector()
    sector.fleet("esu/f1", hex_, own_ships)
    sector.hold("vn-459", holder, holder)
    scans = (Scan(hex_, "esu", "nac", LOOK[sees]),)
    return sector.view("esu", "decisions", week, scans=scans, contact=hex_)


def expect_choice(choice: Choice) -> object:
    return lambda orders: [item.choice for item in orders.decide] == [choice]


@pytest.mark.rule("camp.decision")
def test_superior_admiral_fights() -> None:
    assert measure_share(view_at_contact(STRONG, "weak"), expect_choice("fight")) == 1.0


@pytest.mark.rule("camp.decision")
def test_outmatched_admiral_withdraws() -> None:
    assert measure_share(view_at_contact(WEAK, "strong"), expect_choice("withdraw")) == 1.0


@pytest.mark.rule("camp.stand-off")
def test_uncertain_admiral_stands_off_or_rolls() -> None:
    # Each samples other forces
    views = [view_at_contact(EVEN, "even", week=week) for week in WEEKS]

    def mean_share(choice: Choice, name: str = "steady") -> float:
        return sum(
            measure_share(view, expect_choice(choice), name, seeds=10) for view in views
        ) / len(views)

    assert mean_share("withdraw") == 0.0
    assert 0.3 <= mean_share("stand-off") < 1.0
    assert mean_share("fight", "bold") > mean_share("fight", "cautious")


@pytest.mark.rule("camp.decision")
def test_scan_is_interpreted_by_the_published_classes() -> None:
    """A player's odds use such samples: capitals count more if the navy's list has only
    battleships.
    """
    view, scenario = view_at_contact(EVEN, "even"), lafayette()
    worth = Situation(scenario, view).believed_strength(VN_459, "nac")
    forces = [Belief(scenario, view).force(VN_459, "nac", number) for number in range(SAMPLES)]
    strength_table = StrengthEstimator(scenario)
    strengths = [
        sum(strength_table.strengths[ship.cls] for ship in force.ships) for force in forces
    ]
    assert not any(
        ship.damage for force in forces for ship in force.ships
    )  # the faction has not fought yet
    assert worth == pytest.approx(sorted(strengths)[SAMPLES // 2])
    heavy = FleetPick("x", "nac/mobile", HUDSON, (("Battledreadnought", 9),))
    other = replace(
        scenario,
        defaults=(("nac", (heavy,)), *(item for item in scenario.defaults if item[0] != "nac")),
    )
    views = [view_at_contact(EVEN, "even", week=week) for week in WEEKS]
    usual, heavier = (
        sum(
            Situation(setting, view_seen).believed_strength(VN_459, "nac") or 0
            for view_seen in views
        )
        for setting in (scenario, other)
    )
    assert heavier > 1.1 * usual
    assert Situation(scenario, view).believed_strength(HUDSON, "nac") is None


@pytest.mark.rule("camp.non-ftl")
def test_immobile_fleet_stands_off() -> None:
    sector = Sector()
    sector.fleet("nac/f1", HUDSON, {"Monitor": 1})
    scans = (Scan(HUDSON, "nac", "esu", LOOK["strong"]),)
    view = sector.view("nac", "decisions", scans=scans, contact=HUDSON)
    assert measure_share(view, expect_choice("stand-off")) == 1.0


@pytest.mark.rule("camp.objectives")
def test_decisive_week_is_worth_a_risky_battle() -> None:
    """The ESU holds two colonies; Lafayette would be the third, and this is its last chance."""

    def at_lafayette(week: int) -> View:
        sector = Sector()
        sector.fleet("esu/f1", LAFAYETTE, {"Battleship": 4, "Heavy Cruiser": 3, "Destroyer": 4})
        sector.fleet("esu/f2", HUDSON, {"Destroyer": 2})
        sector.fleet("esu/f3", "0605", {"Destroyer": 2})
        sector.hold("hudson", "esu", "esu")
        sector.hold("kakisa", "esu", "esu")
        sector.hold("lafayette", "nac", "nac")
        scans = (Scan(LAFAYETTE, "esu", "nac", (("capital", 5), ("cruiser", 4), ("escort", 3))),)
        return sector.view("esu", "decisions", week, scans=scans, contact=LAFAYETTE)

    assert measure_share(at_lafayette(4), expect_choice("fight")) == 0.0
    assert measure_share(at_lafayette(7), expect_choice("fight")) == 1.0


@pytest.mark.rule("camp.stand-off")
def test_stand_off_continues_or_ends_by_the_last_scan() -> None:
    def glaring(sees: str) -> View:
        sector = Sector()
        sector.fleet("esu/f1", VN_459, EVEN)
        earlier_view = sector.view(
            "esu", "decisions", 2, scans=(Scan(VN_459, "esu", "nac", LOOK[sees]),), contact=VN_459
        )
        return sector.view("esu", "orders", 3, contact=VN_459, previous=earlier_view)

    assert measure_share(glaring("weak"), expect_choice("fight")) == 1.0
    leaves = glaring("strong")
    assert measure_share(leaves, expect_choice("withdraw")) == 1.0
    assert (
        measure_share(leaves, lambda orders: [move.fleet for move in orders.moves] == ["esu/f1"])
        == 1.0
    )
    assert measure_share(glaring("weak"), lambda orders: orders.moves) == 0.0


@pytest.mark.rule("camp.contested")
def test_beaten_enemy_counts_less() -> None:
    sector = Sector()
    sector.fleet("esu/f1", VN_459, EVEN)
    sector.hold("vn-459", None, None, "contested")
    earlier_view = sector.view(
        "esu", "decisions", 2, scans=(Scan(VN_459, "esu", "nac", LOOK["strong"]),), contact=VN_459
    )
    notice = Notice(
        2, "battles", Survivors.code, VN_459, (("faction", "nac"), ("capital", 2), ("escort", 3))
    )
    again = sector.view(
        "esu", "orders", 3, contact=VN_459, previous=earlier_view, notices=(notice,)
    )
    assert measure_share(again, expect_choice("fight")) == 1.0


@pytest.mark.rule("camp.must-leave")
def test_withdrawn_fleet_goes_elsewhere() -> None:
    sector = Sector()
    sector.fleet("esu/f1", VN_459, WEAK, in_ftl=True, must_leave=True, back=MIDWAY_HEX)
    for seed in range(10):
        view = sector.view("esu")
        orders = make_orders(view, seed=seed)
        going = {move.fleet for move in orders.moves}
        fleet_of = {key: item.into for item in orders.detach for key in item.ships}
        assert [
            ship.key for ship in view.ships if fleet_of.get(ship.key, ship.fleet) not in going
        ] == []
        assert all(VN_459 not in move.path for move in orders.moves)


@pytest.mark.parametrize(
    ("own_ships", "sees", "low", "high"),
    [
        (STRONG, "weak", 60, 60),
        (WEAK, "strong", 20, 20),
        (EVEN, "even", 60, 60),
        (EVEN, "strong", 30, 30),
    ],
)
def test_captains_are_told_when_to_break_off(
    own_ships: dict[str, int], sees: str, low: int, high: int
) -> None:
    orders = battle_orders(own_ships, sees)
    assert [setting.fleet for setting in orders.settings] == ["esu/f1"]
    doctrine = orders.settings[0].doctrine
    assert doctrine is not None
    assert low <= doctrine.break_off <= high
    assert doctrine.flee == (own_ships is WEAK)


def battle_orders(own_ships: dict[str, int], sees: str) -> Orders:
    return make_orders(
        replace(
            view_at_contact(own_ships, sees), stage="battles", open_decisions=(), fighting=(VN_459,)
        )
    )


def test_immobile_ships_fight_to_the_end() -> None:
    sector = Sector()
    sector.fleet("nac/f1", HUDSON, {"Monitor": 1})
    view = replace(sector.view("nac", "battles"), fighting=(HUDSON,))
    assert [
        setting.doctrine.break_off for setting in make_orders(view).settings if setting.doctrine
    ] == [100]

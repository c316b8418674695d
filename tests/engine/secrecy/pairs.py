"""What red may not see, one kind for each function, which returns two worlds differing only in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.ids import GroupId
from engine.core.kinds import INBOUND
from engine.core.state import BattleState
from engine.pieces.group import Group
from engine.pieces.mine import Mine
from tests.engine.field.ships import fitted_cruiser
from tests.engine.secrecy.worlds import (
    BLUE,
    PACKET,
    RAIDER,
    RED,
    Chance,
    Pair,
    Tweak,
    World,
    blue_fleet,
)

AWAY = (30.0, 45.0, 60.0, 80.0)
FAR = (60.0, 75.0, 90.0)
# Classes with the same signature, weasels among them.
CLASSES_BY_LABEL = {
    "escort": ("Corvette", "Frigate", "Destroyer"),
    "cruiser": ("Light Cruiser", "Heavy Cruiser", "Weasel Courier"),
    "capital": ("Battleship", "Light Carrier", "Weasel Scout", "Superdreadnought"),
    "merchant": ("Heavy Freighter", "Survey Cruiser", "Q Ship"),
}


def hidden(id_: str, contact: str, x: float, y: float, cls: str, **more: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "class": cls,
        "at": [x, y],
        "course": 6,
        "velocity": 4,
        "contact": contact,
        **more,
    }


def ids(chance: Chance) -> Pair:
    """Differ in ids; a mine of the minelayer is in red's path."""
    fleet = blue_fleet(chance, chance.of(AWAY))
    renamed = [ship | {"id": f"x{9 - n}"} for n, ship in enumerate(fleet)]
    x, y = 62.0 + chance.number(20), 40.0 + chance.number(12)

    def mined(id_: str) -> Tweak:
        def lay(state: BattleState) -> None:
            state.pieces.append(Mine(f"{id_}/minelayer-1/0", BLUE, x, y, 0, 1 << BLUE))

        return lay

    return Pair(World(fleet, mined("l")), World(renamed, mined("x6")), ())


def roster(chance: Chance) -> Pair:
    """Differ in blue's roster, reversed.

    Red lays no mines, because the roster decides which of two ships meets a mine first.
    """
    fleet = blue_fleet(chance, chance.of(AWAY))
    return Pair(World(fleet, quiet=True), World(fleet[::-1], quiet=True), ())


def bogey_class(chance: Chance) -> Pair:
    """Differ in a contact's class; red's mine in its path may damage it unseen."""
    label = chance.of(tuple(CLASSES_BY_LABEL))
    first_class = chance.of(CLASSES_BY_LABEL[label])
    other = chance.of([cls for cls in CLASSES_BY_LABEL[label] if cls != first_class])
    x, y = 20.0 + chance.number(100), 30 + chance.of(FAR)
    fleet = blue_fleet(chance, chance.of(AWAY))

    empty_plots = {(turn, "S1"): "" for turn in range(1, 8)}  # a hit drive would be visible

    def mined(state: BattleState) -> None:
        state.pieces.append(Mine("r3/minelayer-1/0", RED, x, y - 4, 0, 1 << RED))

    return Pair(
        World([*fleet, hidden("s", "S1", x, y, first_class)], mined, empty_plots),
        World([*fleet, hidden("s", "S1", x, y, other)], mined, empty_plots),
        ("S1",),
    )


def bogey_state(chance: Chance) -> Pair:
    """Differ in a contact's damage, lost systems and stores."""
    x, y = 20.0 + chance.number(100), 30 + chance.of(FAR)
    fleet = blue_fleet(chance, chance.of(AWAY))
    whole = hidden("s", "S1", x, y, "Light Carrier")
    hurt = whole | {"damage": 5, "lost": ["pdaf-1", "firecon-1"], "stock": {"fighter-bay-1": 2}}
    return Pair(World([*fleet, whole]), World([*fleet, hurt]), ("S1",))


def drone(chance: Chance) -> Pair:
    """Differ in which of two contacts is a drone."""
    y = 30 + chance.of(FAR)
    fleet = blue_fleet(chance, chance.of(AWAY))
    places = [("s", "S1", 30.0, y), ("t", "S2", 120.0, y)]
    worlds = []
    for false in (0, 1):
        ships = []
        for number, (id_, contact, x, at) in enumerate(places):
            is_drone = number == false
            cls = "Scout Ship" if is_drone else "Frigate"
            ships.append(hidden(id_, contact, x, at, cls, **({"dummy": True} if is_drone else {})))
        worlds.append(World([*fleet, *ships]))
    return Pair(worlds[0], worlds[1], ("S1", "S2"))


def q_ship(chance: Chance) -> Pair:
    """Differ in a merchant or a Q ship; an identified one may reveal itself in a later turn."""
    away = chance.of(AWAY)
    fleet = blue_fleet(chance, away)
    place = {
        "at": [66.0 + chance.number(12), 30 + away],
        "course": 6,
        "velocity": 4,
        "contact": "S1",
        "id": "s",
    }
    lost = {"lost": ["battery-3"]} if chance.number(2) else {}
    plots = {(2 + chance.number(5), "S1"): "+4"} if away == AWAY[0] and chance.number(2) else {}
    meek = dict.fromkeys(plots, "")
    return Pair(
        World([*fleet, place | {"design": PACKET}], plots=meek),
        World([*fleet, place | {"design": RAIDER, "cover": PACKET} | lost], plots=plots),
        ("S1",),
        ("uncovered",),
    )


def mine_place(chance: Chance) -> Pair:
    """Differ in the position of blue's mine, if there is one."""
    fleet = blue_fleet(chance, chance.of(AWAY))

    def mined(*places: tuple[float, float]) -> Tweak:
        def lay(state: BattleState) -> None:
            for n, (x, y) in enumerate(places):
                state.pieces.append(Mine(f"l/minelayer-1/{-n}", BLUE, x, y, 0, 1 << BLUE))

        return lay

    here = (62.0 + chance.number(30), 38.0 + chance.number(30))
    there = (62.0 + chance.number(30), 38.0 + chance.number(30))
    return Pair(
        World(fleet, mined(here)),
        World(fleet, mined(there, here) if chance.number(2) else mined()),
        ("mine",),
    )


def mine_orders(chance: Chance) -> Pair:
    """Differ in whether blue lays a mine."""
    fleet = blue_fleet(chance, chance.of(AWAY))
    turns = range(1, 8)
    none = {(turn, "L1"): "+1" if turn == 2 else "" for turn in turns}
    laid = none | {(2, "L1"): "+1; mine", (3, "L1"): "mine 1"}
    return Pair(World(fleet, plots=none), World(fleet, plots=laid), ("mine",))


def sweeping(chance: Chance) -> Pair:
    """Differ in whether minesweepers are active where there is nothing to sweep."""
    away = chance.of(AWAY)
    ship = fitted_cruiser("s", 40, 30 + away, "minesweeper", course=6, velocity=4) | {
        "contact": "S1"
    }
    fleet = [*blue_fleet(chance, away), ship]
    on = {(turn, "S1"): "sweep" for turn in range(1, 8)}
    return Pair(World(fleet, plots=dict.fromkeys(on, "")), World(fleet, plots=on), ("S1",))


def stores(chance: Chance) -> Pair:
    """Differ in the craft and mines aboard ships that everybody knows."""
    fleet = blue_fleet(chance, chance.of(AWAY))
    less = [dict(ship) for ship in fleet]
    less[1]["stock"] = {"fighter-bay-2": 1 + chance.number(4)}
    less[3]["stock"] = {"minelayer-1": 2}
    quiet = {(turn, "L1"): "" for turn in range(1, 8)}
    return Pair(World(fleet, plots=quiet), World(less, plots=quiet), ())


def homes(chance: Chance) -> Pair:
    """Differ in the bay that a group in flight comes from."""
    away = chance.of(AWAY)
    fleet = blue_fleet(chance, away)

    def flying(bay: str) -> Tweak:
        def put_in_flight(state: BattleState) -> None:
            carrier = state.ship_by_name("c")
            carrier.stock[carrier.profile.index_of[bay]] = 0
            state.pieces.append(
                Group(GroupId(f"c/{bay}"), BLUE, "G7", carrier.id, bay, 6, 90.0, 20 + away, 6)
            )

        return put_in_flight

    return Pair(World(fleet, flying("fighter-bay-2")), World(fleet, flying("fighter-bay-3")), ())


def refused(chance: Chance) -> Pair:
    """Differ in refused orders."""
    fleet = blue_fleet(chance, chance.of(AWAY))
    wrong = {(turn, "F1"): "+20; sweep" for turn in (1, 3, 4)}
    return Pair(World(fleet, plots=dict.fromkeys(wrong, "")), World(fleet, plots=wrong), ())


def inbound(chance: Chance) -> Pair:
    """Differ in the ships that are still in FTL space."""
    fleet = blue_fleet(chance, chance.of(AWAY))
    more = [*fleet, hidden("s", "S1", 70, 150, "Battleship")]

    def in_ftl(state: BattleState) -> None:
        state.ship_by_name("s").status, state.ship_by_name("s").due = INBOUND, 99

    return Pair(World(fleet), World(more, in_ftl), ("S1",))


PAIRS: dict[str, Callable[[Chance], Pair]] = {
    make.__name__: make
    for make in (
        *(ids, roster, bogey_class, bogey_state, drone, q_ship, mine_place, mine_orders, sweeping),
        *(stores, homes, refused, inbound),
    )
}

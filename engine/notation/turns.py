"""The turns of a battle file: the orders of all sides by the ids of ships, read with every fault and its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.asks.ask import TurnOrders
from engine.core.errors import place
from engine.core.ship import ShipState
from engine.notation.fire import Names
from engine.notation.reading import Reader
from engine.sequences import asks


def names_of(ships: list[ShipState], rocks: Sequence[str] = ()) -> Names:
    """The names of a battle file: every ship, every group that may ever fly, and asteroids to aim at, by their ids."""
    known = {ship.id: ship for ship in ships}
    groups = {f"{ship.id}/{ship.sheet.fits[bay].id}": ship for ship in ships for bay in ship.rig.bays}
    sheets = {ship.id: ship.cover or ship.sheet for ship in ships}
    return Names(known, groups, {name: name for name in (*known, *groups, *rocks)}, sheets)


def read_turns(
    reader: Reader,
    document: Mapping[object, object],
    sides: list[str],
    ships: list[ShipState],
    rocks: Sequence[str] = (),
) -> tuple[TurnOrders, ...]:
    """The `turns` of a battle file; every fault goes to the reader."""
    names = names_of(ships, rocks)
    turns = []
    for number, item in enumerate(reader.items(document, "turns", default=())):
        where = place("turns", number)
        if not isinstance(item, Mapping):
            reader.fault(where, "not-a-mapping", "a turn has plot, fighters, engage and control entries")
            continue
        reader.keys(item, [key for ask in asks() for key in ask.keys], where)
        turns.append(read_turn(reader, item, f"{where}.", names, sides))
    return tuple(turns)


def read_turn(
    reader: Reader, item: Mapping[object, object], where: str, names: Names, sides: Sequence[str]
) -> TurnOrders:
    """The entries of one turn; every fault goes to the reader. `where`: the place before them, with its dot."""
    return TurnOrders({ask.key: ask.read(reader, item, where, names, sides) for ask in asks()})

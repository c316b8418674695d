"""The orders of a turn: plots, fighters' orders and fire, read with every fault and its place.

Battle files read whole turns of all sides by the ids of ships; a side at a stop names the others' pieces by contact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.errors import Violation, place
from engine.notation.control import read_control
from engine.notation.fire import CRAFT, GROUP_WEAPON, Names, read_fires
from engine.notation.flights import parse_flight
from engine.notation.orders import parse_plot
from engine.notation.reading import Reader
from engine.orders import Control, FireOrders, Flight, Plot
from engine.ship import ShipState

TURN_KEYS = ("plot", "fighters", "engage", "control", "pursue")


@dataclass(frozen=True, slots=True)
class TurnOrders:
    """What is ordered in a turn: plots by ship, flights by group, each side's fire (by its number) in firing order.

    `pursue`: the sides that go after one that disengages this turn. `control`: damage control by ship.
    """

    plots: dict[str, Plot]
    fire: dict[int, FireOrders]
    flights: dict[str, Flight] = field(default_factory=dict)
    pursue: tuple[int, ...] = ()
    control: dict[str, Control] = field(default_factory=dict)


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
        reader.keys(item, TURN_KEYS, where)
        pursuers = reader.items(item, "pursue", where, default=())
        for name in pursuers:
            if name not in sides:
                reader.fault(f"{where}.pursue", "unknown-side", f"no side is called '{name}'")
        pursue = tuple(number for number, name in enumerate(sides) if name in pursuers)
        turns.append(replace(read_turn(reader, item, where, names, len(sides)), pursue=pursue))
    return tuple(turns)


def read_turn(reader: Reader, item: Mapping[object, object], where: str, names: Names, sides: int) -> TurnOrders:
    """The entries of one turn (any of plot, fighters, engage, control); every fault goes to the reader."""
    dot = f"{where}." if where else ""
    plots = _plots(reader, item.get("plot", {}), f"{dot}plot", names)
    flights = _flights(reader, item.get("fighters", {}), f"{dot}fighters", names)
    fire = _engage(reader, item.get("engage", {}), f"{dot}engage", names, sides)
    control = read_control(reader, item.get("control", {}), f"{dot}control", names.ships)
    return TurnOrders(plots, fire, flights, control=control)


def _plots(reader: Reader, data: object, where: str, names: Names) -> dict[str, Plot]:
    if not isinstance(data, Mapping):
        reader.fault(where, "not-a-mapping", "plots are texts such as P2+4, by ship")
        return {}
    plots: dict[str, Plot] = {}
    for name, text in data.items():
        spot = f"{where}.{name}"
        if name not in names.ships:
            reader.fault(spot, "unknown-ship", f"no ship has the id '{name}'")
        elif not isinstance(text, str):
            reader.fault(spot, "not-a-text", "a plot is a text such as P2+4")
        else:
            plot, faults = parse_plot(text, spot, names.ships[name].sheet.edition)
            if plot is not None:
                plot, faults = _with_ids(plot, spot, names)
            reader.faults.extend(faults)
            if plot is not None:
                plots[name] = plot
    return plots


def _with_ids(plot: Plot, where: str, names: Names) -> tuple[Plot | None, tuple[Violation, ...]]:
    """A plot whose contacts are the ids they stand for; None where it names what is not known."""
    unknown = [name for name in plot.named() if name not in names.targets]
    if unknown:
        return None, tuple(Violation(where, "unknown-target", f"nothing is called '{name}'") for name in unknown)
    return plot.renamed(names.targets), ()


def _flights(reader: Reader, data: object, where: str, names: Names) -> dict[str, Flight]:
    if not isinstance(data, Mapping):
        reader.fault(where, "not-a-mapping", "fighters' orders are texts such as to 12 20; face 3, by group")
        return {}
    flights: dict[str, Flight] = {}
    for name, text in data.items():
        spot = f"{where}.{name}"
        if name not in names.groups:
            reader.fault(spot, "unknown-group", f"no fighter group is called '{name}'")
        elif not isinstance(text, str):
            reader.fault(spot, "not-a-text", "a group's orders are a text such as to 12 20; face 3")
        else:
            flight, faults = parse_flight(text, spot)
            reader.faults.extend(faults)
            unknown = (
                [] if flight is None else [n for n in (flight.dogfight, flight.land) if n and n not in names.targets]
            )
            for missing in unknown:
                reader.fault(spot, "unknown-target", f"nothing is called '{missing}'")
            if flight is not None and not unknown:
                flights[name] = flight.renamed(names.targets)
    return flights


def _engage(reader: Reader, data: object, where: str, names: Names, sides: int) -> dict[int, FireOrders]:
    """Fire by side: a mapping keeps the file's order of ships, a list of [ship, fire] gives its own."""
    rows: list[tuple[str, object, object]] = []
    able = {**names.ships, **names.groups}
    if isinstance(data, Mapping):
        given: dict[str, object] = {}
        for key, fires in data.items():
            if str(key) in given:  # YAML tells 1 and "1" apart
                reader.fault(f"{where}.{key}", "ship-twice", f"'{key}' is given twice")
            given.setdefault(str(key), fires)
        rows = [(f"{where}.{name}", name, given.pop(name)) for name in able if name in given]
        rows += [(f"{where}.{name}", name, fires) for name, fires in given.items()]
    elif isinstance(data, list):
        for number, pair in enumerate(data):
            spot = f"{where}[{number}]"
            if isinstance(pair, (list, tuple)) and len(pair) == 2:
                rows.append((spot, pair[0], pair[1]))
            else:
                reader.fault(spot, "not-a-pair", "a ship and its fire are needed here: [ship, [...]]")
    else:
        reader.fault(where, "not-a-mapping", "fire orders are lists by ship, or a list of [ship, fire]")
    orders: dict[int, FireOrders] = {side: [] for side in range(sides)}
    seen: set[str] = set()
    for spot, name, fires in rows:
        if not isinstance(name, str) or name not in able:
            reader.fault(spot, "unknown-ship", f"no ship has the id {name!r}")
            continue
        if name in seen:
            reader.fault(spot, "ship-twice", f"'{name}' is given twice")
        seen.add(name)
        weapons = {GROUP_WEAPON: CRAFT}
        if name in names.ships:
            ship = able[name]
            weapons = {fit.id: weapon for fit, weapon in zip(ship.sheet.fits, ship.rig.weapons, strict=True)}
        orders[able[name].side].append((name, read_fires(reader, fires, spot, name, weapons, names)))
    return orders

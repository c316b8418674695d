"""The orders of a battle file, turn by turn: plots and fire, read with every fault and its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import place
from engine.notation.orders import parse_plot
from engine.notation.reading import Reader
from engine.orders import Fire, FireOrders, Plot
from engine.state import ShipState

FIRE_KEYS = ("weapon", "target")


@dataclass(frozen=True, slots=True)
class TurnOrders:
    """What is ordered in one turn: plots by ship, and each side's fire (by its number) in firing order."""

    plots: dict[str, Plot]
    fire: dict[int, FireOrders]


def read_turns(
    reader: Reader, document: Mapping[object, object], sides: list[str], ships: list[ShipState]
) -> tuple[TurnOrders, ...]:
    """The `turns` of a battle file; every fault goes to the reader."""
    known = {ship.id: ship for ship in ships}
    turns = []
    for number, item in enumerate(reader.items(document, "turns", default=())):
        where = place("turns", number)
        if not isinstance(item, Mapping):
            reader.fault(where, "not-a-mapping", "a turn has a plot and an engage entry")
            continue
        reader.keys(item, ("plot", "engage"), where)
        plots = _plots(reader, item.get("plot", {}), f"{where}.plot", known)
        fire = _engage(reader, item.get("engage", {}), f"{where}.engage", known, len(sides))
        turns.append(TurnOrders(plots, fire))
    return tuple(turns)


def _plots(reader: Reader, data: object, where: str, known: dict[str, ShipState]) -> dict[str, Plot]:
    if not isinstance(data, Mapping):
        reader.fault(where, "not-a-mapping", "plots are texts such as P2+4, by ship")
        return {}
    plots: dict[str, Plot] = {}
    for name, text in data.items():
        spot = f"{where}.{name}"
        if name not in known:
            reader.fault(spot, "unknown-ship", f"no ship has the id '{name}'")
        elif not isinstance(text, str):
            reader.fault(spot, "not-a-text", "a plot is a text such as P2+4")
        else:
            plot, faults = parse_plot(text, spot)
            reader.faults.extend(faults)
            if plot is not None:
                plots[name] = plot
    return plots


def _engage(reader: Reader, data: object, where: str, known: dict[str, ShipState], sides: int) -> dict[int, FireOrders]:
    """Fire by side: a mapping keeps the file's order of ships, a list of [ship, fire] gives its own."""
    rows: list[tuple[str, object, object]] = []
    if isinstance(data, Mapping):
        given = {str(name): fires for name, fires in data.items()}
        rows = [(f"{where}.{name}", name, given.pop(name)) for name in known if name in given]
        rows += [(f"{where}.{name}", name, fires) for name, fires in given.items()]
    elif isinstance(data, list):
        for number, pair in enumerate(data):
            spot = f"{where}[{number}]"
            if isinstance(pair, (list, tuple)) and len(pair) == 2:
                rows.append((spot, pair[0], pair[1]))
            else:
                reader.fault(spot, "not-a-pair", "a ship and its fire belong here: [ship, [...]]")
    else:
        reader.fault(where, "not-a-mapping", "fire orders are lists by ship, or a list of [ship, fire]")
    orders: dict[int, FireOrders] = {side: [] for side in range(sides)}
    seen: list[object] = []
    for spot, name, fires in rows:
        if not isinstance(name, str) or name not in known:
            reader.fault(spot, "unknown-ship", f"no ship has the id {name!r}")
            continue
        if name in seen:
            reader.fault(spot, "ship-twice", f"'{name}' takes its firing turn once")
        seen.append(name)
        ship = known[name]
        orders[ship.side].append((name, _fires(reader, fires, spot, ship, known)))
    return orders


def _fires(reader: Reader, data: object, where: str, ship: ShipState, known: dict[str, ShipState]) -> tuple[Fire, ...]:
    if not isinstance(data, list):
        reader.fault(where, "not-a-list", "fire is a list of {weapon, target}")
        return ()
    fits = {fit.id: fit.type for fit in ship.sheet.fits}
    fires: list[Fire] = []
    for number, item in enumerate(data):
        spot = f"{where}[{number}]"
        if not isinstance(item, Mapping):
            reader.fault(spot, "not-a-mapping", "fire is {weapon, target}")
            continue
        reader.keys(item, FIRE_KEYS, spot)
        weapon = reader.text(item, "weapon", spot)
        if weapon and weapon not in fits:
            reader.fault(f"{spot}.weapon", "unknown-weapon", f"{ship.id} has no '{weapon}'; it has {', '.join(fits)}")
        elif weapon and fits[weapon] != "battery":
            words = f"'{weapon}' is no weapon that is aimed in the fire part of a turn; beam batteries are"
            reader.fault(f"{spot}.weapon", "not-a-weapon", words)
        targets = _targets(reader, item, spot, known)
        if targets and weapon in fits:
            fires.append(Fire(weapon, targets))
    return tuple(fires)


def _targets(reader: Reader, item: Mapping[object, object], where: str, known: dict[str, ShipState]) -> tuple[str, ...]:
    given = item.get("target")
    names = given if isinstance(given, list) else [given]
    targets = []
    for name in names:
        if isinstance(name, str) and name in known:
            targets.append(name)
        else:
            reader.fault(f"{where}.target", "unknown-target", f"no ship has the id {name!r}")
    return tuple(targets)

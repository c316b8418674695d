"""Carriers and escorts for tests, and battles that begin with groups in flight."""

from __future__ import annotations

from typing import Any

from engine.battle import Battle, battle_from, resolve_stop, start
from engine.core.dice import Dice
from engine.core.ids import GroupId
from engine.core.state import FIGHTERS
from engine.notation.battles import fire_names_of, read_turn
from engine.notation.reading import Reader
from engine.pieces.group import Group
from tests.engine.battle.table import ARCS, classes, scripted, setup


def deck(id_: str, x: float, y: float, course: int = 12, **more: Any) -> dict[str, Any]:
    """Return a capital ship at rest with `bays`, `pdaf`, `adaf`, `screens` and batteries (`guns`:
    letters).
    """
    systems: list[dict[str, Any]] = [
        {"type": "battery", "battery": letter, "arcs": ARCS} for letter in more.pop("guns", "")
    ]
    counts = {
        "fighter-bay": more.pop("bays", 0),
        "pdaf": more.pop("pdaf", 0),
        "adaf": more.pop("adaf", 0),
    }
    counts["screen"] = more.pop("screens", 0)
    systems += [{"type": type_, "count": count} for type_, count in counts.items() if count]
    design: dict[str, Any] = {
        "class": "Deck",
        "edition": "second-edition",
        "kind": "warship",
        "ftl": "standard",
    }
    design |= {"mass": more.pop("mass", 100), "thrust": more.pop("thrust", 2), "systems": systems}
    return {
        "id": id_,
        "design": design,
        "at": [x, y],
        "course": course,
        "velocity": more.pop("velocity", 0),
        **more,
    }


def start_in_flight(
    document: dict[str, Any], *groups: tuple[str, float, float, int, int], stop: str = FIGHTERS
) -> Battle:
    """Return a battle with groups in flight, given as (id, x, y, course, craft); their bays are
    empty.
    """
    battle = start(document, classes())
    state = battle.state
    for name, x, y, course, craft in groups:
        owner, _, bay = name.partition("/")
        ship = state.ship_by_name(owner)
        ship.stock[ship.profile.index_of[bay]] = 0
        state.flight_count += 1
        state.pieces.append(
            Group(
                GroupId(name),
                ship.owner,
                f"flight-{state.flight_count}",
                ship.id,
                bay,
                craft,
                x,
                y,
                course,
            )
        )
    state.stop = stop
    return battle_from(battle.to_json())


def resolve_next(
    battle: Battle,
    orders: dict[str, Any] | None = None,
    dice: Dice | None = None,
    **queues: list[int],
) -> Battle:
    """Resolve the next phase by orders as in a battle file (plot, fighters, engage), with scripted
    dice.
    """
    reader = Reader()
    document: Any = orders or {}
    turn_orders = read_turn(
        reader, document, "", fire_names_of(battle.state.ships), battle.state.sides
    )
    assert reader.faults == []
    fresh = Battle(battle.edition, battle.options, battle.state, battle.winner, [])
    return resolve_stop(fresh, turn_orders, dice or scripted(**queues))[0]


def craft(battle: Battle) -> dict[str, int]:
    """Return the craft of every group in flight, by its id."""
    return {group.id: group.craft for group in battle.state.pieces_of(Group)}


def stock(battle: Battle, id_: str) -> list[int]:
    """Return the craft aboard each of a ship's bays."""
    ship = battle.state.ship_by_name(id_)
    return [ship.stock[index] for index in ship.profile.bays]


def duel(**more: Any) -> dict[str, Any]:
    """Return a carrier of six bays a side, far apart."""
    return setup([deck("r1", 20, 60, bays=6)], [deck("b1", 100, 60, bays=6)], **more)


def strike(target: str | list[str]) -> list[dict[str, Any]]:
    return [{"weapon": "fighters", "target": target}]

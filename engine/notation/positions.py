"""Writes a position of a battle as a battle file, so that another battle can begin with it.

A battle file can say less than a state. `cannot_begin` returns whether a position has something
that a file cannot say: then there is no file for it, rather than one of another position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from engine.core.kinds import FIGHTING, IN_PLAY, RETURNING
from engine.core.limits import DEFAULT_MAX_TURNS
from engine.core.ship import FREE, ShipState
from engine.core.ship_facts import carried_over_facts
from engine.core.state import BattleState
from engine.notation.battle_craft import FLYING, groups_json
from engine.notation.battle_file import BattleFileDocument, ShipEntry, SideEntry
from engine.notation.fleet_limits import JUDGED_KEYS
from engine.pieces.group import Group, groups_from
from engine.ship_profiles import stock_below_full

# Keys of the file with which the battle began that do not hold for a later position.
OF_THE_START = frozenset(
    {
        *("turns", "dice", "seed", "captains", "rules", "bogeys", "deployment", "set_up"),
        *("sides", "victory", "mines", "drift", *JUDGED_KEYS),
    }
)
# Facts of a ship's sheet that a battle can begin without: what others know of it, and what is
# counted by turns that are over.
DISPENSABLE = frozenset(
    {
        *("irreparable", "last-turned", "emergency-thrusts", "scan-levels", "scanned-damage"),
        *("scanned-losses", "scanned-armour", "scanned-stock", "last-fired", "revealed-bays"),
        *("used-rounds", "officers", "withdrawing"),
    }
)


def cannot_begin(start: BattleState, state: BattleState) -> bool:
    """Return whether a battle file cannot say a position.

    Args:
        start: The battle before its first turn.
        state: The position, before the plots of a turn.
    """
    if start.terms.victory or len(_sides_in_play(state)) < len(state.sides):
        return True
    at_start = {piece.id: piece.to_json() for piece in start.pieces}
    pieces = [piece for piece in state.pieces if not isinstance(piece, Group)]
    if at_start != {piece.id: piece.to_json() for piece in pieces}:
        return True
    return any(_cannot_be_said(ship) for ship in state.ships if ship.status in IN_PLAY)


def _sides_in_play(state: BattleState) -> set[int]:
    """Return the sides with a ship on the table."""
    return {ship.owner for ship in state.ships if ship.status == FIGHTING and not ship.dummy}


def _cannot_be_said(ship: ShipState) -> bool:
    """Return whether a file cannot say the state of a ship that is in play."""
    if ship.status == RETURNING or ship.dummy:
        return False  # it is left out
    is_free = ship.status == FIGHTING and not ship.is_taken_over and ship.docking == FREE
    if not is_free or ship.warm or ship.drift is not None or ship.cover is not None:
        return True
    facts = {name.partition(":")[0] for name, _ in ship.record.entries()}
    carried = {name.partition(":")[0] for name in carried_over_facts(ship.facts(), 0)}
    return not facts <= carried | DISPENSABLE


def position_file(file: BattleFileDocument, state: BattleState) -> BattleFileDocument:
    """Return the battle file of a position.

    Every ship is identified, and decoys and ships that have left are not in it. Places are whole
    MU, because stored scenarios have no fractions.

    Args:
        file: The file with which the battle began.
        state: A position for which `cannot_begin` is false.
    """
    document: dict[str, Any] = {
        key: value for key, value in file.items() if key not in OF_THE_START
    }
    turns_over = state.turn - 1
    document["max_turns"] = max(1, file.get("max_turns", DEFAULT_MAX_TURNS) - turns_over)
    if "flares" in document:
        document["flares"] = [turn - turns_over for turn in file["flares"] if turn > turns_over]
    groups = groups_json(state)
    sides = []
    for number, side in enumerate(file["sides"]):
        entry = {key: value for key, value in side.items() if key not in ("muster", "officers")}
        entry["ships"] = list(_ships(state, number, groups))
        sides.append(cast(SideEntry, entry))
    document["sides"] = sides
    return cast(BattleFileDocument, document)


def _ships(
    state: BattleState, side: int, groups: Mapping[str, Mapping[str, Any]]
) -> Iterator[ShipEntry]:
    """Yield the ships of a side that are on the table.

    They have new ids, because those of a war tell how many ships a fleet has.
    """
    width, depth = state.table
    on_table = [ship for ship in state.ships if ship.status == FIGHTING and not ship.dummy]
    own = [ship for ship in on_table if ship.owner == side]
    for number, ship in enumerate(own, start=1):
        entry: ShipEntry = {
            "id": f"s{side + 1}-{number}",
            "design": dict(ship.sheet.design),
            "at": [min(round(ship.x), int(width)), min(round(ship.y), int(depth))],
            "course": ship.course,
            "velocity": ship.velocity,
        }
        if ship.damage:
            entry["damage"] = ship.damage
        if lost := list(ship.lost_systems()):
            entry["lost"] = lost
        if stock := stock_below_full(ship):
            entry["stock"] = stock
        if notes := carried_over_facts(ship.facts(), state.turn - 1):
            entry["notes"] = notes
        if flying := _groups(ship, groups, state.table):
            entry["groups"] = flying
        yield entry


def _groups(
    ship: ShipState, groups: Mapping[str, Mapping[str, Any]], table: tuple[float, float]
) -> dict[str, dict[str, Any]]:
    """Return the groups of a ship that are in flight, by bay."""
    flying = {}
    for name, index in groups_from(ship):
        group = groups[name]
        if group["status"] != FLYING:
            continue
        x, y = group["at"]
        entry = {
            "at": [min(max(round(x), 0), int(table[0])), min(max(round(y), 0), int(table[1]))],
            "course": group["course"],
            "craft": group["craft"],
        }
        if group["endurance"] is not None:
            entry["endurance"] = group["endurance"]
        flying[ship.sheet.fits[index].id] = entry
    return flying

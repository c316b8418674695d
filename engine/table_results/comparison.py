"""Compares and combines the results that sides entered, and turns them into the end of a battle.

Every side enters the whole battle: its own ships by id, other ships by contact code. It may omit a
foreign ship that it never identified; then the owner's entry counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from engine.battle import start as begun
from engine.core.kinds import DESTROYED, ShipStatus
from engine.core.schemas import RESULT
from engine.core.ship import ShipState
from engine.core.state import OVER
from engine.core.victory import decide_outcome
from engine.design.value import Design
from engine.documents import BattleDocument
from engine.events.entered import ResultEntered
from engine.notation.battle_file import BattleFileDocument
from engine.notation.ground import site_id
from engine.notation.reading import Reader
from engine.pieces.site import Site
from engine.ship_profiles import armour_from, full_contents, stock_now
from engine.table_results.ends import KEYS, End, EndDocument, ResultDocument, read_ends

PARTS = ("status", "damage", "lost", "stock", "captor", "cause")
OPTIONAL = ("stock", "cause")  # leaving these out does not contradict other entries
OF_A_WRECK = ("damage", "lost", "stock")  # not compared for destroyed ships
TURNS, GROUND = "turns", "ground"

# The side for which a result was entered, and the document.
SideResult = tuple[str, ResultDocument]


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between results.

    Attributes:
        ship: The ship's id, "" for the whole battle.
        part: The part of the ship's end, or `turns` or `ground`.
        entries: (author, value) of everyone who entered this part.
    """

    ship: str
    part: str
    entries: tuple[tuple[str, Any], ...]


def names_for_side(start: BattleFileDocument, side: str) -> dict[str, str]:
    """Return a side's name for every ship by id: its own ids, and others' contact codes."""
    result: dict[str, str] = {}
    for part in start["sides"]:
        for ship in part["ships"]:
            if part["name"] == side:
                result[ship["id"]] = ship["id"]
            else:
                result[ship["id"]] = ship.get("contact", ship["id"])
    return result


def with_ship_ids(start: BattleFileDocument, side: str, result: ResultDocument) -> ResultDocument:
    """Return a side's result with all ships under their ids."""
    ids = {}
    for id_, name_of_ship in names_for_side(start, side).items():
        ids[name_of_ship] = id_
    return {**result, "ships": {ids.get(name, name): end for name, end in result["ships"].items()}}


def as_side_would_enter(
    start: BattleFileDocument, side: str, result: ResultDocument
) -> ResultDocument:
    """Return a whole result as a side would enter it.

    It omits foreign ships of a battle with bogeys, because they may still be bogeys.
    """
    own_ids = set()
    for part in start["sides"]:
        if part["name"] == side:
            for ship in part["ships"]:
                own_ids.add(ship["id"])
    names = names_for_side(start, side)
    hidden = start.get("bogeys", False)
    ships = {}
    for id_, end in result["ships"].items():
        if id_ in own_ids or not hidden:
            ships[names[id_]] = end
    return {**result, "ships": ships}


def find_differences(
    start: BattleFileDocument, results: Mapping[str, SideResult]
) -> tuple[Difference, ...]:
    """Return the differences between results, ship by ship in the file's order.

    Args:
        results: The side and the well-formed result with ship ids, by author.
    """
    ends_by_author = {author: _read_valid_ends(result) for author, (_, result) in results.items()}
    differences = []
    for side in start["sides"]:
        for ship in side["ships"]:
            ends = {}
            for author, ends_of_author in ends_by_author.items():
                if ship["id"] in ends_of_author:
                    ends[author] = ends_of_author[ship["id"]]
            differences += _differences_of_ship(ship["id"], ends)
    ground = {author: _ground_damage(start, result) for author, (_, result) in results.items()}
    differences += _difference("", GROUND, ground)
    turns = {author: result.get("turns", 1) for author, (_, result) in results.items()}
    differences += _difference("", TURNS, turns)
    return tuple(differences)


def _differences_of_ship(ship: str, ends: Mapping[str, End]) -> list[Difference]:
    """Return the differences between a ship's ends by author, part by part."""
    all_destroyed = all(end.status == DESTROYED for end in ends.values())
    differences = []
    for part in PARTS:
        if all_destroyed and part in OF_A_WRECK:
            continue
        values = {author: _part(end, part) for author, end in ends.items()}
        if part in OPTIONAL:
            values = {author: value for author, value in values.items() if value}
        differences += _difference(ship, part, values)
    return differences


def _difference(ship: str, part: str, values: Mapping[str, Any]) -> list[Difference]:
    """Return the difference between the values that authors entered; [] if all are equal."""
    entries = tuple(values.items())
    if all(value == entries[0][1] for _, value in entries):
        return []
    return [Difference(ship, part, entries)]


def combine_results(start: BattleFileDocument, results: Mapping[str, SideResult]) -> ResultDocument:
    """Return one result from results without differences.

    For each ship its own side's entry counts, or else any other. Optional parts that only one ally
    entered, such as stock, are kept.
    """
    ends_by_ship: dict[str, EndDocument] = {}
    for owner in start["sides"]:
        own_results = [result for side, result in results.values() if side == owner["name"]]
        other_results = [result for side, result in results.values() if side != owner["name"]]
        for ship in owner["ships"]:
            own_ends = _ends_of_ship(ship["id"], own_results)
            foreign_ends = _ends_of_ship(ship["id"], other_results)
            if ends := own_ends or foreign_ends[:1]:
                ends_by_ship[ship["id"]] = _merge_ends(ends)
    _, first_result = next(iter(results.values()))
    combined: ResultDocument = {
        "schema": RESULT.schema,
        "turns": first_result.get("turns", 1),
        "ships": ends_by_ship,
    }
    if ground := _ground_damage(start, first_result):
        return {**combined, "ground": ground}
    return combined


def _ends_of_ship(ship: str, results: list[ResultDocument]) -> list[EndDocument]:
    """Return a ship's ends in the results that have one."""
    return [result["ships"][ship] for result in results if ship in result["ships"]]


def _merge_ends(ends: list[EndDocument]) -> EndDocument:
    """Merge ends that do not contradict each other, with the optional parts of each."""
    merged: dict[str, Any] = {}
    for end in reversed(ends):
        for key, value in end.items():
            if value:
                merged[key] = value
    return cast(EndDocument, {**ends[0], **{key: merged[key] for key in OPTIONAL if key in merged}})


def _ground_damage(start: BattleFileDocument, result: ResultDocument) -> dict[str, int]:
    """Return the damage of all ground targets, from a result or as it was before the battle.

    Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
    """
    targets = start.get("ground", [])
    damage_by_target = {}
    for number, target in enumerate(targets, 1):
        damage_by_target[site_id(number)] = target.get("damage", 0)
    for name, damage in result.get("ground", {}).items():
        if name in damage_by_target:
            damage_by_target[name] = damage
    return damage_by_target


def result_state(
    start: BattleFileDocument, result: ResultDocument, classes: Mapping[str, Design] | None = None
) -> tuple[BattleDocument, str | None, int]:
    """Return the final state of a battle by a result without faults.

    Ships keep their starting places, because results contain none. The document names the captor of
    each captured ship.

    Returns:
        The battle's document, the winner or None, and the number of turns.
    """
    battle = begun(start, classes)
    state = battle.state
    ends = _read_valid_ends(result)
    for ship in state.ships:
        _apply_end(ship, ends[ship.id])
    for name, damage in _ground_damage(start, result).items():
        state.piece(Site, name).damage = damage
    turns = int(result.get("turns", 1))
    state.stop, state.turn = OVER, turns
    outcome = decide_outcome(state, last=True)
    battle.winner = outcome.winner if outcome is not None else None
    document = battle.to_json()
    for id_, end in ends.items():
        if end.captor:
            document["ships"][id_]["captor"] = end.captor
    return document, battle.winner, turns


def _apply_end(ship: ShipState, end: End) -> None:
    """Give a ship the status, damage, losses and stock of its end."""
    ship.status = ShipStatus(end.status)
    ship.damage = end.damage
    for index, fit in enumerate(ship.sheet.fits):
        ship.alive[index] = ship.profile.undamaged[index] - end.lost.count(fit.id)
    remaining = stock_now(ship) | dict(end.stock)
    _set_stock(ship, end, remaining)
    ship.armour = armour_from(ship.sheet, remaining)
    ship.forget_repaired(end.lost)


def _set_stock(ship: ShipState, end: End, remaining: Mapping[str, int]) -> None:
    """Set the contents of a ship's systems, and the rounds used from magazines with several loads.

    Args:
        remaining: What is left of each kind of contents.
    """
    stock = []
    used_rounds = {}
    for index, fit in enumerate(ship.sheet.fits):
        contents = full_contents(fit, ship.sheet.edition)
        is_lost = fit.id in end.lost and index not in ship.profile.sturdy
        stock.append(0 if is_lost else sum(remaining[name] for name in contents))
        if len(contents) > 1:
            for name, full in contents.items():
                if full > remaining[name]:
                    used_rounds[name] = full - remaining[name]
    ship.stock = stock
    if used_rounds != ship.record.used_rounds:
        ship.record = ship.record.with_values(used_rounds=used_rounds)


def end_events(result: ResultDocument, turn: int) -> list[dict[str, Any]]:
    """Return a result as log lines: the end of every ship, under the name used in the result."""
    ends = _read_valid_ends(result)
    events: list[dict[str, Any]] = []
    for name, end in sorted(ends.items()):
        events.append(
            {
                "event": ResultEntered.kind,
                "turn": turn,
                "ship": name,
                **{"captor": "", "cause": "", **end.to_json()},
            }
        )
    return events


def _read_valid_ends(result: ResultDocument) -> dict[str, End]:
    """Return the ends of a result without faults.

    Raises:
        ValueError: If it has faults.
    """
    reader = Reader()
    known_entries = {key: value for key, value in result.items() if key in KEYS}
    ends = {}
    for name, end in read_ends(reader, known_entries).items():
        if end is not None:
            ends[name] = end
    if reader.faults:
        raise ValueError(f"a result that was entered cannot be read: {reader.faults}")
    return ends


def _part(end: End, part: str) -> object:
    """Return a part of an end for comparison, regardless of order."""
    if part == "lost":
        return sorted(end.lost)
    if part == "stock":
        return dict(sorted(end.stock))
    return getattr(end, part)

"""A complete replay: sides, units with their names, moments; and its document for scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from campaign.replays.acts import Act
from campaign.replays.moments import Moment, Piece, moments_of
from campaign.replays.sentences import Sentence
from campaign.replays.units import GROUPS, Point, SideLookup, UnitState
from campaign.words.battle.log import SideNames, contact_name, phases_of
from engine.core.kinds import DESTROYED, ShipStatus
from engine.core.phrase import phrase
from engine.craft.registry import craft_type
from engine.pieces.group_events import GroupLaunched
from engine.view.event_reader import read_events_of

T = TypeVar("T")
FIGHTER: Final = "fighter"  # silhouette of a group of craft
CRAFT: Final = phrase("craft")  # the class of all groups of craft
UNKNOWN_SIZE: Final = "cruiser"  # silhouette of a ship of unknown kind
Class = tuple[str, str]  # class and classification
UNIT_NAMES: Final = ("u", "at", "from")  # the keys of acts with units
UnitIndexes = Mapping[str, tuple[int, str]]  # by key: the unit's index in the document, its name


@dataclass(frozen=True, slots=True)
class ReplaySide:
    """A side of a battle.

    Attributes:
        seat: That of its first faction, which gives colour and emblem; 0 if unknown.
    """

    name: str
    seat: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A ship or group of craft.

    Attributes:
        bogey: Its name before it was identified; empty if it was always known.
        cls: Its class, as far as known.
        size: Its silhouette.
        rows: Hull boxes by rows, if its own side reads the replay.
        armour: Armour boxes, if its own side reads the replay.
        code: What the table shows for the name of a group of craft.
    """

    key: str
    name: str
    bogey: str
    cls: str
    size: str
    rows: tuple[int, ...] = ()
    armour: int = 0
    code: str = ""

    @property
    def is_craft(self) -> bool:
        """Return whether it is a group of craft, whatever its silhouette."""
        return self.cls == CRAFT


@dataclass(frozen=True, slots=True)
class Replay:
    """A battle to replay.

    Attributes:
        table: Width and depth in MU.
        own_side: The index of the reader's side in `sides`; -1 if the reader sees the truth.
    """

    table: tuple[float, float]
    sides: tuple[ReplaySide, ...]
    own_side: int
    units: Mapping[str, Unit]
    moments: tuple[Moment, ...]

    @property
    def turns(self) -> tuple[int, ...]:
        """Return its turns in order."""
        return tuple(dict.fromkeys(moment.turn for moment in self.moments))


def replay_of(
    body: Mapping[str, Any],
    names: SideNames,
    sides: Sequence[ReplaySide],
    own_side: int,
    place_of_side: SideLookup,
    classes: Mapping[str, Class],
) -> Replay:
    """Make a replay from a battle report, or from the phases reported so far.

    Args:
        own_side: The index of the reader's side in `sides`; -1 if the reader sees the truth.
        place_of_side: Converts a side's number in views to its index in `sides`.
        classes: Classes of the reader's own ships by key.
    """
    moments = moments_of(body, names, max(own_side, 0), place_of_side)
    width, depth = body["table"]
    return Replay(
        table=(width, depth),
        sides=tuple(sides),
        own_side=own_side,
        units=_units(body, names, classes),
        moments=tuple(moments),
    )


def _units(
    body: Mapping[str, Any], names: SideNames, classes: Mapping[str, Class]
) -> dict[str, Unit]:
    """Return all units that any phase shows, by key, with the most that is known of them."""
    units: dict[str, Unit] = {}
    groups: dict[str, str] = {}  # their types by key, in order; empty if not known
    for phase in phases_of(body):
        for key, ship in sorted(phase["own"].items()):
            if key not in units:
                units[key] = _own_unit(key, names, classes, ship)
        for contact in phase["contacts"]:
            key = str(contact["id"])
            units[key] = _contact_unit(units.get(key), contact, names)
        for list_key in GROUPS:
            for group in phase.get(list_key, ()):
                groups[str(group["id"])] = group.get("type", "")
        for event in read_events_of(phase["log"], GroupLaunched):
            groups.setdefault(event.group, "")
    for key, type_id in groups.items():
        units.setdefault(key, _group_unit(key, type_id, names))
    return units


def _group_unit(key: str, type_: str, names: SideNames) -> Unit:
    """Return a group of craft."""
    size = craft_type(type_).outline if type_ else FIGHTER
    return Unit(key=key, name=names.of(key), bogey="", cls=CRAFT, size=size, code=names.code(key))


def _own_unit(
    key: str, names: SideNames, classes: Mapping[str, Class], ship: Mapping[str, Any]
) -> Unit:
    """Return one of the reader's own ships."""
    cls, size = classes.get(key, ("", UNKNOWN_SIZE))
    armour = sum(sum(layer) for layer in ship.get("armour", ()))
    return Unit(
        key=key,
        name=names.of(key),
        bogey="",
        cls=cls,
        size=size,
        rows=_undamaged_rows(ship),
        armour=armour,
    )


def _contact_unit(unit: Unit | None, contact: Mapping[str, Any], names: SideNames) -> Unit:
    """Return a contact's unit: `unit`, unless it is None or the contact shows its class first."""
    key = str(contact["id"])
    cls = str(contact.get("class", ""))
    if unit is not None and (unit.cls or not cls):
        return unit
    was_bogey = unit is not None or not cls
    return Unit(
        key=key,
        name=names.of(key),
        bogey=contact_name(key) if was_bogey else "",
        cls=phrase(cls) if cls else "",
        size=str(contact["classification"]),
    )


def _undamaged_rows(ship: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the boxes of an undamaged hull by rows.

    A view states only the boxes left in each row and the damage. Damage is crossed off from the
    first row on, so it is spread over the rows up to the first that has boxes left.
    """
    boxes_left = [int(boxes) for boxes in ship["boxes_left"]]
    damage = int(ship["damage"])
    if not damage or not boxes_left:
        return tuple(boxes_left)
    row_hit = next((n for n, boxes in enumerate(boxes_left) if boxes), len(boxes_left) - 1)
    share, remainder = divmod(damage, row_hit + 1)
    for n in range(row_hit + 1):
        boxes_left[n] += share
        if n < remainder:
            boxes_left[n] += 1
    return tuple(boxes_left)


# The document names units by index, leaves empty values out, and stores equal sets of pieces once.
# The page loads dice from the pages of the turns when they are asked for.


def document_of(replay: Replay) -> dict[str, Any]:
    """Return the replay as a document for `static/js/battle_replay.js`."""
    indexes = {key: (n, unit.name) for n, (key, unit) in enumerate(replay.units.items())}
    piece_sets = list(dict.fromkeys(moment.pieces for moment in replay.moments))
    phases = list(dict.fromkeys(moment.phase for moment in replay.moments))
    return {
        "table": list(replay.table),
        "wreck": ShipStatus.label_of(DESTROYED),
        "mine": replay.own_side,
        "sides": [{"name": side.name, "seat": side.seat} for side in replay.sides],
        "units": [_unit(unit) for unit in replay.units.values()],
        "moments": [_moment(moment, indexes, piece_sets, phases) for moment in replay.moments],
        "phases": phases,
        "pieces": [list(map(_piece, pieces)) for pieces in piece_sets],
    }


def _unit(unit: Unit) -> dict[str, Any]:
    """Return a unit of the document."""
    document: dict[str, Any] = {"name": unit.name, "size": unit.size}
    extra = {
        "bogey": unit.bogey,
        "code": unit.code,
        "cls": unit.cls,
        "rows": list(unit.rows),
        "armour": unit.armour,
    }
    return document | {name: value for name, value in extra.items() if value}


def _moment(
    moment: Moment,
    indexes: UnitIndexes,
    piece_sets: Sequence[tuple[Piece, ...]],
    phases: Sequence[str],
) -> dict[str, Any]:
    """Return a moment of the document; keys are short because a long battle has thousands."""
    consequences = []
    for words, is_destroyed in moment.consequences:
        consequences.append([_parts(words, indexes), int(is_destroyed)])
    changes = {key: _change(key, new, moment) for key, new in moment.changes.items()}
    document: dict[str, Any] = {
        "t": moment.turn,
        "p": phases.index(moment.phase),
        "k": moment.kind,
        "say": [_parts(words, indexes) for words in moment.sentences],
        "end": consequences,
        "who": indexes[moment.shooter][0] if moment.shooter in indexes else None,
        "acts": list(_acts(moment.acts, indexes)),
        "set": _by_index(changes, indexes),
        "on": piece_sets.index(moment.pieces) or None,
    }
    result: dict[str, Any] = {}
    for name, value in document.items():
        if value not in ([], {}, None):
            result[name] = value
    return result


def _by_index(values: Mapping[str, T], indexes: UnitIndexes) -> dict[int, T]:
    """Return values of units by the units' indexes in the document."""
    result = {}
    for key, value in values.items():
        if key in indexes:
            index, _ = indexes[key]
            result[index] = value
    return result


def _acts(acts: Iterable[Act], indexes: UnitIndexes) -> Iterable[Act]:
    """Yield acts with units by index; an act about a unit that the side never saw is left out."""
    for act in acts:
        indexed: Act = {}
        for name, value in act.items():
            if name in UNIT_NAMES and isinstance(value, str):
                index, _ = indexes.get(value, (None, ""))
                indexed[name] = index
            elif name == "path":
                indexed[name] = _compact_path(value)
            else:
                indexed[name] = value
        if None not in indexed.values():
            yield indexed


def _compact_path(path: Sequence[Point]) -> list[list[float]]:
    """Return points with whole numbers as integers."""
    result: list[list[float]] = []
    for point in path:
        result.append([int(value) if value == int(value) else value for value in point])
    return result


def _parts(sentence: Sentence, indexes: UnitIndexes) -> list[Any]:
    """Return words unchanged, and a unit as [its index] with its name if that differed then."""
    parts: list[Any] = []
    for part in sentence:
        parts.append(part if isinstance(part, str) else _unit_part(part, indexes))
    return parts


def _unit_part(part: tuple[str, str], indexes: UnitIndexes) -> Any:
    """Return a unit in a sentence as [index], or [index, name] if its name was another then."""
    key, name = part
    if key not in indexes:
        return name
    index, last_name = indexes[key]
    if name == last_name:
        return [index]
    return [index, name]


def _change(key: str, changes: UnitState, moment: Moment) -> dict[str, Any]:
    """Return a unit's changes; its place only if it is not the end of its path."""
    path = moment.paths.get(key)
    if path is None:
        return dict(changes)
    x = changes.get("x", path[-1][0])
    y = changes.get("y", path[-1][1])
    rest = {name: value for name, value in changes.items() if name not in ("x", "y")}
    if (x, y) == path[-1]:
        return rest
    return {**rest, "x": x, "y": y}


def _piece(piece: Piece) -> dict[str, Any]:
    """Return a piece of the document."""
    document: dict[str, Any] = {
        "kind": piece.kind,
        "x": piece.x,
        "y": piece.y,
        "words": piece.words,
    }
    if piece.r:
        document["r"] = piece.r
    if piece.side is not None:
        document["s"] = piece.side
    return document


__all__ = ["Class", "Replay", "ReplaySide", "Unit", "document_of", "replay_of"]

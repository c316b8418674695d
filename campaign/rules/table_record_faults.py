"""The faults of entries in the record of a battle at a table, with their places. All pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from campaign.rules.set_up_sheets import place_faults
from campaign.rules.table_record import (
    KEYS,
    PHASES,
    SETTING_UP,
    Entry,
    Marks,
    RecordState,
    all_sealed,
    bodies_to_place,
    check_of,
    first_to_set_up,
    ground_targets,
    has_set_up,
    own_ids,
)
from engine.battle import begin
from engine.core.deployment import OpenBody, open_body_from
from engine.core.errors import Violation
from engine.core.kinds import DESTROYED, FIGHTING, DestroyedBy
from engine.core.phrase import phrase
from engine.notation.battle_file import BattleFileDocument
from engine.notation.battle_ships import read_pair
from engine.notation.battles import read_battle
from engine.notation.laid_bodies import with_named_edges
from engine.notation.open_bodies import BOTH, place_fault
from engine.notation.reading import Reader
from engine.ship_profiles import profile_of
from engine.table_results.ends import ENDS, ENDS_OF_DUMMIES, MAX_TURNS, TAKEN_STATUSES, End
from engine.table_results.validation import fate_faults, least_lost, most_stock, own_state

MAX_DICE: Final = 60
MAX_TEXT: Final = 200
FILE_KEYS: Final = ("terrain", "gates")  # of a sheet's set-up, those of a battle file
PROPOSED_KEYS: Final = ("at", "course")  # of a ship, those that depend on where bodies are
WHERE_KEYS: Final = ("kind", "zones")  # of a deployment: those that say where ships may begin
TEXT_WORDS: Final = phrase("expected a line of at most {} characters", MAX_TEXT)


def entry_faults(
    sheet: Mapping[str, Any], record: RecordState, faction: str, entry: object
) -> tuple[Violation, ...]:
    """Return all faults of an entry, with their places in it."""
    if not isinstance(entry, Mapping) or entry.get("kind") not in KEYS:
        return (Violation("kind", "kind", phrase("an entry must be one of {}", ", ".join(KEYS))),)
    faults = _key_faults(entry, KEYS[entry["kind"]])
    return tuple(faults) or tuple(_content_faults(sheet, record, faction, entry))


def _key_faults(entry: Entry, keys: Mapping[str, type]) -> list[Violation]:
    """Return the faults of missing and unknown keys, and of values of the wrong type."""
    faults = []
    for key in keys:
        if key not in entry:
            faults.append(Violation(key, "missing", phrase("expected {}", key)))
    for key in entry:
        if key != "kind" and key not in keys:
            words = phrase("there is no such key; choose from {}", ", ".join(keys))
            faults.append(Violation(str(key), "unknown-key", words))
    for key, type_ in keys.items():
        if key not in entry:
            continue
        value = entry[key]
        if not _has_type(value, type_):
            faults.append(Violation(key, "type", phrase("{} has the wrong type", key)))
        elif isinstance(value, str) and not _is_valid_text(value):
            faults.append(Violation(key, "text", TEXT_WORDS))
    return faults


def _has_type(value: object, type_: type) -> bool:
    """Return whether a value has a type; True and False are no numbers."""
    if type_ is int and isinstance(value, bool):
        return False
    return isinstance(value, type_)


def _is_valid_text(value: str) -> bool:
    """Return whether a text is one line of printable characters within the limit."""
    return len(value) <= MAX_TEXT and value.isprintable()


def _are_dice(rolls: Iterable[object], sides: int) -> bool:
    """Return whether all rolls are numbers that dice with so many sides can show."""
    return all(type(die) is int and 1 <= die <= sides for die in rolls)


def _content_faults(
    sheet: Mapping[str, Any], record: RecordState, faction: str, entry: Entry
) -> Iterable[Violation]:
    """Yield the faults of an entry whose keys are complete and have the right types."""
    kind = entry["kind"]
    if kind in ("dice", "throw", "reveal"):
        yield from _dice_faults(record, entry)
    elif kind == "plot":
        yield from _plot_faults(sheet, record, faction, entry)
    elif kind == "phase":
        yield from _phase_faults(sheet, record, entry)
    elif kind in ("set_up", "body"):
        yield from _start_faults(sheet, record, faction, entry)
    elif kind == "ground":
        yield from _ground_faults(sheet, entry)
    elif entry["ship"] not in record.marks:
        words = phrase("you have no such ship here; choose from {}", ", ".join(record.marks))
        yield Violation("ship", "unknown-ship", words)
    else:
        yield from _mark_faults(sheet, record.marks[entry["ship"]], entry)
        yield from _reserved_faults(record, entry)


def _dice_faults(record: RecordState, entry: Entry) -> Iterable[Violation]:
    """Yield the faults of dice that are about no ship, and of showing reserved dice."""
    kind = entry["kind"]
    if kind == "dice":
        rolls = entry["rolls"]
        if not 1 <= len(rolls) <= MAX_DICE or not _are_dice(rolls, sides=12):
            words = phrase("1 to {} dice, each with a number from 1 to 12", MAX_DICE)
            yield Violation("rolls", "dice", words)
    elif kind == "throw":
        if not 1 <= entry["dice"] <= MAX_DICE:
            yield Violation("dice", "dice", phrase("1 to {} dice", MAX_DICE))
    elif entry["number"] not in {*record.reserved, *record.shown}:
        words = phrase("your side has reserved no dice with this number")
        yield Violation("number", "unknown-throw", words)


def _reserved_faults(record: RecordState, entry: Entry) -> Iterable[Violation]:
    """Yield the fault of a threshold check whose dice are reserved already."""
    if entry["kind"] != "check":
        return
    for reserved in record.reserved.values():
        if (reserved.get("ship"), reserved.get("row")) == (entry["ship"], entry["row"]):
            words = phrase("the dice of this check are reserved: show them")
            yield Violation("row", "reserved", words)


def _plot_faults(
    sheet: Mapping[str, Any], record: RecordState, faction: str, entry: Entry
) -> Iterable[Violation]:
    """Yield the faults of a plot: its turn, a second plot, foreign ships, malformed orders."""
    turn = entry["turn"]
    ship_ids = own_ids(sheet, faction)
    if record.turn == SETTING_UP:
        yield Violation("turn", "turn", phrase("the set-up comes before the plots of turn 1"))
    elif not 1 <= turn <= min(record.turn, MAX_TURNS):
        yield Violation("turn", "turn", phrase("it is turn {}", record.turn))
    if faction in record.sealed.get(turn, ()):
        words = phrase("the plot of this turn is already sealed and cannot be changed")
        yield Violation("turn", "sealed", words)
    for id_, text in entry["orders"].items():
        if id_ not in ship_ids:
            yield Violation(f"orders.{id_}", "unknown-ship", phrase("you have no such ship here"))
        elif not isinstance(text, str) or not _is_valid_text(text):
            yield Violation(f"orders.{id_}", "orders", TEXT_WORDS)


def _start_faults(
    sheet: Mapping[str, Any], record: RecordState, faction: str, entry: Entry
) -> Iterable[Violation]:
    """Return the faults of an entry before turn 1: where a body is, or ships begin."""
    if entry["kind"] == "body":
        return _body_faults(sheet, record, entry)
    return _set_up_faults(sheet, record, faction, entry)


def _set_up_faults(
    sheet: Mapping[str, Any], record: RecordState, faction: str, entry: Entry
) -> Iterable[Violation]:
    """Yield the faults of a set-up: a second one, foreign ships, places outside the zone."""
    if not has_set_up(sheet):
        yield Violation("kind", "set-up", phrase("this battle has no set-up"))
    elif faction in record.sealed.get(SETTING_UP, ()):
        words = phrase("your set-up is already sealed and cannot be changed")
        yield Violation("places", "sealed", words)
    elif not _is_turn_to_set_up(sheet, record):
        words = phrase("the other side sets up first, and you see its ships then")
        yield Violation("places", "out-of-turn", words)
    else:
        ship_ids = own_ids(sheet, faction)
        for id_ in entry["places"]:
            if id_ not in ship_ids:
                words = phrase("you have no such ship here")
                yield Violation(f"places.{id_}", "unknown-ship", words)
        own = {id_: place for id_, place in entry["places"].items() if id_ in ship_ids}
        yield from place_faults(_zone_file(sheet, record), own, "places")


def _body_faults(
    sheet: Mapping[str, Any], record: RecordState, entry: Entry
) -> Iterable[Violation]:
    """Yield the faults of where a body is: another side's, placed too late or in a wrong place."""
    bodies = {body["id"]: body for body in bodies_to_place(sheet)}
    document = bodies.get(entry["body"])
    if document is None:
        words = phrase("no such body; choose from {}", ", ".join(bodies) or "—")
        yield Violation("body", "unknown-body", words)
    elif document["by"] not in (BOTH, sheet["side"]):
        yield Violation("body", "not-yours", phrase("the other side places this body"))
    elif record.turn != SETTING_UP or record.sealed.get(SETTING_UP):
        yield Violation("body", "sealed", phrase("bodies are placed before all ships"))
    else:
        body = open_body_from({**document, "by": None})
        yield from _body_place_faults(body, bodies, tuple(sheet["table"]), record, entry["at"])


def _body_place_faults(
    body: OpenBody,
    bodies: Mapping[str, Mapping[str, Any]],
    table: tuple[float, float],
    record: RecordState,
    place: object,
) -> Iterable[Violation]:
    """Yield the faults of the place of a body: unreadable, off the table or too near another one.

    Args:
        bodies: All bodies that the sides place, by id.
    """
    reader = Reader()
    at = read_pair(reader, data={"at": place}, key="at", where="", default=None)
    if reader.faults:
        yield from reader.faults
        return
    others = []
    for id_, (x, y) in record.bodies.items():
        keeps_distance = bodies[id_]["asteroid"] or not body.is_asteroid
        if id_ != body.id and keeps_distance:
            others.append((x, y))
    words = place_fault(at, body, others, table)
    if words:
        yield Violation("at", "deployment", words)


def _is_turn_to_set_up(sheet: Mapping[str, Any], record: RecordState) -> bool:
    """Return whether a side may seal its set-up: no other one has still to do so before it."""
    first = first_to_set_up(sheet)
    if first in ("", sheet["side"]):
        return True
    return record.sealed.get(SETTING_UP, set()) >= set(first.split("+"))


def proposed_places(sheet: Mapping[str, Any], record: RecordState) -> dict[str, dict[str, Any]]:
    """Return where captains would place a side's ships, by id, now that bodies are placed."""
    if not record.bodies:
        return {}
    places = {}
    for ship in begin(read_battle(_zone_file(sheet, record), {})).state.ships:
        places[str(ship.id)] = {"at": [ship.x, ship.y], "course": ship.course}
    return places


def _zone_file(sheet: Mapping[str, Any], record: RecordState) -> BattleFileDocument:
    """Return the battle file by which the places of a set-up are checked.

    At the table the sides may place their ships in turn; the site only checks where they are.
    Bodies count where the record has them; captains then propose other places for the ships.
    """
    set_up = sheet["set_up"]
    stations = {**set_up.get("stations", {}), **record.bodies}
    deployment = with_named_edges(set_up["deployment"], tuple(sheet["table"]), stations)
    file = {key: sheet[key] for key in ("edition", "rules", "options", "table", "hostile")}
    own = [_own_entry(ship, record) for ship in sheet["own"]]
    sides = []
    for side in sheet["sides"]:
        sides.append({"name": side, "ships": own if side == sheet["side"] else []})
    return cast(
        BattleFileDocument,
        {
            **file,
            **{key: set_up[key] for key in FILE_KEYS if key in set_up},
            "bogeys": sheet["bogeys"],
            "asteroids": _placed_asteroids(sheet, record),
            "sides": sides,
            "deployment": {key: deployment[key] for key in WHERE_KEYS if key in deployment},
        },
    )


def _own_entry(ship: Mapping[str, Any], record: RecordState) -> Mapping[str, Any]:
    """Return a ship of the side as the file of its zone has it, after bodies have been placed."""
    if record.bodies and not ship.get("fixed"):
        return {key: ship[key] for key in ship if key not in PROPOSED_KEYS}
    if ship["id"] in record.bodies:
        return {**ship, "at": record.bodies[ship["id"]]}
    return ship


def _placed_asteroids(sheet: Mapping[str, Any], record: RecordState) -> list[dict[str, Any]]:
    """Return the asteroids that have been placed, as a battle file has them."""
    asteroids = []
    for body in bodies_to_place(sheet):
        if body["asteroid"] and body["id"] in record.bodies:
            asteroids.append({"at": record.bodies[body["id"]], "radius": body["radius"]})
    return asteroids


def _phase_faults(
    sheet: Mapping[str, Any], record: RecordState, entry: Entry
) -> Iterable[Violation]:
    """Yield the faults of a step to another phase: it may not skip a turn or unsealed plots."""
    turn = entry["turn"]
    phase = entry["phase"]
    if not 0 <= phase < len(PHASES) or not 1 <= turn <= MAX_TURNS:
        words = phrase("phases are numbered from 0 to {}", len(PHASES) - 1)
        yield Violation("phase", "phase", words)
        return
    is_later = (turn, phase) > (record.turn, record.phase)
    is_next_start = turn == record.turn + 1 and phase == 0
    if is_later and turn > record.turn and not is_next_start:
        words = phrase("after turn {} comes the beginning of turn {}", record.turn, record.turn + 1)
        yield Violation("turn", "turn", words)
    elif is_later and not all_sealed(sheet, record, record.turn):
        words = phrase("the turn goes on when all sides have sealed their plots")
        if record.turn == SETTING_UP:
            words = phrase("turn 1 begins when all sides have sealed their set-up")
        yield Violation("turn", "not-sealed", words)


def _ground_faults(sheet: Mapping[str, Any], entry: Entry) -> Iterable[Violation]:
    """Yield the faults of damage to a ground target, which is never repaired in a battle."""
    sites = {str(site["id"]): site for site in ground_targets(sheet)}
    site = sites.get(entry["site"])
    if site is None:
        words = phrase("no such ground target; choose from {}", ", ".join(sites) or "—")
        yield Violation("site", "unknown-target", words)
    elif not site["damage"] <= entry["damage"] <= site["boxes"]:
        yield Violation("damage", "damage", phrase("{} to {}", site["damage"], site["boxes"]))


def _mark_faults(sheet: Mapping[str, Any], marks: Marks, entry: Entry) -> Iterable[Violation]:
    """Yield the faults of a mark on the record sheet of one of the side's ships."""
    kind = entry["kind"]
    ship = marks.ship
    if kind == "end":
        yield from _end_faults(sheet, marks, entry)
    elif ship.dummy:
        yield Violation("ship", "dummy", phrase("a decoy drone has nothing to mark"))
    elif kind == "boxes":
        if not ship.damage < entry["first"] <= entry["last"] <= ship.sheet.boxes:
            words = phrase("boxes {} to {} can be marked", ship.damage + 1, ship.sheet.boxes)
            yield Violation("first", "boxes", words)
    elif kind == "system":
        yield from _system_faults(sheet, marks, entry)
    elif kind == "check":
        yield from _check_faults(sheet, marks, entry)
    elif kind == "stock":
        most = most_stock(ship).get(entry["name"])
        if most is None:
            yield Violation("name", "unknown-store", phrase("the ship has no such store"))
        elif not 0 <= entry["left"] <= most:
            yield Violation("left", "left", phrase("0 to {}", most))


def _system_faults(sheet: Mapping[str, Any], marks: Marks, entry: Entry) -> Iterable[Violation]:
    """Yield the faults of hits on a system; those of before the battle cannot be taken back."""
    ship = marks.ship
    name = entry["system"]
    hits = entry["hits"]
    index = ship.profile.index_of.get(name)
    if index is None:
        yield Violation("system", "unknown-system", phrase("the ship has no such system"))
        return
    least = least_lost(ship, sheet["options"])[name]
    full = ship.profile.undamaged[index]
    if not least <= hits <= full:
        yield Violation("hits", "hits", phrase("{} to {}", least, full))
    elif marks.status != FIGHTING:
        lost_systems = [system_id for system_id in marks.lost if system_id != name]
        lost_systems += [name] * hits
        end = End(
            status=marks.status,
            damage=marks.damage,
            lost=tuple(lost_systems),
            stock=(),
            captor=marks.captor,
            cause=marks.how,
        )
        yield from fate_faults(own_state(sheet), ship, end)


def _check_faults(sheet: Mapping[str, Any], marks: Marks, entry: Entry) -> Iterable[Violation]:
    """Yield the faults of a threshold check: not due, rolled before, or a wrong number of dice."""
    row = entry["row"]
    rolls = entry["rolls"]
    if row not in dict(profile_of(marks.ship.sheet).row_ends) or marks.damage < row:
        yield Violation("row", "row", phrase("no threshold check is due for this row"))
    elif row in marks.checks:
        words = phrase("the threshold check for this row has already been rolled")
        yield Violation("row", "checked", words)
    is_rolled_by_site = entry["site"]
    if is_rolled_by_site:
        count = 0
    else:
        count = len(check_of(sheet, marks, row))
    if len(rolls) != count or not _are_dice(rolls, sides=6):
        words = phrase("{} dice from 1 to 6, in the order of the systems", count)
        yield Violation("rolls", "dice", words)


def _end_faults(sheet: Mapping[str, Any], marks: Marks, entry: Entry) -> Iterable[Violation]:
    """Yield the faults of how a ship left the battle: its status, captor and cause."""
    ends = ENDS_OF_DUMMIES if marks.ship.dummy else ENDS
    status = entry["status"]
    captor = entry["captor"]
    cause = entry["how"]
    is_captured = status in TAKEN_STATUSES
    has_wrong_captor = is_captured != bool(captor) or (is_captured and captor not in sheet["sides"])
    if status not in ends:
        yield Violation("status", "status", phrase("one of {}", ", ".join(ends)))
    elif has_wrong_captor:
        words = phrase("say which side captured the ship, and only for a captured ship")
        yield Violation("captor", "captor", words)
    elif cause and (status != DESTROYED or cause not in tuple(DestroyedBy)):
        words = phrase("for a destroyed ship, one of {}", ", ".join(DestroyedBy))
        yield Violation("how", "how", words)
    elif not marks.ship.dummy:
        end = End(
            status=status,
            damage=marks.damage,
            lost=tuple(marks.lost),
            stock=(),
            captor=captor,
            cause=cause,
        )
        yield from fate_faults(own_state(sheet), marks.ship, end)

"""The faults of entries in the record of a battle at a table, with their places. All pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from campaign.rules.table_record import (
    KEYS,
    PHASES,
    Entry,
    Marks,
    RecordState,
    all_sealed,
    check_of,
    ground_targets,
    own_ids,
)
from engine.core.errors import Violation
from engine.core.kinds import DESTROYED, FIGHTING, DestroyedBy
from engine.core.phrase import phrase
from engine.ship_profiles import profile_of
from engine.table_results.ends import ENDS, ENDS_OF_DUMMIES, MOST_TURNS, TAKEN_STATUSES, End
from engine.table_results.validation import fate_faults, least_lost, most_stock, own_state

MOST_DICE: Final = 60
MOST_TEXT: Final = 200
TEXT_WORDS: Final = phrase("expected a line of at most {} characters", MOST_TEXT)


def entry_faults(
    sheet: Mapping[str, Any], record: RecordState, faction: str, entry: object
) -> tuple[Violation, ...]:
    """Return all faults of an entry, with their places in it."""
    if not isinstance(entry, Mapping) or entry.get("kind") not in KEYS:
        return (Violation("kind", "kind", phrase("an entry must be one of {}", ", ".join(KEYS))),)
    keys = KEYS[entry["kind"]]
    faults = []
    for key in keys:
        if key not in entry:
            faults.append(Violation(key, "missing", phrase("expected {}", key)))
    faults += [
        Violation(
            str(key), "unknown-key", phrase("there is no such key; choose from {}", ", ".join(keys))
        )
        for key in entry
        if key != "kind" and key not in keys
    ]
    for key, type_ in keys.items():
        value = entry.get(key)
        if key in entry and (
            not isinstance(value, type_) or (type_ is int and isinstance(value, bool))
        ):
            faults.append(Violation(key, "type", phrase("{} has the wrong type", key)))
        elif isinstance(value, str) and not _is_valid_text(value):
            faults.append(Violation(key, "text", TEXT_WORDS))
    return tuple(faults) or tuple(_content_faults(sheet, record, faction, entry))


def _is_valid_text(value: str) -> bool:
    """Return whether a text is one line of printable characters within the limit."""
    return len(value) <= MOST_TEXT and value.isprintable()


def _content_faults(
    sheet: Mapping[str, Any], record: RecordState, faction: str, entry: Entry
) -> Iterable[Violation]:
    kind = entry["kind"]
    if kind == "dice":
        rolls = entry["rolls"]
        if not 1 <= len(rolls) <= MOST_DICE or any(
            type(die) is not int or not 1 <= die <= 12 for die in rolls
        ):
            yield Violation(
                "rolls", "dice", phrase("1 to {} dice, each with a number from 1 to 12", MOST_DICE)
            )
    elif kind == "throw":
        if not 1 <= entry["dice"] <= MOST_DICE:
            yield Violation("dice", "dice", phrase("1 to {} dice", MOST_DICE))
    elif kind == "plot":
        yield from _plot_faults(sheet, record, faction, entry)
    elif kind == "phase":
        yield from _phase_faults(sheet, record, entry)
    elif kind == "ground":
        yield from _ground_faults(sheet, entry)
    elif entry["ship"] not in record.marks:
        yield Violation(
            "ship",
            "unknown-ship",
            phrase("you have no such ship here; choose from {}", ", ".join(record.marks)),
        )
    else:
        yield from _mark_faults(sheet, record.marks[entry["ship"]], entry)


def _plot_faults(
    sheet: Mapping[str, Any], record: RecordState, faction: str, entry: Entry
) -> Iterable[Violation]:
    turn = entry["turn"]
    ship_ids = own_ids(sheet, faction)
    if not 1 <= turn <= min(record.turn, MOST_TURNS):
        yield Violation("turn", "turn", phrase("it is turn {}", record.turn))
    if faction in record.sealed.get(turn, ()):
        yield Violation(
            "turn",
            "sealed",
            phrase("the plot of this turn is already sealed and cannot be changed"),
        )
    for id_, text in entry["orders"].items():
        if id_ not in ship_ids:
            yield Violation(f"orders.{id_}", "unknown-ship", phrase("you have no such ship here"))
        elif not isinstance(text, str) or not _is_valid_text(text):
            yield Violation(f"orders.{id_}", "orders", TEXT_WORDS)


def _phase_faults(
    sheet: Mapping[str, Any], record: RecordState, entry: Entry
) -> Iterable[Violation]:
    turn = entry["turn"]
    phase = entry["phase"]
    if not 0 <= phase < len(PHASES) or not 1 <= turn <= MOST_TURNS:
        yield Violation(
            "phase", "phase", phrase("phases are numbered from 0 to {}", len(PHASES) - 1)
        )
    elif (turn, phase) > (record.turn, record.phase):
        if turn > record.turn + 1 or (turn > record.turn and phase):
            yield Violation(
                "turn",
                "turn",
                phrase(
                    "after turn {} comes the beginning of turn {}", record.turn, record.turn + 1
                ),
            )
        elif not all_sealed(sheet, record, record.turn):
            yield Violation(
                "turn",
                "not-sealed",
                phrase("the turn goes on when all sides have sealed their plots"),
            )


def _ground_faults(sheet: Mapping[str, Any], entry: Entry) -> Iterable[Violation]:
    sites = {str(site["id"]): site for site in ground_targets(sheet)}
    site = sites.get(entry["site"])
    if site is None:
        yield Violation(
            "site",
            "unknown-target",
            phrase("no such ground target; choose from {}", ", ".join(sites) or "—"),
        )
    elif not site["damage"] <= entry["damage"] <= site["boxes"]:
        yield Violation("damage", "damage", phrase("{} to {}", site["damage"], site["boxes"]))


def _mark_faults(sheet: Mapping[str, Any], marks: Marks, entry: Entry) -> Iterable[Violation]:
    kind = entry["kind"]
    ship = marks.ship
    if kind == "end":
        yield from _end_faults(sheet, marks, entry)
    elif ship.dummy:
        yield Violation("ship", "dummy", phrase("a decoy drone has nothing to mark"))
    elif kind == "boxes":
        if not ship.damage < entry["first"] <= entry["last"] <= ship.sheet.boxes:
            yield Violation(
                "first",
                "boxes",
                phrase("boxes {} to {} can be marked", ship.damage + 1, ship.sheet.boxes),
            )
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
    ship = marks.ship
    name = entry["system"]
    hits = entry["hits"]
    place = ship.profile.index_of.get(name)
    if place is None:
        yield Violation("system", "unknown-system", phrase("the ship has no such system"))
        return
    least = least_lost(ship, sheet["options"])[name]
    full = ship.profile.undamaged[place]
    if not least <= hits <= full:
        yield Violation("hits", "hits", phrase("{} to {}", least, full))
    elif marks.status != FIGHTING:
        lost = [system_id for system_id in marks.lost if system_id != name] + [name] * hits
        end = End(marks.status, marks.damage, tuple(lost), (), marks.captor, marks.how)
        yield from fate_faults(own_state(sheet), ship, end)


def _check_faults(sheet: Mapping[str, Any], marks: Marks, entry: Entry) -> Iterable[Violation]:
    row = entry["row"]
    rolls = entry["rolls"]
    if row not in dict(profile_of(marks.ship.sheet).row_ends) or marks.damage < row:
        yield Violation("row", "row", phrase("no threshold check is due for this row"))
    elif row in marks.checks:
        yield Violation(
            "row", "checked", phrase("the threshold check for this row has already been rolled")
        )
    if entry["site"]:
        count = 0
    else:
        count = len(check_of(sheet, marks, row))
    if len(rolls) != count or any(type(die) is not int or not 1 <= die <= 6 for die in rolls):
        yield Violation(
            "rolls", "dice", phrase("{} dice from 1 to 6, in the order of the systems", count)
        )


def _end_faults(sheet: Mapping[str, Any], marks: Marks, entry: Entry) -> Iterable[Violation]:
    ends = ENDS_OF_DUMMIES if marks.ship.dummy else ENDS
    is_captured = entry["status"] in TAKEN_STATUSES
    if entry["status"] not in ends:
        yield Violation("status", "status", phrase("one of {}", ", ".join(ends)))
    elif is_captured != bool(entry["captor"]) or (
        is_captured and entry["captor"] not in sheet["sides"]
    ):
        yield Violation(
            "captor",
            "captor",
            phrase("say which side captured the ship, and only for a captured ship"),
        )
    elif entry["how"] and (entry["status"] != DESTROYED or entry["how"] not in tuple(DestroyedBy)):
        yield Violation(
            "how", "how", phrase("for a destroyed ship, one of {}", ", ".join(DestroyedBy))
        )
    elif not marks.ship.dummy:
        end = End(
            entry["status"], marks.damage, tuple(marks.lost), (), entry["captor"], entry["how"]
        )
        yield from fate_faults(own_state(sheet), marks.ship, end)

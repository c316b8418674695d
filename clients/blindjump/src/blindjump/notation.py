"""A week's orders as people type them, one a line, and back: `move ember/f2 0303`.

    move FLEET HEX [HEX ...]              one hex: go there by a route the umpire finds; more: the path, hex by hex
    detach SHIP [SHIP ...] into FLEET [name NAME] [decoys N]
    dock SHIP [repair SYSTEM ...] [replenish] [scuttle]
    refit SHIP SYSTEM [SETTING]           without a setting: as its class has it
    tow TUG [SHIP ...]
    weasel SHIP
    decide HEX FACTION fight|stand-off|withdraw
    standing FLEET fight|stand-off|withdraw
    answer FLEET CHOICE [of KIND] [least N] [most N]   a condition, in their order; `answer FLEET none` takes them back
    name FLEET NAME
    decoys FLEET N
    doctrine FLEET [range MU] [targets nearest|weakest|strongest|dangerous] [break-off PERCENT] [flee]
    build HEX CLASS NAME                  a new ship; `convert HEX CLASS SHIP` makes a docked one of it
    cancel WORK
    dummy KEY HEX                         `dummy KEY remove` takes it off the map

Orders in `blindjump.lines` are typed as a word for each of their entries.
Names with spaces stand in quotation marks; what follows # is a remark. Deployments and designs are written as JSON.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Any

from blindjump.errors import Misused
from blindjump.lines import LINES, Line

Orders = dict[str, Any]

PARTS = dict.fromkeys(line.part for line in LINES)


def read(text: str) -> tuple[Orders, dict[str, int]]:
    """Orders as the API takes them, and in which line each place of them was begun (`moves[0]`: 3).
    Raises Misused with every line that cannot be understood.
    """
    orders: Orders = {"schema": 1}
    begun: dict[str, int] = {}
    wrong = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            words = shlex.split(line, comments=True)
            if words:
                verb = VERBS.get(words[0].lower())
                if verb is None:
                    raise ValueError(f"no order begins with '{words[0]}'; known: {', '.join(VERBS)}")
                verb(orders, words[1:])
                for part in orders.keys() - {"schema"}:  # as many as there are kinds of orders
                    if orders[part]:
                        begun.setdefault(f"{part}[{len(orders[part]) - 1}]", number)
        except ValueError as error:
            wrong.append(f"line {number}: {error}")
    if wrong:
        raise Misused("\n".join(wrong))
    if "settings" in orders:
        orders["settings"] = [*orders["settings"].values()]
    return orders, begun


def _need(words: list[str], least: int, form: str, most: int | None = None) -> None:
    if len(words) < least or (most is not None and len(words) > most):
        raise ValueError(f"write `{form}`")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"'{text}' is not a whole number")
    return int(text)


def _add(orders: Orders, part: str, item: Any) -> None:
    orders.setdefault(part, []).append(item)


def _move(orders: Orders, words: list[str]) -> None:
    _need(words, 2, "move FLEET HEX [HEX ...]")
    fleet, *hexes = words
    _add(orders, "moves", {"fleet": fleet, "to": hexes[0]} if len(hexes) == 1 else {"fleet": fleet, "path": hexes})


def _detach(orders: Orders, words: list[str]) -> None:
    form = "detach SHIP [SHIP ...] into FLEET [name NAME] [decoys N]"
    if "into" not in words[1:-1]:
        raise ValueError(f"write `{form}`")
    at = words.index("into", 1)
    item: Orders = {"ships": words[:at], "into": words[at + 1]}
    rest = words[at + 2 :]
    while rest:
        _need(rest, 2, form)
        if rest[0] not in ("name", "decoys"):
            raise ValueError(f"write `{form}`")
        item[rest[0]] = rest[1] if rest[0] == "name" else _number(rest[1])
        rest = rest[2:]
    _add(orders, "detach", item)


def _dock(orders: Orders, words: list[str]) -> None:
    _need(words, 1, "dock SHIP [repair SYSTEM ...] [replenish] [scuttle]")
    item: Orders = {"ship": words[0]}
    repairing = False
    for word in words[1:]:
        if word in ("replenish", "scuttle"):
            item[word], repairing = True, False
        elif word == "repair":
            repairing = True
        elif repairing:
            item.setdefault("repair", []).append(word)
        else:
            raise ValueError("write `dock SHIP [repair SYSTEM ...] [replenish] [scuttle]`")
    _add(orders, "dock", item)


def _refit(orders: Orders, words: list[str]) -> None:
    _need(words, 2, "refit SHIP SYSTEM [SETTING]", 3)
    _add(orders, "refit", {"ship": words[0], "system": words[1], "setting": words[2] if len(words) == 3 else ""})


def _tow(orders: Orders, words: list[str]) -> None:
    _need(words, 1, "tow TUG [SHIP ...]")
    _add(orders, "tow", {"tug": words[0], "ships": words[1:]})


def _dummy(orders: Orders, words: list[str]) -> None:
    _need(words, 2, "dummy KEY HEX|remove", 2)
    gone = words[1] == "remove"
    _add(orders, "dummies", {"dummy": words[0], **({"remove": True} if gone else {"hex": words[1]})})


def line_reader(line: Line) -> Callable[[Orders, list[str]], None]:
    """An order that is a word for each of its entries, or one word alone."""

    def one(orders: Orders, words: list[str]) -> None:
        many = len(line.names) or 1
        _need(words, many, line.form, many)
        _add(orders, line.part, dict(zip(line.names, words, strict=True)) if line.names else words[0])

    return one


def _setting(part: str, form: str, value: Callable[[str], Any] = str) -> Callable[[Orders, list[str]], None]:
    """An order that sets one thing of a fleet."""

    def one(orders: Orders, words: list[str]) -> None:
        _need(words, 2, form, 2)
        _set(orders, words[0], part, value(words[1]))

    return one


def _doctrine(orders: Orders, words: list[str]) -> None:
    form = "doctrine FLEET [range MU] [targets WHICH] [break-off PERCENT] [flee]"
    _need(words, 2, form)
    found: Orders = {}
    rest = words[1:]
    while rest:
        if rest[0] == "flee":
            found["flee"], rest = True, rest[1:]
            continue
        _need(rest, 2, form)
        if rest[0] not in ("range", "targets", "break-off"):
            raise ValueError(f"write `{form}`")
        found[rest[0].replace("-", "_")] = rest[1] if rest[0] == "targets" else _number(rest[1])
        rest = rest[2:]
    _set(orders, words[0], "doctrine", found)


def _answer(orders: Orders, words: list[str]) -> None:
    form = "answer FLEET CHOICE [of KIND] [least N] [most N]"
    _need(words, 2, form)
    mine, rest = _settings_of(orders, words[0]), words[2:]
    if words[1] == "none":
        mine.setdefault("answers", [])
        return
    found: Orders = {"choice": words[1]}
    while rest:
        _need(rest, 2, form)
        if rest[0] not in ("of", "least", "most") or rest[0] in found:
            raise ValueError(f"write `{form}`")
        found[rest[0]] = rest[1] if rest[0] == "of" else _number(rest[1])
        rest = rest[2:]
    mine.setdefault("answers", []).append(found)


def _set(orders: Orders, fleet: str, part: str, value: Any) -> None:
    """A setting of a fleet, beside those it has."""
    mine = _settings_of(orders, fleet)
    if part in mine:
        raise ValueError(f"this is given twice for {fleet}")
    mine[part] = value


def _settings_of(orders: Orders, fleet: str) -> Orders:
    """The settings of a fleet: each has one entry, by its key until all lines are read."""
    mine: Orders = orders.setdefault("settings", {}).setdefault(fleet, {"fleet": fleet})
    return mine


VERBS: dict[str, Callable[[Orders, list[str]], None]] = {
    "move": _move,
    "detach": _detach,
    "dock": _dock,
    "refit": _refit,
    "tow": _tow,
    "standing": _setting("standing", "standing FLEET fight|stand-off|withdraw"),
    "answer": _answer,
    "name": _setting("name", "name FLEET NAME"),
    "decoys": _setting("decoys_on", "decoys FLEET N", _number),
    "doctrine": _doctrine,
    "dummy": _dummy,
    **{line.verb: line_reader(line) for line in LINES},
}


def written(orders: Orders) -> str | None:
    """The same orders as lines; None where something of them has no line of its own."""
    lines: list[list[str]] = []
    for part, items in orders.items():
        if part == "schema":
            continue
        writer = WRITERS.get(part)
        if writer is None:
            return None
        for item in items:
            lines += writer(item)
    return "\n".join(shlex.join(line) for line in lines)


def _settings_written(item: Orders) -> list[list[str]]:
    fleet = item["fleet"]
    words = {"name": "name", "standing": "standing", "decoys_on": "decoys"}
    lines = [[word, fleet, str(item[part])] for part, word in words.items() if item.get(part) is not None]
    answers = item.get("answers")
    if answers == []:
        lines.append(["answer", fleet, "none"])
    for one in answers or ():
        said = [word for part in ("of", "least", "most") if part in one for word in (part, str(one[part]))]
        lines.append(["answer", fleet, one["choice"], *said])
    if doctrine := item.get("doctrine"):
        line = ["doctrine", fleet]
        for name, value in doctrine.items():
            if name == "flee":
                line += ["flee"] if value else []
            elif value is not None:
                line += [name.replace("_", "-"), str(value)]
        lines.append(line)
    return lines


def _detach_written(item: Orders) -> list[list[str]]:
    line = ["detach", *item["ships"], "into", item["into"]]
    line += ["name", item["name"]] if item.get("name") else []
    return [line + (["decoys", str(item["decoys"])] if item.get("decoys") else [])]


def _dock_written(item: Orders) -> list[list[str]]:
    line = ["dock", item["ship"], *(["repair", *item["repair"]] if item.get("repair") else [])]
    return [line + [word for word in ("replenish", "scuttle") if item.get(word)]]


def line_writer(lines: Sequence[Line]) -> Callable[[Any], list[list[str]]]:
    """Write an order by that of its lines whose entries it has."""

    def written_item(item: Any) -> list[list[str]]:
        if not isinstance(item, dict):
            return [[lines[0].verb, item]]
        line = next((line for line in lines if all(item.get(name) for name in line.names)), lines[0])
        return [[line.verb, *(item.get(name, "") for name in line.names)]]

    return written_item


WRITERS: dict[str, Callable[[Any], list[list[str]]]] = {
    "settings": _settings_written,
    "detach": _detach_written,
    "dock": _dock_written,
    "refit": lambda item: [["refit", item["ship"], item["system"], item.get("setting", "")]],
    "tow": lambda item: [["tow", item["tug"], *item.get("ships", [])]],
    "dummies": lambda item: [["dummy", item["dummy"], "remove" if item.get("remove") else item["hex"]]],
    "moves": lambda item: [["move", item["fleet"], *(item.get("path") or [item["to"]])]],
    **{part: line_writer([line for line in LINES if line.part == part]) for part in PARTS},
}

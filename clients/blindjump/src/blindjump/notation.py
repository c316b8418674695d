"""A week's orders as people type them, one a line, and back: `move ember/f2 0303`.

`blindjump.lines` declares the lines. Deployments and designs have none; they are written as JSON.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any, NoReturn

from blindjump.errors import UsageError
from blindjump.line import Line, Word
from blindjump.lines import LINES

Orders = dict[str, Any]

VERBS: dict[str, list[Line]] = {}
PARTS: dict[str, list[Line]] = {}
for _line in LINES:
    VERBS.setdefault(_line.verb, []).append(_line)
    PARTS.setdefault(_line.part, []).append(_line)


def forms() -> str:
    """Return the form of every line, one a line, with its hint."""
    hints: dict[str, str] = {}
    for line in LINES:
        hints[line.form] = hints.get(line.form) or line.hint
    rows: list[str] = []
    for form, hint in hints.items():
        rows.append(f"    {form}")
        if hint:
            rows.append(f"        {hint}")
    rows.append("Put names with spaces in quotation marks. Text after # is a comment.")
    return "\n".join(rows)


def parse_orders(text: str) -> tuple[Orders, dict[str, int]]:
    """Return orders for the API, and the number of the line in which each begins.

    Raises:
        UsageError: With every line that cannot be understood.
    """
    orders: Orders = {"schema": 1}
    merged: dict[tuple[str, str], Orders] = {}
    line_of: dict[str, int] = {}
    wrong = []
    for number, typed in enumerate(text.splitlines(), 1):
        try:
            words = shlex.split(typed, comments=True)
            if words:
                line, order = _read_line(words)
                if line.is_merged:
                    order = _merge(merged, line, order)
                if order is not None:
                    items = orders.setdefault(line.part, [])
                    items.append(order)
                    line_of[f"{line.part}[{len(items) - 1}]"] = number
        except ValueError as error:
            wrong.append(f"line {number}: {error}")
    if wrong:
        raise UsageError("\n".join(wrong))
    return orders, line_of


def format_orders(orders: Orders) -> str | None:
    """Return the same orders as lines, or None if some of them have no line."""
    rows: list[list[str]] = []
    for part, items in orders.items():
        if part == "schema":
            continue
        if part not in PARTS:
            return None
        for item in items:
            rows += _write_order(PARTS[part], item)
    return "\n".join(shlex.join(row) for row in rows)


def _read_line(words: list[str]) -> tuple[Line, Any]:
    """Return an order by the first line of its verb that it fits."""
    lines = VERBS.get(words[0].lower())
    if lines is None:
        raise ValueError(f"no order begins with '{words[0]}'; choose from {', '.join(VERBS)}")
    fault = ValueError()
    for line in lines:
        try:
            return line, _read_words(line, words[1:])
        except ValueError as error:
            fault = error
    raise fault


def _read_words(line: Line, typed: list[str]) -> Any:
    """Return the order that the words after a verb give; a line with a single word gives text."""
    keywords = {word.keyword: word for word in line.words if word.keyword}
    order: Orders = {}
    rest = typed
    for word in line.words:
        if not word.keyword:
            rest = _read_value(line, word, rest, order)
    while rest:
        if rest[0] not in keywords:
            _refuse(line)
        rest = _read_value(line, keywords[rest[0]], rest[1:], order)
    for word in keywords.values():
        if word.entry not in order and not word.is_optional:
            _refuse(line)
    return order.get("", order)


def _read_value(line: Line, word: Word, rest: list[str], order: Orders) -> list[str]:
    """Put the value of a word into an order, and return what is typed after it."""
    if word.kind in ("list", "places"):
        return _read_list(line, word, rest, order)
    if word.entry in order:
        _refuse(line)
    if word.kind == "flag":
        order[word.entry] = True
        return rest
    if word.kind == "empty":
        order[word.entry] = []
        return rest
    if not rest:
        if word.keyword or not word.is_optional:
            _refuse(line)
        order[word.entry] = ""
        return rest
    order[word.entry] = _number(rest[0]) if word.kind == "number" else rest[0]
    return rest[1:]


def _read_list(line: Line, word: Word, rest: list[str], order: Orders) -> list[str]:
    """Put all words before the next keyword into an order, and return what is typed after them."""
    keywords = {word.keyword for word in line.words if word.keyword}
    length = 0
    while length < len(rest) and rest[length] not in keywords:
        length += 1
    if length < word.least:
        _refuse(line)
    values: list[Any] = list(rest[:length])
    if word.kind == "places":
        values = [_place(value) for value in values]
    order.setdefault(word.entry, []).extend(values)
    return rest[length:]


def _place(text: str) -> list[int]:
    """Return a place in MU: `-6,4`.

    Raises:
        ValueError: If the text is not one.
    """
    try:
        x, y = (int(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"'{text}' is not a place; write it as -6,4") from None
    return [x, y]


def _number(text: str) -> int:
    """Return a whole number.

    Raises:
        ValueError: If the text is not one.
    """
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"'{text}' is not a whole number")
    return int(text)


def _refuse(line: Line) -> NoReturn:
    """Raise a ValueError that shows how the line is written."""
    raise ValueError(f"write `{line.form}`")


def _merge(merged: dict[tuple[str, str], Orders], line: Line, order: Orders) -> Orders | None:
    """Add a line to the order that earlier lines began. Return the order only if it is new."""
    name = line.words[0].entry
    key = order.pop(name)
    if line.inside and not order:
        _refuse(line)
    added: Orders = {line.inside: order} if line.inside else order
    existing = merged.get((line.part, key))
    merged_order = existing if existing is not None else {name: key}
    for entry, value in added.items():
        if line.is_repeated:
            merged_order.setdefault(entry, []).append(value)
        elif value == []:
            merged_order.setdefault(entry, [])
        elif entry in merged_order:
            raise ValueError(f"the same entry is given twice for {key}")
        else:
            merged_order[entry] = value
    merged[line.part, key] = merged_order
    return merged_order if existing is None else None


def _write_order(lines: Sequence[Line], order: Any) -> list[list[str]]:
    """Return the words of the lines that give an order; `lines` are those of its kind."""
    if not isinstance(order, dict):
        return [[lines[0].verb, str(order)]]
    if lines[0].is_merged:
        rows: list[list[str]] = []
        for line in lines:
            rows += _write_merged(line, order)
        return rows
    line = next((line for line in lines if _fits(line, order)), lines[0])
    return [_write_words(line, order)]


def _write_merged(line: Line, order: Orders) -> list[list[str]]:
    """Return the lines of one kind that are needed for an order that several lines make."""
    name = line.words[0].entry
    if not line.inside:
        return [_write_words(line, order)] if _fits(line, order) else []
    inside = order.get(line.inside)
    if not inside:
        return []
    tables = inside if line.is_repeated else [inside]
    return [_write_words(line, {name: order[name], **table}) for table in tables]


def _fits(line: Line, order: Orders) -> bool:
    """Return whether an order has everything that the line requires."""
    for word in line.words:
        value = order.get(word.entry)
        is_missing = value != [] if word.kind == "empty" else value in (None, "", [], False)
        if is_missing and not word.is_optional and word.least:
            return False
    return True


def _write_words(line: Line, order: Orders) -> list[str]:
    """Return the words of a line that gives an order."""
    row = [line.verb]
    for word in line.words:
        value = order.get(word.entry)
        if value in (None, "", False) or (value == [] and word.kind != "empty"):
            continue
        if word.keyword:
            row.append(word.keyword)
        if word.kind == "list":
            row += value
        elif word.kind == "places":
            row += [",".join(map(str, place)) for place in value]
        elif word.kind in ("text", "number"):
            row.append(str(value))
    return row

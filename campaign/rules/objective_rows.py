"""Objectives, goods and capacities of a scenario file as rows of the editor's form, and back.

A row of the form has one field for the number that an objective wants, and separate fields for what
`of` and `ships` can be. `campaign.rules.scenario_editing` reads and writes all other groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from campaign.rules.choice_rows import NAMED, join_choice, split_choice, unused_key
from campaign.rules.objective_checks import ALL, SETTLED
from campaign.rules.objective_file import KIND_KEYS, NUMBER_KEYS

Document = dict[str, Any]
Row = dict[str, Any]

# The fields of the form that stand for `of` in the file, by kind.
OF_FIELDS = {"deny": "of_objective", "destroy": "of_faction", "ruins": "of_owner"}
PLAIN_KEYS = ("id", "kind", "what", "to", "including", "weeks", "when", "measure")


def objective_rows(document: Document) -> Iterator[tuple[str, Row]]:
    """Yield the place and row of each objective, in the order of the file."""
    for faction, rows in _items(document.get("objectives")):
        for n, row in enumerate(rows if isinstance(rows, list) else ()):
            if isinstance(row, dict):
                yield f"objectives.{faction}[{n}]", {"faction": faction, **_form_row(row)}


def set_objective_rows(document: Document, rows: Iterable[Row]) -> None:
    """Store the rows of the form as the objectives of a file."""
    objectives: dict[str, list[Row]] = {}
    for row in rows:
        faction = row.get("faction") or ""
        objectives.setdefault(faction, []).append(_file_row(row))
    _set(document, "objectives", objectives)


def _form_row(row: Row) -> Row:
    """Return the fields of the form for an objective of a file."""
    kind = str(row.get("kind"))
    result = {key: value for key, value in row.items() if key not in ("of", "ships", *NUMBER_KEYS)}
    for key in NUMBER_KEYS:
        if key in row:
            result[f"number_{kind}"] = row[key]
    if "of" in row and kind in OF_FIELDS:
        result[OF_FIELDS[kind]] = row["of"]
    elif "of" in row:
        result["of"] = row["of"]
        split_choice(result, "of", (ALL, SETTLED), "of_word", "of_systems")
    ships = row.get("ships")
    if isinstance(ships, list):
        result |= {"ships": NAMED, "ship_names": ships}
    elif ships is not None:
        result["ships"] = ships
    return result


def _file_row(row: Row) -> Row:
    """Return an objective as its file has it, without fields that its kind does not use."""
    kind = str(row.get("kind"))
    keys = KIND_KEYS.get(kind, ())
    result: Row = {}
    for key in PLAIN_KEYS:
        if key in row and (key in ("id", "kind") or key in keys):
            result[key] = row[key]
    if "of" in keys:
        result |= _subject(kind, row)
    if "ships" in keys:
        result |= _counted_ships(row)
    number_key = next((key for key in keys if key in NUMBER_KEYS), None)
    number = row.get(f"number_{kind}")
    if number_key is not None and number is not None:
        result[number_key] = number
    for key in ("points", "by", "secret", "text"):
        if key in row:
            result[key] = row[key]
    return result


def _subject(kind: str, row: Row) -> Row:
    """Return the `of` of an objective: systems, a side, or an objective."""
    if kind in OF_FIELDS:
        value = row.get(OF_FIELDS[kind])
        return {"of": value} if value else {}
    choice: Row = {key: row[key] for key in ("of_word", "of_systems") if key in row}
    join_choice(choice, "of", "of_word", "of_systems")
    return choice


def _counted_ships(row: Row) -> Row:
    """Return the `ships` of an objective: a word, a class, or a list of names."""
    ships = row.get("ships")
    if ships == NAMED:
        names = [*(row.get("ship_names") or ()), *(row.get("more_names") or ())]
        ships = list(dict.fromkeys(names))
    return {} if ships is None else {"ships": ships}


def goods_rows(document: Document) -> Iterator[tuple[str, Row]]:
    """Yield a row for each kind of goods in each system; one row for goods that are nowhere."""
    for name, goods in _items(document.get("goods")):
        row = {"name": name}
        if isinstance(goods, dict) and "kind" in goods:
            row["kind"] = goods["kind"]
        stocks = _items(goods.get("at")) if isinstance(goods, dict) else ()
        if not stocks:
            yield f"goods.{name}", row
        for system, amount in stocks:
            yield f"goods.{name}.at.{system}", {**row, "system": system, "amount": amount}


def set_goods_rows(document: Document, rows: Iterable[Row]) -> None:
    """Store the rows of the form as the goods of a file."""
    goods: dict[str, Row] = {}
    for row in rows:
        item = goods.setdefault(str(row.get("name") or ""), {})
        if "kind" in row:
            item["kind"] = row["kind"]
        if row.get("system") or "amount" in row:
            item.setdefault("at", {})[str(row.get("system") or "")] = row.get("amount")
    _set(document, "goods", goods)


def capacity_rows(document: Document) -> Iterator[tuple[str, Row]]:
    """Yield a row for each class with a capacity for goods."""
    for cls, amount in _items(document.get("capacity")):
        yield f"capacity.{cls}", {"class": cls, "amount": amount}


def set_capacity_rows(document: Document, rows: Iterable[Row]) -> None:
    """Store the rows of the form as the capacities of a file."""
    capacity: Row = {}
    for row in rows:
        capacity[unused_key(capacity, str(row.get("class") or ""))] = row.get("amount")
    _set(document, "capacity", capacity)


def _items(value: object) -> Sequence[tuple[str, Any]]:
    """Return the keys, as texts, and the values of a mapping; nothing of any other value."""
    if not isinstance(value, dict):
        return ()
    return [(str(key), item) for key, item in value.items()]


def _set(document: Document, key: str, table: Row) -> None:
    """Set a key of a file; an empty table is left out."""
    if table:
        document[key] = table
    else:
        document.pop(key, None)

"""Objectives, goods and capacities of a scenario file as rows of the editor's form, and back.

A row of the form has one field for the number that an objective wants, and separate fields for what
`of` and `ships` can be. `campaign.rules.scenario_editing` reads and writes all other groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from campaign.rules.objective_checks import ALL, SETTLED
from campaign.rules.objective_file import KIND_KEYS, NUMBER_KEYS

Document = dict[str, Any]
Row = dict[str, Any]

# The fields of the form that stand for `of` in the file, by kind; other kinds use `of_faction`.
OF_FIELDS = {"hold": "of_systems", "deny": "of_objective"}
NEW_OBJECTIVE = {"kind": "hold", "of_word": SETTLED, "number": 1}


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
    kind = row.get("kind")
    result = {key: value for key, value in row.items() if key not in ("of", "ships", *NUMBER_KEYS)}
    for key in NUMBER_KEYS:
        if key in row:
            result["number"] = row[key]
    of = row.get("of")
    if kind == "hold" and of in (ALL, SETTLED):
        result["of_word"] = of
    elif of is not None:
        result[OF_FIELDS.get(str(kind), "of_faction")] = of
    ships = row.get("ships")
    if isinstance(ships, list):
        result["ship_names"] = ships
    elif ships is not None:
        result["ships"] = ships
    return result


def _file_row(row: Row) -> Row:
    """Return an objective as its file has it, without fields that its kind does not use."""
    kind = str(row.get("kind"))
    keys = KIND_KEYS.get(kind, ())
    result: Row = {}
    for key in ("id", "kind", "what", "to", "including", "weeks", "when", "measure"):
        if key in row and (key in ("id", "kind") or key in keys):
            result[key] = row[key]
    of = row.get(OF_FIELDS.get(kind, "of_faction")) or row.get("of_word")
    if "of" in keys and of:
        result["of"] = of
    ships = row.get("ship_names") or row.get("ships")
    if "ships" in keys and ships:
        result["ships"] = ships
    number_key = next((key for key in keys if key in NUMBER_KEYS), None)
    if number_key is not None and "number" in row:
        result[number_key] = row["number"]
    for key in ("points", "by", "secret", "text"):
        if key in row:
            result[key] = row[key]
    return result


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
    _set(document, "capacity", {str(row.get("class") or ""): row.get("amount") for row in rows})


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

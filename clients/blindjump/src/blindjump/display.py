"""The API's answers as plain text for a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from blindjump import notation
from blindjump.errors import fault_words


def table(rows: Sequence[Sequence[object]]) -> str:
    """Return rows in aligned columns."""
    text_rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*text_rows, strict=True)]
    lines = []
    for row in text_rows:
        padded = map(str.ljust, row, widths)
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def local_time(text: str) -> str:
    """Return a time of the API in this machine's time zone."""
    return f"{datetime.fromisoformat(text).astimezone():%Y-%m-%d %H:%M %Z}"


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun: 1 turn, 2 turns."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def stage(sheet: dict[str, Any] | None) -> str:
    """Return a stage in a few words."""
    if sheet is None:
        return "no stage is open"
    closes = f", closes {local_time(sheet['closes'])}" if sheet["closes"] else ""
    return f"week {sheet['week']}, {sheet['kind']} ({sheet['status']}{closes})"


def war_status(war: dict[str, Any]) -> str:
    """Return the state of a war, and what it needs from the player."""
    if war["state"] == "over":
        return "it is over"
    state = "it has not begun" if war["state"] == "lobby" else stage(war["stage"])
    if war["paused"]:
        state += ", paused"
    wants = war["wants"]
    if not wants["due"]:
        return f"{state}; nothing to do for you"
    if wants["task"] == "decisions" and wants.get("decision_count") == 0:
        return f"{state}; your task: decisions, with nothing left to decide"
    return f"{state}; your task: {wants['task']}"


def wars(parts: Sequence[dict[str, Any]]) -> str:
    """Return the player's wars, one a line: first those with a task, last those that are over."""
    ranked = sorted(parts, key=lambda part: (part["state"] == "over", not part["wants"]["due"]))
    rows = []
    for part in ranked:
        rows.append((part["campaign"], part["name"], roles_text(part), war_status(part)))
    return table(rows)


def roles_text(part: dict[str, Any]) -> str:
    """Return the player's faction and roles in a war, separated by commas."""
    return ", ".join(filter(None, [part["faction"], *part["roles"]]))


def fleets(own_fleets: Sequence[dict[str, Any]], ships: Sequence[dict[str, Any]]) -> str:
    """Return fleets with their ships, one a line, and the damage of each ship."""
    lines = []
    for fleet in own_fleets:
        lines.append(f"{fleet['key']}  {fleet['hex']}  {fleet['name']}")
        rows = []
        for ship in ships:
            if ship["fleet"] == fleet["key"]:
                name = f"{ship['name']} ({ship['cls']})"
                rows.append((ship["key"], name, _condition_text(ship)))
        lines += [f"    {line}" for line in table(rows).splitlines()]
    return "\n".join(lines)


def _condition_text(ship: dict[str, Any]) -> str:
    """Return a ship's damage, lost systems, and whether it is docked, laid up or in tow."""
    parts = [f"{ship['damage']} damage"] if ship["damage"] else []
    if ship["lost"]:
        parts.append(f"lost {', '.join(ship['lost'])}")
    for name, words in (("docked", "docked"), ("laid_up", "laid up"), ("tug", "in tow")):
        if ship[name]:
            parts.append(words)
    return "; ".join(parts)


def orders(payload: dict[str, Any]) -> str:
    """Return orders as lines, or as JSON if some have no line."""
    lines = notation.format_orders(payload)
    if lines is None:
        return json.dumps(payload, indent=1, ensure_ascii=False)
    return lines or "# no orders"


def sheet(answer: dict[str, Any]) -> str:
    """Return a sheet of orders with its stage, faults and seal."""
    lines = [stage(answer["stage"]), orders(answer["orders"])]
    lines += [f"! {line}" for line in faults(answer["violations"])]
    if answer["sealed"]:
        lines.append(seal(answer["sealed"]))
        if answer.get("ready"):
            lines.append("marked ready: the stage closes as soon as every side is ready")
    return "\n".join(lines)


def seal(mark: dict[str, Any]) -> str:
    """Return when something was sealed, and its digest."""
    return f"sealed {local_time(mark['sealed_at'])}, digest {mark['digest']}"


def faults(violations: Sequence[dict[str, Any]]) -> list[str]:
    """Return faults as lines."""
    return fault_words(violations, "orders")


def encounters(decisions: Sequence[dict[str, Any]]) -> str:
    """Return the decisions needed, and their defaults."""
    if not decisions:
        return "You have no decisions to make."
    rows = [["hex", "toward", "default", "ordered"]]
    for decision in decisions:
        ordered = decision["fixed"] or "-"
        rows.append([decision["hex"], decision["toward"], decision["default"], ordered])
    return table(rows)


def report_lines(lines: Sequence[dict[str, str]]) -> str:
    """Return the sentences of a report by place, beginning with those for the whole map."""
    text_lines = []
    for hex_, group in groupby(lines, key=lambda line: line["hex"]):
        lines_of_hex = list(group)
        if hex_:
            name = next((line["place"] for line in lines_of_hex if line["place"]), "")
            text_lines.append(f"{name} ({hex_})" if name else hex_)
        text_lines += [f"  {line['words']}" for line in lines_of_hex]
    return "\n".join(text_lines)

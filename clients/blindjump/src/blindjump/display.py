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
    cells = [[str(cell) for cell in row] for row in rows]
    wide = [max(len(row[n]) for row in cells) for n in range(len(cells[0]))] if cells else []
    return "\n".join(
        "  ".join(cell.ljust(size) for cell, size in zip(row, wide, strict=True)).rstrip()
        for row in cells
    )


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
    where = "it has not begun" if war["state"] == "lobby" else stage(war["stage"])
    if war["paused"]:
        where += ", paused"
    wants = war["wants"]
    if not wants["due"]:
        return f"{where}; nothing is needed of you"
    empty = wants["task"] == "decisions" and wants.get("decision_count") == 0
    suffix = ", with nothing left to decide" if empty else ""
    return f"{where}; {wants['task']}{suffix}, it waits for you"


def wars(parts: Sequence[dict[str, Any]]) -> str:
    """Return the player's wars, one a line: first those with a task, last those that are over."""
    ranked = sorted(parts, key=lambda part: (part["state"] == "over", not part["wants"]["due"]))
    return table(
        [
            (
                part["campaign"],
                part["name"],
                ", ".join(filter(None, [part["faction"], *part["roles"]])),
                war_status(part),
            )
            for part in ranked
        ]
    )


def fleets(own_fleets: Sequence[dict[str, Any]], ships: Sequence[dict[str, Any]]) -> str:
    """Return fleets with their ships, one a line, and the damage of each ship."""
    lines = []
    for fleet in own_fleets:
        lines.append(f"{fleet['key']}  {fleet['hex']}  {fleet['name']}")
        mine = [
            (ship["key"], f"{ship['name']} ({ship['cls']})", _damage_text(ship))
            for ship in ships
            if ship["fleet"] == fleet["key"]
        ]
        lines += [f"    {line}" for line in table(mine).splitlines()]
    return "\n".join(lines)


def _damage_text(ship: dict[str, Any]) -> str:
    parts = [f"{ship['damage']} damage"] if ship["damage"] else []
    parts += [f"lost {', '.join(ship['lost'])}"] if ship["lost"] else []
    parts += [
        words
        for name, words in (("docked", "docked"), ("laid_up", "laid up"), ("tug", "in tow"))
        if ship[name]
    ]
    return "; ".join(parts)


def orders(payload: dict[str, Any]) -> str:
    """Return orders as lines, or as JSON if some have no line."""
    lines = notation.format_orders(payload)
    return (
        json.dumps(payload, indent=1, ensure_ascii=False)
        if lines is None
        else lines or "# no orders"
    )


def sheet(answer: dict[str, Any]) -> str:
    """Return a sheet of orders with its stage, faults and seal."""
    lines = [stage(answer["stage"]), orders(answer["orders"])]
    lines += [f"! {line}" for line in faults(answer["violations"])]
    if answer["sealed"]:
        lines.append(seal(answer["sealed"]))
        lines += ["ready to go on as soon as everybody is"] if answer.get("ready") else []
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
        return "No decision is asked of you."
    lines = [["hex", "toward", "default", "ordered"]]
    return table(
        [
            *lines,
            *(
                [decision["hex"], decision["toward"], decision["default"], decision["fixed"] or "-"]
                for decision in decisions
            ),
        ]
    )


def report_lines(lines: Sequence[dict[str, str]]) -> str:
    """Return the sentences of a report by place, beginning with those for the whole map."""
    text_lines = []
    for hex_, group in groupby(lines, key=lambda line: line["hex"]):
        here = list(group)
        if hex_:
            name = next((line["place"] for line in here if line["place"]), "")
            text_lines.append(f"{name} ({hex_})" if name else hex_)
        text_lines += [f"  {line['words']}" for line in here]
    return "\n".join(text_lines)

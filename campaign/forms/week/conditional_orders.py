"""Conditional standing orders on the orders page. Pure.

An example: "if at least 4 capital ships are scanned, withdraw".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.forms.week.order_parts import AnswerRow
from campaign.forms.week.week_fields import FIELDS
from campaign.orders.decide import CHOICES
from campaign.orders.set_up import FORMATIONS
from campaign.orders.settings import MAX_ANSWERS, NOUNS, TARGETS
from campaign.rules.view import Answer
from engine.english import noun_for

CONTACT_KINDS = tuple((kind, noun_for(2, noun)) for kind, noun in NOUNS.items())
# Options of the fleets' selects by their names in templates, and all fields.
OFFERED: dict[str, Any] = {
    "choices": CHOICES,
    "targets": TARGETS,
    "formations": FORMATIONS,
    "contact_kinds": CONTACT_KINDS,
    "fields": FIELDS,
}


def offered(*, has_set_up: bool) -> dict[str, Any]:
    """Return the options and fields of fleets.

    Args:
        has_set_up: Whether the rules of the war let sides set up their ships; else a doctrine has
            no formation.
    """
    return OFFERED if has_set_up else {**OFFERED, "formations": ()}


def answer_rows(answers: Sequence[Mapping[str, Any]]) -> tuple[AnswerRow, ...]:
    """Return a line for each condition, and one empty line, since a page has many fleets."""
    rows = []
    for number, answer in enumerate(answers):
        rows.append(
            AnswerRow(
                n=number,
                of=str(answer.get("of", "")),
                least=_value_text(answer.get("least") or ""),
                most=_value_text(answer.get("most")),
                choice=str(answer.get("choice", "")),
            )
        )
    if len(rows) < MAX_ANSWERS:
        rows.append(AnswerRow(n=len(rows), of="", least="", most="", choice=""))
    return tuple(rows)


def _value_text(value: object) -> str:
    if value is None:
        return ""
    return str(value)


def answers_payload(answers: Sequence[Answer]) -> list[dict[str, Any]]:
    """Return a fleet's conditions in the format of orders."""
    result: list[dict[str, Any]] = []
    for answer in answers:
        result.append(condition(answer.choice, answer.of, answer.least, answer.most))
    return result


def condition(choice: str, of: str, least: int | str, most: int | str | None) -> dict[str, Any]:
    """Return a condition in the format of orders.

    Empty parts are left out, and invalid numbers stay text.

    Args:
        choice: What the fleet does if the condition is met.
        of: The kind of contact, or "" for all.
        least: The smallest number of them, or empty.
        most: The largest number of them, or None.
    """
    item: dict[str, Any] = {"choice": choice}
    if of:
        item["of"] = of
    if least:
        item["least"] = least
    if most is not None:
        item["most"] = most
    return item

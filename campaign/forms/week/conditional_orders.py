"""Standing orders with conditions on the page of orders: "if at least 4 capital ships are read,
withdraw". Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.forms.week.order_parts import AnswerRow
from campaign.forms.week.week_fields import FIELDS
from campaign.orders.decide import CHOICES
from campaign.orders.settings import MOST_ANSWERS, NOUNS, TARGETS
from campaign.rules.view import Answer
from engine.english import noun_for

CONTACT_KINDS = tuple((kind, noun_for(2, noun)) for kind, noun in NOUNS.items())


# What the selects of fleets offer, by the names that templates know it under, and all fields.
OFFERED = {
    "choices": CHOICES,
    "targets": TARGETS,
    "contact_kinds": CONTACT_KINDS,
    "fields": FIELDS,
}


def answer_rows(answers: Sequence[Mapping[str, Any]]) -> tuple[AnswerRow, ...]:
    """The lines for these conditions, and an empty one after them: a page has many fleets."""
    rows = [
        AnswerRow(n, str(answer.get("of", "")), _value_text(answer.get("least") or ""), _value_text(answer.get("most")),
                  str(answer.get("choice", "")))
        for n, answer in enumerate(answers)
    ]  # fmt: skip
    row_count = min(len(rows) + 1, MOST_ANSWERS)
    return (*rows, *(AnswerRow(n, "", "", "", "") for n in range(len(rows), row_count)))


def _value_text(value: object) -> str:
    return "" if value is None else str(value)


def answers_payload(answers: Sequence[Answer]) -> list[dict[str, Any]]:
    """A fleet's conditions as orders have them."""
    return [condition(answer.choice, answer.of, answer.least, answer.most) for answer in answers]


def condition(choice: str, of: str, least: int | str, most: int | str | None) -> dict[str, Any]:
    """A condition as orders have it: what says nothing is left out, and what is no number stays
    text.
    """
    item: dict[str, Any] = {"choice": choice}
    item |= {"of": of} if of else {}
    item |= {"least": least} if least else {}
    return item | ({"most": most} if most is not None else {})

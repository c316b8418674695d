"""What a group is asked for dogfights: what it does in turn, and where it flies after one or to
refuse one. Pure.

Rules: Dogfight actions [dog.actions]; Continuum "Dogfights" 8.10 [pc.dogfights]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight, point_of, point_text
from campaign.forms.battle.ordnance_form import POINT_HINT
from campaign.forms.field import ChoiceField, Input, Option, Select, TextField
from engine.continuum.craft.refusals import refusal_fault
from engine.continuum.craft.squadron_fights import is_by_actions, squadron_of
from engine.core.phrase import phrase
from engine.core.terms import REFUSE_DOGFIGHTS
from engine.craft.squadron import MOST_ACTIONS, FightAction, SquadronTrait
from engine.pieces.group import Group

ACTION = ChoiceField("act")
LEAVES = TextField("leaves")

LEAST = 3  # actions that the form asks for, the last one over and over
LABELS: Mapping[FightAction, str] = {
    FightAction.ENGAGE: phrase("engage (1 endurance)"),
    FightAction.BREAK_OFF: phrase("break off (1 endurance)"),
    FightAction.STAY: phrase("stay on target, if intercepted"),
}


def fight_fields(
    seen: FormSight, group: Group, orders: Iterable[Mapping[str, Any]]
) -> tuple[list[Select], list[Input]]:
    """The choices of a group's actions, as its orders have them, and where it flies then; none
    without the option.
    """
    if REFUSE_DOGFIGHTS in seen.state.terms.options:
        return [], _refusal_field(group, orders)
    if not is_by_actions(seen.state, group):
        return [], []
    told = next((one for one in orders if one.get("actions") or one.get("to")), {})
    given = told.get("actions")
    actions = [str(one) for one in given] if isinstance(given, list) else []
    heavy = SquadronTrait.HEAVY in squadron_of(seen.state, group).traits
    able = [
        (str(one), words) for one, words in LABELS.items() if heavy or one is not FightAction.STAY
    ]
    picks = []
    for n in range(max(LEAST, len(actions))):
        unsaid: Option = ("", "engage" if n == 0 else phrase("as before"))
        label = phrase("In a dogfight, first") if n == 0 else phrase("In a dogfight, then")
        picks.append(
            ACTION.draw(
                group.id,
                n,
                label=label,
                options=(unsaid, *able),
                chosen=actions[n] if n < len(actions) else "",
            )
        )
    to = point_text({"at": told.get("to")})
    return picks, [
        LEAVES.draw(
            group.id, label=phrase("After a dogfight fly to x, y"), value=to, hint=POINT_HINT
        )
    ]


def _refusal_field(group: Group, orders: Iterable[Mapping[str, Any]]) -> list[Input]:
    """Return the field for where a group flies to refuse a dogfight, none where it cannot.

    Rules: Continuum "Dogfights" 8.10 [pc.dogfights]
    """
    told = next((one.get("to") for one in orders if one.get("to")), None)
    if told is None and refusal_fault(group):
        return []
    label = phrase("If fighters attack, fly on to x, y")
    to = point_text({"at": told})
    return [LEAVES.draw(group.id, label=label, value=to, hint=POINT_HINT)]


def with_actions(
    group: Group, posted: QueryDict, orders: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """A group's orders with what the form says of dogfights: on the first of them, or by itself
    where it attacks nothing.
    """
    said = [ACTION.text(posted, group.id, n) for n in range(MOST_ACTIONS)]
    last = max((n for n, action in enumerate(said) if action), default=-1)
    actions: list[str] = []
    for action in said[: last + 1]:
        actions.append(action or (actions[-1] if actions else str(FightAction.ENGAGE)))
    to = LEAVES.text(posted, group.id)
    further = ({"actions": actions} if actions else {}) | ({"to": point_of(to)} if to else {})
    if not further:
        return orders
    first, *more = orders or [{"weapon": group.row.guns.name}]
    return [first | further, *more]

"""A group's fields for dogfights: its actions, and where it flies afterwards or to refuse. Pure.

Rules: Dogfight actions [dog.actions]; Continuum "Dogfights" 8.10 [pc.dogfights]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight, parse_point, point_text
from campaign.forms.battle.ordnance_form import POINT_HINT
from campaign.forms.field import ChoiceField, Input, Option, Select, TextField
from engine.continuum.craft.refusals import refusal_fault
from engine.continuum.craft.squadron_fights import is_by_actions, squadron_of
from engine.core.phrase import phrase
from engine.core.terms import REFUSE_DOGFIGHTS
from engine.craft.dogfight_figures import MOST_ACTIONS, FightAction, SquadronTrait
from engine.pieces.group import Group

ACTION = ChoiceField("act")
FLY_ON_TO = TextField("leaves")

FEWEST_ACTIONS = 3  # actions that the form asks for; the last one repeats
LABELS: Mapping[FightAction, str] = {
    FightAction.ENGAGE: phrase("engage (1 endurance)"),
    FightAction.BREAK_OFF: phrase("break off (1 endurance)"),
    FightAction.STAY: phrase("stay on target, if intercepted"),
}


def dogfight_fields(
    sight: FormSight, group: Group, orders: Iterable[Mapping[str, Any]]
) -> tuple[list[Select], list[Input]]:
    """Return the fields of a group's actions and its flight afterwards; none without the option."""
    if REFUSE_DOGFIGHTS in sight.state.terms.options:
        return [], _refusal_field(group, orders)
    if not is_by_actions(sight.state, group):
        return [], []
    order = next((item for item in orders if item.get("actions") or item.get("to")), {})
    action_list = order.get("actions")
    actions = [str(item) for item in action_list] if isinstance(action_list, list) else []
    heavy = SquadronTrait.HEAVY in squadron_of(sight.state, group).traits
    able = []
    for item, words in LABELS.items():
        if heavy or item is not FightAction.STAY:
            able.append((str(item), words))
    picks = []
    for n in range(max(FEWEST_ACTIONS, len(actions))):
        unsaid: Option = ("", "engage" if n == 0 else phrase("as before"))
        if n == 0:
            label = phrase("In a dogfight, first")
        else:
            label = phrase("In a dogfight, then")
        picks.append(
            ACTION.draw(
                group.id,
                n,
                label=label,
                options=(unsaid, *able),
                chosen=actions[n] if n < len(actions) else "",
            )
        )
    to = point_text({"at": order.get("to")})
    return picks, [
        FLY_ON_TO.draw(
            group.id, label=phrase("After a dogfight fly to x, y"), value=to, hint=POINT_HINT
        )
    ]


def _refusal_field(group: Group, orders: Iterable[Mapping[str, Any]]) -> list[Input]:
    """Return the field for where a group flies to refuse a dogfight; none if it cannot.

    Rules: Continuum "Dogfights" 8.10 [pc.dogfights]
    """
    point = next((order.get("to") for order in orders if order.get("to")), None)
    if point is None and refusal_fault(group):
        return []
    label = phrase("If fighters attack, fly on to x, y")
    to = point_text({"at": point})
    return [FLY_ON_TO.draw(group.id, label=label, value=to, hint=POINT_HINT)]


def with_actions(
    group: Group, post: QueryDict, orders: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Add the form's dogfight orders to a group's first order, or as a new one if it has none."""
    chosen_actions = [ACTION.text(post, group.id, n) for n in range(MOST_ACTIONS)]
    last = max((n for n, action in enumerate(chosen_actions) if action), default=-1)
    actions: list[str] = []
    for action in chosen_actions[: last + 1]:
        actions.append(action or (actions[-1] if actions else str(FightAction.ENGAGE)))
    to = FLY_ON_TO.text(post, group.id)
    further = ({"actions": actions} if actions else {}) | ({"to": parse_point(to)} if to else {})
    if not further:
        return orders
    first, *other_orders = orders or [{"weapon": group.row.guns.name}]
    return [first | further, *other_orders]

"""A group's fields for dogfights: its actions, and where it flies afterwards or to refuse. Pure.

Rules: Dogfight actions [dog.actions]; Continuum "Dogfights" 8.10 [pc.dogfights]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight, parse_point, point_text
from campaign.forms.battle.ordnance_form import POINT_HINT
from campaign.forms.field import (
    ChoiceField,
    Input,
    Option,
    Select,
    TextField,
    item_at,
)
from campaign.rules.codec import as_list
from engine.continuum.craft.refusals import refusal_fault
from engine.continuum.craft.squadron_fights import is_by_actions, squadron_of
from engine.core.phrase import phrase
from engine.core.terms import REFUSE_DOGFIGHTS
from engine.craft.dogfight_figures import MAX_ACTIONS, FightAction, SquadronTrait
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
    fly_on = FLY_ON_TO.draw(
        group.id,
        label=phrase("After a dogfight fly to x, y"),
        value=point_text({"at": order.get("to")}),
        hint=POINT_HINT,
    )
    return _action_picks(sight, group, order), [fly_on]


def _action_picks(sight: FormSight, group: Group, order: Mapping[str, Any]) -> list[Select]:
    """Return a field for each of a group's actions in a dogfight, filled from its order."""
    actions = [str(action) for action in as_list(order.get("actions"))]
    possible_actions = _possible_actions(sight, group)
    picks = []
    for place in range(max(FEWEST_ACTIONS, len(actions))):
        if place == 0:
            label = phrase("In a dogfight, first")
            default: Option = ("", "engage")
        else:
            label = phrase("In a dogfight, then")
            default = ("", phrase("as before"))
        picks.append(
            ACTION.draw(
                group.id,
                place,
                label=label,
                options=(default, *possible_actions),
                chosen=item_at(actions, place, ""),
            )
        )
    return picks


def _possible_actions(sight: FormSight, group: Group) -> list[Option]:
    """Return the actions that a group can take; only heavy squadrons can stay on target."""
    is_heavy = SquadronTrait.HEAVY in squadron_of(sight.state, group).traits
    options: list[Option] = []
    for action, label in LABELS.items():
        if is_heavy or action is not FightAction.STAY:
            options.append((str(action), label))
    return options


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
    dogfight: dict[str, Any] = {}
    if actions := _submitted_actions(group, post):
        dogfight["actions"] = actions
    if destination := FLY_ON_TO.text(post, group.id):
        dogfight["to"] = parse_point(destination)
    if not dogfight:
        return orders
    first, *other_orders = orders or [{"weapon": group.row.guns.name}]
    return [first | dogfight, *other_orders]


def _submitted_actions(group: Group, post: QueryDict) -> list[str]:
    """Return a group's actions up to its last one in the form; an empty field repeats the action.

    A group whose first field is empty engages.
    """
    submitted = [ACTION.text(post, group.id, place) for place in range(MAX_ACTIONS)]
    while submitted and not submitted[-1]:
        submitted.pop()
    actions: list[str] = []
    for action in submitted:
        action_before = actions[-1] if actions else str(FightAction.ENGAGE)
        actions.append(action or action_before)
    return actions

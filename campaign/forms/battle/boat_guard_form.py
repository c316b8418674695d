"""The form for gunboats on guard, beside point defence: each squadron's targets and boats. Pure.

A squadron without a chosen target does not fire: boats guard others only by order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight, OrderRow
from campaign.forms.field import ChoiceField, Option, Select, item_at, number
from engine.continuum.craft.guard_boats import Boat, targets_for_boats
from engine.core.phrase import phrase
from engine.craft.gunboats import BOATS
from engine.english import counted_noun
from engine.pieces.group import Group

BOAT_COUNT = ChoiceField("boats")
DEFENCE_TARGET = ChoiceField("meet")

MAX_TARGETS = 3  # per squadron that the form has fields for
ALL: Option = ("", phrase("all that can fire"))
BY_ORDER = phrase("without a target they hold fire")
# Labels of the target and of the number of boats: for the first target, then for further ones
FIRST_LABELS = (phrase("Boats fire at"), phrase("How many boats"))
FURTHER_LABELS = (phrase("More boats fire at"), phrase("How many of these boats"))


def boat_rows(
    sight: FormSight,
    orders_by_group: Mapping[str, list[Mapping[str, Any]]],
    targets: list[Option],
    faults: Mapping[str, Any],
) -> list[OrderRow]:
    """Return a row for each squadron that can fire at something now.

    Args:
        targets: Everything that can be fired at, with its description.
    """
    result: list[OrderRow] = []
    for group, boats_by_target in squadrons_on_guard(sight):
        orders = orders_by_group.get(group.id, [])
        boat_count = max(len(boats) for boats in boats_by_target.values())
        options: list[Option] = [("", "nothing")]
        options += [option for option in targets if option[0] in boats_by_target]
        field_count = _field_count(boats_by_target, len(orders))
        result.append(
            OrderRow(
                key=group.id,
                name=sight.display_name(group.id),
                state=phrase("{} on guard; {}", counted_noun(boat_count, "boat"), BY_ORDER),
                picks=tuple(
                    _picks(
                        group,
                        orders,
                        targets=options,
                        boat_count=boat_count,
                        field_count=field_count,
                    )
                ),
                faults=faults.get(group.id, ()),
            )
        )
    return result


def squadrons_on_guard(sight: FormSight) -> list[tuple[Group, dict[str, list[Boat]]]]:
    """Return the squadrons that can fire now, with the boats that can reach each target."""
    result: list[tuple[Group, dict[str, list[Boat]]]] = []
    for group in sight.groups:
        targets = targets_for_boats(sight.state, group)
        if targets:
            result.append((group, {name: boats for name, (_, boats) in targets.items()}))
    return result


def _picks(
    group: Group,
    orders: list[Mapping[str, Any]],
    targets: list[Option],
    boat_count: int,
    field_count: int,
) -> Iterator[Select]:
    """Yield a squadron's fields: for each target, what it is and how many boats fire at it."""
    counts: list[Option] = [ALL]
    counts += [(str(number), counted_noun(number, "boat")) for number in range(1, boat_count + 1)]
    for place in range(field_count):
        order = item_at(orders, place, {})
        target_label, count_label = FURTHER_LABELS if place else FIRST_LABELS
        target = str(order.get("target", ""))
        count = str(order.get("count") or "")
        yield DEFENCE_TARGET.draw(
            group.id, place, label=target_label, options=targets, chosen=target
        )
        yield BOAT_COUNT.draw(group.id, place, label=count_label, options=counts, chosen=count)


def _field_count(boats_by_target: Mapping[str, list[Boat]], order_count: int) -> int:
    """Return the number of target fields: the reachable targets, or those already ordered."""
    return max(min(len(boats_by_target), MAX_TARGETS), order_count)


def boat_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the squadrons' targets in the form; squadrons without one are left out."""
    orders_by_group: dict[str, Any] = {}
    for group, _ in squadrons_on_guard(sight):
        orders: list[dict[str, Any]] = []
        for place in DEFENCE_TARGET.places(post, group.id):
            if target := DEFENCE_TARGET.text(post, group.id, place):
                order: dict[str, Any] = {"weapon": BOATS, "target": target}
                if count := BOAT_COUNT.text(post, group.id, place):
                    order["count"] = number(count)
                orders.append(order)
        if orders:
            orders_by_group[group.id] = orders
    return orders_by_group

"""The form for gunboats on guard, beside point defence: each squadron's targets and boats. Pure.

A squadron without a chosen target does not fire: boats guard others only by order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from campaign.forms.battle.fight_form import FormSight, OrderRow, anchor
from campaign.forms.field import ChoiceField, Option, Select, number
from engine.continuum.craft.guard_boats import Boat, open_to_boats
from engine.core.phrase import phrase
from engine.craft.gunboats import BOATS
from engine.english import counted_noun
from engine.pieces.group import Group

BOAT_COUNT = ChoiceField("boats")
DEFENCE_TARGET = ChoiceField("meet")

MOST = 3  # targets per squadron that the form has fields for
ALL: Option = ("", phrase("all that can fire"))
BY_ORDER = phrase("without a target they hold fire")
WORDS = (
    (phrase("Boats fire at"), phrase("How many boats")),
    (phrase("More boats fire at"), phrase("How many of these boats")),
)


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
    for group, at in squadrons_on_guard(sight):
        result.append(_row(sight, group, at, orders_by_group.get(group.id, []), targets, faults))
    return result


def squadrons_on_guard(sight: FormSight) -> list[tuple[Group, dict[str, list[Boat]]]]:
    """Return the squadrons that can fire now, with the boats that can reach each target."""
    able = ((group, open_to_boats(sight.state, group)) for group in sight.groups)
    result: list[tuple[Group, dict[str, list[Boat]]]] = []
    for group, at in able:
        if at:
            result.append((group, {name: boats for name, (_, boats) in at.items()}))
    return result


def _row(
    sight: FormSight,
    group: Group,
    at: Mapping[str, list[Boat]],
    orders: list[Mapping[str, Any]],
    targets: list[Option],
    faults: Mapping[str, Any],
) -> OrderRow:
    key = group.id
    most = max(len(boats) for boats in at.values())
    options: tuple[Option, ...] = (("", "nothing"), *(order for order in targets if order[0] in at))
    counts: tuple[Option, ...] = (
        ALL,
        *((str(n), counted_noun(n, "boat")) for n in range(1, most + 1)),
    )
    picks: list[Select] = []
    for place in range(_field_count(at, len(orders))):
        order = orders[place] if place < len(orders) else {}
        words = WORDS[min(place, 1)]
        picks.append(
            DEFENCE_TARGET.draw(
                key, place, label=words[0], options=options, chosen=str(order.get("target", ""))
            )
        )
        picks.append(
            BOAT_COUNT.draw(
                key, place, label=words[1], options=counts, chosen=str(order.get("count") or "")
            )
        )
    state = phrase("{} on guard; {}", counted_noun(most, "boat"), BY_ORDER)
    return OrderRow(
        key,
        anchor(key),
        sight.names.get(key, key),
        state,
        tuple(picks),
        (),
        (),
        None,
        faults.get(key, ()),
    )


def _field_count(at: Mapping[str, list[Boat]], order_count: int) -> int:
    """Return the number of target fields: the reachable targets, or those already ordered."""
    return max(min(len(at), MOST), order_count)


def boat_payload(sight: FormSight, post: QueryDict) -> dict[str, Any]:
    """Return the squadrons' targets in the form; squadrons without one are left out."""
    orders_by_group: dict[str, Any] = {}
    for group, _ in squadrons_on_guard(sight):
        orders: list[dict[str, Any]] = []
        for place in DEFENCE_TARGET.places(post, group.id):
            if target := DEFENCE_TARGET.text(post, group.id, place):
                count = BOAT_COUNT.text(post, group.id, place)
                orders.append(
                    {"weapon": BOATS, "target": target}
                    | ({"count": number(count)} if count else {})
                )
        if orders:
            orders_by_group[group.id] = orders
    return orders_by_group

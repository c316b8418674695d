"""Controls of the orders page for ships that load, land or supply goods. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from campaign.orders.order import AmountField, Control
from campaign.rules.world import Ship
from engine.core.phrase import phrase

AMOUNT = "amount_"  # before the kind of order, in the name of an amount's field

Posted = Mapping[str, Mapping[str, str]]  # the values of controls, by fleet and control


def control_name(kind: str, ship: str) -> str:
    """Return the name of a ship's control among those of its fleet: `load_s3`."""
    return f"{kind}_{ship.rpartition('/')[2]}"


def ship_values(kind: str, posted: Posted) -> Iterator[tuple[str, str]]:
    """Yield the key and the value of each ship for which a kind of order has a control."""
    for fleet, controls in posted.items():
        faction = fleet.partition("/")[0]
        for name, value in controls.items():
            if name.startswith(f"{kind}_"):
                yield f"{faction}/{name.removeprefix(f'{kind}_')}", value


def goods_words(what: object) -> str:
    """Return the name of goods of an order, in the reader's language if the program has it."""
    return phrase(str(what))


def different_goods(items: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of the goods of some orders, each once."""
    return [goods_words(what) for what in dict.fromkeys(str(item.get("what")) for item in items)]


def goods_control(
    kind: str,
    ship: Ship,
    *,
    label: str,
    amount_label: str,
    choices: Sequence[tuple[str, str]],
    most: int,
    item: Mapping[str, Any] | None,
) -> Control | None:
    """Return a ship's control: a choice of goods and an amount; None without any choice.

    Args:
        amount_label: What the amount is, for screen readers.
        choices: The goods and a text for each.
        most: The greatest amount of any of them.
        item: The order to the ship in the draft. Its goods are a choice too.
    """
    value = ""
    amount = ""
    offered = list(choices)
    if item is not None:
        value = str(item.get("what") or "")
        amount = str(item.get("amount") or "")
        if value and value not in [goods for goods, _ in choices]:
            offered.append((value, phrase(value)))
    if not offered:
        return None
    name = control_name(kind, ship.key)
    field = AmountField(f"{AMOUNT}{name}", amount_label, amount, most)
    return Control(
        name, label, "choice", value, tuple(offered), amount=field, unset=phrase("nothing")
    )


def goods_orders(kind: str, posted: Posted) -> list[Any]:
    """Return the orders to load or land goods that were given by controls, as stored.

    Anything but a number is left as it was entered, so that it is reported as a fault.
    """
    amounts = dict(ship_values(f"{AMOUNT}{kind}", posted))
    goods = dict(ship_values(kind, posted))
    orders = []
    for ship in goods | amounts:
        order: dict[str, Any] = {"ship": ship, "what": goods.get(ship, "")}
        amount = amounts.get(ship, "").strip()
        if amount:
            order["amount"] = int(amount) if amount.isascii() and amount.isdigit() else amount
        orders.append(order)
    return orders

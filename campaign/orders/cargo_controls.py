"""Controls of the orders page for ships that load, land or supply goods. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from campaign.orders.order import AmountField, Control
from campaign.rules.world import Ship
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun

MAX_NAMES = 4  # ships that a line names; of more it says how many
ALL_SHIPS = "all_"  # before the kind of order, in the name of the control for all ships of a fleet
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


def goods_words(name: object) -> str:
    """Return the name of goods of an order, in the reader's language if the program has it."""
    return phrase(str(name))


def goods_changes(
    items: Sequence[Mapping[str, Any]], names: Mapping[str, str]
) -> Iterator[tuple[str, int | None, str]]:
    """Yield what the ships of a fleet load or land: the goods, the amount, and the ships in words.

    The amount is that of all these ships together; None for ships that take all they can.

    Args:
        names: The names of the ships, by key.
    """
    ships_of: dict[tuple[str, bool], list[str]] = {}
    amounts: Counter[str] = Counter()
    for item in items:
        goods = str(item.get("what"))
        amount = item.get("amount")
        has_amount = isinstance(amount, int)
        ship = str(item.get("ship"))
        ships_of.setdefault((goods, has_amount), []).append(names.get(ship, ship))
        if isinstance(amount, int):
            amounts[goods] += amount
    for (goods, has_amount), ships in ships_of.items():
        text = join_phrases(", ", ships)
        if len(ships) > MAX_NAMES:
            text = counted_noun(len(ships), "ship")
        yield goods_words(goods), amounts[goods] if has_amount else None, text


def goods_control(
    kind: str,
    ship: Ship,
    *,
    label: str,
    amount_label: str,
    choices: Sequence[tuple[str, str]],
    most: int,
    item: Mapping[str, Any] | None,
    unset_amount: str,
) -> Control | None:
    """Return a ship's control: a choice of goods and an amount; None without any choice.

    Args:
        amount_label: What the amount is, for screen readers.
        choices: The goods and a text for each.
        most: The greatest amount of any of them.
        item: The order to the ship in the draft. Its goods are a choice too.
        unset_amount: What an empty amount means.
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
    field = AmountField(f"{AMOUNT}{name}", amount_label, amount, most, unset_amount)
    return Control(
        name, label, "choice", value, tuple(offered), amount=field, unset=phrase("nothing")
    )


def all_ships_control(
    kind: str, label: str, ships_of: Mapping[str, Sequence[str]], offers: Mapping[str, str]
) -> Iterator[Control]:
    """Yield the control by which all ships of a fleet get the same order, if there are several.

    A script fills in the controls of the ships, and `goods_orders` does so for forms without one.

    Args:
        ships_of: The ships that can load or land goods, by the name of the goods.
        offers: The text of the choice, by the name of the goods.
    """
    choices = []
    for goods, ships in ships_of.items():
        if len(ships) > 1:
            numbers = [ship.rpartition("/")[2] for ship in ships]
            choices.append((f"{','.join(numbers)}:{goods}", offers[goods]))
    if choices:
        unset = phrase("as chosen below")
        yield Control(f"{ALL_SHIPS}{kind}", label, "all", "", tuple(choices), unset=unset)


def _orders_of_all_ships(kind: str, posted: Posted) -> dict[str, str]:
    """Return the goods of each ship that gets its order from the control for all ships."""
    goods_of = {}
    for fleet, controls in posted.items():
        ships, _, goods = controls.get(f"{ALL_SHIPS}{kind}", "").partition(":")
        for number in ships.split(","):
            if goods:
                goods_of[f"{fleet.partition('/')[0]}/{number}"] = goods
    return goods_of


def goods_orders(kind: str, posted: Posted) -> list[Any]:
    """Return the orders to load or land goods that were given by controls, as stored.

    Anything but a number is left as it was entered, so that it is reported as a fault.
    """
    amounts = dict(ship_values(f"{AMOUNT}{kind}", posted))
    goods = dict(ship_values(kind, posted)) | _orders_of_all_ships(kind, posted)
    orders = []
    for ship in goods | amounts:
        order: dict[str, Any] = {"ship": ship, "what": goods.get(ship, "")}
        amount = amounts.get(ship, "").strip()
        if amount:
            order["amount"] = int(amount) if amount.isascii() and amount.isdigit() else amount
        orders.append(order)
    return orders

"""Older documents brought up to date: one step for each version of a world, a view or a scenario that was raised.

A step takes the body of a document of its version and gives a new one of the next; the old one is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.notation.designs import load_sheet
from engine.rigging import full_stock

Body = dict[str, Any]


def _ship(ship: Body) -> Body:
    """What was `spent`, once and for all, has nothing left in `stock`."""
    after = {key: value for key, value in ship.items() if key != "spent"}
    return {**after, "stock": [[system, 0] for system in sorted(ship.get("spent", ()))]}


def _ships(body: Body) -> Body:
    return {**body, "ships": [_ship(ship) for ship in body.get("ships", ())]}


def _world(body: Body) -> Body:
    losses = [{**loss, "ship": _ship(loss["ship"])} for loss in body.get("losses", ())]
    return _ships({**body, "losses": losses})


def _scenario(body: Body) -> Body:
    return {**body, "catalogue": [_class(cls) for cls in body.get("catalogue", ())]}


def _class(cls: Body) -> Body:
    """The full stock of a class from its design; one without a design has one of each expendable."""
    after = {key: value for key, value in cls.items() if key != "expendables"}
    if not cls.get("design"):
        return {**after, "stock": [[system, 1] for system in sorted(cls.get("expendables", ()))], "tug": False}
    sheet = load_sheet(cls["design"])
    return {**after, "stock": [list(item) for item in sorted(full_stock(sheet).items())], "tug": sheet.ftl == "tug"}


# (name, version): brings a body of that version to the next one.
UPGRADES: dict[tuple[str, int], Callable[[Body], Body]] = {
    ("world", 1): _world,
    ("view", 1): _ships,
    ("scenario", 1): _scenario,
}

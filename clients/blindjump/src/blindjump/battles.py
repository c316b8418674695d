"""Battles online: listed, shown, and ordered by file, a plot, fire or whatever the stop asks
for.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from blindjump import shown
from blindjump.api import Api
from blindjump.errors import Misused
from blindjump.orders import Desk, desk_commands
from blindjump.told import Commands, Told, command
from blindjump.war import war_of

NO_BATTLE = "You have no battle online."


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """`battle` with its acts."""
    own = commands.add_parser("battle", help="your battles fought online")
    acts = own.add_subparsers(required=True, metavar="ACT")
    command(acts, "list", in_war, listed, "list them")
    here = command(acts, "view", in_war, view, "show a battle as your side sees it")
    for made in (here, *desk_commands(acts, in_war, stop_desk)):
        made.add_argument(
            "--battle",
            default="",
            metavar="ID",
            help="else the only one that waits for you, or goes on",
        )


def listed(given: argparse.Namespace, api: Api) -> Told:
    """Battles and how they stand."""
    answer = api.get(f"{war_of(given, api, faction=True)}fights/")
    rows = [
        (
            one["id"],
            f"week {one['week']}",
            one["hex"],
            one["state"],
            f"turn {one['stop']['turn']}",
            _asks(one),
        )
        for one in answer["fights"]
    ]
    return Told(answer, shown.table(rows) or NO_BATTLE)


def battle_of(given: argparse.Namespace, api: Api) -> str:
    """The address of the battle that is meant; without a name the only one that waits for orders,
    else the only one that goes on, else the only one there was. Raises Misused.
    """
    path = f"{war_of(given, api, faction=True)}fights/"
    known = api.get(path)["fights"]
    if not known:
        raise Misused(NO_BATTLE)
    going = [one for one in known if one["state"] != "over"]
    due = [one for one in going if one["state"] == "open"]
    found = (
        [one for one in known if one["id"].startswith(given.battle)]
        if given.battle
        else due or going or known
    )
    if len(found) != 1:
        states = "\n".join(f"  {one['id']}  {one['hex']}  {one['state']}" for one in known)
        raise Misused(f"say which battle by --battle:\n{states}")
    return f"{path}{found[0]['id']}/"


def view(given: argparse.Namespace, api: Api) -> Told:
    """The stop now, own ships, and what is in sight."""
    sheet = api.get(battle_of(given, api))
    stop = sheet["stop"]
    words = [
        ", ".join(filter(None, [f"turn {stop['turn']}", _asks(sheet)])) + f": {sheet['state']}",
        f"yours: {', '.join(sheet['mine'])}",
    ]
    return Told(sheet, "\n".join([*words, json.dumps(sheet["view"], indent=1, ensure_ascii=False)]))


def _asks(sheet: dict[str, Any]) -> str:
    """What the stop now asks for; nothing where the battle is over."""
    return "" if sheet["state"] == "over" else str(sheet["stop"]["kind"])


def stop_desk(given: argparse.Namespace, api: Api) -> Desk:
    """The desk of a battle's stop now."""
    return Desk(api, f"{battle_of(given, api)}orders/", battle=True)

"""A bot that plays a war to its end with the login of `blindjump login`: a start for a better one.

It uses the recommended deployment, sends its large fleets to the nearest system that is not its
own, fights where it has at least as many ships as it scanned, and follows its captains' advice in
online battles.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import Any

from blindjump.api import Api
from blindjump.errors import ApiError, ClientError, Unreachable
from blindjump.login_store import login_read
from blindjump.war import war_of

LARGE = 3  # the fewest ships of a fleet that marches
TASKS = ("deploy", "orders", "decisions", "doctrine", "fight")  # the tasks that it can do
# Another player or the clock was faster: ask again what to do.
TOO_LATE = ("stage-closed", "already-sealed", "already-over")


def distance(start: str, end: str) -> int:
    """Return the steps between two hexes CCRR of a flat-topped map with raised odd columns."""
    columns = abs(int(start[:2]) - int(end[:2]))
    half_rows = abs(_half_row(start) - _half_row(end))
    return columns + max(0, half_rows - columns) // 2


def _half_row(hex_: str) -> int:
    """Return the height of a hex on the map, in halves of a row."""
    return 2 * int(hex_[2:]) + 1 - int(hex_[:2]) % 2


def week_orders(api: Api, war: str, orders: dict[str, Any]) -> dict[str, Any]:
    """Return the default orders, with moves for large fleets that may move."""
    view = api.get(f"{war}view/")["view"]
    goals = goal_hexes(view, api.get(f"{war}map/")["systems"])
    moves = {move["fleet"]: move for move in orders.get("moves", [])}
    # A fleet stays where it has met an enemy, and in a system that it has still to win.
    staying = {contact["hex"] for contact in view["in_contact"]} | set(goals)
    for fleet in view["fleets"]:
        ships = [ship for ship in view["ships"] if ship["fleet"] == fleet["key"]]
        if len(ships) < LARGE or fleet["hex"] in staying or fleet["key"] in moves:
            continue
        reach = api.get(f"{war}reach/", fleet=fleet["key"])["hexes"]
        if reach and goals:
            hexes = sorted(entry["hex"] for entry in reach)
            to = min(hexes, key=lambda hex_: min(distance(hex_, goal) for goal in goals))
            moves[fleet["key"]] = {"fleet": fleet["key"], "to": to}
    return {**orders, "moves": list(moves.values())}


def goal_hexes(view: dict[str, Any], systems: list[dict[str, Any]]) -> list[str]:
    """Return the hexes of the systems in which another side, or nobody, has superiority."""
    superior_of = {system["system"]: system["superior"] for system in view["systems"]}
    goals = []
    for system in systems:
        if (superior_of.get(system["id"]) or system["owner"]) != view["faction"]:
            goals.append(system["hex"])
    return goals


def decisions(api: Api, war: str) -> dict[str, Any]:
    """Decide to fight with at least as many ships as the newest scan counted, else the default."""
    view = api.get(f"{war}view/")["view"]
    hex_of = {fleet["key"]: fleet["hex"] for fleet in view["fleets"]}
    decide = []
    for decision in view["open_decisions"]:
        if decision["fixed"] is not None:
            continue
        hex_, toward = decision["hex"], decision["toward"]
        own_ships = [ship for ship in view["ships"] if hex_of.get(ship["fleet"]) == hex_]
        theirs = 0
        for sighting in view["sightings"]:  # the newest is the last
            if (sighting["hex"], sighting["faction"]) == (hex_, toward):
                theirs = sum(count for _, count in sighting["counts"])
        choice = "fight" if len(own_ships) >= theirs else decision["default"]
        decide.append({"hex": hex_, "toward": toward, "choice": choice})
    return {"schema": 1, "decide": decide}


def do_task(api: Api, war: str, task: str, battle: str | None) -> None:
    """Do the war's current task, and seal the orders."""
    path = f"{war}fights/{battle}/orders/" if task == "fight" else f"{war}orders/"
    if task == "decisions":
        orders = decisions(api, war)
    else:
        orders = api.get(f"{path}default/")["orders"]
    if task == "orders":
        with_moves = week_orders(api, war, orders)
        if not api.post(f"{path}check/", with_moves)["violations"]:
            orders = with_moves
    api.post(f"{path}seal/", {"orders": orders})


def play(api: Api, arguments: argparse.Namespace, pause: float = 5.0) -> str:
    """Play the requested war until it is over, and return its result."""
    war = ""
    while True:
        try:
            war = war or war_of(arguments, api, faction=True)
            sheet = api.get(war)
            if sheet["state"] == "over":
                return str(api.get(f"{war}view/")["view"]["result"])
            wants = sheet["wants"]
            if wants["due"] and wants["task"] in TASKS:
                do_task(api, war, wants["task"], wants["battle"])
                continue
        except Unreachable as away:  # sites restart now and then
            print(away, file=sys.stderr)
        except ApiError as refused:
            if refused.code not in TOO_LATE:
                raise
        time.sleep(pause)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--war", default="")
    arguments = options.parse_args()
    try:
        login = login_read(os.environ)
        print(play(Api(login.address, login.token), arguments))
    except ClientError as failed:
        sys.exit(f"bot: {failed}")

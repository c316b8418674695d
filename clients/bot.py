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
# Another player or the clock was faster: look again.
LATE = (
    "stage-closed",
    "already-sealed",
    "already-over",
)


def distance(start: str, end: str) -> int:
    """Return the steps between two hexes CCRR of a flat-topped map with raised odd columns."""
    (x, y), (to_x, to_y) = (
        (int(label[:2]), int(label[2:]) * 2 + 1 - int(label[:2]) % 2) for label in (start, end)
    )
    return abs(x - to_x) + max(0, abs(y - to_y) - abs(x - to_x)) // 2


def week(api: Api, war: str, orders: dict[str, Any]) -> dict[str, Any]:
    """Return the default orders, with moves for large fleets that may move."""
    view, chart = api.get(f"{war}view/")["view"], api.get(f"{war}map/")
    superior_of = {system["system"]: system["superior"] for system in view["systems"]}
    goals = [
        item["hex"]
        for item in chart["systems"]
        if (superior_of.get(item["id"]) or item["owner"]) != view["faction"]
    ]
    marches = {move["fleet"]: move for move in orders.get("moves", [])}
    touched = {touch["hex"] for touch in view["in_contact"]}
    for fleet in view["fleets"]:
        ships = [ship for ship in view["ships"] if ship["fleet"] == fleet["key"]]
        if (
            len(ships) < LARGE
            or fleet["hex"] in touched
            or fleet["hex"] in goals
            or fleet["key"] in marches
        ):
            continue
        near = [step["hex"] for step in api.get(f"{war}reach/", fleet=fleet["key"])["hexes"]]
        if near and goals:
            to = min(near, key=lambda hex_: (min(distance(hex_, goal) for goal in goals), hex_))
            marches[fleet["key"]] = {"fleet": fleet["key"], "to": to}
    return {**orders, "moves": list(marches.values())}


def decisions(api: Api, war: str) -> dict[str, Any]:
    """Decide to fight with at least as many ships as the newest scan counted, else the default."""
    view = api.get(f"{war}view/")["view"]
    at = {fleet["key"]: fleet["hex"] for fleet in view["fleets"]}
    decide = []
    for decision in view["open_decisions"]:
        mine = sum(at.get(ship["fleet"]) == decision["hex"] for ship in view["ships"])
        scans = [
            sighting
            for sighting in view["sightings"]
            if (sighting["hex"], sighting["faction"]) == (decision["hex"], decision["toward"])
        ]
        theirs = sum(count for _, count in scans[-1]["counts"]) if scans else 0
        if decision["fixed"] is None:
            choice = "fight" if mine >= theirs else decision["default"]
            decide.append({"hex": decision["hex"], "toward": decision["toward"], "choice": choice})
    return {"schema": 1, "decide": decide}


def turn(api: Api, war: str, task: str, battle: str | None) -> None:
    """Do the war's current task, and seal the orders."""
    path = f"{war}fights/{battle}/orders/" if task == "fight" else f"{war}orders/"
    orders = decisions(api, war) if task == "decisions" else api.get(f"{path}default/")["orders"]
    if (
        task == "orders"
        and not api.post(f"{path}check/", marching := week(api, war, orders))["violations"]
    ):
        orders = marching
    api.post(f"{path}seal/", {"orders": orders})


def play(api: Api, arguments: argparse.Namespace, pause: float = 5.0) -> str:
    """Play the requested war until it is over, and return its result."""
    war = ""
    while True:
        try:
            sheet = api.get(war := war or war_of(arguments, api, faction=True))
            if sheet["state"] == "over":
                return str(api.get(f"{war}view/")["view"]["result"])
            if sheet["wants"]["due"] and sheet["wants"]["task"] in TASKS:
                turn(api, war, sheet["wants"]["task"], sheet["wants"]["battle"])
                continue
        except Unreachable as away:  # sites restart now and then
            print(away, file=sys.stderr)
        except ApiError as refused:
            if refused.code not in LATE:
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

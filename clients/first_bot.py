"""The bot of docs/tutorials/first-bot.md: it marches on the enemy's system and fights there."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from blindjump.api import Api
from blindjump.login_store import login_read

GOAL = "0804"  # the hex of Frost's world in the scenario First Steps
PAUSE = 2.0  # seconds between two requests for the state of the war


def march(api: Api, war: str, orders: dict[str, Any]) -> dict[str, Any]:
    """Add a move to the goal for every fleet that can reach it this week."""
    moves = list(orders.get("moves", []))  # a fleet that broke off a battle has to leave
    ordered = [move["fleet"] for move in moves]
    for fleet in api.get(f"{war}fleets/")["fleets"]:
        if fleet["hex"] == GOAL or fleet["key"] in ordered:
            continue
        reach = api.get(f"{war}reach/", fleet=fleet["key"])["hexes"]
        if GOAL in [step["hex"] for step in reach]:
            moves.append({"fleet": fleet["key"], "to": GOAL})
    return {**orders, "moves": moves}


def decide(api: Api, war: str, orders: dict[str, Any]) -> dict[str, Any]:
    """Choose to fight wherever a decision is asked for."""
    decisions = [
        {"hex": meeting["hex"], "toward": meeting["toward"], "choice": "fight"}
        for meeting in api.get(f"{war}contacts/")["open_decisions"]
        if meeting["fixed"] is None
    ]
    return {**orders, "decide": decisions}


def seal_stage(api: Api, war: str, task: str) -> None:
    """Seal the orders of the open stage: the default ones, except for moves and decisions."""
    orders = api.get(f"{war}orders/default/")["orders"]
    if task == "orders":
        orders = march(api, war, orders)
    elif task == "decisions":
        orders = decide(api, war, orders)
    api.post(f"{war}orders/seal/", {"orders": orders})


def play(api: Api, war: str, pause: float = PAUSE) -> str:
    """Play a war to its end and return its result."""
    while True:
        sheet = api.get(war)
        if sheet["state"] == "over":
            return str(api.get(f"{war}view/")["view"]["result"])
        wants = sheet["wants"]
        if wants["due"]:
            print(f"week {sheet['stage']['week']}: sealing {wants['task']}")
            seal_stage(api, war, wants["task"])
        time.sleep(pause)


if __name__ == "__main__":
    login = login_read(os.environ)
    print(play(Api(login.address, login.token), f"campaigns/{sys.argv[1]}/"))

"""Online battles: list and view them, and give orders by file."""

from __future__ import annotations

import argparse
import json
from typing import Any

from blindjump import display
from blindjump.api import Api
from blindjump.commands import CommandResult, Commands, command
from blindjump.errors import UsageError
from blindjump.orders import OrdersEndpoint, order_commands
from blindjump.war import war_of

NO_BATTLE = "You have no online battle."


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """Declare `battle` with its subcommands."""
    battle_parser = commands.add_parser("battle", help="your online battles")
    acts = battle_parser.add_subparsers(required=True, metavar="ACT")
    command(acts, "list", in_war, list_battles, "list your online battles")
    view_parser = command(acts, "view", in_war, view, "show a battle as your side sees it")
    for parser in (view_parser, *order_commands(acts, in_war, phase_endpoint)):
        parser.add_argument(
            "--battle",
            default="",
            metavar="ID",
            help="the battle; by default the only one that waits for you, or is not over",
        )


def list_battles(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the battles and their states."""
    answer = api.get(f"{war_of(args, api, faction=True)}fights/")
    rows = []
    for battle in answer["fights"]:
        turn = f"turn {battle['phase']['turn']}"
        week = f"week {battle['week']}"
        row = (battle["id"], week, battle["hex"], battle["state"], turn, _phase_kind(battle))
        rows.append(row)
    return CommandResult(answer, display.table(rows) or NO_BATTLE)


def battle_of(args: argparse.Namespace, api: Api) -> str:
    """Return the API path of the requested battle.

    Without `--battle` that is the only one that waits for orders, or the only one in progress, or
    the only one.

    Raises:
        UsageError: If no battle or more than one matches.
    """
    path = f"{war_of(args, api, faction=True)}fights/"
    battles = api.get(path)["fights"]
    if not battles:
        raise UsageError(NO_BATTLE)
    unfinished = [battle for battle in battles if battle["state"] != "over"]
    due = [battle for battle in unfinished if battle["state"] == "open"]
    if args.battle:
        matching = [battle for battle in battles if battle["id"].startswith(args.battle)]
    else:
        matching = due or unfinished or battles
    if len(matching) != 1:
        lines = [f"  {battle['id']}  {battle['hex']}  {battle['state']}" for battle in battles]
        raise UsageError("\n".join(["name the battle with --battle:", *lines]))
    return f"{path}{matching[0]['id']}/"


def view(args: argparse.Namespace, api: Api) -> CommandResult:
    """Show the current phase, the player's ships, and everything in sight."""
    sheet = api.get(battle_of(args, api))
    phase = f"turn {sheet['phase']['turn']}"
    if kind := _phase_kind(sheet):
        phase += f", {kind}"
    lines = [
        f"{phase}: {sheet['state']}",
        f"yours: {', '.join(sheet['mine'])}",
        json.dumps(sheet["view"], indent=1, ensure_ascii=False),
    ]
    return CommandResult(sheet, "\n".join(lines))


def _phase_kind(sheet: dict[str, Any]) -> str:
    """Return the kind of orders that the current phase asks for; "" if the battle is over."""
    return "" if sheet["state"] == "over" else str(sheet["phase"]["kind"])


def phase_endpoint(args: argparse.Namespace, api: Api) -> OrdersEndpoint:
    """Return the endpoint for orders in a battle's current phase."""
    return OrdersEndpoint(api, f"{battle_of(args, api)}orders/", is_battle=True)

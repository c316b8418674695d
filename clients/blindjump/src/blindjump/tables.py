"""Dice of the site for a battle at a table: reserved with a number first, then shown."""

from __future__ import annotations

import argparse
import uuid
from typing import Any

from blindjump.api import Api
from blindjump.commands import CommandResult, Commands, command
from blindjump.errors import ClientError, Unreachable, UsageError, fault_words
from blindjump.war import find_war, war_of


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """Declare `roll`."""
    roll_parser = command(
        commands, "roll", in_war, roll, "let the site roll dice for a battle at a table"
    )
    roll_parser.add_argument("dice", type=int, nargs="?", default=1, help="how many; default: 1")
    roll_parser.add_argument("--for", dest="about", default="", help="what for, in quotation marks")
    roll_parser.add_argument(
        "--number", type=int, help="show the dice that were reserved with this number again"
    )
    roll_parser.add_argument(
        "--battle", default="", metavar="ID", help="by default the only one that is open"
    )


def roll(args: argparse.Namespace, api: Api) -> CommandResult:
    """Reserve dice, unless their number is given, and show them."""
    path = _record_of(args, api)
    number = args.number
    if number is None:
        reserved = _add(api, path, {"kind": "throw", "about": args.about, "dice": args.dice})
        number = reserved["outcomes"][0]["number"]
    try:
        answer = _add(api, path, {"kind": "reveal", "number": number})
    except Unreachable as error:
        words = f"the dice are reserved: `blindjump roll --number {number}` shows them"
        raise Unreachable(f"{error}; {words}") from error
    faction = find_war(args, api)["faction"]
    for line in answer["record"]["entries"]:
        entry = line["entry"]
        is_shown = "by" in entry and entry.get("number") == number
        if is_shown and line["faction"] == faction:
            rolls = entry["rolls"] if "rolls" in entry else [die for _, die in entry["dice"]]
            return CommandResult(entry, f"number {number}: {' '.join(map(str, rolls))}")
    raise ClientError(f"the record has no dice with number {number}")


def _record_of(args: argparse.Namespace, api: Api) -> str:
    """Return the API path of the record of the requested battle.

    Raises:
        UsageError: No battle or more than one matches.
    """
    path = f"{war_of(args, api, faction=True, has_begun=True)}tables/"
    tables = api.get(path)["tables"]
    matching = [table for table in tables if table["open"] and table["id"].startswith(args.battle)]
    if len(matching) != 1:
        lines = [f"  {table['id']}  week {table['week']}, {table['hex']}" for table in tables]
        raise UsageError("\n".join(["name the battle with --battle:", *lines]))
    return f"{path}{matching[0]['id']}/record/"


def _add(api: Api, path: str, entry: dict[str, Any]) -> Any:
    """Add an entry to a record and return the answer.

    Raises:
        ClientError: The site refuses it.
    """
    answer = api.post(path, {"entries": [{"key": str(uuid.uuid4()), "entry": entry}]})
    faults = answer["outcomes"][0]["violations"]
    if faults:
        raise ClientError("; ".join(fault_words(faults)))
    return answer

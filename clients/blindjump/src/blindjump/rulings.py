"""An umpire's rulings: listing them, and making, holding, undoing or withdrawing one."""

from __future__ import annotations

import argparse
import json
from typing import Any

from blindjump.api import Api
from blindjump.commands import CommandResult, Commands, command
from blindjump.errors import ClientError
from blindjump.war import war_of


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """Declare `rulings` and `rule`."""
    command(commands, "rulings", in_war, rulings, "umpire: list the rulings, and those that wait")
    rule_parser = command(commands, "rule", in_war, rule, "umpire: correct the record of the war")
    rule_parser.add_argument("reason", help="in quotation marks; all notified factions read it")
    rule_parser.add_argument(
        "patches",
        nargs="*",
        help='corrections as JSON: \'{"kind": "ship-damage", "ship": "esu/s3", "damage": 2}\'',
    )
    rule_parser.add_argument("--note", default="", help="a note that everybody reads")
    rule_parser.add_argument(
        "--tell", action="append", default=[], metavar="FACTION", help="notify this faction too"
    )
    when = rule_parser.add_mutually_exclusive_group()
    when.add_argument("--now", action="store_true", help="make it at once")
    when.add_argument("--hold", action="store_true", help="make it when the next stage opens")
    rule_parser.add_argument("--undo", type=int, default=0, metavar="NUMBER", help="undo a ruling")
    rule_parser.add_argument(
        "--withdraw", default="", metavar="ID", help="withdraw a ruling that waits"
    )
    rule_parser.add_argument(
        "--preview", action="store_true", help="change nothing, and say who would read what"
    )


def rulings(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the rulings of the war."""
    answer = api.get(war_of(args, api, has_begun=True) + "umpire/rulings/")
    return CommandResult(answer, _words(answer))


def rule(args: argparse.Namespace, api: Api) -> CommandResult:
    """Make, hold, preview, undo or withdraw a ruling."""
    body: dict[str, Any] = {
        "patches": [_patch(text) for text in args.patches],
        "reason": args.reason,
        "public_note": args.note,
        "also": args.tell,
        "undoes": args.undo,
        "withdraw": args.withdraw,
        "preview": args.preview,
    }
    if args.now or args.hold:
        body["hold"] = args.hold
    answer = api.post(war_of(args, api, has_begun=True) + "umpire/rulings/", body)
    return CommandResult(answer, _words(answer))


def _patch(text: str) -> dict[str, Any]:
    """Return a correction from the command line. Raises ClientError."""
    try:
        document = json.loads(text)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise ClientError(f"'{text}' is not a JSON object")
    return document


def _words(answer: dict[str, Any]) -> str:
    """Return rulings, or what one would do, as text."""
    if answer["preview"] is not None:
        return _preview_words(answer["preview"])
    lines = []
    for row in answer["rulings"]:
        lines += _ruling_lines(row)
    for row in answer["held"]:
        lines.append(f"waits  {row['id']}  {row['reason']}")
        lines += [f"       not possible now: {words}" for words in row["faults"]]
    return "\n".join(lines) or "There has been no ruling."


def _preview_words(preview: dict[str, Any]) -> str:
    """Return what a ruling would do as text."""
    lines = [_correction(item) for item in preview["corrections"]]
    for faction, items in sorted(preview["told"].items()):
        lines.append(f"{faction} reads:")
        lines += [f"  {_correction(item)}" for item in items]
    for faction in preview["returned"]:
        lines.append(f"{faction}: sealed orders come back as a draft")
    if not lines:
        lines.append("Nothing would change, and no faction would be notified.")
    if preview["must_wait"]:
        lines.append("Not possible in the open stage: hold it with --hold.")
    return "\n".join(lines)


def _ruling_lines(row: dict[str, Any]) -> list[str]:
    """Return a ruling as lines of text."""
    undoes = f" (undoes {row['undoes']})" if row["undoes"] else ""
    if row["told"]:
        notified = f"notified: {', '.join(row['told'])}"
    else:
        notified = "no faction was notified"
    return [
        f"{row['number']:>4}  week {row['week']}: {row['reason']}{undoes}",
        f"      {notified}",
    ]


def _correction(item: dict[str, Any]) -> str:
    """Return a correction as text."""
    before = item["before"] or "-"
    after = item["after"] or "-"
    return f"{item['name'] or item['what']}, {item['field']}: {before} -> {after}"

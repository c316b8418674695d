"""The timelines of a war: rolling it back, votes, forks; its ledger and what ends it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from blindjump.api import Api
from blindjump.commands import CommandResult, Commands, command
from blindjump.errors import ClientError, UsageError
from blindjump.war import war_of


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """Declare `timelines`, `rollback`, `vote`, `fork`, `reveal`, `ledger`, `luck`, `archive`."""
    command(
        commands,
        "timelines",
        in_war,
        timelines,
        "list the stages to which the war can be rolled back, and the newest proposal",
    )
    rollback_parser = command(
        commands,
        "rollback",
        in_war,
        rollback,
        "roll the war back, or propose it if every side must agree",
    )
    rollback_parser.add_argument("place", help="of a stage in `timelines`, such as 1-4")
    rollback_parser.add_argument("reason", help="in quotation marks; everybody in the war reads it")
    rollback_parser.add_argument(
        "--same-dice",
        action="store_true",
        help="roll the same dice again; sealed orders stay sealed",
    )
    vote_parser = command(commands, "vote", in_war, vote, "answer the proposal in `timelines`")
    vote_parser.add_argument("answer", choices=("agree", "disagree", "withdraw"))
    fork_parser = command(
        commands,
        "fork",
        in_war,
        fork,
        "create a new war that begins with a week of this one, or propose it if every side must "
        "agree",
    )
    fork_parser.add_argument("week", type=int, help="with which it begins")
    fork_parser.add_argument(
        "--stage",
        choices=("orders", "decisions", "battles"),
        default="orders",
        help="of the week; default: orders",
    )
    fork_parser.add_argument("--name", default="", help="of the new war")
    fork_parser.add_argument("--play", default="", help="key of the faction that you lead")
    command(
        commands,
        "reveal",
        in_war,
        reveal,
        "propose to publish a finished war while a war that shares its past goes on",
    )
    command(commands, "ledger", in_war, ledger, "list the rows of the public ledger")
    command(commands, "luck", in_war, luck, "show the luck account of a finished war")
    archive_parser = command(
        commands, "archive", in_war, archive, "save the archive of a finished war, for verifiers"
    )
    archive_parser.add_argument(
        "--own", action="store_true", help="what your side can prove now, while the war goes on"
    )
    archive_parser.add_argument(
        "-o", "--output", default="", metavar="FILE", help="default: ID.war.jsonl.gz"
    )


def timelines(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the timelines of the war."""
    answer = api.get(war_of(args, api, has_begun=True) + "timelines/")
    return CommandResult(answer, _words(answer))


def rollback(args: argparse.Namespace, api: Api) -> CommandResult:
    """Roll the war back, or propose it."""
    path = war_of(args, api, has_begun=True) + "timelines/"
    body = {
        "to": args.place,
        "head": api.get(path)["head"],
        "reason": args.reason,
        "dice": "same" if args.same_dice else "fresh",
    }
    answer = api.post(path, body)
    return CommandResult(answer, _words(answer))


def vote(args: argparse.Namespace, api: Api) -> CommandResult:
    """Answer the newest proposal, or withdraw it."""
    path = war_of(args, api, has_begun=True) + "timelines/"
    proposal = api.get(path)["proposal"]
    if proposal is None:
        raise ClientError("nothing has been proposed")
    body = {"proposal": proposal["proposal"], "answer": args.answer}
    answer = api.post(path + "answer/", body)
    return CommandResult(answer, _words(answer))


def fork(args: argparse.Namespace, api: Api) -> CommandResult:
    """Fork the war, and return the new one; or propose it, and return the timelines."""
    path = war_of(args, api, has_begun=True) + "forks/"
    body = {"week": args.week, "stage": args.stage, "name": args.name, "play": args.play}
    answer = api.post(path, body)
    if "proposal" in answer:
        return CommandResult(answer, _words(answer))
    return CommandResult(answer, f"Created {answer['name']}: {answer['id']}")


def reveal(args: argparse.Namespace, api: Api) -> CommandResult:
    """Propose to publish the story of the war."""
    answer = api.post(war_of(args, api, has_begun=True) + "reveal/", {})
    return CommandResult(answer, _words(answer))


def ledger(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the rows of the ledger."""
    answer = api.get(war_of(args, api, has_begun=True) + "ledger/")
    lines = []
    for row in answer["rows"]:
        body = row["body"]
        lines.append(f"{row['seq']:>4}  week {body['week']}, {body['stage']}  {row['hash']}")
    end = answer["end"]
    if end is not None:
        lines.append(f"{end['seq']:>4}  end  {end['hash']}")
        lines.append(f"The seed of the dice: {end['body']['seed']}")
    return CommandResult(answer, "\n".join(lines) or "No stage has been resolved yet.")


def luck(args: argparse.Namespace, api: Api) -> CommandResult:
    """Show what dice did in all battles of a finished war, and what was to be expected."""
    answer = api.get(war_of(args, api, has_begun=True) + "luck/")
    lines = []
    for line in answer["lines"]:
        if not line["battle"]:
            lines.append(
                f"{line['faction']}, {line['part']}: {line['effect']} with {line['dice']} dice,"
                f" expected {line['expected']:.1f}, better than {line['better_than']:.0%}"
            )
    kinds = [f"{kind} ({count})" for kind, count in sorted(answer["not_counted"].items())]
    if kinds:
        lines.append(f"Events whose dice are not counted: {', '.join(kinds)}")
    return CommandResult(answer, "\n".join(lines) or "No dice are counted.")


def archive(args: argparse.Namespace, api: Api) -> CommandResult:
    """Save the archive of the war, or of the player's side, as a file.

    Raises:
        UsageError: The file cannot be written.
    """
    path = war_of(args, api, faction=args.own, has_begun=True)
    id_ = path.split("/")[1][:8]
    name = args.output or (f"{id_}-own.war.jsonl.gz" if args.own else f"{id_}.war.jsonl.gz")
    data = api.download(f"{path}archive/own/" if args.own else f"{path}archive/")
    try:
        Path(name).write_bytes(data)
    except OSError as error:
        raise UsageError(f"cannot write {name}: {error}") from error
    words = f"Written: {name}. `python -m proof verify {name}` checks it."
    return CommandResult({"file": name, "bytes": len(data)}, words)


def _words(answer: dict[str, Any]) -> str:
    """Return the timelines as text, a line for each stage."""
    lines = []
    for target in answer["targets"]:
        mark = " (end of an abandoned timeline)" if target["abandoned"] else ""
        lines.append(f"{target['place']:>8}  week {target['week']}, {target['stage']}{mark}")
    proposal = answer["proposal"]
    if proposal is not None:
        if proposal["kind"] == "fork":
            lines.append(
                f"{proposal['by']} proposed the new war {proposal['name']}, which begins with week"
                f" {proposal['week']}, {proposal['stage']}: {proposal['state']}."
            )
        elif proposal["kind"] == "umpire":
            lines.append(
                f"{proposal['by']} proposed {proposal['name']} as umpire: {proposal['state']}."
            )
        elif proposal["kind"] == "reveal":
            lines.append(
                f"{proposal['by']} proposed to publish {proposal['name']}: {proposal['state']}."
            )
        else:
            lines.append(
                f"{proposal['by']} proposed {proposal['to']}: {proposal['state']}."
                f" Reason: {proposal['reason']}"
            )
        for faction, agrees in sorted(proposal["answers"].items()):
            lines.append(f"  {faction}: {'agrees' if agrees else 'disagrees'}")
    return "\n".join(lines) or "The war cannot be rolled back now."

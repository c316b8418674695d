"""The people of a war: account, invitations, seats and messages."""

from __future__ import annotations

import argparse
import re
from typing import Any

from blindjump import display
from blindjump.api import Api
from blindjump.commands import CommandResult, Commands, command
from blindjump.errors import NOT_THERE, ApiError, ClientError, UsageError
from blindjump.war import war_of

INVITATION = re.compile(r".*/c/(?P<war>[0-9a-f-]{36})/join/(?P<token>[^/?#]+)/?")
UMPIRE = "umpire"
NO_INVITATION = (
    "this invitation cannot be taken: it was used or taken back, has ended, or is not of this site"
)
READS_ONLY = "read-only-token"


def declare(
    commands: Commands, in_war: argparse.ArgumentParser, common: argparse.ArgumentParser
) -> None:
    """Declare `account`, `join`, `seats`, `invite`, `messages` and `write`."""
    account_parser = command(
        commands,
        "account",
        common,
        account,
        "show who you are, or say whether this account is a program's",
    )
    kind = account_parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--bot", dest="bot", action="store_const", const=True, help="from now on it is a program's"
    )
    kind.add_argument(
        "--person",
        dest="bot",
        action="store_const",
        const=False,
        help="from now on it is a person's",
    )
    join_parser = command(commands, "join", common, join, "take the seat of an invitation")
    join_parser.add_argument("link", help="the link of the invitation")
    command(commands, "seats", in_war, seats, "show who plays, and who is a program")
    invite_parser = command(
        commands, "invite", in_war, invite, "make the link of an invitation, for one person"
    )
    invite_parser.add_argument("faction", nargs="?", default="", help="its key in `seats`")
    invite_parser.add_argument(
        "--role",
        default="player",
        help="player (the usual), staff, guest, observer, umpire or host",
    )
    invite_parser.add_argument(
        "--replaces",
        default="",
        metavar="NAME",
        help="the player whose seat is taken over; they keep it until then",
    )
    invite_parser.add_argument(
        "--days", type=int, default=14, metavar="N", help="how long the link holds"
    )
    words = (
        "show the messages of your seat, those that were new marked *; "
        "they count as read from then on"
    )
    messages_parser = command(commands, "messages", in_war, messages, words)
    messages_parser.add_argument(
        "--unread", action="store_true", help="only those that you have not read"
    )
    messages_parser.add_argument("--keep", action="store_true", help="leave them unread")
    write_parser = command(commands, "write", in_war, write, "write a message")
    write_parser.add_argument("text", help="in quotation marks")
    write_parser.add_argument(
        "--to", action="append", default=[], metavar="FACTION", help=f"or {UMPIRE}; once for each"
    )


def account(args: argparse.Namespace, api: Api) -> CommandResult:
    """Show the account; with `--bot` or `--person` change its kind, if it takes part in no war."""
    me = api.get("me/") if args.bot is None else api.call("PUT", "me/", {"bot": args.bot}).body
    return CommandResult(
        me, f"{me['username']} at {api.address}, {'a program' if me['bot'] else 'a person'}"
    )


def join(args: argparse.Namespace, api: Api) -> CommandResult:
    """Take the seat of an invitation link.

    Raises:
        UsageError: If the text is not such a link.
    """
    link = INVITATION.fullmatch(args.link.strip())
    if link is None:
        raise UsageError(
            "this is no link of an invitation: it looks like https://war.example.org/c/41d0.../join/..."
        )
    try:
        sheet = api.post(f"campaigns/{link['war']}/join/", {"token": link["token"]})
    except ApiError as refused:
        raise refused.with_words(
            f"{NO_INVITATION}; you are logged in at {api.address}"
        ) from refused
    part = ", ".join(filter(None, [sheet["faction"], *sheet["roles"]]))
    return CommandResult(
        sheet, f"{sheet['name']}: you are in it ({part}); {display.war_status(sheet)}"
    )


def invite(args: argparse.Namespace, api: Api) -> CommandResult:
    """Create an invitation, and show its link, which is available only now."""
    war = war_of(args, api)
    request = {
        "role": args.role,
        "faction": args.faction,
        "days": args.days,
        "replaces": args.replaces,
    }
    invitation = api.post(f"{war}invites/", request)
    public_id = war.strip("/").partition("/")[2]
    link = f"{api.address}/c/{public_id}/join/{invitation['token']}/"
    words = f"{link}\nIt works once, until {display.local_time(invitation['expires'])}."
    if invitation["replaces"]:
        words += f" {invitation['replaces']} keeps the seat until somebody takes it."
    return CommandResult({**invitation, "link": link}, words)


def seats(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the factions with their players, and everyone else."""
    answer = api.get(f"{war_of(args, api)}seats/")

    def names_with_bots(names: list[str]) -> str:
        return ", ".join(f"{name} (program)" if name in answer["bots"] else name for name in names)

    rows = [
        (
            seat["faction"],
            seat["name"],
            names_with_bots([*seat["players"], *seat["staff"]]) or _leader_text(seat),
        )
        for seat in answer["seats"]
    ]
    others = [
        f"{role}: {names_with_bots(answer[role])}"
        for role in ("hosts", "umpires", "observers")
        if answer[role]
    ]
    return CommandResult(answer, "\n".join([display.table(rows), *others]))


def _leader_text(seat: dict[str, Any]) -> str:
    return f"computer admiral, {seat['admiral']}" if seat["admiral"] else "nobody"


def messages(args: argparse.Namespace, api: Api) -> CommandResult:
    """Show messages, oldest first.

    Shown messages count as read, as on the page, except with `--keep` and with a read-only token.
    """
    path = war_of(args, api)
    try:
        answer = api.get(f"{path}messages/")
    except ApiError as refused:
        raise _messages_error(refused) from refused
    new = [message["id"] for message in answer["messages"] if message["unread"]]
    lines = []
    if args.unread:
        answer = {
            **answer,
            "messages": [message for message in answer["messages"] if message["unread"]],
        }
    for message in answer["messages"]:
        sender, receiver = message["sender"] or UMPIRE, message["receiver"] or UMPIRE
        by = f" ({message['author']})" if message["author"] else ""
        sent = (
            display.local_time(message["at"])
            if message["at"]
            else "goes out when the stage is resolved"
        )
        mark = "* " if message["unread"] else ""
        lines.append(f"{mark}week {message['week']}, {sender}{by} to {receiver}, {sent}")
        lines.append(f"    {message['text']}")
    if new and not args.keep:
        try:
            api.post(f"{path}messages/read/", {"ids": new})
        except ApiError as refused:
            if refused.code != READS_ONLY:
                raise
            lines.append("They stay unread: your token only reads.")
    none = "There are no new messages." if args.unread else "There are no messages."
    return CommandResult(answer, "\n".join(lines) or none)


def _messages_error(refused: ApiError) -> ClientError:
    """Return the error for a war without messages."""
    return (
        ClientError("this war has no messages, or your seat writes none")
        if refused.http == NOT_THERE
        else refused
    )


def write(args: argparse.Namespace, api: Api) -> CommandResult:
    """Send a message to factions and the umpire; without `--to`, to the sender's own faction."""
    path = war_of(args, api)
    to = args.to or [api.get(path)["faction"] or UMPIRE]
    body = {
        "text": args.text,
        "to": [receiver for receiver in to if receiver != UMPIRE],
        "umpire": UMPIRE in to,
    }
    try:
        answer = api.post(f"{path}messages/", body)
    except ApiError as refused:
        raise _messages_error(refused) from refused
    when = (
        "It is there"
        if all(receiver["at"] for receiver in answer["messages"])
        else "It goes out when the stage is resolved"
    )
    return CommandResult(answer, f"{when}: to {', '.join(to)}.")

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
    "this invitation cannot be used: it was used before, was revoked, has expired, "
    "or is for another site"
)
READ_ONLY = "read-only-token"  # code for a token that may not act


def declare(
    commands: Commands, in_war: argparse.ArgumentParser, common: argparse.ArgumentParser
) -> None:
    """Declare `account`, `join`, `seats`, `invite`, `messages` and `write`."""
    account_parser = command(
        commands,
        "account",
        common,
        account,
        "show your account, or set whether a person or a program uses it",
    )
    kind = account_parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--bot", dest="bot", action="store_const", const=True, help="a program uses this account"
    )
    kind.add_argument(
        "--person",
        dest="bot",
        action="store_const",
        const=False,
        help="a person uses this account",
    )
    join_parser = command(commands, "join", common, join, "join a war with an invitation link")
    join_parser.add_argument("link", help="the invitation link")
    command(commands, "seats", in_war, seats, "list the players, and which of them are programs")
    invite_parser = command(
        commands, "invite", in_war, invite, "make an invitation link for one person"
    )
    invite_parser.add_argument("faction", nargs="?", default="", help="its key in `seats`")
    invite_parser.add_argument(
        "--role",
        default="player",
        help="player (the default), staff, guest, observer, umpire or host",
    )
    invite_parser.add_argument(
        "--replaces",
        default="",
        metavar="NAME",
        help="the player whose seat the invited person takes over; the player keeps it until then",
    )
    invite_parser.add_argument(
        "--days", type=int, default=14, metavar="N", help="how many days the link is valid"
    )
    words = "show the messages of your seat, new ones marked *, and mark them as read"
    messages_parser = command(commands, "messages", in_war, messages, words)
    messages_parser.add_argument(
        "--unread", action="store_true", help="show only those that you have not read"
    )
    messages_parser.add_argument("--keep", action="store_true", help="leave them unread")
    write_parser = command(commands, "write", in_war, write, "send a message")
    write_parser.add_argument("text", help="in quotation marks")
    write_parser.add_argument(
        "--to",
        action="append",
        default=[],
        metavar="FACTION",
        help=f"a faction or `{UMPIRE}`; repeat for more; by default your own faction",
    )


def account(args: argparse.Namespace, api: Api) -> CommandResult:
    """Show the account; with `--bot` or `--person` change its kind, if it takes part in no war."""
    if args.bot is None:
        me = api.get("me/")
    else:
        me = api.call("PUT", "me/", {"bot": args.bot}).body
    kind = "a program" if me["bot"] else "a person"
    return CommandResult(me, f"{me['username']} at {api.address}, {kind}")


def join(args: argparse.Namespace, api: Api) -> CommandResult:
    """Take the seat of an invitation link.

    Raises:
        UsageError: If the text is not such a link.
    """
    link = INVITATION.fullmatch(args.link.strip())
    if link is None:
        raise UsageError(
            "this is not an invitation link such as https://war.example.org/c/41d0.../join/..."
        )
    try:
        sheet = api.post(f"campaigns/{link['war']}/join/", {"token": link["token"]})
    except ApiError as refused:
        raise refused.with_words(
            f"{NO_INVITATION}; you are logged in at {api.address}"
        ) from refused
    roles = display.roles_text(sheet)
    words = f"You have joined {sheet['name']} ({roles}): {display.war_status(sheet)}"
    return CommandResult(sheet, words)


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
        words += f" {invitation['replaces']} keeps the seat until somebody takes it over."
    return CommandResult({**invitation, "link": link}, words)


def seats(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the factions with their players, and everyone else."""
    answer = api.get(f"{war_of(args, api)}seats/")
    bots = answer["bots"]
    rows = []
    for seat in answer["seats"]:
        people = _names_text([*seat["players"], *seat["staff"]], bots=bots)
        rows.append((seat["faction"], seat["name"], people or _unplayed_text(seat)))
    lines = [display.table(rows)]
    for role in ("hosts", "umpires", "observers"):
        if answer[role]:
            lines.append(f"{role}: {_names_text(answer[role], bots=bots)}")
    return CommandResult(answer, "\n".join(lines))


def _names_text(names: list[str], *, bots: list[str]) -> str:
    """Return names separated by commas, with a remark after those of programs."""
    return ", ".join([f"{name} (program)" if name in bots else name for name in names])


def _unplayed_text(seat: dict[str, Any]) -> str:
    """Return who commands a faction without players."""
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
    unread = [message for message in answer["messages"] if message["unread"]]
    if args.unread:
        answer = {**answer, "messages": unread}
    lines: list[str] = []
    for message in answer["messages"]:
        lines += _message_lines(message)
    if unread and not args.keep:
        try:
            api.post(f"{path}messages/read/", {"ids": [message["id"] for message in unread]})
        except ApiError as refused:
            if refused.code != READ_ONLY:
                raise
            lines.append("They stay unread: your token is read-only.")
    none = "There are no new messages." if args.unread else "There are no messages."
    return CommandResult(answer, "\n".join(lines) or none)


def _message_lines(message: dict[str, Any]) -> tuple[str, str]:
    """Return a message as two lines: week, sender, receiver and time, then its text."""
    sender = message["sender"] or UMPIRE
    receiver = message["receiver"] or UMPIRE
    if message["author"]:
        sender += f" ({message['author']})"
    if message["at"]:
        sent = display.local_time(message["at"])
    else:
        sent = "goes out when the stage is resolved"
    mark = "* " if message["unread"] else ""
    return (
        f"{mark}week {message['week']}, {sender} to {receiver}, {sent}",
        f"    {message['text']}",
    )


def _messages_error(refused: ApiError) -> ClientError:
    """Return the error of a request about messages, with a message of its own for status 404."""
    if refused.http != NOT_THERE:
        return refused
    return ClientError("this war has no messages, or your role in it has none")


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
    if all(message["at"] for message in answer["messages"]):
        result = f"Sent to {', '.join(to)}."
    else:
        result = f"Goes out to {', '.join(to)} when the stage is resolved."
    return CommandResult(answer, result)

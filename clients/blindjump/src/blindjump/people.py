"""People of a war: one's account, the way into a war, its seats, and messages."""

from __future__ import annotations

import argparse
import re
from typing import Any

from blindjump import shown
from blindjump.api import Api
from blindjump.errors import NOT_THERE, Failed, Misused, Refused
from blindjump.told import Commands, Told, command
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
    """`account`, `join`, `seats`, `invite`, `messages`, `write`."""
    own = command(
        commands,
        "account",
        common,
        account,
        "show who you are, or say whether this account is a program's",
    )
    kind = own.add_mutually_exclusive_group()
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
    into = command(commands, "join", common, join, "take the seat of an invitation")
    into.add_argument("link", help="the link of the invitation")
    command(commands, "seats", in_war, seats, "show who plays, and who is a program")
    offer = command(
        commands, "invite", in_war, invite, "make the link of an invitation, for one person"
    )
    offer.add_argument("faction", nargs="?", default="", help="its key in `seats`")
    offer.add_argument(
        "--role",
        default="player",
        help="player (the usual), staff, guest, observer, umpire or host",
    )
    offer.add_argument(
        "--replaces",
        default="",
        metavar="NAME",
        help="the player whose seat is taken over; they keep it until then",
    )
    offer.add_argument("--days", type=int, default=14, metavar="N", help="how long the link holds")
    words = "show the messages of your seat, those that were new marked *; they count as read from then on"
    letters = command(commands, "messages", in_war, messages, words)
    letters.add_argument("--unread", action="store_true", help="only those that you have not read")
    letters.add_argument("--keep", action="store_true", help="leave them unread")
    letter = command(commands, "write", in_war, write, "write a message")
    letter.add_argument("text", help="in quotation marks")
    letter.add_argument(
        "--to", action="append", default=[], metavar="FACTION", help=f"or {UMPIRE}; once for each"
    )


def account(given: argparse.Namespace, api: Api) -> Told:
    """Who is logged in; with `--bot` and `--person` the account says which it is, while it has no
    part in a war.
    """
    me = api.get("me/") if given.bot is None else api.call("PUT", "me/", {"bot": given.bot}).body
    return Told(
        me, f"{me['username']} at {api.address}, {'a program' if me['bot'] else 'a person'}"
    )


def join(given: argparse.Namespace, api: Api) -> Told:
    """Take a seat by the link that its host sent. Raises Misused for what is no such link."""
    link = INVITATION.fullmatch(given.link.strip())
    if link is None:
        raise Misused(
            "this is no link of an invitation: it looks like https://war.example.org/c/41d0.../join/..."
        )
    try:
        sheet = api.post(f"campaigns/{link['war']}/join/", {"token": link["token"]})
    except Refused as refused:
        raise refused.of(f"{NO_INVITATION}; you are logged in at {api.address}") from refused
    part = ", ".join(filter(None, [sheet["faction"], *sheet["roles"]]))
    return Told(sheet, f"{sheet['name']}: you are in it ({part}); {shown.standing(sheet)}")


def invite(given: argparse.Namespace, api: Api) -> Told:
    """Offer a seat: the link of its invitation, which is shown only now."""
    war = war_of(given, api)
    asked = {
        "role": given.role,
        "faction": given.faction,
        "days": given.days,
        "replaces": given.replaces,
    }
    made = api.post(f"{war}invites/", asked)
    public_id = war.strip("/").partition("/")[2]
    link = f"{api.address}/c/{public_id}/join/{made['token']}/"
    words = f"{link}\nIt works once, until {shown.instant(made['expires'])}."
    if made["replaces"]:
        words += f" {made['replaces']} keeps the seat until somebody takes it."
    return Told({**made, "link": link}, words)


def seats(given: argparse.Namespace, api: Api) -> Told:
    """Factions with who plays them, and everybody else."""
    answer = api.get(f"{war_of(given, api)}seats/")

    def named(names: list[str]) -> str:
        return ", ".join(f"{name} (program)" if name in answer["bots"] else name for name in names)

    rows = [
        (one["faction"], one["name"], named([*one["players"], *one["staff"]]) or _led(one))
        for one in answer["seats"]
    ]
    others = [
        f"{role}: {named(answer[role])}"
        for role in ("hosts", "umpires", "observers")
        if answer[role]
    ]
    return Told(answer, "\n".join([shown.table(rows), *others]))


def _led(seat: dict[str, Any]) -> str:
    return f"computer admiral, {seat['admiral']}" if seat["admiral"] else "nobody"


def messages(given: argparse.Namespace, api: Api) -> Told:
    """Messages, oldest first.

    What was shown is read, as on the page, but for `--keep` and a token that only reads.
    """
    path = war_of(given, api)
    try:
        answer = api.get(f"{path}messages/")
    except Refused as refused:
        raise _silent(refused) from refused
    new = [one["id"] for one in answer["messages"] if one["unread"]]
    lines = []
    if given.unread:
        answer = {**answer, "messages": [one for one in answer["messages"] if one["unread"]]}
    for one in answer["messages"]:
        sender, receiver = one["sender"] or UMPIRE, one["receiver"] or UMPIRE
        by = f" ({one['author']})" if one["author"] else ""
        sent = shown.instant(one["at"]) if one["at"] else "goes out when the stage is resolved"
        mark = "* " if one["unread"] else ""
        lines.append(
            f"{mark}week {one['week']}, {sender}{by} to {receiver}, {sent}\n    {one['text']}"
        )
    if new and not given.keep:
        try:
            api.post(f"{path}messages/read/", {"ids": new})
        except Refused as refused:
            if refused.code != READS_ONLY:
                raise
            lines.append("They stay unread: your token only reads.")
    none = "There are no new messages." if given.unread else "There are no messages."
    return Told(answer, "\n".join(lines) or none)


def _silent(refused: Refused) -> Failed:
    """What is said where there are no messages."""
    return (
        Failed("this war has no messages, or your seat writes none")
        if refused.http == NOT_THERE
        else refused
    )


def write(given: argparse.Namespace, api: Api) -> Told:
    """A message to factions and the umpire; without `--to` to one's own faction."""
    path = war_of(given, api)
    to = given.to or [api.get(path)["faction"] or UMPIRE]
    body = {"text": given.text, "to": [one for one in to if one != UMPIRE], "umpire": UMPIRE in to}
    try:
        answer = api.post(f"{path}messages/", body)
    except Refused as refused:
        raise _silent(refused) from refused
    when = (
        "It is there"
        if all(one["at"] for one in answer["messages"])
        else "It goes out when the stage is resolved"
    )
    return Told(answer, f"{when}: to {', '.join(to)}.")

"""Logging in and out.

Passwords and tokens are asked for or read from standard input, never from the command line.
"""

from __future__ import annotations

import argparse
import getpass
import os
import socket
import sys
from collections.abc import Callable

from blindjump import shown
from blindjump.api import Api, address_of
from blindjump.errors import Failed, LockedOut, Misused, NotLoggedIn, NotReached, Refused
from blindjump.keeping import Login, login_forget, login_keep, login_kept, login_read
from blindjump.told import Commands, Told, command

LONGEST_NAME = 60  # of a token, in characters
NOBODY = "nobody can be asked here: pipe the password or token in with --stdin; with a password say --user NAME, too"


def declare(commands: Commands, common: argparse.ArgumentParser) -> None:
    """`login`, `logout`, `tokens`."""
    into = command(
        commands, "login", common, login, "log in at a site and keep its token", logs_in=True
    )
    into.add_argument("address", help="such as https://war.example.org")
    into.add_argument("--user", default="", help="your name there")
    into.add_argument(
        "--token",
        action="store_true",
        help="give a token of your profile page instead of a password",
    )
    into.add_argument(
        "--read-only", action="store_true", help="a token that reads and does nothing"
    )
    into.add_argument("--name", default="", help="what the list of your tokens calls this program")
    into.add_argument("--stdin", action="store_true", help="the password or token is piped in")
    into.add_argument("--plain-http", action="store_true", help="allow http:// to another machine")
    out = command(commands, "logout", common, logout, "forget the login", logs_in=True)
    out.add_argument("--end", action="store_true", help="the token ends at the site, too")
    mine = command(
        commands, "tokens", common, tokens, "show the tokens of your account, or end one of them"
    )
    mine.add_argument(
        "--end", default="", metavar="ID", help="the beginning of the id of the one that ends"
    )


def login(given: argparse.Namespace) -> Told:
    """Get a token, or take one, see that it is good, and keep it.

    A token that an earlier login made here for the same site ends; those of other programs stay.
    """
    address = address_of(given.address, plain=given.plain_http)
    if given.token:
        token = _secret("Token: ", piped=given.stdin)
    else:
        user = given.user or ("" if given.stdin else _typed(input, "User name: ").strip())
        if not user:
            raise Misused("say who you are by --user NAME")
        password = _secret("Password: ", piped=given.stdin)
        asked = Api(address, timeout=given.timeout)
        try:
            name = given.name or f"blindjump on {socket.gethostname()}"[:LONGEST_NAME]
            body = {
                "username": user,
                "password": password,
                "read_only": given.read_only,
                "name": name,
            }
            token = str(asked.post("token/", body)["token"])
        except LockedOut:
            raise
        except NotLoggedIn as error:
            raise NotLoggedIn("wrong name or password") from error
        except Refused as error:
            if error.code != "second-factor":
                raise
            words = (
                f"this account has a second factor: make a token on {address}/me/, then add --token"
            )
            raise NotLoggedIn(words) from error
        finally:
            asked.close()
    api = Api(address, token, timeout=given.timeout)
    try:
        me = api.get("me/")
    except NotLoggedIn as error:
        raise NotLoggedIn("this token opens nothing: make another on your profile page") from error
    finally:
        api.close()
    _end_earlier(address, given.timeout)
    path = login_keep(os.environ, Login(address, token, made=not given.token))
    found = {"username": me["username"], "address": address, "kept": str(path)}
    return Told(
        found, f"You are logged in as {me['username']} at {address}. The token is kept in {path}."
    )


def logout(given: argparse.Namespace) -> Told:
    """Forget the login; with `--end` the token opens nothing afterwards."""
    if given.end:
        kept = login_read(os.environ)
        api = Api(kept.address, kept.token, timeout=given.timeout)
        try:
            api.call("DELETE", "token/")
        finally:
            api.close()
    found = login_forget(os.environ)
    return Told({"forgotten": found}, "You are logged out." if found else "You were not logged in.")


def tokens(given: argparse.Namespace, api: Api) -> Told:
    """The account's tokens; with `--end` one of them ends."""
    answer = api.get("tokens/")
    if not given.end:
        rows = [
            (
                one["id"][:8],
                one["name"] or "without a name",
                one["created_at"][:10],
                "reads only" if one["read_only"] else "",
                "this one" if one["this"] else "",
            )
            for one in answer["tokens"]
        ]
        return Told(answer, shown.table(rows))
    meant = [one for one in answer["tokens"] if one["id"].startswith(given.end)]
    if len(meant) != 1:
        raise Misused(f"{len(meant)} of your tokens have an id that begins with '{given.end}'")
    api.call("DELETE", f"tokens/{meant[0]['id']}/")
    return Told(meant[0], f"The token '{meant[0]['name'] or 'without a name'}' has ended.")


def _end_earlier(address: str, timeout: float) -> None:
    """End the token that an earlier login of this program made at the site, if it still opens
    anything.
    """
    try:
        kept = login_kept(os.environ)
    except (NotLoggedIn, Misused):
        return
    if not kept.made or kept.address != address:
        return
    api = Api(kept.address, kept.token, timeout=timeout)
    try:
        api.call("DELETE", "token/")
    except (Failed, NotLoggedIn, NotReached, Refused):
        return  # it has ended already, or it only reads: the list of tokens ends it
    finally:
        api.close()


def _secret(prompt: str, *, piped: bool) -> str:
    found = sys.stdin.readline().rstrip("\n") if piped else _typed(getpass.getpass, prompt)
    if not found:
        raise Misused("nothing was given")
    return found


def _typed(ask: Callable[[str], str], prompt: str) -> str:
    """What somebody types.

    Raises Misused where nobody can: standard input is no terminal, or at its end.
    """
    if not sys.stdin.isatty():
        raise Misused(NOBODY)
    try:
        return ask(prompt)
    except EOFError as error:
        raise Misused(NOBODY) from error

"""Logging in and out.

Passwords and tokens come from a prompt or from standard input, never from the command line.
"""

from __future__ import annotations

import argparse
import getpass
import os
import socket
import sys
from collections.abc import Callable

from blindjump import display
from blindjump.api import Api, address_of
from blindjump.commands import CommandResult, Commands, command
from blindjump.errors import (
    ApiError,
    ClientError,
    NotLoggedIn,
    TooManyAttempts,
    Unreachable,
    UsageError,
)
from blindjump.login_store import Login, login_forget, login_keep, login_read, login_stored

LONGEST_NAME = 60  # of a token, in characters
NO_TERMINAL = (
    "nobody can be asked here: pipe the password or token in with --stdin; "
    "with a password say --user NAME, too"
)


def declare(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Declare `login`, `logout` and `tokens`."""
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


def login(args: argparse.Namespace) -> CommandResult:
    """Create a token or accept one, check that it works, and store it.

    A token that an earlier login made here for the same site is revoked; those of other programs
    stay.
    """
    address = address_of(args.address, plain=args.plain_http)
    if args.token:
        token = _secret("Token: ", piped=args.stdin)
    else:
        user = args.user or ("" if args.stdin else _prompt(input, "User name: ").strip())
        if not user:
            raise UsageError("say who you are by --user NAME")
        password = _secret("Password: ", piped=args.stdin)
        login_api = Api(address, timeout=args.timeout)
        try:
            name = args.name or f"blindjump on {socket.gethostname()}"[:LONGEST_NAME]
            body = {
                "username": user,
                "password": password,
                "read_only": args.read_only,
                "name": name,
            }
            token = str(login_api.post("token/", body)["token"])
        except TooManyAttempts:
            raise
        except NotLoggedIn as error:
            raise NotLoggedIn("wrong name or password") from error
        except ApiError as error:
            if error.code != "second-factor":
                raise
            words = (
                f"this account has a second factor: make a token on {address}/me/, then add --token"
            )
            raise NotLoggedIn(words) from error
        finally:
            login_api.close()
    api = Api(address, token, timeout=args.timeout)
    try:
        me = api.get("me/")
    except NotLoggedIn as error:
        raise NotLoggedIn("this token opens nothing: make another on your profile page") from error
    finally:
        api.close()
    _end_earlier(address, args.timeout)
    path = login_keep(os.environ, Login(address, token, is_own_token=not args.token))
    result = {"username": me["username"], "address": address, "kept": str(path)}
    return CommandResult(
        result, f"You are logged in as {me['username']} at {address}. The token is kept in {path}."
    )


def logout(args: argparse.Namespace) -> CommandResult:
    """Forget the login; with `--end` revoke the token."""
    if args.end:
        stored_login = login_read(os.environ)
        api = Api(stored_login.address, stored_login.token, timeout=args.timeout)
        try:
            api.call("DELETE", "token/")
        finally:
            api.close()
    was_logged_in = login_forget(os.environ)
    return CommandResult(
        {"forgotten": was_logged_in},
        "You are logged out." if was_logged_in else "You were not logged in.",
    )


def tokens(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the account's tokens; with `--end` revoke one."""
    answer = api.get("tokens/")
    if not args.end:
        rows = [
            (
                token["id"][:8],
                token["name"] or "without a name",
                token["created_at"][:10],
                "reads only" if token["read_only"] else "",
                "this one" if token["this"] else "",
            )
            for token in answer["tokens"]
        ]
        return CommandResult(answer, display.table(rows))
    matching = [token for token in answer["tokens"] if token["id"].startswith(args.end)]
    if len(matching) != 1:
        raise UsageError(f"{len(matching)} of your tokens have an id that begins with '{args.end}'")
    api.call("DELETE", f"tokens/{matching[0]['id']}/")
    return CommandResult(
        matching[0], f"The token '{matching[0]['name'] or 'without a name'}' has ended."
    )


def _end_earlier(address: str, timeout: float) -> None:
    """Revoke the token of an earlier login at this site, if it still works."""
    try:
        earlier = login_stored(os.environ)
    except (NotLoggedIn, UsageError):
        return
    if not earlier.is_own_token or earlier.address != address:
        return
    api = Api(earlier.address, earlier.token, timeout=timeout)
    try:
        api.call("DELETE", "token/")
    except (ClientError, NotLoggedIn, Unreachable, ApiError):
        return  # revoked already, or a read-only token, which only the tokens page revokes
    finally:
        api.close()


def _secret(prompt: str, *, piped: bool) -> str:
    secret = sys.stdin.readline().rstrip("\n") if piped else _prompt(getpass.getpass, prompt)
    if not secret:
        raise UsageError("nothing was given")
    return secret


def _prompt(ask: Callable[[str], str], prompt: str) -> str:
    """Return what the user types.

    Raises:
        UsageError: If standard input is not a terminal, or is at its end.
    """
    if not sys.stdin.isatty():
        raise UsageError(NO_TERMINAL)
    try:
        return ask(prompt)
    except EOFError as error:
        raise UsageError(NO_TERMINAL) from error

"""Logging in and out.

Passwords and tokens come from a prompt or from standard input, never from the command line.
"""

from __future__ import annotations

import argparse
import getpass
import os
import socket
import sys
from collections.abc import Callable, Mapping
from typing import Any

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
NO_NAME = "no name"  # shown for a token without a name
NO_TERMINAL = (
    "there is no terminal to type in: pipe the password or token in with --stdin; "
    "with a password, also give --user NAME"
)


def declare(commands: Commands, common: argparse.ArgumentParser) -> None:
    """Declare `login`, `logout` and `tokens`."""
    into = command(
        commands, "login", common, login, "log in to a site and store a token", is_logged_out=True
    )
    into.add_argument("address", help="such as https://war.example.org")
    into.add_argument("--user", default="", help="your user name there")
    into.add_argument(
        "--token",
        action="store_true",
        help="use a token from your profile page instead of a password",
    )
    into.add_argument(
        "--read-only", action="store_true", help="make a token that can read but not act"
    )
    into.add_argument("--name", default="", help="name of this program in your list of tokens")
    into.add_argument(
        "--stdin", action="store_true", help="read the password or token from standard input"
    )
    into.add_argument("--plain-http", action="store_true", help="allow http:// to another machine")
    out = command(commands, "logout", common, logout, "delete the stored login", is_logged_out=True)
    out.add_argument("--end", action="store_true", help="also revoke the token at the site")
    mine = command(
        commands, "tokens", common, tokens, "list the tokens of your account, or revoke one"
    )
    mine.add_argument(
        "--end", default="", metavar="ID", help="revoke the token whose id begins with ID"
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
        token = _create_token(args, address)
    api = Api(address, token, timeout=args.timeout)
    try:
        me = api.get("me/")
    except NotLoggedIn as error:
        raise NotLoggedIn(
            "the site does not accept this token: make another on your profile page"
        ) from error
    finally:
        api.close()
    _revoke_earlier_token(address, args.timeout)
    path = login_keep(os.environ, Login(address, token, is_own_token=not args.token))
    result = {"username": me["username"], "address": address, "kept": str(path)}
    words = f"You are logged in as {me['username']} at {address}. The token is stored in {path}."
    return CommandResult(result, words)


def _create_token(args: argparse.Namespace, address: str) -> str:
    """Create a token with a user name and password.

    Raises:
        UsageError: If there is no user name or password.
        NotLoggedIn: If they are wrong, or the account has a second factor.
    """
    user = args.user
    if not user and not args.stdin:
        user = _prompt(input, "User name: ").strip()
    if not user:
        raise UsageError("give your user name with --user NAME")
    body = {
        "username": user,
        "password": _secret("Password: ", piped=args.stdin),
        "read_only": args.read_only,
        "name": args.name or f"blindjump on {socket.gethostname()}"[:LONGEST_NAME],
    }
    api = Api(address, timeout=args.timeout)
    try:
        return str(api.post("token/", body)["token"])
    except TooManyAttempts:
        raise
    except NotLoggedIn as error:
        raise NotLoggedIn("wrong name or password") from error
    except ApiError as error:
        if error.code != "second-factor":
            raise
        raise NotLoggedIn(
            f"this account has a second factor: make a token on {address}/me/, "
            "then log in with --token"
        ) from error
    finally:
        api.close()


def logout(args: argparse.Namespace) -> CommandResult:
    """Delete the stored login; with `--end` revoke the token too."""
    if args.end:
        stored_login = login_read(os.environ)
        api = Api(stored_login.address, stored_login.token, timeout=args.timeout)
        try:
            api.call("DELETE", "token/")
        finally:
            api.close()
    was_logged_in = login_forget(os.environ)
    words = "You are logged out." if was_logged_in else "You were not logged in."
    return CommandResult({"forgotten": was_logged_in}, words)


def tokens(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the account's tokens; with `--end` revoke one."""
    answer = api.get("tokens/")
    if not args.end:
        return CommandResult(answer, display.table([_token_row(t) for t in answer["tokens"]]))
    matching = [token for token in answer["tokens"] if token["id"].startswith(args.end)]
    if len(matching) != 1:
        raise UsageError(f"{len(matching)} of your tokens have an id that begins with '{args.end}'")
    token = matching[0]
    api.call("DELETE", f"tokens/{token['id']}/")
    return CommandResult(token, f"The token '{token['name'] or NO_NAME}' has been revoked.")


def _token_row(token: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the row of a token in the list: id, name, day of creation, remarks."""
    return (
        token["id"][:8],
        token["name"] or NO_NAME,
        token["created_at"][:10],
        "read-only" if token["read_only"] else "",
        "this one" if token["this"] else "",
    )


def _revoke_earlier_token(address: str, timeout: float) -> None:
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
    """Return a password or token, from standard input if `piped`, else typed at a prompt."""
    secret = sys.stdin.readline().rstrip("\n") if piped else _prompt(getpass.getpass, prompt)
    if not secret:
        raise UsageError("the password or token is empty")
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

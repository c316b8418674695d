"""`blindjump`: log in, read reports, give orders, decide, fight, and see the results.

Exit status: 0 done; 1 refused, or faults in the orders; 2 a command or file that cannot be
understood; 3 not logged in; 4 the server cannot be reached; 5 the wait took too long; 130 stopped
by Ctrl-C.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from blindjump import (
    __version__,
    accounts,
    battles,
    completion,
    odds,
    orders,
    people,
    rulings,
    tables,
    timelines,
    umpire,
    war,
)
from blindjump.api import TIMEOUT, Api, address_of
from blindjump.commands import CommandResult
from blindjump.errors import STOPPED, ApiError, ClientError
from blindjump.login_store import login_read

MAX_SECONDS = 86_400.0  # the longest --timeout: a day
# Sent by the site for a closed stage: that stage, and the current one.
CLOSED_STAGE_KEYS = ("closed", "now")


def parser(
    kind: type[argparse.ArgumentParser] = argparse.ArgumentParser,
) -> argparse.ArgumentParser:
    """Return the command line; each module declares its commands.

    Args:
        kind: The class of its parsers.
    """
    top = kind(prog="blindjump", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    top.add_argument("--version", action="version", version=f"blindjump {__version__}")
    common = kind(add_help=False)
    common.add_argument("--json", action="store_true", help="print the API's answer as JSON")
    common.add_argument(
        "--timeout",
        type=seconds,
        default=TIMEOUT,
        metavar="SECONDS",
        help="how long to wait for one answer",
    )
    in_war = kind(add_help=False, parents=[common])
    in_war.add_argument(
        "-w",
        "--war",
        default="",
        help="the war's id, the beginning of its id, or its name (default: BLINDJUMP_WAR)",
    )
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    accounts.declare(commands, common)
    for module in (war, orders, odds, battles, tables, timelines, umpire, rulings):
        module.declare(commands, in_war)
    people.declare(commands, in_war, common)
    completion.declare(commands, common, parser)
    return top


def seconds(text: str) -> float:
    """Return a waiting time in seconds from an argument.

    Raises:
        argparse.ArgumentTypeError: If it is not a number above 0, or too large.
    """
    try:
        result = float(text)
    except ValueError:
        result = 0.0
    if not 0 < result <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds above 0")
    return result


def main(arguments: Sequence[str]) -> int:
    """Run one command, and return its exit status.

    Errors go to standard error, as JSON with --json.
    """
    args = parser().parse_args(arguments)
    try:
        result = _run_command(args)
    except ClientError as failed:
        if args.json:
            print(json.dumps(_error_object(failed), ensure_ascii=False), file=sys.stderr)
        else:
            print(f"blindjump: {failed}", file=sys.stderr)
        return failed.status
    if result.is_printed:
        return result.status
    if args.json:
        print(json.dumps(result.answer, indent=1, ensure_ascii=False))
    else:
        print(result.words)
    return result.status


def _run_command(args: argparse.Namespace) -> CommandResult:
    """Run the command of these arguments, with the stored login if it needs one."""
    if args.is_logged_out:
        result: CommandResult = args.act(args)
        return result
    login = login_read(os.environ)
    api = Api(address_of(login.address, plain=True), login.token, timeout=args.timeout)
    try:
        result = args.act(args, api)
    finally:
        api.close()
    return result


def _error_object(failed: ClientError) -> dict[str, Any]:
    """Return an error as the JSON object that --json prints."""
    problem: dict[str, Any] = {"error": str(failed), "status": failed.status}
    if isinstance(failed, ApiError):
        problem |= {"http": failed.http, "code": failed.code, "violations": failed.violations}
        for name in CLOSED_STAGE_KEYS:
            if name in failed.problem:
                problem[name] = failed.problem[name]
    return problem


def entry() -> None:
    """Run the installed script."""
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(STOPPED)
    except BrokenPipeError:  # `| head` has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)

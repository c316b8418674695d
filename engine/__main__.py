"""The command line of the engine: `python -m engine COMMAND FILE`, JSON or YAML in, JSON out.

A command is a function from its arguments to the JSON value that is printed. RuleViolations are
written to standard error as one JSON object, with at most 100 faults and the number of the others.
Standard output then stays empty and the exit status is 2.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from engine.cli.release import version_of
from engine.core.errors import RuleViolations, Violation, faults_json

INTERRUPTED = 130  # the exit status after Ctrl-C, as in shells

FILE = (("file",), {"metavar": "FILE", "help": "a JSON or YAML file, or - for standard input"})
OPTION = (
    ("--option",),
    {
        "action": "append",
        "default": [],
        "metavar": "NAME",
        "help": "an optional rule to use; can be repeated",
    },
)
COMMANDS: dict[str, tuple[str, str, tuple[tuple[tuple[str, ...], dict[str, Any]], ...]]] = {
    # name: (module:function, description, arguments); the module is imported when its command runs
    "design": (
        "engine.cli.design:run",
        "price ship designs and list their faults",
        (
            FILE,
            OPTION,
            (
                ("--from",),
                {
                    "dest": "source",
                    "choices": ("ftlibship", "ftjava"),
                    "help": "read ships in the format of this program",
                },
            ),
            (
                ("--to",),
                {
                    "dest": "target",
                    "choices": ("ftlibship", "design"),
                    "help": "print the designs in this format instead of their prices",
                },
            ),
            (
                ("--partial",),
                {
                    "action": "store_true",
                    "help": "skip designs that cannot be read, and list their faults",
                },
            ),
            (
                ("--tech-base",),
                {
                    "metavar": "FILE",
                    "help": (
                        "a tech base; designs that need other technologies are listed with faults"
                    ),
                },
            ),
        ),
    ),
    "fleet": ("engine.cli.design:run_fleet", "price a fleet and list its faults", (FILE, OPTION)),
    "battle": (
        "engine.cli.battle:run",
        "fight a battle with the orders in the file, or with computer captains",
        (
            FILE,
            (
                ("--captains",),
                {"action": "store_true", "help": "let computer captains give all missing orders"},
            ),
        ),
    ),
    "odds": (
        "engine.cli.odds:run",
        "fight a battle many times with computer captains",
        (
            FILE,
            (
                ("--runs",),
                {
                    "type": int,
                    "default": None,
                    "metavar": "N",
                    "help": "the most battles to fight (default: 1000)",
                },
            ),
            (
                ("--jobs",),
                {
                    "type": int,
                    "default": None,
                    "metavar": "N",
                    "help": "the number of processes (default: all cores)",
                },
            ),
            (
                ("--precision",),
                {
                    "type": float,
                    "default": None,
                    "metavar": "SHARE",
                    "help": (
                        "stop when the shares of each side's wins and of draws are known to "
                        "this precision (95%% confidence, Wilson interval); 0.05 takes about "
                        "400 battles"
                    ),
                },
            ),
            (
                ("--seconds",),
                {
                    "type": float,
                    "default": None,
                    "metavar": "S",
                    "help": "stop after this many seconds",
                },
            ),
        ),
    ),
}


class Parser(ArgumentParser):
    """An argument parser that reports a wrong command line like any other bad input."""

    def error(self, message: str) -> NoReturn:
        """Raise the fault with the usage of the command."""
        raise RuleViolations(
            [Violation("", "usage", f"{message}; {' '.join(self.format_usage().split())}")]
        )


def arguments(words: Sequence[str] | None) -> Namespace:
    """Parse the command line.

    Raises:
        RuleViolations: It names no command or lacks an argument.
    """
    parser = Parser(
        prog="python -m engine", description="Starship battles: designs, battles, odds."
    )
    parser.add_argument("--version", action="version", version=f"Blind Jump {version_of()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (_, title, options) in COMMANDS.items():
        command = commands.add_parser(name, help=title, description=title)
        for flags, settings in options:
            command.add_argument(*flags, **settings)
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    try:
        args = arguments(words)
        module, function = COMMANDS[args.command][0].split(":")
        answer = getattr(import_module(module), function)(args)
    except RuleViolations as bad:
        json.dump({"violations": faults_json(bad.violations)}, sys.stderr)
        sys.stderr.write("\n")
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    try:
        json.dump(answer, sys.stdout, indent=2)
        sys.stdout.write("\n")
        sys.stdout.flush()
    except BrokenPipeError:  # the reader closed the pipe; writing at exit would fail too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A command line of commands that each read one file: JSON or YAML in, JSON out.

`python -m engine` and `python -m umpire` share it. A command is a function from its arguments to
the JSON value that is printed. RuleViolations are written to standard error as one JSON object,
with at most 100 faults and the number of the others. Standard output then stays empty and the exit
status is 2.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

from engine.cli.release import version_of
from engine.core.errors import RuleViolations, Violation, faults_json

INTERRUPTED = 130  # the exit status after Ctrl-C, as in shells

Argument = tuple[tuple[str, ...], dict[str, Any]]  # flags and settings of `add_argument`
FILE: Argument = (
    ("file",),
    {"metavar": "FILE", "help": "a JSON or YAML file, or - for standard input"},
)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a command line.

    Attributes:
        function: `module:function`; the module is imported when the command runs.
        title: Its description in the help.
    """

    function: str
    title: str
    arguments: tuple[Argument, ...]


class Parser(ArgumentParser):
    """An argument parser that reports a wrong command line like any other bad input."""

    def error(self, message: str) -> NoReturn:
        raise RuleViolations(
            [Violation("", "usage", f"{message}; {' '.join(self.format_usage().split())}")]
        )


def parse_arguments(
    program: str, description: str, commands: Mapping[str, Command], words: Sequence[str] | None
) -> Namespace:
    """Parse a command line.

    Args:
        program: What is typed before the command.
        words: The words after `program`; None: those of this process.

    Raises:
        RuleViolations: It names no command or lacks an argument.
    """
    parser = Parser(prog=program, description=description)
    parser.add_argument("--version", action="version", version=f"Blind Jump {version_of()}")
    choices = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in commands.items():
        choice = choices.add_parser(name, help=command.title, description=command.title)
        for flags, settings in command.arguments:
            choice.add_argument(*flags, **settings)
    return parser.parse_args(words)


def run_command(
    program: str, description: str, commands: Mapping[str, Command], words: Sequence[str] | None
) -> int:
    """Run one command, print its answer, and return the exit status.

    The arguments are those of `parse_arguments`.
    """
    try:
        args = parse_arguments(program, description, commands, words)
        module, function = commands[args.command].function.split(":")
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

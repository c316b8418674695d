"""Shell completion: prints a script generated from the declared commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from blindjump.commands import CommandResult, Commands, command
from blindjump.errors import UsageError

SHELLS = ("bash", "zsh", "fish", "tcsh")
FILE_ARGUMENTS = ("file", "output", "receipt")  # arguments that are completed with file names
Parser = type[argparse.ArgumentParser]


def declare(
    commands: Commands,
    common: argparse.ArgumentParser,
    parser: Callable[[Parser], argparse.ArgumentParser],
) -> None:
    """Declare `completion`.

    Args:
        parser: Makes the command line from a class of parsers.
    """

    def print_script(args: argparse.Namespace) -> CommandResult:
        text = script(parser, args.shell)
        return CommandResult({"shell": args.shell, "script": text}, text)

    completion_parser = command(
        commands,
        "completion",
        common,
        print_script,
        "print a script that completes commands and options in a shell",
        is_logged_out=True,
    )
    completion_parser.add_argument("shell", choices=SHELLS)


def script(parser: Callable[[Parser], argparse.ArgumentParser], shell: str) -> str:
    """Return the completion script of a shell.

    Raises:
        UsageError: If shtab is not installed.
    """
    try:
        import shtab
    except ImportError as error:
        raise UsageError("completion needs shtab: pip install 'blindjump[completion]'") from error

    class Completed(argparse.ArgumentParser):
        """A parser that tells shtab which arguments are files."""

        def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
            action = super().add_argument(*names, **options)
            if action.dest in FILE_ARGUMENTS:
                action.complete = shtab.FILE  # type: ignore[attr-defined]  # where shtab looks for it
            return action

    return str(shtab.complete(parser(Completed), shell=shell))

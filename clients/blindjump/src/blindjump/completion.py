"""Completion in a shell: a script made once of the commands there are (`blindjump completion bash`)."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from blindjump.errors import Misused
from blindjump.told import Commands, Told, command

SHELLS = ("bash", "zsh", "tcsh")
NAME_FILES = ("file", "output", "receipt")  # arguments that are completed by the files there are


def declare(commands: Commands, common: argparse.ArgumentParser, parser: Callable[[], argparse.ArgumentParser]) -> None:
    """`completion`. `parser`: makes the command line that is completed."""
    made = command(
        commands,
        "completion",
        common,
        lambda given: Told({"shell": given.shell, "script": (text := script(parser(), given.shell))}, text),
        "print a script that completes commands and options in a shell",
        logs_in=True,
    )
    made.add_argument("shell", choices=SHELLS)


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script of a shell. Raises Misused where what makes it is not installed."""
    try:
        import shtab
    except ImportError as error:
        raise Misused("completion needs shtab: pip install 'blindjump[completion]'") from error
    for action in _actions(parser):
        if action.dest in NAME_FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # where shtab looks for it
    return str(shtab.complete(parser, shell=shell))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All arguments and options of a command line and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _actions(below)

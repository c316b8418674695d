"""The results of commands, and how commands are declared."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from blindjump.errors import SUCCESS

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command.

    Attributes:
        answer: The API's answer, for --json.
        words: The same as text.
        is_printed: Whether the command has already printed its result.
    """

    answer: Any
    words: str
    status: int = SUCCESS
    is_printed: bool = False


def command(
    commands: Commands,
    name: str,
    common: argparse.ArgumentParser,
    act: Callable[..., CommandResult],
    words: str,
    *,
    is_logged_out: bool = False,
) -> argparse.ArgumentParser:
    """Declare a command and the function that runs it.

    Args:
        common: The parser with the options that it shares with other commands.
        act: Called with the parsed arguments, and with the session unless `is_logged_out`.
        words: Its description in the help.
        is_logged_out: Whether the command runs without a login.
    """
    parser = commands.add_parser(name, parents=[common], help=words, description=words)
    parser.set_defaults(act=act, is_logged_out=is_logged_out)
    return parser

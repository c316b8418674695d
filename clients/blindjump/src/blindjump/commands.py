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
    logs_in: bool = False,
) -> argparse.ArgumentParser:
    """Declare a command and the function that runs it.

    Args:
        logs_in: Whether it runs without a login.
    """
    parser = commands.add_parser(name, parents=[common], help=words, description=words)
    parser.set_defaults(act=act, logs_in=logs_in)
    return parser

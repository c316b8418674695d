"""What a command tells, and how commands are declared."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from blindjump.errors import SUCCESS

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


@dataclass(frozen=True, slots=True)
class CommandResult:
    """`answer`: for --json; `words`: for people.

    `said`: the command has printed it itself, as it came.
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
    """A command and what it does. `logs_in`: it needs no login."""
    parser = commands.add_parser(name, parents=[common], help=words, description=words)
    parser.set_defaults(act=act, logs_in=logs_in)
    return parser

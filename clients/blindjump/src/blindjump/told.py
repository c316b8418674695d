"""What a command tells, and how commands are declared."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from blindjump.errors import DONE

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


@dataclass(frozen=True, slots=True)
class Told:
    """`answer`: for --json; `words`: for people.

    `said`: the command has printed it itself, as it came.
    """

    answer: Any
    words: str
    status: int = DONE
    said: bool = False


def command(
    commands: Commands,
    name: str,
    common: argparse.ArgumentParser,
    act: Callable[..., Told],
    words: str,
    *,
    logs_in: bool = False,
) -> argparse.ArgumentParser:
    """A command and what it does. `logs_in`: it needs no login."""
    made = commands.add_parser(name, parents=[common], help=words, description=words)
    made.set_defaults(act=act, logs_in=logs_in)
    return made
